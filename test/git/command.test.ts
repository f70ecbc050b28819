import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { gitReason, runGit, withoutCredentials } from '../../src/git/command.ts';
import { git } from '../support/git.ts';

describe('messages of git', () => {
  test.each([
    ['https://user:hunter2@host/x.git', 'https://host/x.git'],
    ["fatal: unable to access 'https://x-access-token:ghs_1@host/': no", "fatal: unable to access 'https://host/': no"],
    ['ssh://git@host/x and HTTPS://a:p@ss@h/', 'ssh://host/x and HTTPS://h/'],
    ['https://user:hunt/er2@host/x.git', 'https://host/x.git'],
    ["unable to access 'https://host/x.git?token=hunter2/': no", "unable to access 'https://host/x.git': no"],
    ['https://host:8443/x@y', 'https://host:8443/x@y'],
    ['git@host:acme/x.git', 'git@host:acme/x.git'],
    ['mail me@example.com about https://host/x@y', 'mail me@example.com about https://host/x@y'],
  ])('The text "%s" of git is shown as "%s".', (text, shown) => {
    expect(withoutCredentials(text)).toBe(shown);
  });

  test('The message of git is shortened to one line of reasons.', () => {
    const stderr =
      'Cloning\nwarning: slow\nremote: \nremote: Not allowed.\nerror: failed\nhint: try\nfatal: gone\nfatal: gone\n';
    expect(gitReason(stderr)).toBe('Not allowed; failed; gone');
    expect(gitReason('ssh: connect to host x port 22: refused\n')).toBe('ssh: connect to host x port 22: refused');
    const dubious =
      "fatal: detected dubious ownership in repository at '/a b'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory '/a b'\n";
    expect(gitReason(dubious)).toBe(
      "detected dubious ownership in repository at '/a b'; if you trust the repository's owner, run `git config --global --add safe.directory '/a b'`",
    );
    expect(gitReason('')).toBe('git gave no reason');
  });

  test('The message about missing credentials says how to set them up.', () => {
    const stderr = "fatal: could not read Username for 'https://github.com': terminal prompts disabled\n";
    expect(gitReason(stderr)).toBe(
      "could not read Username for 'https://github.com': terminal prompts disabled; git has no credentials for the remote. Run `gh auth setup-git`, or set the action input token in a workflow",
    );
  });

  test('Git is ended once it prints more than the limit.', async () => {
    const endless = ['-c', 'alias.endless=!while :; do echo 0123456789; done', 'endless'];
    const { code, stdout, stderr } = await runGit(endless, { cwd: '/', maxOutput: 2 ** 20 });
    expect({ code, stderr }).toEqual({ code: -1, stderr: 'more than 1 MiB of output' });
    expect(stdout.length).toBeLessThanOrEqual(2 ** 20);
  });

  test('A background process that holds standard error open does not delay git.', async () => {
    const hold = 'alias.hold=!echo wrong >&2; sleep 600 >/dev/null & echo $!; exit 3';
    const result = await runGit(['-c', hold, 'hold'], { cwd: '/' });
    process.kill(Number(result.stdout));
    expect(result).toMatchObject({ code: 3, stderr: 'wrong\n' });
  });

  test.each(['GIT_DIR', 'GIT_ICASE_PATHSPECS', 'GIT_LITERAL_PATHSPECS'])(
    'Git does not get the variable %s, which would change what a command finds.',
    async (name) => {
      process.env[name] = '1';
      try {
        const result = await runGit(['-c', `alias.print=!echo "[$${name}]"`, 'print'], { cwd: tmpdir() });
        expect(result).toMatchObject({ code: 0, stdout: Buffer.from('[]\n') });
      } finally {
        delete process.env[name];
      }
    },
  );

  test('A git command ends at its time limit.', async () => {
    const result = await runGit(['-c', 'alias.hang=!sleep 600', 'hang'], { cwd: '/', timeout: 100 });
    expect(result).toMatchObject({ code: -1, stderr: 'no response within 0.1 seconds' });
  });

  test('A git command ends when its signal aborts.', async () => {
    const { signal, abort } = abortable();
    const running = runGit(['-c', 'alias.hang=!sleep 600', 'hang'], { cwd: '/', signal });
    setTimeout(() => abort('the run ended'), 100);
    expect(await running).toMatchObject({ code: -1, stderr: 'the run ended' });
    expect(await runGit(['version'], { cwd: '/', signal })).toMatchObject({ code: -1, stderr: 'the run ended' });
  });
});

describe('the output of git through a file', () => {
  const { TMPDIR: before } = process.env;
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });

  test('The output of git through a file equals its direct output, and the file is removed.', async () => {
    // Uses a separate folder, because other tests exchange files at the same time.
    const folder = await mkdtemp(join(tmpdir(), 'agentform-answers-'));
    process.env.TMPDIR = folder;
    const hashed = ['hash-object', '--stdin'];
    const through = await runGit(hashed, { cwd: '/', input: 'x\n', throughFile: true });
    expect(through).toEqual(await runGit(hashed, { cwd: '/', input: 'x\n' }));
    const printed = await runGit(['-c', 'alias.p=!printf a; sleep 0.1; printf b; echo no >&2; exit 4', 'p'], {
      cwd: '/',
      throughFile: true,
    });
    expect({ ...printed, stdout: printed.stdout.toString() }).toEqual({ code: 4, stdout: 'ab', stderr: 'no\n' });
    expect(await readdir(folder)).toEqual([]);
    await rmdir(folder);
  });

  test('The output of git uses a pipe if there is no temporary folder.', async () => {
    process.env.TMPDIR = '/nowhere';
    expect(await runGit(['version'], { cwd: '/', throughFile: true })).toMatchObject({ code: 0 });
  });
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: string) => controller.abort(reason) };
}

test('A git command ignores replacements of objects.', async () => {
  const root = await mkdtemp(join(tmpdir(), 'agentform-replace-'));
  try {
    await git(root, 'init', '--quiet');
    const ids: string[] = [];
    for (const input of ['honest', 'forged']) {
      const { stdout } = await runGit(['hash-object', '-w', '--stdin'], { cwd: root, input });
      ids.push(stdout.toString('utf8').trim());
    }
    await git(root, 'replace', ...ids);
    const { stdout } = await runGit(['cat-file', 'blob', ids[0] ?? ''], { cwd: root });
    expect(stdout.toString('utf8')).toBe('honest');
  } finally {
    await rm(root, { recursive: true });
  }
});
