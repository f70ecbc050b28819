import type { MergedManifest } from './merged-manifest.ts';
import { keyAt } from './pointer.ts';
import type { Problem } from './problem.ts';
import { errorAt } from './problem-list.ts';
import type { EnvironmentNode } from './target.ts';
import { memberOf, type ScalarNode } from './tree.ts';
import type { ValueResolver } from './value-resolver.ts';

export interface Reseller {
  /** Its value is the id as text. */
  readonly id: ScalarNode | undefined;
  readonly problems: readonly Problem[];
}

/** The reseller under which an Organization is created: the manifest's, or else the environment's. */
export function resolveReseller(
  manifest: MergedManifest,
  environment: EnvironmentNode,
  resolver: ValueResolver,
): Reseller {
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
