import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { blame } from '../../../src/commands/history/blame.ts';
import { type HistoryOptions, history } from '../../../src/commands/history/history.ts';
import { recordPath, recordText } from '../../../src/record/record-text.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { git, gitEnv, gitInTurn, initRepository } from '../../support/git.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

export const credential = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc9x';
export const [hello, rules] = ['settings.welcomeMessage', 'settings.agentInstructions'];
export const at = (day: number, hour = 9) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;

export let place: Workplace;

export function record(
  name: string,
  parts: Partial<ResourceRecord>,
  values: Readonly<Record<string, unknown>>,
): ResourceRecord {
  const fields = Object.fromEntries(Object.entries(values).map(([path, value]) => [path, { value }]));
  const about = { environment: 'test', kind: 'Agent', name, host: 'emulator', query: {}, credentials: {} };
  return { formatVersion: 1, ...about, fields, ...parts };
}

export const write = (one: ResourceRecord) => place.write(recordPath(one), recordText(one));

async function commit(message: string, author = 'Tess'): Promise<void> {
  const saving = ['commit', '--quiet', '-m', message, '--author', `${author} <t@example.com>`];
  await gitInTurn(place.root, ['add', '--all'], saving);
}

export const found = (options: Partial<HistoryOptions> = {}, root = place.root) =>
  history({ ...place.host, env: gitEnv }, { project: root, environment: 'test', names: [], ...options });

export const brief = async (options: Partial<HistoryOptions> = {}) =>
  (await found(options)).entries.map(({ name, event }) => `${name} ${event}`);

async function writeManifests(): Promise<void> {
  place = await workplace({
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
record: { store: file }
environments: { test: { baseUrl: emulator, variables: { clinic: Elm Street } } }
`,
    'prompts/desk.md': '# Desk at ${var.clinic}\n\n- Be kind.\n',
    'agents/desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: desk
labels: { ring: early }
settings: { title: Desk, description: D, agentInstructions: { file: ../prompts/desk.md } }
`,
  });
  await place.write(
    'shared/base.yaml',
    'apiVersion: agentform/v1\nkind: Agent\nsettings: { agentInstructions: { file: ../prompts/base.md } }\n',
  );
  await place.write('prompts/base.md', '# Base\n\nBe kind.\n');
  await place.write(
    'agents/own.yaml',
    `apiVersion: agentform/v1
kind: Agent
name: own
extends: ../shared/base.yaml
settings: { title: Own, description: D, agentInstructions: { patch: ../prompts/own.patch } }
`,
  );
  initRepository(place.root);
  await commit('manifests', 'Anna');
  await place.write('prompts/own.patch', '--- a\n+++ b\n@@ -1,3 +1,4 @@\n # Base\n \n Be kind.\n+Be brief.\n');
  await commit('patch', 'Bela');
}

async function writeRecords(): Promise<void> {
  const from = await git(place.root, 'rev-parse', 'HEAD');
  const first = { event: 'create', appliedAt: at(1), appliedBy: 'mona', commit: from } as const;
  const text = '# Desk at Elm Street\n\n- Be kind.';
  await write(record('desk', first, { [hello]: 'Hello.', [rules]: text }));
  await write(record('own', first, { [rules]: '# Base\n\nBe kind.\nBe brief.' }));
  await write(record('old', first, { [hello]: '=cmd()' }));
  await write(record('gone', first, { [hello]: 'Bye.' }));
  await commit('created');
  const second = { ...first, event: 'apply', appliedAt: at(5), pullRequest: 12, commit: from } as const;
  const overwrote = [{ path: hello, cause: 'drift' as const, value: `Use ${credential}.` }];
  await write(
    record('desk', { ...second, overwrote }, { [hello]: 'Hello.', [rules]: `${text}\n- token ${credential}` }),
  );
  await write(record('new', { ...first, renames: [{ from: 'old', at: at(6), by: 'mona' }] }, { [hello]: '=cmd()' }));
  await rm(join(place.root, recordPath({ environment: 'test', kind: 'Agent', name: 'old' })));
  await rm(join(place.root, recordPath({ environment: 'test', kind: 'Agent', name: 'gone' })));
  await commit('changed', 'Dora');
  await place.write(recordPath({ environment: 'test', kind: 'Agent', name: 'new' }), '{');
  await commit('broken');
  await write(record('new', { ...first, renames: [{ from: 'old', at: at(6), by: 'mona' }] }, { [hello]: '=cmd()' }));
  await commit('repaired');
  const third = { ...second, appliedAt: at(9), pullRequest: 13 };
  await write(record('desk', third, { [hello]: 'Hello!', [rules]: `${text}\n- New.` }));
}

/** Creates a project with a history once, for the suite that calls this function. */
export function usePlace(): void {
  beforeAll(async () => {
    await writeManifests();
    await writeRecords();
  });
  afterAll(() => place.remove());
}

export const blamed = (name: string, path: string) =>
  blame({ ...place.host, env: gitEnv }, { project: place.root, environment: 'test', name, path });
