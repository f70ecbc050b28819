import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pathOnBranch, recordText } from '../../src/record/record-text.ts';
import { initRepository } from '../support/git.ts';
import { writeCommit, writeObject, writeTrees } from '../support/git-objects.ts';
import { type LspClient, positionOf } from '../support/lsp-client.ts';
import { agentRecord } from '../support/observations.ts';
import { processorMs } from '../support/processor.ts';
import type { Folder } from '../workspace/project.ts';
import { listSample, openSample, type SamplePath, sample } from './project.ts';

let folder: Folder;
let client: LspClient;

beforeAll(async () => {
  ({ folder, client } = await openSample());
});
afterAll(async () => {
  await client.request('shutdown', null);
  await folder.remove();
});

const at = (path: SamplePath, mark: string) => [path, positionOf(sample[path], mark, 1)] as const;

test('The project of these tests has no problems.', () => {
  expect([...client.published.values()].flat()).toEqual([]);
});

describe('definitions', () => {
  test.each<readonly [string, SamplePath, string, readonly string[]]>([
    ['a base', 'agents/a.yaml', '../shared/base.yaml', ['shared/base.yaml:1:1']],
    ['a prompt', 'shared/base.yaml', '../prompts/a.md', ['prompts/a.md:1:1']],
    ['a template', 'agents/fleet.yaml', '../templates/agent.yaml', ['templates/agent.yaml:1:1']],
    ['a table', 'agents/fleet.yaml', '../clients.csv', ['clients.csv:1:1']],
    ['an agent', 'agents/line.yaml', 'a\nsettings', ['agents/a.yaml:3:7']],
    ['an agent of a Test', 'agents/calls.yaml', 'a]', ['agents/a.yaml:3:7']],
    ['a column', 'templates/agent.yaml', 'brand', ['clients.csv:1:6']],
    ['the own variable of a manifest', 'agents/a.yaml', 'account]}', ['agents/a.yaml:7:23']],
    ['a variable in a manifest', 'agents/a.yaml', 'clinic}', ['agentform.yaml:5:54', 'agentform.yaml:9:15']],
    ['a variable in a prompt', 'prompts/a.md', 'clinic}', ['agentform.yaml:5:54', 'agentform.yaml:9:15']],
  ])('The definition of %s is found.', async (_, path, mark, wanted) => {
    const position = positionOf(sample[path], mark, mark.startsWith('a') && mark.length < 12 ? 0 : 1);
    expect(await client.definition(path, position)).toEqual(wanted);
  });
});

describe('references', () => {
  test('The references at the start of a prompt are all its uses.', async () => {
    expect((await client.references('prompts/a.md', { line: 0, character: 0 })).sort()).toEqual([
      'agents/a.yaml:4:10',
      'agents/b.yaml:4:10',
      'shared/base.yaml:5:30',
    ]);
  });

  test('The references at the start of a base list the members of a fleet as one place.', async () => {
    expect((await client.references('shared/root.yaml', { line: 0, character: 0 })).sort()).toEqual([
      'agents/a.yaml:4:10',
      'agents/b.yaml:4:10',
      'agents/fleet.yaml:4:13',
      'shared/base.yaml:3:10',
      'templates/agent.yaml:3:10',
    ]);
  });

  test('The references of an agent are the manifests and Tests that name it.', async () => {
    const position = positionOf(sample['agents/a.yaml'], 'name: a', 6);
    expect((await client.references('agents/a.yaml', position)).sort()).toEqual([
      'agents/calls.yaml:4:10',
      'agents/line.yaml:4:8',
    ]);
  });

  test('The references of a variable are all its uses.', async () => {
    const position = positionOf(sample['agentform.yaml'], 'clinic: Elm', 1);
    expect((await client.references('agentform.yaml', position)).sort()).toEqual([
      'agents/a.yaml:9:30',
      'prompts/a.md:1:18',
    ]);
  });
});

test('Many references in a long prompt are found quickly.', async () => {
  const prompt = 'Answer for ${var.clinic}, politely, briefly, and never in a hurry.\n'.repeat(25_000);
  const long = await openSample({ ...sample, 'prompts/a.md': prompt });
  const position = positionOf(prompt, 'clinic', 1);
  await long.client.hover('prompts/a.md', position);
  const started = processorMs();
  expect((await long.client.references('prompts/a.md', position)).length).toBeGreaterThan(25_000);
  expect(processorMs() - started).toBeLessThan(1_000);
  await long.client.request('shutdown', null);
  await long.folder.remove();
});

test('Every path in a manifest is a link.', async () => {
  const links = await client.request<ReadonlyArray<{ readonly target: string }>>('textDocument/documentLink', {
    textDocument: { uri: client.uri('agents/fleet.yaml') },
  });
  expect(links.map(({ target }) => client.pathOf(target)).sort()).toEqual(['clients.csv', 'templates/agent.yaml']);
});

