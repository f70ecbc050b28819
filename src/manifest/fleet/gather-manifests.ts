import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../../kinds/desired.ts';
import type { Policy } from '../../policy/policy.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import { formatNumber } from '../../text/wording.ts';
import { applyLevels, errorAt, hasErrors, type Problem, placeKey, type Span } from '../../yaml/problem.ts';
import type { MapNode } from '../../yaml/tree.ts';
import type { Glob } from '../project/glob.ts';
import { checkedChain, followBases, nameProblems, type Reader } from '../project/layers.ts';
import type { ManifestFile, OtherFile } from '../project/manifest-files.ts';
import { moveProblems, placeOfName } from '../project/moves.ts';
import type { Project } from '../project/project.ts';
import { startOf } from '../project/project-files.ts';
import { expandFleet } from './fleet.ts';
import { ManifestIndex } from './manifest-index.ts';
import {
  byKindAndName,
  fileUnit,
  type GatheredUnit,
  type Head,
  isIn,
  memberUnit,
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

/** The heads of units, from an earlier run or made now. */
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

  /** Takes turns, because there may be thousands of members. The name of a fleet does not matter. */
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
    // A manifest may refer to a member whose row could not be read.
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

  /** Whether one more manifest is within the limit. */
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
