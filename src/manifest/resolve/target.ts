import { AgentformError } from '../../errors.ts';
import { isEmbedded, type Target } from '../../kinds/desired.ts';
import { secretReference } from '../../secrets/reference.ts';
import { emulatorToken, Secret } from '../../secrets/secret.ts';
import { unknownEnvironment } from '../check/unknown-key.ts';
import type { Project } from '../project/project.ts';
import { mayHoldCredential, parseBaseUrl } from '../project/project-checks.ts';
import { secretOf } from '../syntax/interpolate.ts';
import { errorAt, type Problem, type Span } from '../syntax/problem.ts';
import { type MapNode, memberOf, type Node, type ScalarNode } from '../syntax/tree.ts';
import type { Scope } from './scope.ts';
import type { ValueResolver } from './value-resolver.ts';

/** The environment's side of a target. */
export interface EnvironmentNode {
  readonly name: string;
  /** Its part of agentform.yaml. */
  readonly definition: MapNode;
  /** Its name in agentform.yaml. */
  readonly at: Span;
}

/** Throws `environment-unknown`. */
export function environmentNode({ tree, file, environments }: Project, name: string): EnvironmentNode {
  const known = memberOf(tree, 'environments');
  const member = known?.type === 'map' ? known.members.get(name) : undefined;
  if (member?.value.type === 'map') return { name, definition: member.value, at: member.key };
  throw new AgentformError('environment-unknown', unknownEnvironment(file, name, environments), {
    facts: { environment: name, environments },
  });
}

export interface TargetInput {
  readonly environment: EnvironmentNode;
  /** The manifest's, merged; nothing is put in yet. */
  readonly declared: Node | undefined;
  readonly resolver: ValueResolver;
  readonly scope: Scope;
  /** The manifest's file and the place of its name, for complaints. */
  readonly manifest: { readonly path: string; readonly at: Span };
}

/** Target and environment with variables put in. */
export interface ResolvedTarget {
  readonly query: ReadonlyMap<string, ScalarNode>;
  readonly agentId: ScalarNode | undefined;
  readonly campaignId: ScalarNode | undefined;
  /** The reference to the token, from the target or else the environment. */
  readonly token: Node | undefined;
}

/** Puts variables and secrets into the target; the nearer query parameter wins. */
export function resolveTarget({ declared, environment, resolver }: TargetInput): ResolvedTarget {
  const scalar = (name: string): ScalarNode | undefined => {
    const node = memberOf(declared, name);
    const resolved = node === undefined ? undefined : resolver.resolve(node, ['target', name]);
    return resolved?.type === 'scalar' ? resolved : undefined;
  };
  const query = [memberOf(environment.definition, 'query'), memberOf(declared, 'query')].flatMap((node) =>
    node?.type === 'map' ? queryOf(node, resolver) : [],
  );
  const token = memberOf(declared, 'token') ?? memberOf(environment.definition, 'token');
  return { query: new Map(query), agentId: scalar('agentId'), campaignId: scalar('campaignId'), token };
}

function queryOf(node: MapNode, resolver: ValueResolver): Array<readonly [string, ScalarNode]> {
  return [...node.members].flatMap(([name, { value }]) => {
    const resolved = resolver.resolve(value, ['target', 'query', name]);
    return resolved.type === 'scalar' ? [[name, resolved] as const] : [];
  });
}

/** Where a query parameter is declared: in the target, or else in the environment. */
export function placeOfParameter({ declared, environment }: TargetInput, name: string): Span | undefined {
  const queries = [memberOf(declared, 'query'), memberOf(environment.definition, 'query')];
  return queries.flatMap((query) => (query?.type === 'map' ? (query.members.get(name)?.key ?? []) : []))[0];
}

export type BuiltTarget = { readonly target?: Target; readonly problems: readonly Problem[] };

/** Where the calls for a resource go; without a target if something it needs is missing. */
export function buildTarget(input: TargetInput, resolved: ResolvedTarget): BuiltTarget {
  const base = resolveBase(input);
  if ('problems' in base) return base;
  const token = findToken(input, resolved.token, isEmbedded(base));
  if ('problems' in token) return token;
  const query = [...resolved.query];
  const agentId = idOf(resolved.agentId);
  const campaignId = idOf(resolved.campaignId);
  const target: Target = {
    ...base,
    token: token.secret,
    ...(token.name !== undefined && { tokenName: token.name }),
    query: Object.fromEntries(query.map(([name, { value }]) => [name, String(value)])),
    sensitiveQuery: new Set(query.filter(([, { sensitive }]) => sensitive).map(([name]) => name)),
    ...(agentId === undefined ? {} : { agentId }),
    ...(campaignId === undefined ? {} : { campaignId }),
  };
  return { target, problems: [] };
}

/** An id that is given and known. */
export function idOf(node: ScalarNode | undefined): string | undefined {
  return node === undefined || node.opaque ? undefined : String(node.value);
}

type Failed = { readonly problems: readonly Problem[] };

function resolveBase({ environment, resolver }: TargetInput): { baseUrl: string; host: string } | Failed {
  const node = memberOf(environment.definition, 'baseUrl');
  if (node?.type !== 'scalar') return { problems: [] };
  const filled = resolver.scalar(node, { asText: true, noSecret: 'baseUrl' });
  if (filled.opaque) return { problems: [] };
  const text = String(filled.value);
  const base = parseBaseUrl(text);
  if (!('problem' in base)) return base;
  const problem = errorAt(node.at, 'base-url', base.problem);
  return { problems: [mayHoldCredential(text) ? { ...problem, hideSource: true } : problem] };
}

interface FoundToken {
  readonly secret: Secret;
  /** Of the secret that holds it. */
  readonly name?: string;
}

/** The emulator takes any token, so that nothing needs to be set up to try a project. */
function findToken(input: TargetInput, node: Node | undefined, isEmulator: boolean): FoundToken | Failed {
  const fallback = isEmulator ? { secret: emulatorToken } : undefined;
  if (node === undefined) return fallback ?? { problems: [noToken(input)] };
  const name = secretOf(node);
  if (name === undefined) return { problems: [] };
  const secret = input.scope.secret(name);
  if (secret === 'unknown') return fallback ?? { secret: new Secret(secretReference(name)), name };
  if (secret !== undefined) return { secret, name };
  return fallback ?? { problems: [errorAt(node.at, 'secret-unset', input.scope.missingSecret(name))] };
}

function noToken({ environment, manifest }: TargetInput): Problem {
  const message = `there is no token: write token: \${secret.NAME} under the environment in agentform.yaml, or under target in ${manifest.path}`;
  return {
    ...errorAt(manifest.at, 'token-missing', message),
    also: { message: 'the environment', at: environment.at },
  };
}
