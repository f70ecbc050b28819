import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AgentformError, errorCodeOf } from '../../errors.ts';
import { isInside } from '../../files/plain-file.ts';
import { decodeText, NotUtf8 } from '../../text/encoding.ts';
import { nearest } from '../../text/suggest.ts';
import { quote } from '../../text/wording.ts';
import { type Suggestion, suggested } from '../../yaml/fix.ts';
import type { Span } from '../../yaml/problem.ts';
import { SourceFile } from '../../yaml/source-file.ts';
import { ownPlace, type ScalarNode } from '../../yaml/tree.ts';
import { type FoundFiles, findAmong, findFiles } from './find-files.ts';
import type { Glob } from './glob.ts';
import { blobIdOf, digestOf, type FactStore, type KnownFile, type Trace } from './trace.ts';

/** A file's text, or the reason why there is none, as the end of a sentence that begins with the path. */
export type FileReading = { readonly source: SourceFile; readonly failure?: never } | NoReading;

interface NoReading {
  readonly failure: string;
  /** The name of a file in the same folder that was probably meant. */
  readonly meant?: string;
  /** The place in the file that is the reason, if there is one. */
  readonly at?: Span;
  /** Nothing exists at the path. */
  readonly isMissing?: true;
}

/** The path that was probably meant by a reference to a file that cannot be read. */
export function pathMeantBy(reference: ScalarNode, { meant }: Pick<NoReading, 'meant'>): Suggestion {
  const found = String(reference.value);
  if (meant === undefined) return {};
  return suggested({ at: ownPlace(reference), found }, found.slice(0, found.lastIndexOf('/') + 1) + meant);
}

const mebibyte = 1024 * 1024;
export const yamlLimit = mebibyte;
export const textLimit = 4 * mebibyte;

/**
 * Whether a text file can hold the text unchanged. A byte order mark at its beginning is dropped, half a character
 * cannot be encoded, and git treats a file with a NUL as binary and shows no differences.
 */
export function fitsTextFile(text: string): boolean {
  return !text.startsWith('\ufeff') && !/\0|\p{Surrogate}/u.test(text) && Buffer.byteLength(text) < textLimit;
}

/** The readable files of a project, if they are restricted. */
export interface ReadableFiles {
  /** Relative to the project folder, links resolved, with forward slashes. */
  readonly paths: ReadonlySet<string>;
  /** Why other files are not readable, as the end of a sentence that begins with the path. */
  readonly otherwise: string;
}

/** The files of a project in a commit. Paths are relative to the project folder, with forward slashes. */
export interface CommittedFiles {
  readonly paths: Iterable<string>;
  /** Whether a file or folder exists. */
  has(path: string): boolean;
  read(path: string, limit: number): FileReading;
  /** What is known of a file that the work tree has with the same text. */
  known(path: string): Digests | undefined;
}

type Digests = Pick<KnownFile, 'digest' | 'blob'>;

interface ProjectFilesOptions {
  /** Texts of files that are checked before they are written. */
  readonly pending?: ReadonlyMap<string, string>;
  /** The texts of open documents, which replace those on the disk. The files need not exist there. */
  readonly open?: ReadonlyMap<string, string> | undefined;
  /** Every file inside the project folder if omitted. */
  readonly readable?: ReadableFiles | undefined;
  /** The files of a commit, which replace those on the disk. */
  readonly committed?: CommittedFiles | undefined;
}

/** Everything read so far. */
class Read {
  root: string | undefined;
  realRoot: string | undefined;
  readonly fileReadings = new Map<string, FileReading>();
  /** The signatures, from before the read, of files that were asked about. */
  readonly signatures = new Map<string, string | undefined>();
  /** Digests of texts, by path. */
  readonly digests = new Map<string, string>();
  readonly ownFolders = new Map<string, boolean>();
  readonly folders = new Map<string, ReadonlySet<string>>();
  /** Files that need not be read while facts of an earlier run are enough, with the digests of their texts. */
  readonly spared = new Map<string, string>();
  /** The reads of an earlier run. Files that are still the same are not read again. */
  earlier: Pick<Read, 'fileReadings' | 'signatures'> | undefined;
}

/** The files of one project, each read once. Nothing outside the project folder is read, not even through links. */
export class ProjectFiles {
  readonly root: string;
  readonly #realRoot: string;
  readonly #options: ProjectFilesOptions;
  readonly #pending: ReadonlyMap<string, string>;
  readonly #readable: ReadableFiles | undefined;
  readonly #committed: CommittedFiles | undefined;
  readonly #read: Read;
  readonly #trace: Trace | undefined;

