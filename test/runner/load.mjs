// Module loader hooks for test files and their imports. The query of a module's URL is the number of its test file. The
// query ends with `&all` if modules in src/ are also evaluated for each test file.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';

const tests = new URL('..', import.meta.url).href;
const jestGlobals = new URL('jest-globals.mjs', import.meta.url).href;
const cacheFolder = resolvePath(import.meta.dirname, '../../node_modules/.cache/agentform/without-types');
await mkdir(cacheFolder, { recursive: true });

export function resolve(specifier, context, next) {
  const version = context.parentURL === undefined ? '' : new URL(context.parentURL).search;
  if (specifier === '@jest/globals') return { url: jestGlobals + version, shortCircuit: true };
  if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return next(specifier, context);
  const { href } = new URL(specifier, context.parentURL);
  const isAnew = href.startsWith(tests) || version.endsWith('&all');
  return { url: isAnew ? href + version : href, shortCircuit: true };
}

export async function load(url, context, next) {
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'file:' || !pathname.endsWith('.ts')) return next(url, context);
  const text = await readFile(fileURLToPath(url), 'utf8');
  return { format: 'module', source: await withoutTypes(text), shortCircuit: true };
}

/** Replaces types with blanks, so that positions in errors match the source. Caches the result for later runs. */
async function withoutTypes(text) {
  const path = join(cacheFolder, createHash('sha256').update(text).digest('hex'));
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const { default: typescript } = await import('@swc/wasm-typescript');
  const { code } = await typescript.transform(text, { mode: 'strip-only', module: true });
  const made = `${path}.${randomUUID()}`;
  await writeFile(made, code);
  await rename(made, path);
  return code;
}
