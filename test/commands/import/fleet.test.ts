import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ImportLedger } from '../../../src/apply/events.ts';
import { apply } from '../../../src/commands/apply/apply.ts';
import { whatToImport } from '../../../src/commands/import/command.ts';
import type { FleetAnswer, FleetOffer } from '../../../src/commands/import/fleet/ask.ts';
import { importAgents } from '../../../src/commands/import/import.ts';
import { plan } from '../../../src/commands/plan/plan.ts';
import { AgentformError } from '../../../src/errors.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { sentencesOf } from '../../../src/report/notices.ts';
import { placedSentence } from '../../../src/report/problems/sentence.ts';
import { ProblemsError } from '../../../src/yaml/problem.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';

const token = 'token-of-all-clients';
let server: IndependentServer;
const places: Workplace[] = [];
beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
afterEach(async () => {
  for (const { id } of server.agents()) server.drop(id);
  await Promise.all(places.splice(0).map((place) => place.remove()));
});

type Settings = Readonly<Record<string, unknown>>;

const prompt = (brand: string, own = '') => `# ${brand}\n\nBe kind.\n${own}\nSay goodbye for ${brand}.\n`;
const shared = { agentLang: 'en-US', links: ['https://a.example/x'], agentVoice: 'warm-1' };

/** Makes one agent for each brand in a separate account, and a table that lists the agents. */
async function clinic(own: readonly Settings[], csv: (table: string) => string = (table) => table): Promise<Workplace> {
  const rows = own.map((settings, index) => {
    const brand = `Brand ${String.fromCharCode(65 + index)}`;
    const all = {
      type: 'chatAgent',
      title: brand,
      description: 'x',
      ...shared,
      agentInstructions: prompt(brand),
      ...settings,
    };
    return `client-${index + 1},${server.seed(token, all, `${index + 17}`).id},${index + 17},${brand}`;
  });
  const environment = `{ baseUrl: "${server.baseUrl}", token: "\${secret.TOKEN}" }`;
  const place = await workplace(
    {
      'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments: { test: ${environment} }\n`,
      'clients.csv': csv(`name,id,account,brand\n${rows.join('\n')}\n`),
    },
    { TOKEN: token },
  );
  places.push(place);
  return place;
}

interface Asked {
  readonly requireAnswer?: () => void;
  readonly offer?: (offered: FleetOffer) => Promise<FleetAnswer>;
  readonly description?: string | undefined;
  readonly query?: readonly string[];
  readonly tokenSecret?: string;
  readonly list?: string;
  readonly fleet?: string;
}

function imported(
  place: Workplace,
  { offer, requireAnswer, description, query = [], tokenSecret, list = 'clients.csv', fleet = 'dental' }: Asked = {
    description: 'Answers for ${var.brand}',
    query: ['targetAccountId=${var.account}'],
  },
): Promise<ImportLedger> {
  return importAgents(place.host, {
    project: place.root,
    what: {
      fleet,
      list: `${place.root}/${list}`,
      query,
      ...(description !== undefined && { description }),
      ...(tokenSecret !== undefined && { tokenSecret }),
      ...(offer && { offer }),
      ...(requireAnswer && { requireAnswer }),
    },
    force: false,
    concurrency: 16,
    describe: async () => '',
    signal: new AbortController().signal,
  });
}

const again = (place: Workplace) => imported(place, {});

async function planned(place: Workplace): Promise<string[]> {
  const { plan: made } = await plan(place.host, { project: place.root, names: [], concurrency: 4 });
  return made.resources.flatMap(({ name, changes }) =>
    changes.map(({ path, knowledge }) => `${name} ${path} ${knowledge}`),
  );
}

const outcomes = ({ entries }: ImportLedger) => entries.map(({ name, outcome }) => `${name} ${outcome}`);

