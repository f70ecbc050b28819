import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientsProject, words } from '../../e2e/import/clients.ts';
import { filesOf } from '../../e2e/import/imports.ts';
import type { TestProject } from '../../support/cli.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';
import { leaveTemporaryFile } from '../../support/leftover.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();

const count = 4;

let server: IndependentServer;
let project: TestProject;

beforeAll(async () => {
  server = await startIndependentServer();
  project = await clientsProject(server, count);
});
afterAll(async () => {
  await project.remove();
  await server.close();
});

test('A repeated import of a fleet removes what a kill left beside finished files, and writes the missing schema.', async () => {
  expect(await project.run(...words, '--description', 'D', '--yes')).toMatchObject({ code: 0 });
  const before = await filesOf(project);
  const schema = '.agentform/schemas/manifest.schema.json';
  expect(before).toContain(schema);
  await rm(join(project.root, schema));
  const remaining = await project.run(...words);
  expect(remaining).toMatchObject({ code: 0, stdout: expect.stringContaining(`${count} already imported`) });
  expect(await filesOf(project)).toEqual(before);
  for (const file of ['agents/dental.yaml', 'templates/dental.yaml', schema])
    await leaveTemporaryFile(join(project.root, file));
  await rm(join(project.root, '.agentform/records/test/Agent/client-3.json'));
  expect(await project.start(...words).done).toMatchObject({ code: 0, stdout: expect.stringContaining('1 imported') });
  expect(await filesOf(project)).toEqual(before);
});
