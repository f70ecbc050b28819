import { cached } from '../../../json/json.ts';
import { emulator, hostKey } from '../../../kinds/desired.ts';
import { kindNamed } from '../../../kinds/kind.ts';
import { secretReference } from '../../../secrets/secret.ts';
import { listSome, quote } from '../../../text/wording.ts';
import { secretOf } from '../../../yaml/interpolate.ts';
import { type Problem, placeKey, type Span } from '../../../yaml/problem.ts';
import { type MapNode, mapNode, memberOf, membersIn, shownValue } from '../../../yaml/tree.ts';
import type { DeclaredManifest } from '../../fleet/fleet.ts';
import { byKindAndName, isInEnvironment, type UnitHead } from '../../fleet/units.ts';
import { type Chain, layersOf, mergeLayers } from '../../project/layers.ts';
import type { Project } from '../../project/project.ts';
import type { ProjectFiles } from '../../project/project-files.ts';
import { Scope, type ScopeInput } from '../values/scope.ts';
import { type EnvironmentNode, idOf, Targets } from './target.ts';

/** A target that a manifest claims in one environment: an agent's id, or a token with its query. */
export interface TargetClaim {
  readonly rule: 'environments-share-agent' | 'environments-share-token';
  readonly environment: string;
  /** The key, which is identical for equal targets on one host. */
  readonly key: string;
  /** The agent's id or the secret's name, for the message. */
  readonly subject: string;
  readonly at: Span;
}

/** An environment and its targets, whose host is resolved on demand. */
interface Deployment {
  readonly environment: EnvironmentNode;
  readonly targets: Targets;
}

/** Computes the targets that a manifest claims in each of its environments. */
export function targetClaims(
  manifest: DeclaredManifest,
  { project, ...input }: DeploymentInput & { readonly project: Project },
): TargetClaim[] {
  return environmentNodes(project).flatMap((environment) => {
    if (!isInEnvironment(manifest, environment.name)) return [];
    return claimsOf(manifest, deploymentOf(environment, input));
  });
}

interface Claimant {
  readonly head: Pick<UnitHead, 'kind' | 'name'>;
  readonly claims: readonly TargetClaim[];
  /** Whether the manifest is selected. Defaults to false. */
  readonly isSelected?: boolean;
}

interface SharedInput {
  readonly project: Project;
  readonly env: ScopeInput['env'];
  /** The environment that is being resolved. */
  readonly environment: string;
}

/**
 * Reports targets that a selected manifest shares with another environment on the same host, because the environments
 * would overwrite each other. A problem names the first environment that claims the target, and all environments whose
 * claims are at one other location. This keeps the work and the number of problems linear. All named environments
 * report the same problem.
 */
export function sharedTargets(claimants: readonly Claimant[], { project, env, environment }: SharedInput): Problem[] {
  const all = environmentNodes(project).map((one) => deploymentOf(one, { env, files: project.files }));
  const host = all.filter((one) => one.environment.name === environment).map(hostOf)[0];
  const onHost = new Map(
    all.flatMap((one) => (host !== undefined && hostOf(one) === host ? [[one.environment.name, one] as const] : [])),
  );
  if (onHost.size < 2) return [];
  const sorted = claimants.toSorted((one, other) => byKindAndName(one.head, other.head));
  const own = sorted.flatMap(({ claims, isSelected }) =>
    isSelected ? claims.filter((claim) => claim.environment === environment) : [],
  );
  const shared = sharedClaims(own, sorted, [...onHost.keys()]);
  return own.flatMap((claim) => {
    const { firstTwo: [first, second] = [], at } = shared.get(claim.key) ?? {};
    if (first === undefined || second === undefined) return [];
    const other = first.environment === environment ? second : claim;
    const names = new Set([first.environment, ...(at?.get(placeKey(other.at)) ?? [])]);
    const named = [...names].flatMap((name) => onHost.get(name) ?? []);
    return [claimProblem(first, other, named)];
  });
}

interface SharedClaims {
  /** The first claim in each of the first two environments that claim the target. */
  readonly firstTwo: TargetClaim[];
  /** The names of the environments that claim the target, by location. */
  readonly at: Map<string, Set<string>>;
}

/** Groups the claims on the targets in `own` by key, in the order of the environments. */
function sharedClaims(
  own: readonly TargetClaim[],
  claimants: readonly Claimant[],
  environments: readonly string[],
): ReadonlyMap<string, SharedClaims> {
  const keys = new Set(own.map(({ key }) => key));
  const inEnvironments = new Map<string, TargetClaim[]>(environments.map((name) => [name, []]));
  for (const { claims } of claimants) {
    for (const claim of claims) if (keys.has(claim.key)) inEnvironments.get(claim.environment)?.push(claim);
  }
  const found = new Map<string, SharedClaims>();
  for (const claim of [...inEnvironments.values()].flat()) {
    const { firstTwo, at } = found.get(claim.key) ?? { firstTwo: [], at: new Map<string, Set<string>>() };
    if (firstTwo.length < 2 && firstTwo[0]?.environment !== claim.environment) firstTwo.push(claim);
    const key = placeKey(claim.at);
    at.set(key, (at.get(key) ?? new Set()).add(claim.environment));
    found.set(claim.key, { firstTwo, at });
  }
  return found;
}

