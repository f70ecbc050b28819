// Makes the validators from schemas/, and bundles the CLI, the library and the action into dist/.
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { action, packageBundles, root } from './bundles.mjs';
import { makeValidators } from './generate/validators.mjs';

await makeValidators();
if (process.argv.includes('--check-action')) await checkAction();
else await buildAll();

async function buildAll() {
  const built = await readdir(`${root}dist`).catch(() => []);
  const old = built.filter((name) => name !== 'action.js');
  await Promise.all(old.map((name) => rm(`${root}dist/${name}`, { recursive: true, force: true })));
  for (const bundle of packageBundles) await build(bundle);
  await build(action);
  await chmod(`${root}dist/cli.js`, 0o755);
}

/** Fails when the committed bundle is not what the source makes. */
async function checkAction() {
  const { outputFiles } = await build({ ...action, write: false });
  const committed = await readFile(`${root}dist/action.js`).catch(() => Buffer.alloc(0));
  if (committed.equals(Buffer.from(outputFiles[0].contents))) return;
  console.log('dist/action.js is not current: run `npm run build` and commit it');
  process.exitCode = 1;
}
