// What is bundled and how. Runtime packages are in the bundles, because resolving and reading hundreds of small files is most of a
// start-up. So the package depends on nothing; bom.cdx.json lists what is inside for scanners, THIRD-PARTY-NOTICES for people.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lazyStringWidth, leanActions, leanUndici, leanYargs, recheckApart } from './lean-start.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

/** What the program is made from, as a digest: what one made of a manifest and kept is nothing to another. */
async function buildDigest() {
  const sources = ['src', 'schemas'].map(async (folder) => {
    const names = await readdir(`${root}${folder}`, { recursive: true });
    return names.filter((name) => /\.(ts|json)$/.test(name)).map((name) => `${folder}/${name}`);
  });
  const hash = createHash('sha256');
  for (const path of ['package-lock.json', ...(await Promise.all(sources)).flat().sort()]) {
    hash.update(`${path}\n`).update(await readFile(`${root}${path}`));
  }
  return hash.digest('hex');
}

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
  plugins: [lazyStringWidth, leanUndici, leanYargs],
  logLevel: 'warning',
};

/** Two files that are committed, because GitHub runs them as they are in the repository: the same bytes on every machine. */
export const action = {
  ...shared,
  entryPoints: { action: 'src/action/main.ts', recheck: 'recheck/lib/browser.js' },
  plugins: [recheckApart, leanActions, ...shared.plugins],
  outdir: 'dist',
  legalComments: 'eof',
};

/** The package: command line and library, which share what both need. */
export const packageBundle = {
  ...shared,
  entryPoints: { cli: 'src/main.ts', index: 'src/index.ts' },
  // The action tells itself from others by the digest of its file: its bundle must not change with what is not in it.
  define: { ...shared.define, AGENTFORM_BUILD: JSON.stringify(await buildDigest()) },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  legalComments: 'linked',
};

/** The extension for VS Code, which loads CommonJS. */
export const extension = {
  absWorkingDir: root,
  entryPoints: { extension: 'editors/vscode/src/extension.ts' },
  outdir: 'editors/vscode/dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  // The Node of VS Code 1.91.
  target: 'node20.9',
  format: 'cjs',
  external: ['vscode'],
  legalComments: 'none',
  logLevel: 'warning',
};

/** Modules for a script that reads what they declare. */
export const sourceBundle = {
  ...shared,
  define: { ...shared.define, AGENTFORM_BUILD: '"source"' },
  plugins: [leanActions, ...shared.plugins],
  splitting: true,
  minifyWhitespace: false,
  outExtension: { '.js': '.mjs' },
};

/** What a run needs, by how far it gets: the command line itself, a project, a plan. */
export const levels = ['src/commands/program.ts', 'src/commands/validate/validate.ts', 'src/commands/plan/plan.ts'];
