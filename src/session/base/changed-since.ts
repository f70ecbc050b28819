import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { canonicalJson } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { loadProject, projectAt } from '../../manifest/project/load-project.ts';
import type { Project } from '../../manifest/project/project.ts';
import { textLimit } from '../../manifest/project/project-files.ts';
import { environmentNode } from '../../manifest/resolve/identity/target.ts';
import type { ManifestIdentity, Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { StoredRecord } from '../../record/store.ts';
import type { ChangedSince } from '../../schemas/plan-types.ts';
import { toJson } from '../../yaml/tree.ts';
import type { Host } from '../host.ts';
import { type SelectedResources, type Selection, selectedResources } from '../selection.ts';
import { type CommittedTree, treeAt, withProjectAt } from './base-project.ts';
import { FilesOfCommit } from './files-of-commit.ts';
import { filesLeftOut } from './repository.ts';

/** The differences between an environment's manifests and those at a commit. */
export interface Changes {
  readonly commit: string;
  /** Why every resource counts as changed; undefined where the two could be compared. */
  readonly reason: string | undefined;
  /** The present manifests. */
  readonly now: ResolvedNow;
  /** The files that changed each resource that is new, different or unknown, by address. */
  readonly changed: ReadonlyMap<string, readonly string[]>;
  /** The same of each that the environment no longer has. */
  readonly deleted: ReadonlyMap<string, readonly string[]>;
  /** Addresses that agentform.yaml lists as removed since. */
  readonly removed: ReadonlySet<string>;
}

type ResolvedNow = Pick<Resolution, 'all' | 'declaredOf'>;

export interface ChangesOptions {
  /** A commit by any name that git knows. */
  readonly ref: string;
  readonly environments: readonly string[];
  readonly env: Host['env'];
}

/**
 * By environment, what changed between a commit and the working tree: both are resolved, secrets by their references,
 * and compared resource by resource. A project or an environment that the commit does not have, or that has errors
 * there, makes everything count as changed; a manifest with errors there, what it declares. Files outside a sparse
 * checkout do not count as deleted.
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

async function differencesSince(
  project: Project,
  { ref, environments, env }: ChangesOptions,
): Promise<ReadonlyMap<string, Changes>> {
  const compared = async (names: readonly string[], commit: string, base: Project | string) => {
    const found: [string, Changes][] = [];
    for (const environment of names) {
      const now = await resolveProject(project, { environment, secrets: 'form', env });
      const sides = { commit, project, environment, env, now };
      found.push([environment, await comparedWith(base, { ...sides, ...unchangedFiles(sides, base) })]);
    }
    return found;
  };
  // A code host's value for the commit before the first push of a branch.
  if (/^0{40,64}$/.test(ref)) return new Map(await compared(environments, ref, 'it is not a commit'));
  const tree = await treeAt(project.root, ref);
  const byFiles: [string, Changes][] = [];
  for (const environment of environments) {
    const changes = await comparedByFiles(tree, { project, environment, env });
    if (changes !== undefined) byFiles.push([environment, changes]);
  }
  const known = new Map(byFiles);
  const others = environments.filter((name) => !known.has(name));
  if (others.length === 0) return known;
  return withProjectAt(
    project.root,
    tree.commit,
    async ({ commit, folder }) => {
      const found = await compared(others, commit, await projectIn(folder, project));
      return new Map([...byFiles, ...found]);
    },
    { hasLineEndsOfNow: true },
  );
}

/** The maximum number of rounds for files of the commit that nothing names now, such as a removed base. */
const mostRounds = 8;

/**
 * Compares by files if the commit has the same agentform.yaml: a resource without a changed file is unchanged, so only
 * the others are resolved, now and at the commit. Undefined if it needs the commit's whole folder.
 */
async function comparedByFiles(
  { commit, blobs, read }: CommittedTree,
  { project, environment, env }: Pick<Compared, 'project' | 'environment' | 'env'>,
): Promise<Changes | undefined> {
  const isSame = remembered((path) => blobs?.get(path) !== undefined && blobs.get(path) === blobNow(project, path));
  if (blobs === undefined || !isSame(project.file)) return undefined;
  const now = await resolveProject(project, { environment, env, secrets: 'form' });
  const same = new Set<string>();
  const touched = new Set<string>();
  for (const one of now.all) {
    const address = addressOf(one);
    const { digest, needed = [], free = [] } = now.declaredOf(address) ?? {};
    if (digest !== undefined && needed.every(isSame) && !free.some((path) => blobs.has(path))) same.add(address);
    else for (const path of needed) touched.add(path);
  }
  const committed = new FilesOfCommit({ blobs, isSame, now: project.files });
  const differs = (path: string) => !isSame(path);
  for (let round = 0; round < mostRounds; round += 1) {
    const base = projectAt(project, committed);
    if (base === undefined) return undefined;
    if (round === 0) committed.want([...touched, ...base.manifests]);
    if (!(await committed.fetch(read))) return undefined;
    const changes = await comparedWith(base, { commit, project, environment, env, now, differs, same });
    if (committed.isDoubtful) return undefined;
    if (!committed.lacksAny) return changes;
  }
  return undefined;
}

/** The id of a blob of git with the text that a file has now; undefined where it cannot be read. */
function blobNow(project: Project, path: string): string | undefined {
  const text = textAt(project, path);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function remembered(ask: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const found = known.get(path) ?? ask(path);
    known.set(path, found);
    return found;
  };
}

/** The project of the commit, or why there is none, as the end of a sentence. */
async function projectIn(folder: string | undefined, { file }: Project): Promise<Project | string> {
  if (folder === undefined || !existsSync(join(folder, file))) return `${file} does not exist there`;
  try {
    return await loadProject(join(folder, file));
  } catch (error) {
    if (error instanceof AgentformError) return `${file} has errors there`;
    throw error;
  }
}

interface Compared {
  readonly commit: string;
  readonly project: Project;
  readonly environment: string;
  readonly env: Host['env'];
  readonly now: ResolvedNow;
  /** Whether a file has another text now than in the commit, or is only in one of them. */
  readonly differs: (path: string) => boolean;
  /** Addresses of resources without errors of which no file differs, agentform.yaml included: they ask for the same. */
  readonly same: ReadonlySet<string>;
}

async function comparedWith(base: Project | string, compared: Compared): Promise<Changes> {
  const { commit, project, environment, env, now, same } = compared;
  const isThere = typeof base !== 'string' && base.environments.includes(environment);
  if (!isThere) {
    const reason = typeof base === 'string' ? base : `${base.file} has no environment ${environment} there`;
    const changed = new Map(now.all.map((one) => [addressOf(one), []]));
    return { commit, reason, now, changed, deleted: new Map(), removed: new Set(project.removed) };
  }
  const before = await resolveProject(base, {
    ...{ environment, env, secrets: 'form' },
    select: (address) => !same.has(address),
  });
  // With two manifests of one name, the first counts, which may be the other one.
  const isDoubtful = before.problems.some(({ rule }) => rule === 'duplicate-name');
  if (isDoubtful && same.size > 0) return comparedWith(base, { ...compared, same: new Set() });
  const touched = touchedFiles({ project, now }, { project: base, now: before }, compared);
  const [was, is] = [comparable(before), comparable(now)];
  const changed = [...is].filter(
    // Even with every file it may not have existed, such as a member of a fleet with another template that had errors.
    ([address, text]) => (same.has(address) ? !was.has(address) : text === undefined || was.get(address) !== text),
  );
  const deleted = [...was.keys()].filter((address) => !is.has(address));
  const removed = new Set(base.removed);
  return {
    commit,
    reason: undefined,
    now,
    changed: new Map(changed.map(([address]) => [address, touched(address)])),
    deleted: new Map(deleted.map((address) => [address, touched(address)])),
    removed: new Set(project.removed.filter((address) => !removed.has(address))),
  };
}

/** By address, a text that is equal if two resolutions are equal; undefined if unknown. */
function comparable({ all, declaredOf }: ResolvedNow): ReadonlyMap<string, string | undefined> {
  return new Map(
    all.map((identity) => {
      const address = addressOf(identity);
      const digest = declaredOf(address)?.digest;
      const former = identity.renamedFrom.map(({ name }) => name);
      // Policies judge by labels, which are never sent.
      return [address, digest && JSON.stringify([digest, former, Object.entries(identity.labels).sort()])];
    }),
  );
}

interface Side {
  readonly project: Project;
  readonly now: ResolvedNow;
}

/** The files that differ from the commit, and the resources without any of them. */
function unchangedFiles({ project, now }: Side, base: Project | string): Pick<Compared, 'differs' | 'same'> {
  if (typeof base === 'string') return { differs: () => true, same: new Set() };
  const differs = remembered((path) => textAt(project, path) !== textAt(base, path));
  if (differs(project.file)) return { differs, same: new Set() };
  const same = now.all.map(addressOf).filter((address) => {
    const declared = now.declaredOf(address);
    if (declared?.digest === undefined || declared.needed.some(differs)) return false;
    return !declared.free.some((path) => base.files.has(path));
  });
  return { differs, same: new Set(same) };
}

function textAt({ files }: Project, path: string): string | undefined {
  const reading = files.read(path, textLimit);
  return 'source' in reading ? reading.source.text : undefined;
}

/**
 * The files of a resource whose texts differ between the two. If the environment itself differs, agentform.yaml is one
 * of them, also if it is the only difference: it lists the manifests. A manifest with errors before and after may have
 * none.
 */
function touchedFiles(
  is: Side,
  was: Side,
  { environment, differs }: Pick<Compared, 'environment' | 'differs'>,
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

/** Information for an apply about the unchanged resources. */
export interface AppliedRecords {
  /** By address, every record of the environment. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** Whether it publishes what it applies. */
  readonly publishes: boolean;
}

/**
 * Changes since a commit, within a selection. An apply takes in what its records do not show as applied, so that what
 * failed, was interrupted or left out before is not forgotten: by the digest of what was declared when all of it was
 * applied. It is more reliable than the recorded commit, which stays if an apply writes nothing, is absent outside git,
 * and ignores uncommitted files.
 */
export function changedSelection(
  project: Pick<Project, 'removed'>,
  { options, changes, applied }: Selecting,
): SelectedResources {
  const named = selectedResources(options);
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
      ...statementOf(options.changedSince, { ...changes, all, changed: new Map(touched), deleted: new Map(gone) }),
      ...(applied !== undefined && { unapplied: unapplied.size }),
    },
  };
}

/** The notice about the resources, all of which are counted. */
export function statementOf(
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
  readonly options: Selection & { readonly changedSince: string };
  readonly changes: Changes;
  /** For an apply. */
  readonly applied?: AppliedRecords | undefined;
}

function kindIn(address: string): string {
  return address.split('/', 1)[0] ?? '';
}

/** Whether the record does not show that what the manifest asks for was applied, and published where that is asked for. */
function isUnapplied(one: ManifestIdentity, now: ResolvedNow, { records, publishes }: AppliedRecords): boolean {
  const { kind, name, renamedFrom } = one;
  const record = records.get(addressOf(one))?.record;
  const isMoved = renamedFrom.some((former) => records.has(addressOf({ kind, name: former.name })));
  if (record?.declared === undefined || isMoved) return true;
  return (
    record.declared.digest !== now.declaredOf(addressOf({ kind, name }))?.digest ||
    (publishes && record.draft === 'written')
  );
}
