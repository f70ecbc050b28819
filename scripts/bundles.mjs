// The configuration of the bundles. Runtime packages are bundled, because resolving and reading hundreds of small files
// would take most of the start time. Because of this, the npm package has no dependencies. bom.cdx.json lists the
// bundled packages for scanners, and THIRD-PARTY-NOTICES lists them for people.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lazyStringWidth, leanActions, leanUndici, leanYargs, recheckApart } from './lean-start.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

/**
 * Returns a digest of the program's sources. The digest identifies a build, because cached results of one build are not
 * valid for another build.
 */
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
  // Names are not minified. Short names would hardly speed up the start, and preserving function names with `keepNames`
  // would slow down long runs by 7 %.
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  define: { AGENTFORM_VERSION: JSON.stringify(version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  // The Node build of yaml is CommonJS. It cannot be merged into the bundle, and would add some milliseconds to every
  // start.
  alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  plugins: [lazyStringWidth, leanUndici, leanYargs],
  logLevel: 'warning',
};

/**
 * The action consists of two committed files, because GitHub runs them from the repository. Every machine builds the
 * same bytes.
 */
export const action = {
  ...shared,
  entryPoints: { action: 'src/action/main.ts', recheck: 'recheck/lib/browser.js' },
  plugins: [recheckApart, leanActions, ...shared.plugins],
  outdir: 'dist',
  legalComments: 'eof',
};

/** The package contains the command line and the library, which share common code. */
export const packageBundle = {
  ...shared,
  entryPoints: { cli: 'src/main.ts', index: 'src/index.ts' },
  // The action is identified by the digest of its file, so its bundle must not change if only other code changes.
  define: { ...shared.define, AGENTFORM_BUILD: JSON.stringify(await buildDigest()) },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  legalComments: 'linked',
};

/** The extension for VS Code. VS Code loads CommonJS. */
export const extension = {
  absWorkingDir: root,
  entryPoints: { extension: 'editors/vscode/src/extension.ts' },
  outdir: 'editors/vscode/dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  // Node 20.9 is the version in VS Code 1.91.
  target: 'node20.9',
  format: 'cjs',
  external: ['vscode'],
  legalComments: 'none',
  logLevel: 'warning',
};

/** Bundles modules for a script that reads their declarations. */
export const sourceBundle = {
  ...shared,
  define: { ...shared.define, AGENTFORM_BUILD: '"source"' },
  plugins: [leanActions, ...shared.plugins],
  splitting: true,
  minifyWhitespace: false,
  outExtension: { '.js': '.mjs' },
};

/**
 * The levels of code that commands load one after another: the command line, its problems, a project, the cache and a
 * plan.
 */
export const levels = [
  'src/commands/program.ts',
  'src/report/problems/problems-text.ts',
  'src/commands/validate/validate.ts',
  'src/workspace/user-cache.ts',
  'src/commands/plan/plan.ts',
];