describe('a fleet of existing agents', () => {
  test('A fleet of existing agents has shared settings in its template and the others in overrides.', async () => {
    const place = await clinic([
      {},
      { agentVoice: 'cold-2', agentInstructions: prompt('Brand B', 'Never book on Fridays.\n') },
      {},
      { title: 'North!', timezone: 'UTC' },
    ]);
    const ledger = await imported(place);
    expect({ ...ledger, entries: outcomes(ledger) }).toMatchObject({
      entries: ['client-1 imported', 'client-2 imported', 'client-3 imported', 'client-4 imported'],
      general: [],
    });
    const files = await place.files();
    expect(files['templates/dental.yaml']).toContain(
      '  title: ${var.brand}\n  description: Answers for ${var.brand}\n',
    );
    expect(files['templates/dental.yaml']).toContain(
      'agentId: ${var.id}\n      query:\n        targetAccountId: ${var.account}\n',
    );
    expect(files['prompts/dental.md']).toBe(prompt('${var.brand}'));
    expect(files['clients/client-2.agent-instructions.patch']).toContain('\n+Never book on Fridays.\n');
    expect(files['clients/client-2.yaml']).toMatch(
      /agentVoice: cold-2\n {2}agentInstructions:\n {4}patch: client-2\.agent-ins/,
    );
    expect(files['clients/client-4.yaml']).toMatch(/settings:\n {2}title: North!\n {2}timezone: UTC\n/);
    expect(Object.keys(files).filter((file) => /clients\/client-[13]/.test(file))).toEqual([]);
    expect(await planned(place)).toEqual([1, 2, 3, 4].map((number) => `client-${number} settings.description blind`));
  });

  test('A fleet of existing agents shares the lines that most texts contain if every text has edits.', async () => {
    const own = ['One', 'Two', 'Three'].map((word, index) => ({
      agentInstructions: prompt(`Brand ${'ABC'[index]}`, `${word} is mine.\n`),
    }));
    const place = await clinic(own);
    await imported(place);
    const files = await place.files();
    expect(files['prompts/dental.md']).toBe(prompt('${var.brand}'));
    expect(files['clients/client-3.agent-instructions.patch']).toContain('\n+Three is mine.\n');
  });

  test('A fleet of existing agents leaves out of the template what overrides cannot undo, and names the agent.', async () => {
    const calendar = { slug: 'calendar', instructions: 'Offer two times.' };
    const billing = { slug: 'billing', instructions: 'Bill them.' };
    const place = await clinic([
      { skills: [calendar, billing], timezone: 'UTC' },
      { skills: [calendar], timezone: 'UTC' },
      { skills: [calendar, billing] },
    ]);
    const { entries } = await imported(place);
    const template = (await place.files())['templates/dental.yaml'];
    expect(template).toContain('calendar');
    expect(template).not.toMatch(/billing|timezone/);
    expect(entries.map(({ notes = [] }) => sentencesOf(notes).map((note) => note.split(':')[0]))).toEqual([
      [],
      ['skills[billing]'],
      ['settings.timezone'],
    ]);
    expect((await planned(place)).filter((line) => !line.includes('description'))).toEqual([]);
  });

  test('A fleet of existing agents is written to fleets/ if the project reads manifests there.', async () => {
    const place = await clinic([{}, {}]);
    await place.write(
      'agentform.yaml',
      ((await place.files())['agentform.yaml'] ?? '').replace('agents/*.yaml', '"{agents,fleets}/*.yaml"'),
    );
    expect(outcomes(await imported(place))).toEqual(['client-1 imported', 'client-2 imported']);
    const written = Object.keys(await place.files());
    expect(written).toContain('fleets/dental.yaml');
    expect(written).not.toContain('agents/dental.yaml');
  });

  test('A fleet of existing agents keeps settings with invalid values under extraSettings.', async () => {
    const place = await clinic([
      { agentLang: 'tlh' },
      { agentLang: 'tlh', timezone: 'Mars/Base' },
      { agentLang: 'tlh' },
    ]);
    const { entries } = await imported(place);
    expect(entries.map(({ notes }) => notes)).toMatchObject([
      [{ code: 'import-differs', facts: { why: 'invalid', paths: ['settings.agentLang'] } }],
      [{ facts: { why: 'invalid', paths: ['settings.timezone', 'settings.agentLang'] } }],
      [{ facts: { why: 'invalid', paths: ['settings.agentLang'] } }],
    ]);
    const files = await place.files();
    expect(files['templates/dental.yaml']).toContain('\nextraSettings:\n  agentLang: tlh\n');
    expect(files['clients/client-2.yaml']).toContain('\nextraSettings:\n  timezone: Mars/Base\n');
    expect(await planned(place)).toEqual([1, 2, 3].map((number) => `client-${number} settings.description blind`));
  });

  test('A fleet of existing agents escapes texts that look like references.', async () => {
    const place = await clinic([
      { welcomeMessage: 'Say ${var.brand} and $${x}' },
      { welcomeMessage: 'Say ${var.brand} and $${x}' },
    ]);
    await imported(place);
    expect((await place.files())['templates/dental.yaml']).toContain('welcomeMessage: Say $${var.brand} and $$${x}');
    expect(await planned(place)).toEqual([
      'client-1 settings.description blind',
      'client-2 settings.description blind',
    ]);
  });
});

