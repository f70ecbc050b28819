import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { loadProject } from '../manifest/index.ts';
import { hostsOfProject } from '../manifest/project-hosts.ts';
import type { AllowedHosts } from '../service/allowed-hosts.ts';
import { withProjectAt } from './base-project.ts';
import type { Host } from './host.ts';

/**
 * The hosts that agentform.yaml names at a commit that is trusted, so that a change of it cannot send a token elsewhere;
 * undefined where there is no agentform.yaml at that commit.
 */
export async function hostsAtCommit(
  { env }: Pick<Host, 'env'>,
  { root, file, commit }: { readonly root: string; readonly file: string; readonly commit: string },
): Promise<AllowedHosts | undefined> {
  return withProjectAt(root, commit, async ({ folder }) => {
    if (folder === undefined || !existsSync(join(folder, basename(file)))) return undefined;
    const project = await loadProject(join(folder, file)).catch((cause: unknown) => {
      const why = `${file} at the base commit cannot be used (${reasonOf(cause)})`;
      throw new AgentformError('host-not-allowed', `${why}, so no host is known that a token may be sent to`, {
        cause,
      });
    });
    return { hosts: hostsOfProject(project, { env }), from: `${file} at the base commit names` };
  });
}
