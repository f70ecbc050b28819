import { afterEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { runWithin } from '../support/processor-limit.ts';

let project: TestProject;
afterEach(() => project.remove());

const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments: { prod: { baseUrl: emulator } }
`;

test.each([
  ['values', 'integrations:\n    - id: x\n      appData:\n', (index: number) => `        k${index}: hunter${index}\n`],
  ['keys', 'name: Acme\n', (index: number) => `  token${index}: hunter${index}\n`],
])('The masking of 20,000 %s that look like credentials takes little time.', async (_what, head, line) => {
  const lines = Array.from({ length: 20_000 }, (_, index) => line(index)).join('');
  const organization = `apiVersion: agentform/v1\nkind: Organization\nname: acme\nsettings:\n  ${head}${lines}`;
  project = await testProject({
    'agentform.yaml': projectFile,
    'agents/acme.yaml': organization,
  });
  for (const format of ['text', 'json']) {
    const { code, stdout } = await runWithin(20, ['validate', '--format', format], { cwd: project.root });
    expect({ code, isShown: stdout.includes('hunter') }).toEqual({ code: 1, isShown: false });
  }
});
