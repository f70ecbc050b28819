// Bundles the CLI and the library into dist/, with the runtime packages in it, because resolving and reading hundreds of
// small files is most of a start-up. They stay listed under dependencies, so that people and scanners see what runs.
import { chmod, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lazyStringWidth } from './lazy-string-width.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

await rm(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  // Names are kept as they are: renaming saves little of a start-up, and keeping them beside it costs 7 % of a long run.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  define: { AGENTFORM_VERSION: JSON.stringify(version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  legalComments: 'linked',
  // Its build for Node is CommonJS, which cannot be merged into the rest, and costs some milliseconds of every start.
  alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  plugins: [lazyStringWidth],
  logLevel: 'warning',
});
await chmod(`${root}dist/cli.js`, 0o755);