describe('a repeated import', () => {
  test('A repeated import changes nothing and reads nothing.', async () => {
    const place = await clinic([{}, {}]);
    await imported(place);
    server.takeLog();
    const files = await place.files();
    expect(outcomes(await again(place))).toEqual(['client-1 present', 'client-2 present']);
    expect(outcomes(await imported(place))).toEqual(['client-1 present', 'client-2 present']);
    expect(await place.files()).toEqual(files);
    expect(server.takeLog()).toEqual([]);
  });

  test('A repeated import with the options of the template adds new rows.', async () => {
    const place = await clinic([{}, {}]);
    const token = { tokenSecret: 'TOKEN' };
    const options = { description: 'D of ${var.brand}', query: ['targetAccountId=${var.account}'], ...token };
    await imported(place, options);
    const { id } = server.seed('token-of-all-clients', { type: 'chatAgent', title: 'New', description: 'x' }, '99');
    await place.write('clients.csv', `${(await place.files())['clients.csv']}client-3,${id},99,New\n`);
    expect(outcomes(await imported(place, options))).toEqual([
      'client-1 present',
      'client-2 present',
      'client-3 imported',
    ]);
    await expect(imported(place, { ...options, tokenSecret: 'OTHER' })).rejects.toThrow(
      'run the command without --token-secret',
    );
  });

  test('A repeated import saves the records that a kill left missing.', async () => {
    const place = await clinic([{}, { agentVoice: 'cold-2' }]);
    await imported(place);
    const files = await place.files();
    await rm(`${place.root}/.agentform/records/test/Agent/client-2.json`);
    expect(outcomes(await again(place))).toEqual(['client-1 present', 'client-2 imported']);
    expect(Object.keys(await place.files()).sort()).toEqual(Object.keys(files).sort());
    expect(await planned(place)).toEqual([
      'client-1 settings.description blind',
      'client-2 settings.description blind',
    ]);
  });

  test('A repeated import continues with the files that a kill left.', async () => {
    const place = await clinic([{}, { agentVoice: 'cold-2' }, {}]);
    await imported(place);
    const files = await place.files();
    for (const file of ['agents/dental.yaml', 'templates/dental.yaml', '.agentform/records/test'])
      await rm(`${place.root}/${file}`, { recursive: true });
    expect(outcomes(await imported(place))).toEqual(['client-1 imported', 'client-2 imported', 'client-3 imported']);
    expect((await place.files())['clients/client-2.yaml']).toBe(files['clients/client-2.yaml']);
  });

  test.each([
    ['overrides', []],
    ['patches', ['clients/client-2.yaml']],
  ])('A repeated import continues if a kill left only %s.', async (_, more) => {
    const place = await clinic([{}, { agentInstructions: prompt('Brand B', 'Never book on Fridays.\n') }, {}]);
    await imported(place);
    const files = await place.files();
    const written = ['agents/dental.yaml', 'templates/dental.yaml', 'prompts/dental.md', '.agentform/records/test'];
    for (const file of [...written, ...more]) await rm(`${place.root}/${file}`, { recursive: true });
    expect(outcomes(await imported(place))).toEqual(['client-1 imported', 'client-2 imported', 'client-3 imported']);
    expect(Object.keys(await place.files())).toEqual(Object.keys(files));
    expect((await place.files())['clients/client-2.yaml']).toBe(files['clients/client-2.yaml']);
    expect(await planned(place)).toEqual([1, 2, 3].map((number) => `client-${number} settings.description blind`));
  });

  test('A repeated import adds new rows, and compares them with the edited template.', async () => {
    const place = await clinic([{}, {}]);
    await imported(place);
    const { id } = server.seed(token, { type: 'chatAgent', title: 'New', description: 'x', ...shared }, '99');
    const { 'clients.csv': table = '', 'templates/dental.yaml': template = '' } = await place.files();
    await place.write('clients.csv', `${table}client-3,${id},99,New\n`);
    await place.write('templates/dental.yaml', `# Mine\n${template}`);
    expect(outcomes(await again(place))).toEqual(['client-1 present', 'client-2 present', 'client-3 imported']);
    expect((await place.files())['templates/dental.yaml']).toContain('# Mine');
    expect(await planned(place)).toHaveLength(3);
    const given = imported(place, { description: 'Other', query: ['targetAccountId=${var.account}'] });
    await expect(given).rejects.toThrow('its template is not written again; run the command without --description');
  });
});

