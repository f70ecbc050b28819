// Writes the licences of what is bundled: THIRD-PARTY-NOTICES for the package, THIRD-PARTY-NOTICES-ACTION for the action. What
// is bundled is what esbuild says, and all it says comes from the lock file, so every machine writes the same text.
import { readdir, readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { action, packageBundles, root } from './bundles.mjs';
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

await keepCurrent(
  root,
  {
    'THIRD-PARTY-NOTICES': await notices('The package agentform', packageBundles),
    'THIRD-PARTY-NOTICES-ACTION': await notices('dist/action.js', [action]),
  },
  'npm run notices',
);

async function notices(what, bundles) {
  const folders = new Set(await foldersInGenerated());
  for (const bundle of bundles) for (const folder of await foldersIn(bundle)) folders.add(folder);
  const packages = await Promise.all([...folders].map(packageAt));
  // One version may lie in two folders.
  const byTitle = new Map(packages.map((one) => [one.title, one]));
  const sections = [...byTitle.values()].sort((one, other) => byCodeUnits(one.title, other.title)).map(section);
  const head = `${what} contains code of ${sections.length} other packages. Their licences follow.`;
  return `${[head, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The folders of the packages of which something is in a bundle. */
async function foldersIn(bundle) {
  const { metafile } = await build({ ...bundle, write: false, metafile: true });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput === 0 ? [] : folderOf(path))),
  );
}

/** The validators have code of ajv in them, with a line that says where it comes from. */
async function foldersInGenerated() {
  const names = (await readdir(`${root}src/schemas`)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map((name) => readFile(`${root}src/schemas/${name}`, 'utf8')));
  return texts.flatMap((text) => text.match(/^\/\/ node_modules\/.*$/gm) ?? []).flatMap(folderOf);
}

/** The nearest package's; none for our own files. */
function folderOf(path) {
  const start = path.lastIndexOf('node_modules/');
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(path.slice(start + 'node_modules/'.length)) ?? [];
  return start < 0 ? [] : [`${path.slice(path.indexOf('node_modules/'), start)}node_modules/${name}`];
}

async function packageAt(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder}/package.json names no licence`);
  const all = await readdir(root + folder);
  const files = all.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort(byCodeUnits);
  const texts = await Promise.all(files.map((file) => readFile(`${root}${folder}/${file}`, 'utf8')));
  const title = `${name} ${version}`;
  return { title, license, texts: texts.length > 0 ? texts : [textOfLicence(title, { license, author })] };
}

/** Of a package that has no file with it. */
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
