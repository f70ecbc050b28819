import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { typedCommands } from '../../e2e/action/scenario.ts';
import { type ActionResult, pullRequestPayload, runAction } from '../../support/action.ts';
import { git } from '../../support/git.ts';
import type { Files } from '../../support/git-on-disk.ts';
import { type GitRepository, gitRepository } from '../../support/git-repository.ts';
import { type GitHubServer, startGitHub } from '../../support/github-server.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';

const examples = resolve(import.meta.dirname, '../../../examples/github');

/** The result of a workflow, and the workflow's name. */
export interface Run extends ActionResult {
  readonly workflow: string;
}

export interface PullRequest {
  readonly number: number;
  readonly head: string;
  readonly previews: readonly Run[];
}

/** A team that works in pull requests. Only GitHub has a token of the service. */
export interface Team {
  readonly service: IndependentServer;
  readonly github: GitHubServer;
  readonly repository: GitRepository;
  /** The secrets in the repository's settings. */
  readonly secrets: Map<string, string>;
  /** The newest commit of main. */
  readonly main: () => Promise<string>;
  /** Opens a pull request from an existing branch, or with these files on top of main. */
  readonly open: (change: Files | { readonly branch: string }) => Promise<PullRequest>;
  /** Merges the pull request, and runs the workflows that a push to main starts. */
  readonly merge: (pull: PullRequest) => Promise<Run[]>;
  /** Runs the scheduled workflows. */
  readonly nightly: () => Promise<Run[]>;
  /** Enters a command into the manual workflow. */
  readonly enter: (command: string, environment?: string) => Promise<Run>;
  /** The comments of a pull request. */
  readonly comments: (pull: PullRequest) => string;
  /** Suggested commands that were not entered yet. */
  readonly unanswered: () => string[];
  /** Tries a command and then restores the state before it, for decisions that another person would make. */
  readonly tryOut: (command: string, environment?: string) => Promise<Run>;
  readonly close: () => Promise<void>;
}

/** The example workflows, with the service's host in place of the example host. */
export function workflowsFor(baseUrl: string): Record<string, string> {
  const names = ['apply', 'by-hand', 'drift', 'preview'];
  return Object.fromEntries(
    names.map((name) => {
      const text = readFileSync(join(examples, `${name}.yml`), 'utf8');
      return [`.github/workflows/${name}.yml`, text.replaceAll('service.example.com', new URL(baseUrl).host)];
    }),
  );
}

