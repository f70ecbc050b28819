import { AgentformError } from '../../errors.ts';
import { cached, canonicalJson } from '../../json/json.ts';
import { addressOf, byAddress, kindIn } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
import { textLimit } from '../../manifest/project/project-files.ts';
import { factStoreOf } from '../../manifest/resolve/fact-inputs.ts';
import { environmentNode } from '../../manifest/resolve/identity/target.ts';
import type { ManifestIdentity, Resolution } from '../../manifest/resolve/resolution.ts';
import { findFacts, type ProjectFacts } from '../../manifest/resolve/resolve-project.ts';
import type { StoredRecord } from '../../record/store.ts';
import type { ChangedSince } from '../../schemas/plan-types.ts';
import { toJson } from '../../yaml/tree.ts';
import type { Host } from '../host.ts';
import { type SelectedResources, type Selection, selectedResources } from '../selection.ts';
import { type CommittedProject, type OpenCommit, openCommit, withProjectAt } from './committed-project.ts';
import { filesLeftOut } from './repository.ts';

/** The differences between an environment's manifests and those at a commit. */
export interface Changes {
  readonly commit: string;
  /** The reason why all resources count as changed. Undefined if the two states could be compared. */
  readonly reason: string | undefined;
  readonly now: ProjectFacts;
  /** Maps the address of each new or changed resource to the list of its files that differ. */
  readonly changed: ReadonlyMap<string, readonly string[]>;
  /** Maps the address of each resource that left the environment to the list of its files that differ. */
  readonly deleted: ReadonlyMap<string, readonly string[]>;
  /** Addresses that were added to `removed` in agentform.yaml since the commit. */
  readonly removed: ReadonlySet<string>;
}

export interface ChangesOptions {
  /** The commit name, in any form that git accepts. Zeros stand for a commit without the project. */
  readonly ref: string;
  readonly environments: readonly string[];
  readonly env: Host['env'];
  /** The base commit, if it is already open. */
  readonly openedBase?: OpenCommit | undefined;
}

/**
 * Compares the resources in the working tree with those in a commit. Compares secrets by reference, not by value. All
 * resources count as changed if the commit lacks the environment or a valid project. A resource also counts as changed
 * if its values are unknown in the working tree or the commit. Resources in files that a sparse checkout leaves out do
 * not count as deleted.
 */
export async function changesSince(project: Project, options: ChangesOptions): Promise<ReadonlyMap<string, Changes>> {
  const found = await differencesSince(project, options);
  if ([...found.values()].every(({ deleted }) => deleted.size === 0)) return found;
  const leftOut = await filesLeftOut(project.root);
  const isDeleted = (files: readonly string[]) => !files.some((path) => leftOut.has(path));
  return new Map(
    [...found].map(([environment, changes]) => {
      const deleted = new Map([...changes.deleted].filter(([, files]) => isDeleted(files)));
      return [environment, { ...changes, deleted }];
    }),
  );
}

/**
 * Finds the resources that changed in at least one of the environments, with the counts to report. Also returns the
 * facts of all resources, by environment.
 */
export async function changedInAny(project: Project, options: ChangesOptions) {
  const { ref } = options;
  const changes = await changesSince(project, options);
  const found = [...changes.values()];
  const changed = merged(found.map((one) => one.changed));
  const deleted = merged(found.map((one) => one.deleted));
  const reasons = found.flatMap(({ reason }) => reason ?? []);
  const all = [...byAddress(found.flatMap(({ now }) => now.all)).values()];
  const [reason] = reasons.length === found.length ? reasons : [];
  const changedSince = statementOf(ref, { commit: found[0]?.commit ?? ref, reason, all, changed, deleted });
  const facts = new Map([...changes].map(([environment, { now }]) => [environment, now]));
  return { includes: (address: string) => changed.has(address), changedSince, facts };
}

function merged(maps: readonly ReadonlyMap<string, readonly string[]>[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const [address, files] of maps.flatMap((map) => [...map]))
    all.set(address, [...(all.get(address) ?? []), ...files]);
  return all;
}

