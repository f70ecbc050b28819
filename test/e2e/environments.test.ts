import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { fitting } from '../support/published-schemas.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const files = {
  'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
defaultEnvironment: local
environments:
  local: { baseUrl: emulator }
  prod-us: { baseUrl: emulator, query: { region: us } }
  prod-eu: { baseUrl: emulator, query: { region: eu } }
`,
  'agents/desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: desk
settings: { title: Desk, description: Answers }
environments: { prod-eu: { settings: { agentVoice: "\${secret.EU_VOICE}" } } }
`,
};

let project: TestProject;

beforeEach(async () => {
  project = await testProject(files);
});
afterEach(() => project.remove());

const run = (line: string) => project.run(...line.split(' '));
const withoutSecret = () => project.edit('agents/desk.yaml', /environments.*\n/, '');

interface Document {
  readonly environment: string;
  readonly error?: { readonly code: string };
  readonly notAttempted?: boolean;
}

function documentsIn(json: string): Document[] {
  const { environments, ...rest }: { environments: Document[] } = JSON.parse(json);
  expect(rest).toEqual({ formatVersion: 1 });
  return environments;
}

describe('a plan of several environments', () => {
  test.each([
    ['with commas, in their order', '-e prod-us,local', ['prod-us', 'local']],
    ['as an option given twice, each once', '-e local -e prod-us -e local', ['local', 'prod-us']],
    ['as a glob, in the order of agentform.yaml', '-e prod-?s,*al', ['prod-us', 'local']],
    ['as a glob that finds one', '-e loc*', ['local']],
  ])('Several environments can be named %s.', async (_, options, names) => {
    const { code, stdout } = await run(`plan ${options} --format json`);
    expect(code).toBe(0);
    expect(documentsIn(stdout).map(({ environment }) => environment)).toEqual(names);
  });

  test('A plan of several environments shows one after another, and exits with the most severe code.', async () => {
    const { code, stdout } = await run('plan -e local,prod-us --exit-code');
    expect(code).toBe(2);
    expect(stdout.match(/^(Environment|Plan for) .*$/gm)).toEqual([
      'Environment local',
      expect.stringMatching(/^Plan for local /),
      'Environment prod-us',
      expect.stringMatching(/^Plan for prod-us /),
    ]);
    const markdown = await run('plan -e local,prod-us --format markdown');
    expect(markdown.stdout).toMatch(/^### Plan for `local`: .*\n[\s\S]*\n\n### Plan for `prod-us`: .*\n/);
  });

  test('A plan of several environments continues after one that fails, and reports the reason.', async () => {
    const { code, stdout, stderr } = await run('plan -e prod-eu,local --format json');
    expect(code).toBe(1);
    expect(documentsIn(stdout)).toMatchObject([
      { environment: 'prod-eu', error: { code: 'manifests-invalid', message: expect.any(String) } },
      { environment: 'local', formatVersion: 1, summary: { create: 1 } },
    ]);
    expect(stderr).toContain("the secret 'EU_VOICE' has no value");
  });

  test('A plan of several environments annotates a shared problem once, and names the environments of others.', async () => {
    const { stdout } = await run('plan -e prod-us,prod-eu,local --format github');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^::error file=agents\/desk.yaml,.*EU_VOICE.* \(in the environment prod-eu\)$/),
      expect.stringMatching(
        /^::notice file=agents\/desk.yaml,.*::will be created \(in the environments prod-us and local\)$/,
      ),
      '',
    ]);
    await project.edit('agents/desk.yaml', 'title: Desk', 'title: Desk, timezone: Mars');
    const same = await run('plan -e prod-us,local --format github');
    expect(same.stdout).toMatch(/^::error [^\n]*::settings.timezone is 'Mars'[^\n]*'Europe\/Berlin'\n$/);
  });

  test.each([
    ['-e staging,local', 'no environment', 'environment-unknown'],
    ['-e x*', 'no environment matches x*; agentform.yaml has local, prod-us, prod-eu', 'environment-unknown'],
    ['-e local,prod-us --out plan.json', '--out requires a single environment', 'usage'],
    ['-e loc* --format html', '--format html requires a single environment', 'usage'],
    ['-e loc* --out plan.json', '--out requires a single environment', 'usage'],
  ])('The command %s is refused with several environments.', async (options, message, code) => {
    const { code: rc, stdout, stderr } = await run(`plan ${options}`);
    expect({ rc, stdout }).toEqual({ rc: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(`(${code})`);
  });

  test('An empty shell variable does not select several environments.', async () => {
    expect(await project.run('plan', '-e', '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('-e is empty'),
    });
    for (const listed of [' ', ',', ', ', ',local', 'local,']) {
      expect(await project.run('plan', '-e', listed)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining("agentform.yaml has no environment '"),
      });
    }
    expect(await project.run('validate', '-e', ',')).toMatchObject({ code: 1 });
  });
});