describe('a client without an agent', () => {
  const withoutId = (table: string) => `${table}client-9,,99,New\n`;

  test('A client without an agent has an empty id, and the import leaves it to apply.', async () => {
    const place = await clinic([{}, {}], withoutId);
    expect(outcomes(await imported(place))).toEqual(['client-1 imported', 'client-2 imported']);
    expect((await place.files())['templates/dental.yaml']).toContain('variables:\n  id: ""\n');
    const { plan: made } = await plan(place.host, { project: place.root, names: [], concurrency: 4 });
    expect(made.resources.map(({ name, action, mayReplace }) => ({ name, action, mayReplace }))).toMatchObject([
      { name: 'client-1', action: 'update' },
      { name: 'client-2', action: 'update' },
      { name: 'client-9', action: 'create', mayReplace: true },
    ]);
  });

  test('A client without an agent can be added to the table of an imported fleet.', async () => {
    const place = await clinic([{}, {}]);
    await imported(place);
    const { 'clients.csv': table = '' } = await place.files();
    await place.write('clients.csv', withoutId(table));
    expect(outcomes(await again(place))).toEqual(['client-1 present', 'client-2 present']);
    const options = {
      project: place.root,
      names: ['client-9'],
      concurrency: 4,
      confirm: async () => true,
    };
    const signal = new AbortController().signal;
    expect(
      (await apply(place.host, { ...options, signal, decisions: decisionsOf({ new: ['all'] }) })).ledger.entries,
    ).toMatchObject([{ name: 'client-9', action: 'create', outcome: 'applied' }]);
    expect(await planned(place)).not.toContainEqual(expect.stringContaining('client-9'));
  });
});

describe('an import of many agents', () => {
  test('An import of many agents asks for confirmation before it reads any agent.', async () => {
    const place = await clinic([{}, {}]);
    server.takeLog();
    const requireAnswer = () => {
      throw new AgentformError('declined', 'no terminal');
    };
    const asked = { description: 'D', query: ['targetAccountId=${var.account}'], requireAnswer };
    await expect(imported(place, asked)).rejects.toThrow('no terminal');
    expect(server.takeLog()).toEqual([]);
  });
});

describe('a refused import', () => {
  const cases: readonly (readonly [string, (table: string) => string, string])[] = [
    [
      'without the column of ids',
      (table) => table.replace(',id,', ',agent,'),
      'clients.csv:1:1 the column id is missing',
    ],
    [
      'with a name twice',
      (table) => table.replace('client-2', 'client-1'),
      "clients.csv:3:1 two rows have the name 'client-1'",
    ],
    [
      'with an agent twice',
      (table) => table.replace(/(agent-\d+)(,17[\s\S]*)agent-\d+(?=,18)/, '$1$2$1'),
      'clients.csv:3:10 two rows have the agent',
    ],
    [
      'with an agent that cannot be read',
      (table) => table.replace(/agent-\d+(?=,18)/, 'nobody'),
      'clients.csv:3:10 reading the agent failed',
    ],
    [
      'with white space in an id',
      (table) => table.replace(/agent-(\d+)(?=,18)/, 'agent $1'),
      "clients.csv:3:10 target.agentId is 'agent ",
    ],
    [
      'without a column that the options name',
      (table) => table.replace(',account,', ',number,'),
      'clients.csv:1:1 the options of this import refer to missing columns: account',
    ],
  ];
  test.each(cases)('An import %s is refused and writes no file.', async (_, csv, problem) => {
    const place = await clinic([{}, {}, {}], csv);
    const error = await imported(place).catch((thrown: unknown) => thrown);
    if (!(error instanceof ProblemsError)) throw error;
    const told = error.problems.map(placedSentence);
    expect(told).toEqual([expect.stringContaining(problem)]);
    // A second place would be in the planned template, which is not written.
    expect(error.problems.filter(({ also }) => also?.at.file.startsWith('templates/'))).toEqual([]);
    expect(Object.keys(await place.files()).sort()).toEqual(['agentform.yaml', 'clients.csv']);
  });

  test('An import is allowed even if two other agents share a target.', async () => {
    const place = await clinic([{}, {}]);
    for (const name of ['x', 'y'])
      await place.write(
        `agents/${name}.yaml`,
        `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\nsettings: { title: T, description: D }\n`,
      );
    expect(outcomes(await imported(place))).toEqual(['client-1 imported', 'client-2 imported']);
    const { id } = server.seed('own-token', { type: 'chatAgent', title: 'Z', description: 'x' }, '50');
    const ledger = await importAgents(
      { ...place.host, env: { ...place.host.env, OWN: 'own-token' } },
      {
        project: place.root,
        what: { id, name: 'z', description: 'D', query: ['targetAccountId=50'], tokenSecret: 'OWN' },
        ...{ force: false, concurrency: 1, describe: async () => 'D', signal: new AbortController().signal },
      },
    );
    expect(outcomes(ledger)).toEqual(['z imported']);
    expect(sentencesOf(ledger.general)).toEqual([expect.stringContaining('Agent/x')]);
  });

  test('An import is refused if an agent already has a manifest, or all agents share one target.', async () => {
    const place = await clinic([{}, {}]);
    await expect(imported(place, { description: 'D' })).rejects.toThrow("--query 'targetAccountId=${var.account}'");
    await expect(imported(place, {})).rejects.toThrow("--description 'Answers the phone of ${var.name}'");
    await place.write(
      'agents/own.yaml',
      'apiVersion: agentform/v1\nkind: Agent\nname: client-2\nsettings: { title: T, description: D }\n',
    );
    const error = await imported(place).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      problems: [
        { message: expect.stringContaining('agents/own.yaml already declares Agent/client-2; to move the agent') },
      ],
    });
  });
});