describe('hovers', () => {
  const textAt = async (path: SamplePath, mark: string) => {
    const found = await client.hover(...at(path, mark));
    return found === null ? null : JSON.parse(JSON.stringify(found.contents)).value;
  };

  test('The hover over a setting has its description, unit, default, and its value in each environment with the place.', async () => {
    const text = await textAt('agents/a.yaml', 'waitOnAnswer');
    expect(text).toContain('millisecond');
    expect(text).toContain('default');
    expect(text).toContain('- staging: `100` from agents/a.yaml:11; never applied');
    expect(text).toContain('- production: `100` from agents/a.yaml:11');
  });

  test('The hover over a write-only setting says that it cannot be read back, and whether it has a default.', async () => {
    const text = await textAt('agents/a.yaml', 'description: A');
    expect(text).toContain('cannot be read back');
    expect(text).toContain('string; required; cannot be read back');
  });

  test.each([
    [
      'waitOnAnswer: 100',
      'preAnswerRingTime: 5',
      'integer or null (from 1 to 60); in seconds; default null; cannot be read back',
    ],
    [
      'waitOnAnswer: 100',
      'autoRecordingNotification: always',
      'string (true, false or always); default \\"true\\"; cannot',
    ],
    ['waitOnAnswer: 100', 'agentModel: x', 'string; no default; can be read back'],
  ])('The hover over a setting has its limits: %s.', async (line, setting, facts) => {
    const text = sample['agents/a.yaml'].replace(line, setting);
    const other = await openSample({ ...sample, 'agents/a.yaml': text });
    const found = await other.client.hover('agents/a.yaml', positionOf(text, setting, 1));
    await other.client.request('shutdown', null);
    await other.folder.remove();
    expect(JSON.stringify(found?.contents)).toContain(facts);
  });

  test('The hover over a duration has no unit and no list of values.', async () => {
    const text = sample['agents/a.yaml'].replace('waitOnAnswer: 100', 'heartbeatEvery: 30m');
    const other = await openSample({ ...sample, 'agents/a.yaml': text });
    const found = await other.client.hover('agents/a.yaml', positionOf(text, 'heartbeatEvery', 1));
    await other.client.request('shutdown', null);
    await other.folder.remove();
    expect(JSON.stringify(found?.contents)).toContain('string; no default; can be read back\\n\\n- staging: `30m`');
  });

  test('The hover over a value resolves its variable.', async () => {
    expect(await textAt('agents/a.yaml', 'title')).toContain('- production: `Front desk of Elm Street`');
  });

  test('The hover over a variable has its value in each environment, with file and line.', async () => {
    const text = await textAt('prompts/a.md', 'clinic');
    expect(text).toContain('- staging: `Test clinic` (agentform.yaml:5)');
    expect(text).toContain('- production: `Elm Street` (agentform.yaml:9)');
  });

  test('The hover over a column has its first two rows.', async () => {
    const text = await textAt('templates/agent.yaml', 'brand');
    expect(text).toContain('- elm: `Elm`\n- oak: `Oak`\n- … 1 more row');
  });

  test('The hover over a secret has the name of its process variable.', async () => {
    expect(await textAt('agents/a.yaml', 'TOKENS')).toContain('process variable `TOKENS`');
  });

  test('The hover over a path has the first lines, and the agents that use it through bases.', async () => {
    const text = await textAt('shared/base.yaml', '../prompts');
    expect(text).toContain('Be brief.');
    expect(text).toContain('2 agents');
    expect(text).toContain('Agent/b');
  });

  test('The hover over the name of an agent has its title, labels and state.', async () => {
    const text = await textAt('agents/line.yaml', ' a\nsettings');
    expect(text).toContain('Agent/a');
    expect(text).toContain('`Front desk of Elm Street`, team=north, never applied');
  });

  test('The hover over a lint rule says what it finds.', async () => {
    expect(await textAt('agentform.yaml', 'blank-title')).toContain('`title` of an agent is blank');
  });

  test('The hover over a key of the envelope has its description.', async () => {
    expect(await textAt('agents/a.yaml', 'extends')).toContain('`extends`');
  });
});

