import { expect, test } from '@jest/globals';
import { shareProcess } from '../support/shared-process.ts';
import { file, inProject, live, project, toBranch, useProject } from './drift-project.ts';

shareProcess();

useProject();

test('Drift --branch commits the updated manifests, leaves the work tree unchanged, and replaces its own commit after another edit.', async () => {
  await project.write('notes.md', 'work in progress');
  await inProject('add', 'notes.md');
  await live({ title: 'Two' });
  const { code, stdout, stderr } = await toBranch();
  expect(code).toBe(0);
  expect(stdout).toContain('settings.title: "One" → "Two"');
  expect(stderr).toContain('Committed 1 value on the branch drift. To review it, run `git diff HEAD...drift`.');
  expect(await inProject('diff', '--stat', '--format=', 'HEAD', 'drift')).toMatch(/front-desk\.yaml \| 2 \+-\n 1 file/);
  expect(await inProject('show', `drift:${file}`)).toContain('title: Two');
  expect(await inProject('log', '-1', '--format=%s', 'drift')).toBe('Dashboard edits: 1 agent (test)');
  expect(await project.read(file)).toContain('title: One');
  expect(await inProject('status', '--porcelain')).toBe('A  notes.md');

  const first = await inProject('rev-parse', 'drift');
  expect((await toBranch()).stderr).toContain('Already committed: 1 value on the branch drift');
  expect(await inProject('rev-parse', 'drift')).toBe(first);
  await live({ title: 'Three' });
  await toBranch();
  expect(await inProject('show', `drift:${file}`)).toContain('title: Three');
  expect(await inProject('rev-list', '--count', 'main..drift')).toBe('1');
});

test('Drift --branch refuses a manifest with uncommitted edits.', async () => {
  await live({ title: 'Two' });
  await project.edit(file, 'agentVoice: v', 'agentVoice: w');
  const { code, stderr } = await toBranch();
  expect(code).toBe(3);
  expect(stderr).toContain(`${file} has uncommitted changes, which the branch would include`);
});
