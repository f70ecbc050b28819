import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { projectFile, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { reply, startTaskService, type TaskCall, type TaskReply, type TaskService } from '../support/task-service.ts';

shareProcess();

type Room = Readonly<Record<string, unknown>>;

let service: TaskService;
let project: TestProject;

beforeAll(async () => {
  service = await startTaskService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.calls.length = 0;
  project = await testProject(
    { 'agentform.yaml': projectFile(service.baseUrl) },
    { AGENT_TOKEN: token, TZ: 'Asia/Tokyo' },
  );
});
afterEach(() => project.remove());

const ada: Room = {
  roomId: 'room_1',
  name: 'Ada',
  id: 7,
  servicePhoneNumber: '+14155550100',
  destinationInboxType: 'priority',
  lastMessage: 'Hello',
  lastMessageTimestamp: 1796112000,
};

interface Inbox {
  readonly total?: number | null;
  readonly size?: number;
  readonly unread?: readonly Room[];
}

/** Makes a service that returns these rooms in pages, as in the specification. */
function pages(every: readonly Room[], { total, size = 2, unread = [] }: Inbox = {}) {
  return ({ query }: TaskCall): TaskReply => {
    const rooms = query.unread === 'true' ? unread : every;
    const page = Number(query.page);
    const pageSize = Number(query.pageSize ?? size);
    return reply(200, {
      pageSize,
      pageNumber: page,
      totalRooms: total === undefined ? rooms.length : total,
      rooms: rooms.slice(page * pageSize, (page + 1) * pageSize),
    });
  };
}

function rooms(count: number): Room[] {
  return Array.from({ length: count }, (_, index) => ({ roomId: `room_${index}` }));
}

const caller: Room = { roomId: 'room_2', unregisteredDisplayName: 'Caller', lastMessage: null };

test('The inbox is a table with local times and a mark on unread rooms.', async () => {
  service.answer = pages([ada, caller], { unread: [ada] });
  const { code, stdout } = await project.run('inbox');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `   NAME    ROOM    SERVICE NUMBER  INBOX     LAST MESSAGE AT      LAST MESSAGE
*  Ada     room_1  +14155550100    priority  2026-12-01 17:00:00  Hello
   Caller  room_2  -               -         -                    -

2 rooms; 1 unread (*); times in Asia/Tokyo
`,
  });
  expect(service.calls.map(({ query }) => query)).toEqual([
    { token, pagination: 'true', page: '0' },
    { token, pagination: 'true', page: '0', unread: 'true' },
  ]);
});

test.each([['inbox'], ['task', 'create', '--type', 'ping', '--yes'], ['task', 'upload', 'tasks.csv', '--dry-run']])(
  'White space around the token is removed with a warning: %s',
  async (...command) => {
    service.answer = pages([]);
    await project.write('tasks.csv', 'type,target\ncall,+14155550100\n');
    const { stderr } = await project.with({ AGENT_TOKEN: `${token}\r\n` }).run(...command);
    expect(stderr).toContain('warning token-blank  the process variable AGENT_TOKEN begins or ends with white space');
    expect(service.calls[0]?.query).toMatchObject({ token });
  },
);

describe('unread rooms', () => {
  async function unreadOf(...options: string[]) {
    const { stdout } = await project.run('inbox', '--format', 'json', ...options);
    const shown: readonly Room[] = JSON.parse(stdout).rooms;
    const pagesOfUnread = service.calls.filter(({ query }) => query.unread === 'true').length;
    return { unread: shown.filter(({ unread }) => unread).map(({ roomId }) => roomId), pagesOfUnread };
  }

  test('Unread rooms are read up to the last room that is shown.', async () => {
    service.answer = pages(rooms(2), { unread: rooms(9).reverse() });
    expect(await unreadOf()).toEqual({ unread: ['room_0', 'room_1'], pagesOfUnread: 5 });
  });

  test('Unread rooms are not read further than needed.', async () => {
    service.answer = pages(rooms(2), { unread: rooms(9) });
    expect(await unreadOf()).toEqual({ unread: ['room_0', 'room_1'], pagesOfUnread: 1 });
  });

  test('Unread rooms with --unread need no further request.', async () => {
    service.answer = pages(rooms(9), { unread: rooms(2) });
    expect(await unreadOf('--unread')).toEqual({ unread: ['room_0', 'room_1'], pagesOfUnread: 1 });
  });

  test('Unread rooms are marked on every page of --all.', async () => {
    service.answer = pages(rooms(5), { unread: [{ roomId: 'room_3' }] });
    expect(await unreadOf('--all')).toEqual({ unread: ['room_3'], pagesOfUnread: 1 });
  });
});

test('An inbox without unread messages says so.', async () => {
  service.answer = pages([ada]);
  expect((await project.run('inbox')).stdout).toContain('1 room; none unread; times in Asia/Tokyo');
});

