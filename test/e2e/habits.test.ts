import { chown, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleProject, type TestProject, testProject } from '../support/cli.ts';
import { oneAgentProject, startRemote, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys, runOnTerminal } from '../support/terminal.ts';

shareProcess();

let project: TestProject;

beforeAll(async () => {
  project = await exampleProject('clinic');
});
afterAll(() => project.remove());

describe('words from other tools get a suggestion', () => {
  test.each([
    ['destroy --yes', 'agentform cannot delete resources'],
    ['rm front-desk', 'run `agentform record forget Kind/name`'],
    ['lint', "there is no command lint; did you mean 'validate'?"],
    ['deploy -e local', "did you mean 'apply'?"],
    ['-e local up', "there is no command up; did you mean 'apply'?"],
    ['undo front-desk', "did you mean 'rollback'?"],
    ['state list', "there is no command state; did you mean 'record'?"],
    ['get agent front-desk', "did you mean 'record list'?"],
    ['describe front-desk', "did you mean 'record show'?"],
    ['force-unlock 17', 'there is nothing to unlock'],
    ['env list', 'environments are in agentform.yaml'],
    ['create agent', 'write a manifest and run `agentform apply`'],
    ['mv Agent/a Agent/b', 'the old one as renamedFrom'],
    ['import Agent/front-desk camp_1', 'agentform import does not accept the argument "camp_1"'],
    ['record rm Agent/a', 'there is no command record rm; see agentform record --help'],
    ['diff', 'agentform diff needs two environments'],
    ['diff staging', 'to see what an apply would change, run `agentform plan -e staging` (usage)'],
    ['diff front-desk -e staging', 'to see what an apply would change, run `agentform plan -e staging` (usage)'],
    ['update -e staging', 'name the resources, as in `agentform update front-desk -e staging`'],
    ['rollback -e staging', 'name the resources, as in `agentform rollback front-desk -e staging`'],
    ['unhold -e staging', 'name the resources, as in `agentform unhold front-desk -e staging`'],
    ['rollback front-desk --dry-run', '`agentform plan` shows what an apply would change'],
    ['rollback front-desk --force', 'agentform rollback has no option --force; see agentform rollback --help'],
    ['unhold front-desk --json', 'agentform unhold has no option --json; see agentform unhold --help'],
    ['test -t silence', 'agentform test has no option -t; see agentform test --help'],
    ['apply -f agents', 'To select resources, name them'],
    ['plan --target front-desk', 'name the resources instead'],
    ['plan --include front-desk', 'name the resources instead, as in `agentform plan front-desk`'],
    ['plan --var clinic=Elm', 'set the process variable AGENTFORM_VAR_NAME=VALUE instead'],
    ['plan -A', "to name every resource, write '*' instead"],
    ['rollback --all', "to name every resource, write '*' instead"],
    ['import --all', 'agentform import has no option --all; see agentform import --help'],
    ['apply --dry-run', '`agentform plan` shows what an apply would change'],
    ['apply --auto-approve', 'did you mean --yes?'],
    ['apply --force', 'did you mean --overwrite?'],
    ['plan --env staging', 'did you mean --environment?'],
    ['plan -n staging', 'did you mean --environment?'],
    ['plan --json', 'did you mean --format?'],
    ['plan -o json', 'did you mean --format?'],
    ['plan --detailed-exitcode', 'did you mean --exit-code?'],
    ['plan --refresh=false', 'did you mean --offline?'],
    ['plan --oot plan.json', 'did you mean --out?'],
    ['plan --nocolor', 'did you mean --no-color?'],
    ['plan --no-colr', 'did you mean --no-color?'],
    ['apply --no-yess', 'agentform apply has no option --no-yess; see'],
    ['apply --no-new', 'agentform apply has no option --no-new; omit --new instead; see'],
    ['plan --project agents/front-desk.yaml', "front-desk.yaml is not a project: its kind is 'Agent'"],
    ['plan --out nowhere/plan.json', 'nowhere/plan.json cannot be written: the folder nowhere does not exist'],
    ['plan --inclde front-desk', 'agentform plan has no option --inclde; see'],
    ['plan -out plan.json', '-out begins with one dash; write long options with two dashes'],
    ['plan -out=plan.json', '-out=plan.json begins with one dash; write long options with two dashes'],
    [
      'plan -elocal',
      '-elocal begins with one dash; write long options with two dashes, as in --yes, and separate a short option from its value',
    ],
    ['plan -help', '-help begins with one dash'],
    ['constructor', 'there is no command constructor; see agentform --help'],
    ['--toString', 'agentform has no option --toString; see agentform --help'],
    ['--nonsense', 'agentform has no option --nonsense; see agentform --help'],
    ['-e local', 'missing command; see agentform --help'],
    ['--project=clinic', 'missing command; see agentform --help'],
    ['help nosuch', 'there is no command nosuch; see agentform --help'],
    ['help plam', 'there is no command plam; did you mean'],
    ['plan --format', '--format needs a value'],
    ['plan front-dsek', "no resource matches front-dsek; did you mean 'front-desk'?"],
    ['plan agent/front-desk', "did you mean 'Agent/front-desk'?"],
    ['plan ./front-desk', 'use the name in the manifest, or the path of the manifest'],
    ['plan agents/nowhere.yaml', 'does not exist'],
    ['plan shared/clinic.yaml', 'does not declare a resource; to select the resources that use the file'],
    ['plan --constructor', 'agentform plan has no option --constructor; see agentform plan --help'],
    ['validate --watch --project nowhere', "there is no file or folder 'nowhere'"],
    ['plam', "there is no command plam; did you mean 'plan'?"],
    ['record lst', "there is no command record lst; did you mean 'list'?"],
    ['emulator extra', 'agentform emulator does not accept the argument "extra"'],
    ['explain', 'agentform explain needs NAME'],
    [
      'explain agent settings.agentVoce',
      'Agent has no setting "settings.agentVoce"; did you mean \'settings.agentVoice\'?',
    ],
    ['show Agent/front-desk --format html', 'a manifest cannot be shown as html'],
    ['test --filter nonsense', "no case of the selected agents has 'nonsense' in its name"],
    ['plan --concurrency', '--concurrency needs a value'],
    ['plan --format yaml', '--format is "yaml"; use text, json, markdown, html, github or gitlab'],
    ['plan --exit-code=1', '--exit-code accepts true, false or no value, not "1"'],
    ['plan --exit-code=TRUE', '--exit-code accepts true, false or no value, not "TRUE"'],
    ['apply --yes -- front-desk', 'omit --, because no name begins with a dash'],
    ['apply --yes=yes', '--yes accepts true, false or no value, not "yes"'],
  ])('The command agentform %s suggests the right command.', async (line, answer) => {
    const { code, stdout, stderr } = await project.run(...line.split(' '));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(answer);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    // Texts that yargs prints by default.
    expect(stderr).not.toMatch(/unknown argument|non-option|not enough arguments|invalid values/i);
  });
});

