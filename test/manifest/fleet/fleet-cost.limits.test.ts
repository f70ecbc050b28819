import { expect, test } from '@jest/globals';
import { gatherManifests } from '../../../src/manifest/fleet/gather-manifests.ts';
import { csvTable } from '../../../src/manifest/fleet/member-table.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import type { Project } from '../../../src/manifest/project/project.ts';
import { FactFinder } from '../../../src/manifest/resolve/facts.ts';
import { environmentNode } from '../../../src/manifest/resolve/identity/target.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { SourceFile } from '../../../src/yaml/source-file.ts';
import { processorMs } from '../../support/processor.ts';
import { makeFolder } from '../temp-project.ts';

const rows = 10_000;
const header = 'name,brand,account,phone,ring';
const row = (_: unknown, index: number) =>
  `client-${index},Brand ${index},${index},+1415${String(index).padStart(7, '0')},late`;
const tableOf = (length: number) => `${header}\n${Array.from({ length }, row).join('\n')}\n`;
const table = tableOf(rows);
const head = 'apiVersion: agentform/v1\n';
const files = {
  'agents/fleet.yaml': `${head}kind: Fleet\nname: dental\ntemplates: [../templates/agent.yaml]\nmembers: { file: ../clients.csv }\nlabels: { ring: "\${var.ring}" }\n`,
  'templates/agent.yaml': `${head}kind: Agent\nsettings: { title: "\${var.brand}", description: "\${var.phone}" }\ntarget: { query: { targetAccountId: "\${var.account}" } }\n`,
  'clients.csv': table,
};

function gathered(project: Project) {
  const options = { environment: 'local', env: {}, secrets: 'form' } as const;
  const heads = new FactFinder({ project, environment: environmentNode(project, 'local'), options });
  return gatherManifests(project, 'local', heads);
}

test('ten thousand members are gathered for little more than what their table costs to read', async () => {
  const project = await loadProject(makeFolder(files));
  // The code of the checks is loaded by the first fleet, whatever its size.
  await gathered(await loadProject(makeFolder({ ...files, 'clients.csv': tableOf(1) })));
  const parseTwice = [1, 2].map((time) => {
    const started = processorMs();
    expect(csvTable(new SourceFile(`${time}.csv`, table)).rows).toHaveLength(rows);
    return processorMs() - started;
  });
  const started = processorMs();
  const { manifests, problems } = await gathered(project);
  expect([manifests.length, problems]).toEqual([rows, []]);
  expect(processorMs() - started).toBeLessThan(3 * Math.max(...parseTwice) + 200);
});

test('ten thousand members are validated in seconds', async () => {
  const project = await loadProject(makeFolder(files));
  const started = processorMs();
  const { problems, resources } = await validateProject(project, { env: {}, environments: ['local'] });
  expect([problems, resources]).toEqual([[], rows]);
  expect(processorMs() - started).toBeLessThan(10_000);
});
