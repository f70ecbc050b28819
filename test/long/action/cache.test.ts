import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { agentToken, asApplied, frontDesk, scenario, useScenario } from '../../e2e/action/scenario.ts';
import { runAction } from '../../support/action.ts';

useScenario(() => asApplied(scenario, frontDesk));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-kept-'));
});
afterEach(() => rm(folder, { recursive: true }));

const env = () => ({ AGENT_TOKEN: agentToken, AGENTFORM_CACHE: folder, HOME: folder, XDG_CACHE_HOME: folder });
const secrets = { secrets: 'AGENT_TOKEN', environment: 'production' };

interface Started {
  readonly event: string;
  readonly ref?: string;
  readonly defaultBranch?: string | undefined;
  readonly command?: string;
}

async function run({ event, ref = 'refs/heads/main', defaultBranch = 'main', command = 'plan' }: Started) {
  return runAction({
    workspace: await scenario.repository.checkout(scenario.base),
    apiUrl: scenario.github.url,
    inputs: { ...secrets, command },
    env: { GITHUB_REF: ref, ...env() },
    event: { name: event, payload: { ref, repository: { default_branch: defaultBranch } }, sha: scenario.base },
  });
}

test('Damaged verdicts change no plan.', async () => {
  const first = await run({ event: 'workflow_dispatch' });
  const [name = ''] = await readdir(folder);
  const kept = await readFile(join(folder, name), 'utf8');
  const planOf = ({ planFile }: typeof first) => planFile?.replace(/"(madeAt|checksum)": "[^"]*"/g, '');
  for (const text of [kept.slice(0, -40), 'forged']) {
    await writeFile(join(folder, name), text);
    expect(planOf(await run({ event: 'push' }))).toBe(planOf(first));
  }
});

test('Verdicts of a run that a person started change no plan of a push.', async () => {
  const planOf = ({ planFile }: typeof first) => planFile?.replace(/"(madeAt|checksum)": "[^"]*"/g, '');
  const first = await run({ event: 'workflow_dispatch' });
  expect(first.log).toContain('No changes');
  expect(planOf(await run({ event: 'push' }))).toBe(planOf(first));
});

const others: readonly [string, Started][] = [
  ['a push to another branch', { event: 'push', ref: 'refs/heads/topic' }],
  ['a push of a tag', { event: 'push', ref: 'refs/tags/main' }],
  ['a push without a known default branch', { event: 'push', defaultBranch: '' }],
  ['a merge queue', { event: 'merge_group' }],
  ['a command without a plan', { event: 'push', command: 'validate' }],
];

test.each(others)('The action neither reads nor writes a cache on %s.', async (_what, started) => {
  await run(started);
  expect(await readdir(folder)).toEqual([]);
});
