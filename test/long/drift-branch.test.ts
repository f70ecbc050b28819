import { expect, test } from '@jest/globals';
import { file, inProject, live, project, remote, toBranch, useProject } from '../e2e/drift-project.ts';
import { commitAll } from '../support/git.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

useProject();

test('Drift --branch commits an edit again after its commit was merged and reverted.', async () => {
  await live({ title: 'Two' });
  await toBranch();
  await inProject('merge', '-q', '--no-ff', '--no-edit', 'drift');
  await inProject('revert', '-m', '1', '--no-edit', 'HEAD');
  expect((await toBranch()).stderr).toContain('Committed 1 value on the branch drift.');
  expect(await inProject('diff', 'HEAD...drift')).toContain('+  title: Two');
  expect((await toBranch()).stderr).toContain('Already committed: 1 value on the branch drift.');
});

test('Drift --branch does not overwrite a foreign commit or a branch that is checked out.', async () => {
  await live({ title: 'Two' });
  await toBranch();
  const message = await inProject('log', '-1', '--format=%B', 'drift');
  const amended = await inProject('commit-tree', 'main^{tree}', '-p', 'main', '-m', message);
  await inProject('update-ref', 'refs/heads/drift', amended);
  const { code, stderr } = await toBranch();
  expect(code).toBe(3);
  expect(stderr).toContain(`the branch drift has a commit that agentform did not make (${amended.slice(0, 12)})`);
  expect(await inProject('rev-parse', 'drift')).toBe(amended);
  expect((await toBranch('main')).stderr).toContain('the branch main is checked out');
});

test('Drift --branch commits nothing if no manifest needs an update, and names an overlapping conflict.', async () => {
  expect((await toBranch()).stderr).toContain('Nothing to commit on the branch drift: no manifest needs an update.');
  await live({ title: 'Two' });
  await project.edit(file, 'title: One', 'title: Three');
  const { code, stderr } = await toBranch();
  expect(code).toBe(3);
  expect(stderr).toContain(
    'Agent/front-desk: not updated: settings.title: the dashboard and the files both changed line 1.',
  );
  expect(stderr).toContain('Nothing to commit on the branch drift: no manifest can be updated.');
  expect(await inProject('branch', '--list', 'drift')).toBe('');
});

test('Drift --branch names settings that cannot be copied, and keeps the edits of other people.', async () => {
  const other = (await project.read(file))
    .replace('front-desk', 'night-desk')
    .replace('agentVoice: v', 'timezone: UTC');
  await project.write('agents/night-desk.yaml', `${other}target: { query: { targetAccountId: "9" } }\n`);
  await project.run('apply', '--yes', '--new', 'all');
  await commitAll(project.root, 'second');
  await live({ title: 'Two' });
  const record = JSON.parse(await project.read('.agentform/records/test/Agent/night-desk.json'));
  await remote.dashboard(record.id, { timezone: 'Mars/Phobos' });
  const { code, stderr } = await toBranch();
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining('Agent/night-desk: not updated: settings.timezone: '),
  });
  expect(await inProject('diff', '--name-only', 'HEAD', 'drift')).toBe(file);
  expect(await inProject('show', `drift:${file}`)).toContain('title: Two');
});

test('Drift --branch uses the line ends and filters of the repository.', async () => {
  await project.write('.gitattributes', '*.yaml text eol=crlf\n');
  await project.write(file, (await project.read(file)).replaceAll('\n', '\r\n'));
  await commitAll(project.root, 'crlf');
  await live({ title: 'Two' });
  await toBranch();
  expect(await inProject('diff', '--shortstat', 'main', 'drift')).toBe(
    ' 1 file changed, 1 insertion(+), 1 deletion(-)',
  );
});

test.each([
  [['--branch', 'a..b'], '"a..b" is not a valid branch name'],
  [['--branch', 'x', '-e', 'te*'], '--branch requires a single environment'],
])('Drift refuses the options %j.', async (args, message) => {
  const { code, stderr } = await project.run('drift', ...args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