test.each(['Mars/Base', ''])('Times are in UTC if TZ names no time zone: %j', async (TZ) => {
  service.answer = pages([ada]);
  const { stdout } = await project.with({ TZ }).run('inbox');
  expect(stdout).toMatch(/2026-12-01 08:00:00 (?:.*\n)+.*times in UTC\n$/);
});

test('The JSON of the inbox has the rooms of the service, with unread marks and ISO 8601 times.', async () => {
  service.answer = pages([ada]);
  const { stdout } = await project.run('inbox', '--format', 'json');
  expect(JSON.parse(stdout)).toEqual({
    formatVersion: 1,
    environment: 'test',
    page: 0,
    totalRooms: 1,
    rooms: [{ ...ada, unread: false, lastMessageAt: '2026-12-01T08:00:00Z' }],
  });
});

test('A warning says that all pages together have fewer rooms than the service counts.', async () => {
  const body = { pageSize: 1, pageNumber: 0, totalRooms: 100, rooms: [ada] };
  service.answer = () => reply(200, body);
  const { code, stderr } = await project.run('inbox', '--all', '--format', 'csv');
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('warning: the service counts 100 rooms, but its pages have 1.'),
  });
  expect((await project.run('inbox')).stderr).toBe('');
});

test('The CSV of the inbox has no formula and no control sequence.', async () => {
  const evil = { roomId: '=1+1', name: '@cmd', lastMessage: '-2+3,"x"\n\u001b[2J', lastMessageTimestamp: 1796112000 };
  service.answer = pages([{ ...evil, servicePhoneNumber: '+14155550100', image: '\t=x' }]);
  const { stdout } = await project.run('inbox', '--format', 'csv');
  const [head, ...lines] = stdout.split('\r\n');
  expect(head).toBe(
    'roomId,name,id,image,servicePhoneNumber,unregistered,unregisteredDisplayName,destinationInboxType,lastMessage,lastMessageTimestamp,chatAgentCampaignId,unread,lastMessageAt',
  );
  expect(lines.join('\r\n')).toBe(
    `'=1+1,'@cmd,,'\t=x,+14155550100,,,,"'-2+3,""x""\n\\u001b[2J",1796112000,,false,2026-12-01T08:00:00Z\r\n`,
  );
});

test('Texts from strangers cannot control the terminal, and secrets are not shown.', async () => {
  service.answer = pages([{ ...ada, name: '\u001b]0;x\u0007\u202e', lastMessage: `my ${token}` }]);
  for (const format of ['text', 'json', 'csv']) {
    const { stdout } = await project.run('inbox', '--format', format);
    for (const control of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(control);
    expect(stdout).not.toContain(token);
  }
});

test('A long part of a random token is not shown.', async () => {
  const random = project.with({ AGENT_TOKEN: 'ak7f_9Q2m4Lx81ZpT0' });
  service.answer = pages([{ ...ada, lastMessage: 'use ak7f_9Q2m4 or 4Lx81ZpT0' }]);
  for (const format of ['text', 'json']) {
    const { stdout } = await random.run('inbox', '--format', format);
    expect(stdout).toContain('use (sensitive) or (sensitive)');
  }
  const message = 'queued for ak7f_9Q2m4...';
  service.answer = () => reply(201, { success: true, message });
  for (const format of ['text', 'json']) {
    const { stdout } = await random.run('task', 'create', '--type', 'ping', '--yes', '--format', format);
    expect(stdout).toContain('queued for (sensitive)');
  }
});

test('The options --unread, --page and --page-size become parameters with the names of agentform.yaml.', async () => {
  service.answer = pages([], { unread: rooms(9) });
  const { stdout } = await project.run(
    'inbox',
    '--unread',
    '--page',
    '1',
    '--page-size',
    '3',
    '--query',
    'targetAccountId=17',
  );
  expect(stdout).toContain('3 rooms of 9, page 1');
  await project.edit(
    'agentform.yaml',
    'defaultEnvironment',
    'service: { parameters: { pagination: paged, page: p, pageSize: size, unread: new } }\ndefaultEnvironment',
  );
  service.answer = () => reply(200, { rooms: [] });
  await project.run('inbox', '--unread', '--page', '1', '--page-size', '3');
  expect(service.calls.map(({ query }) => query)).toEqual([
    { token, pagination: 'true', page: '1', pageSize: '3', unread: 'true', targetAccountId: '17' },
    { token, paged: 'true', p: '1', size: '3', new: 'true' },
  ]);
});

describe('--all', () => {
  async function all() {
    const { stdout, code } = await project.run('inbox', '--all', '--format', 'json');
    expect(code).toBe(0);
    return {
      rooms: JSON.parse(stdout).rooms.map((room: Room) => room.roomId),
      calls: service.calls.filter(({ query }) => query.unread !== 'true').length,
    };
  }

  test('The option --all reads all rooms.', async () => {
    service.answer = pages(rooms(5));
    expect(await all()).toEqual({ rooms: rooms(5).map((room) => room.roomId), calls: 3 });
  });

  test('The option --all ends at an empty page if the service gives no total.', async () => {
    service.answer = pages(rooms(4), { total: null });
    expect(await all()).toMatchObject({ rooms: { length: 4 }, calls: 3 });
  });

  test('The option --all ends if the service repeats a page.', async () => {
    service.answer = () => reply(200, { totalRooms: 100, rooms: rooms(2) });
    expect(await all()).toMatchObject({ rooms: { length: 2 }, calls: 2 });
  });

  test('The option --all ends at a limit, and explains how to read the remaining rooms.', async () => {
    let first = 0;
    service.answer = () => {
      first += 15_000;
      return reply(200, { rooms: Array.from({ length: 15_000 }, (_, index) => ({ roomId: `${first + index}` })) });
    };
    expect(await project.run('inbox', '--all')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        'reading stopped after 105,000 rooms. To read one page at a time, use --page and --page-size',
      ),
    });
  });

  test('The option --all shows each room once, even if pages overlap.', async () => {
    const shifting = [rooms(2), rooms(3).slice(1), []];
    service.answer = ({ query }) => reply(200, { rooms: shifting[Number(query.page)] });
    expect(await all()).toEqual({ rooms: ['room_0', 'room_1', 'room_2'], calls: 3 });
  });
});

