// Mutation testing with StrykerJS: makes one small change (a mutant) after another to the code of a folder in src/, and
// runs the tests of that folder against each mutant. `npm run mutate -- plan` mutates the whole folder, and `npm run
// mutate -- plan fields/causes.ts` mutates only the named files. `plan.ts:10-40` selects some lines. `--tests
// causes,git/journal` runs only these test files, and `--named 'a connection'` runs only tests whose name contains
// these words. Both options are faster, and never kill more mutants. `--patience 20` waits 20 seconds for a mutant that
// hangs. Fails if a file scores below the minimum, or if the list of accepted survivors is wrong.
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const minimum = 90;
const tools = createRequire(`${root}tools/package.json`);
const { Stryker } = await import(pathToFileURL(tools.resolve('@stryker-mutator/core')).href);

/**
 * The test files that are skipped, by folder. They take seconds for each mutant, and kill almost no additional mutants.
 */
const folders = {
  plan: ['drift-fields.test.ts'],
  apply: ['laws.test.ts'],
  record: [],
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '2' },
    tests: { type: 'string' },
    named: { type: 'string', default: '' },
    patience: { type: 'string', default: '60' },
  },
});
const [folder = '', ...names] = positionals;
if (!Object.hasOwn(folders, folder)) throw new Error(`name a folder of src: ${Object.keys(folders).join(', ')}`);

await mutate();

async function mutate() {
  process.chdir(root);
  const accepted = JSON.parse(await readFile(`test/${folder}/accepted-mutants.json`, 'utf8'));
  const sources = (await readdir(`src/${folder}`, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const files = names.length === 0 ? sources : names;
  const paths = files.map((name) => `src/${folder}/${name}`);
  const mutants = await runStryker(paths, await testsToRun());
  const ofFiles = await Promise.all(files.map((file) => resultOf(file.replace(/:.*/, ''), mutants, accepted)));
  const results = ofFiles.filter(({ total }) => total > 0);
  report(results);
  const isEnough = results.every(({ score, stale }) => score >= minimum && stale.length === 0);
  process.exitCode = isEnough ? 0 : 1;
}

function runStryker(paths, tests) {
  return new Stryker({
    mutate: paths,
    plugins: [`${root}scripts/mutate/one-process.mjs`],
    testRunner: 'one-process',
    oneProcess: { tests, named: values.named, patience: 1500 * Number(values.patience) },
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    // The test runner is reused for many mutants, because modules stay in memory from one evaluation to the next.
    maxTestRunnerReuse: 500,
    // Endless loops are detected by counting iterations, so this limit can be generous. It must be generous, because
    // git may be slow on a busy machine.
    timeoutMS: 1000 * Number(values.patience),
    dryRunTimeoutMinutes: 30,
    disableTypeChecks: false,
    ignorePatterns: ['dist', 'bench', 'docs'],
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    logLevel: 'error',
  }).runMutationTest();
}

async function testsToRun() {
  const chosen = values.tests?.split(',').map((name) => `${name}.test.ts`);
  const isTaken = (name) =>
    chosen?.includes(name) ?? (/^[^.]+\.test\.ts$/.test(basename(name)) && !folders[folder].includes(name));
  const tests = (await readdir(`test/${folder}`, { recursive: true })).filter(isTaken);
  return tests.map((name) => `test/${folder}/${name}`);
}

async function resultOf(name, mutants, accepted) {
  const path = `src/${folder}/${name}`;
  const lines = (await readFile(path, 'utf8')).split('\n');
  const tried = mutants.filter(
    ({ fileName, status }) => relative(root, fileName) === path && !/Error|Ignored/.test(status),
  );
  const undetected = tried
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map((mutant) => ({ ...mutant, code: codeAt(lines, mutant.location), becomes: mutant.replacement }));
  const entries = accepted.filter(({ file }) => file === name);
  const same = (one) => (other) => one.code === other.code && one.becomes === other.becomes;
  const survivors = undetected.filter((mutant) => !entries.some(same(mutant)));
  const excused = undetected.length - survivors.length;
  const total = tried.length - excused;
  return {
    path,
    total,
    excused,
    survivors,
    stale: entries.filter((entry) => !undetected.some(same(entry))),
    score: total === 0 ? 100 : (100 * (total - survivors.length)) / total,
  };
}

/** Returns the code at a location that Stryker reports. Lines and columns start at 1, and the end is exclusive. */
function codeAt(lines, { start, end }) {
  const covered = lines.slice(start.line - 1, end.line);
  covered[covered.length - 1] = covered[covered.length - 1].slice(0, end.column - 1);
  covered[0] = covered[0].slice(start.column - 1);
  return covered.join('\n');
}

function report(results) {
  for (const { path, survivors, stale } of results) {
    for (const { location, status, code, becomes } of survivors) {
      const { line, column } = location.start;
      console.log(`${path}:${line}:${column} ${status === 'NoCoverage' ? 'not covered' : 'survived'}`);
      console.log(`- ${code.replaceAll('\n', '\n- ')}\n+ ${becomes.replaceAll('\n', '\n+ ')}\n`);
    }
    for (const { code, becomes } of stale) console.log(`${path}: accepted, but not a survivor: ${code} → ${becomes}`);
  }
  for (const { path, score, total, survivors, excused } of results) {
    const found = `${total - survivors.length} of ${total}`;
    console.log(`${score.toFixed(1).padStart(5)} %  ${path}  ${found}${excused > 0 ? `, ${excused} accepted` : ''}`);
  }
}
