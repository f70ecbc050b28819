import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../../kinds/desired.ts';
import type { Policy } from '../../policy/policy.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import { nearest } from '../../text/suggest.ts';
import { formatNumber, joinWithAnd, quote } from '../../text/wording.ts';
import { applyLevels, errorAt, hasErrors, type Problem, placeKey, type Span } from '../../yaml/problem.ts';
import { type MapNode, memberOf, type ScalarNode } from '../../yaml/tree.ts';
import type { Glob } from '../project/glob.ts';
import { type Chain, followBases, type MergedSections, mergedSections, nameProblems } from '../project/layers.ts';
import type { ManifestFile, OtherFile } from '../project/manifest-files.ts';
import { environmentsOf, type FormerName, formerNamesIn, moveProblems, placeOfName } from '../project/moves.ts';
import type { Project } from '../project/project.ts';
import { startOf } from '../project/project-files.ts';
import {
  type ExpandedFleet,
  expandFleet,
  type FleetResource,
  labelsIn,
  type OverridePaths,
  type WrittenLabels,
} from './fleet.ts';
import type { Row } from './member-table.ts';

/** A manifest with its bases, merged for an environment. */
export interface MergedManifest extends MergedSections {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly root: MapNode;
  readonly chain: Chain;
  readonly labels: WrittenLabels;
  /** The data of a fleet member from its table. */
  readonly row?: Row;
  /** The place of the fleet's name, for a member. */
  readonly fleetAt?: Span;
  /** For a member: every environment has the same table. */
  readonly rowIsShared?: boolean;
  /** The override of a member, if it may have one. */
  readonly home?: string | undefined;
  /** Every file that is an override of a member, or would be. */
  readonly overrides?: OverridePaths;
  /** The former name. */
  readonly renamedFrom: readonly FormerName[];
  /** The environments that it is limited to; undefined if all have it. */
  readonly onlyIn?: readonly string[] | undefined;
}

/** The manifests of a project, merged for one environment. */
export interface Gathered {
  /** Resources of the environment, by kind and name, each address once. */
  readonly manifests: readonly MergedManifest[];
  /** Resources limited to other environments. */
  readonly elsewhere: readonly MergedManifest[];
  /** Valid policies, by name, for all environments. */
  readonly policies: readonly Policy[];
  /** Valid Tests, by path, for all environments. */
  readonly tests: readonly ProjectTest[];
  readonly index: ManifestIndex;
  readonly problems: readonly Problem[];
  /** The paths of fleet overrides. */
  readonly overrides: readonly Glob[];
}

export interface GatherOptions {
  readonly environment: string;
  /** By path, the bases of manifests, which are the same in every environment: those that are known, and then all. */
  readonly chains?: Map<string, Chain> | undefined;
}

/**
 * Reads and merges every manifest, each in a separate turn, so that work begun meanwhile continues. Files that hold no
 * resource with a name only give problems.
 */
export async function gatherManifests(
  project: Project,
  { environment, chains = new Map() }: GatherOptions,
): Promise<Gathered> {
  const gathering = new Gathering(environment);
  const input = { project, environment, chains, manifests: new Set(project.manifests) };
  for (const path of project.manifests) {
    await gatherFile(path, gathering, input);
    if (gathering.isFull) break;
  }
  const { byAddress, nameless, problems } = gathering;
  if (!gathering.isFull) problems.push(...unusedOverrides(project, gathering.overrides));
  const all = [...byAddress.values(), ...gathering.ofOtherTables].sort(byKindAndName);
  const manifests = all.filter((manifest) => isIn(manifest, environment));
  const elsewhere = all.filter((manifest) => !isIn(manifest, environment));
  const index = new ManifestIndex({ environment, manifests, elsewhere, nameless });
  const { tests } = gathering;
  const policies = gathering.policies.sort(byName);
  const found = [...problems, ...moveProblems(project, byAddress)];
  const { overrides } = gathering;
  return { manifests, elsewhere, policies, tests, index, problems: found, overrides };
}

interface GatheringFile {
  readonly project: Project;
  readonly environment: string;
  readonly chains: Map<string, Chain>;
  /** Paths of all manifests. */
  readonly manifests: ReadonlySet<string>;
}

