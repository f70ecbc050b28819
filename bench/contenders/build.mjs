import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../processes.mjs';

/** Bundles the bare loops in the same way as the CLI. Otherwise, the loops would take longer to load their packages. */
export async function buildContenders(outdir) {
  const names = ['bare-gets', 'bare-yaml', 'bare-csv'];
  await build({
    entryPoints: names.map((name) => join(root, `bench/contenders/${name}.mjs`)),
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
  const [gets, yaml, csv] = names.map((name) => join(outdir, `${name}.mjs`));
  return { gets, yaml, csv };
}