test.each([
  [[], /^agentform COMMAND/],
  [['help'], /^agentform COMMAND/],
  [['help', '--help'], /^agentform COMMAND/],
  [['help', '-h'], /^agentform COMMAND/],
  [['help', 'plan'], /^agentform plan \[names/],
  [['help', 'record', 'adopt'], /^agentform record adopt/],
  [['version'], /^\d+\.\d+\.\d+\n$/],
  [['-v'], /^\d+\.\d+\.\d+\n$/],
  [['-V'], /^\d+\.\d+\.\d+\n$/],
  [['plan', 'agents/front-desk.yaml'], /^Plan for local[\s\S]*Agent\/front-desk/],
  [['plan', 'front-desk,after-hours'], /^Plan for local[\s\S]*Agent\/after-hours[\s\S]*Agent\/front-desk/],
  [['diff', 'staging', 'production'], /^Difference of staging → production/],
  [['explain', 'front-desk'], /^Agent\/front-desk[\s\S]*settings\.title[\s\S]*declared in/],
  [['explain', 'agents', 'settings.agentVoice'], /^Agent\n\nsettings\.agentVoice {2}Voice\n/],
  [['show', 'Agent/front-desk'], /^apiVersion: agentform\/v1\nkind: Agent\nname: front-desk\n/],
  [['render', 'front-desk'], /^apiVersion: agentform\/v1\nkind: Agent\nname: front-desk\n/],
  [['plan', '--exit-code=true', '--color=false'], /^Plan for local/],
])('The command agentform %p does what it means.', async (args, answer) => {
  const { code, stdout, stderr } = await project.run(...args);
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(answer), stderr: '' });
  expect(code).toBe(args.includes('--exit-code=true') ? 2 : 0);
});

