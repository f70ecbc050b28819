import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pagePath } from '../../src/action/inputs.ts';
import { savePlanFile, writePage } from '../../src/action/outputs.ts';
import { plan } from '../report/plan/plan-builders.ts';

describe('the input html', () => {
  test.each(['agentform-plan.html', 'out/deep/plan.HTML', './plan.html'])('The input html accepts %s.', (path) => {
    expect(pagePath(path)).toBe(path);
  });

  test.each([
    '/tmp/plan.html',
    '../plan.html',
    'out/../../plan.html',
    'out\\..\\plan.html',
    'C:\\plan.html',
    '.git/hooks/plan.html',
    'agents/front-desk.yaml',
    'plan',
  ])('The input html refuses %s.', (path) => {
    expect(() => pagePath(path)).toThrow(
      `the input html is ${JSON.stringify(path)}: expected the path of a .html file in the workspace`,
    );
  });
});

describe('the files of a run', () => {
  let workspace = '';
  const before = { ...process.env };

  beforeEach(async () => {
    workspace = await realpath(await mkdtemp(join(tmpdir(), 'agentform-page-')));
    await writeFile(join(workspace, 'output'), '');
    const output = join(workspace, 'output');
    Object.assign(process.env, { GITHUB_WORKSPACE: workspace, GITHUB_OUTPUT: output, RUNNER_TEMP: workspace });
  });

  afterEach(async () => {
    for (const name of ['GITHUB_WORKSPACE', 'GITHUB_OUTPUT', 'RUNNER_TEMP']) {
      delete process.env[name];
      if (before[name] !== undefined) process.env[name] = before[name];
    }
    await rm(workspace, { recursive: true });
  });

  const write = (html: string | undefined, text = '<p>tok-1</p>') =>
    writePage({ inputs: { html }, redact: (given) => given.replaceAll('tok-1', '***') }, () => text);
  const output = () => readFile(join(workspace, 'output'), 'utf8');

  test('Steps with different names or environments save their plans as different files.', async () => {
    const steps = [
      { environment: 'production', names: ['front-desk'] },
      { environment: 'production', names: ['night-desk'] },
      { environment: 'staging', names: ['night-desk'] },
    ];
    for (const step of steps) await savePlanFile(plan([]), { subject: { project: '.', ...step } });
    const names = (await readdir(workspace)).filter((name) => name.endsWith('.plan.json'));
    expect(names).toHaveLength(steps.length);
    for (const name of names) expect(await output()).toContain(`\n${join(workspace, name)}\n`);
  });

  test('The page of a run is in the workspace, contains no secrets, and has its path in an output.', async () => {
    await write('out/deep/plan.html');
    const path = join(workspace, 'out/deep/plan.html');
    expect(await readFile(path, 'utf8')).toBe('<p>***</p>');
    expect(await output()).toContain(`\n${path}\n`);
  });

  test('The page of a run is only made on request.', async () => {
    await write(undefined);
    expect(await readdir(workspace)).toEqual(['output']);
    expect(await output()).toBe('');
  });

  test('The page of a run replaces a committed file or link without changing the target of the link.', async () => {
    await writeFile(join(workspace, 'own.txt'), 'own');
    await symlink(join(workspace, 'own.txt'), join(workspace, 'plan.html'));
    await write('plan.html');
    expect(await readFile(join(workspace, 'plan.html'), 'utf8')).toBe('<p>***</p>');
    expect(await readFile(join(workspace, 'own.txt'), 'utf8')).toBe('own');
  });

  test('The page of a run is also written to a workspace behind a link.', async () => {
    const link = `${workspace}-link`;
    await symlink(workspace, link);
    process.env.GITHUB_WORKSPACE = link;
    await write('plan.html');
    await rm(link);
    expect(await readFile(join(workspace, 'plan.html'), 'utf8')).toBe('<p>***</p>');
  });

  test('The page of a run is not written through a link or over a folder.', async () => {
    await mkdir(join(workspace, 'elsewhere'));
    await symlink(join(workspace, 'elsewhere'), join(workspace, 'out'));
    await expect(write('out/plan.html')).rejects.toMatchObject({
      code: 'file-unwritable',
      message: expect.stringContaining('is a symbolic link, which is not followed'),
    });
    expect(await readdir(join(workspace, 'elsewhere'))).toEqual([]);
    await mkdir(join(workspace, 'plan.html'));
    await expect(write('plan.html')).rejects.toMatchObject({ code: 'file-unwritable' });
    expect(await output()).toBe('');
  });
});
