import { afterEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;
afterEach(() => project.remove());

const manifest = 'apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings: { title: Desk, description: Answers }\n';
const projectFile = (environment: string) =>
  `apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n  prod:\n${environment}`;

/** All formats show the same masked problems, so some of them suffice in most tests. */
const someRuns = [['validate', '--format', 'json'], ['validate'], ['plan', '-e', 'prod']];
const otherRuns = [
  ['validate', '--format', 'sarif'],
  ['validate', '--format', 'github'],
  ['plan', '-e', 'prod', '--format', 'github'],
];

async function outputsOf(files: Readonly<Record<string, string>>, runs = someRuns): Promise<string[]> {
  project = await testProject(files, { AGENTFORM_VAR_q: 'x' });
  const outputs: string[] = [];
  for (const args of runs) {
    const { stdout, stderr } = await project.run(...args);
    outputs.push(stdout + stderr);
  }
  return outputs;
}

describe('addresses with a credential', () => {
  test.each([
    ['in its query', '    baseUrl: https://host.example/?token=hunter2\n'],
    ['in its query, quoted', '    "baseUrl": "https://host.example/?key=hunter2"\n'],
    ['in its fragment', '    baseUrl: https://host.example/#hunter2\n'],
    ['as user information', '    baseUrl: https://jo:hunter2@host.example\n'],
    ['behind a mistyped scheme', '    baseUrl: htps://jo:hunter2@host.example\n'],
    ['in the query behind a mistyped scheme', '    baseUrl: htps://host.example/?token=hunter2\n'],
    ['on a separate line', '    baseUrl: >-\n      https://host.example/?key=hunter2\n'],
    ['beside a variable', '    baseUrl: https://host.example/?key=hunter2${var.q}\n'],
    ['in a map on one line', '    { baseUrl: "https://host.example/?key=hunter2", tokn: x }\n'],
    ['beside another mistake', '    baseUrl: https://host.example/?key=hunter2\n    variabels: {}\n'],
    ['in a file that is no YAML', '    baseUrl: https://host.example/?key=hunter2\n   : [\n'],
  ])('A base URL with a credential %s is in no frame and no sentence.', async (_where, environment) => {
    for (const output of await outputsOf({
      'agentform.yaml': projectFile(environment),
      'agents/desk.yaml': manifest,
    })) {
      expect(output).not.toContain('hunter2');
      expect(output).not.toBe('');
    }
  });

  test.each([
    ['the remote of records', 'tokn: x', 'record: { store: git, remote: "https://git.example/x.git?key=hunter2" }'],
    ['the remote of records alone', 'query: {}', 'record: { store: git, remote: "https://git.example/?key=hunter2" }'],
    ['the path of publishing', 'query: {}', 'service: { publish: "/api/publish?token=hunter2" }'],
    ['the path of publishing, beside a mistake', 'tokn: x', 'service: { publish: /api/publish?token=hunter2 }'],
    ['the path of publishing, beside a wrong query', 'query: 1', 'service:\n  publish: /api?token=hunter2'],
  ])('An address with a credential is in no frame and no sentence in %s.', async (_place, environment, rest) => {
    const file = `${projectFile(`    baseUrl: emulator\n    ${environment}\n`)}${rest}\n`;
    for (const output of await outputsOf({ 'agentform.yaml': file, 'agents/desk.yaml': manifest })) {
      expect(output).not.toContain('hunter2');
    }
  });
});

test('A base URL with a credential is in no frame and no sentence of the other formats.', async () => {
  const environment = '    baseUrl: https://host.example/?token=hunter2\n';
  const files = { 'agentform.yaml': projectFile(environment), 'agents/desk.yaml': manifest };
  for (const output of await outputsOf(files, otherRuns)) {
    expect(output).not.toContain('hunter2');
    expect(output).not.toBe('');
  }
});

test('An address without a credential stays in the frame.', async () => {
  const file = `${projectFile('    baseUrl: htps://host.example/api\n')}record: { store: git, remote: git@github.com:clinic/agents.git, brnch: x }\n`;
  const [, text = ''] = await outputsOf({ 'agentform.yaml': file, 'agents/desk.yaml': manifest });
  expect(text).toContain('git@github.com:clinic/agents.git');
  expect(text).toContain('htps://host.example/api');
});
