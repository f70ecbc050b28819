import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestProject, testProject } from './support/cli.ts';
import { sharedRun } from './support/shared-process.ts';

let project: TestProject;

beforeAll(async () => {
  project = await testProject({});
});
afterAll(() => project.remove());

const advice = 'this test runs the built program: move it to test/e2e/';

test('A unit test that runs the built program fails and names the right folder.', () => {
  expect(() => project.run('validate')).toThrow(advice);
  expect(() => project.start('validate')).toThrow(advice);
  expect(() => sharedRun({ program: 'other.js', args: [], cwd: project.root, env: {} })).toThrow(advice);
});
