import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { errorCodeOf } from '../../errors.ts';
import { cached } from '../../json/json.ts';
import type { MatchCost } from '../../text/wildcard.ts';
import type { Glob, GlobState } from './glob.ts';

/** The folders that are never searched for project files. */
export const ignoredFolders: ReadonlySet<string> = new Set(['node_modules', '.git', '.agentform']);

/**
 * The maximum number of file names to check. A greater number suggests a wrong project folder or a loop of symbolic
 * links.
 */
export const maxNames = 500_000;

/**
 * The maximum number of matching steps. Matching a thousand files against a hundred ordinary patterns takes 1% of these
 * steps.
 */
const maxSteps = 100_000_000;

export interface FoundFiles {
  /** The sorted paths of matching files, by pattern. Paths are relative to the root and have forward slashes. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** Maps each pattern to the folders that may contain matches but were not searched completely. */
  readonly unsearched: ReadonlyMap<string, readonly UnsearchedFolder[]>;
}

interface UnsearchedFolder extends SearchFailure {
  /** The path relative to the root, with forward slashes. Empty for the root. */
  readonly path: string;
}

export interface SearchFailure {
  /**
   * Why the folder was not searched completely:
   * - `error`: The folder cannot be read. `cause` is the error.
   * - `outside`: The folder is a link that leads outside the root.
   * - `not-utf8`: The name of the folder is not UTF-8.
   * - `too-many-names`: The walk reached `maxNames`.
   * - `too-slow`: Matching the patterns takes too many steps.
   */
  readonly why: 'error' | 'outside' | 'not-utf8' | 'too-many-names' | 'too-slow';
  readonly cause?: unknown;
}

interface Folder {
  /** The path relative to the root, with forward slashes. Empty for the root. */
  readonly path: string;
  readonly states: ReadonlyMap<Glob, GlobState>;
}

/**
 * Finds the files that match any of the patterns in a single walk. Follows links to folders inside the root. Visits a
 * folder only once for the same state of the patterns, so that cyclic links cannot prolong the walk.
 */
export function findFiles(root: string, globs: readonly Glob[]): FoundFiles {
  const paths = new Map(globs.map(({ pattern }): [string, string[]] => [pattern, []]));
  const unsearched = new Map<string, UnsearchedFolder[]>();
  const seen = new Set<string>();
  const folders: Folder[] = [{ path: '', states: new Map(globs.map((glob) => [glob, glob.start])) }];
  const links: Folder[] = [];
  const top = realpathSync.native(root);
  const cost: WalkCost = { steps: 0, names: 0 };
  // Visit links last, so that files are found under their real paths.
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop() ?? links.shift()) {
    const { entries, failure } = entriesOf(top, folder, seen);
    if (failure !== undefined) note(unsearched, folder, failure);
    const found = matchedIn(folder, entries, cost);
    for (const { path, states, entry } of found.matched) {
      const type = typeOf(root, path, entry);
      if (type === 'folder') (entry.isSymbolicLink() ? links : folders).push({ path, states });
      else for (const [glob, state] of states) if (glob.isEnd(state)) paths.get(glob.pattern)?.push(path);
    }
    if (found.limit === undefined) continue;
    note(unsearched, folder, { why: found.limit });
    break;
  }
  for (const list of paths.values()) list.sort();
  return { paths, unsearched };
}

interface WalkCost extends MatchCost {
  names: number;
}

interface MatchedEntry extends Folder {
  readonly entry: Dirent;
}

/**
 * The entries of a folder that match a pattern or may contain matches. If the walk exceeds a limit, `limit` is that
 * limit.
 */