test.each([
  [['--all', '--page', '1'], '--all cannot be combined with --page; use one of them'],
  [['--page', '-1'], '--page must be an integer of at least 0, not -1'],
  [['--page-size', '0'], '--page-size must be an integer of at least 1, not 0'],
  [['--page', 'x'], '--page must be an integer of at least 0, not "x"'],
])('The inbox refuses %j.', async (options, message) => {
  const result = await project.run('inbox', ...options);
  expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
  expect(service.calls).toEqual([]);
});

test('An empty inbox says so.', async () => {
  service.answer = () => reply(200, { rooms: [] });
  expect((await project.run('inbox')).stdout).toBe('No rooms in test.\n');
  expect((await project.run('inbox', '--page', '3')).stdout).toBe('No rooms on page 3 in test.\n');
});

test('A malformed room is left out with a warning, and does not hide the others.', async () => {
  service.answer = pages([ada, { name: 'no id' }, caller, { ...caller, roomId: 7 }], { total: 4 });
  const { code, stdout, stderr } = await project.run('inbox', '--all');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'warning: 2 rooms are left out, because the response is not as specified: rooms[1].roomId is missing\n',
  });
  expect(stdout).toContain('2 rooms of 4; none unread');
});

test('A page that is too large names the option for smaller pages.', async () => {
  service.answer = () => reply(200, { rooms: rooms(50_000) });
  const { code, stderr } = await project.run('inbox');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'error: listing the conversations failed: the service returned 200 with a body that is of more than 50,000 values; set --page-size to a smaller number (service-undecodable)\n',
  });
});

test.each([
  [reply(401, { success: false, message: `bad token ${token}` }), 'service-refused'],
  [reply(200, { rooms: [{ name: 'no id' }] }), 'service-undecodable'],
])('A failed read of the inbox reports its code.', async (answer, code) => {
  service.answer = () => answer;
  const result = await project.run('inbox');
  expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`(${code})`) });
  expect(result.stderr).not.toContain(token);
});

test.each([
  ['pagination', 'inbox always asks for pages'],
  ['page', 'use --page'],
  ['pageSize', 'use --page-size'],
  ['unread', 'use --unread'],
])('The option --query cannot set the parameter %s.', async (name, remedy) => {
  const { code, stderr } = await project.run('inbox', '--query', `${name}=7`);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `error: the query parameter ${name} must not come from --query or from the environment test, because inbox sets it; ${remedy} (usage)\n`,
  });
  expect(service.calls).toEqual([]);
});

test('The option --query cannot set a parameter twice.', async () => {
  const { code, stderr } = await project.run('inbox', '--query', 'a=1', '--query', 'a=2');
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: --query sets a twice (usage)\n' });
});

test('An id of a room keeps all its digits in every format.', async () => {
  const room = '{"roomId":"room_1","id":9007199254740993}';
  service.answer = () => reply(200, `{"totalRooms":1,"rooms":[${room}]}`);
  const asJson = await project.run('inbox', '--format', 'json');
  expect(JSON.parse(asJson.stdout).rooms).toMatchObject([{ id: '9007199254740993' }]);
  const asCsv = await project.run('inbox', '--format', 'csv');
  expect(asCsv.stdout).toContain(',9007199254740993,');
});
