import { accountParameter, type Desired, type Target } from '../../../kinds/desired.ts';
import { kindNamed } from '../../../kinds/kind.ts';
import { errorAt, type Problem } from '../../../yaml/problem.ts';
import {
  isUnsafe,
  keyAt,
  type MapNode,
  type Member,
  mapNode,
  memberOf,
  type Node,
  type ScalarNode,
  showNode,
  unsafeNumber,
} from '../../../yaml/tree.ts';
import type { MergedManifest } from '../../fleet/units.ts';
import type { ValueResolver } from '../values/value-resolver.ts';
import type { References } from './references.ts';
import type { DeclaredTarget, EnvironmentNode, TargetContext, TargetNodes, Targets } from './target.ts';

export interface EnvelopeContext extends TargetContext {
  readonly targets: Targets;
  /** The query parameter that contains the reseller's id. */
  readonly resellerParameter: string;
}

/** The resolved members of a manifest outside its sections. */
export interface ResourceEnvelope {
  /** The target. Absent if the target cannot be built or the owner is unknown. */
  readonly target?: Target;
  readonly values: Pick<Desired, 'organization' | 'agent' | 'memberId' | 'resellerId'>;
  /** The nodes of the members, with their locations. */
  readonly members: ReadonlyArray<readonly [string, Member]>;
  readonly problems: readonly Problem[];
  /** The names of the secrets in the target, except that of the token. */
  readonly secrets: ReadonlySet<string>;
}

/** Resolves the members of a manifest outside its sections, including the target. */
export function resolveEnvelope(
  manifest: MergedManifest,
  { organization, agent, owner, problems }: References,
  { context, resolver }: { readonly context: EnvelopeContext; readonly resolver: ValueResolver },
): ResourceEnvelope {
  const { hasIdInTarget, hasReseller } = kindNamed(manifest.kind);
  const reseller = hasReseller ? resolveReseller(manifest, context.environment, resolver) : unset;
  const memberId = memberOf(manifest.merged, 'memberId');
  const member = memberId?.type === 'scalar' ? resolveMemberId(memberId, resolver) : unset;
  const nodes = { organization, agent, memberId: member.id, resellerId: reseller.id };
  const own = [...problems, ...reseller.problems, ...member.problems];
  const values = {
    ...(organization && { organization: String(organization.value) }),
    ...(agent && { agent: String(agent.value) }),
    ...(member.id && { memberId: Number(member.id.value) }),
    ...(reseller.id && { resellerId: String(reseller.id.value) }),
  };
  if (owner === undefined) return { values, members: membersOf(nodes), problems: own, secrets: new Set() };
  const declared = context.targets.of(owner, owner.merged);
  const built = context.targets.build(declared);
  const twice = [
    ...(organization
      ? saidTwice(declared, { node: organization, path: 'organization', parameter: accountParameter })
      : []),
    ...(reseller.id
      ? saidTwice(declared, { node: reseller.id, path: 'resellerId', parameter: context.resellerParameter })
      : []),
  ];
  const target = built.target && (hasIdInTarget ? built.target : withoutIds(built.target));
  return {
    ...(target === undefined ? {} : { target }),
    values,
    members: membersOf({ target: mapOf(declared.nodes, manifest), ...nodes }),
    problems: [...own, ...twice, ...declared.problems, ...built.problems],
    secrets: declared.secrets,
  };
}

/** Removes the ids from an owner's target. A resource uses its owner's account, but the ids identify only the owner. */
function withoutIds({ agentId: _, campaignId: __, ...target }: Target): Target {
  return target;
}

/** Resolves the id of a member. Skips literal values that are not integers, because the file check reports them. */
function resolveMemberId(declared: ScalarNode, resolver: ValueResolver): ResolvedId {
  const node = resolver.scalar(declared, { types: ['integer'], noSecret: 'memberId' });
  if (typeof node.value !== 'number') {
    if (node.opaque || node.raw === undefined) return { problems: [] };
    return { problems: [errorAt(node.at, 'value', `memberId is ${showNode(node)}: expected an integer`)] };
  }
  return isUnsafe(node) ? { problems: [unsafeNumber(node, { mayBeText: false })] } : { id: node, problems: [] };
}

interface ResolvedId {
  /** The node of the id. Absent if the id is not declared or has a problem. */
  readonly id?: ScalarNode | undefined;
  readonly problems: readonly Problem[];
}

const unset: ResolvedId = { problems: [] };

/** Resolves the reseller of an Organization. The manifest takes precedence over the environment. */
function resolveReseller(manifest: MergedManifest, environment: EnvironmentNode, resolver: ValueResolver): ResolvedId {
  const node = memberOf(manifest.merged, 'resellerId') ?? memberOf(environment.definition, 'resellerId');
  if (node === undefined) return { problems: missing(manifest, environment) };
  if (node.type !== 'scalar' || node.value === null) return unset;
  const id = resolver.scalar(node, { asText: true, noSecret: 'resellerId' });
  if (id.opaque) return unset;
  if (String(id.value).trim() !== '') return { id, problems: [] };
  // The schema reports an empty text.
  if (node.value === '') return unset;
  return { problems: [errorAt(node.at, 'value', 'resellerId is empty: expected the id of a reseller')] };
}

/** Reports a missing `resellerId`, unless an unreadable base may declare the id. */
function missing({ root, path, chain }: MergedManifest, environment: EnvironmentNode): Problem[] {
  if (!chain.isWhole) return [];
  const message = `there is no resellerId: write it under the environment in agentform.yaml, or in ${path}`;
  const problem = errorAt(keyAt(root, ['name']), 'reseller-missing', message);
  return [{ ...problem, also: { message: 'the environment', at: environment.at } }];
}

interface SaidTwice {
  readonly node: ScalarNode;
  readonly path: string;
  readonly parameter: string;
}

/** Reports a query parameter that repeats another member of the manifest. */
function saidTwice({ queries }: DeclaredTarget, { node, path, parameter }: SaidTwice): Problem[] {
  // The manifest's parameter takes precedence over the environment's.
  const [place] = queries.flatMap((query) => (query?.type === 'map' ? (query.members.get(parameter)?.key ?? []) : []));
  if (place === undefined) return [];
  const message = `${path} and the query parameter ${parameter} set the same thing: remove the query parameter`;
  return [{ ...errorAt(node.at, 'parameter-twice', message), also: { message: 'the query parameter', at: place } }];
}

function mapOf({ agentId, campaignId, query, token }: TargetNodes, { kind, merged: { at } }: MergedManifest): MapNode {
  const parameters = mapNode(
    at,
    [...query].map(([name, value]) => [name, { key: value.at, value }]),
  );
  const ids = kindNamed(kind).hasIdInTarget ? { agentId, campaignId } : {};
  return mapNode(at, membersOf({ ...ids, token, query: parameters }));
}

function membersOf(nodes: Readonly<Record<string, Node | undefined>>): Array<readonly [string, Member]> {
  return Object.entries(nodes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, { key: value.at, value }] as const],
  );
}
