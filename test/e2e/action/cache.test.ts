import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runAction } from '../../support/action.ts';
import { agentToken, asApplied, frontDesk, onPullRequest, scenario, useScenario } from './scenario.ts';

useScenario(() => asApplied(scenario, frontDesk));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-kept-'));
});
afterEach(() => rm(folder, { recursive: true }));

const env = () => ({ AGENT_TOKEN: agentToken, AGENTFORM_CACHE: folder, HOME: folder, XDG_CACHE_HOME: folder });
const secrets = { secrets: 'AGENT_TOKEN', environment: 'production' };

/** Runs a plan as a schedule does, which only runs on the default branch. */
async function run() {
  return runAction({
    workspace: await scenario.repository.checkout(scenario.base),
    apiUrl: scenario.github.url,
    inputs: { ...secrets, command: 'plan' },
    env: { GITHUB_REF: 'refs/heads/main', ...env() },
    event: { name: 'schedule', payload: {}, sha: scenario.base },
  });
}

test('The action only keeps verdicts on the default branch, and they change no plan.', async () => {
  const first = await run();
  expect(first.log).toContain('No changes');
  const [name = '', ...others] = await readdir(folder);
  expect([name, others]).toEqual([expect.stringMatching(/^[0-9a-f]{32}-verdicts\.pack$/), []]);
  const kept = await readFile(join(folder, name), 'utf8');
  for (const text of [agentToken, 'Front desk', 'camp_', 'front-desk']) expect(kept).not.toContain(text);
  const planOf = ({ planFile }: typeof first) => planFile?.replace(/"(madeAt|checksum)": "[^"]*"/g, '');
  await writeFile(join(folder, name), kept.replaceAll('false', 'true'));
  expect(planOf(await run())).toBe(planOf(first));
});

test('The action neither reads nor writes a cache for a pull request.', async () => {
  const { log } = await onPullRequest(scenario, { env: env(), inputs: { command: 'plan' } });
  expect(log).not.toContain('::error');
  expect(await readdir(folder)).toEqual([]);
});
