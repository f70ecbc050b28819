import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { githubToken } from './github-server.ts';
import { nodeFlags } from './node.ts';
import { sharedRun } from './shared-process.ts';

const repositoryRoot = resolve(import.meta.dirname, '../..');

export interface ActionOptions {
  /** The folder of the checkout. */
  readonly workspace: string;
  readonly apiUrl: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly event: { readonly name: string; readonly payload: unknown; readonly sha: string };
  /** Receives the process, so that a test can cancel the job. */
  readonly onStart?: (child: { kill(signal: NodeJS.Signals): boolean }) => void;
}

/** The results of a step of the action. */
export interface ActionResult {
  readonly code: number | null;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** The text of the file named by the output `plan-path`. */
  readonly planFile: string | undefined;
}

/** Runs the committed bundle as GitHub's runner does, with a value for every input in action.yml. */
export async function runAction(options: ActionOptions): Promise<ActionResult> {
  const runner = await mkdtemp(join(tmpdir(), 'agentform-runner-'));
  try {
    const files = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary', GITHUB_EVENT_PATH: 'event.json' };
    const paths = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(runner, file)]));
    await mkdir(join(runner, 'temp'));
    await writeFile(join(runner, 'output'), '');
    await writeFile(join(runner, 'summary'), '');
    await writeFile(join(runner, 'event.json'), JSON.stringify(options.event.payload));
    const { code, log } = await runStep({ ...paths, RUNNER_TEMP: join(runner, 'temp') }, options);
    const outputs = parsedOutputs(await readFile(join(runner, 'output'), 'utf8'));
    const planPath = outputs['plan-path'] ?? '';
    return {
      code,
      log,
      outputs,
      summary: await readFile(join(runner, 'summary'), 'utf8'),
      planFile: planPath === '' ? undefined : await readFile(planPath, 'utf8'),
    };
  } finally {
    await rm(runner, { recursive: true, force: true });
  }
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly main: string };
}

async function runStep(
  paths: Readonly<Record<string, string>>,
  { workspace, apiUrl, inputs, env, event, onStart }: ActionOptions,
): Promise<{ readonly code: number | null; readonly log: string }> {
  const action: Action = parse(await readFile(join(repositoryRoot, 'action.yml'), 'utf8'));
  const given = Object.entries(action.inputs).map(([name, input]) => {
    const value = inputs[name] ?? (input.default === '${{ github.token }}' ? githubToken : (input.default ?? ''));
    return [`INPUT_${name.toUpperCase()}`, value];
  });
  const run = {
    program: join(repositoryRoot, action.runs.main),
    args: [],
    cwd: workspace,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: paths.RUNNER_TEMP ?? '',
      GIT_CONFIG_NOSYSTEM: '1',
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      GITHUB_REPOSITORY: 'clinic/agents',
      GITHUB_API_URL: apiUrl,
      GITHUB_RUN_ID: '4711',
      GITHUB_RUN_NUMBER: '42',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_EVENT_NAME: event.name,
      GITHUB_SHA: event.sha,
      GITHUB_TOKEN: 'ghs_notForManifests',
      ...paths,
      ...Object.fromEntries(given),
      ...env,
    },
  };
  const shared = onStart === undefined ? sharedRun(run) : undefined;
  if (shared !== undefined) {
    const { code, stdout, stderr } = await shared;
    return { code, log: stdout + stderr };
  }
  const { program, cwd } = run;
  const child = spawn(process.execPath, [...nodeFlags, program], {
    cwd,
    env: run.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart?.(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
  }
  return new Promise((settle, reject) => {
    child.on('error', reject);
    child.on('close', (code) => settle({ code, log }));
  });
}

/** Parses the output file: `name<<delimiter`, the value, and the delimiter, on separate lines. */
function parsedOutputs(text: string): Record<string, string> {
  const outputs = [...text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)];
  return Object.fromEntries(outputs.map(([, name, , value]) => [name ?? '', value ?? '']));
}

/** Returns the payload of a `pull_request` event. */
export function pullRequestPayload(parts: {
  readonly number?: number;
  readonly base: string;
  readonly head: string;
  readonly headRepository?: string;
  readonly merged?: boolean;
  readonly closed?: boolean;
}): unknown {
  const { number = 7, base, head, headRepository = 'clinic/agents', merged = false, closed = merged } = parts;
  return {
    action: closed ? 'closed' : 'synchronize',
    number,
    pull_request: {
      number,
      merged,
      state: closed ? 'closed' : 'open',
      base: { ref: 'main', sha: base, repo: { full_name: 'clinic/agents' } },
      head: { ref: 'topic', sha: head, repo: { full_name: headRepository } },
    },
  };
}
