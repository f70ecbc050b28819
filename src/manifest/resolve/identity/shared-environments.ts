import { emulator, hostKey } from '../../../kinds/desired.ts';
import { kindNamed } from '../../../kinds/kind.ts';
import { secretReference } from '../../../secrets/reference.ts';
import { quote } from '../../../text/wording.ts';
import { secretOf } from '../../../yaml/interpolate.ts';
import { type Problem, placeKey, type Span } from '../../../yaml/problem.ts';
import { type MapNode, mapNode, memberOf, shownValue } from '../../../yaml/tree.ts';
import { byKindAndName, isIn, type MergedManifest } from '../../fleet/gather-manifests.ts';
import { type Chain, layersOf, mergeLayers } from '../../project/layers.ts';
import type { Project } from '../../project/project.ts';
import { Scope, type ScopeInput } from '../values/scope.ts';
import { type EnvironmentNode, idOf, Targets } from './target.ts';

export interface SharedInput {
  readonly project: Project;
  readonly env: ScopeInput['env'];
  /** The environment that is resolved. */
  readonly environment: EnvironmentNode;
  readonly targets: Targets;
  readonly claims: SharedClaims;
}

interface Deployment {
  readonly environment: EnvironmentNode;
  readonly targets: Targets;
}

/** A target of a manifest in an environment, with its place. */
interface Claim {
  readonly rule: 'environments-share-agent' | 'environments-share-token';
  /** Equal for manifests with the same target on one host. */
  readonly key: string;
  /** The id of the agent, or the name of the secret. */
  readonly subject: string;
  readonly at: Span;
  readonly manifest: MergedManifest;
  readonly environment: EnvironmentNode;
  /** As its environment names it. */
  readonly host: string | undefined;
}

/** The first manifest of an environment for each target, by key. */
type FirstClaims = Map<string, Claim>;

/**
 * Targets shared by environments, by host and key. Keeps the claims of the first two environments in agentform.yaml
 * order. A resolver passes the map from one environment to the next.
 */
export type SharedClaims = Map<string, ReadonlyMap<string, readonly Claim[]>>;

/**
 * Targets of selected manifests in this environment that any manifest has in another one on the same host: an agent by
 * its id, or a token and query. Each environment would overwrite what the other wrote. If many have the same target,
 * each is reported with the first, and the first with the second: the work and the problems must not grow with their
 * pairs. Both of two environments give the same problem, which names them in the order of agentform.yaml.
 */
export class SharedEnvironments {
  readonly #input: SharedInput;
  readonly #host: string | undefined;
  /** The first targets of each environment; none if there is only one, or an earlier environment found them all. */
  readonly #found: ReadonlyMap<Deployment, FirstClaims>;
  readonly #selected: Claim[] = [];

  constructor(input: SharedInput) {
    const { project, env, claims, targets } = input;
    const host = hostOf({ targets });
    const isKnown = host === undefined || claims.has(host);
    const deployments = (isKnown ? [] : environmentNodes(project))
      .map((environment) => deploymentOf(environment, project, env))
      .filter((deployment) => hostOf(deployment) === host);
    this.#input = input;
    this.#host = deployments.length === 1 ? undefined : host;
    this.#found = new Map(deployments.map((one) => [one, new Map()]));
  }

