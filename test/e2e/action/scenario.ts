import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { type ActionResult, pullRequestPayload, runAction } from '../../support/action.ts';
import { authorizationOf } from '../../support/git-http.ts';
import type { Files } from '../../support/git-on-disk.ts';
import { type GitRepository, gitRepository } from '../../support/git-repository.ts';
import { type GitHubServer, githubToken, startGitHub } from '../../support/github-server.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';
import { shareProcess } from '../../support/shared-process.ts';

export const agentToken = 'tok/S3cret+value=1';

/** A service, GitHub, and a repository with one agent that was never applied. */
export interface Scenario {
  readonly service: IndependentServer;
  readonly github: GitHubServer;
  readonly repository: GitRepository;
  /** The newest commit of main. */
  base: string;
}

/** The scenario of the current test. */
export let scenario: Scenario;

/** The saved states in which tests of this file begin, by name. */
let states = new Map<string, State>();

interface State {
  readonly result: unknown;
  readonly restore: () => Promise<void>;
}

/**
 * Gives every test of the suite the same servers and repository. The steps run once, and each test begins in the state
 * after these steps. Requests to GitHub must match GitHub's description.
 */
export function useScenario(prepare: () => Promise<unknown> = async () => undefined): void {
  shareProcess();
  beforeAll(async () => {
    const [service, github] = await Promise.all([startIndependentServer(), startGitHub()]);
    const repository = await gitRepository({ 'README.md': 'Agents of a clinic\n', ...projectFiles(service.baseUrl) });
    scenario = { service, github, repository, base: repository.first };
    states = new Map();
  });
  beforeEach(() => beginAt('start', prepare));
  afterEach(() => expect(scenario.github.complaints).toEqual([]));
  afterAll(async () => {
    const { service, github, repository } = scenario;
    await Promise.all([service.close(), github.close(), repository.remove()]);
  });
}

/**
 * Brings the scenario into a state. The steps run for the first test that needs the state. Later tests restore the
 * saved state.
 */
export async function beginAt<T>(name: string, steps: () => Promise<T>): Promise<T> {
  const made = states.get(name);
  if (made !== undefined) {
    await made.restore();
    return made.result as T;
  }
  const result = await steps();
  states.set(name, { result, restore: await save() });
  return result;
}

async function save(): Promise<() => Promise<void>> {
  const { service, github, repository, base } = scenario;
  const [agents, pulls, branches] = [service.save(), github.save(), await repository.save()];
  return async () => {
    agents();
    pulls();
    await branches();
    scenario.base = base;
  };
}

