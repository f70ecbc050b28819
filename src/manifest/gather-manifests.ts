import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../kinds/desired.ts';
import type { KindName } from '../schemas/fields.ts';
import { followBases, nameProblems } from './base-chain.ts';
import { mergedSections } from './layers.ts';
import { ManifestIndex } from './manifest-index.ts';
import type { MergedManifest } from './merged-manifest.ts';
import type { Problem } from './problem.ts';
import { errorAt, hasErrors } from './problem-list.ts';
import type { Project } from './project.ts';
import { type MapNode, memberOf } from './tree.ts';

/** The manifests of a project, merged for one environment. */
export interface Gathered {
  /** By kind and name, each address once. */
  readonly manifests: readonly MergedManifest[];
  readonly index: ManifestIndex;
  readonly problems: readonly Problem[];
}

export interface GatherOptions {
  readonly environment: string;
  /** Told of each manifest as soon as it is merged, until the first error. */
  readonly onMerged?: ((manifest: MergedManifest) => void) | undefined;
}

/**
 * Reads and merges every manifest, each in a turn of its own, so that what was begun meanwhile goes on. Files that hold
 * no resource with a name only give problems.
 */
export async function gatherManifests(project: Project, { environment, onMerged }: GatherOptions): Promise<Gathered> {
  const input = { files: project.files, parsed: project.parsed, manifests: new Set(project.manifests) };
  const byAddress = new Map<string, MergedManifest>();
  const nameless: Array<KindName | undefined> = [];
  const problems: Problem[] = [];
  for (const path of project.manifests) {
    await turn();
    const file = await project.parsed.load(path);
    const chain = await followBases(file, input);
    const own = [...chain.files.flatMap((one) => one.problems), ...chain.problems, ...nameProblems(file)];
    for (const problem of own) problems.push(problem);
    const { resource } = file;
    if (resource?.name === undefined) {
      nameless.push(resource?.kind);
      continue;
    }
    const { kind, name, root } = resource;
    const address = addressOf({ kind, name });
    const first = byAddress.get(address);
    if (first !== undefined) {
      problems.push(duplicateName(address, root, first.root));
      continue;
    }
    const manifest = { kind, name, path, root, chain, merged: mergedSections(kind, chain, environment) };
    byAddress.set(address, manifest);
    if (onMerged !== undefined && !hasErrors(problems)) onMerged(manifest);
  }
  const manifests = [...byAddress.values()].sort(byKindAndName);
  return { manifests, index: new ManifestIndex(manifests, nameless), problems };
}

function duplicateName(address: string, root: MapNode, first: MapNode): Problem {
  const place = (node: MapNode) => memberOf(node, 'name')?.at ?? node.at;
  const problem = errorAt(place(root), 'duplicate-name', `two manifests declare ${address}`);
  return { ...problem, also: { message: 'first here', at: place(first) } };
}

function byKindAndName(a: MergedManifest, b: MergedManifest): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
