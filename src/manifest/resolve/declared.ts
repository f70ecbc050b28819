import { createHash } from 'node:crypto';
import { canonicalJson } from '../../json/json.ts';
import { isEmbedded } from '../../kinds/desired.ts';
import { mapNode, type ScalarNode, scalarsOf, toJson } from '../../yaml/tree.ts';
import type { MergedManifest } from '../fleet/gather-manifests.ts';
import { hasNoErrors } from '../project/layers.ts';
import type { References } from './identity/references.ts';
import type { Declared } from './resolution.ts';
import type { ResolvedManifest } from './resolve-manifest.ts';

interface DeclaredBy extends Pick<References, 'owner'> {
  readonly resolved: ResolvedManifest;
  /** The manifest of its organization. */
  readonly organization: MergedManifest | undefined;
}

/** What a resolved manifest declares. */
export function declaredBy(manifest: MergedManifest, { resolved, owner, organization }: DeclaredBy): Declared {
  const included = [...scalarsOf(resolved.tree)].flatMap(([, { from, patched }]) => patched?.files ?? from?.path ?? []);
  const chains = [manifest, ...(owner === undefined ? [] : [owner])].flatMap(({ chain }) => chain.files);
  const table = manifest.row === undefined ? [] : [manifest.row.name.at.file];
  const files = [...new Set([...chains.map(({ path }) => path), ...included, ...table])].sort();
  const others = [manifest, owner, organization].filter((one) => one !== undefined);
  const needed = [...new Set([...files, ...others.flatMap(comesOf), ...(organization ? [organization.path] : [])])];
  const free = [...new Set(others.flatMap(({ overrides }) => overrides?.free ?? []))];
  return { digest: hasNoErrors(manifest.chain) ? digestOf(resolved) : undefined, files, needed, free };
}

/** Of a member of a fleet, the files that make it one, beside its template. */
function comesOf({ row, fleetAt, overrides }: MergedManifest): string[] {
  if (row === undefined || fleetAt === undefined) return [];
  return [fleetAt.file, row.name.at.file, ...(overrides?.found ?? [])];
}

function digestOf({ tree, target }: ResolvedManifest): string | undefined {
  if (target === undefined) return undefined;
  const { baseUrl } = target;
  const declared = toJson(isEmbedded(target) ? withoutToken(tree) : tree, comparedValue);
  return `sha256:${createHash('sha256').update(canonicalJson({ baseUrl, declared })).digest('hex')}`;
}

/** A text tells by its first character whether it is a value or a reference: a value may look like a reference. */
function comparedValue({ value, raw, sensitive, opaque }: ScalarNode) {
  if (sensitive || opaque) return `$${raw ?? ''}`;
  return typeof value === 'string' ? `=${value}` : value;
}

/** The embedded emulator takes any token, whatever the manifest says. */
function withoutToken(tree: ResolvedManifest['tree']): ResolvedManifest['tree'] {
  const target = tree.members.get('target');
  if (target?.value.type !== 'map') return tree;
  const kept = [...target.value.members].filter(([name]) => name !== 'token');
  return mapNode(tree.at, [...tree.members, ['target', { ...target, value: mapNode(target.value.at, kept) }]]);
}
