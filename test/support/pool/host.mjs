// A process that runs one built program repeatedly, on request. Each run starts the program from the beginning, in the
// folder and environment of the request. As in a separate process, a run ends when all of its resources are closed.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';
// The optimizing compiler costs more time than it saves, even over many short runs.
import '../short-run.cjs';

// Unoptimized machine code, which V8 creates quickly, saves a tenth of the time of repeated runs.
setFlagsFromString('--always-sparkplug');

/** The maximum number of checks for resources that a run has left open. The checks are at least 50 ms apart. */
const maxLooks = 200;
const emitters = [process, process.stdout, process.stderr];
let runs = 0;

process.on('message', async ({ program, args, cwd, env }) => {
  const before = emitters.map(listenersOf);
  const open = openResources();
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(1, process.argv.length, program, ...args);
  process.exitCode = undefined;
  runs += 1;
  await start(program);
  const code = await endedBy(open);
  for (const [index, emitter] of emitters.entries()) removeOthers(emitter, before[index]);
  process.exitCode = undefined;
  process.chdir('/');
  process.stdout.write('\0');
  process.stderr.write('\0');
  process.send({ code, megabytes: process.memoryUsage.rss() / 1024 ** 2 });
});

async function start(program) {
  if (program.endsWith('/action.js')) await startWhole(program);
  // The query makes the program a new module, so that it runs again. The modules that it imports stay loaded.
  else await import(`file://${program}?${runs}`);
}

const cacheFolder = resolve(import.meta.dirname, '../../../node_modules/.cache/agentform');
let whole;

/**
 * Runs a program that consists of a single file. The program starts from the beginning each time, but is compiled only
 * once. It is compiled as a function, because Node 20 sometimes crashes if modules are created repeatedly.
 */
async function startWhole(program) {
  whole ??= await asFunction(program);
  const step = { url: pathToFileURL(program).href, folder: dirname(program), end: undefined };
  whole.runInThisContext()(createRequire(program), step);
  await step.end;
}

async function asFunction(program) {
  const text = await readFile(program, 'utf8');
  const name = `action-${createHash('sha256').update(text).digest('hex')}.cjs`;
  const code = await madeOnce(join(cacheFolder, name), () => functionBody(program, text));
  return new Script(`((require, __step) => { ${code}\n})`, {
    filename: program,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Creates a file once, for all processes and for later runs of the tests. */
async function madeOnce(path, make) {
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const text = await make();
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(`${path}.${process.pid}`, text);
  await rename(`${path}.${process.pid}`, path);
  return text;
}

async function functionBody(program, text) {
  const { transform } = await import('esbuild');
  const parts = text.split('await main();');
  if (parts.length !== 2) throw new Error(`${program} does not wait for its end once`);
  const { code } = await transform(parts.join('__step.end = main();'), {
    format: 'cjs',
    define: { 'import.meta.url': '__step.url', 'import.meta.dirname': '__step.folder' },
  });
  return code;
}

/** Waits for the end of a run. Returns the exit code, or the resources that remain open. */
async function endedBy(open) {
  let wait = 0;
  for (let looks = 0; ; looks += 1) {
    const left = openResources().filter((name) => !open.includes(name));
    if (left.length === 0) return process.exitCode ?? 0;
    if (looks === maxLooks) throw new Error(`a run left open: ${left.join(', ')}`);
    await sleep(wait);
    wait = Math.min(2 * wait + 1, 50);
  }
}

/**
 * Lists the open resources, numbered by type. For example, two sockets are `TCPSocketWrap 1` and `TCPSocketWrap 2`.
 * File readers are ignored, because Node reuses them.
 */
function openResources() {
  const counts = new Map();
  const names = process.getActiveResourcesInfo().filter((name) => name !== 'FileHandleReadWrap');
  return names.map((name) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `${name} ${counts.get(name)}`;
  });
}

function listenersOf(emitter) {
  return new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]));
}

function removeOthers(emitter, before) {
  for (const [name, listeners] of listenersOf(emitter)) {
    for (const listener of listeners) {
      if (!before.get(name)?.includes(listener)) emitter.removeListener(name, listener);
    }
  }
}
