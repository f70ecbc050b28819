import { setImmediate as turn } from 'node:timers/promises';
import { isName } from '../../json/check.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Policy } from '../../policy/policy.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import { formatNumber } from '../../text/wording.ts';
import { applyLevels, errorAt, hasErrors, type Problem, placeKey, type Span } from '../../yaml/problem.ts';
import { Glob } from '../project/glob.ts';
import { checkedChain, followExtends, nameProblems, problemsOf, type Reader } from '../project/layers.ts';
import type { ManifestFile, OtherFile } from '../project/manifest-files.ts';
import { moveProblems, placeOfName } from '../project/moves.ts';
import type { Project } from '../project/project.ts';
import { startOf } from '../project/project-files.ts';
import { Trace } from '../project/trace.ts';
import { expandFleet, type FleetEnvironment, type FleetFacts } from './fleet.ts';
import { ManifestIndex } from './manifest-index.ts';
import {
  byKindAndName,
  type GatheredUnit,
  isInEnvironment,
  ManifestUnit,
  MemberUnit,
  memberKey,
  type Unit,
  type UnitHead,
  valueCount,
} from './units.ts';

/** The manifests of a project in one environment. */
export interface Gathered {
  /** The environment's resources, sorted by kind and name, with unique addresses. */
  readonly manifests: readonly GatheredUnit[];
  /** The resources that exist only in other environments. */
  readonly elsewhere: readonly GatheredUnit[];
  /** Valid policies for all environments, sorted by name. */
  readonly policies: readonly Policy[];
  /** Valid Tests for all environments, sorted by path. */
  readonly tests: readonly ProjectTest[];
  readonly index: ManifestIndex;
  readonly problems: readonly Problem[];
  /** The patterns for the override paths of all fleets that have no errors. */
  readonly overrides: readonly Glob[];
}

/** A file whose declarations have not changed since an earlier run. */
export interface UnchangedFile {
  readonly units: readonly GatheredUnit[];
  /** The facts about a fleet. Undefined for a manifest. */
  readonly fleet: FleetFacts | undefined;
}

/** Provides the heads of units, which are reused from an earlier run or newly made. */
export interface Heads {
  /** The cached declarations of a file. Undefined if the file must be read because it is new or has changed. */
  knownFile(path: string, environment: FleetEnvironment): UnchangedFile | undefined;
  known(unit: Unit): GatheredUnit | undefined;
  /** The head of a unit. Undefined if the unit's files do not declare a resource with a name. */
  made(unit: Unit): Promise<GatheredUnit | undefined>;
  /** A reader for files under `manifests`. Notes each query in the trace, if one is given. */
  readerFor(trace?: Trace): Reader;
  /** Stores the facts about a fleet for later runs. */
  declared(path: string, trace: Trace, fleet: FleetFacts): void;
}

/**
 * Gathers the manifests of a project. Yields to other tasks before reading each file, so that the run stays
 * interruptible.
 */
export async function gatherManifests(
  project: Project,
  environment: string,
  known: Heads,
  signal?: AbortSignal,
): Promise<Gathered> {
  const gathering = new Gathering({ environment, environments: project.environments }, known, signal);
  for (const path of project.manifests) {
    if (!gathering.addKnown(path)) await gathering.addFile(path);
    if (gathering.isFull) break;
  }
  const { byAddress, nameless, problems, overrides, tests } = gathering;
  if (!gathering.isFull && overrides.length > 0) problems.push(...unusedOverrides(project, overrides));
  const all = [...byAddress.values(), ...gathering.ofOtherTables].sort((one, other) =>
    byKindAndName(one.head, other.head),
  );
  const manifests = all.filter(({ head }) => isInEnvironment(head, environment));
  const elsewhere = all.filter(({ head }) => !isInEnvironment(head, environment));
  const index = new ManifestIndex({ environment, manifests, elsewhere, nameless });
  const heads = [...byAddress.values()].map(({ head }) => head);
  const moves = moveProblems(project, heads, (address) => byAddress.get(address)?.head);
  const found = applyLevels([...problems, ...moves], project.lint);
  const policies = gathering.policies.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { manifests, elsewhere, policies, tests, index, problems: found, overrides };
}

