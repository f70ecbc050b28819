import { closeSync, type Dirent, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { cached, grouped } from '../../json/json.ts';
import { counted } from '../../text/wording.ts';
import { addingItem } from '../../yaml/fix.ts';
import type { Problem } from '../../yaml/problem.ts';
import { memberOf } from '../../yaml/tree.ts';
import type { Glob } from './glob.ts';
import { manifestGlobs, type Project } from './project.ts';
import { type ProjectFiles, startOf } from './project-files.ts';

/** The limits that keep runs fast if the project folder contains many other files. */
const limits = { names: 50_000, heads: 2_000, bytes: 4_096 } as const;

/** The information at the beginning of a YAML file: the kind of an agentform file, and whether the file has a name. */
interface FileHead {
  readonly kind: string | undefined;
  readonly hasName: boolean;
}

interface FoundFiles {
  /** Agentform files that no pattern matches, by path. Files nearest to the project folder come first. */
  readonly heads: ReadonlyMap<string, FileHead>;
  /** YAML files that no suggested pattern may match, because these files may not be manifests. */
  readonly others: readonly string[];
}

/**
 * Warns about agentform files that are never read because no pattern under `manifests` matches them. Gives one warning
 * for each suggested pattern, and one for each folder that contains files without a name. Skips files that were read,
 * such as bases.
 */
export function unmatchedFiles(project: Project, { overrides }: { readonly overrides: readonly Glob[] }): Problem[] {
  const { files } = project;
  if (!files.isWholeFolder) return [];
  const foundFiles = cached(foundFilesOf, files, () => findHeads(project));
  const { heads, others } = foundFiles;
  const isLeft = (path: string) => !files.isUsed(path) && !overrides.some((glob) => glob.matches(path));
  const left = [...heads].filter(([path]) => isLeft(path));
  if (left.length === 0) return [];
  const used = [...heads.keys()].filter((path) => !isLeft(path));
  const nameless = left.flatMap(([path, { hasName }]) => (hasName ? [] : [path]));
  const taken = new Set(
    [...others, ...used, ...nameless].flatMap((path) => foldersOf(path).map((folder) => `${folder}/*${endOf(path)}`)),
  );
  const named = left.flatMap(([path, { hasName }]) => (hasName ? [path] : []));
  const byPattern = grouped(named, (path) => patternFor(path, taken));
  return [
    ...[...byPattern].map(([pattern, paths]) => unmatched(project, pattern, paths)),
    ...[...grouped(nameless, (path) => path.slice(0, path.lastIndexOf('/') + 1)).values()].map(unextended),
  ];
}

function unmatched(project: Project, pattern: string, paths: readonly string[]): Problem {
  const more = paths.length === 1 ? '' : ` (and ${counted(paths.length - 1, 'more file')})`;
  const [it, is] = paths.length === 1 ? ['it', 'is'] : ['they', 'are'];
  const message = `no pattern under \`manifests\` matches this file${more}, so ${it} ${is} not read`;
  const list = memberOf(project.tree, 'manifests');
  const source = project.files.source(project.file);
  const edits = list?.type === 'list' && source !== undefined ? addingItem(list.items, source, pattern) : [];
  return { ...warningAt(paths, message), fixes: [{ action: 'add-pattern', text: pattern, edits }] };
}

function unextended(paths: readonly string[]): Problem {
  const more = paths.length === 1 ? '' : ` (the same applies to ${counted(paths.length - 1, 'more file')})`;
  return warningAt(
    paths,
    `this file has no name, and no manifest extends it: add a name, extend it from a manifest, or delete it${more}`,
  );
}

function warningAt([path = '']: readonly string[], message: string): Problem {
  return { severity: 'warning', rule: 'manifest-unmatched', message, at: startOf(path) };
}

/**
 * Suggests a pattern for the outermost folder in which all YAML files with this extension are unmatched manifests. If
 * no such folder exists, suggests the path itself.
 */
function patternFor(path: string, taken: ReadonlySet<string>): string {
  const folder = foldersOf(path).find((one) => !taken.has(`${one}/*${endOf(path)}`));
  return folder === undefined ? escaped(path) : `${escaped(folder)}/**/*${endOf(path)}`;
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]{}()!]/g, '\\$&');
}

