import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AgentformError, errorCodeOf } from '../../errors.ts';
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

/** A file's text, or why there is none: the end of a sentence that begins with the path. */
export type FileReading = { readonly source: SourceFile; readonly failure?: never } | NoReading;

interface NoReading {
  readonly failure: string;
  /** The name of a file in the same folder that was probably meant. */
  readonly meant?: string;
  /** In the file, where one place of it is the reason. */
  readonly at?: Span;
  /** There is nothing at the path. */
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
 * Whether a text file gives the text back: a mark at its beginning is dropped, half a character cannot be encoded, and git takes a
 * file with a NUL for binary and shows no differences of it.
 */
export function fitsTextFile(text: string): boolean {
  return !text.startsWith('\ufeff') && !/\0|\p{Surrogate}/u.test(text) && Buffer.byteLength(text) < textLimit;
}

/** The files of a project that may be read, where not every one may. */
export interface ReadableFiles {
  /** Relative to the project folder, links resolved, with forward slashes. */
  readonly paths: ReadonlySet<string>;
  /** Why no other is, as the end of a sentence that begins with its path. */
  readonly otherwise: string;
}

/** The files of a project in a commit. Paths are relative to the project folder, with forward slashes. */
export interface CommittedFiles {
  readonly paths: Iterable<string>;
  /** Whether there is a file, or a folder. */
  has(path: string): boolean;
  read(path: string, limit: number): FileReading;
}

interface ProjectFilesOptions {
  /** The only file of a project is checked with these, before they are written. */
  readonly pending?: ReadonlyMap<string, string>;
  /** The texts of open documents, in the place of those on the disk, where there need not be any. */
  readonly open?: ReadonlyMap<string, string> | undefined;
  /** Every file inside the project folder if left out. */
  readonly readable?: ReadableFiles | undefined;
  /** Read in the place of those on the disk. */
  readonly committed?: CommittedFiles | undefined;
}

/** What was read so far. */
class Read {
  root: string | undefined;
  realRoot: string | undefined;
  readonly fileReadings = new Map<string, FileReading>();
  /** For each file that was read without links, its state before it was read. */
  readonly signatures = new Map<string, string | undefined>();
  /** By path, of texts. */
  readonly digests = new Map<string, string>();
  readonly ownFolders = new Map<string, boolean>();
  readonly folders = new Map<string, ReadonlySet<string>>();
  /** Files that are not read as long as facts of an earlier run are enough, with the digests of their texts. */
  readonly spared = new Map<string, string>();
  /** What an earlier run read: files that are the same since then are not read again. */
  earlier: Pick<Read, 'fileReadings' | 'signatures'> | undefined;
}

/** The files of one project, each read once. Nothing outside the project folder is read, through links neither. */
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