  /** Adds the targets of a manifest in any environments, in any order. */
  look(manifest: MergedManifest, isSelected: boolean): void {
    if (this.#host === undefined) return;
    const own = isSelected ? claimsOf(manifest, this.#input) : undefined;
    if (own !== undefined) this.#selected.push(...own);
    for (const [deployment, known] of this.#found) {
      const isOwn = deployment.environment.name === this.#input.environment.name;
      for (const claim of (isOwn ? own : undefined) ?? claimsIn(deployment, manifest)) {
        const first = known.get(claim.key);
        if (first === undefined || byManifest(claim, first) < 0) known.set(claim.key, claim);
      }
    }
  }

  problems(): Problem[] {
    const { project, environment, claims } = this.#input;
    const host = this.#host;
    if (host === undefined) return [];
    const onHost = claims.get(host) ?? sharedAmong([...this.#found.values()]);
    claims.set(host, onHost);
    const rank = new Map(project.environments.map((name, index) => [name, index]));
    const rankOf = (claim: Claim) => rank.get(claim.environment.name) ?? 0;
    return this.#selected.toSorted(byManifest).flatMap((claim) => {
      const same = onHost.get(claim.key)?.find((one) => one.environment.name !== environment.name);
      if (same === undefined) return [];
      const [first, second] = rankOf(claim) < rankOf(same) ? [claim, same] : [same, claim];
      return [problemOf(first, second)];
    });
  }
}

function sharedAmong(found: readonly FirstClaims[]): ReadonlyMap<string, readonly Claim[]> {
  const firsts = new Map<string, Claim>();
  const shared = new Map<string, readonly Claim[]>();
  for (const claim of found.flatMap((claims) => [...claims.values()])) {
    const first = firsts.get(claim.key);
    if (first === undefined) firsts.set(claim.key, claim);
    else if (!shared.has(claim.key)) shared.set(claim.key, [first, claim]);
  }
  return shared;
}

function byManifest(one: Claim, other: Claim): number {
  return one.manifest === other.manifest ? 0 : byKindAndName(one.manifest, other.manifest);
}

/** The same for all names of one host. */
function hostOf({ targets: { host } }: Pick<Deployment, 'targets'>): string | undefined {
  return host === undefined ? undefined : hostKey(host);
}

function claimsIn(deployment: Deployment, manifest: MergedManifest): Claim[] {
  const { environment } = deployment;
  if (!isIn(manifest, environment.name)) return [];
  return claimsOf(manifest, deployment, targetIn(manifest, environment));
}

function environmentNodes({ tree }: Project): EnvironmentNode[] {
  const environments = memberOf(tree, 'environments');
  if (environments?.type !== 'map') return [];
  return [...environments.members].flatMap(([name, { key, value }]) =>
    value.type === 'map' ? [{ name, definition: value, at: key }] : [],
  );
}

function deploymentOf(environment: EnvironmentNode, { files }: Project, env: ScopeInput['env']): Deployment {
  const scope = new Scope({ environment, env, secrets: 'form' });
  return { environment, targets: new Targets({ environment, scope, files }) };
}

/** `merged` is its result in the environment of the deployment. */
function claimsOf(
  manifest: MergedManifest,
  { environment, targets }: Deployment,
  merged: MapNode = manifest.merged,
): Claim[] {
  const { kind } = manifest;
  // A resource of an organization is in its account, and one with an owner in the owner's account.
  if (memberOf(merged, 'organization') !== undefined || kindNamed(kind).owner !== undefined) return [];
  const { host } = targets;
  const { agentId, query, token } = targets.of(manifest, merged).nodes;
  const id = kindNamed(kind).hasIdInTarget ? idOf(agentId) : undefined;
  const secret = secretOf(token);
  const of = { manifest, environment, host };
  const claims: Claim[] = [];
  if (agentId !== undefined && id !== undefined) {
    const key = JSON.stringify(['id', id]);
    claims.push({ rule: 'environments-share-agent', key, subject: id, at: agentId.at, ...of });
  }
  // The data of the emulator is this machine's own, and it takes any token.
  if (token !== undefined && secret !== undefined && host !== emulator) {
    const parameters = [...query].map(([name, node]) => [name, shownValue(node)] as const).sort(byName);
    const key = JSON.stringify(['token', kind, secret, parameters]);
    claims.push({ rule: 'environments-share-token', key, subject: secret, at: token.at, ...of });
  }
  return claims;
}

/** Only what decides where the calls go; the rest is not needed for every pair of environments. Members of a fleet have one chain. */
function targetIn(manifest: MergedManifest, environment: EnvironmentNode): MapNode {
  if (manifest.row === undefined) return mergedTarget(manifest, environment);
  const known = targetsOfMembers.get(manifest.chain) ?? new Map<string, MapNode>();
  const found = known.get(environment.name) ?? mergedTarget(manifest, environment);
  targetsOfMembers.set(manifest.chain, known.set(environment.name, found));
  return found;
}

/** By environment. */
const targetsOfMembers = new WeakMap<Chain, Map<string, MapNode>>();

function mergedTarget({ kind, chain, root }: MergedManifest, { name }: EnvironmentNode): MapNode {
  const members = ['target', 'organization'];
  const bodies = layersOf(kind, chain, name).map(({ body }) =>
    mapNode(
      body.at,
      [...body.members].filter(([member]) => members.includes(member)),
    ),
  );
  return mergeLayers(kind, [mapNode(root.at, []), ...bodies]);
}

function problemOf(first: Claim, second: Claim): Problem {
  const host = first.host === second.host ? first.host : `${first.host}, which is ${second.host}`;
  const names = `the environments ${quote(first.environment.name)} and ${quote(second.environment.name)}`;
  const isOnePlace = placeKey(first.at) === placeKey(second.at);
  const also = isOnePlace
    ? { message: 'this environment has the same host', at: second.environment.at }
    : { message: `in ${first.environment.name}`, at: first.at };
  const isAgent = first.rule === 'environments-share-agent';
  const remedy = isAgent
    ? 'declare the id only under `environments.NAME.target` of the one that it belongs to'
    : 'give each its own token, or turn this rule off if the secret has a different value in each';
  const what = isAgent
    ? `write the agent ${quote(first.subject)} on ${host}`
    : `use the token ${secretReference(first.subject)} with the same query on ${host}`;
  const message = `${names} both ${what}, so each would overwrite what the other wrote; ${remedy}`;
  const severity = isAgent ? 'error' : 'warning';
  return { severity, rule: first.rule, message, at: second.at, also, namesEnvironments: true };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}
