import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleProject, type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

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
  test.each(['text', 'json', 'markdown', 'github'])('Show --format %s prints what plan prints.', async (format) => {
    const shown = await project.run('show', 'plan.json', '--format', format);
    const planned = await project.run('plan', '--format', format);
    // The two plans were made at different times.
    const timeless = (text: string) => text.replace(/"(?:madeAt|checksum)": "[^"]*"|\d\d:\d\d UTC/g, 'TIME');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(timeless(shown.stdout)).toBe(timeless(planned.stdout));
    expect(shown.stdout).not.toBe('');
  });

  test('Show prints lint problems of the planned manifests beside the plan, like plan.', async () => {
    const linted = await exampleProject('clinic');
    made.push(linted);
    await linted.edit('agents/web-chat.yaml', '/treatments]', '/treatments, https://www.example.com/treatments]');
    await linted.run('plan', '--out', 'plan.json');
    for (const format of ['text', 'github']) {
      const planned = await linted.run('plan', '--format', format);
      expect(planned.stdout + planned.stderr).toContain('duplicate-item');
      expect(await linted.run('show', 'plan.json', '--format', format)).toEqual(planned);
    }
  });

  test('Show --full prints what plan --full prints.', async () => {
    const shown = await project.run('show', 'plan.json', '--full');
    expect(shown.stdout).toBe((await project.run('plan', '--full')).stdout);
  });

  test('Show needs no project, and its annotations then have no file.', async () => {
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
      /format version 7, but this agentform reads up to version 1; upgrade agentform \(plan-unreadable\)\n$/,
    ],
    [
      'altered.json',
      (plan: string) => plan.replace('40 minutes', '50 minutes'),
      1,
      /was altered: the digest of Agent\/front-desk does not match its contents; plan again \(plan-altered\)\n$/,
    ],
    [
      'recounted.json',
      (plan: string) => plan.replace('"update": 2', '"update": 0').replace('"unchanged": 0', '"unchanged": 2'),
      1,
      /was altered: its summary does not match its resources; plan again \(plan-altered\)\n$/,
    ],
    [
      'reasoned.json',
      (plan: string) => plan.replace('"cause":"manifest"', '"cause":"drift"'),
      1,
      /was altered: its summary does not match its resources; plan again \(plan-altered\)\n$/,
    ],
    [
      'known.json',
      (plan: string) => plan.replace('"knowledge":"compared"', '"knowledge":"blind"'),
      1,
      /was altered: its checksum does not match its contents; plan again \(plan-altered\)\n$/,
    ],
    [
      'unsealed.json',
      (plan: string) => plan.replace(/^ {2}"checksum": .*\n/m, ''),
      1,
      /was altered: its checksum does not match its contents; plan again \(plan-altered\)\n$/,
    ],
    [
      'deep.json',
      () => `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      1,
      /its values are nested more than 100 levels deep \(plan-unreadable\)\n$/,
    ],
  ])('The plan file %s is refused in one sentence by show and apply.', async (name, make, code, message) => {
    if (make !== undefined) await project.write(name, make(await project.read('plan.json')));
    for (const command of [
      ['show', name],
      ['apply', '--plan', name],
    ]) {
      const result = await project.run(...command);
      expect(result).toMatchObject({ code, stdout: '' });
      expect(result.stderr).toMatch(message);
      expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });

  test('Show refuses an endless device.', async () => {
    expect(await project.run('show', '/dev/zero')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 1 is too long: the limit is 64 MiB (plan-unreadable)'),
    });
  });
});