async function gatherFile(
  path: string,
  gathering: Gathering,
  { project, environment, chains, manifests }: GatheringFile,
): Promise<void> {
  const { files, environments, parsed } = project;
  const input = { files, parsed, manifests };
  const known = chains.get(path);
  if (known === undefined) await turn();
  const file = await parsed.load(path);
  const { other } = file;
  if (other !== undefined) gathering.addOther(file, other);
  if (other?.kind === 'Fleet') {
    await gathering.addFleet(await expandFleet(file, other.root, { ...input, environment, environments, chains }));
  } else if (other === undefined) {
    const chain = known ?? (await followBases(file, input));
    chains.set(path, chain);
    gathering.addManifest(file, chain);
  }
}

/** Files in place of an override that match no member: usually of a removed or misspelt row. */
function unusedOverrides({ files, lint }: Project, overrides: readonly Glob[]): Problem[] {
  if (overrides.length === 0) return [];
  const found = new Set([...files.find(overrides).paths.values()].flat());
  const unused = [...found].filter((path) => files.source(path) === undefined);
  const message = 'no row of a table has this override: give it the name of a member, or delete it';
  return applyLevels(
    unused.map((path) => errorAt(startOf(path), 'override-unused', message)),
    lint,
  );
}

function byName(one: Policy, other: Policy): number {
  return one.name < other.name ? -1 : 1;
}

/** The manifests that were merged so far. */
class Gathering {
  readonly byAddress = new Map<string, MergedManifest>();
  /** Members of fleets that only other environments have; another row of this one may have the same name. */
  readonly ofOtherTables: MergedManifest[] = [];
  readonly nameless: Array<KindName | undefined> = [];
  readonly policies: Policy[] = [];
  readonly tests: ProjectTest[] = [];
  readonly problems: Problem[] = [];
  /** The paths of overrides of fleets. */
  readonly overrides: Glob[] = [];
  isFull = false;
  readonly #environment: string;
  /** Problems of a chain that many members share are reported once. */
  readonly #told = new Set<Chain | ManifestFile>();
  /** Files without a resource, by address. */
  readonly #others = new Map<string, MapNode>();
  #values = 0;
  #count = 0;

  constructor(environment: string) {
    this.#environment = environment;
  }

