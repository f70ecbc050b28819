import { addressOf } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Host } from '../../session/host.ts';

/** How many resources of the environment each file has a part in, bases and included texts among them. */
export async function usersOf(
  project: Project,
  { environment, env }: { readonly environment: string; readonly env: Host['env'] },
): Promise<ReadonlyMap<string, number>> {
  const { all, declaredOf } = await resolveProject(project, { environment, secrets: 'form', env });
  const users = new Map<string, number>();
  const add = (file: string) => users.set(file, (users.get(file) ?? 0) + 1);
  for (const one of all) {
    for (const file of declaredOf(addressOf(one))?.files ?? []) add(file);
    // A template is for whoever comes into the table, too.
    if (one.home !== one.file) add(one.file);
  }
  return users;
}
