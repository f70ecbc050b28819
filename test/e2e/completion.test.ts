import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleProject, type TestProject, testProject } from '../support/cli.ts';
import { sharedCommand, shareProcess } from '../support/shared-process.ts';

shareProcess();

const run = promisify(execFile);

let project: TestProject;
const made: TestProject[] = [];

beforeAll(async () => {
  project = await exampleProject('clinic');
  made.push(project);
});
afterAll(() => Promise.all(made.map((one) => one.remove())));

/** The completions of an interactive bash for each line. Bash loads the script as ~/.bashrc would. */
async function completedLines(lines: readonly (readonly string[])[], folder = project.root): Promise<string[][]> {
  const completions = lines.map(
    (words) => `
    COMP_WORDS=(agentform ${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length}
    "$complete" agentform '${words.at(-1)}' '${words.at(-2)}'
    [ "\${#COMPREPLY[@]}" -eq 0 ] || printf '%s\\n' "\${COMPREPLY[@]}"
    printf '\\0'`,
  );
  const script = `
    agentform() { ${sharedCommand().join(' ')} "$@"; }
    source <(agentform completion bash) || exit 1
    complete="$(complete -p agentform | sed 's/.*-F \\([^ ]*\\).*/\\1/')"${completions.join('')}`;
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run('bash', ['--norc', '--noprofile', '-ic', script], {
    cwd: folder,
    env: { PATH, HOME, TERM: 'dumb' },
  });
  const answers = stdout.split('\0').slice(0, -1);
  return answers.map((answer) => answer.split('\n').filter((line) => line !== ''));
}

describe('completion in bash', () => {
  const lines: ReadonlyArray<readonly [what: string, words: readonly string[], expected: readonly string[]]> = [
    ['choices behind an equals sign', ['plan', '--format', '=', 'j'], ['json']],
    ['environments in part', ['apply', '--environment', 'pr'], ['production']],
    ['a second name', ['plan', 'web-chat', 'af'], ['after-hours']],
    ['Kind/name', ['plan', 'Agent/f'], ['Agent/front-desk']],
    ['nothing for a file, so that bash completes files', ['plan', '--out', ''], []],
  ];

  test('Completion in bash knows choices, environments, names and addresses.', async () => {
    const answers = await completedLines(lines.map(([, words]) => words));
    expect(lines.map(([what], index) => [what, answers[index]])).toEqual(
      lines.map(([what, , expected]) => [what, expected]),
    );
  });

  test('Completion in bash works in another folder, with --project.', async () => {
    const elsewhere = await testProject({});
    made.push(elsewhere);
    const words = ['plan', '--project', project.root, '-e', 'st'];
    expect(await completedLines([words], elsewhere.root)).toEqual([['staging']]);
  });
});

