// Builds editors/vscode/dist/: the extension and its bundled agentform.
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { extension, levels, packageBundle, root } from './bundles.mjs';
import { fewChunks } from './few-chunks.mjs';
import { makeValidators } from './generate/validators.mjs';

const folder = `${root}${extension.outdir}`;
const server = `${folder}/server`;

await makeValidators();
await rm(folder, { recursive: true, force: true });
await build(extension);
// Does not build into dist/, because dist/ may be in use.
const plugins = [...packageBundle.plugins, await fewChunks(packageBundle, levels)];
await build({ ...packageBundle, plugins, outdir: `${server}/dist` });
await Promise.all([
  rm(`${server}/dist/index.js`),
  cp(`${root}schemas`, `${server}/schemas`, { recursive: true }),
  copyFile(`${root}THIRD-PARTY-NOTICES`, `${server}/THIRD-PARTY-NOTICES`),
  describe(),
]);

/**
 * Writes a package.json for the bundled agentform, so that the extension finds agentform like a package in
 * `node_modules`.
 */
async function describe() {
  const { name, version, license, type } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  await mkdir(server, { recursive: true });
  await writeFile(`${server}/package.json`, `${JSON.stringify({ name, version, license, type }, null, 2)}\n`);
}
