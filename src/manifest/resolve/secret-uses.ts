import { entryVariable, secretNamesIn } from '../../secrets/reference.ts';
import { hasErrors } from '../../yaml/problem.ts';
import { type MapNode, memberOf, scalarsOf } from '../../yaml/tree.ts';
import type { Project } from '../project/project.ts';
import { environmentNode, Targets } from './identity/target.ts';
import type { ResolveOptions } from './resolution.ts';
import { resolveProject } from './resolve-project.ts';
import { Scope } from './values/scope.ts';

/** Which secrets an environment sends, and where. */
export interface SecretUses {
  /** Host and port; `emulator`, or undefined where the base URL cannot be told. */
  readonly host: string | undefined;
  /** Names of the secrets that the environment and the selected manifests refer to: in targets, queries and values. */
  readonly secrets: ReadonlySet<string>;
  /** Whether nothing is wrong with the manifests, so that there can be no further use. */
  readonly isWhole: boolean;
}

/** What one of the project's environments would send where, told without a secret. */
export async function secretUses(
  project: Project,
  { environment, ...options }: Pick<ResolveOptions, 'environment' | 'env' | 'select' | 'shared'>,
): Promise<SecretUses> {
  const node = environmentNode(project, environment);
  const resolution = await resolveProject(project, { ...options, environment, secrets: 'form' });
  const scope = new Scope({ environment: node, env: options.env, secrets: 'form' });
  return {
    host: new Targets({ environment: node, scope, files: project.files }).host,
    secrets: new Set([...resolution.secretNames, ...secretsOf(node.definition)]),
    isWhole: !hasErrors(resolution.problems),
  };
}

/** Used by every manifest that has none of its own, and by commands that act on no manifest. */
function secretsOf(definition: MapNode): string[] {
  const nodes = ['token', 'query'].flatMap((name) => memberOf(definition, name) ?? []);
  const texts = nodes.flatMap((node) => [...scalarsOf(node)].map(([, { value }]) => String(value)));
  // Which entry a variable chooses is another for each manifest, which asks for it.
  return texts.flatMap(secretNamesIn).filter((name) => entryVariable(name) === undefined);
}
