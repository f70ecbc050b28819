import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../../kinds/desired.ts';
import type { KindName } from '../../schemas/fields.ts';
import { nearest } from '../../text/suggest.ts';
import { formatNumber, joinWithAnd, quote } from '../../text/wording.ts';
import { errorAt, hasErrors, type Problem } from '../syntax/problem.ts';
import { type MapNode, memberOf, type ScalarNode } from '../syntax/tree.ts';
import { labelsIn, type WrittenLabels } from './labels.ts';
import { type Chain, followBases, type MergedSections, mergedSections, nameProblems } from './layers.ts';
import type { ManifestFile } from './manifest-files.ts';
import { environmentsOf, type FormerName, formerNamesIn, moveProblems, placeOfName } from './moves.ts';
import type { Project } from './project.ts';
import { startOf } from './project-files.ts';

/** A manifest with its bases, merged for an environment. */
export interface MergedManifest extends MergedSections {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly root: MapNode;
  readonly chain: Chain;
  readonly labels: WrittenLabels;
  /** What it was called before. */
  readonly renamedFrom: readonly FormerName[];
  /** The environments that it is limited to; undefined if all have it. */
  readonly onlyIn?: readonly string[] | undefined;
}

/** The manifests of a project, merged for one environment. */
export interface Gathered {
  /** Those that the environment has, by kind and name, each address once. */
  readonly manifests: readonly MergedManifest[];
  /** Those that are limited to other environments. */
  readonly elsewhere: readonly MergedManifest[];
  readonly index: ManifestIndex;
  readonly problems: readonly Problem[];
}

export interface GatherOptions {
  readonly environment: string;
  /** Told of each manifest as soon as it is merged, until the first error. */
  readonly onMerged?: ((manifest: MergedManifest) => void) | undefined;
  /** By path, the bases of manifests, which are the same in every environment: those that are known, and then all. */
  readonly chains?: Map<string, Chain> | undefined;
}

/**
 * Reads and merges every manifest, each in a turn of its own, so that what was begun meanwhile goes on. Files that hold
 * no resource with a name only give problems.
 */
export async function gatherManifests(
  project: Project,
  { environment, onMerged, chains = new Map() }: GatherOptions,
): Promise<Gathered> {
  const input = { files: project.files, parsed: project.parsed, manifests: new Set(project.manifests) };
  const byAddress = new Map<string, MergedManifest>();
  const nameless: Array<KindName | undefined> = [];
  const problems: Problem[] = [];
  let values = 0;
  for (const [index, path] of project.manifests.entries()) {
    const known = chains.get(path);
    if (known === undefined) await turn();
    const file = await project.parsed.load(path);
    const chain = known ?? (await followBases(file, input));
    chains.set(path, chain);
    values += chain.files.reduce((sum, one) => sum + one.values, 0);
    const most = mostValues.inAll + mostValues.ofEach * (index + 1);
    if (values > most) {
      problems.push(tooManyValues(file, most));
      // Nothing that another manifest names is missing for sure.
      nameless.push(undefined);
      break;
    }
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
    const lasting = { renamedFrom: formerNamesIn(root), onlyIn: environmentsOf(root) };
    const labels = labelsIn(chain, environment);
    const manifest = { kind, name, path, root, chain, labels, ...lasting, ...mergedSections(kind, chain, environment) };
    byAddress.set(address, manifest);
    if (onMerged !== undefined && isIn(manifest, environment) && !hasErrors(problems)) onMerged(manifest);
  }
  const all = [...byAddress.values()].sort(byKindAndName);
  const manifests = all.filter((manifest) => isIn(manifest, environment));
  const elsewhere = all.filter((manifest) => !isIn(manifest, environment));
  const index = new ManifestIndex({ environment, manifests, elsewhere, nameless });
  return { manifests, elsewhere, index, problems: [...problems, ...moveProblems(project, byAddress)] };
}

/**
 * More than any project has: a manifest has 30 to 130 values. A base counts for each manifest that extends it, or a small file would
 * make them as many as one likes.
 */
const mostValues = { inAll: 80_000, ofEach: 250 } as const;

function tooManyValues({ path, resource }: ManifestFile, most: number): Problem {
  const at = resource === undefined ? startOf(path) : placeOfName(resource);
  const message = `the manifests up to here have more than ${formatNumber(most)} values, with those of the bases that they extend; split the project`;
  return errorAt(at, 'project-size', message);
}

/** Whether an environment has the resource. */
export function isIn({ onlyIn }: Pick<MergedManifest, 'onlyIn'>, environment: string): boolean {
  return onlyIn === undefined || onlyIn.includes(environment);
}

function duplicateName(address: string, root: MapNode, first: MapNode): Problem {
  const problem = errorAt(placeOfName({ root }), 'duplicate-name', `two manifests declare ${address}`);
  return { ...problem, also: { message: 'first here', at: placeOfName({ root: first }) } };
}

function byKindAndName(a: MergedManifest, b: MergedManifest): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

interface Indexed extends Pick<Gathered, 'manifests' | 'elsewhere'> {
  readonly environment: string;
  /** The kinds of manifests whose name is not known, undefined if the kind is not known either. */
  readonly nameless: readonly (KindName | undefined)[];
}

/** The manifests of a project in one environment by kind and name, for references between them. */
export class ManifestIndex {
  readonly #environment: string;
  readonly #manifests: readonly MergedManifest[];
  readonly #byAddress: ReadonlyMap<string, MergedManifest>;
  readonly #elsewhere: ReadonlyMap<string, MergedManifest>;
  readonly #nameless: readonly (KindName | undefined)[];

  constructor({ environment, manifests, elsewhere, nameless }: Indexed) {
    this.#environment = environment;
    this.#manifests = manifests;
    this.#byAddress = new Map(manifests.map((manifest) => [addressOf(manifest), manifest]));
    this.#elsewhere = new Map(elsewhere.map((manifest) => [addressOf(manifest), manifest]));
    this.#nameless = nameless;
  }

  find(kind: KindName, name: string): MergedManifest | undefined {
    return this.#byAddress.get(addressOf({ kind, name }));
  }

  /** What is wrong with a reference by name; nothing if a manifest that cannot be read may be the one that is meant. */
  problemsOf(reference: ScalarNode, kind: KindName, path: string): Problem[] {
    const name = String(reference.value);
    if (this.find(kind, name) !== undefined) return [];
    const limited = this.#elsewhere.get(addressOf({ kind, name }));
    if (limited !== undefined) return [this.#notHere(reference, limited, path)];
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

  #notHere(reference: ScalarNode, limited: MergedManifest, path: string): Problem {
    const message =
      `${path} is ${quote(limited.name)}, but onlyIn limits ${addressOf(limited)} to ` +
      `${joinWithAnd((limited.onlyIn ?? []).map(quote))}, so ${quote(this.#environment)} does not have it; ` +
      'write the same onlyIn here, or add the environment there';
    const at = memberOf(limited.root, 'onlyIn')?.at ?? placeOfName(limited);
    return { ...errorAt(reference.at, 'reference-unknown', message), also: { message: 'limited here', at } };
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
