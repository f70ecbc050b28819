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
import {
  type Chain,
  checkedChain,
  followBases,
  hasNoErrors,
  type MergedSections,
  mergedSections,
  nameProblems,
  type Reader,
} from '../project/layers.ts';
import type { ManifestFile, OtherFile } from '../project/manifest-files.ts';
import { environmentsOf, type FormerName, formerNamesIn, moveProblems, placeOfName } from '../project/moves.ts';
import type { Project } from '../project/project.ts';
import { startOf } from '../project/project-files.ts';
import { digestOf, type Input, type Trace } from '../project/trace.ts';
import { expandFleet, type FleetMember, type LabelNodes, labelsIn, type OverridePaths } from './fleet.ts';
import type { Row } from './member-table.ts';

/** A manifest with its bases. */
export interface DeclaredManifest {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly root: MapNode;
  readonly chain: Chain;
  readonly labels: LabelNodes;
  /** The data of a fleet member from its table. */
  readonly row?: Row;
  /** The place of the fleet's name, for a member. */
  readonly fleetAt?: Span;
  /** For a member: every environment has the same table. */
  readonly rowIsShared?: boolean;
  /** The override of a member, if it may have one. */
  readonly ownFile?: string | undefined;
  /** Every file that is an override of a member, or would be. */
  readonly overrides?: OverridePaths;
  /** The former name. */
  readonly renamedFrom: readonly FormerName[];
  /** The environments that it is limited to; undefined if all have it. */
  readonly onlyIn?: readonly string[] | undefined;
}

/** A manifest with its bases, merged for an environment. */
export interface MergedManifest extends DeclaredManifest, MergedSections {}

/** A manifest or a member of a fleet, before its files are read. */
export interface Unit {
  /** Tells it from every other unit of the project. */
  readonly key: string;
  readonly row?: Row;
  /** What a member takes from its fleet. */
  readonly inputs: readonly Input[];
  /** Reads its files; undefined where they declare no resource with a name. */
  declare(reader: Reader): DeclaredUnit | undefined;
}

interface DeclaredUnit {
  readonly manifest: DeclaredManifest;
  /** Problems of a member's overrides. */
  readonly problems: readonly Problem[];
}

/** What the files of a unit tell, in every environment: plain JSON, made of nothing but these files. */
export interface Head {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly ownFile?: string;
  /** The place of the name. */
  readonly at: Span;
  /** The number of values, with those of its bases. */
  readonly values: number;
  readonly renamedFrom: readonly FormerName[];
  readonly onlyIn?: readonly string[];
  /** The place of `onlyIn`. */
  readonly onlyAt?: Span;
  readonly fleetAt?: Span;
  /** The table that a member is in. */
  readonly table?: string;
  readonly overrides?: OverridePaths;
  /** Problems of the files. */
  readonly problems: readonly Problem[];
  /** Problems of a member's overrides, which are the fleet's. */
  readonly ofOverrides: readonly Problem[];
  /** The files have no errors, so that their values are whole. */
  readonly isSound: boolean;
}

/** Reads the files of a unit, and what is wrong with them. */
export async function readHead(
  unit: Unit,
  reader: Reader,
): Promise<{ readonly head: Head; readonly manifest: DeclaredManifest } | undefined> {
  const declared = unit.declare(reader);
  if (declared === undefined) return undefined;
  const chain = await checkedChain(declared.manifest.chain, reader);
  const manifest = { ...declared.manifest, chain };
  const { kind, name, path, root, ownFile, renamedFrom, onlyIn, fleetAt, overrides, row } = manifest;
  const onlyAt = row === undefined ? memberOf(root, 'onlyIn')?.at : undefined;
  const head: Head = {
    ...{ kind, name, path, at: placeOfName(manifest), values: valuesOf(chain), renamedFrom },
    ...(ownFile !== undefined && { ownFile }),
    ...(onlyIn !== undefined && { onlyIn }),
    ...(onlyAt !== undefined && { onlyAt }),
    ...(fleetAt !== undefined && { fleetAt }),
    ...(row !== undefined && { table: row.name.at.file }),
    ...(overrides !== undefined && { overrides }),
    problems: problemsOf(chain),
    ofOverrides: declared.problems,
    isSound: hasNoErrors(chain),
  };
  return { head, manifest };
}

function problemsOf({ problems, files }: Chain): Problem[] {
  return [...problems, ...files.flatMap((file) => file.problems)];
}

