import { canonicalJson } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { ManifestIdentity } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { SharedWork } from '../../manifest/resolve/shared-work.ts';
import type { Host } from '../host.ts';

/** A resource as far as rules choose it. */
export interface NamedResource {
  readonly kind: string;
  readonly name: string;
}

/** What a resource was at the base commit; undefined for a new one, and for one whose calls now go to another agent. */
export type FormerOf = (resource: NamedResource) => ManifestIdentity | undefined;

/** By environment, every resource that a project has. Values are not looked into. */
export async function identitiesIn(
  project: Project,
  { environments, env }: { readonly environments: readonly string[]; readonly env: Host['env'] },
): Promise<ReadonlyMap<string, readonly ManifestIdentity[]>> {
  const shared = new SharedWork();
  const found = new Map<string, readonly ManifestIdentity[]>();
  for (const environment of environments) {
    if (!project.environments.includes(environment)) continue;
    const options = { environment, env, secrets: 'form', select: () => false, shared } as const;
    found.set(environment, (await resolveProject(project, options)).all);
  }
  return found;
}

/**
 * Finds what resources were. The first of these counts: the agent with the id that the manifest declares, the one that the manifest
 * was renamed from, the one of its name. A name alone proves nothing: what it was must have had the same target.
 */
export function formerIn(before: readonly ManifestIdentity[], now: readonly ManifestIdentity[]): FormerOf {
  const byAddress = new Map(before.map((one) => [addressOf(one), one]));
  const byId = new Map(before.flatMap((one) => (one.agentId === undefined ? [] : [[idOf(one), one] as const])));
  const former = new Map(
    now.map((one) => {
      const { kind, renamedFrom } = one;
      const names = [...renamedFrom, one].map(({ name }) => addressOf({ kind, name }));
      const known = names.map((address) => byAddress.get(address)).find((found) => found !== undefined);
      const found = one.agentId === undefined ? undefined : byId.get(idOf(one));
      return [addressOf(one), found ?? (known && targetOf(known) === targetOf(one) ? known : undefined)] as const;
    }),
  );
  return (resource) => former.get(addressOf(resource));
}

function idOf({ kind, agentId }: ManifestIdentity): string {
  return `${kind} ${agentId}`;
}

function targetOf({ agentId = '', query, token = '' }: ManifestIdentity): string {
  return canonicalJson({ agentId, query, token });
}
