import { withoutUndefined } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { Problem, Span } from '../../yaml/problem.ts';
import { memberOf } from '../../yaml/tree.ts';
import {
  type Chain,
  checkedChain,
  followExtends,
  hasNoErrors,
  type MergedSections,
  mergedSections,
  problemsOf,
  type Reader,
} from '../project/layers.ts';
import { environmentsOf, type FormerName, formerNamesIn, placeOfName } from '../project/moves.ts';
import { digestOf, type FileFacts, manifestKey } from '../project/trace.ts';
import { type DeclaredManifest, type DeclaredUnit, type FleetMember, labelsIn, type OverridePaths } from './fleet.ts';

/** A manifest with its bases, merged for an environment. */
export interface MergedManifest extends DeclaredManifest, MergedSections {}

/**
 * A manifest, or a fleet member combined with one template. A unit declares one resource, and its files are read on
 * demand.
 */
export interface Unit {
  readonly file: string;
  /** A key that is unique within the file. */
  readonly key: string;
  /** The fleet member. Absent for a manifest. Reads the fleet on first use. */
  member?(): FleetMember;
  /** Reads the files of the unit. Undefined if these files do not declare a resource with a name. */
  declare(reader: Reader): DeclaredUnit | undefined;
}

/**
 * The facts about a unit that are the same in all environments, as plain JSON. The facts depend only on the unit's
 * files.
 */
export interface UnitHead {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly ownFile?: string;
  /** The location of the name. */
  readonly at: Span;
  /** The number of values, including those of bases. */
  readonly values: number;
  readonly renamedFrom: readonly FormerName[];
  readonly onlyIn?: readonly string[];
  readonly onlyAt?: Span;
  readonly fleetAt?: Span;
  /** The file of a member's table. */
  readonly table?: string;
  /** A digest of the data that a member receives from its fleet. */
  readonly taken?: string;
  readonly overrides?: OverridePaths;
  readonly problems: readonly Problem[];
  /** The problems in a member's overrides. */
  readonly ofOverrides: readonly Problem[];
  /** Whether the files have no errors, which means that all values are known. */
  readonly isSound: boolean;
}

/**
 * Reads the files of a unit and makes its head, including all problems in the files. Undefined if the files do not
 * declare a resource with a name.
 */
export async function readHead(
  unit: Unit,
  reader: Reader,
): Promise<{ readonly head: UnitHead; readonly manifest: DeclaredManifest } | undefined> {
  const declared = unit.declare(reader);
  if (declared === undefined) return undefined;
  const chain = await checkedChain(declared.manifest.chain, reader);
  const manifest = { ...declared.manifest, chain };
  const { kind, name, path, root, ownFile, renamedFrom, onlyIn, fleetAt, overrides, row } = manifest;
  const onlyAt = row === undefined ? memberOf(root, 'onlyIn')?.at : undefined;
  const head: UnitHead = {
    ...{ kind, name, path, at: placeOfName(manifest), values: valueCount(chain), renamedFrom },
    ...withoutUndefined({ ownFile, onlyIn, onlyAt, fleetAt }),
    ...(row !== undefined && { table: row.name.at.file, taken: digestOf(JSON.stringify(unit.member?.().inputs)) }),
    ...(overrides !== undefined && { overrides }),
    problems: problemsOf(chain),
    ofOverrides: declared.problems,
    isSound: hasNoErrors(chain),
  };
  return { head, manifest };
}

export interface GatheredUnit {
  readonly unit: Unit;
  readonly head: UnitHead;
  /** The position of the unit in the kept facts. Absent if the unit's files were read in this run. */
  readonly entry?: FactsEntry;
}

/** The index of a unit in the kept facts of its file. */
export interface FactsEntry {
  readonly file: FileFacts;
  readonly index: number;
}

/** Reads and merges a unit whose head is known, without checking its files again. */
export function mergedAgain({ unit, head }: GatheredUnit, environment: string, reader: Reader): MergedManifest {
  const declared = unit.declare(reader);
  if (declared === undefined) throw new Error(`${head.path} declared ${addressOf(head)}`);
  const { manifest } = declared;
  const { problems } = head;
  const chain = problems.length === 0 ? manifest.chain : { ...manifest.chain, problems };
  return { ...manifest, chain, ...mergedSections({ ...manifest, chain }, environment) };
}

export class ManifestUnit implements Unit {
  readonly file: string;
  readonly key = manifestKey;
  readonly #environment: string;

  constructor(file: string, environment: string) {
    this.file = file;
    this.#environment = environment;
  }

  declare(reader: Reader): DeclaredUnit | undefined {
    const { file: path } = this;
    const file = reader.parsed.parse(path, reader.files);
    if (file.resource?.name === undefined) return undefined;
    const { kind, name, root } = file.resource;
    const chain = followExtends(file, reader);
    const known = { labels: labelsIn(chain, this.#environment), renamedFrom: formerNamesIn(root) };
    return { manifest: { kind, name, path, root, chain, ...known, onlyIn: environmentsOf(root) }, problems: [] };
  }
}

/** The key of a fleet member, unique within the fleet's file. */
export function memberKey({ kind, row, table }: Pick<FleetMember, 'kind' | 'row' | 'table'>): string {
  return `${table} ${addressOf({ kind, name: row.name.value })}`;
}

/** A fleet member as a unit. Reads the fleet only when needed. */
export class MemberUnit implements Unit {
  readonly file: string;
  readonly key: string;
  readonly #members: (key: string) => FleetMember;

  constructor(file: string, key: string, members: (key: string) => FleetMember) {
    this.file = file;
    this.key = key;
    this.#members = members;
  }

  member(): FleetMember {
    return this.#members(this.key);
  }

  declare(reader: Reader): DeclaredUnit {
    return this.member().declare(reader);
  }
}

/** The number of values in a manifest and its bases. */
export function valueCount({ files }: Chain): number {
  return files.reduce((sum, one) => sum + one.values, 0);
}

export function isInEnvironment({ onlyIn }: Pick<MergedManifest, 'onlyIn'>, environment: string): boolean {
  return onlyIn === undefined || onlyIn.includes(environment);
}

export function byKindAndName(
  a: Pick<MergedManifest, 'kind' | 'name'>,
  b: Pick<MergedManifest, 'kind' | 'name'>,
): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
