import { addressOf } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Host } from '../../session/host.ts';

interface Used {
  readonly environment: string;
  readonly env: Host['env'];
  /** Of the project; one of all resources spares another. */
  readonly resolution?: Pick<Resolution, 'all' | 'declaredOf'>;
}

/** How many resources of the environment each file has a part in, bases and included texts among them. */
export async function usersOf(
  project: Project,
  { environment, env, resolution }: Used,
): Promise<ReadonlyMap<string, number>> {
  const isWhole = resolution?.all.every((one) => resolution.declaredOf(addressOf(one)) !== undefined);
  const { all, declaredOf } =
    resolution !== undefined && isWhole
      ? resolution
      : await resolveProject(project, { environment, secrets: 'form', env });
  const users = new Map<string, number>();
  const add = (file: string) => users.set(file, (users.get(file) ?? 0) + 1);
  for (const one of all) {
    for (const file of declaredOf(addressOf(one))?.files ?? []) add(file);
    // A template is for whoever comes into the table, too.
    if (one.home !== one.file) add(one.file);
  }
  return users;
}
