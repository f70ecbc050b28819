import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleProject, type TestProject, testProject } from '../support/cli.ts';

let project: TestProject;
const made: TestProject[] = [];

beforeAll(async () => {
  project = await exampleProject('clinic');
  made.push(project);
  await project.run('apply', '--yes');
  await project.edit('prompts/front-desk.md', '30 minutes', '40 minutes');
  await project.edit('agents/web-chat.yaml', '  agentThinking: low\n', '');
  await project.run('plan', '--out', 'plan.json');
});
afterAll(() => Promise.all(made.map((one) => one.remove())));

describe('show', () => {
  test.each(['text', 'json', 'markdown', 'github'])('%s is what plan shows', async (format) => {
    const shown = await project.run('show', 'plan.json', '--format', format);
    const planned = await project.run('plan', '--format', format);
    expect(shown).toEqual({ code: 0, stdout: planned.stdout, stderr: '' });
    expect(shown.stdout).not.toBe('');
  });

  test('--full is that of plan', async () => {
    const shown = await project.run('show', 'plan.json', '--full');
    expect(shown.stdout).toBe((await project.run('plan', '--full')).stdout);
  });

  test('needs no project; annotations then have no file', async () => {
    const elsewhere = await testProject({ 'plan.json': await project.read('plan.json') });
    made.push(elsewhere);
    expect(await elsewhere.run('show', 'plan.json')).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await elsewhere.run('show', 'plan.json', '--format', 'github');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^::notice title=Agent\/front-desk%3A update::will change: settings\.agentInstructions$/m);
  });

  test.each([
    ['missing.json', undefined, 1, /^error: the plan missing\.json cannot be read: .*\(plan-unreadable\)\n$/],
    ['not-json.json', () => '{', 1, /^error: the plan not-json\.json cannot be read: .*\(plan-unreadable\)\n$/],
    ['other.json', () => '[1]', 1, /^error: the plan other\.json cannot be read: .*\(plan-unreadable\)\n$/],
    [
      'newer.json',
      (plan: string) => plan.replace('"formatVersion": 1', '"formatVersion": 7'),
      1,
      /format version 7 and this agentform reads up to 1.*\(plan-unreadable\)\n$/,
    ],
    [
      'altered.json',
      (plan: string) => plan.replace('40 minutes', '50 minutes'),
      3,
      /was altered.*\(plan-mismatch\)\n$/,
    ],
  ])('%s is refused in one sentence', async (name, make, code, message) => {
    if (make !== undefined) await project.write(name, make(await project.read('plan.json')));
    const result = await project.run('show', name);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
