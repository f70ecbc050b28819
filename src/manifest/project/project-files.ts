import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { AgentformError, errorCodeOf, reasonOf } from '../../errors.ts';
import { isInside, pathUnder } from '../../files/plain-file.ts';
import { cached } from '../../json/json.ts';
import { decodeText, documentIn, NotUtf8 } from '../../text/encoding.ts';
import { nearest } from '../../text/suggest.ts';
import { quote } from '../../text/wording.ts';
import { type Suggestion, suggested } from '../../yaml/fix.ts';
import type { Span } from '../../yaml/problem.ts';
import { SourceFile } from '../../yaml/source-file.ts';
import { ownPlace, type ScalarNode } from '../../yaml/tree.ts';
import { type FoundFiles, findAmong, findFiles } from './find-files.ts';
import type { Glob } from './glob.ts';
import { blobIdOf, digestOf, type FactStore, type KnownFile, type Trace } from './trace.ts';

/** The text of a file, or why the file cannot be read. The failure completes a sentence that begins with the path. */
export type FileReading = { readonly source: SourceFile; readonly failure?: never } | NoReading;

interface NoReading {
  readonly source?: never;
  readonly failure: string;
  /** The name of a similar file in the same folder. For a reference, the path to write instead. */
  readonly meant?: string;
  /** The location in the file that causes the failure. */
  readonly at?: Span;
  /**
   * The text of a file that is not UTF-8, decoded as Latin-1 without NULs. Use it only to guess the kind of the file.
   */
  readonly rough?: string;
  /** Set if nothing exists at the path. */
  readonly isMissing?: true;
}

/** Suggests a path when a reference leads to a missing file. */
export function pathMeantBy(reference: ScalarNode, { meant }: Pick<NoReading, 'meant'>): Suggestion {
  return meant === undefined ? {} : suggested({ at: ownPlace(reference), found: String(reference.value) }, meant);
}

const mebibyte = 1024 * 1024;
export const yamlLimit = mebibyte;
export const textLimit = 4 * mebibyte;

/**
 * Whether a file within the size limit can store the text unchanged. A byte order mark at the beginning or half of a
 * surrogate pair would change. A NUL is refused, because git would treat the file as binary. A text that begins like a
 * document of another program could not be read.
 */
export function fitsTextFile(text: string): boolean {
  if (text.startsWith('\ufeff') || /\0|\p{Surrogate}/u.test(text)) return false;
  const bytes = Buffer.from(text);
  return bytes.length < textLimit && documentIn(bytes) === undefined;
}

/** The only files of a project that may be read. */
export interface ReadableFiles {
  /** The paths relative to the project folder, with links resolved and forward slashes. */
  readonly paths: ReadonlySet<string>;
  /** Why other files may not be read. Completes a sentence that begins with the path. */
  readonly otherwise: string;
}

/** The project's files in a commit. Paths are relative to the project folder, with forward slashes. */
export interface CommittedFiles {
  readonly paths: Iterable<string>;
  /** Whether a file or folder exists. */
  has(path: string): boolean;
  read(path: string, limit: number): FileReading;
  /** The digests of a file whose text is the same in the work tree. Undefined for other files. */
  known(path: string): Digests | undefined;
}

type Digests = Pick<KnownFile, 'digest' | 'blob'>;

interface ProjectFilesOptions {
  /** Texts that are checked before they are written to files, by path. */
  readonly pending?: ReadonlyMap<string, string>;
  /** Texts of open documents, by path. These texts replace the files on the disk. The files need not exist. */
  readonly open?: ReadonlyMap<string, string> | undefined;
  /** The only files that may be read. Omit this to allow every file in the folder. */
  readonly readable?: ReadableFiles | undefined;
  /** The files of a commit, which replace the files on the disk. */
  readonly committed?: CommittedFiles | undefined;
}

/** The results of reading files so far. */
class Read {
  root: string | undefined;
  realRoot: string | undefined;
  readonly fileReadings = new Map<string, FileReading>();
  /** The signature of each file, taken before it was read. */
  readonly signatures = new Map<string, string | undefined>();
  readonly digests = new Map<string, string>();
  /** For each folder path, whether the path contains no links. */
  readonly ownFolders = new Map<string, boolean>();
  readonly folders = new Map<string, ReadonlySet<string>>();
  /** The digests of files that were not read, because facts from an earlier run cover them. */
  readonly spared = new Map<string, string>();
  /** The results of reading files in an earlier run. These results are reused for unchanged files. */
  earlier: Pick<Read, 'fileReadings' | 'signatures'> | undefined;
}