/** Reads a unit again whose head is known: its files' own checks are left out. */
export function mergedAgain(
  { unit, head }: Gathered['manifests'][number],
  environment: string,
  reader: Reader,
): MergedManifest {
  const declared = unit.declare(reader);
  if (declared === undefined) throw new Error(`${head.path} declared ${addressOf(head)}`);
  const { manifest } = declared;
  const { problems } = head;
  const chain = problems.length === 0 ? manifest.chain : { ...manifest.chain, problems };
  return mergedFor({ ...manifest, chain }, environment);
}

export function mergedFor(declared: DeclaredManifest, environment: string): MergedManifest {
  return { ...declared, ...mergedSections(declared.kind, declared.chain, environment) };
}

function fileUnit(path: string, environment: string): Unit {
  return {
    key: path,
    inputs: [],
    declare(reader) {
      const file = reader.parsed.parse(path, reader.files);
      if (file.resource?.name === undefined) return undefined;
      const { kind, name, root } = file.resource;
      const chain = followBases(file, reader);
      const known = { labels: labelsIn(chain, environment), renamedFrom: formerNamesIn(root) };
      return { manifest: { kind, name, path, root, chain, ...known, onlyIn: environmentsOf(root) }, problems: [] };
    },
  };
}

function memberUnit(fleet: string, { kind, row, table, inputs, declare }: FleetMember): Unit {
  return { key: JSON.stringify([fleet, table, kind, row.name.value]), row, inputs, declare };
}

/** The manifests of a project in one environment. */
export interface Gathered {
  /** Resources of the environment, by kind and name, each address once. */
  readonly manifests: readonly GatheredUnit[];
  /** Resources limited to other environments. */
  readonly elsewhere: readonly GatheredUnit[];
  /** Valid policies, by name, for all environments. */
  readonly policies: readonly Policy[];
  /** Valid Tests, by path, for all environments. */
  readonly tests: readonly ProjectTest[];
  readonly index: ManifestIndex;
  readonly problems: readonly Problem[];
  /** The paths of fleet overrides. */
  readonly overrides: readonly Glob[];
}

export interface GatheredUnit {
  readonly unit: Unit;
  readonly head: Head;
}

/** The heads of units: known from before, or made now. */
export interface Heads {
  readonly reader: Reader;
  known(unit: Unit): Head | undefined;
  /** Undefined where the files declare no resource with a name. */
  made(unit: Unit): Promise<Head | undefined>;
}

/** Gathers every manifest, each in a separate turn, so that the run stays interruptible. */
export async function gatherManifests(
  project: Project,
  environment: string,
  heads: Heads,
  signal?: AbortSignal,
): Promise<Gathered> {
  const gathering = new Gathering(environment, heads, signal);
  for (const path of project.manifests) {
    if (!gathering.addKnown(path)) await gathering.addFile(path, project.environments);
    if (gathering.isFull) break;
  }
  const { byAddress, nameless, problems, overrides, tests } = gathering;
  if (!gathering.isFull) problems.push(...unusedOverrides(project, overrides));
  const all = [...byAddress.values(), ...gathering.ofOtherTables].sort((one, other) =>
    byKindAndName(one.head, other.head),
  );
  const manifests = all.filter(({ head }) => isIn(head, environment));
  const elsewhere = all.filter(({ head }) => !isIn(head, environment));
  const index = new ManifestIndex({ environment, manifests, elsewhere, nameless });
  const named = new Map([...byAddress].map(([address, { head }]) => [address, head]));
  const found = [...problems, ...moveProblems(project, named)];
  return { manifests, elsewhere, policies: gathering.policies.sort(byName), tests, index, problems: found, overrides };
}

/** Files in place of an override that match no member: usually of a removed or misspelt row. */
function unusedOverrides({ files, lint }: Project, overrides: readonly Glob[]): Problem[] {
  if (overrides.length === 0) return [];
  const found = new Set([...files.find(overrides).paths.values()].flat());
  const unused = [...found].filter((path) => !files.isUsed(path));
  const message = 'no row of a table has this override: give it the name of a member, or delete it';
  return applyLevels(
    unused.map((path) => errorAt(startOf(path), 'override-unused', message)),
    lint,
  );
}

function byName(one: Policy, other: Policy): number {
  return one.name < other.name ? -1 : 1;
}

/** The manifests that were gathered so far. */
class Gathering {
  readonly byAddress = new Map<string, GatheredUnit>();
  /** Members of fleets that only other environments have; another row of this one may have the same name. */
  readonly ofOtherTables: GatheredUnit[] = [];
  readonly nameless: Array<KindName | undefined> = [];
  readonly policies: Policy[] = [];
  readonly tests: ProjectTest[] = [];
  readonly problems: Problem[] = [];
  /** The paths of overrides of fleets. */
  readonly overrides: Glob[] = [];
  isFull = false;
  readonly #environment: string;
  readonly #heads: Heads;
  readonly #signal: AbortSignal | undefined;
  /** Files without a resource, by address. */
  readonly #others = new Map<string, MapNode>();
  #values = 0;
  #count = 0;