  /** Pending files are read as if they were on the disk; their paths are relative to the root. */
  constructor(root: string, options: ProjectFilesOptions = {}, read = new Read(), trace?: Trace) {
    this.root = read.root ??= resolve(root);
    this.#realRoot = read.realRoot ??= realpathSync.native(this.root);
    this.#options = options;
    this.#pending = options.pending ?? options.open ?? new Map();
    this.#readable = options.readable;
    this.#committed = options.committed;
    this.#read = read;
    this.#trace = trace;
  }

  /** The same files, with every query noted in a trace. */
  noting(trace: Trace): ProjectFiles {
    return new ProjectFiles(this.root, this.#options, this.#read, trace);
  }

  /**
   * The same files for a later run, which only reads those that changed. Files that this run did not use are forgotten.
   */
  again(open: ReadonlyMap<string, string>): ProjectFiles {
    const { earlier, spared } = this.#read;
    const fileReadings = new Map(this.#read.fileReadings);
    const signatures = new Map(this.#read.signatures);
    for (const path of spared.keys()) {
      // A file that this run did not need to read may have been read in an earlier one.
      const fileReading = fileReadings.has(path) ? undefined : earlier?.fileReadings.get(path);
      if (fileReading === undefined) continue;
      fileReadings.set(path, fileReading);
      signatures.set(path, earlier?.signatures.get(path));
    }
    const read = new Read();
    read.earlier = { fileReadings, signatures };
    return new ProjectFiles(this.root, { open, readable: this.#readable }, read);
  }

  /** Whether these are all files of the folder, and not those of a commit or of one manifest. */
  get isWholeFolder(): boolean {
    return this.#committed === undefined && this.#options.pending === undefined;
  }

  /** The text of an open document. */
  openText(path: string): string | undefined {
    return this.#options.open?.get(path);
  }

  /** Whether a file may be read. No link leads to it. */
  mayRead(path: string): boolean {
    return this.#readable?.paths.has(path) !== false;
  }

  /** The files that the patterns match, and the unreadable folders. */
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

  /** Reads the file that `reference` names in the file `from`. */
  readReference(from: string, reference: string, limit: number): FileReading {
    if (isAbsolute(reference) || /^[A-Za-z]:[\\/]/.test(reference)) {
      return { failure: 'is an absolute path: write it relative to this file' };
    }
    const path = this.#relative(resolve(this.root, dirname(from), reference));
    return path === undefined ? { failure: 'leads outside the project folder' } : this.read(path, limit);
  }

  /** The path, relative to the root, that `reference` names in the file `from`; undefined if it leads outside. */
  pathOf(from: string, reference: string): string | undefined {
    return this.#relative(resolve(this.root, dirname(from), reference));
  }

  /**
   * Whether the file or folder `reference` exists, relative to the file `from`; its reader reports paths that lead
   * outside.
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
    // A missing file may be the reason for a failed read.
    if (this.source(path) !== undefined || this.#pending.has(path)) return true;
    if (this.#committed !== undefined) return this.#committed.has(path);
    return this.#namesIn(dirname(resolve(this.root, path))).has(basename(path));
  }

  /** Cached, because a fleet asks for a file of each member. */
  #namesIn(folder: string): ReadonlySet<string> {
    const known = this.#read.folders.get(folder);
    if (known !== undefined) return known;
    const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
    this.#read.folders.set(folder, names);
    return names;
  }

  /** Reads a file by its path relative to the root. */
  read(path: string, limit: number): FileReading {
    const fileReading = this.#readOnce(path, limit);
    // The name of the input has the size limit, because a larger limit may read more of the file.
    this.#trace?.note('text', `${limit} ${path}`, this.#digestOf(fileReading));
    return fileReading;
  }

  #readOnce(path: string, limit: number): FileReading {
    const { fileReadings } = this.#read;
    const known = fileReadings.get(path);
    if (known !== undefined) return withinLimit(known, limit);
    const signature = this.#signatureOf(path);
    const fileReading = this.#readEarlier(path, signature, limit) ?? this.#readFresh(path, limit);
    fileReadings.set(path, fileReading);
    const digest = this.#read.spared.get(path);
    if (digest === undefined || digest === this.#digestOf(fileReading)) return fileReading;
    // Values must be those that were checked: a run may read a file long after it asked for its facts.
    throw new AgentformError('run-refused', `${path} was edited while agentform was running; run the command again`);
  }

  /** The reading of an earlier run, if the file is still the same. */
  #readEarlier(path: string, signature: string | undefined, limit: number): FileReading | undefined {
    const { fileReadings, signatures } = this.#read.earlier ?? {};
    const known = fileReadings?.get(path);
    if (known === undefined || known.failure !== undefined) return undefined;
    const open = this.#pending.get(path);
    const isSame =
      open === undefined ? signature !== undefined && signatures?.get(path) === signature : open === known.source.text;
    return isSame ? withinLimit(known, limit) : undefined;
  }

  #digestOf({
    failure,
    source,
    meant = '',
  }: FileReading & Partial<NoReading & { readonly source: SourceFile }>): string {
    if (source === undefined) return `failed: ${failure} ${meant}`;
    const { digests } = this.#read;
    // Computed once for a text that several runs share.
    const digest = digests.get(source.path) ?? digestsOfSources.get(source) ?? digestOf(source.text);
    digests.set(source.path, digest);
    digestsOfSources.set(source, digest);
    return digest;
  }

  /** The answer that a trace notes for a file. A known file that did not change is not read for it. */
  answerOf(fileName: string, facts: FactStore): string {
    const [limit = '', path = ''] = splitOnce(fileName);
    return this.#unread(path, facts)?.digest ?? this.#digestOf(this.#readOnce(path, Number(limit)));
  }

  /** The digests of a file's text; undefined if it cannot be read. */
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

  /** Files that a later run need not read while their signatures are the same. */
  get known(): ReadonlyMap<string, KnownFile> {
    const { digests, signatures } = this.#read;
    return new Map(
      [...digests].flatMap(([path, digest]) => {
        const signature = signatures.get(path);
        const source = this.source(path);
        // A digest would confirm a guess of a credential.
        if (signature === undefined || source === undefined || source.hasHidden) return [];
        return [[path, { digest, blob: blobIdOf(source.text), signature }] as const];
      }),
    );
  }

  /** Found once: if the file changes later, the next run finds another one. */
  #signatureOf(path: string): string | undefined {
    const { signatures } = this.#read;
    if (!signatures.has(path)) signatures.set(path, this.#signatureNow(path));
    return signatures.get(path);
  }

  /**
   * A text that changes whenever the file does: size, times and inode. Undefined if it would prove nothing: for a link,
   * for a file that does not come from the disk, and for one so new that it may change again unnoticed.
   */
  #signatureNow(path: string): string | undefined {
    if (this.#pending.has(path) || this.#readable !== undefined || this.#committed !== undefined) return undefined;
    try {
      if (!this.#isOwnFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) return undefined;
      const stats = lstatSync(`${this.#realRoot}${sep}${path}`);
      const { size, mtimeMs, ctimeMs, ino } = stats;
      const settled = Date.now() - settledAfter;
      if (!stats.isFile() || mtimeMs > settled || ctimeMs > settled) return undefined;
      return [size, mtimeMs, ctimeMs, ino].join(' ');
    } catch {
      return undefined;
    }
  }

  /** Whether no link leads to the folder. */
  #isOwnFolder(folder: string): boolean {
    const known = this.#read.ownFolders.get(folder);
    if (known !== undefined) return known;
    const path = join(this.#realRoot, folder);
    const isOwn = realpathSync.native(path) === path;
    this.#read.ownFolders.set(folder, isOwn);
    return isOwn;
  }

  /** Counts a file as used without reading it, because facts of an earlier run cover its text with this digest. */
  spare(path: string, digest: string): void {
    if (!this.#read.fileReadings.has(path)) this.#read.spared.set(path, digest);
  }

  /** Whether any part of the project read the file. */
  isUsed(path: string): boolean {
    return this.#read.spared.has(path) || this.source(path) !== undefined;
  }

  /** The text for code frames, with literal credentials masked; undefined for a file that is not used. */
  sourceOf(path: string): string | undefined {
    if (this.#read.spared.has(path)) this.#readOnce(path, textLimit);
    return this.source(path)?.shown();
  }

  source(path: string): SourceFile | undefined {
    const fileReading = this.#read.fileReadings.get(path);
    return fileReading !== undefined && 'source' in fileReading ? fileReading.source : undefined;
  }

  /** The same files, to be read again, together with unwritten ones. */
  withPending(pending: ReadonlyMap<string, string>): ProjectFiles {
    return new ProjectFiles(this.root, { pending, readable: this.#readable });
  }

  /** The same files, some of them with another text. Files that were read are not read again. */
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
      const linked =
        real === absolute ? undefined : this.#options.open?.get(relative(this.#realRoot, real).split(sep).join('/'));
      if (linked !== undefined) return fileReadingOf(path, Buffer.from(linked), limit);
      const steps = relative(this.#realRoot, real).split(sep);
      // A checkout in a workflow leaves its token in `.git/config`. File systems may ignore case.
      if (steps.some((step) => step.toLowerCase() === '.git'))
        return { failure: "is part of git's own files, which may contain credentials" };
      if (this.#readable?.paths.has(steps.join('/')) === false) {
        return { failure: this.#readable.otherwise };
      }
      const stats = statSync(real);
      if (!stats.isFile())
        return { failure: stats.isDirectory() ? 'is a folder, not a file' : 'is not a regular file' };
      if (stats.size > limit) return { failure: tooLarge(stats.size, limit) };
      return fileReadingOf(path, readFileSync(real), limit);
    } catch (error) {
      if (!(error instanceof NotUtf8)) return noReading(error, absolute);
      const { line, column } = error;
      const at = { file: path, line, column, offset: 0, end: 0 };
      return { failure: `is not UTF-8 text: ${error.message}`, at };
    }
  }

  #relative(absolute: string): string | undefined {
    return isInside(this.root, absolute) ? relative(this.root, absolute).split(sep).join('/') : undefined;
  }
}

const digestsOfSources = new WeakMap<SourceFile, string>();

/**
 * Longer than the time resolution of any common file system, in milliseconds. Two writes within it look the same, so a
 * recently written file has no signature yet, as in git's index. A program can set `mtime` back, but not `ctime`.
 */
const settledAfter = 3_000;

function splitOnce(text: string): readonly [string, string] {
  const at = text.indexOf(' ');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The path of a file that a trace names. */
export function pathOfInput(fileName: string): string {
  return splitOnce(fileName)[1];
}

/** The very beginning of a file, for problems about it as a whole. */
export function startOf(file: string): Span {
  return { file, line: 1, column: 1, offset: 0, end: 0 };
}

/** An earlier read may have had a larger limit. */
function withinLimit(fileReading: FileReading, limit: number): FileReading {
  if (fileReading.failure !== undefined || fileReading.source.text.length * 3 <= limit) return fileReading;
  const size = Buffer.byteLength(fileReading.source.text);
  return size > limit ? { failure: tooLarge(size, limit) } : fileReading;
}

/** The reading of a file with these bytes. Throws if they are not UTF-8. */
export function fileReadingOf(path: string, bytes: Buffer, limit: number): FileReading {
  if (bytes.length > limit) return { failure: tooLarge(bytes.length, limit) };
  const text = decodeText(bytes);
  return text.startsWith(lfsPointer) ? { failure: isPointer } : { source: new SourceFile(path, text) };
}

/** The beginning of the pointer file that Git LFS leaves in place of a file that was not downloaded. */
const lfsPointer = 'version https://git-lfs.github.com/spec/';
const isPointer =
  'is a Git LFS pointer, not the text itself: run `git lfs pull`, or check out with `lfs: true` in a workflow';

function tooLarge(size: number, limit: number): string {
  return `is too large: it has ${(size / mebibyte).toFixed(1)} MiB, and the limit is ${limit / mebibyte} MiB`;
}

function noReading(error: unknown, path: string): NoReading {
  const code = errorCodeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return absence(path);
  if (code === 'ELOOP') return { failure: 'is a link to itself, directly or through other links' };
  return { failure: `cannot be read (${typeof code === 'string' ? code : 'unknown reason'})` };
}

/** Why no file exists at a path: something else is there, or a similar name is near. */
function absence(path: string): NoReading {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A dangling link counts as something.
  if (stats?.isSymbolicLink()) return { failure: `is a link to ${quote(readlinkSync(path))}, which does not exist` };
  const isMissing = stats === undefined ? ({ isMissing: true } as const) : {};
  const [folder, name] = [dirname(path), basename(path)];
  if (!existsSync(folder))
    return { failure: `does not exist: there is no folder ${quote(basename(folder))}`, ...isMissing };
  const names = readdirSync(folder);
  const twin = names.find((other) => other.normalize() === name.normalize());
  if (twin === undefined) {
    const meant = nearest(name, names);
    return { failure: 'does not exist', ...(meant !== undefined && { meant }), ...isMissing };
  }
  const failure = `does not exist: the name of the file in ${quote(basename(folder))} looks the same, but is in another Unicode form (${normalisedName(twin)}); rename that file to ${quote(name)}`;
  return { failure, ...isMissing };
}

function normalisedName(name: string): string {
  return name === name.normalize('NFC') ? 'composed, NFC' : 'decomposed, NFD';
}