describe('the options of an import', () => {
  test('An import of a fleet needs a table inside the project, and the name of a secret.', async () => {
    expect(() => whatToImport({ fleet: 'dental', query: [] })).toThrow(
      'give the fleet table with --from, such as --from clients.csv',
    );
    const place = await clinic([{}]);
    await expect(imported(place, { list: '../clients.csv' })).rejects.toThrow(
      "the table '../clients.csv' is outside the project folder; copy the table into the project, because the fleet refers to it",
    );
    await expect(imported(place, { tokenSecret: 'a-b' })).rejects.toThrow(
      'token-secret must name a process variable, such as AGENT_TOKEN, or an entry of a JSON secret, such as TOKENS[var.name]',
    );
  });

  test('An import of a fleet needs patterns in `manifests` that match its file, but not its template.', async () => {
    const place = await clinic([{}, {}]);
    const project = await place.read('agentform.yaml');
    const match = (patterns: string) => place.write('agentform.yaml', project.replace('agents/*.yaml', patterns));
    await match('desk.yaml');
    await expect(imported(place)).rejects.toMatchObject({
      code: 'import-refused',
      message:
        'a fleet at fleets/dental.yaml would not be found, because `manifests` in agentform.yaml is desk.yaml; add the pattern fleets/*.yaml',
    });
    await match('"**/*.yaml"');
    const refused = await imported(place).catch((error: AgentformError) => error.message);
    expect(refused).toBe(
      'templates/ and clients/ must not contain manifests, but `manifests` in agentform.yaml is **/*.yaml; leave them out with the patterns "!templates/**" and "!clients/**"',
    );
    await match('"**/*.yaml", "!templates/**", "!clients/**"');
    expect(outcomes(await imported(place))).toEqual(['client-1 imported', 'client-2 imported']);
  });

  test('A row that the fleet cannot import names the reason.', async () => {
    const place = await clinic([{}, {}, {}]);
    const table = await place.read('clients.csv');
    await place.write('clients.csv', table.replace(/client-3.*\n/, ''));
    await imported(place);
    const problems = async () => {
      const error = await again(place).catch((thrown: unknown) => thrown);
      if (!(error instanceof ProblemsError)) throw error;
      return error.problems.map(placedSentence);
    };
    await place.write('other.csv', table);
    await expect(imported(place, { list: 'other.csv' })).rejects.toThrow(
      "the fleet in agents/dental.yaml has no members from the table other.csv in test; give the fleet's table for that environment with --from",
    );
    await place.write('clients.csv', table.replace('client-2', 'client-9'));
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^clients\.csv:3:10 agent-\d+ is already managed as Agent\/client-2, which has a record; to import it again, use that name$/,
      ),
    ]);
    await place.write('clients.csv', table);
    const template = await place.read('templates/dental.yaml');
    await place.write('templates/dental.yaml', template.replace(/ +agentId: .*\n/, ''));
    const message = 'has no agent id: the template needs target.agentId in test, such as ${var.id}';
    expect(await problems()).toEqual([1, 2, 3].map((row) => `clients.csv:${row + 1}:1 client-${row} ${message}`));
  });
});

