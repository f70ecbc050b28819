// Makes the validators from schemas/, and bundles the command line, the library and the action into dist/. With
// --package, it also makes the library's types. With --source-maps, it writes source maps for debuggers. With
// --notices, it writes the licences of the bundled packages. With --check, it changes nothing, and fails if these
// licences or a committed file of the action are not current.
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { build } from 'esbuild';
import { action, levels, packageBundle, root } from './bundles.mjs';
import { fewChunks } from './few-chunks.mjs';
import { makeValidators } from './generate/validators.mjs';
import { keepNotices } from './notices.mjs';

const isCheck = process.argv.includes('--check');

await makeValidators();
const bundled = { action: await buildAction(), package: await buildPackage() };
if (isCheck || process.argv.includes('--notices')) await keepNotices(bundled);
if (process.argv.includes('--package')) await writeTypes();

async function buildAction() {
  const { outputFiles = [], metafile } = await build({ ...action, write: !isCheck, metafile: true });
  const stale = [];
  for (const { path, contents } of outputFiles) {
    const committed = await readFile(path).catch(() => Buffer.alloc(0));
    if (!committed.equals(Buffer.from(contents))) stale.push(relative(root, path));
  }
  if (stale.length > 0) {
    console.log(`not current: ${stale.join(', ')}: run \`npm run build\` and commit what changed`);
    process.exitCode = 1;
  }
  return metafile;
}

async function buildPackage() {
  const built = await readdir(`${root}dist`).catch(() => []);
  const committed = Object.keys(action.entryPoints).map((name) => `${name}.js`);
  const old = built.filter((name) => !committed.includes(name));
  await Promise.all(old.map((name) => rm(`${root}dist/${name}`, { recursive: true, force: true })));
  const plugins = [...packageBundle.plugins, await fewChunks(packageBundle, levels)];
  const sourcemap = process.argv.includes('--source-maps');
  const { metafile } = await build({ ...packageBundle, plugins, sourcemap, metafile: true });
  await chmod(`${root}dist/cli.js`, 0o755);
  return metafile;
}

/**
 * Writes the types of the library to one file. The file needs no types from other packages, because users of the
 * library install only agentform.
 */
async function writeTypes() {
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')]);
  const bundle = await rollup({
    input: `${root}src/index.ts`,
    plugins: [dts({ tsconfig: `${root}tsconfig.json` })],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'es' });
  const [{ code, imports }] = output;
  if (imports.length > 0) throw new Error(`the library's types need those of ${imports.join(', ')}`);
  await writeFile(`${root}dist/index.d.ts`, code);
}