describe('variables that a shell sets once', () => {
  test('AGENTFORM_PROJECT and AGENTFORM_ENVIRONMENT replace options, which take precedence.', async () => {
    const elsewhere = await testProject({}, { AGENTFORM_PROJECT: project.root, AGENTFORM_ENVIRONMENT: 'nowhere' });
    expect((await elsewhere.run('plan')).stderr).toContain("'nowhere'");
    expect((await elsewhere.run('plan', '-e', 'local')).stdout).toMatch(/^Plan for local/);
    expect((await elsewhere.run('validate', '--project', '.')).stderr).toContain('no agentform.yaml');
    expect((await elsewhere.run('diff', 'staging', 'production')).stdout).toMatch(
      /^Difference of staging → production/,
    );
    const given = await elsewhere.run('diff', 'staging', 'production', '-e', 'nowhere');
    expect(given).toMatchObject({ code: 1, stderr: expect.stringContaining('agentform diff needs two environments') });
    await elsewhere.remove();
  });

  test('AGENTFORM_LOG=debug prints every request.', async () => {
    const loud = await exampleProject('clinic', { AGENTFORM_LOG: 'debug' });
    await loud.run('apply', '--yes');
    expect((await loud.run('plan')).stderr).toMatch(/^GET \/api\/v2\/agent\/\S+: 200, try 1/m);
    expect((await loud.run('inbox')).stderr).toMatch(/^GET \S+: 200, try 1/m);
    await loud.remove();
  });

  test('AGENTFORM_LOG with another level is refused.', async () => {
    const loud = await exampleProject('clinic', { AGENTFORM_LOG: 'trace' });
    expect((await loud.run('plan')).stderr).toContain('AGENTFORM_LOG is "trace"; the only level is debug');
    await loud.remove();
  });

  test('AGENTFORM_SECRETS names the secrets that manifests may use.', async () => {
    const files = {
      'agentform.yaml':
        'apiVersion: agentform/v1\nkind: Project\nmanifests: [a.yaml]\ndefaultEnvironment: p\nenvironments: { p: { baseUrl: https://service.example.com, token: "${secret.TOKEN}" } }\n',
      'a.yaml':
        'apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: { title: "${secret.OTHER}", description: D }\n',
    };
    const narrow = await testProject(files, { TOKEN: 'tok-123456', OTHER: 'oth-123456', AGENTFORM_SECRETS: 'TOKEN' });
    const { code, stderr } = await narrow.run('plan');
    expect(code).toBe(1);
    expect(stderr).toContain("the secret 'OTHER' is not allowed, because AGENTFORM_SECRETS allows only 'TOKEN'");
    await narrow.remove();
  });

  test.each([
    ['import', 'camp_1', '--name', 'b', '--description', 'D'],
    ['record', 'adopt', 'Agent/a', 'camp_1'],
    ['inbox'],
  ])('AGENTFORM_SECRETS also limits %s %s %s.', async (...args) => {
    const files = {
      'agentform.yaml':
        'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\ndefaultEnvironment: p\nenvironments: { p: { baseUrl: https://service.example.com, token: "${secret.OTHER}" } }\n',
      'agents/a.yaml':
        'apiVersion: agentform/v1\nkind: Agent\nname: a\ntarget: { query: { targetAccountId: "1" } }\nsettings: { title: T, description: D }\n',
    };
    const narrow = await testProject(files, { TOKEN: 'tok-123456', OTHER: 'oth-123456', AGENTFORM_SECRETS: 'TOKEN' });
    const { code, stdout, stderr } = await narrow.run(...args);
    expect({ code, said: stdout + stderr }).toEqual({
      code: 1,
      said: expect.stringContaining("the secret 'OTHER' is not allowed, because AGENTFORM_SECRETS allows only 'TOKEN'"),
    });
    await narrow.remove();
  });

  test('A pipeline without AGENTFORM_SECRETS prints a warning.', async () => {
    const pipeline = await exampleProject('clinic', { CI: 'true' });
    expect((await pipeline.run('plan')).stderr).toContain(
      'set AGENTFORM_SECRETS to the names of the secrets they need',
    );
    await pipeline.remove();
  });
});

