import type { ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { endGroup, runGit, startGit } from './command.ts';
import { findRepository, gitState, memoizedByGitState, repositoryTopOf } from './repository.ts';

interface GitObject {
  readonly oid: string;
  readonly type: string;
  /** The size of the whole content in bytes. */
  readonly size: number;
  /** The content, or only its beginning if the content exceeds the limit. */
  readonly bytes: Buffer;
}

type Objects = readonly (GitObject | undefined)[];

/**
 * Reads objects of the repository around a folder by name, such as `COMMIT:PATH`. Returns the objects in the same
 * order, with undefined for each object that git does not find. The list ends with the first object that makes the
 * total size exceed `maxBytes`. Returns undefined if git fails, or if a name is not a single line.
 */
export async function readObjects(
  root: string,
  names: readonly string[],
  maxBytes: number,
): Promise<Objects | undefined> {
  if (names.length === 0) return [];
  if (names.some((name) => name.includes('\n'))) return undefined;
  const top = repositoryTopOf(realpathSync(root)) ?? root;
  const state = gitState(top) ?? '';
  const reader = readers.get(state) ?? new ObjectReader(top, () => readers.delete(state));
  if (state !== '') readers.set(state, reader);
  return reader.read(names, maxBytes);
}

/**
 * Reads one object. Returns undefined if git fails or does not find the object. By default, reads at most 1 MiB of the
 * object.
 */
export async function readObject(root: string, name: string, maxBytes = 2 ** 20): Promise<GitObject | undefined> {
  return (await readObjects(root, [name], maxBytes))?.[0];
}

/**
 * Splits the output of `git cat-file --batch` into the contents of files. Undefined for each object that is not a file,
 * or that git does not find.
 */
export function contentsIn(output: Buffer, count: number): (Buffer | undefined)[] {
  let at = 0;
  return Array.from({ length: count }, () => {
    // git prints each object as a line `OID TYPE SIZE`, the content, and a line feed, or only a line `NAME missing`.
    const lineEnd = output.indexOf('\n', at);
    if (lineEnd < 0) return undefined;
    const [, type, size] = / ([a-z]+) (\d+)$/.exec(output.toString('utf8', at, lineEnd)) ?? [];
    const start = lineEnd + 1;
    const end = start + Number(size ?? 0);
    at = size === undefined ? start : end + 1;
    return type === 'blob' ? output.subarray(start, end) : undefined;
  });
}

/** Returns the names that do not name a commit of the repository. Runs git once. */
export async function missingCommits(root: string, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}^{commit}\n`).join('');
  const { stdout } = await runGit(['cat-file', '--batch-check'], { cwd: root, input });
  const lines = stdout.toString('utf8').split('\n');
  return names.filter((_, index) => !/ commit \d+$/.test(lines[index] ?? ''));
}

/** Returns whether the content exceeds the limit of the request. */
export function isCutOff({ bytes, size }: GitObject): boolean {
  return bytes.length < size;
}

/**
 * The readers, by the state of a repository and its settings. If this state changes, a new git process is started and
 * reads the settings again.
 */
const readers = new Map<string, ObjectReader>();

/** How long git waits for the next request, in milliseconds. */
const patience = 10_000;

interface StartedGit {
  readonly child: ChildProcess;
  readonly output: Output;
}

/**
 * Reads objects through one `git cat-file --batch`, because starting git takes longer than reading an object. Carries
 * out one request at a time. While git waits for a request, the git process does not keep this process running.
 */
class ObjectReader {
  readonly #top: string;
  readonly #onRest: () => void;
  #git: StartedGit | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(top: string, onRest: () => void) {
    this.#top = top;
    this.#onRest = onRest;
  }

  async read(names: readonly string[], maxBytes: number): Promise<Objects | undefined> {
    clearTimeout(this.#timer);
    const request = this.#last.then(() => this.#carryOut(names, maxBytes));
    this.#last = request;
    const objects = await request;
    if (this.#last === request) this.#pause();
    return objects;
  }

  async #carryOut(names: readonly string[], maxBytes: number): Promise<Objects | undefined> {
    const git = this.#git ?? this.#start();
    git.child.ref();
    git.child.stdin?.write(names.map((name) => `${name}\n`).join(''));
    const objects = await objectsIn(git.output, names.length, maxBytes);
    const last = objects?.at(-1);
    if (objects === undefined || (last !== undefined && isCutOff(last))) this.#stop(git);
    return objects;
  }

  #start(): StartedGit {
    const child = startGit(['cat-file', '--batch'], { cwd: this.#top }, ['pipe', 'pipe', 'ignore']);
    const { stdin, stdout } = child;
    if (stdout === null) throw new Error('git was started without an output');
    for (const stream of [stdin, stdout]) if (stream instanceof Socket) stream.unref();
    const git = { child, output: new Output(stdout) };
    // If git cannot be started or has ended, its output ends, and `objectsIn` returns undefined.
    for (const emitter of [child, stdin]) emitter?.on('error', () => undefined);
    child.once('exit', () => this.#forget(git));
    this.#git = git;
    return git;
  }

  #pause(): void {
    this.#git?.child.unref();
    this.#timer = setTimeout(() => {
      if (this.#git !== undefined) this.#stop(this.#git);
      this.#onRest();
    }, patience).unref();
  }

  #stop(git: StartedGit): void {
    git.child.stdout?.destroy();
    if (this.#git === git) endGroup(git.child);
    this.#forget(git);
  }

  #forget(git: StartedGit): void {
    if (this.#git === git) this.#git = undefined;
  }
}

/** Reads objects from git's output. Returns undefined if the output ends early. */
async function objectsIn(output: Output, count: number, maxBytes: number): Promise<Objects | undefined> {
  const objects: (GitObject | undefined)[] = [];
  let remaining = maxBytes;
  while (objects.length < count) {
    const header = await output.line();
    if (header === undefined) return undefined;
    // For an object that git does not find, git prints `NAME missing` without content.
    const [, oid, type = '', length] = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(header) ?? [];
    const size = Number(length);
    if (oid === undefined) {
      objects.push(undefined);
      continue;
    }
    const bytes = await output.bytes(Math.min(size, remaining));
    if (bytes === undefined) return undefined;
    objects.push({ oid, type, size, bytes });
    if (bytes.length < size) return objects;
    remaining -= size;
    // A line feed follows the content.
    await output.bytes(1);
  }
  return objects;
}

/**
 * A stream that is read in lines and in pieces of a given size. Returns undefined for a line or piece that the stream
 * ends within.
 */
class Output {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) return this.#take(end + 1).toString('utf8', 0, end);
      const chunk = await this.#next();
      if (chunk === undefined) return undefined;
      this.#rest = Buffer.concat([this.#rest, chunk]);
    }
  }

  async bytes(size: number): Promise<Buffer | undefined> {
    if (size <= this.#rest.length) return this.#take(size);
    const chunks = [this.#rest];
    for (let length = this.#rest.length; length < size; ) {
      const chunk = await this.#next();
      if (chunk === undefined) return undefined;
      chunks.push(chunk);
      length += chunk.length;
    }
    this.#rest = Buffer.concat(chunks);
    return this.#take(size);
  }

  #take(size: number): Buffer {
    const taken = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size);
    return taken;
  }

  async #next(): Promise<Buffer | undefined> {
    const next = await this.#chunks.next().catch(() => undefined);
    return next === undefined || next.done ? undefined : next.value;
  }
}

interface HeadCommit {
  readonly commit: string;
  readonly branch: string | undefined;
  readonly parents: readonly string[];
  readonly author: string;
  readonly message: string;
}

/** Reads the checked-out commit. Returns undefined before the first commit, and if there is no usable repository. */
export const headCommit: (root: string) => Promise<HeadCommit | undefined> = memoizedByGitState(
  async (root) => {
    const found = await findRepository(root);
    if ('problem' in found || found.head === undefined) return undefined;
    const { head: commit, branch } = found;
    // Unlike `git log`, the commit object names the parents even if a shallow clone does not contain these parents. A
    // message of more than 1 MiB is truncated.
    const { bytes = Buffer.alloc(0) } = (await readObject(root, commit)) ?? {};
    const [, encoding = 'utf-8'] = /^encoding (.+)$/m.exec(headerOf(bytes)) ?? [];
    const text = decoded(bytes, encoding);
    const header = headerOf(text);
    return {
      commit,
      branch,
      parents: parentsIn(header),
      author: /^author ([^<\n]*)/m.exec(header)?.[1]?.trim() ?? '',
      message: text.slice(header.length + 2),
    };
  },
  (head) => head !== undefined,
);

/**
 * Returns the first parent that a commit names, even if a shallow clone does not contain this parent. Returns undefined
 * for a first commit.
 */
export async function firstParentOf(root: string, commit: string): Promise<string | undefined> {
  const { bytes = Buffer.alloc(0) } = (await readObject(root, commit)) ?? {};
  return parentsIn(headerOf(bytes))[0];
}

function parentsIn(header: string): string[] {
  return [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent);
}

function headerOf(commit: Buffer | string): string {
  return commit.toString().split('\n\n', 1)[0] ?? '';
}

function decoded(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