interface Trigger {
  readonly on: 'pull_request' | 'push' | 'schedule' | 'workflow_dispatch';
  readonly payload: unknown;
  readonly commit: string;
  /** The values typed into the workflow's form. */
  readonly typed?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: Readonly<
    Record<string, { readonly inputs?: Readonly<Record<string, { readonly options?: string[] }>> } | null>
  >;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

export async function startTeam(files: (baseUrl: string) => Files): Promise<Team> {
  const [service, github] = await Promise.all([startIndependentServer(), startGitHub()]);
  const repository = await gitRepository({ ...workflowsFor(service.baseUrl), ...files(service.baseUrl) });
  const secrets = new Map<string, string>();
  const told = new Set<string>();
  const entered = new Set<string>();
  let pulls = 0;
  const main = () => git(repository.remote, 'rev-parse', 'main');

  /**
   * Runs every workflow in the commit that the event starts. Runs only the step with agentform, with the values that
   * GitHub would insert.
   */
  async function started({ on, payload, commit, typed = {} }: Trigger): Promise<Run[]> {
    const listing = await git(repository.remote, 'ls-tree', '--name-only', commit, '.github/workflows/');
    const runs: Run[] = [];
    for (const path of listing.split('\n')) {
      const workflow: Workflow = parse(await git(repository.remote, 'show', `${commit}:${path}`));
      if (!(on in workflow.on)) continue;
      requireChoices(workflow, typed);
      const [step] = Object.values(workflow.jobs)
        .flatMap(({ steps }) => steps)
        .filter(isOurs);
      const filled = (text: string) => filledIn(text, { typed, secrets, payload });
      const result = await runAction({
        workspace: await repository.checkout(commit),
        apiUrl: github.url,
        inputs: mapped(step?.with ?? {}, (value) => filled(String(value))),
        env: { GITHUB_REF: 'refs/heads/main', ...mapped(step?.env ?? {}, filled) },
        event: { name: on, payload, sha: commit },
      });
      runs.push({ ...result, workflow: path.split('/').at(-1) ?? '' });
      for (const text of [result.summary, result.log, ...github.comments.map(({ body }) => body)]) {
        for (const command of commandsIn(text)) told.add(command);
      }
    }
    return runs;
  }

  const team: Team = {
    service,
    github,
    repository,
    secrets,
    main,
    async open(change) {
      pulls += 1;
      const base = await main();
      const { branch } = change as { branch?: string };
      const head =
        typeof branch === 'string'
          ? await git(repository.remote, 'rev-parse', branch)
          : await repository.commit(`topic-${pulls}`, change as Files, base);
      const commit = await repository.merge(base, head, `preview-${pulls}`);
      const payload = pullRequestPayload({ number: pulls, base, head });
      github.setPull({ number: pulls, base, head });
      return { number: pulls, head, previews: await started({ on: 'pull_request', payload, commit }) };
    },
    async merge({ number, head }) {
      const commit = await repository.merge(await main(), head, 'main');
      github.pulls.push({ number, head, mergeCommit: commit, merged: true });
      return started({ on: 'push', payload: { ref: 'refs/heads/main', after: commit }, commit });
    },
    nightly: async () => started({ on: 'schedule', payload: {}, commit: await main() }),
    async enter(command, environment = 'production') {
      entered.add(command);
      const typed = { command, environment };
      const payload = { ref: 'refs/heads/main', inputs: typed };
      const [run] = await started({ on: 'workflow_dispatch', payload, commit: await main(), typed });
      if (run === undefined) throw new Error('no workflow takes a command');
      return run;
    },
    comments: ({ number }) =>
      github.comments
        .filter(({ issue }) => issue === number)
        .map(({ body }) => body)
        .join('\n'),
    // Omits commands that need the id of a missing agent or keep single settings. Such commands are alternatives to
    // answers that were given.
    unanswered: () => [...told].filter((command) => !entered.has(command) && !/ ID\b| --field /.test(command)),
    async tryOut(command, environment) {
      const back = await snapshot(team);
      const run = await team.enter(command, environment);
      await back();
      return run;
    },
    close: async () => void (await Promise.all([service.close(), github.close(), repository.remove()])),
  };
  return team;
}

function isOurs({ uses = '' }: Step): boolean {
  return uses.startsWith('agentform/');
}

function mapped<Value>(record: Readonly<Record<string, Value>>, change: (value: Value) => string) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** Checks the typed values: the form offers only the choices that the workflow lists. */
function requireChoices({ on }: Workflow, typed: Readonly<Record<string, string>>): void {
  for (const [name, { options }] of Object.entries(on.workflow_dispatch?.inputs ?? {})) {
    if (options === undefined || typed.command === undefined || options.includes(typed[name] ?? '')) continue;
    throw new Error(`${name} cannot be ${typed[name]}`);
  }
}

/** The values that GitHub provides to the expressions in the examples. */
interface Contexts {
  readonly typed: Readonly<Record<string, string>>;
  readonly secrets: ReadonlyMap<string, string>;
  readonly payload: unknown;
}

/** Evaluates a workflow expression. Returns its first value that is set. */
function filledIn(text: string, contexts: Contexts): string {
  // The team has no merge queue.
  const known = text.replace("${{ github.event_name != 'merge_group' }}", 'true');
  return known.replaceAll(/\$\{\{ ([\w.]+(?: \|\| [\w.]+)*) \}\}/g, (_, places: string) => {
    const values = places.split(' || ').map((place) => valueAt(place, contexts));
    return values.find((value) => value !== '') ?? '';
  });
}

function valueAt(place: string, { typed, secrets, payload }: Contexts): string {
  const [context = '', name = '', ...steps] = place.split('.');
  if (context === 'inputs') return typed[name] ?? '';
  if (context === 'secrets') return secrets.get(name) ?? '';
  if (place === 'runner.temp') return tmpdir();
  if (context !== 'github' || name !== 'event') throw new Error(`nobody fills in ${place}`);
  const found = steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), payload);
  return typeof found === 'string' ? found : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * All commands that a text tells its reader to run. Commands follow "Without a terminal", or begin with `agentform`
 * within sentences. In Markdown, the commands are code spans. In a log, they are plain text between other words.
 */
export function commandsIn(text: string): string[] {
  const spans = [...text.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map(([, , span = '']) => span.trim());
  const sentences = spans
    .filter((span) => span.startsWith('agentform '))
    .map((span) => span.slice('agentform '.length));
  return [...new Set([...sentences, ...typedCommands(text)])];
}

/** Saves branches, agents and comments. Returns a function that restores them. */
async function snapshot({ repository: { remote }, service, github }: Team): Promise<() => Promise<void>> {
  const refs = (await git(remote, 'for-each-ref', '--format=%(refname) %(objectname)')).split('\n');
  const agents = service
    .agents()
    .map((agent) => ({ agent, settings: { ...agent.settings }, lastUpdate: agent.lastUpdate }));
  const comments = github.comments.map((comment) => ({ ...comment }));
  return async () => {
    const now = (await git(remote, 'for-each-ref', '--format=%(refname)')).split('\n');
    for (const name of now)
      if (!refs.some((ref) => ref.startsWith(`${name} `))) await git(remote, 'update-ref', '-d', name);
    for (const ref of refs) await git(remote, 'update-ref', ...(ref.split(' ') as [string, string]));
    for (const { agent, ...before } of agents) Object.assign(agent, before);
    const known = new Set(agents.map(({ agent }) => agent.id));
    for (const { id } of service.agents()) if (!known.has(id)) service.drop(id);
    github.comments.splice(0, github.comments.length, ...comments);
  };
}

/** A file at the newest commit of main. */
export function fileOnMain({ repository: { remote } }: Team, path: string): Promise<string> {
  return git(remote, 'show', `main:${path}`);
}
