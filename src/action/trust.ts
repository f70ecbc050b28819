import { AgentformError, type ErrorCode } from '../errors.ts';
import { emulator } from '../kinds/desired.ts';
import { requireRecordsBranch } from '../record/git/branch-settings.ts';
import { storeOf } from '../record/store-table.ts';
import { entryOf } from '../secrets/secret.ts';
import type { AllowedHosts } from '../service/destination.ts';
import {
  type BaseTrust,
  isTrusted,
  mergeFirst,
  type NoTrust,
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
import type { ActionRun } from './run.ts';

/** Why a run must not use the service. */
export interface Offline extends NoTrust {
  readonly code: ErrorCode;
}

/** A run with its permissions. */
export interface Trust {
  /** The run, limited to its allowed hosts. A run that must not use the service has no secrets. */
  readonly run: ActionRun;
  readonly project: LocatedProject;
  readonly offline: Offline | undefined;
}

/**
 * Decides what a run may do. The workflow's list of hosts limits every run. An unmerged change is planned offline in
 * these cases:
 *
 * - The change comes from a fork, or its run has no secrets.
 * - The hosts of the base are unknown, or the change would send a secret to a new host.
 */
export async function trustOf(run: ActionRun, project: LocatedProject): Promise<Trust> {
  const { inputs, event, host } = run;
  const named = allowedHostsOf(inputs.allowedHosts, 'the input allowed-hosts') ?? allowedHostsIn(process.env);
  requireRecordsBranch(project.record, event.branches);
  const given = { run, project };
  if (event.trustedCommit === undefined) return online(given, { allowedHosts: named });
  const { pullRequest } = event;
  if (pullRequest !== undefined) await requireHead(project.root, event, pullRequest);
  if (event.isFork) {
    return offline(given, { because: 'the pull request comes from a fork', code: 'run-refused' });
  }
  if (!hasSecrets(inputs.secrets, host.env)) {
    const because = whyNoSecrets(inputs.secrets);
    return offline(given, { because, code: 'secret-unset', remedy: neverApproved });
  }
  const { root, environment } = project;
  const wanted = await wantedUse(host, { ...selectionOf(inputs), project: inputs.project, environment });
  if (wanted.host !== undefined) requireAllowedTarget({ ...host, allowedHosts: named }, { host: wanted.host });
  const openedBase = await openTrustedCommit(root, event.trustedCommit);
  return trustByBase({ run: { ...run, host: { ...host, openedBase } }, project }, openedBase, wanted);
}

/** Decides what an unmerged change may use, based on what the base commit uses. */
async function trustByBase(given: RunOfProject, openedBase: OpenCommit, wanted: WantedUse): Promise<Trust> {
  const { run, project } = given;
  const { host } = run;
  const { root, file } = project;
  const baseTrust = await trustAtCommit(host, { file, commit: openedBase });
  if ('because' in baseTrust) return offline(given, { ...baseTrust, code: 'host-not-allowed' });
  for (const name of recordedEnvironments(project, baseTrust)) {
    if (host.readable !== undefined) requireTrackedRecords(root, name, host.readable);
  }
  await requireTrustedRecords(project.record, baseTrust.record);
  if (wanted.host === emulator) return online(given, { allowedHosts: nowhere });
  const because = untrustedReason(baseTrust, wanted);
  if (because !== undefined) return offline(given, { because, remedy: mergeFirst, code: 'host-not-allowed' });
  return online(given, {
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
export async function judgingCommit({ event, root, inputs: { command } }: ActionRun): Promise<string | undefined> {
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
export function requireOnline({ run, offline: why }: Trust): void {
  if (why === undefined) return;
  throw new AgentformError(why.code, `${run.inputs.command} needs the service, but ${why.because}; nothing was sent`);
}

/** The commands that may run before a merge. They change at most the pull request itself. See decision 144. */
const beforeMerge: ReadonlySet<CommandName> = new Set(['plan', 'validate', 'drift', 'answers']);

/**
 * Throws if a command changes more than a pull request, but the change is not merged, or the push deleted a branch or
 * tag. After a deletion, GitHub checks out the default branch instead.
 */
export function requireMerged({ inputs: { command, pullRequest }, event }: Pick<ActionRun, 'inputs' | 'event'>): void {
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

type RunOfProject = Pick<Trust, 'run' | 'project'>;

function online({ run, project }: RunOfProject, limits: Partial<ActionRun['host']>): Trust {
  return { run: { ...run, host: { ...run.host, ...limits } }, project, offline: undefined };
}

/** Makes a run offline, and removes its secrets, because an offline run does not need them. */
function offline({ run, project }: RunOfProject, why: Offline): Trust {
  const env = withoutSecrets(run.inputs.secrets, run.host.env);
  return { run: { ...run, host: { ...run.host, env, allowedHosts: nowhere } }, project, offline: why };
}

const nowhere: AllowedHosts = { hosts: new Set(), from: 'this run may reach' };

function trustedNames({ inputs }: ActionRun, baseTrust: BaseTrust, wanted: WantedUse): ReadonlySet<string> {
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
  return [storeOf(record).secretName(record)].filter((name) => name !== undefined);
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
