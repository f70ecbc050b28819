import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../processes.mjs';

/** Bundles the bare loops as the CLI is bundled, so that loading their packages does not speak for us. */
export async function buildContenders(outdir) {
  await build({
    entryPoints: ['bare-gets', 'bare-yaml'].map((name) => join(root, `bench/contenders/${name}.mjs`)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return { gets: join(outdir, 'bare-gets.mjs'), yaml: join(outdir, 'bare-yaml.mjs') };
}
