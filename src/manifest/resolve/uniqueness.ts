import { identifyingText, type KindIdentity } from '../../kinds/compare.ts';
import { addressOf } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { secretsIn } from '../../secrets/reference.ts';
import { joinWithAnd } from '../../text/wording.ts';
import { errorAt, type Problem, type Span } from '../../yaml/problem.ts';
import { memberOf, nodeAt, type ScalarNode, showNode } from '../../yaml/tree.ts';
import type { MergedManifest } from '../fleet/gather-manifests.ts';
import { placeOfName } from '../project/moves.ts';
import type { ManifestIdentity, ResolveContext } from './resolution.ts';
import { ValueResolver } from './values/value-resolver.ts';

/** A manifest with what only one may have. */
export interface UniqueClaim {
  readonly manifest: MergedManifest;
  /** Equal for manifests of the same resource. */
  readonly key: string;
  /** The members of its identity, in the order of the kind. */
  readonly nodes: readonly ScalarNode[];
  readonly isSelected: boolean;
  /** The level of a conflict. */
  readonly twice: NonNullable<KindIdentity['twice']>;
}

export interface Candidate {
  readonly manifest: MergedManifest;
  readonly identity: ManifestIdentity;
  readonly isSelected: boolean;
}

/**
 * Manifests of one kind that have the same identity (src/kinds/kind.ts), each with the place of the first. Unselected
 * manifests are not reported among themselves.
 */
export function duplicateIdentities(claims: readonly UniqueClaim[]): Problem[] {
  const firsts = new Map<string, UniqueClaim>();
  return claims.toSorted(byFile).flatMap((claim) => {
    const first = firsts.get(claim.key);
    if (first === undefined) firsts.set(claim.key, claim);
    return first === undefined || !(first.isSelected || claim.isSelected) ? [] : [problemOf(claim, first)];
  });
}

/**
 * Values that only one manifest may have; undefined if there are none. `context` knows secrets by form only: the same
 * reference is the same secret, and the values behind different references are not compared.
 */
export function uniqueClaim(
  { manifest, identity, isSelected }: Candidate,
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
  const place = within === 'service' ? [] : [organization, token, sorted, resellerId];
  return { manifest, key: JSON.stringify([kind, place, texts]), nodes, isSelected, twice };
}

/** Undefined for what is not known, or no text. A value with a secret is represented by its literal text. */
function comparedText({ kind }: MergedManifest, { value, raw, opaque }: ScalarNode): string | undefined {
  if (opaque) return raw === undefined || secretsIn(raw).length === 0 ? undefined : JSON.stringify([raw]);
  return typeof value === 'string' ? identifyingText(kindNamed(kind).identity, value) : undefined;
}

function problemOf({ manifest, nodes, twice }: UniqueClaim, first: UniqueClaim): Problem {
  const { kind } = manifest;
  const { settings, within } = kindNamed(kind).identity;
  const [node] = nodes;
  const value = node === undefined || node.opaque || nodes.length > 1 ? '' : ` ${showNode(node)}`;
  const what = `${joinWithAnd(settings)}${value}${within === 'target' ? ' in the same account' : ''}`;
  const message = `${addressOf(first.manifest)} has the same ${what}: ${twice.consequence}`;
  return {
    ...errorAt(claimedAt(manifest, nodes), twice.rule, message),
    also: { message: 'first here', at: claimedAt(first.manifest, first.nodes) },
  };
}

/** The value, unless it is in a shared base. */
function claimedAt(manifest: MergedManifest, [node]: readonly ScalarNode[]): Span {
  if (manifest.row !== undefined) return placeOfName(manifest);
  return node?.at.file === manifest.path ? node.at : placeOfName(manifest);
}

function byFile({ manifest: one }: UniqueClaim, { manifest: other }: UniqueClaim): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}
