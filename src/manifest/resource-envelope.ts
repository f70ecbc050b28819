import type { Desired, Target } from '../kinds/desired.ts';
import type { MergedManifest } from './merged-manifest.ts';
import { keyAt } from './pointer.ts';
import type { Problem } from './problem.ts';
import { errorAt } from './problem-list.ts';
import { resolveReferences } from './references.ts';
import { resolveReseller } from './reseller.ts';
import type { ResolveContext } from './resolve-context.ts';
import { isUnsafe, unsafeNumber } from './safe-number.ts';
import { buildTarget, placeOfParameter, type ResolvedTarget, resolveTarget, type TargetInput } from './target.ts';
import { type MapNode, type Member, mapNode, memberOf, type Node, type ScalarNode } from './tree.ts';
import type { ValueResolver } from './value-resolver.ts';

const names: ReadonlySet<string> = new Set(['target', 'organization', 'agent', 'memberId', 'resellerId']);

/** Whether a member of a manifest stands beside its sections. */
export function isEnvelopeMember(name: string): boolean {
  return names.has(name);
}

/** What a resource has beside its sections, with everything put in. */
export interface ResourceEnvelope {
  /** Absent if something it needs is missing. */
  readonly target?: Target;
  readonly values: Pick<Desired, 'organization' | 'agent' | 'memberId' | 'resellerId'>;
  /** For the places that the values come from. */
  readonly members: ReadonlyArray<readonly [string, Member]>;
  readonly problems: readonly Problem[];
}

/** Finds what a manifest names, and where its calls go. */
export function resolveEnvelope(
  manifest: MergedManifest,
  context: ResolveContext,
  resolver: ValueResolver,
): ResourceEnvelope {
  const { organization, agent, owner, problems } = resolveReferences(manifest, context.index);
  const reseller = resolveReseller(manifest, context.environment, resolver);
  const member = resolveMemberId(manifest);
  const nodes = { organization, agent, memberId: member.id, resellerId: reseller.id };
  const own = [...problems, ...reseller.problems, ...member.problems];
  const values = valuesOf(nodes);
  if (owner === undefined) return { values, members: membersOf(nodes), problems: own };
  const input = targetInput(owner, context, resolver);
  const resolved = resolveTarget(input);
  // A phone number uses the agent's account; the ids are the agent's own.
  const target = manifest.kind === 'Agent' ? resolved : { ...resolved, agentId: undefined, campaignId: undefined };
  const built = buildTarget(input, target);
  const twice = [
    ...saidTwice(input, { node: organization, path: 'organization', parameter: 'targetAccountId' }),
    ...saidTwice(input, { node: reseller.id, path: 'resellerId', parameter: context.resellerParameter }),
  ];
  return {
    ...(built.target === undefined ? {} : { target: built.target }),
    values,
    members: membersOf({ target: treeOf(target, manifest.merged), ...nodes }),
    problems: [...own, ...twice, ...built.problems],
  };
}

type EnvelopeNodes = {
  readonly organization: ScalarNode | undefined;
  readonly agent: ScalarNode | undefined;
  readonly memberId: ScalarNode | undefined;
  readonly resellerId: ScalarNode | undefined;
};

function valuesOf({ organization, agent, memberId, resellerId }: EnvelopeNodes): ResourceEnvelope['values'] {
  return {
    ...(organization === undefined ? {} : { organization: String(organization.value) }),
    ...(agent === undefined ? {} : { agent: String(agent.value) }),
    ...(memberId === undefined ? {} : { memberId: Number(memberId.value) }),
    ...(resellerId === undefined ? {} : { resellerId: String(resellerId.value) }),
  };
}

/** Of what is no whole number the file's own check complains. */
function resolveMemberId({ merged }: MergedManifest): { id?: ScalarNode; problems: readonly Problem[] } {
  const node = memberOf(merged, 'memberId');
  if (node?.type !== 'scalar' || typeof node.value !== 'number') return { problems: [] };
  return isUnsafe(node) ? { problems: [unsafeNumber(node, { mayBeText: false })] } : { id: node, problems: [] };
}

interface SaidTwice {
  readonly node: ScalarNode | undefined;
  readonly path: string;
  readonly parameter: string;
}

/** A query parameter that the manifest says in another way too. */
function saidTwice(input: TargetInput, { node, path, parameter }: SaidTwice): Problem[] {
  const place = node === undefined ? undefined : placeOfParameter(input, parameter);
  if (node === undefined || place === undefined) return [];
  const message = `${path} and the query parameter ${parameter} say the same in two ways: leave the query parameter out`;
  return [{ ...errorAt(node.at, 'parameter-twice', message), also: { message: 'the query parameter', at: place } }];
}

/** The manifest whose target counts may be another than the one that is resolved. */
export function targetInput(
  manifest: MergedManifest,
  context: Pick<ResolveContext, 'environment' | 'scope'>,
  resolver: ValueResolver,
): TargetInput {
  const { environment, scope } = context;
  const at = keyAt(manifest.root, ['name']);
  const declared = memberOf(manifest.merged, 'target');
  return { environment, scope, resolver, declared, manifest: { path: manifest.path, at } };
}

function treeOf({ agentId, campaignId, query, token }: ResolvedTarget, { at }: MapNode): MapNode {
  const parameters = mapNode(
    at,
    [...query].map(([name, value]) => [name, { key: value.at, value }]),
  );
  return mapNode(at, membersOf({ agentId, campaignId, token, query: parameters }));
}

function membersOf(nodes: Readonly<Record<string, Node | undefined>>): Array<readonly [string, Member]> {
  return Object.entries(nodes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, { key: value.at, value }] as const],
  );
}