describe('a project with a list of members', () => {
  let list: Awaited<ReturnType<typeof openSample>>;
  beforeAll(async () => {
    list = await openSample(listSample);
  });
  afterAll(async () => {
    await list.client.request('shutdown', null);
    await list.folder.remove();
  });

  const placed = (path: keyof typeof listSample, mark: string, by = 1) =>
    [path, positionOf(listSample[path], mark, by)] as const;
  const hoverText = async (path: keyof typeof listSample, mark: string) =>
    JSON.parse(JSON.stringify((await list.client.hover(...placed(path, mark)))?.contents ?? null))?.value ?? null;

  test('The project with a list of members has no problems.', () => {
    expect([...list.client.published.values()].flat()).toEqual([]);
  });

  test.each<readonly [string, keyof typeof listSample, string, readonly string[]]>([
    ['an environment in onlyIn', 'agents/a.yaml', 'production', ['agentform.yaml:7:3']],
    ['a required environment', 'agentform.yaml', 'staging } }', ['agentform.yaml:6:3']],
    ['the default environment', 'agentform.yaml', 'staging\n', ['agentform.yaml:6:3']],
    ['a column of a list', 'templates/agent.yaml', 'brand', ['agents/list.yaml:7:18']],
    ['a member of a list', 'agents/line.yaml', 'oak', ['agents/list.yaml:8:13']],
    ['a variable in agentform.yaml', 'agentform.yaml', 'clinic: Test', ['agentform.yaml:6:46']],
    ['the pattern of overrides', 'agents/list.yaml', '../overrides', ['overrides/oak.yaml:1:1']],
    ['a former name', 'agents/a.yaml', 'z\n', []],
  ])('The definition of %s is found.', async (_, path, mark, wanted) => {
    expect(await list.client.definition(...placed(path, mark))).toEqual(wanted);
  });

  test.each<readonly [string, keyof typeof listSample, string, readonly string[]]>([
    ['an environment', 'agents/a.yaml', 'production', ['agents/a.yaml:7:10', 'agents/a.yaml:9:17']],
    ['a member', 'agents/list.yaml', 'oak, brand', ['agents/line.yaml:4:8']],
    ['a column', 'agents/list.yaml', 'brand: Oak', ['templates/agent.yaml:3:27', 'templates/agent.yaml:4:53']],
  ])('The references of %s omit its definition.', async (_, path, mark, wanted) => {
    expect((await list.client.references(...placed(path, mark))).sort()).toEqual(wanted);
  });

  test('The references at the start of an override file include the pattern that matches the file.', async () => {
    const found = await list.client.references('overrides/oak.yaml', { line: 0, character: 0 });
    expect(found).toEqual(['agents/list.yaml:5:12']);
  });

  test('The definition of an agent is found even while its manifest has errors.', async () => {
    const path = 'agents/broken.yaml';
    list.client.open(
      path,
      listSample['agents/a.yaml'].replace('name: a', 'name: broken').replace('target:', 'tarjet:'),
    );
    list.client.open('agents/line.yaml', listSample['agents/line.yaml'].replace('oak', 'broken'));
    const found = await list.client.definition('agents/line.yaml', { line: 3, character: 8 });
    list.client.close(path);
    list.client.close('agents/line.yaml');
    expect(found).toEqual(['agents/broken.yaml:3:7']);
  });

  test('The hover over an environment shows its service.', async () => {
    expect(await hoverText('agents/a.yaml', 'production')).toBe('Environment `production`: `emulator`');
  });

  test('The hover over a setting of a skill shows the value for this skill.', async () => {
    const text = await hoverText('agents/a.yaml', 'instructions');
    expect(text).toContain('production: `Ask for a day.` from agents/a.yaml:13');
  });
});

test('The hover over an agent shows its last apply, as of the last fetch of the record branch.', async () => {
  const file = sample['agentform.yaml'].replace('lint:', 'record: { store: git }\nlint:');
  const other = await openSample({ ...sample, 'agentform.yaml': file });
  const { root } = other.folder;
  const state = async () => {
    const found = await other.client.hover('agents/line.yaml', positionOf(sample['agents/line.yaml'], 'a\nsettings'));
    return [...JSON.stringify(found?.contents).matchAll(/team=north, ([^\\"]*)/g)].map(([, text]) => text);
  };
  const unread = 'last apply unknown, because the record was not read';
  expect(await state()).toEqual([unread, unread]);
  initRepository(root);
  expect(await state()).toEqual([unread, unread]);

  const keyIn = (environment: string) => ({ environment, kind: 'Agent', name: 'a' });
  const record = {
    ...agentRecord({}, keyIn('staging')),
    ...{ appliedAt: '2026-11-05T11:05:09.000Z', commit: 'a'.repeat(40) },
    holds: { freeze: { since: '2026-11-06T00:00:00.000Z', by: 'Tess', reason: 'callers complain' } },
  };
  /** Writes the record branch as `git fetch` does. */
  const fetched = (texts: Readonly<Record<string, string>>) => {
    const own = join(root, '.git');
    const blobs = Object.entries(texts).map(([environment, text]) => {
      const id = writeObject(own, 'blob', Buffer.from(text));
      return [pathOnBranch(keyIn(environment)), { mode: '100644', id }] as const;
    });
    const commit = writeCommit(own, { tree: writeTrees(own, new Map(blobs)), parents: [] }, 'records');
    mkdirSync(join(own, 'refs/remotes/origin'), { recursive: true });
    writeFileSync(join(own, 'refs/remotes/origin/agentform-records'), `${commit}\n`);
  };
  fetched({ staging: recordText(record) });
  expect(await state()).toEqual(['last applied 2026-11-05 11:05 UTC from aaaaaaa, on hold', 'never applied']);
  fetched({ staging: '<<<<<<< ours', production: recordText({ ...record, environment: 'production' }) });
  expect(await state()).toEqual([unread, 'last applied 2026-11-05 11:05 UTC from aaaaaaa, on hold']);
  await other.client.request('shutdown', null);
  await other.folder.remove();
});
