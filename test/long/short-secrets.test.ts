import { expect, test } from '@jest/globals';
import { testProject } from '../support/cli.ts';
import { runWithin } from '../support/processor-limit.ts';
import { startRemote } from '../support/remote.ts';

test('A plan of sixty agents with long texts and a short secret takes little time.', async () => {
  const remote = await startRemote();
  const manifests = Array.from({ length: 60 }, (_, index) => [
    `agents/a${index}.yaml`,
    `apiVersion: agentform/v1
kind: Agent
name: a${index}
target: { query: { targetAccountId: "${100 + index}" } }
settings: { title: Call, description: "The code is \${secret.PIN}", welcomeMessage: "${'You have 12 minutes. '.repeat(400)}" }
`,
  ]);
  const environments = `environments: { production: { baseUrl: "${remote.baseUrl}", token: "\${secret.AGENT_TOKEN}" } }`;
  const project = await testProject({
    'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nlimits: { creates: 100 }\n${environments}\n`,
    ...Object.fromEntries(manifests),
  });
  const env = { AGENT_TOKEN: 'token-of-the-project', PIN: '12' };
  const { code, stdout } = await runWithin(30, ['plan'], { cwd: project.root, env });
  expect(code).toBe(0);
  expect(stdout).toContain(', 60 left out without an answer');
  await Promise.all([project.remove(), remote.close()]);
});
