import type { Labels } from '../../../kinds/labels.ts';
import { isSpecial } from '../../../yaml/interpolate.ts';
import type { Problem } from '../../../yaml/problem.ts';
import { labelValueProblems } from '../../check/authored.ts';
import type { MergedManifest } from '../../fleet/gather-manifests.ts';
import type { ProjectFiles } from '../../project/project-files.ts';
import type { Scope } from './scope.ts';
import { ValueResolver } from './value-resolver.ts';

export interface ResolvedLabels {
  /** Without labels of unknown value. */
  readonly labels: Labels;
  readonly problems: readonly Problem[];
}

const none: ResolvedLabels = { labels: {}, problems: [] };

/**
 * The labels of a manifest with variables inserted. They are shown and never sent, so that no secret may be in them.
 */
export function resolveLabels(
  manifest: MergedManifest,
  { scope, files }: { readonly scope: Scope; readonly files: ProjectFiles },
): ResolvedLabels {
  if (manifest.labels.size === 0) return none;
  const resolver = new ValueResolver({ kind: manifest.kind, files, scope: scope.of(manifest) });
  const problems: Problem[] = [];
  const entries = [...manifest.labels].flatMap(([key, node]): Array<[string, string]> => {
    const label = resolver.scalar(node, { asText: true, noSecret: 'a label' });
    if (label.opaque) return [];
    const found = isSpecial(String(node.value)) ? labelValueProblems(key, label) : [];
    problems.push(...found);
    return found.length === 0 ? [[key, String(label.value)]] : [];
  });
  const found = scope.of(manifest).atCells([...resolver.problems, ...problems]);
  return { labels: Object.fromEntries(entries), problems: found };
}