/** The folders that contain a path, starting with the outermost. Excludes the project folder. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function endOf(path: string): string {
  return path.slice(path.lastIndexOf('.'));
}

/** Caches the files, because all environments of a project have the same files. */
const foundFilesOf = new WeakMap<ProjectFiles, FoundFiles>();

/**
 * Searches the folders for agentform files. Does not follow links, and skips hidden folders, excluded folders,
 * `node_modules` and nested projects.
 */
function findHeads(project: Project): FoundFiles {
  const matched = new Set([...project.manifests, project.file]);
  const { excluded } = manifestGlobs(project.tree);
  const heads = new Map<string, FileHead>();
  const others: string[] = [];
  const folders = [''];
  const used = { names: 0, reads: 0 };
  for (const folder of folders) {
    const entries = entriesOf(join(project.root, folder));
    used.names += entries.length;
    if (used.names > limits.names) break;
    const listed = entries
      .filter((entry) => entry.isDirectory() || (entry.isFile() && /\.ya?ml$/i.test(entry.name)))
      .map((entry) => ({ entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }))
      .filter(({ path }) => !matched.has(path) && !excluded.some((glob) => glob.covers(path)))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
    const files = listed.filter(({ entry }) => entry.isFile());
    const found = files
      .filter(({ path }) => project.files.mayRead(path))
      .map(({ path }) => ({ path, head: headAt(path, project, used) }));
    others.push(...found.flatMap(({ path, head }) => (head === undefined ? [path] : [])));
    if (found.some(({ head }) => head?.kind === 'Project')) continue;
    folders.push(...listed.flatMap(({ entry, path }) => (entry.isDirectory() ? [path] : [])));
    for (const { path, head } of found) {
      // Tasks are passed on the command line, so no pattern should match them.
      if (head?.kind === 'Task') others.push(path);
      else if (head !== undefined) heads.set(path, head);
    }
  }
  return { heads, others };
}

function headAt(path: string, { root, files }: Project, used: { reads: number }): FileHead | undefined {
  used.reads += 1;
  if (used.reads > limits.heads) return undefined;
  return headIn(files.source(path)?.text ?? files.openText(path) ?? beginningOf(join(root, path)));
}

function entriesOf(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
  } catch {
    return [];
  }
}

function beginningOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(limits.bytes);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, limits.bytes, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/**
 * Reads the declaration at the beginning of a file. Undefined for files of other programs. Searches the text without
 * parsing it, because parsing thousands of files for a warning would be too slow.
 */
function headIn(text: string): FileHead | undefined {
  const start = text.slice(0, limits.bytes);
  // A map in braces may have all its keys on one line.
  const beginning = /^\s*\{/.test(start) ? start.replace(/[{,]\s*/g, '\n') : start;
  if (valueIn(beginning, 'apiVersion') !== 'agentform/v1') return undefined;
  return { kind: valueIn(beginning, 'kind'), hasName: valueIn(beginning, 'name') !== undefined };
}

function valueIn(text: string, key: 'apiVersion' | 'kind' | 'name'): string | undefined {
  return values[key].exec(text)?.[1];
}

const values = {
  apiVersion: /^\uFEFF?["']?apiVersion["']?[ \t]*:[ \t]*["']?([^\s"',}#]+)/m,
  kind: /^\uFEFF?["']?kind["']?[ \t]*:[ \t]*["']?([^\s"',}#]+)/m,
  name: /^\uFEFF?["']?name["']?[ \t]*:[ \t]*["']?([^\s"',}#]+)/m,
} as const;
