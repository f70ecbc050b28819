import { canonicalJson, isJsonObject } from '../../json/json.ts';
import { identifyingText } from '../../kinds/compare.ts';
import { organization as organizationKind } from '../../kinds/definitions/organization.ts';
import type { Target } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { WantedPromptChecks } from '../../prompts/prompt-checks.ts';
import { secretsIn } from '../../secrets/secret.ts';
import type { Problem, Span } from '../../yaml/problem.ts';
import { memberOf, nodeAt, type ScalarNode, showNode } from '../../yaml/tree.ts';
import type { DeclaredManifest, FleetFacts } from '../fleet/fleet.ts';
import type { GatheredUnit, MergedManifest, UnitHead } from '../fleet/units.ts';
import { mergedSections } from '../project/layers.ts';
import { placeOfName } from '../project/moves.ts';
import { digestOf } from '../project/trace.ts';
import { type VariableUse, variableUse } from '../project/variables.ts';
import { resolveReferences } from './identity/references.ts';
import type { TargetClaim } from './identity/shared-environments.ts';
import type { Declared, ManifestIdentity, ResolveContext, Selected } from './resolution.ts';
import {
  identify,
  type NamedManifest,
  type ResolvedManifest,
  resolveLabels,
  resolveManifest,
} from './resolve-manifest.ts';
import { ValueResolver } from './values/value-resolver.ts';

/**
 * The facts about a manifest that other manifests and the plan need. Its values are not included. The facts are plain
 * JSON that depends only on the inputs in their trace.
 */
export interface Facts {
  readonly head: UnitHead;
  readonly variables: VariableUse;
  /** The facts in this environment. Absent if the environment does not have the resource. */
  readonly here?: FactsHere;
  /**
   * The result of resolving the manifest, with secrets represented by name. Absent if the manifest was not selected.
   */
  readonly resolved?: ResolvedFacts;
}

export interface FactsHere {
  readonly identity: ManifestIdentity;
  readonly labelProblems: readonly Problem[];
  readonly unique?: UniqueClaim;
  /** The names of variables that were used: table columns and other variables. */
  readonly asked: { readonly columns: readonly string[]; readonly others: readonly string[] };
  /** The number of characters that variables and files inserted. */
  readonly characters: number;
}

/** A value that no two manifests may share. */
interface UniqueClaim {
  /** The key, which is equal if two manifests declare the same resource. */
  readonly key: string;
  readonly at: Span;
  /** The value as shown in a sentence, with a leading space. Empty if the value cannot be shown. */
  readonly shown: string;
}

export interface ResolvedFacts {
  /** Which prompt checks were run. */
  readonly prompts: WantedPromptChecks;
  readonly problems: readonly Problem[];
  readonly declared: Declared;
  /** The resource. Absent if the manifest has errors. */
  readonly selected?: SelectedFacts;
  /** The names of the secrets that the resource uses. */
  readonly secrets: readonly string[];
  /** The number of values. Values of the same variant count only once. */
  readonly values: number;
  readonly variant: string;
}

interface SelectedFacts extends Omit<Selected, 'target'> {
  readonly target: Omit<Target, 'token' | 'sensitiveQuery'> & { readonly sensitiveQuery: readonly string[] };
}

/** The facts about a unit, and its targets in all environments. The targets are stored separately. */
export interface ClaimedFacts extends Facts {
  readonly claims: readonly TargetClaim[];
}

/** All facts about a manifest in this environment. */
export interface ManifestFacts extends Omit<ClaimedFacts, 'resolved'>, GatheredUnit {
  readonly here: FactsHere;
  readonly isSelected: boolean;
  /** The result of resolving the manifest in this run. Undefined if the manifest was not selected. */
  readonly resolved: ResolvedManifest | undefined;
  readonly work: Pick<ResolvedFacts, 'values' | 'variant'> | undefined;
}

/** Determines which units of an environment to resolve. */
export interface WantedUnits {
  /** Whether a unit is selected. Called only for units that this run checks. */
  readonly isSelected: (identity: ManifestIdentity) => boolean;
  /** The number of characters that earlier units inserted. These characters count towards the limit for all units. */
  readonly before: number;
}

/**
 * Makes the facts about a unit: merges the unit for the environment, finds its identity and, if the unit is selected,
 * resolves the unit.
 */
