// Bundles the CLI and the library into dist/. Commands are split into chunks that load on demand, and runtime packages
// stay outside, so that people and scanners see what runs.
import { chmod, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

await rm(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  sourcemap: 'linked',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  external: ['recheck'],
  define: { AGENTFORM_VERSION: JSON.stringify(version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  legalComments: 'linked',
  logLevel: 'warning',
});
await chmod(`${root}dist/cli.js`, 0o755);
