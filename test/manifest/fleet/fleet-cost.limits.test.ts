import { expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { processorMs } from '../../support/processor.ts';
import { makeFolder } from '../temp-project.ts';

const rows = 10_000;
const header = 'name,brand,account,phone,ring';
const row = (_: unknown, index: number) =>
  `client-${index},Brand ${index},${index},+1415${String(index).padStart(7, '0')},late`;
const table = `${header}\n${Array.from({ length: rows }, row).join('\n')}\n`;
const head = 'apiVersion: agentform/v1\n';
const files = {
  'agents/fleet.yaml': `${head}kind: Fleet\nname: dental\ntemplates: [../templates/agent.yaml]\nmembers: { file: ../clients.csv }\nlabels: { ring: "\${var.ring}" }\n`,
  'templates/agent.yaml': `${head}kind: Agent\nsettings: { title: "\${var.brand}", description: "\${var.phone}" }\ntarget: { query: { targetAccountId: "\${var.account}" } }\n`,
  'clients.csv': table,
};

test('A fleet of ten thousand members is validated in seconds.', async () => {
  const project = await loadProject(makeFolder(files));
  const started = processorMs();
  const { problems, resources } = await validateProject(project, { env: {}, environments: ['local'] });
  expect([problems, resources]).toEqual([[], rows]);
  expect(processorMs() - started).toBeLessThan(10_000);
});