async function differencesSince(
  project: Project,
  { ref, environments, env, openedBase }: ChangesOptions,
): Promise<ReadonlyMap<string, Changes>> {
  const sides: Compared[] = [];
  for (const environment of environments) {
    const now = await findFacts(project, { environment, secrets: 'names', env });
    sides.push({ project, environment, env, now });
  }
  const compared = async (inCommit: ComparedCommit) => {
    const found: [string, Changes][] = [];
    for (const side of sides) found.push([side.environment, await comparedWith(inCommit, side)]);
    return new Map(found);
  };
  // For the first push of a branch, code hosts report a previous commit id that consists of zeros.
  if (/^0{40,64}$/.test(ref)) return compared({ commit: ref, project: 'it is not a commit', differs: () => true });
  const needed = sides.flatMap(({ now }) => now.all.flatMap((one) => now.declaredOf(addressOf(one))?.needed ?? []));
  const { files } = project;
  const now = { files, facts: factStoreOf(project, environments[0] ?? ''), wanted: [...project.manifests, ...needed] };
  return withProjectAt(
    project,
    await openCommit(project.root, ref, openedBase),
    async (baseProject) => {
      const committedProject = await projectIn(baseProject, project);
      const differs = (path: string) =>
        typeof committedProject === 'string' || textAt(project, path) !== textAt(committedProject, path);
      return compared({ commit: baseProject.commit, project: committedProject, differs: memoized(differs) });
    },
    { now },
  );
}

function memoized(ask: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => cached(known, path, () => ask(path));
}

/**
 * Loads the project at the commit. If the project is missing or invalid, returns a reason that completes a sentence.
 */
async function projectIn(baseProject: CommittedProject, { file }: Project): Promise<Project | string> {
  try {
    return (await baseProject.load()) ?? `${file} does not exist at that commit`;
  } catch (error) {
    if (error instanceof AgentformError) return `${file} has errors at that commit`;
    throw error;
  }
}

interface ComparedCommit {
  readonly commit: string;
  /** The project, or a reason why it cannot be loaded. The reason completes a sentence. */
  readonly project: Project | string;
  /** Whether the text of a file differs between commit and checkout. A missing file differs from an existing file. */
  readonly differs: (path: string) => boolean;
}

interface Compared extends Side {
  readonly environment: string;
  readonly env: Host['env'];
}

async function comparedWith(
  { commit, project: committedProject, differs }: ComparedCommit,
  compared: Compared,
): Promise<Changes> {
  const { project, environment, env, now } = compared;
  const isThere = typeof committedProject !== 'string' && committedProject.environments.includes(environment);
  if (!isThere) {
    const reason =
      typeof committedProject === 'string'
        ? committedProject
        : `${committedProject.file} has no environment ${environment} at that commit`;
    const changed = new Map(now.all.map((one) => [addressOf(one), []]));
    return { commit, reason, now, changed, deleted: new Map(), removed: new Set(project.removed) };
  }
  const before = await findFacts(committedProject, { environment, env, secrets: 'names', claims: 'none' });
  const touched = touchedFiles(compared, { project: committedProject, now: before }, { environment, differs });
  const [was, is] = [digestTexts(before), digestTexts(now)];
  const changed = [...is].filter(([address, text]) => text === undefined || was.get(address) !== text);
  const deleted = [...was.keys()].filter((address) => !is.has(address));
  const removed = new Set(committedProject.removed);
  return {
    commit,
    reason: undefined,
    now,
    changed: new Map(changed.map(([address]) => [address, touched(address)])),
    deleted: new Map(deleted.map((address) => [address, touched(address)])),
    removed: new Set(project.removed.filter((address) => !removed.has(address))),
  };
}

/**
 * Returns a text for each address. Equal texts mean equal values, former names and labels. Returns undefined if the
 * values are unknown.
 */
function digestTexts({ all, declaredOf }: ProjectFacts): ReadonlyMap<string, string | undefined> {
  return new Map(
    all.map((identity) => {
      const address = addressOf(identity);
      const digest = declaredOf(address)?.digest;
      const former = identity.renamedFrom.map(({ name }) => name);
      // Labels are never sent, but policies read them.
      return [address, digest && JSON.stringify([digest, former, Object.entries(identity.labels).sort()])];
    }),
  );
}

interface Side {
  readonly project: Project;
  readonly now: ProjectFacts;
}

function textAt({ files }: Project, path: string): string | undefined {
  return files.read(path, textLimit).source?.text;
}

