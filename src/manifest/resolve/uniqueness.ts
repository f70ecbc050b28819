import { identifyingText } from '../../kinds/compare.ts';
import { addressOf } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { secretsIn } from '../../secrets/secret.ts';
import { joinWithAnd } from '../../text/wording.ts';
import { errorAt, type Problem, type Span } from '../../yaml/problem.ts';
import { memberOf, nodeAt, type ScalarNode, showNode } from '../../yaml/tree.ts';
import type { MergedManifest, UnitHead } from '../fleet/units.ts';
import { placeOfName } from '../project/moves.ts';
import type { ManifestIdentity, ResolveContext } from './resolution.ts';
import { ValueResolver } from './values/value-resolver.ts';

/** A value that no two manifests may share. */
export interface UniqueClaim {
  /** Equal if two manifests declare the same resource. */
  readonly key: string;
  readonly at: Span;
  /** The value as shown in a sentence, with a leading space, or an empty text. */
  readonly shown: string;
}

interface Claimant {
  readonly head: Pick<UnitHead, 'kind' | 'name' | 'path'>;
  readonly here: { readonly unique?: UniqueClaim };
  readonly isSelected: boolean;
}

/**
 * Reports manifests of one kind with the same identity (see src/kinds/kind.ts). Each problem shows the first manifest's
 * place. Skips pairs of unselected manifests.
 */
export function duplicateIdentities(claimants: readonly Claimant[]): Problem[] {
  const claims = claimants.flatMap(({ head, here: { unique }, isSelected }) =>
    unique === undefined ? [] : [{ head, unique, isSelected }],
  );
  const firsts = new Map<string, (typeof claims)[number]>();
  return claims.sort(byFile).flatMap((claim) => {
    const first = firsts.get(claim.unique.key);
    if (first === undefined) firsts.set(claim.unique.key, claim);
    if (first === undefined || !(first.isSelected || claim.isSelected)) return [];
    const { settings, within, twice } = kindNamed(claim.head.kind).identity;
    if (twice === undefined) return [];
    const what = `${joinWithAnd(settings)}${claim.unique.shown}${within === 'target' ? ' in the same account' : ''}`;
    const message = `${addressOf(first.head)} has the same ${what}: ${twice.consequence}`;
    const also = { message: 'first here', at: first.unique.at };
    return [{ ...errorAt(claim.unique.at, twice.rule, message), also }];
  });
}

/** The identity that a manifest claims. Undefined if its kind has none. Compares secrets by reference only. */
export function uniqueClaim(
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
 * The text to compare. Undefined if the value is unknown or is not a text. A value with a secret is represented by its
 * reference.
 */
function comparedText({ kind }: MergedManifest, { value, raw, opaque }: ScalarNode): string | undefined {
  if (opaque) return raw === undefined || secretsIn(raw).length === 0 ? undefined : JSON.stringify([raw]);
  return typeof value === 'string' ? identifyingText(kindNamed(kind).identity, value) : undefined;
}

/** The place of the value. If it is in a shared base, the place of the manifest's name instead. */
function claimedAt(manifest: MergedManifest, [node]: readonly ScalarNode[]): Span {
  if (manifest.row !== undefined) return placeOfName(manifest);
  return node?.at.file === manifest.path ? node.at : placeOfName(manifest);
}

function byFile({ head: one }: Pick<Claimant, 'head'>, { head: other }: Pick<Claimant, 'head'>): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}
