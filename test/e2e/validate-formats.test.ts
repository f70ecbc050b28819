import { execFileSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { exampleProject, type TestProject, testProject } from '../support/cli.ts';
import { readSarif } from '../support/sarif.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const made: TestProject[] = [];
afterAll(() => Promise.all(made.map((project) => project.remove())));

/** A project with the manifests of the case that contains every mistake, in a subfolder of a git repository. */
async function badProject(): Promise<TestProject> {
  const project = await testProject({});
  made.push(project);
  execFileSync('git', ['init', '-q', project.root]);
  const source = resolve(import.meta.dirname, '../cases/bad-manifests/project');
  await cp(source, join(project.root, 'deploy'), { recursive: true });
  return project;
}

describe('validate --format', () => {
  test('The formats sarif, json and text report the same problems with the same exit code.', async () => {
    const project = await badProject();
    const run = (format: string) => project.run('validate', '--project', 'deploy', '--format', format);
    const [sarif, json, text] = await Promise.all([run('sarif'), run('json'), run('text')]);
    const { results } = readSarif(sarif.stdout);
    const { problems, root } = JSON.parse(json.stdout);
    expect(root).toBe(join(project.root, 'deploy'));
    expect([sarif.code, json.code, text.code]).toEqual([1, 1, 1]);
    expect([sarif.stderr, json.stderr]).toEqual(['', '']);
    const ofSarif = results.map(({ ruleId, level, message, locations }) => {
      const { artifactLocation, region } = locations[0]?.physicalLocation ?? {};
      return `${artifactLocation?.uri}:${region?.startLine}:${region?.startColumn} ${level} ${ruleId}  ${message.text}`;
    });
    const ofJson = problems.map(
      (one: Record<string, unknown>) =>
        `deploy/${one.file}:${one.line}:${one.column} ${one.level} ${one.code}  ${one.message}`,
    );
    const ofText = text.stdout.split('\n').filter((line) => /^[a-z].*:\d+:\d+ (error|warning) /.test(line));
    expect(ofText.length).toBeGreaterThan(20);
    expect(ofSarif).toEqual(ofText.map((line) => `deploy/${line}`));
    expect(ofJson).toEqual(ofSarif);
  });

  test('No format shows a literal token.', async () => {
    const project = await badProject();
    for (const format of ['sarif', 'json', 'github', 'text']) {
      const { stdout, stderr } = await project.run('validate', '--project', 'deploy', '--format', format);
      expect(stdout).toContain('token-literal');
      expect(stdout + stderr).not.toMatch(/tok_live/);
    }
  });

  test.each(['sarif', 'json'])('The format %s of a valid project is empty, with exit code 0.', async (format) => {
    const project = await exampleProject('clinic');
    made.push(project);
    const { code, stdout, stderr } = await project.run('validate', '--format', format);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    if (format === 'sarif') expect(readSarif(stdout).results).toEqual([]);
    else expect(JSON.parse(stdout)).toMatchObject({ valid: true, problems: [] });
  });

  test.each(['sarif', 'json'])('The format %s also reports errors in agentform.yaml.', async (format) => {
    const project = await testProject({ 'agentform.yaml': 'kind: Project\nmanifest: []\n' });
    made.push(project);
    const { code, stdout, stderr } = await project.run('validate', '--format', format);
    expect(code).toBe(1);
    expect(stderr).toContain('(project-invalid)');
    if (format === 'sarif') expect(readSarif(stdout).results.map(({ ruleId }) => ruleId)).toContain('unknown-key');
    else
      expect(JSON.parse(stdout)).toMatchObject({
        valid: false,
        problems: [{ code: 'missing' }, {}, { code: 'unknown-key' }],
      });
  });

  test.each(['sarif', 'json'])('The format %s reports a missing project.', async (format) => {
    const project = await testProject({});
    made.push(project);
    const { code, stdout } = await project.run('validate', '--format', format);
    expect(code).toBe(1);
    if (format === 'sarif') expect(readSarif(stdout).results).toMatchObject([{ ruleId: 'project-invalid' }]);
    else expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'project-invalid' } });
  });
});
