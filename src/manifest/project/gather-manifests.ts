import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../../kinds/desired.ts';
import type { KindName } from '../../schemas/fields.ts';
import { nearest } from '../../text/suggest.ts';
import { quote } from '../../text/wording.ts';
import { errorAt, hasErrors, type Problem, type Span } from '../syntax/problem.ts';
import { type MapNode, memberOf, type ScalarNode } from '../syntax/tree.ts';
import { type Chain, followBases, mergedSections, nameProblems } from './layers.ts';
import type { Project } from './project.ts';

/** A manifest with its bases, merged for an environment. */
export interface MergedManifest {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly root: MapNode;
  readonly chain: Chain;
  /** Sections, target and references. */
  readonly merged: MapNode;
}

/** Where its name stands. */
export function placeOfName({ root }: MergedManifest): Span {
  return memberOf(root, 'name')?.at ?? root.at;
}

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

/** The manifests of a project in one environment by kind and name, for references between them. */
export class ManifestIndex {
  readonly #manifests: readonly MergedManifest[];
  readonly #byAddress: ReadonlyMap<string, MergedManifest>;
  readonly #nameless: readonly (KindName | undefined)[];

  /** Nameless are the kinds of manifests whose name is not known, undefined if the kind is not known either. */
  constructor(manifests: readonly MergedManifest[], nameless: readonly (KindName | undefined)[]) {
    this.#manifests = manifests;
    this.#byAddress = new Map(manifests.map((manifest) => [addressOf(manifest), manifest]));
    this.#nameless = nameless;
  }

  find(kind: KindName, name: string): MergedManifest | undefined {
    return this.#byAddress.get(addressOf({ kind, name }));
  }

  /** What is wrong with a reference by name; nothing if a manifest that cannot be read may be the one that is meant. */
  problemsOf(reference: ScalarNode, kind: KindName, path: string): Problem[] {
    const name = String(reference.value);
    if (this.find(kind, name) !== undefined) return [];
    if (this.#nameless.some((known) => known === undefined || known === kind)) return [];
    const ofKind = this.#manifests.filter((manifest) => manifest.kind === kind);
    const near = nearest(
      name,
      ofKind.map((manifest) => manifest.name),
    );
    const meant = near === undefined ? undefined : this.find(kind, near);
    const namesake = meant === undefined ? this.#manifests.find((manifest) => manifest.name === name) : undefined;
    const problem = errorAt(
      reference.at,
      'reference-unknown',
      `${path} is ${quote(name)}: ${reasonFor(kind, { meant, namesake, isAny: ofKind.length > 0 })}`,
    );
    const shown = meant ?? namesake;
    return [
      shown === undefined ? problem : { ...problem, also: { message: addressOf(shown), at: placeOfName(shown) } },
    ];
  }
}

interface Candidates {
  readonly meant: MergedManifest | undefined;
  readonly namesake: MergedManifest | undefined;
  /** There are manifests of the kind. */
  readonly isAny: boolean;
}

function reasonFor(kind: KindName, { meant, namesake, isAny }: Candidates): string {
  const reason = isAny
    ? `no manifest of the kind ${quote(kind)} has this name`
    : `the project has no manifest of the kind ${quote(kind)}`;
  if (meant !== undefined) return `${reason}; did you mean ${quote(meant.name)}?`;
  return namesake === undefined ? reason : `${reason}; it is the name of ${addressOf(namesake)}`;
}
