import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  Hover,
  Location,
  Position,
  Range,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { serve } from '../../src/lsp/server.ts';
import { JsonRpc, type Message } from './json-rpc.ts';

interface ClientOptions {
  readonly capabilities?: object;
  readonly processId?: number | null;
}

/** A minimal editor for the protocol. It sends requests, and collects the published diagnostics of each file. */
export class LspClient {
  /** The latest published diagnostics of each file, by path relative to the folder. */
  readonly published = new Map<string, readonly Diagnostic[]>();
  /** The path of each publication of diagnostics, in order. */
  readonly publications: string[] = [];
  /** The requests from the server. */
  readonly asked: Message[] = [];
  readonly root: string;
  readonly #rpc: JsonRpc;
  readonly #versions = new Map<string, number>();
  #wake: () => void = () => {};

  constructor(root: string, streams: { readonly input: Writable; readonly output: Readable }) {
    this.root = root;
    this.#rpc = new JsonRpc(streams, (method, message) => this.#called(method, message));
  }

  /** Starts a server in this process. Tests must not send `exit` to this server. */
  static async inProcess(
    root: string,
    env: Readonly<Record<string, string>> = {},
    options: ClientOptions = {},
  ): Promise<LspClient> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    serve({ version: '0.0.0', env, cache: undefined, now: () => new Date(), input, output });
    const client = new LspClient(root, { input, output });
    await client.initialize(options);
    return client;
  }

  async initialize({ capabilities = usualCapabilities, processId = null }: ClientOptions = {}): Promise<unknown> {
    const uri = pathToFileURL(this.root).href;
    const answer = await this.request('initialize', {
      ...{ processId, rootUri: uri, workspaceFolders: [{ uri, name: 'project' }], capabilities },
    });
    this.notify('initialized', {});
    return answer;
  }

  uri(path: string): string {
    return pathToFileURL(join(this.root, path)).href;
  }

  /** Converts a URI to a path relative to the folder. */
  pathOf(uri: string): string {
    return fileURLToPath(uri).slice(this.root.length + 1);
  }

  open(path: string, text: string): void {
    this.#versions.set(path, 1);
    const languageId = path.endsWith('.md') ? 'markdown' : 'yaml';
    this.notify('textDocument/didOpen', { textDocument: { uri: this.uri(path), languageId, version: 1, text } });
  }

  /** Replaces the text of an open document. */
  edit(path: string, text: string): void {
    this.#change(path, [{ text }]);
  }

  /** Replaces a range of an open document, as an editor does. */
  replace(path: string, range: Range, text: string): void {
    this.#change(path, [{ range, text }]);
  }

  #change(path: string, contentChanges: readonly object[]): void {
    const version = (this.#versions.get(path) ?? 0) + 1;
    this.#versions.set(path, version);
    this.notify('textDocument/didChange', { textDocument: { uri: this.uri(path), version }, contentChanges });
  }

  close(path: string): void {
    this.#versions.delete(path);
    this.notify('textDocument/didClose', { textDocument: { uri: this.uri(path) } });
  }

  save(path: string): void {
    this.notify('textDocument/didSave', { textDocument: { uri: this.uri(path) } });
  }

  /** Writes or deletes a file, and notifies the server. */
  async write(path: string, text: string | undefined): Promise<void> {
    const absolute = join(this.root, path);
    if (text === undefined) await rm(absolute, { recursive: true, force: true });
    else {
      await mkdir(dirname(absolute), { recursive: true });
      await writeFile(absolute, text);
    }
    this.watched([[path, text === undefined ? 3 : 2]]);
  }

  /** Adds and removes folders, relative to the root. */
  moveFolders(folders: { readonly added?: readonly string[]; readonly removed?: readonly string[] }): void {
    const named = (paths: readonly string[] = []) => paths.map((path) => ({ uri: this.uri(path), name: path }));
    const event = { added: named(folders.added), removed: named(folders.removed) };
    this.notify('workspace/didChangeWorkspaceFolders', { event });
  }

  watched(changes: ReadonlyArray<readonly [path: string, type: number]>): void {
    const events = changes.map(([path, type]) => ({ uri: this.uri(path), type }));
    this.notify('workspace/didChangeWatchedFiles', { changes: events });
  }

  /** Waits until the published diagnostics satisfy `fits`. */
  async until(fits: (published: ReadonlyMap<string, readonly Diagnostic[]>) => boolean): Promise<void> {
    while (!fits(this.published)) {
      await new Promise<void>((settle) => {
        this.#wake = settle;
      });
    }
  }

  /** Waits until all edits so far are checked, and returns the messages of a file. */
  async messages(path: string): Promise<string[]> {
    await this.settled();
    return (this.published.get(path) ?? []).map(({ message }) => String(message));
  }

  /** Waits until earlier edits are checked. The server answers this request only after these checks. */
  async settled(): Promise<void> {
    await this.request('textDocument/documentLink', { textDocument: { uri: this.uri('agentform.yaml') } });
  }

  hover(path: string, position: Position): Promise<Hover | null> {
    return this.at('textDocument/hover', path, position);
  }

  async completions(path: string, position: Position): Promise<CompletionItem[]> {
    const found = await this.at<CompletionItem[] | { readonly items: CompletionItem[] } | null>(
      'textDocument/completion',
      path,
      position,
    );
    return found === null ? [] : 'items' in found ? found.items : found;
  }

  async definition(path: string, position: Position): Promise<string[]> {
    return this.#places(await this.at<Location[] | null>('textDocument/definition', path, position));
  }

  async references(path: string, position: Position): Promise<string[]> {
    const textDocument = { uri: this.uri(path) };
    const params = { textDocument, position, context: { includeDeclaration: false } };
    return this.#places(await this.request<Location[] | null>('textDocument/references', params));
  }

  /** Formats locations as `path:line:column`, counted from 1. */
  #places(locations: readonly Location[] | null): string[] {
    return (locations ?? []).map(
      ({ uri, range: { start } }) => `${this.pathOf(uri)}:${start.line + 1}:${start.character + 1}`,
    );
  }

  async actions(path: string, range: Range): Promise<CodeAction[]> {
    const textDocument = { uri: this.uri(path) };
    const diagnostics = (this.published.get(path) ?? []).filter(
      ({ range: own }) => own.start.line <= range.end.line && own.end.line >= range.start.line,
    );
    const found = await this.request<CodeAction[] | null>('textDocument/codeAction', {
      ...{ textDocument, range, context: { diagnostics } },
    });
    return found ?? [];
  }

  rename(path: string, position: Position, newName: string): Promise<WorkspaceEdit | null> {
    const textDocument = { uri: this.uri(path) };
    return this.request('textDocument/rename', { textDocument, position, newName });
  }

  at<Result>(method: string, path: string, position: Position): Promise<Result> {
    return this.request(method, { textDocument: { uri: this.uri(path) }, position });
  }

  async request<Result>(method: string, params: unknown): Promise<Result> {
    return (await this.#rpc.request(method, params)) as Result;
  }

  notify(method: string, params: unknown): void {
    this.#rpc.notify(method, params);
  }

  /** Sends a text in a frame, even if it is not a valid message. */
  frame(text: string): void {
    this.#rpc.frame(text);
  }

  #called(method: string, message: Message): void {
    if (message.id !== undefined) this.asked.push(message);
    if (method !== 'textDocument/publishDiagnostics') return;
    const { uri, diagnostics } = message.params as {
      readonly uri: string;
      readonly diagnostics: readonly Diagnostic[];
    };
    this.publications.push(this.pathOf(uri));
    if (diagnostics.length === 0) this.published.delete(this.pathOf(uri));
    else this.published.set(this.pathOf(uri), diagnostics);
    this.#wake();
  }
}

export const usualCapabilities = {
  workspace: {
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: true },
    workspaceEdit: { documentChanges: true, resourceOperations: ['create'] },
  },
  textDocument: { completion: { completionItem: { snippetSupport: true } } },
};

const program = resolve(import.meta.dirname, '../../dist/cli.js');

/** Starts the built program as a language server. */
export function startServer(args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [program, 'lsp', '--stdio', '--no-cache', ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended: Promise<number | null> = once(child, 'exit').then(([code]) => code);
  return { child, ended, on: (root: string) => new LspClient(root, { input: child.stdin, output: child.stdout }) };
}

export type ServerProcess = ChildProcess;

/** Returns the position of a mark in a text: its start, its end, or an offset from its start. */
export function positionOf(text: string, mark: string, where: 'start' | 'end' | number = 'start'): Position {
  const index = text.indexOf(mark);
  if (index < 0) throw new Error(`there is no ${mark}`);
  const offset = index + (where === 'start' ? 0 : where === 'end' ? mark.length : where);
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}
