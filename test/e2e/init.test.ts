import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const made: TestProject[] = [];
afterAll(() => Promise.all(made.map((project) => project.remove())));

async function folder(files: Readonly<Record<string, string>> = {}, env: Readonly<Record<string, string>> = {}) {
  const project = await testProject(files, env);
  made.push(project);
  return project;
}

const workflows = ['apply.yml', 'by-hand.yml', 'drift.yml', 'preview.yml'];

/** The texts of all files in the folder. */
async function snapshot(project: TestProject): Promise<Record<string, string>> {
  const entries = await readdir(project.root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !/\/\.git(\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name).slice(project.root.length + 1));
  return Object.fromEntries(await Promise.all(paths.sort().map(async (path) => [path, await project.read(path)])));
}

const projectFiles = [
  '.agentform/schemas/manifest.schema.json',
  '.agentform/schemas/project.schema.json',
  '.agentform/schemas/task.schema.json',
  '.gitignore',
  '.vscode/extensions.json',
  '.vscode/settings.json',
  'agentform.yaml',
  'agents/front-desk.yaml',
  'prompts/front-desk.md',
];

describe('init', () => {
  test('Init creates a project that can be validated, planned and applied immediately.', async () => {
    const project = await folder();
    const { code, stdout, stderr } = await project.run('init');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Created \d+ files\n/);
    expect(stdout).toContain(
      '\nNext\n  1. Try the project on the embedded emulator (no account needed): agentform validate',
    );
    // Without a remote, `init` writes no workflow that applies.
    expect(stdout).toContain('The workflows run for pull requests to the branch ');
    expect(Object.keys(await snapshot(project)).filter((path) => !path.startsWith('.github/'))).toEqual(projectFiles);
    expect(await project.run('validate')).toEqual({
      code: 0,
      stdout: '1 manifest valid in 1 environment (local)\n',
      stderr: '',
    });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 2 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('Init asks for a repository first if production keeps its records there.', async () => {
    const project = await folder();
    const { stdout } = await project.run('init', '--base-url', 'https://service.example.com', '--record', 'git');
    const first = 'Run git init and git remote add origin URL, and commit everything';
    expect(stdout).toContain(first);
    expect(stdout.indexOf(first)).toBeLessThan(stdout.indexOf('agentform import AGENT_ID --name NAME -e production'));
    expect(stdout).toContain(
      'run the workflow "Agents by hand" with the command: import AGENT_ID --name NAME --description TEXT',
    );
    expect(await project.run('plan', '-e', 'production')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not in a git repository; run `git init`'),
    });
  });

  test('Init keeps records in files without a git remote, and explains how a workflow can apply.', async () => {
    const project = await folder();
    execFileSync('git', ['init', '-q', project.root]);
    const { stdout } = await project.run('init');
    expect(parse(await project.read('agentform.yaml')).record).toEqual({ store: 'file' });
    expect(stdout).toContain('run agentform record move --to git and agentform init --workflows');
    expect((await project.run('init', 'other', '--no-workflows')).stdout).not.toContain('record move');
  });

  test('Init asks for a repository and its remote before any step that needs them.', async () => {
    const project = await folder();
    const { stdout } = await project.run('init', '--yes');
    const steps = ['Run git init and git remote add origin URL, and commit', "the repository's secret", 'record move'];
    const places = steps.map((step) => stdout.indexOf(step));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(stdout.match(/remote/g)).toHaveLength(1);
    expect((await project.run('init', 'other', '--no-workflows')).stdout).not.toContain('remote');
  });

  test('Init makes the environment of a base URL the default.', async () => {
    const project = await folder();
    const { stdout } = await project.run('init', '--base-url', 'https://service.example.com', '--sample');
    expect(parse(await project.read('agentform.yaml')).defaultEnvironment).toBe('production');
    expect(stdout).toContain('agentform plan -e local, agentform apply -e local');
    expect(stdout).toContain('agentform apply -e production --new Agent/front-desk');
  });

  test('Init keeps the environments of an existing project, and names no new one.', async () => {
    const project = await folder();
    await project.run('init', '--no-workflows');
    const { stdout } = await project.run('init', '--no-workflows', '--base-url', 'https://service.example.com');
    expect(parse(await project.read('agentform.yaml')).environments).toEqual({ local: { baseUrl: 'emulator' } });
    expect(stdout).not.toContain('production');
  });

  test.each([
    [['--base-url', 'https://service.example.com']],
    [['--base-url', 'https://service.example.com', '--sample', '--name', 'night']],
    [['--record', 'git', '--title', 'Night desk']],
  ])('The command that created a project can be repeated: init %j.', async (flags) => {
    const project = await folder();
    await project.run('init', ...flags);
    const before = await snapshot(project);
    expect(await project.run('init', ...flags)).toMatchObject({ code: 0, stderr: '' });
    expect(await snapshot(project)).toEqual(before);
    expect(await project.run('init', '--base-url', 'https://other.example.com')).toMatchObject({ code: 1 });
    await project.write('agentform.yaml', `${await project.read('agentform.yaml')}\n`);
    expect(await project.run('init', ...flags.slice(0, 2))).toMatchObject({ code: 1 });
  });

  test('A repeated command keeps nothing that it would write differently, even with a git remote.', async () => {
    const project = await folder();
    execFileSync('git', ['init', '-q'], { cwd: project.root });
    execFileSync('git', ['remote', 'add', 'origin', 'https://git.example.com/agents.git'], { cwd: project.root });
    const command = ['init', '--base-url', 'https://service.example.com'];
    const { stdout: created } = await project.run(...command);
    const { stdout: repeated } = await project.run(...command);
    expect(repeated).toMatch(/^Unchanged 11 files\n/);
    expect(repeated).not.toContain('Kept');
    expect(repeated.split('Next')[1]).toBe(created.split('Next')[1]);
  });

  test('Init suggests nothing for a short base URL that is not a URL.', async () => {
    const { code, stderr } = await (await folder()).run('init', '--base-url', 'x', '--yes');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "error: --base-url is 'x': expected 'emulator' or an HTTP(S) URL (usage)\n",
    });
  });

  test('Init writes a prompt without placeholders.', async () => {
    const project = await folder();
    await project.run('init', '--no-workflows');
    const prompt = await project.read('prompts/front-desk.md');
    expect(prompt).not.toMatch(/write here|todo|placeholder|\[/i);
    expect((await project.run('validate')).stderr).toBe('');
  });

  test('Init keeps the emulator and plans out of git, and records and schemas in it.', async () => {
    const project = await folder();
    execFileSync('git', ['init', '-q', project.root]);
    await project.run('init', '--no-workflows');
    await project.run('apply', '--yes', '--new', 'all');
    await project.run('plan', '--out', 'plan.json');
    await project.write('.agentform/records/production/Agent/front-desk.json', '{}');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.root, encoding: 'utf8' });
    git('add', '-A');
    expect(git('ls-files').trim().split('\n')).toEqual(
      ['.agentform/records/production/Agent/front-desk.json', ...projectFiles].sort(),
    );
  });

  test('Init accepts all values as flags.', async () => {
    const project = await folder();
    const title = `Night: "\${var.x}" #1`;
    const flags = [
      '--name',
      'night',
      '--title',
      title,
      '--base-url',
      'https://service.example.com',
      '--sample',
      '--yes',
    ];
    expect(await project.run('init', 'a b', ...flags)).toMatchObject({ code: 0 });
    expect(parse(await project.read('a b/agentform.yaml')).environments).toEqual({
      local: { baseUrl: 'emulator' },
      production: { baseUrl: 'https://service.example.com', token: '${secret.AGENT_TOKEN}' },
    });
    const validated = await project.run('validate', '--project', 'a b');
    expect(validated.stdout).toBe('1 manifest valid in 2 environments (local, production)\n');
    const { stdout } = await project.run('plan', '--project', 'a b', '-e', 'local', '--format', 'json');
    const { resources } = JSON.parse(stdout);
    expect(resources[0].name).toBe('night');
    expect(resources[0].changes).toContainEqual(expect.objectContaining({ path: 'settings.title', to: title }));
  });

  test('Init --record git names the branch.', async () => {
    const project = await folder();
    await project.run('init', '--record', 'git', '--yes');
    expect(parse(await project.read('agentform.yaml')).record).toEqual({ store: 'git', branch: 'agentform-records' });
    expect(await project.run('validate')).toMatchObject({ code: 0 });
  });

  test('Init sets the schemas in editor settings and in the first line of each file.', async () => {
    const project = await folder();
    await project.run('init');
    const settings = JSON.parse(await project.read('.vscode/settings.json'));
    for (const [path, files] of [
      ['agentform.yaml', ''],
      ['agents/front-desk.yaml', 'agents'],
    ] as const) {
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(await project.read(path)) ?? [];
      const { $id } = JSON.parse(await project.read(join(files, schema)));
      expect($id).toBe(path === 'agentform.yaml' ? 'urn:agentform:v1:project' : 'urn:agentform:v1:manifest');
    }
    for (const schema of Object.keys(settings['yaml.schemas'])) JSON.parse(await project.read(schema));
  });

  test('Init writes editor settings at the top of the repository.', async () => {
    const project = await folder();
    execFileSync('git', ['init', '-q', project.root]);
    await project.run('init', 'deploy');
    expect(JSON.parse(await project.read('.vscode/settings.json'))).toEqual({
      'yaml.schemas': {
        './deploy/.agentform/schemas/project.schema.json': 'deploy/agentform.yaml',
        './deploy/.agentform/schemas/manifest.schema.json': [
          'deploy/{agents,fleets,policies,tests}/**/*.{yaml,yml}',
          'deploy/{shared,templates,clients,policies,tests}/**/*.{yaml,yml}',
        ],
        './deploy/.agentform/schemas/task.schema.json': 'deploy/tasks/**/*.{yaml,yml}',
      },
    });
  });

  test('Init writes the workflows of examples/github that need neither a GitHub App nor a rollout to the top of the repository.', async () => {
    const project = await folder();
    execFileSync('git', ['init', '-q', project.root]);
    execFileSync('git', ['remote', 'add', 'origin', 'https://git.example.com/agents.git'], { cwd: project.root });
    await project.run('init', 'deploy');
    const written = Object.keys(await snapshot(project)).filter((path) => path.includes('.github'));
    expect(written.sort()).toEqual(workflows.map((name) => `.github/workflows/agentform-${name}`));
    for (const path of written) {
      const text = await project.read(path);
      expect(text).toContain('project: deploy');
      expect(text).not.toMatch(/copy|\.github\/workflows/i);
    }
    expect(parse(await project.read('deploy/agentform.yaml')).record.store).toBe('git');
  });

  test('Init writes no workflow that applies if its records would be lost with the job.', async () => {
    const project = await folder();
    await project.run('init', '--record', 'file');
    const written = Object.keys(await snapshot(project)).filter((path) => path.includes('.github'));
    expect(written).not.toContain('.github/workflows/agentform-apply.yml');
    expect(written).toHaveLength(workflows.length - 1);
    await project.run('init', 'other', '--no-workflows');
    expect(parse(await project.read('other/agentform.yaml')).record.store).toBe('file');
  });
});