  constructor(environment: string, heads: Heads, signal: AbortSignal | undefined) {
    this.#environment = environment;
    this.#heads = heads;
    this.#signal = signal;
  }

  /** Lets other tasks run, which may cancel this run. */
  async #turn(): Promise<void> {
    await turn();
    this.#signal?.throwIfAborted();
  }

  /** Whether the file is known from before. It takes no turn: a large project has thousands. */
  addKnown(path: string): boolean {
    const unit = fileUnit(path, this.#environment);
    const known = this.#heads.known(unit);
    if (known !== undefined) this.#add(unit, known);
    return known !== undefined;
  }

  async addFile(path: string, environments: readonly string[]): Promise<void> {
    const unit = fileUnit(path, this.#environment);
    await this.#turn();
    const { reader } = this.#heads;
    const file = await reader.parsed.load(path, reader.files);
    if (file.other?.kind === 'Fleet') await this.#addFleet(file, file.other, environments);
    else if (file.other !== undefined) this.#addOther(file, file.other);
    else if (file.resource?.name === undefined) await this.#addNameless(file);
    else {
      const head = await this.#heads.made(unit);
      if (head !== undefined) this.#add(unit, head);
    }
  }

  async #addNameless(file: ManifestFile): Promise<void> {
    const { reader } = this.#heads;
    const chain = await checkedChain(followBases(file, reader), reader);
    const { resource, path } = file;
    if (!this.#fits(valuesOf(chain), resource === undefined ? startOf(path) : placeOfName(resource))) return;
    this.problems.push(...problemsOf(chain), ...nameProblems(file));
    this.nameless.push(resource?.kind);
  }

  #addOther(file: ManifestFile, { kind, name, root, sound }: OtherFile): void {
    for (const problem of file.problems) this.problems.push(problem);
    if (name === undefined) return;
    const address = addressOf({ kind, name });
    const first = this.#others.get(address);
    if (first !== undefined) {
      this.problems.push(duplicateName(address, { at: placeOfName({ root }) }, { at: placeOfName({ root: first }) }));
      return;
    }
    this.#others.set(address, root);
    if (sound?.policy !== undefined) this.policies.push(sound.policy);
    if (sound?.test !== undefined) this.tests.push(sound.test);
  }

  /** In turns, as there may be thousands of members. The name of a fleet does not matter. */
  async #addFleet(file: ManifestFile, { root }: OtherFile, environments: readonly string[]): Promise<void> {
    const { reader } = this.#heads;
    const fleet = await expandFleet(file, root, { reader, environment: this.#environment, environments });
    this.problems.push(...fleet.problems);
    let isSure = !hasErrors(fleet.problems);
    for (const [index, member] of [...fleet.members, ...fleet.elsewhere].entries()) {
      if (index % 100 === 99) await this.#turn();
      const unit = memberUnit(file.path, member);
      const head = this.#heads.known(unit) ?? (await this.#heads.made(unit));
      if (head === undefined) continue;
      if (!this.#fits(head.values, head.at)) break;
      this.problems.push(...head.problems, ...head.ofOverrides);
      isSure &&= !hasErrors(head.ofOverrides);
      if (index < fleet.members.length) this.#addHere(unit, head);
      else this.#addOfOtherTable(unit, head);
    }
    if (isSure) this.overrides.push(...fleet.overrides);
    // A member that has no row, for all that is known, may be the one that another manifest names.
    else this.nameless.push(undefined);
  }

  #add(unit: Unit, head: Head): void {
    if (!this.#fits(head.values, head.at)) return;
    this.problems.push(...head.problems);
    this.#addHere(unit, head);
  }

  #addHere(unit: Unit, head: Head): void {
    const address = addressOf(head);
    const first = this.byAddress.get(address);
    if (first === undefined) this.byAddress.set(address, { unit, head });
    else this.problems.push(duplicateName(address, head, first.head));
  }

  #addOfOtherTable(unit: Unit, head: Head): void {
    const first = this.byAddress.get(addressOf(head));
    if (first !== undefined && first.unit.row === undefined) {
      this.problems.push(duplicateName(addressOf(head), head, first.head));
    } else this.ofOtherTables.push({ unit, head });
  }

  /** Whether one more fits. */
  #fits(values: number, at: Span): boolean {
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

type Placed = Pick<Head, 'at' | 'fleetAt'>;

/** Two fleets with one table have the same row: then the fleets are what differs. */
function duplicateName(address: string, second: Placed, first: Placed): Problem {
  const isSame = placeKey(second.at) === placeKey(first.at);
  const at = (isSame && second.fleetAt) || second.at;
  const problem = errorAt(at, 'duplicate-name', `two manifests declare ${address}`);
  return { ...problem, also: { message: 'first here', at: (isSame && first.fleetAt) || first.at } };
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
  readonly #indexed: Indexed;
  readonly #byAddress: ReadonlyMap<string, GatheredUnit>;
  readonly #elsewhere: ReadonlyMap<string, GatheredUnit>;
  readonly #trace: Trace | undefined;
  /** A digest of all names. */
  readonly #names: () => string;

  constructor(indexed: Indexed | ManifestIndex, trace?: Trace) {
    this.#trace = trace;
    if (indexed instanceof ManifestIndex) {
      this.#indexed = indexed.#indexed;
      this.#byAddress = indexed.#byAddress;
      this.#elsewhere = indexed.#elsewhere;
      this.#names = indexed.#names;
      return;
    }
    this.#indexed = indexed;
    this.#byAddress = byAddress(indexed.manifests);
    this.#elsewhere = byAddress(indexed.elsewhere);
    let names: string | undefined;
    this.#names = () => (names ??= namesOf(indexed));
  }

  /** The same manifests; every question is noted with its answer. */
  noting(trace: Trace): ManifestIndex {
    return new ManifestIndex(this, trace);
  }

  find(kind: KindName, name: string): GatheredUnit | undefined {
    const address = addressOf({ kind, name });
    this.#trace?.note('unit', address, this.answerOf('unit', address));
    return this.#byAddress.get(address);
  }

  /** What a trace notes of a question. */
  answerOf(kind: 'unit' | 'units', address: string): string {
    if (kind === 'units') return this.#names();
    const found = this.#byAddress.get(address) ?? this.#elsewhere.get(address);
    if (found === undefined) return 'none';
    const { unit, head } = found;
    const { at, onlyIn, onlyAt, overrides, isSound } = head;
    return digestOf(JSON.stringify([unit.key, at, onlyIn, onlyAt, overrides, isSound, unit.inputs]));
  }

  /** The problem of a reference by name; none if an unreadable manifest may be the one that is meant. */
  problemsOf(reference: ScalarNode, kind: KindName, path: string): Problem[] {
    const name = String(reference.value);
    if (this.find(kind, name) !== undefined) return [];
    const limited = this.#elsewhere.get(addressOf({ kind, name }));
    if (limited !== undefined) return [this.#notHere(reference, limited.head, path)];
    this.#trace?.note('units', '', this.#names());
    const { nameless, manifests } = this.#indexed;
    if (nameless.some((known) => known === undefined || known === kind)) return [];
    const heads = manifests.map(({ head }) => head);
    const ofKind = heads.filter((head) => head.kind === kind);
    const near = nearest(
      name,
      ofKind.map((head) => head.name),
    );
    const meant = near === undefined ? undefined : ofKind.find((head) => head.name === near);
    const namesake = meant === undefined ? heads.find((head) => head.name === name) : undefined;
    const problem = errorAt(
      reference.at,
      'reference-unknown',
      `${path} is ${quote(name)}: ${reasonFor(kind, { meant, namesake, isAny: ofKind.length > 0 })}`,
    );
    const shown = meant ?? namesake;
    return [shown === undefined ? problem : { ...problem, also: { message: addressOf(shown), at: shown.at } }];
  }

  #notHere(reference: ScalarNode, limited: Head, path: string): Problem {
    const message =
      `${path} is ${quote(limited.name)}, but onlyIn limits ${addressOf(limited)} to ` +
      `${joinWithAnd((limited.onlyIn ?? []).map(quote))}, so ${quote(this.#indexed.environment)} does not have it; ` +
      'write the same onlyIn here, or add the environment there';
    const at = limited.onlyAt ?? limited.at;
    return { ...errorAt(reference.at, 'reference-unknown', message), also: { message: 'limited here', at } };
  }
}

function byAddress(units: readonly GatheredUnit[]): ReadonlyMap<string, GatheredUnit> {
  return new Map(units.map((one) => [addressOf(one.head), one]));
}

function namesOf({ manifests, elsewhere, nameless }: Indexed): string {
  const placed = [manifests, elsewhere].map((units) => units.map(({ head }) => [addressOf(head), head.at]));
  return digestOf(JSON.stringify([placed, nameless.map((kind) => kind ?? null)]));
}

interface Candidates {
  readonly meant: Head | undefined;
  readonly namesake: Head | undefined;
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
