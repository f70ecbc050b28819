import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { sourceBundle } from './bundles.mjs';

/** Imports modules of src/, which Node 20 cannot load directly. Accepts paths by name, and returns modules by name. */
export async function importSource(paths) {
  const outdir = await mkdtemp(join(tmpdir(), 'agentform-source-'));
  try {
    await build({ ...sourceBundle, entryPoints: paths, outdir });
    const modules = Object.keys(paths).map(async (name) => [
      name,
      await import(pathToFileURL(join(outdir, `${name}.mjs`)).href),
    ]);
    return Object.fromEntries(await Promise.all(modules));
  } finally {
    await rm(outdir, { recursive: true });
  }
}
