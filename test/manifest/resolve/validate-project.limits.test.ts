import { expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { processorMs } from '../../support/processor.ts';
import { agent, type Files, makeFolder } from '../temp-project.ts';

test('A thousand manifests on one base are validated in seconds.', async () => {
  const manifests: Files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `agents/a${index}.yaml`,
      agent(
        'agentInstructions: { file: ../prompt.md }',
        `extends: ../base.yaml\ntarget: { query: { targetAccountId: "${index}" } }\ntransferRules: { cnamAutoRejectRegex: "[Ss]pam" }`,
        `a${index}`,
      ),
    ]),
  );
  const base = 'apiVersion: agentform/v1\nkind: Agent\nsettings: { timezone: Europe/Berlin }\n';
  const root = makeFolder({ ...manifests, 'base.yaml': base, 'prompt.md': 'Hello from ${var.clinic}' });
  const started = processorMs();
  const { problems, resources } = await validateProject(await loadProject(root), { env: {} });
  expect([problems, resources]).toEqual([[], 1000]);
  expect(processorMs() - started).toBeLessThan(10_000);
});
