import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type TestProject, testProject } from './cli.ts';
import { type IndependentServer, startIndependentServer } from './independent-server.ts';

/** A server that shares no code with agentform. */
export let server: IndependentServer;
const projects: TestProject[] = [];

/**
 * Runs one server for the suite. The server is emptied before each test, and the projects are removed after each test.
 */
export function useIndependentServer(): void {
  beforeAll(async () => {
    server = await startIndependentServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    for (const { id } of server.agents()) server.drop(id);
    Object.assign(server, { quirks: {}, before: undefined, after: undefined, tokens: undefined, resellers: undefined });
    server.takeLog();
  });
  afterEach(async () => {
    await Promise.all(projects.splice(0).map((project) => project.remove()));
  });
}

/** Creates a project that is removed after the test. */
export async function projectOf(...parts: Parameters<typeof testProject>): Promise<TestProject> {
  const project = await testProject(...parts);
  projects.push(project);
  return project;
}