describe('init in a folder with files', () => {
  test('Init keeps every existing file and names it.', async () => {
    const files = {
      'README.md': '# Mine\n',
      '.gitignore': 'node_modules/\n.agentform/locks/\n',
      '.vscode/settings.json': '{}',
      'prompts/front-desk.md': 'My own words.\n',
    };
    const project = await folder(files);
    const { code, stdout } = await project.run('init', '--no-workflows');
    expect(code).toBe(0);
    expect(await snapshot(project)).toMatchObject(files);
    expect(stdout).toContain('Kept 3 files\n  prompts/front-desk.md\n  .vscode/settings.json\n  .gitignore\n');
    expect(stdout).toMatch(
      /Add these lines to your existing \.gitignore.*\n {2}\.agentform\/emulator\.json\n {2}\.agentform\/emulator\.key\n {2}\.agentform\/records\/local\/\n/,
    );
    expect(await project.run('validate')).toMatchObject({ code: 0 });
  });

  test('Init keeps existing editor settings, and prints the missing ones.', async () => {
    const manifests = '["desks/*.yaml", "!desks/old.yaml"]';
    const project = await folder({
      'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: ${manifests}\nenvironments: { local: { baseUrl: emulator } }\n`,
      '.vscode/settings.json': '{ "editor.tabSize": 2 } // mine\n',
    });
    const { stdout } = await project.run('init');
    expect(stdout).toContain('Add these settings to your existing .vscode/settings.json\n  "yaml.schemas": {\n');
    const [, printed = ''] = /( {2}"yaml\.schemas": [\s\S]*?\n {2}\})/.exec(stdout) ?? [];
    expect(JSON.parse(`{${printed}}`)['yaml.schemas']).toMatchObject({
      './.agentform/schemas/manifest.schema.json': [
        'desks/*.yaml',
        '!desks/old.yaml',
        '{shared,templates,clients,policies,tests}/**/*.{yaml,yml}',
      ],
    });
    await project.write('.vscode/settings.json', `{ // mine\n${printed}}`);
    expect((await project.run('init')).stdout).not.toContain('Add these settings');
  });

  test('Init keeps existing extension recommendations, and prints the missing one.', async () => {
    const mine = '{ "recommendations": ["redhat.vscode-yaml"] } // mine\n';
    const project = await folder({ '.vscode/extensions.json': mine });
    const { stdout } = await project.run('init');
    expect(stdout).toContain(
      'Add these settings to your existing .vscode/extensions.json\n  "recommendations": [\n    "agentform.agentform"\n  ]\n',
    );
    expect(await project.read('.vscode/extensions.json')).toBe(mine);
    await project.write('.vscode/extensions.json', '{ "recommendations": ["agentform.agentform"] } // mine\n');
    expect((await project.run('init')).stdout).not.toContain('Add these settings');
  });

  test.each([
    ['is not valid YAML', 'manifests: ['],
    ['has no patterns', 'manifests: 5'],
    ['is not a map', '[]'],
  ])('Init writes the default editor settings if agentform.yaml %s.', async (_, text) => {
    const project = await folder({ 'agentform.yaml': text });
    expect(await project.run('init')).toMatchObject({ code: 0 });
    expect(await project.read('.vscode/settings.json')).toContain('"{agents,fleets,policies,tests}/**/*.{yaml,yml}"');
  });

  test('A second init changes nothing and adds no agent.', async () => {
    const project = await folder();
    await project.run('init', '--name', 'billing');
    const before = await snapshot(project);
    const { code, stdout } = await project.run('init', '--name', 'billing');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Unchanged \d+ files\n {2}\.agentform\/schemas\//);
    expect(stdout).not.toMatch(/Created|Replaced|Kept/);
    await project.run('init');
    expect(await snapshot(project)).toEqual(before);
  });

  test('Init does not mention an emulator in a project without one.', async () => {
    const project = await folder({
      'agentform.yaml':
        'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { production: { baseUrl: https://service.example.com } }\n',
    });
    const { stdout } = await project.run('init');
    expect(stdout).toContain('\nNext\n  1. Run: agentform validate\n');
    expect(stdout).not.toContain('emulator (no account');
  });

  test('An agent that init adds to an existing project has a separate token, and can be applied immediately.', async () => {
    const project = await folder();
    await project.run('init');
    const { stdout } = await project.run('init', '--name', 'night-desk');
    expect(stdout).toContain('set AGENT_TOKEN_NIGHT_DESK to the token of its account');
    expect((await project.run('validate')).stdout).toBe('2 manifests valid in 1 environment (local)\n');
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    await project.edit('agentform.yaml', /^ {2}# (production:| {2}.*)/gm, '  $1');
    expect((await project.run('validate')).stdout).toBe('2 manifests valid in 2 environments (local, production)\n');
    const { stderr } = await project.run('plan', '-e', 'production');
    expect(stderr).toContain('AGENT_TOKEN_NIGHT_DESK  agents/night-desk.yaml:11');
  });

  test('A repeated init keeps the target of each agent, even with --force.', async () => {
    const project = await folder();
    await project.run('init');
    await project.run('init', '--name', 'night-desk');
    const before = await snapshot(project);
    await project.run('init', '--name', 'front-desk', '--force');
    await project.run('init', '--name', 'night-desk', '--force');
    expect(await snapshot(project)).toEqual(before);
  });

  test('An agent that init adds uses the token of the environment if the project has no other agent.', async () => {
    const project = await folder();
    await project.run('init', '--no-sample');
    const { stdout } = await project.run('init', '--name', 'night-desk');
    expect(stdout).not.toContain('AGENT_TOKEN');
    expect(await project.read('agents/night-desk.yaml')).not.toContain('token');
  });

  test('An agent that init adds has a separate token in each environment if the environments have different tokens.', async () => {
    const project = await folder();
    await project.run('init');
    const environment = (name: string) =>
      `  ${name}:\n    baseUrl: https://service.example.com\n    token: \${secret.${name.toUpperCase()}}\n`;
    await project.edit(
      'agentform.yaml',
      'environments:\n',
      `environments:\n${environment('staging')}${environment('live')}`,
    );
    const { stdout } = await project.run('init', '--name', 'night');
    expect(stdout).toContain('set STAGING_NIGHT, LIVE_NIGHT and AGENT_TOKEN_NIGHT to the token');
    expect(stdout).toContain('add each name under `secrets` and its value under `env`');
    expect((await project.read('agents/night.yaml')).match(/environments:/g)).toHaveLength(1);
    expect((await project.run('validate')).stdout).toBe('2 manifests valid in 3 environments (staging, live, local)\n');
  });

  test('Init refuses a title without a name in an existing project.', async () => {
    const project = await folder();
    await project.run('init');
    const before = await snapshot(project);
    expect(await project.run('init', '--title', 'Billing')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--title in an existing project needs --name, the name of the agent to add'),
    });
    expect(await snapshot(project)).toEqual(before);
    expect(await project.run('init', '--title', 'Billing', '--force')).toMatchObject({ code: 0 });
    expect(await project.read('agents/front-desk.yaml')).toContain('title: Billing\n');
  });

  test('Init continues after an interrupted run.', async () => {
    const project = await folder();
    await project.run('init');
    const before = await snapshot(project);
    await Promise.all(['agentform.yaml', 'agents/front-desk.yaml', '.gitignore'].map((path) => removed(project, path)));
    await project.run('init');
    expect(await snapshot(project)).toEqual(before);
  });

  test('Init writes no prompt beside an existing manifest.', async () => {
    const project = await folder({
      'agents/front-desk.yaml': 'apiVersion: agentform/v1\nkind: Agent\nname: front-desk\n',
    });
    await project.run('init');
    expect(Object.keys(await snapshot(project))).not.toContain('prompts/front-desk.md');
  });

  test('Init --force replaces only files of agentform.', async () => {
    const files = { 'agentform.yaml': 'old', 'agents/front-desk.yaml': 'old', '.gitignore': 'mine\n' };
    const project = await folder({ ...files, '.vscode/settings.json': '{ "mine": 1 }' });
    const { stdout } = await project.run('init', '--force');
    expect(stdout).toContain('Replaced 2 files\n  agents/front-desk.yaml\n  agentform.yaml\n');
    expect(await snapshot(project)).toMatchObject({ '.gitignore': 'mine\n', '.vscode/settings.json': '{ "mine": 1 }' });
    expect(await project.run('validate')).toMatchObject({ code: 0 });
  });

  test('Init replaces schemas of another version of agentform.', async () => {
    const project = await folder();
    await project.run('init');
    const before = await snapshot(project);
    await project.write('.agentform/schemas/project.schema.json', '{}');
    await project.edit('agentform.yaml', 'kind: Project', 'kind: Project # mine');
    const { stdout } = await project.run('init');
    expect(stdout).toContain('Replaced 1 file\n  .agentform/schemas/project.schema.json\n');
    expect(stdout).toContain('Kept 1 file\n  agentform.yaml\n');
    await project.edit('agentform.yaml', 'kind: Project # mine', 'kind: Project');
    expect(await snapshot(project)).toEqual(before);
  });
});

