import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  test.each(['text', 'json', 'markdown', 'github'])('%s is what plan shows', async (format) => {
    const shown = await project.run('show', 'plan.json', '--format', format);
    const planned = await project.run('plan', '--format', format);
    expect(shown).toEqual({ code: 0, stdout: planned.stdout, stderr: '' });
    expect(shown.stdout).not.toBe('');
  });

  test('what lint says of the planned manifests stands beside the plan, as with plan', async () => {
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
      (plan: string) => plan.replace('"formatVersion": 3', '"formatVersion": 7'),
      1,
      /format version 7, but this agentform reads up to version 3; upgrade agentform \(plan-unreadable\)\n$/,
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
      (plan: string) => plan.replace('"cause": "manifest"', '"cause": "drift"'),
      1,
      /was altered: its summary does not match its resources; plan again \(plan-altered\)\n$/,
    ],
    [
      'known.json',
      (plan: string) => plan.replace('"knowledge": "compared"', '"knowledge": "blind"'),
      1,
      /was altered: its checksum does not match its contents; plan again \(plan-altered\)\n$/,
    ],
    [
      'downgraded.json',
      (plan: string) => plan.replace('"formatVersion": 3', '"formatVersion": 1'),
      1,
      /formatVersion is 1: expected 3 \(plan-unreadable\)\n$/,
    ],
    [
      'deep.json',
      () => `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      1,
      /its values nest more than 100 levels deep \(plan-unreadable\)\n$/,
    ],
  ])('%s is refused in one sentence, by apply too', async (name, make, code, message) => {
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

  test('a device without an end is refused', async () => {
    expect(await project.run('show', '/dev/zero')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is too large: the limit is 64 MiB (plan-unreadable)'),
    });
  });
});

describe('a plan that agentform 0.1 saved', () => {
  const caution = /saved by agentform 0\.1, without a checksum: .*plan again before you rely on them/;

  test('is shown with its counts, and every format for people says that it has no checksum', async () => {
    await project.write('old.json', readFileSync(join(import.meta.dirname, '../fixtures/0.1/plan.json'), 'utf8'));
    const text = await project.run('show', 'old.json');
    expect(text).toMatchObject({ code: 0, stderr: expect.stringMatching(caution) });
    expect(text.stdout).toContain('Plan: 0 to create, 2 to update, 1 unchanged.');
    expect((await project.run('show', 'old.json', '--format', 'markdown')).stdout).toMatch(caution);
    expect((await project.run('show', 'old.json', '--format', 'github')).stdout).toMatch(caution);
    const json = await project.run('show', 'old.json', '--format', 'json');
    expect(json.stderr).toMatch(caution);
    expect(JSON.parse(json.stdout)).toMatchObject({ formatVersion: 3, checksum: expect.stringMatching(/^sha256:/) });
  });

  test('is refused where its counts do not fit, or an action hides its changes', async () => {
    const old = await project.read('old.json');
    const counts = old.replace('"update": 2', '"update": 0').replace('"unchanged": 0', '"unchanged": 2');
    await project.write('old-counts.json', counts);
    await project.write('old-action.json', counts.replaceAll('"action": "update"', '"action": "none"'));
    for (const name of ['old-counts.json', 'old-action.json']) {
      expect(await project.run('show', name)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/was altered: .*\(plan-altered\)\n$/),
      });
    }
  });

  test('is not applied, even where the service and the manifests are as they were', async () => {
    expect(await project.run('apply', '--plan', 'old.json')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/in format version 1; plan again, and apply that plan \(plan-outdated\)\n$/),
    });
  });
});

describe('a plan of version 2 from before plans counted dropped records', () => {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/plan-2/plan.json'), 'utf8');

  test('is shown whole and without a warning, and apply asks for a new plan', async () => {
    await project.write('early.json', text);
    const shown = await project.run('show', 'early.json');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('Plan: 1 to create, 0 to update.');
    expect(await project.run('apply', '--plan', 'early.json')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/in format version 2; plan again, and apply that plan \(plan-outdated\)\n$/),
    });
  });

  test.each([
    [
      'what its checksum covers',
      '"knowledge": "blind"',
      '"knowledge": "assumed"',
      'checksum does not match its contents',
    ],
    [
      'a count that it did not have',
      '"orphans": 0',
      '"orphans": 0, "forget": 0',
      'checksum does not match its contents',
    ],
    [
      'a count that nothing supports',
      '"orphans": 0',
      '"orphans": 0, "forget": 1',
      'summary does not match its resources',
    ],
  ])('is refused where somebody altered %s', async (_name, from, to, message) => {
    await project.write('early-altered.json', text.replace(from, to));
    expect(await project.run('show', 'early-altered.json')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});
