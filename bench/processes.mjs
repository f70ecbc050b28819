// Starts the measured processes, with an environment that does not depend on the environment of the caller.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const cli = join(root, 'dist/cli.js');

const peakReporter = pathToFileURL(join(root, 'bench/contenders/report-peak.mjs')).href;

/** Runs node to its end. Returns the milliseconds from the spawn to the exit. Throws the output of a failed run. */
export async function timed(args, options) {
  return (await run(args, options)).ms;
}

/** Runs node to its end and returns its output. */
export async function outputOf(args, options) {
  return (await run(args, { ...options, stdout: 'pipe' })).stdout;
}

async function run(args, options = {}) {
  const startedAt = performance.now();
  const child = start(args, options);
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const [code] = await once(child, 'exit');
  const ms = performance.now() - startedAt;
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}: ${(await stderr).slice(-2000)}`);
  return { ms, stdout: await stdout };
}

async function textOf(stream) {
  return stream === null ? '' : Buffer.concat(await stream.toArray()).toString();
}

/**
 * Runs node to its end. Returns the milliseconds and the peak memory in megabytes. Measuring the memory takes a few
 * milliseconds.
 */
export async function measured(args, options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-peak-'));
  const file = join(folder, 'peak');
  const ms = await timed(['--import', peakReporter, ...args], {
    ...options,
    env: { ...options.env, BENCH_PEAK_FILE: file },
  });
  const bytes = Number(await readFile(file, 'utf8'));
  await rm(folder, { recursive: true });
  return { ms, megabytes: bytes / 1e6 };
}

/** Starts the emulator in a separate process, without its request log. Its control routes set the latency. */
export async function startService() {
  const child = start([join(root, 'bench/contenders/service.mjs')], { stdout: 'pipe' });
  child.stderr.resume();
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const baseUrl = line.trim();
  const control = async (path, method, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}/__emulator/${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    baseUrl,
    latency: (ms) => control('faults', 'PUT', ms === 0 ? [] : [{ kind: 'latency', ms }]),
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/**
 * Starts node with only PATH and HOME of this process. Other variables could distort times: NODE_EXTRA_CA_CERTS alone
 * would add 33 ms to every start on Node 20. Runs without a cache, unless the cache is measured.
 */
function start(args, { cwd = root, env = {}, stdout = 'ignore' }) {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, args, {
    cwd,
    env: { PATH, HOME, AGENTFORM_CACHE: '', ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
}