  /** The same files; every question is noted with its answer. */
  noting(trace: Trace): ProjectFiles {
    return new ProjectFiles(this.root, this.#options, this.#read, trace);
  }

  /** The same files for a later run, which reads only those that changed. It forgets files that this run did not use. */
  again(open: ReadonlyMap<string, string>): ProjectFiles {
    const { earlier, spared } = this.#read;
    const fileReadings = new Map(this.#read.fileReadings);
    const signatures = new Map(this.#read.signatures);
    for (const path of spared.keys()) {
      // A file that was spared in this run may have been read in one before.
      const fileReading = fileReadings.has(path) ? undefined : earlier?.fileReadings.get(path);
      if (fileReading === undefined) continue;
      fileReadings.set(path, fileReading);
      signatures.set(path, earlier?.signatures.get(path));
    }
    const read = new Read();
    read.earlier = { fileReadings, signatures };
    return new ProjectFiles(this.root, { open, readable: this.#readable }, read);
  }

  /** Whether the files are all that the folder has, and not those of a commit or of one manifest. */
  get isWholeFolder(): boolean {
    return this.#committed === undefined && this.#options.pending === undefined;
  }

  /** The text of an open document. */
  openText(path: string): string | undefined {
    return this.#options.open?.get(path);
  }

  /** Whether a file, which no link leads to, may be read. */
  mayRead(path: string): boolean {
    return this.#readable?.paths.has(path) !== false;
  }

  /** The files that the patterns match, and the folders that could not be looked into. */
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

  /** Whether there is a file, or a folder, at a path relative to the root. */
  has(path: string): boolean {
    const isThere = this.#isThere(path);
    this.#trace?.note('exists', path, String(isThere));
    return isThere;
  }

  #isThere(path: string): boolean {
    // A failed read may have looked for a missing file.
    if (this.source(path) !== undefined || this.#pending.has(path)) return true;
    if (this.#committed !== undefined) return this.#committed.has(path);
    return this.#namesIn(dirname(resolve(this.root, path))).has(basename(path));
  }

  /** Checked only once: a fleet asks for a file of each of its members. */
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
    this.#trace?.note('text', fileInput(path, limit), this.#digestOf(fileReading));
    return fileReading;
  }

  #readOnce(path: string, limit: number): FileReading {
    const { fileReadings, signatures } = this.#read;
    const known = fileReadings.get(path);
    if (known !== undefined) return withinLimit(known, limit);
    const signature = this.signatureOf(path);
    const fileReading = this.#readEarlier(path, signature, limit) ?? this.#readFresh(path, limit);
    signatures.set(path, signature);
    fileReadings.set(path, fileReading);
    this.#requireUnchanged(path, fileReading);
    return fileReading;
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

  /** Values must be those that were checked: a run may read a file long after it asked for its facts. */
  #requireUnchanged(path: string, fileReading: FileReading): void {
    const digest = this.#read.spared.get(path);
    if (digest === undefined || digest === this.#digestOf(fileReading)) return;
    throw new AgentformError('run-refused', `${path} was edited while agentform was running; run the command again`);
  }

  #digestOf({
    failure,
    source,
    meant = '',
  }: FileReading & Partial<NoReading & { readonly source: SourceFile }>): string {
    if (source === undefined) return `failed: ${failure} ${meant}`;
    const { digests } = this.#read;
    const digest = digests.get(source.path) ?? digestOfSource(source);
    digests.set(source.path, digest);
    return digest;
  }

  /** What a trace would note of a file; one that is known and did not change is not read for it. */
  answerOf(fileName: string, facts: FactStore): string {
    const [limit = '', path = ''] = splitOnce(fileName);
    return this.#unread(path, facts)?.digest ?? this.#digestOf(this.#readOnce(path, Number(limit)));
  }

  /** The id of a git blob with the text that a file has; undefined where it cannot be read. */
  blobOf(path: string, facts: FactStore): string | undefined {
    const known = this.#unread(path, facts);
    if (known !== undefined) return known.blob;
    const fileReading = this.#readOnce(path, textLimit);
    return 'source' in fileReading ? blobIdOf(fileReading.source.text) : undefined;
  }

  #unread(path: string, facts: FactStore): KnownFile | undefined {
    if (this.#read.fileReadings.has(path)) return undefined;
    const signature = this.signatureOf(path);
    return signature === undefined ? undefined : facts.fileWith(path, signature);
  }

  /** The files that a later run need not read while they have these signatures. */
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

  /**
   * What changes whenever the file does: size, times and number. Undefined where that tells nothing: of a link, of a
   * file that is not simply the one on the disk, and of one so young that it may change again without a trace.
   */
  signatureOf(path: string): string | undefined {
    if (this.#pending.has(path) || this.#readable !== undefined || this.#committed !== undefined) return undefined;
    try {
      if (!this.#isOwnFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) return undefined;
      return signatureIn(lstatSync(`${this.#realRoot}${sep}${path}`));
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

  /** Counts a file as used without reading it: an earlier run made facts of its text, which has this digest. */
  spare(path: string, digest: string): void {
    if (!this.#read.fileReadings.has(path)) this.#read.spared.set(path, digest);
  }

  /** Whether something of the project read the file. */
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

  /** The same files, to be read again, with some that are not written yet. */
  withPending(pending: ReadonlyMap<string, string>): ProjectFiles {
    return new ProjectFiles(this.root, { pending, readable: this.#readable });
  }

  /** The same files, some of them with another text; nothing that was read is read again. */
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
      if (isOfGit(relative(this.#realRoot, real)))
        return { failure: "is part of git's own files, which may contain credentials" };
      if (this.#readable?.paths.has(relative(this.#realRoot, real).split(sep).join('/')) === false) {
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

/**
 * Two writes within the resolution of a file's times look the same. So a recently written file has no signature yet, as in
 * git's index. A program can set `mtime` back, but not `ctime`.
 */
function signatureIn(stats: Stats): string | undefined {
  const { size, mtimeMs, ctimeMs, ino } = stats;
  const settled = Date.now() - settledAfter;
  if (!stats.isFile() || mtimeMs > settled || ctimeMs > settled) return undefined;
  return [size, mtimeMs, ctimeMs, ino].join(' ');
}

const digestsOfSources = new WeakMap<SourceFile, string>();

/** Worked out once for a text that several runs have. */
function digestOfSource(source: SourceFile): string {
  const digest = digestsOfSources.get(source) ?? digestOf(source.text);
  digestsOfSources.set(source, digest);
  return digest;
}

/** More than the grain of the times of any file system that is in use, in milliseconds. */
const settledAfter = 3_000;

/** The name of a file as an input: more of a file may be read where the limit is larger. */
function fileInput(path: string, limit: number): string {
  return `${limit} ${path}`;
}

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

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** A checkout in a workflow leaves its token in `.git/config`. File systems may ignore case. */
function isOfGit(path: string): boolean {
  return path.split(sep).some((step) => step.toLowerCase() === '.git');
}

/** Who read it first may have had a larger limit. */
function withinLimit(fileReading: FileReading, limit: number): FileReading {
  if (fileReading.failure !== undefined || fileReading.source.text.length * 3 <= limit) return fileReading;
  const size = Buffer.byteLength(fileReading.source.text);
  return size > limit ? { failure: tooLarge(size, limit) } : fileReading;
}

/** What is read of a file that has these bytes. Throws if they are not UTF-8. */
export function fileReadingOf(path: string, bytes: Buffer, limit: number): FileReading {
  if (bytes.length > limit) return { failure: tooLarge(bytes.length, limit) };
  const text = decodeText(bytes);
  return text.startsWith(lfsPointer) ? { failure: isPointer } : { source: new SourceFile(path, text) };
}

/** How the file begins that Git LFS leaves in the place of one that was not downloaded. */
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

/** Why there is no file at a path: what is there in its place, or near it. */
function absence(path: string): NoReading {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A link that leads nowhere is something.
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
