import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { JsonRpc } from './json-rpc.ts';

const server = resolve(import.meta.dirname, '../../tools/node_modules/yaml-language-server/bin/yaml-language-server');

/** The position of the cursor. Lines and characters are counted from 0. */
export interface Cursor {
  readonly line: number;
  readonly character: number;
}

/**
 * The YAML language server for a folder. The server runs as in an editor: over stdio, and with the settings in
 * `.vscode/settings.json`.
 */
export class LanguageServer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #root: string;
  readonly #rpc: JsonRpc;
  readonly #problems = new Map<string, (problems: string[]) => void>();
  #settings: Readonly<Record<string, unknown>>;

  private constructor(root: string, settings: Readonly<Record<string, unknown>>) {
    this.#root = root;
    this.#settings = settings;
    this.#process = spawn(process.execPath, [server, '--stdio'], { cwd: root });
    const { stdin: input, stdout: output } = this.#process;
    this.#rpc = new JsonRpc({ input, output }, (method, { params }) => this.#called(method, params));
  }

  /** Starts the server. `settings` are the settings of the editor, such as `yaml.schemas`. */
  static async start(root: string, settings: Readonly<Record<string, unknown>> = {}): Promise<LanguageServer> {
    const started = new LanguageServer(root, settings);
    const folder = pathToFileURL(root).href;
    await started.#rpc.request('initialize', {
      processId: process.pid,
      rootUri: folder,
      workspaceFolders: [{ uri: folder, name: 'project' }],
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { hover: { contentFormat: ['markdown'] }, completion: { completionItem: {} } },
      },
    });
    started.#rpc.notify('initialized', {});
    started.#rpc.notify('workspace/didChangeConfiguration', { settings: {} });
    return started;
  }

  /** Opens a file with this text. The file need not be on disk. Returns the messages of its diagnostics. */
  async open(path: string, text: string): Promise<string[]> {
    const uri = this.#uri(path);
    const problems = new Promise<string[]>((settle) => this.#problems.set(uri, settle));
    this.#rpc.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    return problems;
  }

  /** Returns the Markdown of the hover at a position. Returns an empty string if there is no hover. */
  async hover(path: string, position: Cursor): Promise<string> {
    const answer = await this.#at('textDocument/hover', path, position);
    return isObject(answer) && isObject(answer.contents) ? String(answer.contents.value) : '';
  }

  /** Returns the labels of the completions at a position, in alphabetical order. */
  async completions(path: string, position: Cursor): Promise<string[]> {
    return (await this.#items(path, position)).map(({ label }) => String(label)).sort();
  }

  /** Returns the snippet that the completion with this label inserts. */
  async inserted(path: string, wanted: string, position: Cursor): Promise<string> {
    const item = (await this.#items(path, position)).find(({ label }) => label === wanted);
    return String(item?.insertText);
  }

  async #items(path: string, position: Cursor) {
    const answer = await this.#at('textDocument/completion', path, position);
    return isObject(answer) && Array.isArray(answer.items) ? answer.items.filter(isObject) : [];
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'close');
    this.#process.kill();
    await ended;
  }

  #at(method: string, path: string, position: Cursor): Promise<unknown> {
    return this.#rpc.request(method, { textDocument: { uri: this.#uri(path) }, position });
  }

  #uri(path: string): string {
    return pathToFileURL(join(this.#root, path)).href;
  }

  #called(method: string, params: unknown): unknown {
    if (method === 'textDocument/publishDiagnostics' && isObject(params)) {
      const found: unknown[] = Array.isArray(params.diagnostics) ? params.diagnostics : [];
      this.#problems.get(String(params.uri))?.(found.map((each) => (isObject(each) ? String(each.message) : '')));
    }
    return this.#answerTo(method, params);
  }

  /** Answers requests from the server. Returns the requested settings, and acknowledges all other requests. */
  #answerTo(method: string, params: unknown): unknown {
    if (method !== 'workspace/configuration' || !isObject(params) || !Array.isArray(params.items)) return null;
    return params.items.map((item: unknown) => this.#section(isObject(item) ? String(item.section) : ''));
  }

  /** Returns the settings of a section. They prevent the server from loading schemas from the network. */
  #section(section: string): unknown {
    if (section !== 'yaml') return {};
    return {
      ...{ hover: true, completion: true, validate: true, schemaStore: { enable: false } },
      schemas: this.#settings['yaml.schemas'] ?? {},
    };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