export async function makeFacts(
  { head, manifest: declared }: { readonly head: UnitHead; readonly manifest: DeclaredManifest },
  context: ResolveContext,
  { isSelected, before }: WantedUnits,
): Promise<Facts & { readonly here: FactsHere }> {
  const { chain, row } = declared;
  const { name } = context.environment;
  const manifest = { ...declared, ...mergedSections(declared, name) };
  const scope = context.scope.of(manifest);
  scope.size.characters += before;
  const named = nameManifest(manifest, context);
  const identity = identify(named, context.targets);
  const resolved = isSelected(identity) ? await resolvedFacts(named, context) : undefined;
  const unique = uniqueClaim(manifest, identity, context);
  const columns = row?.table.columns;
  const asked = [...new Set([...scope.variablesAsked, ...context.scope.variablesAsked])];
  const here: FactsHere = {
    ...{ identity, labelProblems: named.labels.problems, characters: scope.size.characters - before },
    ...(unique !== undefined && { unique }),
    asked: {
      columns: asked.filter((column) => columns?.has(column)),
      others: asked.filter((column) => !columns?.has(column)),
    },
  };
  return { head, variables: variableUse(chain, name), here, ...(resolved !== undefined && { resolved }) };
}

export function nameManifest(manifest: MergedManifest, context: ResolveContext): NamedManifest {
  const references = resolveReferences(manifest, context);
  const { organization: name } = references;
  const organization = name && context.index.find(organizationKind.name, String(name.value), context.trace)?.head;
  return { manifest, references, organization, labels: resolveLabels(manifest, context) };
}

/**
 * The identity that a manifest claims. Undefined if its target alone identifies it, or if a value is unknown. Secrets
 * are compared by reference.
 */
function uniqueClaim(
  manifest: MergedManifest,
  identity: Pick<ManifestIdentity, 'organization' | 'query' | 'token'>,
  context: ResolveContext,
): UniqueClaim | undefined {
  const { kind, merged } = manifest;
  const { settings, within, twice } = kindNamed(kind).identity;
  if (twice === undefined) return undefined;
  const resolver = new ValueResolver({ kind, files: context.files, scope: context.scope.of(manifest) });
  const nodes = settings.flatMap((name) => {
    const node = nodeAt(merged, ['settings', name]);
    const resolved = node && resolver.resolve(node, ['settings', name]);
    return resolved?.type === 'scalar' ? [resolved] : [];
  });
  const texts = nodes.flatMap((node) => comparedText(manifest, node) ?? []);
  if (texts.length < settings.length) return undefined;
  const { organization, query, token } = identity;
  const sorted = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  const reseller = memberOf(merged, 'resellerId');
  const resellerId = reseller?.type === 'scalar' ? String(reseller.value) : undefined;
  const service = within === 'service' ? [] : [organization, token, sorted, resellerId];
  const [node] = nodes;
  const shown = node === undefined || node.opaque || nodes.length > 1 ? '' : ` ${showNode(node)}`;
  return { key: JSON.stringify([kind, service, texts]), at: claimedAt(manifest, nodes), shown };
}

/**
 * The text by which a value is compared. Undefined if the value is unknown or is not a text. A value with a secret is
 * represented by its reference.
 */
function comparedText({ kind }: MergedManifest, { value, raw, opaque }: ScalarNode): string | undefined {
  if (opaque) return raw === undefined || secretsIn(raw).length === 0 ? undefined : JSON.stringify([raw]);
  return typeof value === 'string' ? identifyingText(kindNamed(kind).identity, value) : undefined;
}

/**
 * The location of the value in the manifest. For a fleet member, and for a value from a base, the location of the name.
 */
function claimedAt(manifest: MergedManifest, [node]: readonly ScalarNode[]): Span {
  if (manifest.row !== undefined) return placeOfName(manifest);
  return node?.at.file === manifest.path ? node.at : placeOfName(manifest);
}

async function resolvedFacts(named: NamedManifest, context: ResolveContext): Promise<ResolvedFacts> {
  const { problems, declared, selected } = await resolveManifest(named, context);
  const { manifest } = named;
  const scope = context.scope.of(manifest);
  const values = [...scope.variablesAsked].map((name) => [name, scope.variable(name)?.text ?? null]);
  const facts = {
    ...{ prompts: context.prompts.wanted, problems, declared },
    ...{ values: manifest.values, secrets: [...scope.secretsAsked] },
    variant: digestOf(canonicalJson([manifest.overlaidFor ?? null, values])),
  };
  if (selected === undefined) return facts;
  const { token: _, sensitiveQuery, ...target } = selected.target;
  return { ...facts, selected: { ...selected, target: { ...target, sensitiveQuery: [...sensitiveQuery] } } };
}

// The following functions check only one member of a cached value. This is enough, because the cache's name contains
// the build, so the same code wrote the value.

function isWith<Part>(member: string & keyof Part) {
  return (value: unknown): value is Part => isJsonObject(value) && member in value;
}

export const isFleet = isWith<FleetFacts>('count');
export const isFacts = isWith<Facts>('head');
export const isHead = isWith<UnitHead>('values');
export const isVariables = isWith<VariableUse>('referredTo');
export const isHere = isWith<FactsHere>('identity');
export const isResolved = isWith<ResolvedFacts>('declared');

export function areClaims(value: unknown): value is readonly TargetClaim[] {
  return Array.isArray(value);
}