describe('a single environment', () => {
  test('A single environment has its plain result.', async () => {
    expect(JSON.parse((await run('plan -e local --format json')).stdout)).toMatchObject({ environment: 'local' });
    const { stdout } = await run('plan -e prod-us');
    expect(stdout).toMatch(/^Plan for prod-us /);
  });

  test('Several environments may come from AGENTFORM_ENVIRONMENT.', async () => {
    // The program reads the variable only when a process starts.
    const inBoth = await testProject(files, { AGENTFORM_ENVIRONMENT: 'prod-us, local' });
    expect(documentsIn((await inBoth.start('plan', '--format', 'json').done).stdout)).toHaveLength(2);
    await inBoth.remove();
  });
});

describe('an apply to several environments', () => {
  test('An apply to several environments writes one ledger.', async () => {
    await withoutSecret();
    const { code, stdout } = await run('apply --yes -e local,prod-* --report ledger.json');
    expect(code).toBe(0);
    expect(stdout.match(/^(Environment .*|Apply: .*)$/gm)).toEqual([
      'Environment local',
      'Apply: 1 applied.',
      'Environment prod-us',
      'Apply: 1 applied.',
      'Environment prod-eu',
      'Apply: 1 applied.',
    ]);
    const ledgers = documentsIn(await project.read('ledger.json'));
    expect(ledgers).toMatchObject([
      { environment: 'local', entries: [{ outcome: 'applied' }] },
      { environment: 'prod-us' },
      { environment: 'prod-eu' },
    ]);
  });

  test('An apply to several environments stops at the first failure.', async () => {
    const { code, stdout, stderr } = await run('apply --yes -e local,prod-eu,prod-us --format json');
    expect(code).toBe(1);
    expect(documentsIn(stdout)).toMatchObject([
      { environment: 'local', entries: [{ outcome: 'applied' }] },
      { environment: 'prod-eu', error: { code: 'manifests-invalid' } },
      { environment: 'prod-us', notAttempted: true },
    ]);
    expect(stderr).toContain('Environment prod-us: not attempted, because the apply to prod-eu did not succeed\n');
    expect((await run('plan -e prod-us --format json')).stdout).toContain('"create": 1');
  });

  test('An apply to several environments refuses a saved plan, which belongs to one.', async () => {
    await run('plan --out plan.json');
    expect(await run('apply --plan plan.json -e local,prod-us')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--plan requires a single environment'),
    });
  });
});

describe('the JSON of a run that fails as a whole', () => {
  async function failureOf(line: string): Promise<{ readonly code: number | null; readonly error: object }> {
    const { code, stdout, stderr } = await run(`${line} --format json`);
    expect(stderr).toContain('error: ');
    const { error } = fitting<{ error: object }>('failure', JSON.parse(stdout));
    return { code, error };
  }

  test('The JSON of a failure has the code, the facts and the remedies.', async () => {
    const facts = { environment: 'nope', environments: ['local', 'prod-us', 'prod-eu'] };
    const error = { code: 'environment-unknown', message: expect.stringContaining("'nope'"), facts, remedies: [] };
    expect(await failureOf('plan -e nope')).toEqual({ code: 1, error });
  });

  test('The JSON of a misused command has the code `usage`.', async () => {
    expect(await failureOf('plan --nope')).toMatchObject({ code: 1, error: { code: 'usage' } });
  });

  test('The JSON of invalid manifests has each problem, for one environment as for several.', async () => {
    const { code, error } = await failureOf('plan -e prod-eu');
    const problems = [{ file: 'agents/desk.yaml', line: 5, level: 'error', secret: 'EU_VOICE' }];
    expect({ code, error }).toMatchObject({ code: 1, error: { code: 'manifests-invalid', problems } });
    const several = await run('plan -e prod-eu,local --format json');
    expect(documentsIn(several.stdout)[0]).toEqual({ formatVersion: 1, environment: 'prod-eu', error });
  });

  test('The JSON of a refused apply has the notices that refuse it, for one environment as for several.', async () => {
    await withoutSecret();
    await project.write(
      'agents/twin.yaml',
      (await project.read('agents/desk.yaml')).replace('name: desk', 'name: twin'),
    );
    const { code, error } = await failureOf('apply --yes');
    const reasons = [
      { code: 'shared-target', facts: { sharers: ['Agent/desk', 'Agent/twin'] }, message: expect.any(String) },
    ];
    expect({ code, error }).toMatchObject({ code: 3, error: { code: 'run-refused', reasons } });
    const several = await run('apply --yes -e local,prod-us --format json');
    expect(documentsIn(several.stdout)[0]).toEqual({ formatVersion: 1, environment: 'local', error });
  });

  test('The JSON of a failed validate is the failure, and nothing follows it.', async () => {
    const { code, stdout } = await run('validate -e nope --format json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'environment-unknown' } });
  });
});

test('Drift of several environments is reported for each.', async () => {
  await run('apply --yes');
  const { code, stdout } = await run('drift -e local,prod-us --exit-code --format json');
  expect(code).toBe(2);
  expect(documentsIn(stdout)).toMatchObject([{ environment: 'local' }, { environment: 'prod-us', noRecords: true }]);
});

test('Validate checks the selected environments.', async () => {
  expect((await run('validate -e local,prod-*')).stdout).toBe(
    '1 manifest valid in 3 environments (local, prod-us, prod-eu)\n',
  );
  expect((await run('validate -e prod-us -e local')).stdout).toContain('in 2 environments (prod-us, local)');
  expect(await run('validate -e x*')).toMatchObject({ code: 1 });
});
