import type { Target } from '../../kinds/desired.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { Project } from '../project/project.ts';
import { parseBaseUrl } from '../project/project-checks.ts';
import { errorAt, type Problem } from '../syntax/problem.ts';
import { memberOf, type Node } from '../syntax/tree.ts';
import type { ResolveOptions } from './resolution.ts';
import { Scope } from './scope.ts';
import { buildTarget, environmentNode, resolveTarget } from './target.ts';
import { ValueResolver } from './value-resolver.ts';

/** Where the calls of commands go that act on an environment and not on a resource. */
export interface EnvironmentTarget {
  /** Absent if there are problems. */
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
  { env, secretNames }: Pick<ResolveOptions, 'env' | 'secretNames'>,
): EnvironmentTarget {
  const environment = environmentNode(project, name);
  const { definition, at } = environment;
  const scope = new Scope({ definition, env, secrets: 'values', secretNames });
  const resolver = new ValueResolver({ kind: 'Agent', files: project.files, scope });
  const input = {
    environment,
    declared: undefined,
    resolver,
    scope,
    manifest: { path: project.file, at },
  };
  const { target, problems } = buildTarget(input, resolveTarget(input));
  const own = problems.map((problem) => (problem.rule === 'token-missing' ? noEnvironmentToken(problem) : problem));
  const all = [...resolver.problems, ...own];
  const secrets = () => [...scope.secrets.values()];
  return { problems: all, scope, secrets, ...(target !== undefined && all.length === 0 && { target }) };
}

/** Here, no manifest could name a token instead. */
function noEnvironmentToken({ at, rule, message }: Problem): Problem {
  if (at === undefined) return { severity: 'error', rule, message };
  return errorAt(at, rule, 'the environment has no token: write token: ${secret.NAME} under it');
}

/** The host of an environment's base URL, of the emulator `emulator`; undefined where the URL is not known. */
export function hostOf(definition: Node, resolver: ValueResolver): string | undefined {
  const node = memberOf(definition, 'baseUrl');
  if (node?.type !== 'scalar') return undefined;
  const filled = resolver.scalar(node, { asText: true, noSecret: 'baseUrl' });
  const base = filled.opaque ? undefined : parseBaseUrl(String(filled.value));
  return base !== undefined && 'host' in base ? base.host : undefined;
}
