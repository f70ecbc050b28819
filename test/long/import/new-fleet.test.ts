import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientsProject, words } from '../../e2e/import/clients.ts';
import type { TestProject } from '../../support/cli.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();

// More agents than the number of listeners on one signal above which Node prints a warning.
const count = 20;

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

test('An import of a new fleet needs --yes before it reads any agent, and causes no warning of Node.', async () => {
  server.takeLog();
  const asked = await project.run(...words, '--description', 'D');
  expect(asked).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('a new fleet needs confirmation on a terminal; use --yes'),
  });
  expect(server.takeLog()).toEqual([]);
  const { code, stdout, stderr } = await project.start(...words, '--description', 'D', '--yes').done;
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`${count} imported`) });
  expect(stderr).not.toContain('Warning');
});
