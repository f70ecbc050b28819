import { AgentformError } from '../errors.ts';
import { emulator } from '../kinds/desired.ts';
import { requireRecordsBranch } from '../record/git/branch-settings.ts';
import { storeDefinitions } from '../record/store-table.ts';
import { entryOf } from '../secrets/secret.ts';
import type { AllowedHosts } from '../service/destination.ts';
import {
  type BaseTrust,
  isTrusted,
  mergeFirst,
  openTrustedCommit,
  requireTrustedRecords,
  trustAtCommit,
  untrustedReason,
  type WantedUse,
  wantedUse,
} from '../session/base/base-trust.ts';
import { baseOfMerge, isCheckoutOf, type OpenCommit, openCommit } from '../session/base/committed-project.ts';
import { type LocatedProject, requireTrackedRecords } from '../session/base/repository.ts';
import { allowedHostsIn, allowedHostsOf, requireAllowedTarget } from '../session/connections.ts';
import type { CommandName } from './command-line.ts';
import type { ActionEvent, EventPullRequest } from './github/event.ts';
import { hasSecrets, selectionOf, withoutSecrets } from './inputs.ts';
import type { ActionRun, Offline, StartedRun } from './run.ts';

/**
 * Decides what a run may do. The workflow's list of hosts limits every run. An unmerged change is planned offline in
 * these cases:
 *
 * - The change comes from a fork, or its run has no secrets.
 * - The hosts of the base are unknown, or the change would send a secret to a new host.
 */
export async function trustOf(started: StartedRun, project: LocatedProject): Promise<ActionRun> {
  const run = { ...started, record: project.record };
  const { inputs, event, host } = run;
  const named = allowedHostsOf(inputs.allowedHosts, 'the input allowed-hosts') ?? allowedHostsIn(process.env);
  requireRecordsBranch(project.record, event.branches);
  if (event.trustedCommit === undefined) return online(run, { allowedHosts: named });
  const { pullRequest } = event;
  if (pullRequest !== undefined) await requireHead(project.root, event, pullRequest);
  if (event.isFork) {
    return offline(run, { because: 'the pull request comes from a fork', code: 'run-refused' });
  }
  if (!hasSecrets(inputs.secrets, host.env)) {
    const because = whyNoSecrets(inputs.secrets);
    return offline(run, { because, code: 'secret-unset', remedy: neverApproved });
  }
  const { root, environment } = project;
  const wanted = await wantedUse(host, { ...selectionOf(inputs), project: inputs.project, environment });
  if (wanted.host !== undefined) requireAllowedTarget({ ...host, allowedHosts: named }, { host: wanted.host });
  const openedBase = await openTrustedCommit(root, event.trustedCommit);
  return trustByBase({ ...run, host: { ...host, openedBase } }, { project, openedBase, wanted });
}

interface Untrusted {
  readonly project: LocatedProject;
  readonly openedBase: OpenCommit;
  readonly wanted: WantedUse;
}

/** Decides what an unmerged change may use, based on what the base commit uses. */
async function trustByBase(run: RunOfProject, { project, openedBase, wanted }: Untrusted): Promise<ActionRun> {
  const { host } = run;
  const { root, file } = project;
  const baseTrust = await trustAtCommit(host, { file, commit: openedBase });
  if ('because' in baseTrust) return offline(run, { ...baseTrust, code: 'host-not-allowed' });
  for (const name of recordedEnvironments(project, baseTrust)) {
    if (host.readable !== undefined) requireTrackedRecords(root, name, host.readable);
  }
  await requireTrustedRecords(project.record, baseTrust.record);
  if (wanted.host === emulator) return online(run, { allowedHosts: nowhere });
  const because = untrustedReason(baseTrust, wanted);
  if (because !== undefined) return offline(run, { because, remedy: mergeFirst, code: 'host-not-allowed' });
  return online(run, {
    allowedHosts: { hosts: new Set(wanted.host === undefined ? [] : [wanted.host]), from: 'the base commit allows' },
    allowedSecrets: {
      names: new Set([...trustedNames(run, baseTrust, wanted), ...openingStore(project)]),
      from: 'the input `secrets`',
    },
  });
}

/**
 * Requires that the pull request's head is checked out. Otherwise, the plan would not show its changes. After a comment
 * on a pull request, and on `pull_request_target`, GitHub runs the workflow of the default branch. By default, that
 * workflow checks out the default branch.
 */
async function requireHead(root: string, { commenter }: ActionEvent, pullRequest: EventPullRequest): Promise<void> {
  const { number, head } = pullRequest;
  if (await isCheckoutOf(root, head)) return;
  const remedy =
    commenter === undefined
      ? 'run this job on the event pull_request, and use actions/checkout without the input ref'
      : `check out its merge ref (refs/pull/${number}/merge) in an earlier step`;
  throw new AgentformError('run-refused', `pull request ${number} is not checked out; ${remedy}`);
}

/**
 * Returns the environments whose records the plan reads: its own, and those that `requires` names in the change or the
 * base.
 */