/** Reports files at override paths that belong to no member, usually because the row was removed or misspelt. */
function unusedOverrides({ files, lint }: Project, overrides: readonly Glob[]): Problem[] {
  const found = new Set([...files.find(overrides).paths.values()].flat());
  const unused = [...found].filter((path) => !files.isUsed(path));
  const message = 'no row matches this override: name the file after a member, or delete it';
  return applyLevels(
    unused.map((path) => errorAt(startOf(path), 'override-unused', message)),
    lint,
  );
}

class Gathering {
  readonly byAddress = new Map<string, GatheredUnit>();
  /** Fleet members from tables of other environments. A row of this environment may have the same name. */
  readonly ofOtherTables: GatheredUnit[] = [];
  readonly nameless: Array<KindName | undefined> = [];
  readonly policies: Policy[] = [];
  readonly tests: ProjectTest[] = [];
  readonly problems: Problem[] = [];
  readonly overrides: Glob[] = [];
  isFull = false;
  readonly #environment: FleetEnvironment;
  readonly #heads: Heads;
  readonly #signal: AbortSignal | undefined;
  /** The locations of fleets, policies and Tests, keyed by address. */
  readonly #others = new Map<string, Span>();
  #values = 0;
  #count = 0;

  constructor(environment: FleetEnvironment, heads: Heads, signal: AbortSignal | undefined) {
    this.#environment = environment;
    this.#heads = heads;
    this.#signal = signal;
  }

  /**
   * Adds a file that has not changed since an earlier run. Returns false for any other file. Does not yield to other
   * tasks, because yielding for each of thousands of unchanged files would be slow.
   */
  addKnown(path: string): boolean {
    const known = this.#heads.knownFile(path, this.#environment);
    if (known === undefined) return false;
    const { fleet, units } = known;
    if (fleet === undefined) for (const one of units) this.#add(one);
    else {
      const members = new GatheredMembers(this, fleet);
      for (const one of units) if (!members.add(one)) break;
      members.end();
    }
    return true;
  }

  async addFile(path: string): Promise<void> {
    const unit = new ManifestUnit(path, this.#environment.environment);
    // Yields to other tasks, which may cancel this run.
    await turn();
    this.#signal?.throwIfAborted();
    const reader = this.#heads.readerFor();
    const file = await reader.parsed.load(path, reader.files);
    if (file.other?.kind === 'Fleet') await this.#addFleet(file, file.other);
    else if (file.other !== undefined) this.#addOther(file, file.other);
    else if (file.resource?.name === undefined) await this.#addNameless(file);
    else {
      const one = this.#heads.known(unit) ?? (await this.#heads.made(unit));
      if (one !== undefined) this.#add(one);
    }
  }

  async #addNameless(file: ManifestFile): Promise<void> {
    const reader = this.#heads.readerFor();
    const chain = await checkedChain(followExtends(file, reader), reader);
    const { resource, path } = file;
    const at = resource === undefined ? startOf(path) : placeOfName(resource);
    if (!this.fits({ values: valueCount(chain), at })) return;
    this.problems.push(...problemsOf(chain), ...nameProblems(file));
    this.nameless.push(resource?.kind);
  }

