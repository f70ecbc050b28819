import { expect, test } from '@jest/globals';
import { gatherManifests } from '../../../src/manifest/fleet/gather-manifests.ts';
import { csvTable } from '../../../src/manifest/fleet/member-table.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
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
const table = `${header}\n${Array.from({ length: rows }, row).join('\n')}\n`;
const head = 'apiVersion: agentform/v1\n';
const files = {
  'agents/fleet.yaml': `${head}kind: Fleet\nname: dental\ntemplates: [../templates/agent.yaml]\nmembers: { file: ../clients.csv }\nlabels: { ring: "\${var.ring}" }\n`,
  'templates/agent.yaml': `${head}kind: Agent\nsettings: { title: "\${var.brand}", description: "\${var.phone}" }\ntarget: { query: { targetAccountId: "\${var.account}" } }\n`,
  'clients.csv': table,
};

test('ten thousand members are gathered for little more than what their table costs to read', async () => {
  const project = await loadProject(makeFolder(files));
  // Far above what it takes, so that a busy machine changes nothing, and far below what grows faster than the rows.
  const parseTwice = [1, 2].map((time) => {
    const started = processorMs();
    expect(csvTable(new SourceFile(`${time}.csv`, table)).rows).toHaveLength(rows);
    return processorMs() - started;
  });
  const started = processorMs();
  const options = { environment: 'local', env: {}, secrets: 'form' } as const;
  const heads = new FactFinder({ project, environment: environmentNode(project, 'local'), options });
  const { manifests, problems } = await gatherManifests(project, 'local', heads);
  expect([manifests.length, problems]).toEqual([rows, []]);
  expect(processorMs() - started).toBeLessThan(6 * Math.max(...parseTwice) + 1000);
});

test('ten thousand members are validated in seconds', async () => {
  const project = await loadProject(makeFolder(files));
  const started = processorMs();
  const { problems, resources } = await validateProject(project, { env: {}, environments: ['local'] });
  expect([problems, resources]).toEqual([[], rows]);
  expect(processorMs() - started).toBeLessThan(10_000);
});