describe('agentform.yaml in a folder above', () => {
  test('The file agentform.yaml in a parent folder is found from inside the project.', async () => {
    const { run } = project.in('agents');
    expect((await run('plan')).stdout).toMatch(/^Plan for local/);
  });

  test('The file agentform.yaml in a parent folder only counts if it belongs to the user.', async () => {
    // Only root may change the owner of a file.
    if (process.getuid?.() !== 0) return;
    await chown(join(project.root, 'agentform.yaml'), 65_534, 65_534);
    expect((await project.in('agents').run('plan')).stderr).toContain('no agentform.yaml');
    expect((await project.run('plan')).stdout).toMatch(/^Plan for local/);
  });

  test('A message reports a file agentform.yaml that cannot be read, and --help still works.', async () => {
    const elsewhere = await testProject({});
    await rm(join(elsewhere.root, 'agentform.yaml'), { force: true });
    await symlink('agentform.yaml', join(elsewhere.root, 'agentform.yaml'));
    expect((await elsewhere.run('plan')).stderr).toContain(
      'error: agentform.yaml cannot be read: its symbolic links form a cycle (project-invalid)',
    );
    expect(await elsewhere.run('plan', '--help')).toMatchObject({ code: 0, stderr: '' });
  });

  test('The file agentform.yaml in a parent folder is not searched beyond the repository.', async () => {
    await mkdir(join(project.root, 'nested/.git'), { recursive: true });
    const { run } = project.in('nested');
    expect((await run('plan')).stderr).toContain('no agentform.yaml');
  });
});

test('A language server that is started on a terminal says what it waits for.', async () => {
  const { code, screen } = await runOnTerminal(['lsp'], { cwd: project.root }, [['waits for', keys.interrupt]]);
  expect(screen).toContain('waits for messages from an editor. To check the project here, run `agentform validate`.');
  expect(code).toBe(130);
});

test('A terminal shows how long a slow service took.', async () => {
  const remote = await startRemote();
  const slow = await oneAgentProject(remote, 'settings: { title: Desk, description: Answers. }\n');
  try {
    await slow.run('apply', '--yes', '--new', 'all');
    await remote.faults([{ kind: 'latency', ms: 1500 }]);
    const { screen } = await runOnTerminal(['plan'], { cwd: slow.root, env: { AGENT_TOKEN: token } }, []);
    expect(screen).toMatch(/✔ Read 1 of 1 in \d+\.\d s\n/);
  } finally {
    await slow.remove();
    await remote.close();
  }
});

describe('commands on an applied project', () => {
  beforeAll(() => project.run('apply', '--yes'));

  test('A question that needs the full word yes explains that after a typed y.', async () => {
    const { screen } = await runOnTerminal(['record', 'forget', 'Agent/front-desk'], { cwd: project.root }, [
      ['to continue:', 'y\r'],
    ]);
    expect(screen).toContain('Only "yes" is accepted.');
    expect(screen).toContain('no record was deleted');
  });

  test('The list of records shows full names, ids and times in 80 columns.', async () => {
    const { screen } = await runOnTerminal(['record', 'list'], { cwd: project.root, columns: 80 }, []);
    expect(screen).toMatch(/^Agent\/after-hours +camp_\w{12} .* \d{4}-\d\d-\d\d \d\d:\d\d {2}applied$/m);
  });

  test('A terminal with an unknown width wraps at 80 columns.', async () => {
    const { screen } = await runOnTerminal(['plan'], { cwd: project.root, columns: 0 }, []);
    expect(screen.replaceAll(/\s+/g, ' ')).toMatch(/Checked .* write-only \(assumed unchanged\)\. /);
    expect(Math.max(...screen.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });
});