  #addOther(file: ManifestFile, { kind, name, root, sound }: OtherFile): void {
    for (const problem of file.problems) this.problems.push(problem);
    if (name === undefined) return;
    if (!this.claim(addressOf({ kind, name }), placeOfName({ root }))) return;
    if (sound?.policy !== undefined) this.policies.push(sound.policy);
    if (sound?.test !== undefined) this.tests.push(sound.test);
  }

  /**
   * Claims the address of a fleet, policy or Test. If the address is already taken, reports the second declaration and
   * returns false.
   */
  claim(address: string, at: Span): boolean {
    const first = this.#others.get(address);
    if (first === undefined) this.#others.set(address, at);
    else this.problems.push(...duplicateName(address, { at }, { at: first }));
    return first === undefined;
  }

  /** Adds the members of a fleet. Yields to other tasks between members, because a fleet may have thousands of them. */
  async #addFleet(file: ManifestFile, { root }: OtherFile): Promise<void> {
    const trace = new Trace();
    const input = { ...this.#environment, trace, reader: this.#heads.readerFor(trace) };
    const { members, facts } = expandFleet(file, root, input);
    this.#heads.declared(file.path, trace, facts);
    const gathered = new GatheredMembers(this, facts);
    for (const [index, member] of members.entries()) {
      if (index % 100 === 99) await turn();
      this.#signal?.throwIfAborted();
      const unit = new MemberUnit(file.path, memberKey(member), () => member);
      const one = this.#heads.known(unit) ?? (await this.#heads.made(unit));
      if (one !== undefined && !gathered.add(one)) break;
    }
    gathered.end();
  }

  #add(one: GatheredUnit): void {
    if (!this.fits(one.head)) return;
    this.problems.push(...one.head.problems);
    this.addHere(one);
  }

  addHere(one: GatheredUnit): void {
    const { head } = one;
    const address = addressOf(head);
    const first = this.byAddress.get(address);
    if (first === undefined) this.byAddress.set(address, one);
    else this.problems.push(...duplicateName(address, head, first.head));
  }

  addOfOtherTable(one: GatheredUnit): void {
    const { head } = one;
    const first = this.byAddress.get(addressOf(head));
    if (first !== undefined && first.head.table === undefined) {
      this.problems.push(...duplicateName(addressOf(head), head, first.head));
    } else this.ofOtherTables.push(one);
  }

  /** Adds a manifest's values to the total. Returns whether the project is still within the value limit. */
  fits({ values, at }: Pick<UnitHead, 'values' | 'at'>): boolean {
    this.#count += 1;
    this.#values += values;
    const max = Math.max(maxValues.inAll, maxValues.ofEach * this.#count);
    if (this.#values <= max) return true;
    const message = `the manifests up to this one, including their bases, have more than ${formatNumber(max)} values; split the project`;
    this.problems.push(errorAt(at, 'project-size', message));
    // From this point on, do not report references without a target, because an omitted manifest may be the target.
    this.nameless.push(undefined);
    this.isFull = true;
    return false;
  }
}

class GatheredMembers {
  readonly #gathering: Gathering;
  readonly #fleet: FleetFacts;
  #count = 0;
  #isSure: boolean;

  constructor(gathering: Gathering, fleet: FleetFacts) {
    this.#gathering = gathering;
    this.#fleet = fleet;
    this.#isSure = !hasErrors(fleet.problems);
    for (const problem of fleet.problems) gathering.problems.push(problem);
    if (fleet.name !== undefined) gathering.claim(addressOf({ kind: 'Fleet', name: fleet.name }), fleet.at);
  }

  /** Adds a member. Returns false if the project exceeds the value limit. */
  add(one: GatheredUnit): boolean {
    const { head } = one;
    if (!this.#gathering.fits(head)) return false;
    this.#count += 1;
    this.#gathering.problems.push(...head.problems, ...head.ofOverrides);
    this.#isSure &&= !hasErrors(head.ofOverrides);
    if (this.#count <= this.#fleet.here) this.#gathering.addHere(one);
    else this.#gathering.addOfOtherTable(one);
    return true;
  }

  end(): void {
    const { overrides, nameless } = this.#gathering;
    if (this.#isSure) overrides.push(...this.#fleet.overrides.map((pattern) => new Glob(pattern)));
    // A row or override with errors may declare the target of a reference.
    else nameless.push(undefined);
  }
}

/**
 * The value limit of a project: a total for small projects, or an average per manifest for large projects. Real
 * manifests have 30 to 130 values, including bases. A base counts once for each manifest that extends it, so that a
 * small project cannot cause unlimited work.
 */
const maxValues = { inAll: 60_000, ofEach: 250 } as const;

type DeclaredAt = Pick<UnitHead, 'at' | 'fleetAt'>;

/**
 * Reports two manifests with the same name. If two fleets share a table, both manifests come from the same row, so the
 * problem shows the fleets instead. An invalid name is reported in each file, and not here, because it may be a pasted
 * credential.
 */
function duplicateName(address: string, second: DeclaredAt, first: DeclaredAt): Problem[] {
  if (!isName(address.slice(address.indexOf('/') + 1))) return [];
  const isSame = placeKey(second.at) === placeKey(first.at);
  const at = (isSame && second.fleetAt) || second.at;
  const problem = errorAt(at, 'duplicate-name', `two manifests declare ${address}: rename or delete one of them`);
  return [{ ...problem, also: { message: 'first here', at: (isSame && first.fleetAt) || first.at } }];
}