export function projectFiles(baseUrl: string): Record<string, string> {
  return {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: production
environments:
  production:
    baseUrl: ${baseUrl}
    token: \${secret.AGENT_TOKEN}
  staging:
    baseUrl: ${baseUrl}
    token: \${secret.AGENT_TOKEN}
    query: { targetAccountId: "9" }
service: { readBack: 0 }
`,
    'agents/front-desk.yaml': agentFile('Front desk'),
  };
}

export function agentFile(title: string, rest = ''): string {
  return `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings:
  title: ${title}
  description: Answers the phone.
${rest}`;
}

/** Agents with prompts that need several comments together. */
export function agents(count: number, characters = 25_000): Record<string, string> {
  const promptOf = (name: string) => `${`${name} is kind to callers. `.repeat(5)}\n`.repeat(characters / 120);
  const one = (name: string) =>
    `${agentFile(name, `  agentInstructions: ${JSON.stringify(promptOf(name))}\n`).replace('name: front-desk', `name: ${name}`)}target: { query: { targetAccountId: "${name}" } }\n`;
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`agents/a${index}.yaml`, one(`a${index}`)]));
}

const byHandWorkflow = { '.github/workflows/by-hand.yml': 'on: workflow_dispatch\n' };

/** The settings of front-desk in `agentFile('Front desk')`. */
export const frontDesk = { title: 'Front desk', description: 'Answers the phone.' };

export const recordPath = '.agentform/records/production/Agent/front-desk.json';

/** The record after an apply of front-desk with these settings. `more` contains further members. */
export function recordText({ service }: Scenario, settings: Readonly<Record<string, string>>, more = {}): string {
  const fields = Object.entries(settings).map(([name, value]) => [`settings.${name}`, { value }]);
  const names = { formatVersion: 1, environment: 'production', kind: 'Agent', name: 'front-desk', id: 'agent-1' };
  const target = { host: new URL(service.baseUrl).host, query: {}, credentials: {} };
  return JSON.stringify({ ...names, ...target, ...more, fields: Object.fromEntries(fields) });
}

/** Writes front-desk to the service and its record to main, as if it had been applied with these settings. */
export async function asApplied(
  scenario: Scenario,
  settings: Readonly<Record<string, string>>,
  files: Files = {},
): Promise<void> {
  const { lastUpdate } = scenario.service.seed(agentToken, { type: 'chatAgent', ...settings });
  const all = { [recordPath]: recordText(scenario, settings, { lastUpdate }), ...byHandWorkflow, ...files };
  scenario.base = await scenario.repository.commit('main', all, scenario.base);
}

export interface PullRequestRun {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly number?: number;
  readonly headRepository?: string;
  /** Whether the pull request was closed without a merge. */
  readonly closed?: boolean;
  /** Whether a person repeats an earlier workflow run, whose event may be older than the pull request. */
  readonly rerun?: boolean;
  /** The files of the head. Defaults to the files of the base. */
  readonly files?: Files;
  readonly head?: string;
  /**
   * GitHub's merge commit of head and base, which all jobs of a run check out. By default, a new merge commit is
   * created.
   */
  readonly merge?: string;
  /** Files that an earlier step left in the checkout. */
  readonly leftBehind?: Readonly<Record<string, string>>;
  /** The name of the event. Defaults to `pull_request`. */
  readonly eventName?: string;
  /** The commit of the run. Defaults to GitHub's merge commit. */
  readonly sha?: string;
  /** Further files of the base. The commit of these files is newer than the base commit in the event. */
  readonly baseMovesOn?: Readonly<Record<string, string>>;
}

export interface PullRequestResult extends ActionResult {
  readonly head: string;
}

/** The service has no agents before the first apply. */
const secrets = { inputs: { secrets: 'AGENT_TOKEN', new: 'all' }, env: { AGENT_TOKEN: agentToken } };

/** Runs the action on a pull request, in the merge commit that GitHub checks out for the pull request. */
export async function onPullRequest(scenario: Scenario, run: PullRequestRun = {}): Promise<PullRequestResult> {
  const { repository, base, github } = scenario;
  const head = run.head ?? (await repository.commit('topic', run.files ?? {}, base));
  const moved = run.baseMovesOn && (await repository.commit('main', run.baseMovesOn, base));
  const merge = run.merge ?? (await repository.merge(moved ?? base, head, 'preview'));
  const workspace = await repository.checkout(merge);
  await leave(workspace, run.leftBehind);
  const { number = 7, headRepository = 'clinic/agents', closed = false, eventName = 'pull_request', rerun } = run;
  const payload = pullRequestPayload({ number, base, head, headRepository, closed });
  if (!rerun) github.setPull({ number, base, head, headRepository, state: closed ? 'closed' : 'open' });
  const result = await runAction({
    workspace,
    apiUrl: github.url,
    inputs: { ...secrets.inputs, ...run.inputs },
    env: run.env ?? secrets.env,
    event: { name: eventName, payload, sha: run.sha ?? merge },
  });
  return { ...result, head };
}

/** Runs `apply` on a push to main. */
export async function onPush(
  scenario: Scenario,
  {
    commit,
    before,
    commits = [commit],
    inputs,
    env,
    leftBehind,
  }: { readonly commit: string; readonly before?: string; readonly commits?: readonly string[] } & Pick<
    PullRequestRun,
    'inputs' | 'env' | 'leftBehind'
  >,
): Promise<ActionResult & { readonly workspace: string }> {
  const workspace = await scenario.repository.checkout(commit);
  await leave(workspace, leftBehind);
  const payload = { ref: 'refs/heads/main', before, after: commit, commits: commits.map((id) => ({ id })) };
  const result = await runAction({
    workspace,
    apiUrl: scenario.github.url,
    inputs: { ...secrets.inputs, command: 'apply', ...inputs },
    env: { GITHUB_REF: 'refs/heads/main', ...(env ?? secrets.env) },
    event: { name: 'push', payload, sha: commit },
  });
  return { ...result, workspace };
}

/** Runs a typed command of the manual workflow on main, or on another branch. */
export async function byHand(
  scenario: Scenario,
  {
    commit,
    command,
    inputs,
    server,
    branch = 'main',
  }: {
    readonly commit: string;
    readonly command: string;
    readonly server?: string;
    readonly branch?: string;
  } & Pick<PullRequestRun, 'inputs'>,
): Promise<ActionResult> {
  const workspace = await scenario.repository.checkout(commit);
  if (server !== undefined) await keepCredentials(workspace, server);
  return runAction({
    workspace,
    apiUrl: scenario.github.url,
    inputs: { ...secrets.inputs, environment: 'production', ...inputs, command },
    env: { GITHUB_REF: `refs/heads/${branch}`, ...secrets.env },
    event: {
      name: 'workflow_dispatch',
      payload: { ref: `refs/heads/${branch}`, repository: { default_branch: 'main' } },
      sha: commit,
    },
  });
}

/** Runs a command of the action for a comment on pull request 7. As on GitHub, the run belongs to the main branch. */
export async function onComment(
  scenario: Scenario,
  {
    by = 'ada',
    command = 'answers',
    inputs,
    env,
    server,
    checkout = scenario.base,
    defaultBranch = 'main',
  }: {
    readonly by?: string;
    readonly defaultBranch?: string;
    readonly command?: string;
    readonly server?: string;
    readonly checkout?: string | undefined;
  } & Pick<PullRequestRun, 'inputs' | 'env'> = {},
): Promise<ActionResult & { readonly workspace: string }> {
  const workspace = await scenario.repository.checkout(checkout);
  if (server !== undefined) await keepCredentials(workspace, server);
  const result = await runAction({
    workspace,
    apiUrl: scenario.github.url,
    inputs: { secrets: 'AGENT_TOKEN', environment: 'production', ...inputs, command },
    env: {
      GITHUB_REF: 'refs/heads/main',
      GITHUB_ACTOR: by,
      ...(server !== undefined && { GITHUB_SERVER_URL: server }),
      ...(env ?? secrets.env),
    },
    event: {
      name: 'issue_comment',
      payload: {
        action: 'created',
        issue: { number: 7, pull_request: { url: 'https://api.github.example/pulls/7' } },
        sender: { login: by, type: 'User' },
        repository: { default_branch: defaultBranch },
      },
      sha: scenario.base,
    },
  });
  return { ...result, workspace };
}

/** Imitates a checkout that stores the server's credentials in its git settings. */
async function keepCredentials(workspace: string, server: string): Promise<void> {
  const header = `AUTHORIZATION: ${authorizationOf(githubToken)}`;
  const settings = await originAt(workspace, server);
  await writeFile(settings, `[http "${server}/"]\n\textraheader = ${header}\n`, { flag: 'a' });
}

/** Points a checkout to a remote on this server. Returns the path of its settings. */
export async function originAt(workspace: string, server: string): Promise<string> {
  const path = join(workspace, '.git/config');
  const settings = await readFile(path, 'utf8');
  await writeFile(path, settings.replace(/url = .*/, `url = ${server}/remote.git`));
  return path;
}

/** Makes a commit on main with these files, records on a branch, and the manual workflow. */
export function mainCommit(
  { service, repository, base }: Scenario,
  files: Readonly<Record<string, string | null>>,
  more = '',
): Promise<string> {
  // `more` is added to agentform.yaml in place of `service`.
  const project = (projectFiles(service.baseUrl)['agentform.yaml'] ?? '').replace(/^service: .*\n/m, '');
  const all = { 'agentform.yaml': `${project}record: { store: git }\n${more}`, ...byHandWorkflow, ...files };
  return repository.commit('main', all, base);
}

/** Merges these files with pull request 7. Returns the commit on main. */
export async function mergedPull(scenario: Scenario, files: Readonly<Record<string, string | null>>): Promise<string> {
  const { head } = await onPullRequest(scenario, { files });
  scenario.github.takeRequests();
  scenario.service.takeLog();
  return merged(scenario, head);
}

/** Merges this head of pull request 7. Returns the commit on main. */
export async function merged({ github, repository, base }: Scenario, head: string): Promise<string> {
  const commit = await repository.merge(base, head, 'main');
  github.setPull({ number: 7, base, head, state: 'closed', merged: true });
  github.pulls.push({ number: 7, head, mergeCommit: commit, merged: true });
  return commit;
}

/** The commands for the manual workflow in a text. */
export function typedCommands(text: string): string[] {
  const said = /\*\*Without a terminal:\*\*.*(?:\n\n(?:- .*\n?)+)?/.exec(text)?.[0] ?? '';
  return [...said.matchAll(/(?<=enter |^- )(`+)(.+?)\1(?!`)/gm)].map(([, , command]) => command ?? '');
}

async function leave(workspace: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
}