describe('a row of a new fleet', () => {
  const problemsOf = async (importing: Promise<unknown>) => {
    const error = await importing.catch((thrown: unknown) => thrown);
    if (!(error instanceof ProblemsError)) throw error;
    return error.problems.map(placedSentence);
  };

  test('A problem in a row says the reason, even if the agent id looks like a credential.', async () => {
    const id = '507f1f77bcf86cd799439011';
    const place = await clinic([{}, {}], (table) => table.replace(/agent-\d+/, id));
    expect(await problemsOf(imported(place))).toEqual([
      expect.stringMatching(/^clients\.csv:2:10 reading the agent failed/),
    ]);
    await place.write('clients.csv', `name,id,account,brand\none,${id},1,A\ntwo,${id},2,B\n`);
    expect(await problemsOf(imported(place))).toEqual([`clients.csv:3:5 two rows have the agent id '${id}'`]);
  });

  test('A message does not repeat a credential that was pasted into the table.', async () => {
    const place = await clinic([{}], (table) => table.replace('client-1', 'Hunter2b3C4d5E6f7G8h9'));
    expect(await problemsOf(imported(place))).toEqual([expect.stringContaining('this may be a key or token')]);
  });

  test('An error about a client of another fleet names the table that declares the client.', async () => {
    const place = await clinic([{}]);
    await imported(place);
    await place.write('other.csv', await place.read('clients.csv'));
    const what = { list: 'other.csv', fleet: 'other', description: 'D', query: ['targetAccountId=${var.account}'] };
    expect(await problemsOf(imported(place, what))).toEqual([
      'other.csv:2:1 clients.csv already declares Agent/client-1; to move the agent into the fleet, delete that row and keep its record',
    ]);
  });
});

describe('an import that fails to write', () => {
  test('An import leaves no override behind if the path of its template is taken.', async () => {
    const place = await clinic([{}, { agentVoice: 'cold-2' }, {}]);
    await place.write('templates/dental.yaml', '# another template');
    await expect(imported(place)).rejects.toThrow(
      'templates/dental.yaml already exists with different contents; move it away, or overwrite it with --force',
    );
    expect(Object.keys(await place.files())).toEqual(['agentform.yaml', 'clients.csv', 'templates/dental.yaml']);
  });

  test('An import names an agent whose record cannot be saved.', async () => {
    const place = await clinic([{}, {}, {}]);
    const offer = async (): Promise<FleetAnswer> => {
      await place.write('.agentform/records/test/Agent/client-2.json/in-the-way', '');
      return 'write';
    };
    const ledger = await imported(place, { description: 'D', query: ['targetAccountId=${var.account}'], offer });
    expect(outcomes(ledger)).toEqual(['client-1 imported', 'client-2 failed', 'client-3 imported']);
    expect(sentencesOf(ledger.entries[1]?.reasons ?? [])).toEqual([
      'the record .agentform/records/test/Agent/client-2.json cannot be read: it is a folder',
    ]);
  });
});

describe('the proposed files of an import', () => {
  const asked = (offer: Asked['offer']): Asked => ({
    description: 'D',
    query: ['targetAccountId=${var.account}'],
    ...(offer && { offer }),
  });

  test('The proposed files can be edited, and the overrides then match the edit.', async () => {
    const place = await clinic([{}, {}]);
    const offers: FleetOffer[] = [];
    const offer = async (offered: FleetOffer): Promise<FleetAnswer> => {
      offers.push(offered);
      if (offers.length > 1) return 'write';
      return new Map(
        [...offered.files].map(([path, text]) => [path, text.replace('agentVoice: warm-1', 'agentVoice: cold-2')]),
      );
    };
    await imported(place, asked(offer));
    expect(offers.map(({ agents, overridden }) => [agents, overridden])).toEqual([
      [2, 0],
      [2, 2],
    ]);
    expect((await place.files())['clients/client-1.yaml']).toContain('agentVoice: warm-1');
  });

  test('Edited files with problems are proposed again with these problems until the person gives up.', async () => {
    const place = await clinic([{}, {}]);
    const offer = async ({ files, problems }: FleetOffer): Promise<FleetAnswer> => {
      if (problems.length > 0) throw new Error(problems.map(placedSentence).join());
      return new Map([...files].map(([path, text]) => [path, text.replace('agentVoice', 'agentVoce')]));
    };
    await expect(imported(place, asked(offer))).rejects.toThrow(/^templates\/dental\.yaml:\d+:\d+ unknown key/);
    expect(Object.keys(await place.files())).toEqual(['agentform.yaml', 'clients.csv']);
  });
});