/** Reads each file of a project once. Never reads files outside the project folder, even through links. */
export class ProjectFiles {
  readonly root: string;
  /**
   * Whether the files are those in the folder. False for the files of a commit, and for a copy with files that are not
   * yet written.
   */
  readonly isWholeFolder: boolean;
  readonly #realRoot: string;
  readonly #options: ProjectFilesOptions;
  readonly #pending: ReadonlyMap<string, string>;
  readonly #readable: ReadableFiles | undefined;
  readonly #committed: CommittedFiles | undefined;
  readonly #read: Read;
  readonly #trace: Trace | undefined;

  /** Pending files count as existing. Their paths are relative to the root. */
  constructor(root: string, options: ProjectFilesOptions = {}, read = new Read(), trace?: Trace) {
    this.root = read.root ??= resolve(root);
    this.#realRoot = read.realRoot ??= realpathSync.native(this.root);
    this.#options = options;
    this.#pending = options.pending ?? options.open ?? new Map();
    this.#readable = options.readable;
    this.#committed = options.committed;
    this.isWholeFolder = options.committed === undefined && options.pending === undefined;
    this.#read = read;
    this.#trace = trace;
  }

  noting(trace: Trace): ProjectFiles {
    return new ProjectFiles(this.root, this.#options, this.#read, trace);
  }

  /** A copy for a later run. The copy reads only changed files, and forgets the files that this run did not use. */
  again(open: ReadonlyMap<string, string>): ProjectFiles {
    const { earlier, spared } = this.#read;
    const fileReadings = new Map(this.#read.fileReadings);
    const signatures = new Map(this.#read.signatures);
    for (const path of spared.keys()) {
      // A file that this run used without reading may have been read by an earlier run.
      const fileReading = fileReadings.has(path) ? undefined : earlier?.fileReadings.get(path);
      if (fileReading === undefined) continue;
      fileReadings.set(path, fileReading);
      signatures.set(path, earlier?.signatures.get(path));
    }
    const read = new Read();
    read.earlier = { fileReadings, signatures };
    return new ProjectFiles(this.root, { open, readable: this.#readable }, read);
  }

  openText(path: string): string | undefined {
    return this.#options.open?.get(path);
  }

  /** Whether a file may be read. The path must contain no links. */
  mayRead(path: string): boolean {
    return this.#readable?.paths.has(path) !== false;
  }

  /** Finds the files that match the patterns, and unreadable folders. */
  find(globs: readonly Glob[]): FoundFiles {
    if (this.#committed !== undefined) return findAmong(this.#committed.paths, globs);
    const found = findFiles(this.root, globs);
    const unsaved = [...(this.#options.open?.keys() ?? [])].filter((path) => !existsSync(join(this.root, path)));
    if (unsaved.length === 0) return found;
    const { paths } = findAmong(unsaved, globs);
    const all = [...found.paths].map(
      ([pattern, own]) => [pattern, [...own, ...(paths.get(pattern) ?? [])].sort()] as const,
    );
    return { ...found, paths: new Map(all) };
  }

  /** Reads a file that `from` refers to, with a size limit in bytes. */
  readReference(from: string, reference: string, limit: number): FileReading {
    if (isAbsolute(reference) || /^[A-Za-z]:[\\/]/.test(reference)) {
      return { failure: 'is an absolute path: write it relative to this file' };
    }
    if (reference.includes('://')) return { failure: 'is a URL: expected the path of a file in the project' };
    const path = this.#relative(resolve(this.root, dirname(from), reference));
    const fileReading = path === undefined ? { failure: 'leads outside the project folder' } : this.read(path, limit);
    if (fileReading.failure === undefined || (path !== undefined && !fileReading.isMissing)) return fileReading;
    const { meant: similar, ...absent } = fileReading;
    const sibling = similar && reference.slice(0, reference.lastIndexOf('/') + 1) + similar;
    const isOther = sibling !== undefined && this.pathOf(from, sibling) !== from;
    const meant = isOther ? sibling : this.#misplaced(from, reference);
    return meant === undefined ? absent : { ...absent, meant };
  }

  /** The path that a reference means if it was written with backslashes, or relative to the project folder. */
  #misplaced(from: string, reference: string): string | undefined {
    const written = reference.replaceAll('\\', '/');
    const fromRoot = pathUnder(dirname(from), join('.', written));
    return [written, fromRoot].find((other) => {
      const path = other === reference ? undefined : this.pathOf(from, other);
      return path !== undefined && this.has(path);
    });
  }

  /**
   * Resolves a reference in the file `from` to a path relative to the root. Undefined if the reference leads outside
   * the root.
   */
  pathOf(from: string, reference: string): string | undefined {
    return this.#relative(resolve(this.root, dirname(from), reference));
  }

  /**
   * Whether a reference in the file `from` leads to a file or folder. Also true for a path outside the project, because
   * reading such a path reports a problem.
   */
  hasReference(from: string, reference: string): boolean {
    const path = this.pathOf(from, reference);
    return path === undefined || this.has(path);
  }

  /** Whether a file or folder exists at a path relative to the root. */
  has(path: string): boolean {
    const isThere = this.#isThere(path);
    this.#trace?.note('exists', path, String(isThere));
    return isThere;
  }

  #isThere(path: string): boolean {
    // Even if a file could not be read, it may exist.
    if (this.source(path) !== undefined || this.#pending.has(path)) return true;
    if (this.#committed !== undefined) return this.#committed.has(path);
    return this.#namesIn(dirname(resolve(this.root, path))).has(basename(path));
  }

  /** The names in a folder. Caches the names, because a fleet looks for a file for each member. */
  #namesIn(folder: string): ReadonlySet<string> {
    return cached(this.#read.folders, folder, () => new Set(namesIn(folder)));
  }

  /** Reads a file by its path relative to the root. `limit` is the maximum size in bytes. */
  read(path: string, limit: number): FileReading {
    const fileReading = this.#readOnce(path, limit);
    // The limit is part of the input's name, because a higher limit may allow the read.
    this.#trace?.note('text', `${limit} ${path}`, this.#digestOf(fileReading));
    return fileReading;
  }

  #readOnce(path: string, limit: number): FileReading {
    const { fileReadings } = this.#read;
    const known = fileReadings.get(path);
    if (known !== undefined) return withinSizeLimit(known, limit);
    const signature = this.#signatureOf(path);
    const fileReading = this.#readEarlier(path, signature, limit) ?? this.#readFresh(path, limit);
    fileReadings.set(path, fileReading);
    const digest = this.#read.spared.get(path);
    if (digest === undefined || digest === this.#digestOf(fileReading)) return fileReading;
    // A run may read a file long after using the facts about it. The values must come from the text that was checked.
    throw new AgentformError('run-refused', `${path} was edited while agentform was running; run the command again`);
  }

  /** The result of an earlier run, if the file is unchanged. */
  #readEarlier(path: string, signature: string | undefined, limit: number): FileReading | undefined {
    const { fileReadings, signatures } = this.#read.earlier ?? {};
    const known = fileReadings?.get(path);
    if (known === undefined || known.failure !== undefined) return undefined;
    const open = this.#pending.get(path);
    const isSame =
      open === undefined ? signature !== undefined && signatures?.get(path) === signature : open === known.source.text;
    return isSame ? withinSizeLimit(known, limit) : undefined;
  }

  #digestOf(fileReading: FileReading): string {
    if (fileReading.failure !== undefined) return `failed: ${fileReading.failure} ${fileReading.meant ?? ''}`;
    const { source } = fileReading;
    const { digests } = this.#read;
    // Runs that share a text compute its digest only once.
    const digest = digests.get(source.path) ?? digestsOfSources.get(source) ?? digestOf(source.text);
    digests.set(source.path, digest);
    digestsOfSources.set(source, digest);
    return digest;
  }

  /** The answer to a trace's query about a file. Avoids reading a file that is known to be unchanged. */
  answerOf(fileName: string, facts: FactStore): string {
    const path = pathOfInput(fileName);
    return this.#unread(path, facts)?.digest ?? this.#digestOf(this.#readOnce(path, Number.parseInt(fileName, 10)));
  }

  /** The digests of a file's text. Undefined if the file cannot be read. */
  digestsOf(path: string, facts: FactStore): Digests | undefined {
    const known = this.#unread(path, facts);
    if (known !== undefined) return known;
    const fileReading = this.#readOnce(path, textLimit);
    if (fileReading.failure !== undefined) return undefined;
    return { digest: this.#digestOf(fileReading), blob: blobIdOf(fileReading.source.text) };
  }

  #unread(path: string, facts: FactStore): Digests | undefined {
    if (this.#read.fileReadings.has(path)) return undefined;
    if (this.#committed !== undefined) return this.#committed.known(path);
    const signature = this.#signatureOf(path);
    return signature === undefined ? undefined : facts.fileWith(path, signature);
  }

  /** Files that a later run need not read as long as their signatures stay the same. */
  get known(): ReadonlyMap<string, KnownFile> {
    const { digests, signatures } = this.#read;
    return new Map(
      [...digests].flatMap(([path, digest]) => {
        const signature = signatures.get(path);
        const source = this.source(path);
        // Leave out files with credentials, because a digest would let others confirm a guessed credential.
        if (signature === undefined || source === undefined || source.hasHidden) return [];
        return [[path, { digest, blob: blobIdOf(source.text), signature }] as const];
      }),
    );
  }

  /**
   * A signature that changes whenever the file changes. Consists of size, times and inode. The signature is taken once
   * in a run, so that a later edit leads to a new signature in the next run. Undefined for links, for files that are
   * not read from the disk, and if `readable` is set. Also undefined for recently edited files, because another edit
   * could go unnoticed.
   */
  #signatureOf(path: string): string | undefined {
    const { signatures, ownFolders } = this.#read;
    if (signatures.has(path)) return signatures.get(path);
    signatures.set(path, undefined);
    if (this.#pending.has(path) || this.#readable !== undefined || this.#committed !== undefined) return undefined;
    try {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (!ownFolders.has(folder)) {
        const real = join(this.#realRoot, folder);
        ownFolders.set(folder, realpathSync.native(real) === real);
      }
      if (!ownFolders.get(folder)) return undefined;
      const stats = lstatSync(`${this.#realRoot}${sep}${path}`);
      const { size, mtimeMs, ctimeMs, ino } = stats;
      const settled = Date.now() - settledAfter;
      if (!stats.isFile() || mtimeMs > settled || ctimeMs > settled) return undefined;
      const signature = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
      signatures.set(path, signature);
      return signature;
    } catch {
      return undefined;
    }
  }

  /** Marks a file as used without reading it, because facts from an earlier run cover its text. */
  spare(path: string, digest: string): void {
    if (!this.#read.fileReadings.has(path)) this.#read.spared.set(path, digest);
  }

  isUsed(path: string): boolean {
    return this.#read.spared.has(path) || this.source(path) !== undefined;
  }

  /** The text of a used file for code frames, with literal credentials masked. Undefined for other files. */
  sourceOf(path: string): string | undefined {
    return this.usedSource(path)?.shown();
  }

  /** A used file, which is read now if facts from an earlier run cover its text. Undefined for other files. */
  usedSource(path: string): SourceFile | undefined {
    if (this.#read.spared.has(path)) this.#readOnce(path, textLimit);
    return this.source(path);
  }

  source(path: string): SourceFile | undefined {
    return this.#read.fileReadings.get(path)?.source;
  }

  /** A copy that reads the files again, with additional files that are not yet written. */
  withPending(pending: ReadonlyMap<string, string>): ProjectFiles {
    return new ProjectFiles(this.root, { pending, readable: this.#readable });
  }

  /** A copy in which some files have different texts. Files that were already read are not read again. */
  withTexts(texts: ReadonlyMap<string, string>): ProjectFiles {
    const files = this.withPending(this.#pending);
    for (const [path, fileReading] of this.#read.fileReadings) files.#read.fileReadings.set(path, fileReading);
    for (const [path, text] of texts) files.#read.fileReadings.set(path, { source: new SourceFile(path, text) });
    return files;
  }

  #readFresh(path: string, limit: number): FileReading {
    if (this.#committed !== undefined) return this.#committed.read(path, limit);
    const absolute = resolve(this.root, path);
    try {
      const pending = this.#pending.get(path);
      if (pending !== undefined) return fileReadingOf(path, Buffer.from(pending), limit);
      const real = realpathSync.native(absolute);
      if (!isInside(this.#realRoot, real)) return { failure: 'is a link that leads outside the project folder' };
      const steps = relative(this.#realRoot, real).split(sep);
      const linked = real === absolute ? undefined : this.#options.open?.get(steps.join('/'));
      if (linked !== undefined) return fileReadingOf(path, Buffer.from(linked), limit);
      // Refuse `.git`, because a checkout in a workflow stores its token in `.git/config`. Ignore case, as some file
      // systems do.
      if (steps.some((step) => step.toLowerCase() === '.git'))
        return { failure: "is part of git's own files, which may contain credentials" };
      if (this.#readable?.paths.has(steps.join('/')) === false) {
        return { failure: this.#readable.otherwise };
      }
      const stats = statSync(real);
      if (!stats.isFile())
        return { failure: stats.isDirectory() ? 'is a folder, not a file' : 'is not a regular file' };
      if (stats.size > limit) return { failure: tooLargeText(stats.size, limit) };
      return fileReadingOf(path, readFileSync(real), limit);
    } catch (error) {
      return noReading(error, absolute);
    }
  }

  #relative(absolute: string): string | undefined {
    return isInside(this.root, absolute) ? pathUnder(this.root, absolute) : undefined;
  }
}

const digestsOfSources = new WeakMap<SourceFile, string>();

/**
 * The minimum age of a file that may have a signature, in milliseconds. This age exceeds the time resolution of any
 * common file system, as in git's index. A program can set `mtime` back, but not `ctime`.
 */
const settledAfter = 3_000;

/** The path in the name of a trace input. */
export function pathOfInput(fileName: string): string {
  return fileName.slice(fileName.indexOf(' ') + 1);
}

/** The start of a file, which is the location of problems with the file as a whole. */
export function startOf(file: string): Span {
  return { file, line: 1, column: 1, offset: 0, end: 0 };
}

/** Applies the size limit, because an earlier read may have had a higher limit. */
function withinSizeLimit(fileReading: FileReading, limit: number): FileReading {
  if (fileReading.failure !== undefined || fileReading.source.text.length * 3 <= limit) return fileReading;
  const size = Buffer.byteLength(fileReading.source.text);
  return size > limit ? { failure: tooLargeText(size, limit) } : fileReading;
}

/** Decodes the bytes of a file. */
export function fileReadingOf(path: string, bytes: Buffer, limit: number): FileReading {
  if (bytes.length > limit) return { failure: tooLargeText(bytes.length, limit) };
  try {
    const text = decodeText(bytes);
    return text.startsWith(lfsPointer) ? { failure: isPointer } : { source: new SourceFile(path, text) };
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    const { line, column } = error;
    const at = { file: path, line, column, offset: 0, end: 0 };
    const rough = bytes.toString('latin1').replaceAll('\0', '');
    return { failure: `is not UTF-8 text: ${error.message}`, at, rough };
  }
}

/** The beginning of a Git LFS pointer, which replaces a file that was not downloaded. */
const lfsPointer = 'version https://git-lfs.github.com/spec/';
const isPointer =
  'is a Git LFS pointer, not the text itself: run `git lfs pull`, or check out with `lfs: true` in a workflow';

function tooLargeText(size: number, limit: number): string {
  return `is too large: it is ${(size / mebibyte).toFixed(1)} MiB, but the limit is ${limit / mebibyte} MiB`;
}

function noReading(error: unknown, path: string): NoReading {
  const code = errorCodeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return absence(path);
  if (code === 'ELOOP') return { failure: 'is a link to itself, directly or through other links' };
  return { failure: `cannot be read: ${reasonOf(error)}` };
}

/** Explains why no file exists at a path. Suggests a similar name in the same folder. */
function absence(path: string): NoReading {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // For a dangling link, the path itself exists, so the file is not simply missing.
  if (stats?.isSymbolicLink()) return { failure: `is a link to ${quote(readlinkSync(path))}, which does not exist` };
  const isMissing = stats === undefined ? ({ isMissing: true } as const) : {};
  const [folder, name] = [dirname(path), basename(path)];
  // If a name is not UTF-8, Node lists it with replacement characters and then cannot find the file.
  if (path.includes('\ufffd'))
    return { failure: 'has a path that is not UTF-8; rename the file or folder', ...isMissing };
  if (!existsSync(folder))
    return { failure: `does not exist: there is no folder ${quote(basename(folder))}`, ...isMissing };
  const names = namesIn(folder);
  const twin = names.find((other) => other.normalize() === name.normalize());
  if (twin === undefined) {
    const meant = nearest(name, names) ?? onlyTextNamed(parse(name).name, names);
    return { failure: 'does not exist', ...(meant !== undefined && { meant }), ...isMissing };
  }
  const form = twin === twin.normalize('NFC') ? 'composed, NFC' : 'decomposed, NFD';
  const failure = `does not exist, but a file in ${quote(basename(folder))} has the same name in another Unicode form (${form}); rename that file to ${quote(name)}`;
  return { failure, ...isMissing };
}

/** The only text file with a name before its extension. */
function onlyTextNamed(stem: string, names: readonly string[]): string | undefined {
  const [found, ...others] = names.filter((name) => /\.(?:md|markdown|txt)$/i.test(name) && parse(name).name === stem);
  return others.length === 0 ? found : undefined;
}

/** The names in a folder. Empty if the folder is missing or cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
