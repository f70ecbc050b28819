import { emulator } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { secretReference } from '../../secrets/reference.ts';
import { quote } from '../../text/wording.ts';
import { isIn, type MergedManifest } from '../project/gather-manifests.ts';
import { type Chain, layersOf, mergeLayers } from '../project/layers.ts';
import type { Project } from '../project/project.ts';
import { secretOf } from '../syntax/interpolate.ts';
import { type Problem, placeKey, type Span } from '../syntax/problem.ts';
import { type MapNode, mapNode, memberOf, shownValue } from '../syntax/tree.ts';
import { Scope, type ScopeInput } from './scope.ts';
import { type EnvironmentNode, idOf, Targets } from './target.ts';

export interface SharedInput {
  readonly project: Project;
  readonly env: ScopeInput['env'];
  /** The environment that is resolved. */
  readonly environment: EnvironmentNode;
  readonly targets: Targets;
  /** Of every environment. */
  readonly manifests: readonly MergedManifest[];
  readonly isSelected: (manifest: MergedManifest) => boolean;
  readonly claims: SharedClaims;
}

interface Deployment {
  readonly environment: EnvironmentNode;
  readonly targets: Targets;
}

/** What a manifest hits in an environment, with the place that says so. */
interface Claim {
  readonly rule: 'environments-share-agent' | 'environments-share-token';
  /** Equal for manifests that hit the same on one host. */
  readonly key: string;
  readonly what: string;
  readonly at: Span;
  readonly environment: EnvironmentNode;
}

/**
 * By host and key, the first environment that hits it, with the first of its manifests that does, and the second one.
 * Who resolves one environment after the other keeps it from each to the next.
 */
export type SharedClaims = Map<string, ReadonlyMap<string, readonly Claim[]>>;

/**
 * What selected manifests hit in this environment and any manifest hits in another one on the same host: an agent by its
 * id, or whatever a token and a query lead to. Each environment would overwrite what the other wrote. Of many that hit
 * the same, each is told with the first, and the first with the second: the work and the problems must not grow with
 * their pairs. Both of two environments give the same problem, which names them in the order of agentform.yaml.
 */
export function sharedBetweenEnvironments(input: SharedInput): Problem[] {
  const { project, environment, targets, manifests, isSelected, claims: known } = input;
  const { host } = targets;
  if (host === undefined) return [];
  const onHost = known.get(host) ?? claimsOnHost(host, input);
  known.set(host, onHost);
  const rank = new Map(project.environments.map((name, index) => [name, index]));
  const rankOf = (claim: Claim) => rank.get(claim.environment.name) ?? 0;
  const claims = manifests.filter(isSelected).flatMap((manifest) => claimsOf(manifest, { environment, targets }));
  return claims.flatMap((claim) => {
    const same = onHost.get(claim.key)?.find((one) => one.environment.name !== environment.name);
    if (same === undefined) return [];
    return [rankOf(claim) < rankOf(same) ? problemOf(claim, same) : problemOf(same, claim)];
  });
}

function claimsOnHost(
  host: string,
  { project, env, manifests }: Pick<SharedInput, 'project' | 'env' | 'manifests'>,
): ReadonlyMap<string, readonly Claim[]> {
  const deployments = environmentNodes(project)
    .map((environment) => deploymentOf(environment, project, env))
    .filter(({ targets }) => targets.host === host);
  const byKey = new Map<string, Claim[]>();
  if (deployments.length < 2) return byKey;
  for (const claim of deployments.flatMap((deployment) => claimsIn(deployment, manifests))) {
    const known = byKey.get(claim.key);
    if (known === undefined) byKey.set(claim.key, [claim]);
    else if (known.length < 2 && known[0]?.environment !== claim.environment) known.push(claim);
  }
  return byKey;
}

/** Tells of a manifest the keys of what it hits in the other environments on the host of this one. */
export function claimedElsewhere({
  project,
  env,
  environment,
  targets,
}: Pick<SharedInput, 'project' | 'env' | 'environment' | 'targets'>): (manifest: MergedManifest) => string[] {
  const { host } = targets;
  const others = environmentNodes(project)
    .filter(({ name }) => host !== undefined && name !== environment.name)
    .map((other) => deploymentOf(other, project, env))
    .filter((deployment) => deployment.targets.host === host);
  return (manifest) => others.flatMap((deployment) => claimsIn(deployment, [manifest]).map(({ key }) => key));
}

/** The keys of what a manifest hits in an environment. */
export function claimedBy(manifest: MergedManifest, deployment: Deployment): string[] {
  return claimsOf(manifest, deployment).map(({ key }) => key);
}

function claimsIn(deployment: Deployment, manifests: readonly MergedManifest[]): Claim[] {
  const { environment } = deployment;
  return manifests
    .filter((manifest) => isIn(manifest, environment.name))
    .map((manifest) => ({ ...manifest, merged: targetIn(manifest, environment) }))
    .flatMap((manifest) => claimsOf(manifest, deployment));
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

function claimsOf(manifest: MergedManifest, { environment, targets }: Deployment): Claim[] {
  const { kind, merged } = manifest;
  // What belongs to an organization is in that one's account, and what has an owner in its owner's.
  if (memberOf(merged, 'organization') !== undefined || kindNamed(kind).owner !== undefined) return [];
  const { host } = targets;
  const { agentId, query, token } = targets.of(manifest).nodes;
  const id = kindNamed(kind).hasIdInTarget ? idOf(agentId) : undefined;
  const secret = secretOf(token);
  const claims: Claim[] = [];
  if (agentId !== undefined && id !== undefined) {
    const what = `write the agent ${quote(id)} on ${host}`;
    claims.push({
      rule: 'environments-share-agent',
      key: JSON.stringify(['id', id]),
      what,
      at: agentId.at,
      environment,
    });
  }
  // The data of the emulator is this machine's own, and it takes any token.
  if (token !== undefined && secret !== undefined && host !== emulator) {
    const parameters = [...query].map(([name, node]) => [name, shownValue(node)] as const).sort(byName);
    const key = JSON.stringify(['token', kind, secret, parameters]);
    const what = `use the token ${secretReference(secret)} with the same query on ${host}`;
    claims.push({ rule: 'environments-share-token', key, what, at: token.at, environment });
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
  const names = `the environments ${quote(first.environment.name)} and ${quote(second.environment.name)}`;
  const isOnePlace = placeKey(first.at) === placeKey(second.at);
  const also = isOnePlace
    ? { message: 'this environment has the same host', at: second.environment.at }
    : { message: `in ${first.environment.name}`, at: first.at };
  const isAgent = first.rule === 'environments-share-agent';
  const remedy = isAgent
    ? 'declare the id only under `environments.NAME.target` of the one that it belongs to'
    : 'give each its own token, or turn this rule off if the secret has a different value in each';
  const message = `${names} both ${first.what}, so each would overwrite what the other wrote; ${remedy}`;
  const severity = isAgent ? 'error' : 'warning';
  return { severity, rule: first.rule, message, at: second.at, also, namesEnvironments: true };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}
