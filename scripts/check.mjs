// Runs all checks except the tests, concurrently, with one line for each. The first failure ends the run. Some checks
// read the output of the build, so they begin after the build. Each list of checks begins with the longest check.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => `${root}node_modules/.bin/${name}`;
const build = [
  'build, and the action and the licences of what is bundled are current',
  process.execPath,
  ['scripts/build.mjs', '--check'],
];
const prose = [
  '*.md',
  'docs/*.md',
  'docs/decisions/*.md',
  'docs/reference/*.md',
  'bench/README.md',
  'test/e2e/README.md',
  'examples/*/README.md',
  'editors/vscode/README.md',
  'schemas/*.schema.json',
  'action.yml',
];
const afterBuild = [
  // TypeScript 7 takes a fifth of the time of version 6, but tools that use the compiler as a library still need
  // version 6. A single thread is enough, because several checkers would repeat each other's work, and other checks
  // keep the other cores busy.
  ['types', `${root}node_modules/typescript-native/bin/tsc`, ['-p', '.', '--singleThreaded']],
  ['generated files are current', process.execPath, ['scripts/generate.mjs', '--check']],
  ['generated docs are current', process.execPath, ['scripts/docs.mjs', '--check']],
];
const withoutBuild = [
  ['format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['spelling', bin('cspell'), ['lint', '--no-progress', '--no-summary', ...prose]],
  ['functions and folders are small', process.execPath, ['scripts/measure.mjs', '--check']],
  ['English', process.execPath, ['scripts/english.mjs']],
];
const running = new Set();

const built = run(build);
const otherCores = Math.max(1, availableParallelism() - 1);
await Promise.all([runRest(), ...Array.from({ length: otherCores }, () => runAll(withoutBuild).then(runRest))]);

/** Runs checks that have not begun yet, starting with the checks that wait for the build. */
async function runRest() {
  await built;
  await runAll(afterBuild);
  await runAll(withoutBuild);
}

async function runAll(checks) {
  for (let check = checks.shift(); check !== undefined; check = checks.shift()) await run(check);
}

async function run([name, command, args]) {
  const started = Date.now();
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const ended = new Promise((resolve) => child.on('close', resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  running.delete(child);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)`);
  if (code === 0) return;
  console.log(out, err);
  for (const other of running) other.kill();
  process.exit(1);
}
