import { addressOf, type Desired, type Target } from '../kinds/desired.ts';
import { type FieldPath, fieldAt, fieldPathOf, formatPath } from '../kinds/path.ts';
import { leavesOf, treeOf } from '../kinds/tree.ts';
import type { FittedManifest, Resolution } from '../manifest/index.ts';

/**
 * What a manifest had and has no longer once it is written anew: settings that the service does not show, so that
 * they cannot be taken from there, and files of texts. In sentences.
 */
export function lossesOf(former: Resolution | undefined, { desired, files }: FittedManifest): string[] {
  const before = former?.desired.find((one) => addressOf(one) === addressOf(desired));
  if (former === undefined || before === undefined) return [];
  const kept = new Set(declaredPaths(desired));
  const lost = declaredPaths(before).filter((path) => !kept.has(path));
  const unused = textFiles(former, before).filter((path) => !files.has(path));
  return [
    ...(lost.length > 0
      ? [`${lost.join(', ')}: declared until now, but the service does not show it, so it is not managed any more`]
      : []),
    ...(unused.length > 0
      ? [`${unused.join(', ')}: this manifest does not use it any more; delete it if nothing else does`]
      : []),
  ];
}

/** The fields that are declared and cannot be read. */
function declaredPaths({ kind, sections }: Desired<Target>): string[] {
  const fields = leavesOf(kind, treeOf(kind, sections)).map(([path]) => fieldPathOf(kind, path));
  const unreadable = fields.filter((path) => fieldAt(kind, path)?.readable !== true);
  return [...new Set(unreadable.map((path: FieldPath) => formatPath(kind, path)))];
}

function textFiles({ provenanceOf }: Resolution, desired: Desired<Target>): string[] {
  const { kind, sections } = desired;
  const leaves = leavesOf(kind, treeOf(kind, sections));
  return [...new Set(leaves.flatMap(([path]) => provenanceOf(addressOf(desired), path)?.include ?? []))];
}