describe('completed words', () => {
  const words = (folder: TestProject, ...line: string[]) => folder.run('--get-yargs-completions', 'agentform', ...line);

  test.each([
    ['commands', ['pl'], ['plan']],
    ['commands of commands', ['record', 're'], ['rename']],
    ['options', ['plan', '--fo'], ['--format']],
    ['choices', ['plan', '--format', ''], ['text', 'json', 'markdown', 'html', 'github', 'gitlab']],
    ['environments', ['plan', '-e', ''], ['local', 'staging', 'production']],
    ['names', ['plan', ''], ['after-hours', 'front-desk', 'web-chat']],
    ['names to update', ['update', 'web'], ['web-chat']],
    ['one name to explain', ['explain', '-e', 'production', 'we'], ['web-chat']],
    ['no name for the path of a field', ['explain', 'web-chat', ''], []],
    ['types of tasks', ['task', 'create', '--type', ''], ['call', 'text', 'email', 'ping']],
    ['a type of tasks behind an equals sign', ['task', 'create', '--type=em'], ['--type=email']],
    ['settings of a kind', ['explain', 'agent', 'settings.tim'], ['settings.timezone']],
    ['settings of a kind behind an option', ['explain', '-e', 'local', 'AgentUrl', 'settings.s'], ['settings.slug']],
    ['addresses', ['record', 'show', ''], ['Agent/after-hours', 'Agent/front-desk', 'Agent/web-chat']],
    ['addresses of an option', ['apply', '--overwrite', 'Agent/w'], ['Agent/web-chat']],
    ['nothing for a saved plan', ['show', ''], []],
    ['nothing for what it does not know', ['plan', 'zebra'], []],
  ])('Completion knows %s.', async (_, line, expected) => {
    const { stdout } = await words(project, ...line);
    expect(stdout.split('\n').filter((word) => word !== '')).toEqual(expected);
  });

  test('Completion prints nothing if the project is broken or missing.', async () => {
    const broken = await testProject({ 'agentform.yaml': 'environments: [' });
    const none = await testProject({});
    made.push(broken, none);
    for (const folder of [broken, none]) {
      expect(await words(folder, 'plan', '-e', '')).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await words(folder, 'plan', '')).toEqual({ code: 0, stdout: '', stderr: '' });
    }
  });

  test('Completion leaves out manifests without a name.', async () => {
    const folder = await testProject({
      'agentform.yaml':
        'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
      'agents/a.yaml': "kind: Agent # it is\r\nname: 'quoted'\r\n",
      'agents/b.yaml': 'kind: Agent\nsettings: [\n',
      'agents/c.yaml': 'settings:\n  name: inner\nkind: Member\nname: jo\n',
    });
    made.push(folder);
    expect(await words(folder, 'plan', '')).toMatchObject({ stdout: 'jo\nquoted\n' });
    expect(await words(folder, 'record', 'show', '')).toMatchObject({ stdout: 'Agent/quoted\nMember/jo\n' });
  });

  test('Completion follows no link out of the project, and reads no oversized file.', async () => {
    const outside = await testProject({ 'a.yaml': 'kind: Agent\nname: outsider\n' });
    const folder = await testProject({
      'agentform.yaml':
        'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
      'agents/a.yaml': 'kind: Agent\nname: insider\n',
      'agents/b.yaml': `kind: Agent\nname: large\n${'# x\n'.repeat(300_000)}`,
    });
    made.push(outside, folder);
    await symlink(`${outside.root}/a.yaml`, `${folder.root}/agents/c.yaml`);
    expect(await words(folder, 'plan', '')).toMatchObject({ stdout: 'insider\n' });
  });

  test('Completion describes each word in zsh and fish.', async () => {
    for (const [shell, between] of [
      ['/bin/zsh', ':'],
      ['/usr/bin/fish', '\t'],
    ] as const) {
      const shelled = await testProject({}, { SHELL: shell });
      made.push(shelled);
      const { stdout } = await words(shelled, 'va');
      expect(stdout).toBe(
        `validate${between}Check every manifest in every environment; needs no network and no secrets\n`,
      );
    }
  });

  test('Completion keeps the text before an equals sign in the same word.', async () => {
    expect(await words(project, 'plan', '--environment=pr')).toMatchObject({ stdout: '--environment=production\n' });
  });

  test('Completion needs no secret, reads no record and sends nothing.', async () => {
    await project.write('.agentform/records/production/Agent/front-desk.json', 'not JSON');
    expect(await words(project, 'plan', '-e', 'production', 'fr')).toEqual({
      code: 0,
      stdout: 'front-desk\n',
      stderr: '',
    });
  });
});

describe('agentform completion', () => {
  test.each(['bash', 'zsh', 'fish'])(
    'The command agentform completion prints a script for %s that asks agentform.',
    async (shell) => {
      const { code, stdout } = await project.run('completion', shell);
      expect(code).toBe(0);
      expect(stdout).toContain('--get-yargs-completions');
      expect(stdout).toContain(`SHELL=${shell}`);
    },
  );

  test('The command agentform completion detects the shell, and refuses an unknown one.', async () => {
    const zsh = await testProject({}, { SHELL: '/usr/local/bin/zsh' });
    const other = await testProject({}, { SHELL: '/bin/tcsh' });
    made.push(zsh, other);
    expect((await zsh.run('completion')).stdout).toMatch(/^#compdef agentform/);
    const { code, stderr } = await other.run('completion');
    expect(code).toBe(1);
    expect(stderr).toContain('unknown shell; name one of bash, zsh, fish');
  });
});