/**
 * Returns a function that finds the files of a resource that differ. Includes agentform.yaml if the environment's
 * definition differs. Also includes a changed agentform.yaml if no other file differs, because agentform.yaml lists the
 * manifests.
 */
function touchedFiles(
  is: Side,
  was: Side,
  { environment, differs }: Pick<Compared, 'environment'> & Pick<ComparedCommit, 'differs'>,
): (address: string) => string[] {
  const filesAt = ({ now }: Side, address: string) => now.declaredOf(address)?.needed ?? [];
  const definition = ({ project }: Side) => canonicalJson(toJson(environmentNode(project, environment).definition));
  const { file } = is.project;
  const isEnvironmentTouched = definition(is) !== definition(was);
  return (address) => {
    const files = new Set([...filesAt(is, address), ...filesAt(was, address)]);
    const found = [...(isEnvironmentTouched ? [file] : []), ...[...files].filter(differs)].sort();
    return found.length === 0 && differs(file) ? [file] : found;
  };
}

/** The records in which to find unchanged resources that were not fully applied. */
interface AppliedRecords {
  /** Every record of the environment, keyed by address. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** Whether the apply also publishes. */
  readonly publishes: boolean;
}

/**
 * Limits a selection to changes since a commit. With `applied`, also includes resources that were not fully applied, so
 * that failed, interrupted or skipped work is not forgotten. Detects these resources by the recorded digest of the
 * declaration. The recorded commit is not suitable: it stays the same if nothing is written, ignores uncommitted files,
 * and is missing outside git.
 */
export function changedSelection(
  project: Pick<Project, 'removed'>,
  { selection, ref, changes, applied }: Selecting,
): SelectedResources {
  const named = selectedResources(selection);
  const { now, changed, deleted, removed } = changes;
  const all = now.all.filter((one) => named.includes(addressOf(one), one.labels));
  const open = applied === undefined ? [] : all.filter((one) => isUnapplied(one, now, applied));
  const unapplied = new Set(open.map(addressOf).filter((address) => !changed.has(address)));
  const isDropped = (address: string) => removed.has(address) || deleted.has(address) || applied !== undefined;
  const dropped = new Set(project.removed.filter(isDropped));
  const isThere = new Set(all.map(addressOf));
  const touched = [...changed].filter(([address]) => isThere.has(address));
  const gone = [...deleted].filter(([address]) => named.includes(address));
  return {
    includes: (address, labels) =>
      named.includes(address, labels) && (changed.has(address) || unapplied.has(address) || dropped.has(address)),
    isEverything: false,
    listsOrphan: (address) => named.listsOrphan(address) && deleted.has(address),
    changedSince: {
      ...statementOf(ref, { ...changes, all, changed: new Map(touched), deleted: new Map(gone) }),
      ...(applied !== undefined && { unapplied: unapplied.size }),
    },
  };
}

/** Describes the limited selection, with counts of its resources. */
function statementOf(
  ref: string,
  { commit, reason, all, changed, deleted }: Omit<Changes, 'now' | 'removed'> & Pick<Resolution, 'all'>,
): ChangedSince {
  const kinds = [...all.map(({ kind }) => kind), ...[...deleted.keys()].map(kindIn)];
  return {
    ref,
    commit,
    ...(reason !== undefined && { reason }),
    kinds: [...new Set(kinds)].sort(),
    total: all.length,
    changed: changed.size,
    deleted: deleted.size,
    files: [...new Set([...changed.values(), ...deleted.values()].flat())].sort(),
  };
}

interface Selecting {
  readonly selection: Selection;
  readonly ref: string;
  readonly changes: Changes;
  /** If given, resources that were not fully applied are included. */
  readonly applied?: AppliedRecords | undefined;
}

/** Returns false only if the record shows that the manifest was applied, and also published if the run publishes. */
function isUnapplied(one: ManifestIdentity, now: ProjectFacts, { records, publishes }: AppliedRecords): boolean {
  const { kind, name, renamedFrom } = one;
  const record = records.get(addressOf(one))?.record;
  const isMoved = renamedFrom.some((former) => records.has(addressOf({ kind, name: former.name })));
  if (record?.declared === undefined || isMoved) return true;
  return (
    record.declared.digest !== now.declaredOf(addressOf({ kind, name }))?.digest ||
    (publishes && record.draft === 'written')
  );
}
