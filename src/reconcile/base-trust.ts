import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { loadProject, type Project } from '../manifest/index.ts';
import { hostsOfProject } from '../manifest/project-hosts.ts';
import { withoutCredentials } from '../record/git-command.ts';
import type { AllowedHosts } from '../service/allowed-hosts.ts';
import { withProjectAt } from './base-project.ts';
import type { Host } from './host.ts';
import { usualRemote } from './open-store.ts';

/** What agentform.yaml says at a commit that is trusted, about where to go. */
export interface BaseTrust {
  /** So that a change of it cannot send a token elsewhere. */
  readonly hosts: AllowedHosts;
  /** So that a change of it cannot have records fetched from elsewhere. */
  readonly record: Project['record'];
}

/** Undefined where there is no agentform.yaml at that commit. */
export async function trustAtCommit(
  { env }: Pick<Host, 'env'>,
  { root, file, commit }: { readonly root: string; readonly file: string; readonly commit: string },
): Promise<BaseTrust | undefined> {
  return withProjectAt(root, commit, async ({ folder }) => {
    if (folder === undefined || !existsSync(join(folder, file))) return undefined;
    const project = await loadProject(join(folder, file)).catch((cause: unknown) => {
      const why = `${file} at the base commit cannot be used (${reasonOf(cause)})`;
      throw new AgentformError('host-not-allowed', `${why}, so no host is known that a token may be sent to`, {
        cause,
      });
    });
    const hosts = { hosts: hostsOfProject(project, { env }), from: `${file} at the base commit names` };
    return { hosts, record: project.record };
  });
}

/**
 * Throws `run-refused` where a change that is not merged yet would have git fetch records from where the base does not.
 * The remote that the checkout came from is nothing new.
 */
export function requireTrustedRemote(changed: Project['record'], base: Project['record'] | undefined): void {
  const [wanted, trusted] = [remoteOf(changed), base && remoteOf(base)];
  if (isUsualRemote(changed) || wanted === trusted) return;
  throw new AgentformError(
    'run-refused',
    `record.remote is ${withoutCredentials(wanted)} only in this change: until it is merged, records are fetched from ` +
      `${withoutCredentials(trusted ?? usualRemote)} and nowhere else; merge the change of record.remote on its own first`,
  );
}

/** Whether git is asked for nothing, or only the remote that the checkout came from. */
export function isUsualRemote(record: Project['record']): boolean {
  return remoteOf(record) === usualRemote;
}

/** Records in files are fetched from nowhere else. */
function remoteOf({ store, remote = usualRemote }: Project['record']): string {
  return store === 'git' ? remote : usualRemote;
}
