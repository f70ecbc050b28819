import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { agentFile, agentToken, onPush, scenario, useScenario } from './scenario.ts';

useScenario();

test('a run of the action neither reads nor writes a cache', async () => {
  const { repository, base } = scenario;
  const names = Array.from({ length: 60 }, (_, index) => `agent-${index}`);
  const files = Object.fromEntries(
    names.map((name, index) => {
      const target = `target: { query: { targetAccountId: "${index}" } }\n`;
      return [`agents/${name}.yaml`, agentFile('Desk', target).replace('front-desk', name)];
    }),
  );
  const commit = await repository.commit('main', files, base);
  const folder = join(repository.remote, '..', 'cache');
  const env = { AGENT_TOKEN: agentToken, AGENTFORM_CACHE: folder, HOME: folder, XDG_CACHE_HOME: folder };
  const { log } = await onPush(scenario, { commit, env, inputs: { command: 'validate' } });
  expect(log).not.toContain('::error');
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});
