import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../../kinds/desired.ts';
import type { Policy } from '../../policy/policy.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import { formatNumber } from '../../text/wording.ts';
import { applyLevels, errorAt, hasErrors, type Problem, placeKey, type Span } from '../../yaml/problem.ts';
import type { MapNode } from '../../yaml/tree.ts';
import { Glob } from '../project/glob.ts';
import { checkedChain, followBases, nameProblems, type Reader } from '../project/layers.ts';
import type { ManifestFile, OtherFile } from '../project/manifest-files.ts';
import { moveProblems, placeOfName } from '../project/moves.ts';
import type { Project } from '../project/project.ts';
import { startOf } from '../project/project-files.ts';
import { Trace } from '../project/trace.ts';
import { expandFleet, type FleetEnvironment, type FleetFacts } from './fleet.ts';
import { ManifestIndex } from './manifest-index.ts';
import {
  byKindAndName,
  fileUnit,
  type GatheredUnit,
  type Head,
  isIn,
  MemberUnit,
  memberKey,
  problemsOf,
  type Unit,
  valuesOf,
} from './units.ts';

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

/** A file whose declarations are the same as in an earlier run. */
export interface KnownFile {
  readonly units: readonly GatheredUnit[];
  /** Undefined for a manifest. */
  readonly fleet: FleetFacts | undefined;
}

/** Finds units with the facts of an earlier run, or makes their heads now. */
export interface Heads {
  /** The units of a file that need not be read, because nothing that it declares changed. */
  knownFile(path: string, environment: FleetEnvironment): KnownFile | undefined;
  known(unit: Unit): GatheredUnit | undefined;
  /** Undefined where the files declare no resource with a name. */
  made(unit: Unit): Promise<GatheredUnit | undefined>;
  /** The reader of a file under `manifests`; with a trace, it notes every question. */
  readerFor(trace?: Trace): Reader;
  /** Keeps what a fleet declares besides its members. */
  declared(path: string, trace: Trace, fleet: FleetFacts): void;
}

/** Gathers every manifest, each in a separate turn, so that the run stays interruptible. */
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
  if (!gathering.isFull) problems.push(...unusedOverrides(project, overrides));
  const all = [...byAddress.values(), ...gathering.ofOtherTables].sort((one, other) =>
    byKindAndName(one.head, other.head),
  );
  const manifests = all.filter(({ head }) => isIn(head, environment));
  const elsewhere = all.filter(({ head }) => !isIn(head, environment));
  const index = new ManifestIndex({ environment, manifests, elsewhere, nameless });
  const heads = [...byAddress.values()].map(({ head }) => head);
  const found = [...problems, ...moveProblems(project, heads, (address) => byAddress.get(address)?.head)];
  return { manifests, elsewhere, policies: gathering.policies.sort(byName), tests, index, problems: found, overrides };
}

/** Files at override paths that match no member, usually because a row was removed or misspelt. */
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
  readonly #environment: FleetEnvironment;
  readonly #heads: Heads;
  readonly #signal: AbortSignal | undefined;
  /** Files without a resource, by address. */
  readonly #others = new Map<string, MapNode>();
  #values = 0;
  #count = 0;

  constructor(environment: FleetEnvironment, heads: Heads, signal: AbortSignal | undefined) {
    this.#environment = environment;
    this.#heads = heads;
    this.#signal = signal;
  }

  /** Lets other tasks run, which may cancel this run. */
  async #turn(): Promise<void> {
    await turn();
    this.#signal?.throwIfAborted();
  }

  /** Whether the file is already known. It takes no turn: a large project has thousands. */
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
    const unit = fileUnit(path, this.#environment.environment);
    await this.#turn();
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
    const chain = await checkedChain(followBases(file, reader), reader);
    const { resource, path } = file;
    const at = resource === undefined ? startOf(path) : placeOfName(resource);
    if (!this.fits({ values: valuesOf(chain), at })) return;
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

  /** Takes turns, because there may be thousands of members. The name of a fleet does not matter. */
  async #addFleet(file: ManifestFile, { root }: OtherFile): Promise<void> {
    const trace = new Trace();
    const input = { ...this.#environment, trace, reader: this.#heads.readerFor(trace) };
    const { members, facts } = expandFleet(file, root, input);
    this.#heads.declared(file.path, trace, facts);
    const gathered = new GatheredMembers(this, facts);
    for (const [index, member] of members.entries()) {
      if (index % 100 === 99) await this.#turn();
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
    else this.problems.push(duplicateName(address, head, first.head));
  }

  addOfOtherTable(one: GatheredUnit): void {
    const { head } = one;
    const first = this.byAddress.get(addressOf(head));
    if (first !== undefined && first.head.table === undefined) {
      this.problems.push(duplicateName(addressOf(head), head, first.head));
    } else this.ofOtherTables.push(one);
  }

  /** Whether one more manifest is within the limit. */
  fits({ values, at }: Pick<Head, 'values' | 'at'>): boolean {
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

/** The members of one fleet that were gathered so far. */
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
  }

  /** Whether the member is within the limit of values. */
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
    // A manifest may refer to a member whose row could not be read.
    else nameless.push(undefined);
  }
}

/**
 * More than real projects need: a manifest has 30 to 130 values. This is the total limit; with many manifests, the
 * limit for each applies. Planning that many takes less than 10 seconds and 500 MB. A base counts for each manifest
 * that extends it, because otherwise small files could multiply it without limit.
 */
const mostValues = { inAll: 60_000, ofEach: 250 } as const;

function tooManyValues(at: Span, most: number): Problem {
  const message = `the manifests up to here have more than ${formatNumber(most)} values, with those of the bases that they extend; split the project`;
  return errorAt(at, 'project-size', message);
}

type Placed = Pick<Head, 'at' | 'fleetAt'>;

/** If two fleets share one table, the row is the same, so the message names the fleets. */
function duplicateName(address: string, second: Placed, first: Placed): Problem {
  const isSame = placeKey(second.at) === placeKey(first.at);
  const at = (isSame && second.fleetAt) || second.at;
  const problem = errorAt(at, 'duplicate-name', `two manifests declare ${address}`);
  return { ...problem, also: { message: 'first here', at: (isSame && first.fleetAt) || first.at } };
}
