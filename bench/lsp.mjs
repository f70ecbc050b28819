import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cli, outputOf } from './processes.mjs';
import { agents } from './projects.mjs';
import { msRow } from './rows.mjs';

const edits = 21;

/**
 * Measures the language server in projects of several sizes: the time from a keystroke to the diagnostics, hovers,
 * completions, and memory.
 */
export async function measureLsp({ folder }) {
  const rows = [];
  for (const { count, most } of [
    { count: 100, most: 50 },
    { count: 1000, most: 100 },
    { count: 10_000, most: 500 },
  ]) {
    rows.push(...(await measureProject(await agents(count, 'http://127.0.0.1:9'), { count, most, folder })));
  }
  return rows;
}

async function measureProject(project, { count, most, folder }) {
  const env = { ...process.env, BENCH_TOKEN: 'x', AGENTFORM_CACHE: join(folder, `lsp-${count}`) };
  const cold = await session(project, env, { count, isShort: true });
  await outputOf([cli, 'validate', '--project', project], { env });
  const warm = await session(project, env, { count, isShort: true });
  const found = await session(project, env, { count, isShort: false });
  const row = (what, ms, aim, megabytes = found.megabytes) =>
    msRow(`${what}, ${count} manifests`, { ms, megabytes }, aim);
  // The aims for whole projects only apply to projects of up to a thousand manifests.
  const whole = (aim) => (count > 1000 ? {} : aim);
  return [
    row('opening a project in the editor', cold.opened, whole({ most: 2000 }), cold.megabytes),
    row('opening it with the facts of `validate`', warm.opened, whole({ most: 500 }), warm.megabytes),
    row('from a keystroke to the diagnostics of the file', found.edited, { most }),
    row('from a keystroke in a base to its diagnostics', found.own, { most }),
    row('from a keystroke in a base to all diagnostics', found.based, whole({ most: 2000, megabytes: 250 })),
    row('a hover', found.hovered, { most: 50 }),
    row('a completion', found.completed, { most: 50 }),
  ];
}

async function session(root, env, { count, isShort }) {
  const editor = new Editor(root, env);
  await editor.request('initialize', { processId: null, rootUri: pathToFileURL(root).href, capabilities: watching });
  editor.notify('initialized', {});
  const [name] = (await readdir(join(root, 'agents'))).sort();
  const [path, base] = [`agents/${name}`, 'shared/base.yaml'];
  const opened = await editor.timed(path, () => editor.open(path, textOf(root, path)));
  if (isShort) return { ...editor.stop(), opened: await opened };
  const text = await textOf(root, path);
  const baseText = await textOf(root, base);
  const edited = [];
  for (let index = 0; index < edits; index += 1) {
    edited.push(await editor.timed(path, () => editor.edit(path, text.replace(/title: /, `title: ${index} `))));
    await editor.settled();
  }
  const position = positionOf(text, 'title');
  const textDocument = { uri: editor.uri(path) };
  const [hovered, completed] = [[], []];
  for (let index = 0; index < edits; index += 1) {
    hovered.push(await time(() => editor.request('textDocument/hover', { textDocument, position })));
    completed.push(await time(() => editor.request('textDocument/completion', { textDocument, position })));
  }
  await editor.timed(base, () => editor.open(base, baseText));
  const [own, based] = [[], []];
  for (let index = 0; index < (count > 1000 ? 1 : 5); index += 1) {
    const first = await editor.timed(base, () => editor.edit(base, `${baseText}# ${index}\n`));
    own.push(first);
    based.push(first + (await time(() => editor.settled())));
  }
  const { megabytes } = editor.stop();
  return {
    megabytes,
    edited: median(edited),
    hovered: median(hovered),
    completed: median(completed),
    own: median(own),
    based: median(based),
  };
}

const watching = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };

async function textOf(root, path) {
  return readFile(join(root, path), 'utf8');
}

function positionOf(text, mark) {
  const before = text.slice(0, text.indexOf(mark) + 1).split('\n');
  return { line: before.length - 1, character: before.at(-1).length };
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/** A minimal editor, which only speaks the protocol. */
class Editor {
  #root;
  #process;
  #unread = Buffer.alloc(0);
  #waiting = new Map();
  #published = new Map();
  #requests = 0;
  #version = 1;

  constructor(root, env) {
    this.#root = root;
    this.#process = spawn(process.execPath, [cli, 'lsp', '--stdio'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.stdout.on('data', (chunk) => {
      this.#unread = Buffer.concat([this.#unread, chunk]);
      for (let message = this.#next(); message !== undefined; message = this.#next()) this.#take(message);
    });
  }

  uri(path) {
    return pathToFileURL(join(this.#root, path)).href;
  }

  async open(path, text) {
    const textDocument = { uri: this.uri(path), languageId: 'yaml', version: 1, text: await text };
    this.notify('textDocument/didOpen', { textDocument });
  }

  edit(path, text) {
    this.#version += 1;
    const textDocument = { uri: this.uri(path), version: this.#version };
    this.notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
  }

  /** Measures the time until the file's diagnostics are published. */
  timed(path, work) {
    const published = new Promise((settle) => this.#published.set(this.uri(path), settle));
    return time(async () => {
      await work();
      await published;
    });
  }

  /** Waits for all checks so far. The server answers a request only after these checks. */
  settled() {
    return this.request('textDocument/documentLink', { textDocument: { uri: this.uri('agentform.yaml') } });
  }

  request(method, params) {
    this.#requests += 1;
    const id = this.#requests;
    const answer = new Promise((settle) => this.#waiting.set(id, settle));
    this.#send({ id, method, params });
    return answer;
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  /** Ends the server, and returns its peak memory. */
  stop() {
    const megabytes = peakOf(this.#process.pid);
    this.#process.kill();
    return { megabytes };
  }

  #send(message) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #next() {
    const head = this.#unread.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.toString('latin1', 0, Math.max(head, 0)))?.[1]);
    const start = head + 4;
    if (head < 0 || this.#unread.length < start + length) return undefined;
    const message = JSON.parse(this.#unread.toString('utf8', start, start + length));
    this.#unread = this.#unread.subarray(start + length);
    return message;
  }

  #take({ id, method, params, result }) {
    if (method === undefined) this.#waiting.get(id)?.(result);
    else if (id !== undefined) this.#send({ id, result: null });
    if (method === 'textDocument/publishDiagnostics') this.#published.get(params.uri)?.();
  }
}

function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}
