import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importAgents } from '../../../src/commands/import/import.ts';
import type { ImportOptions } from '../../../src/commands/import/open-import.ts';
import { recordPath, recordText } from '../../../src/record/record-text.ts';
import { sentencesOf } from '../../../src/report/notices.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

let place: Workplace;

beforeAll(async () => {
  const head = 'apiVersion: agentform/v1\nkind:';
  place = await workplace({
    'agentform.yaml': `${head} Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n`,
    'agents/desk.yaml': `${head} Agent\nname: desk\ntarget: { agentId: camp_1 }\nsettings: { title: T, description: D }\n`,
  });
  const key = { environment: 'local', kind: 'Agent', name: 'gone' };
  const about = { id: 'camp_3', host: 'emulator', query: {}, credentials: {}, fields: {} };
  await place.write(recordPath(key), recordText({ formatVersion: 1, ...key, ...about }));
});
afterAll(() => place.remove());

const imported = (id: string, name: string, parts: Partial<ImportOptions> = {}) =>
  importAgents(place.host, {
    project: place.root,
    what: { id, name, description: 'D', query: [] },
    force: false,
    concurrency: 1,
    describe: async () => 'D',
    signal: new AbortController().signal,
    ...parts,
  });

test.each<[string, string, Partial<ImportOptions>, string]>([
  [
    'camp_2',
    'desk',
    {},
    'agents/desk.yaml is already the manifest of Agent/desk; choose another name, declare `target: { agentId: camp_2 }` for local in that file, or overwrite the file with --force',
  ],
  [
    'camp_3',
    'gone',
    {},
    'Agent/gone has a record in local, but no manifest in this checkout; if another branch has the manifest, merge it. To import anyway, remove the record with `agentform record forget Agent/gone -e local`, or replace it with --force',
  ],
  [
    'camp_1',
    'desk',
    { force: true, path: 'agents/other.yaml' },
    'the manifest of the agent is agents/desk.yaml; move the file to agents/other.yaml first, or omit --path',
  ],
])('The import of %s as %s %j is refused with a remedy.', async (id, name, parts, message) => {
  const given = parts.path === undefined ? parts : { ...parts, path: `${place.root}/${parts.path}` };
  await expect(imported(id, name, given)).rejects.toMatchObject({ code: 'import-refused', message });
});

test('The import of an agent whose target refers to an unknown variable names the variable.', async () => {
  const why =
    "the variable 'nothing' has no value: declare it under `variables`, in the manifest or in the environment";
  const what = { id: 'camp_9', name: 'new', description: 'D', query: ['account=${var.nothing}'] };
  await expect(imported('camp_9', 'new', { what })).rejects.toMatchObject({
    code: 'manifests-invalid',
    problems: [{ at: { file: 'agents/new.yaml' }, message: expect.stringContaining(why) }],
  });
  await place.write('list.csv', 'id,name,description,query\ncamp_9,new,D,account=${var.nothing}\n');
  const { entries } = await imported('', '', { what: { list: `${place.root}/list.csv` } });
  expect(sentencesOf(entries[0]?.reasons ?? [])).toEqual([
    expect.stringContaining(`the file would have an error: ${why}`),
  ]);
});