const service = ['--base-url', 'https://service.example.com'];

describe('init that is refused', () => {
  test.each([
    [['--name', 'Front Desk'], "--name is 'Front Desk': expected lowercase letters"],
    [['--name', 'nul'], "--name is 'nul': expected lowercase letters"],
    [['--title', ' '], '--title must be one line of text and not empty'],
    [['--title', 'a\nb'], '--title must be one line of text and not empty'],
    [['--base-url', 'service'], "--base-url is 'service': expected 'emulator' or an HTTP(S) URL"],
    [['--base-url', 'https://u:hunter2@x.example.com'], '--base-url contains credentials: remove them'],
    [['--base-url', 'https://x.example.com/api/v2'], 'remove /api/v2 and write https://x.example.com'],
    [['--base-url', 'emulator'], "--base-url is 'emulator', which the environment local already uses"],
    [['--record', 'redis'], '--record is "redis"; use file, git or postgres'],
    [[...service, '--name', 'night'], '--name with --base-url needs --sample, which writes a new agent'],
    [['--no-sample', '--name', 'night'], '--name describes the sample agent, and --no-sample omits it'],
    [['--no-sample', '--title', 'Night'], '--title describes the sample agent, and --no-sample omits it'],
    [[...service, '--title', 'Night'], '--title with --base-url needs --sample, which writes a new agent'],
  ])('Init refuses %j before it writes.', async (flags, message) => {
    const project = await folder();
    const { code, stdout, stderr } = await project.run('init', 'desk', ...flags);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('(usage)');
    expect(stderr).not.toContain('hunter2');
    expect(await readdir(project.root)).toEqual([]);
  });

  test.each([
    [service, '--base-url does not change an existing project; edit `environments` in agentform.yaml'],
    [['--record', 'git'], '--record does not change an existing project; edit `record` in agentform.yaml'],
  ])('Init refuses %j in an existing project, unless --force or --workflows uses it.', async (flags, message) => {
    const project = await folder();
    await project.run('init', '--no-workflows');
    const before = await snapshot(project);
    const { code, stdout, stderr } = await project.run('init', ...flags);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${message}, or add --force to replace the file (usage)`);
    expect(await snapshot(project)).toEqual(before);
    expect(await project.run('init', ...flags, '--workflows')).toMatchObject({ code: 0 });
    expect(await project.run('init', ...flags, '--force', '--yes')).toMatchObject({ code: 0 });
  });

  test('Init refuses a file in place of a folder, and a folder in place of a file.', async () => {
    const asFile = await folder({ agents: 'a file' });
    const { code, stderr } = await asFile.run('init');
    expect(code).toBe(1);
    expect(stderr).toMatch(/agents\/front-desk\.yaml cannot be written: .* is not a folder \(file-unwritable\)/);
    expect(await readdir(asFile.root)).toEqual(['agents']);
    const asFolder = await folder();
    await mkdir(join(asFolder.root, '.gitignore'));
    expect((await asFolder.run('init')).stderr).toContain('.gitignore cannot be written: it is a folder');
    expect(await readdir(asFolder.root)).toEqual(['.gitignore']);
    const target = await folder({ desk: 'a file' });
    expect((await target.run('init', 'desk')).stderr).toContain('is not a folder (file-unwritable)');
  });

  test('Init refuses a folder whose path is not UTF-8, because Node would write to a different folder.', async () => {
    const project = await folder();
    const { code, stderr } = await project.run('init', 'desk\ufffd');
    expect(code).toBe(1);
    expect(stderr).toContain('its path is not UTF-8; rename the folder (file-unwritable)');
    expect(await readdir(project.root)).toEqual([]);
  });

  test('Init writes nothing through a dangling link.', async () => {
    const project = await folder();
    await symlink('/nowhere/at/all', join(project.root, '.gitignore'));
    const { code, stdout } = await project.run('init');
    expect(code).toBe(0);
    expect(stdout).toContain('Kept 1 file\n  .gitignore\n');
  });
});

async function removed(project: TestProject, path: string): Promise<void> {
  await rm(join(project.root, path));
}

test('Init below a folder of the kernel ends with a sentence.', async () => {
  const project = await folder();
  const { code, stderr } = await project.run('init', '/proc/agentform');
  expect(code).toBe(1);
  const why = 'its file system does not allow new folders (ENOENT)';
  expect(stderr).toBe(`error: /proc/agentform cannot be written: ${why} (file-unwritable)\n`);
});

test('Init in a folder that cannot be written ends with a sentence.', async () => {
  const project = await folder();
  await writeFile(join(project.root, 'file'), '');
  const { code, stderr } = await project.run('init', 'file/inside');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: .* cannot be written: .*\(file-unwritable\)\n$/);
});
