import type { Target } from '../../kinds/desired.ts';
import type { Secret } from '../../secrets/secret.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';
import type { Project } from '../project/project.ts';
import { environmentNode, Targets } from './identity/target.ts';
import type { ResolveOptions } from './resolution.ts';
import { Scope } from './values/scope.ts';

/** Where the calls of commands go that act on an environment and not on a resource. */
export interface EnvironmentTarget {
  /** Absent if there are errors. */
  readonly target?: Target;
  readonly problems: readonly Problem[];
  /** The variables and secrets of the environment. */
  readonly scope: Scope;
  /** Those that were put in so far, the token included. */
  readonly secrets: () => readonly Secret[];
}

/** Puts variables and secrets into an environment of agentform.yaml, which has to be one of the project's. */
export function resolveEnvironment(
  project: Project,
  name: string,
  { env, allowedSecrets }: Pick<ResolveOptions, 'env' | 'allowedSecrets'>,
): EnvironmentTarget {
  const environment = environmentNode(project, name);
  const scope = new Scope({ environment, env, secrets: 'values', allowedSecrets });
  const declared = new Targets({ environment, scope, files: project.files }).ofEnvironment();
  const { target, problems } = declared.build();
  const all = [...declared.problems, ...problems];
  const secrets = () => [...scope.secrets.values()];
  return { problems: all, scope, secrets, ...(target !== undefined && !hasErrors(all) && { target }) };
}
