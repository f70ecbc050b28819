import type { Desired, Target, TargetedResource } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { MergedManifest } from '../project/gather-manifests.ts';
import { errorAt, type Problem } from '../syntax/problem.ts';
import {
  isUnsafe,
  keyAt,
  type MapNode,
  type Member,
  mapNode,
  memberOf,
  type Node,
  type ScalarNode,
  textOf,
  unsafeNumber,
} from '../syntax/tree.ts';
import { resolveReferences } from './references.ts';
import type { ResolveContext } from './resolution.ts';
import {
  buildTarget,
  type EnvironmentNode,
  placeOfParameter,
  type ResolvedTarget,
  resolveTarget,
  type TargetInput,
} from './target.ts';
import { ValueResolver } from './value-resolver.ts';

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

export interface Reseller {
  /** Its value is the id as text. */
  readonly id: ScalarNode | undefined;
  readonly problems: readonly Problem[];
}

/** The reseller under which an Organization is created: the manifest's, or else the environment's. */
function resolveReseller(manifest: MergedManifest, environment: EnvironmentNode, resolver: ValueResolver): Reseller {
  if (manifest.kind !== 'Organization') return { id: undefined, problems: [] };
  const node = memberOf(manifest.merged, 'resellerId') ?? memberOf(environment.definition, 'resellerId');
  if (node === undefined) return { id: undefined, problems: missing(manifest, environment) };
  if (node.type !== 'scalar' || node.value === null) return { id: undefined, problems: [] };
  const id = resolver.scalar(node, { asText: true, noSecret: 'resellerId' });
  if (id.opaque) return { id: undefined, problems: [] };
  if (String(id.value).trim() !== '') return { id, problems: [] };
  // Of an empty text in the file the schema speaks.
  if (node.value === '') return { id: undefined, problems: [] };
  return { id: undefined, problems: [errorAt(node.at, 'value', 'resellerId is empty: expected the id of a reseller')] };
}

/** A base that cannot be read may have it. */
function missing({ root, path, chain }: MergedManifest, environment: EnvironmentNode): Problem[] {
  if (!chain.isWhole) return [];
  const message = `there is no resellerId: write it under the environment in agentform.yaml, or in ${path}`;
  const problem = errorAt(keyAt(root, ['name']), 'reseller-missing', message);
  return [{ ...problem, also: { message: 'the environment', at: environment.at } }];
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

/**
 * Where the calls for a manifest will go, before the other manifests are known. Undefined for kinds that cannot be read
 * and for a target with errors, of which the resolution will complain.
 */
export function earlyAim(
  manifest: MergedManifest,
  context: Pick<ResolveContext, 'environment' | 'scope' | 'files'>,
): TargetedResource<Target> | undefined {
  const { kind, name } = manifest;
  if (kindNamed(kind).live === undefined) return undefined;
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope });
  const input = targetInput(manifest, context, resolver);
  const { target } = buildTarget(input, resolveTarget(input));
  if (target === undefined || resolver.problems.length > 0) return undefined;
  const organization = textOf(manifest.merged, 'organization');
  return {
    kind,
    name,
    environment: context.environment.name,
    target,
    ...(organization !== undefined && { organization }),
  };
}