  addManifest(file: ManifestFile, chain: Chain): void {
    const { resource, path } = file;
    if (!this.#hasRoom(valuesOf(chain), resource === undefined ? startOf(path) : placeOfName(resource))) return;
    this.#tell(chain);
    this.problems.push(...nameProblems(file));
    if (resource?.name === undefined) {
      this.nameless.push(resource?.kind);
      return;
    }
    const { kind, name, root } = resource;
    const known = { labels: labelsIn(chain, this.#environment), renamedFrom: formerNamesIn(root) };
    this.#add({ kind, name, path, root, chain, ...known, onlyIn: environmentsOf(root) });
  }

  /** Problems of a fleet are reported when it is expanded; its name does not matter. */
  addOther(file: ManifestFile, { kind, name, root, sound }: OtherFile): void {
    if (kind === 'Fleet') return;
    for (const problem of file.problems) this.problems.push(problem);
    if (name === undefined) return;
    const address = addressOf({ kind, name });
    const first = this.#others.get(address);
    if (first !== undefined) {
      this.problems.push(duplicateName(address, { root }, { root: first }));
      return;
    }
    this.#others.set(address, root);
    if (sound?.policy !== undefined) this.policies.push(sound.policy);
    if (sound?.test !== undefined) this.tests.push(sound.test);
  }

  /** In turns, as there may be thousands of members. */
  async addFleet({ resources, elsewhere, problems, overrides }: ExpandedFleet): Promise<void> {
    this.problems.push(...problems);
    this.overrides.push(...overrides);
    // A member that has no row, for all that is known, may be the one that another manifest names.
    if (hasErrors(problems)) this.nameless.push(undefined);
    for (const [index, resource] of [...resources, ...elsewhere].entries()) {
      if (index % 100 === 99) await turn();
      if (!this.#hasRoom(valuesOf(resource.chain), resource.row.name.at)) return;
      this.#tell(resource.chain);
      if (index < resources.length) this.#add(resource);
      else this.#addOfOtherTable(resource);
    }
  }

  #tell(chain: Chain): void {
    for (const one of [chain, ...chain.files]) {
      if (this.#told.has(one)) continue;
      this.#told.add(one);
      for (const problem of one.problems) this.problems.push(problem);
    }
  }

  #add(declared: DeclaredManifest): void {
    const address = addressOf(declared);
    const first = this.byAddress.get(address);
    if (first !== undefined) {
      this.problems.push(duplicateName(address, declared, first));
      return;
    }
    this.byAddress.set(address, this.#merged(declared));
  }

  #addOfOtherTable(declared: FleetResource): void {
    const first = this.byAddress.get(addressOf(declared));
    if (first !== undefined && first.row === undefined) {
      this.problems.push(duplicateName(addressOf(declared), declared, first));
    } else this.ofOtherTables.push(this.#merged(declared));
  }

  #merged(declared: DeclaredManifest): MergedManifest {
    return { ...declared, ...mergedSections(declared.kind, declared.chain, this.#environment) };
  }

  /** Whether there is room for one more. */
  #hasRoom(values: number, at: Span): boolean {
    this.#count += 1;
    this.#values += values;
    const most = Math.max(mostValues.inAll, mostValues.ofEach * this.#count);
    if (this.#values <= most) return true;
    this.problems.push(tooManyValues(at, most));
    // No manifest that another names is certainly missing.
    this.nameless.push(undefined);
    this.isFull = true;
    return false;
  }
}

/** The number of values in a manifest, with those of its bases. */
export function valuesOf({ files }: Chain): number {
  return files.reduce((sum, one) => sum + one.values, 0);
}

type DeclaredManifest = Omit<MergedManifest, keyof MergedSections>;

/**
 * More than real projects need: a manifest has 30 to 130 values. The total limit, or with many manifests, the limit for
 * each; planning them takes less than 10 seconds and 500 MB. A base counts for each manifest that extends it, or a
 * small file would make them as many as one likes.
 */
const mostValues = { inAll: 60_000, ofEach: 250 } as const;

function tooManyValues(at: Span, most: number): Problem {
  const message = `the manifests up to here have more than ${formatNumber(most)} values, with those of the bases that they extend; split the project`;
  return errorAt(at, 'project-size', message);
}

/** Whether an environment has the resource. */
export function isIn({ onlyIn }: Pick<MergedManifest, 'onlyIn'>, environment: string): boolean {
  return onlyIn === undefined || onlyIn.includes(environment);
}

type Placed = Pick<MergedManifest, 'root' | 'fleetAt'>;

/** Two fleets with one table have the same row: then the fleets are what differs. */
function duplicateName(address: string, second: Placed, first: Placed): Problem {
  const [at, firstAt] = [placeOfName(second), placeOfName(first)];
  const isSame = placeKey(at) === placeKey(firstAt);
  const problem = errorAt((isSame && second.fleetAt) || at, 'duplicate-name', `two manifests declare ${address}`);
  return { ...problem, also: { message: 'first here', at: (isSame && first.fleetAt) || firstAt } };
}

/** Sorts resources by kind and name. */
export function byKindAndName(
  a: Pick<MergedManifest, 'kind' | 'name'>,
  b: Pick<MergedManifest, 'kind' | 'name'>,
): number {
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

  /** The problem of a reference by name; none if an unreadable manifest may be the one that is meant. */
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
  /** Whether there are manifests of the kind. */
  readonly isAny: boolean;
}

function reasonFor(kind: KindName, { meant, namesake, isAny }: Candidates): string {
  const reason = isAny
    ? `no manifest of the kind ${quote(kind)} has this name`
    : `the project has no manifest of the kind ${quote(kind)}`;
  if (meant !== undefined) return `${reason}; did you mean ${quote(meant.name)}?`;
  return namesake === undefined ? reason : `${reason}; it is the name of ${addressOf(namesake)}`;
}
