import { emulator, parseBaseUrl } from './base-url.ts';
import type { Project } from './project.ts';
import type { ResolveOptions } from './resolution.ts';
import { Scope } from './scope.ts';
import { memberOf } from './tree.ts';
import { ValueResolver } from './value-resolver.ts';

/** The hosts of a project's environments, variables put in; the embedded emulator is none. */
export function hostsOfProject(project: Project, { env }: Pick<ResolveOptions, 'env'>): Set<string> {
  const environments = memberOf(project.tree, 'environments');
  const definitions = environments?.type === 'map' ? [...environments.members.values()] : [];
  const hosts = definitions.flatMap(({ value: definition }) => {
    const node = memberOf(definition, 'baseUrl');
    if (node?.type !== 'scalar') return [];
    const scope = new Scope({ definition, env, secrets: 'form' });
    const resolver = new ValueResolver({ kind: 'Agent', files: project.files, scope });
    const filled = resolver.scalar(node, { asText: true, noSecret: 'baseUrl' });
    const base = filled.opaque ? undefined : parseBaseUrl(String(filled.value));
    return base !== undefined && 'host' in base && base.host !== emulator ? [base.host] : [];
  });
  return new Set(hosts);
}