/** Returns the same text for all spellings of one host. */
function hostOf({ targets: { host } }: Pick<Deployment, 'targets'>): string | undefined {
  return host === undefined ? undefined : hostKey(host);
}

function environmentNodes({ tree }: Project): EnvironmentNode[] {
  return [...membersIn(memberOf(tree, 'environments'))].flatMap(([name, { key, value }]) =>
    value.type === 'map' ? [{ name, definition: value, at: key }] : [],
  );
}

interface DeploymentInput extends Pick<ScopeInput, 'env' | 'trace'> {
  readonly files: ProjectFiles;
}

function deploymentOf(environment: EnvironmentNode, { files, env, trace }: DeploymentInput): Deployment {
  const scope = new Scope({ environment, env, secrets: 'names', trace });
  return { environment, targets: new Targets({ environment, scope, files }) };
}

function claimsOf(manifest: DeclaredManifest, { environment, targets }: Deployment): TargetClaim[] {
  const { kind } = manifest;
  const merged = mergedTarget(manifest, environment);
  // An organization or owner determines the account, so the resource itself claims no target.
  if (memberOf(merged, 'organization') !== undefined || kindNamed(kind).owner !== undefined) return [];
  const { agentId, query, token } = targets.of(manifest, merged).nodes;
  const id = kindNamed(kind).hasIdInTarget ? idOf(agentId) : undefined;
  const secret = secretOf(token);
  const of = { environment: environment.name };
  const claims: TargetClaim[] = [];
  if (agentId !== undefined && id !== undefined) {
    const key = JSON.stringify(['id', id]);
    claims.push({ rule: 'environments-share-agent', key, subject: id, at: agentId.at, ...of });
  }
  // The emulator's data stays on this machine, and the emulator accepts any token.
  if (token !== undefined && secret !== undefined && targets.host !== emulator) {
    const parameters = [...query].map(([name, node]) => [name, shownValue(node)] as const);
    parameters.sort(([one], [other]) => (one < other ? -1 : 1));
    const key = JSON.stringify(['token', kind, secret, parameters]);
    claims.push({ rule: 'environments-share-token', key, subject: secret, at: token.at, ...of });
  }
  return claims;
}

/** Merges the members that determine the target. Only members of a fleet share a chain, so only they are cached. */
function mergedTarget(manifest: DeclaredManifest, environment: EnvironmentNode): MapNode {
  if (manifest.row === undefined) return targetIn(manifest, environment);
  const known = cached(targetsOfChains, manifest.chain, () => new Map<string, MapNode>());
  return cached(known, environment.name, () => targetIn(manifest, environment));
}

const targetsOfChains = new WeakMap<Chain, Map<string, MapNode>>();

function targetIn({ kind, chain, root }: DeclaredManifest, { name }: EnvironmentNode): MapNode {
  const members = ['target', 'organization'];
  const bodies = layersOf(kind, chain, name).map(({ body }) =>
    mapNode(
      body.at,
      [...body.members].filter(([member]) => members.includes(member)),
    ),
  );
  return mergeLayers(kind, [mapNode(root.at, []), ...bodies]);
}

/**
 * Reports the problem at the second claim's location. Names the first claim's environment, and all environments that
 * claim the target at the second location.
 */
function claimProblem(first: TargetClaim, second: TargetClaim, deployments: readonly Deployment[]): Problem {
  const [one, other] = deployments.map(({ targets }) => targets.host);
  const host = one === other ? one : `${one}, which is ${other}`;
  const names = deployments.map(({ environment }) => quote(environment.name));
  const others = names.length === 2 ? 'the other' : 'the others';
  const environment = deployments[1]?.environment;
  const also =
    placeKey(first.at) === placeKey(second.at) && environment !== undefined
      ? { message: 'this environment has the same host', at: environment.at }
      : { message: `in ${first.environment}`, at: first.at };
  const isAgent = first.rule === 'environments-share-agent';
  const remedy = isAgent
    ? 'declare the id only under `environments.NAME.target` of the environment that it belongs to'
    : 'give each environment its own token, or turn this rule off if the secret has a different value in each';
  const what = isAgent
    ? `write the agent ${quote(first.subject)} on ${host}`
    : `use the token ${secretReference(first.subject)} with the same query on ${host}`;
  const message = `the environments ${listSome(names, 5)} ${names.length === 2 ? 'both' : 'all'} ${what}, so each would overwrite what ${others} wrote; ${remedy}`;
  const severity = isAgent ? 'error' : 'warning';
  return { severity, rule: first.rule, message, at: second.at, also, namesEnvironments: true };
}
