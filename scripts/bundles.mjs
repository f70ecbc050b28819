// What is bundled and how. Runtime packages are in the bundles, because resolving and reading hundreds of small files is most of a
// start-up. They stay listed under dependencies, so that people and scanners see what runs.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lazyStringWidth, leanYargs } from './lean-start.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

const shared = {
  absWorkingDir: root,
  bundle: true,
  // Names are kept as they are: renaming saves little of a start-up, and keeping them beside it costs 7 % of a long run.
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  define: { AGENTFORM_VERSION: JSON.stringify(version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  // Its build for Node is CommonJS, which cannot be merged into the rest, and costs some milliseconds of every start.
  alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  plugins: [lazyStringWidth, leanYargs],
  logLevel: 'warning',
};

/** The CLI shares no file with the library: what both need would lie in more and smaller files, each 1 ms of a start. */
const split = { ...shared, outdir: 'dist', splitting: true, sourcemap: 'linked', legalComments: 'linked' };

/** One file that is committed, because GitHub runs it as it is in the repository: the same bytes on every machine. */
export const action = {
  ...shared,
  entryPoints: { action: 'src/action/main.ts' },
  outdir: 'dist',
  legalComments: 'eof',
};

/** The bundles of the package: what esbuild is told about each. */
export const packageBundles = [
  { ...split, entryPoints: { cli: 'src/main.ts' }, chunkNames: 'chunks/[name]-[hash]' },
  { ...split, entryPoints: { index: 'src/index.ts' }, chunkNames: 'library/[name]-[hash]' },
];
