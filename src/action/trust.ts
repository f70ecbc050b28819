import { type AllowedHosts, allowedHostsIn, allowedHostsOf } from '../reconcile/allowed-hosts.ts';
import { isUsualRemote, requireTrustedRemote, trustAtCommit } from '../reconcile/base-trust.ts';
import type { ProjectPlace } from '../reconcile/locate-project.ts';
import type { ActionRun } from './run.ts';
import { hasSecrets } from './secrets.ts';

/** What a run may do with what it was given. */
export interface Trust {
  /** With the hosts that a token may be sent to. */
  readonly run: ActionRun;
  readonly project: ProjectPlace;
  /** Why a plan has to do without the service, as the end of a sentence; undefined if it has not. */
  readonly offlineBecause: string | undefined;
}

/**
 * A pull request from a fork, or without secrets, is planned offline. Otherwise a token may be sent to the hosts that the
 * workflow names, or else, for what is not merged yet, to those of agentform.yaml at the base, so that a change of it
 * cannot send a token elsewhere. Records are fetched from nowhere new either.
 */
export async function trustOf(run: ActionRun, project: ProjectPlace): Promise<Trust> {
  const { inputs, event, host } = run;
  const { root, file } = project;
  const named = allowedHostsOf(inputs.allowedHosts, 'the input allowed-hosts') ?? allowedHostsIn(process.env);
  if (event.pullRequest !== undefined && !event.pullRequest.isMerged) {
    if (event.pullRequest.isFork) return { run, project, offlineBecause: 'the pull request comes from a fork' };
    if (!hasSecrets(inputs.secrets, host.env)) return { run, project, offlineBecause: withoutSecrets(inputs.secrets) };
  }
  const isSettled = named !== undefined && isUsualRemote(project.record);
  if (event.trustedCommit === undefined || isSettled) return { ...withHosts(run, named), project };
  const base = await trustAtCommit(host, { root, file, commit: event.trustedCommit });
  const hosts = named ?? base?.hosts;
  if (hosts === undefined) return { ...withHosts(run, noHosts(file)), project, offlineBecause: withoutBase(file) };
  requireTrustedRemote(project.record, base?.record);
  return { ...withHosts(run, hosts), project };
}

function withHosts(run: ActionRun, allowedHosts: AllowedHosts | undefined): Omit<Trust, 'project'> {
  return { run: { ...run, host: { ...run.host, allowedHosts } }, offlineBecause: undefined };
}

function noHosts(file: string): AllowedHosts {
  return { hosts: new Set(), from: `the base commit has no ${file}, so it names` };
}

function withoutBase(file: string): string {
  return `the base commit has no ${file} that names the hosts a token may be sent to; the input allowed-hosts can name them`;
}

function withoutSecrets(names: readonly string[]): string {
  return names.length === 0
    ? 'the input secrets names none'
    : `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no value in this run`;
}