function matchedIn(
  folder: Folder,
  entries: readonly Dirent[],
  cost: WalkCost,
): { readonly matched: readonly MatchedEntry[]; readonly limit?: SearchFailure['why'] } {
  cost.names += entries.length;
  if (cost.names > maxNames) return { matched: [], limit: 'too-many-names' };
  const matched: MatchedEntry[] = [];
  for (const entry of entries) {
    const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
    const states = statesBelow(folder, entry.name, cost);
    if (cost.steps > maxSteps) return { matched, limit: 'too-slow' };
    if (states.size > 0 && !ignoredFolders.has(entry.name)) matched.push({ path, states, entry });
  }
  return { matched };
}

function note(unsearched: Map<string, UnsearchedFolder[]>, { path, states }: Folder, failure: SearchFailure): void {
  for (const { pattern } of states.keys()) cached(unsearched, pattern, () => []).push({ path, ...failure });
}

/** Matches patterns against the given paths, for files that are not on the disk. */
export function findAmong(files: Iterable<string>, globs: readonly Glob[]): FoundFiles {
  const paths = new Map(globs.map(({ pattern }): [string, string[]] => [pattern, []]));
  const cost: MatchCost = { steps: 0 };
  const top: Folder = { path: '', states: new Map(globs.map((glob) => [glob, glob.start])) };
  const known = new Map<string, Folder>();
  const below = ({ path, states }: Folder, name: string): Folder => ({
    path: path === '' ? name : `${path}/${name}`,
    states: ignoredFolders.has(name) ? new Map() : statesBelow({ path, states }, name, cost),
  });
  for (const file of files) {
    const names = file.split('/');
    const last = names.pop() ?? '';
    let folder = top;
    for (const name of names) {
      const path = folder === top ? name : `${folder.path}/${name}`;
      const next = cached(known, path, () => below(folder, name));
      folder = next;
      if (folder.states.size === 0) break;
    }
    if (folder.states.size === 0) continue;
    for (const [glob, state] of below(folder, last).states) if (glob.isEnd(state)) paths.get(glob.pattern)?.push(file);
    if (cost.steps > maxSteps) {
      return { paths, unsearched: new Map(globs.map(({ pattern }) => [pattern, [{ path: '', why: 'too-slow' }]])) };
    }
  }
  for (const list of paths.values()) list.sort();
  return { paths, unsearched: new Map() };
}

function statesBelow({ states }: Folder, name: string, cost: MatchCost): Map<Glob, GlobState> {
  const below = new Map<Glob, GlobState>();
  for (const [glob, state] of states) {
    const next = glob.next(state, name, cost);
    if (next.size > 0) below.set(glob, next);
  }
  return below;
}

/**
 * Reads a folder. Returns no entries if the folder was already visited in the same pattern states, or no longer exists.
 * `failure` is set if the folder cannot be read or is outside the root.
 */
function entriesOf(
  top: string,
  { path, states }: Folder,
  seen: Set<string>,
): { readonly entries: readonly Dirent[]; readonly failure?: SearchFailure } {
  try {
    const real = realpathSync.native(join(top, path));
    if (real !== top && !real.startsWith(top.endsWith(sep) ? top : top + sep)) {
      return { entries: [], failure: { why: 'outside' } };
    }
    const key = JSON.stringify([real, ...[...states].map(([{ pattern }, state]) => [pattern, ...state])]);
    if (seen.has(key)) return { entries: [] };
    seen.add(key);
    return { entries: readdirSync(join(top, path), { withFileTypes: true }) };
  } catch (error) {
    // If a name is not UTF-8, Node lists it with replacement characters and then cannot find the folder.
    if (path.includes('\ufffd')) return { entries: [], failure: { why: 'not-utf8' } };
    return errorCodeOf(error) === 'ENOENT' ? { entries: [] } : { entries: [], failure: { why: 'error', cause: error } };
  }
}

/**
 * The type of an entry. All entries except folders and links to folders count as files, even a dangling link or a pipe.
 * Because reading a dangling link or a pipe causes a problem, no manifest is silently left out.
 */
function typeOf(root: string, path: string, entry: Dirent): 'file' | 'folder' {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
  try {
    return statSync(join(root, path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'file';
  }
}
