import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentformError } from '../errors.ts';
import { canonicalJson } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import { loadProject } from '../manifest/project/load-project.ts';
import type { Project } from '../manifest/project/project.ts';
import { textLimit } from '../manifest/project/project-files.ts';
import type { ManifestIdentity, Resolution } from '../manifest/resolve/resolution.ts';
import { resolveProject } from '../manifest/resolve/resolve-project.ts';
import { environmentNode } from '../manifest/resolve/target.ts';
import { toJson } from '../manifest/syntax/tree.ts';
import type { StoredRecord } from '../record/store.ts';
import type { ChangedSince } from '../schemas/plan-types.ts';
import { withProjectAt } from './base-project.ts';
import type { Host } from './host.ts';
import { type SelectedResources, type Selection, selectedResources } from './selection.ts';

/** What the manifests of an environment ask for differently than at a commit. */
export interface Changes {
  readonly commit: string;
  /** Why every resource counts as changed; undefined where the two could be compared. */
  readonly reason: string | undefined;
  /** The manifests as they are. */
  readonly now: Resolution;
  /** By the address of each resource that is new, differs or cannot be told, the files that touched it. */
  readonly changed: ReadonlyMap<string, readonly string[]>;
  /** The same of each that the environment no longer has. */
  readonly deleted: ReadonlyMap<string, readonly string[]>;
  /** Addresses that agentform.yaml lists as removed since. */
  readonly removed: ReadonlySet<string>;
}

export interface ChangesOptions {
  /** A commit by any name that git knows. */
  readonly ref: string;
  readonly environments: readonly string[];
  readonly env: Host['env'];
  /** Where what came of the manifests may be kept. */
  readonly cache?: Host['cache'];
}

/**
 * By environment, what changed between a commit and the working tree: both are resolved, secrets by their references,
 * and compared resource by resource. A project or an environment that the commit does not have, or that has errors
 * there, makes everything count as changed; a manifest with errors there, what it declares.
 */
export async function changesSince(
  project: Project,
  { ref, environments, env, cache }: ChangesOptions,
): Promise<ReadonlyMap<string, Changes>> {
  const compared = async (commit: string, base: Project | string) => {
    const found = new Map<string, Changes>();
    for (const environment of environments) {
      const now = await resolveProject(project, { environment, secrets: 'form', env });
      found.set(environment, await comparedWith(base, { commit, project, environment, env, now }));
    }
    return found;
  };
  // What a code host gives as the commit before the first push of a branch.
  if (/^0{40,64}$/.test(ref)) return compared(ref, 'it is not a commit');
  return withProjectAt(project.root, ref, async ({ commit, folder }) =>
    compared(commit, await projectIn(folder, project, cache)),
  );
}

