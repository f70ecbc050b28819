// Lists the bundled packages with their licences: THIRD-PARTY-NOTICES for the package, THIRD-PARTY-NOTICES-ACTION for
// the action, and a file in editors/vscode/ for the extension. For scanners, also writes bom.cdx.json, the software
// bill of materials of the package (CycloneDX 1.6). esbuild lists the bundled files, and all other data comes from the
// lock file, so every machine writes the same texts.
import { readdir, readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { extension, root } from './bundles.mjs';
import { keepCurrent } from './keep-current.mjs';

const byCodeUnits = (one, other) => (one < other ? -1 : Number(one > other));

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished
to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Writes the lists of the packages in these bundles. Each bundle is given by its esbuild metafile. */
export async function keepNotices(bundled) {
  const inPackage = await packagesIn(bundled.package);
  const { metafile } = await build({ ...extension, write: false, metafile: true });
  await keepCurrent(
    root,
    {
      'THIRD-PARTY-NOTICES': notices('The package agentform', inPackage),
      'THIRD-PARTY-NOTICES-ACTION': notices('dist/action.js', await packagesIn(bundled.action)),
      'editors/vscode/THIRD-PARTY-NOTICES': notices('The extension for VS Code', await packagesIn(metafile)),
      'bom.cdx.json': await billOfMaterials(inPackage),
    },
    'npm run notices',
  );
}

/** Finds the packages in a bundle, sorted by title. */
async function packagesIn(metafile) {
  const folders = new Set([...(await foldersInGenerated()), ...foldersIn(metafile)]);
  const packages = await Promise.all([...folders].map(packageAt));
  // The same version of a package may be in two folders.
  const byTitle = new Map(packages.map((one) => [one.title, one]));
  return [...byTitle.values()].sort((one, other) => byCodeUnits(one.title, other.title));
}

function notices(what, packages) {
  const head = `${what} contains code of ${packages.length} other packages. Their licences follow.`;
  return `${[head, ...packages.map(section)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

async function billOfMaterials(packages) {
  const [own, lock] = await Promise.all(['package.json', 'package-lock.json'].map(json));
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...component(own) } },
    components: packages.map(({ folder, ...rest }) => ({
      type: 'library',
      ...component(rest),
      hashes: [hashOf(lock.packages[folder])],
    })),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function component({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licence = /^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license };
  return { 'bom-ref': purl, name, version, purl, licenses: [licence] };
}

/** Returns the hash of the archive from which the package was installed. */
function hashOf({ integrity }) {
  const [, digest] = /^sha512-(.+)$/.exec(integrity);
  return { alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') };
}

/** Returns the folders of the packages in a bundle. */
function foldersIn({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput === 0 ? [] : folderOf(path))),
  );
}

/**
 * Returns the folders of packages with code in the generated validators. The validators contain code of ajv, with a
 * comment that names its source.
 */
async function foldersInGenerated() {
  const names = (await readdir(`${root}src/schemas`)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map((name) => readFile(`${root}src/schemas/${name}`, 'utf8')));
  return texts.flatMap((text) => text.match(/^\/\/ node_modules\/.*$/gm) ?? []).flatMap(folderOf);
}

/** Returns the folder of the nearest package, or undefined for our own files. */
function folderOf(path) {
  const start = path.lastIndexOf('node_modules/');
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(path.slice(start + 'node_modules/'.length)) ?? [];
  return start < 0 ? [] : [`${path.slice(path.indexOf('node_modules/'), start)}node_modules/${name}`];
}

async function packageAt(folder) {
  const { name, version, license, author } = await json(`${folder}/package.json`);
  if (typeof license !== 'string') throw new Error(`${folder}/package.json names no licence`);
  const files = (await readdir(root + folder))
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort(byCodeUnits);
  const texts = await Promise.all(files.map((file) => readFile(`${root}${folder}/${file}`, 'utf8')));
  const title = `${name} ${version}`;
  const all = texts.length > 0 ? texts : [textOfLicence(title, { license, author })];
  return { folder, name, version, title, license, texts: all };
}

async function json(path) {
  return JSON.parse(await readFile(root + path, 'utf8'));
}

/** Returns the licence text of a package that contains no licence file. */
function textOfLicence(title, { license, author }) {
  if (license === 'MIT') return `By ${author?.name ?? author}.\n\n${mit}`;
  throw new Error(`${title} has no file with its licence, ${license}: add the text to scripts/notices.mjs`);
}

function section({ title, license, texts }) {
  const plain = texts.map((text) =>
    text
      .replace(/\r\n?/g, '\n')
      .replace(/[ \t]+$/gm, '')
      .trim(),
  );
  return [title, `Licence: ${license}`, ...plain].join('\n\n');
}