function recordedEnvironments({ environment, requires }: LocatedProject, baseTrust: BaseTrust): Set<string> {
  const required = [requires, baseTrust.requires].flatMap((one) => one.get(environment) ?? []);
  return new Set([environment, ...required.map((one) => one.environment)]);
}

/** Finds the base commit, whose policies, limits and lint levels apply in addition to those of the change. */
export async function judgingCommit({ event, root, inputs: { command } }: StartedRun): Promise<string | undefined> {
  const { pullRequest, trustedCommit, before, isForced } = event;
  if (pullRequest !== undefined && !pullRequest.isMerged) return baseOfMerge(root, pullRequest);
  if (before !== undefined && isForced) await requireReplaced(root, { commit: before, command });
  return trustedCommit ?? pullRequest?.baseCommit ?? before;
}

/**
 * Requires that git still has a commit that a forced push replaced. Only the policies of this commit can judge the
 * push, because the author of the push chose the parents of the new commits.
 */
async function requireReplaced(
  root: string,
  { commit, command }: { readonly commit: string; readonly command: string },
): Promise<void> {
  try {
    await openCommit(root, commit);
  } catch (cause) {
    throw new AgentformError(
      'base-unreadable',
      `the forced push replaced commit ${commit.slice(0, 12)}, which git can no longer read, so its policies are unknown; run ${command} by hand with workflow_dispatch`,
      { cause },
    );
  }
}

/** Throws if a command needs the service but the run is offline. */
export function requireOnline({ inputs: { command }, offline: why }: ActionRun): void {
  if (why === undefined) return;
  throw new AgentformError(why.code, `${command} needs the service, but ${why.because}; nothing was sent`);
}

/** The commands that may run before a merge. They change at most the pull request itself. See decision 144. */
const beforeMerge: ReadonlySet<CommandName> = new Set(['plan', 'validate', 'drift', 'answers']);

/**
 * Throws if a command changes more than a pull request, but the change is not merged, or the push deleted a branch or
 * tag. After a deletion, GitHub checks out the default branch instead.
 */
export function requireMerged({ inputs: { command, pullRequest }, event }: Pick<StartedRun, 'inputs' | 'event'>): void {
  if (beforeMerge.has(command) && !pullRequest) return;
  if (event.deleted !== undefined) {
    throw new AgentformError(
      'run-refused',
      `the push deleted ${event.deleted}, so there is no commit to apply; to skip such runs, add \`if: \${{ !github.event.deleted }}\` to the job`,
    );
  }
  if (event.trustedCommit === undefined) return;
  const where = event.pullRequest?.isMerged ? ' into the default branch' : '';
  const what = pullRequest ? `${command} with \`pull-request: true\`` : command;
  throw new AgentformError(
    'run-refused',
    `this change is not merged${where}, and ${what} runs only after a merge; merge the change, or run ${command} by hand with workflow_dispatch`,
  );
}

type RunOfProject = Omit<ActionRun, 'offline'>;

function online(run: RunOfProject, limits: Partial<ActionRun['host']>): ActionRun {
  return { ...run, host: { ...run.host, ...limits }, offline: undefined };
}

/** Makes a run offline, and removes its secrets, because an offline run does not need them. */
function offline(run: RunOfProject, why: Offline): ActionRun {
  const env = withoutSecrets(run.inputs.secrets, run.host.env);
  return { ...run, host: { ...run.host, env, allowedHosts: nowhere }, offline: why };
}

const nowhere: AllowedHosts = { hosts: new Set(), from: 'this run may reach' };

function trustedNames({ inputs }: RunOfProject, baseTrust: BaseTrust, wanted: WantedUse): ReadonlySet<string> {
  const entries = [...wanted.secrets, ...baseTrust.uses.keys()].flatMap((name) => {
    const object = entryOf(name)?.of;
    return object !== undefined && inputs.secrets.includes(object) ? [{ name, object }] : [];
  });
  // Permission for a whole secret includes every entry, for the same hosts.
  const objects = new Set(entries.map(({ object }) => object));
  const names = [...inputs.secrets.filter((name) => !objects.has(name)), ...entries.map(({ name }) => name)];
  return new Set(names.filter((name) => isTrusted(baseTrust, name, wanted)));
}

/**
 * Returns the secret that gives access to the record store. `trustOf` has checked that the base commit uses the same
 * store.
 */
function openingStore({ record }: LocatedProject): string[] {
  return [storeDefinitions[record.store].secretName(record)].filter((name) => name !== undefined);
}

/** The remedy for workflows without secrets, whose plans are always offline. */
const neverApproved =
  'Plans from this job cannot be approved, because the job has no secrets. A protected environment gives its secrets only to jobs that ' +
  'name it. In the preview job, name an environment that has the secrets and needs no reviewer, or approve the digest that the refused apply shows.';

function whyNoSecrets(names: readonly string[]): string {
  return names.length === 0
    ? 'the input secrets is empty'
    : `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no value in this run`;
}