/** The project of the commit, or as the end of a sentence why there is none to compare with. */
async function projectIn(
  folder: string | undefined,
  { root, file }: Project,
  cache: Host['cache'],
): Promise<Project | string> {
  if (folder === undefined || !existsSync(join(folder, file))) return `${file} does not exist there`;
  try {
    return await loadProject(join(folder, file), { cache: cache && { ...cache, of: root } });
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
  readonly now: Resolution;
  /** Whether resources are resolved even if no file of theirs changed. */
  readonly isWhole?: boolean;
}

async function comparedWith(base: Project | string, compared: Compared): Promise<Changes> {
  const { commit, project, environment, env, now, isWhole = false } = compared;
  const isThere = typeof base !== 'string' && base.environments.includes(environment);
  if (!isThere) {
    const reason = typeof base === 'string' ? base : `${base.file} has no environment ${environment} there`;
    const changed = new Map(now.all.map((one) => [addressOf(one), []]));
    return { commit, reason, now, changed, deleted: new Map(), removed: new Set(project.removed) };
  }
  const same = isWhole ? new Set<string>() : unchangedFiles({ project, now }, base);
  const select = (address: string) => !same.has(address);
  const before = await resolveProject(base, { environment, secrets: 'form', env, select });
  // Of two manifests of one name the first counts, which may be the other one.
  const isDoubtful = before.problems.some(({ rule }) => rule === 'duplicate-name');
  if (isDoubtful && same.size > 0) return comparedWith(base, { ...compared, isWhole: true });
  const touched = touchedFiles({ project, now }, { project: base, now: before }, environment);
  const [was, is] = [comparable(before), comparable(now)];
  const changed = [...is].filter(
    ([address, text]) => !same.has(address) && (text === undefined || was.get(address) !== text),
  );
  const deleted = [...was.keys()].filter((address) => !is.has(address));
  const known = new Set(base.removed);
  return {
    commit,
    reason: undefined,
    now,
    changed: new Map(changed.map(([address]) => [address, touched(address)])),
    deleted: new Map(deleted.map((address) => [address, touched(address)])),
    removed: new Set(project.removed.filter((address) => !known.has(address))),
  };
}

/** By address, a text that is equal where two resolutions ask for the same; undefined where nobody knows. */
function comparable({ all, declaredOf }: Resolution): ReadonlyMap<string, string | undefined> {
  return new Map(
    all.map((identity) => {
      const address = addressOf(identity);
      const digest = declaredOf(address)?.digest;
      return [address, digest && JSON.stringify([digest, identity.renamedFrom.map(({ name }) => name)])];
    }),
  );
}

interface Side {
  readonly project: Project;
  readonly now: Resolution;
}

/** Addresses of resources without errors whose files are all as they were, agentform.yaml included: they ask for the same. */
function unchangedFiles({ project, now }: Side, base: Project): ReadonlySet<string> {
  const differs = differingFiles(project, base);
  if (differs(project.file)) return new Set();
  const addresses = now.all.map(addressOf);
  return new Set(
    addresses.filter((address) => {
      const declared = now.declaredOf(address);
      return declared?.digest !== undefined && !declared.files.some(differs);
    }),
  );
}

/** Whether a file has another text in one project than in the other, or is in one of them only. */
function differingFiles(project: Project, base: Project): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const differs = known.get(path) ?? textAt(project, path) !== textAt(base, path);
    known.set(path, differs);
    return differs;
  };
}

function textAt({ files }: Project, path: string): string | undefined {
  const reading = files.read(path, textLimit);
  return 'source' in reading ? reading.source.text : undefined;
}

/**
 * The files of a resource whose texts differ between the two. Where the environment itself differs, agentform.yaml is
 * one of them, and so it is where only it differs: which files are manifests stands there too. What had errors and still
 * has them may have none.
 */
function touchedFiles(is: Side, was: Side, environment: string): (address: string) => string[] {
  const filesAt = ({ now }: Side, address: string) => now.declaredOf(address)?.files ?? [];
  const definition = ({ project }: Side) => canonicalJson(toJson(environmentNode(project, environment).definition));
  const { file } = is.project;
  const differs = differingFiles(is.project, was.project);
  const isEnvironmentTouched = definition(is) !== definition(was);
  return (address) => {
    const files = new Set([...filesAt(is, address), ...filesAt(was, address)]);
    const found = [...(isEnvironmentTouched ? [file] : []), ...[...files].filter(differs)].sort();
    return found.length === 0 && differs(file) ? [file] : found;
  };
}

/** What an apply is told of the unchanged resources. */
export interface AppliedRecords {
  /** By address, every record of the environment. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** Whether it publishes what it applies. */
  readonly publishes: boolean;
}

/**
 * What changed since a commit, among what is named. An apply takes in what its records do not show as applied, so that
 * what failed, was interrupted or left out before is not forgotten: by the digest of what was declared when all of it
 * was applied. That tells more than the commit of the record, which stays where an apply has nothing to write, is
 * absent outside git, and says nothing of what was not committed.
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

/** What is said of the resources, all of which are counted. */
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
  /** Of an apply. */
  readonly applied?: AppliedRecords | undefined;
}

function kindIn(address: string): string {
  return address.split('/', 1)[0] ?? '';
}

/** Whether the record does not show that what the manifest asks for was applied, and published where that is asked for. */
function isUnapplied(one: ManifestIdentity, now: Resolution, { records, publishes }: AppliedRecords): boolean {
  const { kind, name, renamedFrom } = one;
  const record = records.get(addressOf(one))?.record;
  const isMoved = renamedFrom.some((former) => records.has(addressOf({ kind, name: former.name })));
  if (record?.declared === undefined || isMoved) return true;
  return (
    record.declared !== now.declaredOf(addressOf({ kind, name }))?.digest || (publishes && record.draft === 'written')
  );
}
