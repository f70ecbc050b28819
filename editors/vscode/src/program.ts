import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An installed agentform. */
export interface Program {
  readonly version: string;
  /** Its command line, a module of Node. */
  readonly path: string;
}

/** The agentform whose package is in the folder; undefined if there is none. */
export function programIn(folder: string): Program | undefined {
  const path = join(folder, 'dist', 'cli.js');
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const version = isObject(manifest) && manifest.name === 'agentform' ? manifest.version : undefined;
    return typeof version === 'string' && existsSync(path) ? { version, path } : undefined;
  } catch {
    return undefined;
  }
}

/** The agentform in `node_modules` of the folder or of a parent folder up to `top`; undefined if there is none. */
export function programAround(folder: string, top: string): Program | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = programIn(join(at, 'node_modules', 'agentform'));
    if (found !== undefined || at === top || dirname(at) === at) return found;
  }
}

/** The newest program. The bundled one, unless another is at least as new. */
export function newestProgram(bundled: Program, others: ReadonlyArray<Program | undefined>): Program {
  return others.reduce<Program>(
    (newest, one) => (one !== undefined && isAtLeast(one.version, newest.version) ? one : newest),
    bundled,
  );
}

/** A prerelease is older than its release. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [own, other] = [ranksOf(version), ranksOf(wanted)];
  const different = own.findIndex((rank, index) => rank !== other[index]);
  return different < 0 || (own[different] ?? 0) > (other[different] ?? 0);
}

function ranksOf(version: string): readonly number[] {
  const [, major, minor, patch, rest] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-)?/.exec(version) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0), rest === undefined ? 0 : -1];
}

export interface ProgramRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

/** Runs a command of agentform. It fails only if it cannot start, or was stopped. */
export function runProgram({ path }: Program, args: readonly string[], options: RunOptions): Promise<ProgramRun> {
  const settings = { ...options, env: nodeEnvironment(), maxBuffer: maxOutput };
  return new Promise((settle, reject) => {
    execFile(nodePath(), [path, ...args], settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') settle({ code, stdout, stderr });
      else reject(error);
    });
  });
}

/** The maximum output. The page of a large plan has tens of megabytes. */
const maxOutput = 256 * 1024 * 1024;

/** VS Code itself runs agentform, so users need no Node installation. The Node in VS Code 1.91 is too old. */
export function nodePath({ node }: { readonly node: string } = process.versions): string {
  return isAtLeast(node, '20.12.0') ? process.execPath : 'node';
}

/** Makes the program of VS Code run as Node. */
export function nodeEnvironment(): Record<string, string> {
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(own), ELECTRON_RUN_AS_NODE: '1' };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
