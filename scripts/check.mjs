// Runs all checks except the tests, with one line for each. The first failure ends the run. The build runs first,
// because other checks read its results. All other checks run concurrently, with the longest first.
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
const others = [
  // TypeScript 7 takes a fifth of the time. Tools that use the compiler as a library still need version 6. A single
  // thread is enough, because each checker repeats work of the others, and other checks keep the other cores busy.
  ['types', `${root}node_modules/typescript-native/bin/tsc`, ['-p', '.', '--singleThreaded']],
  ['generated docs are current', process.execPath, ['scripts/docs.mjs', '--check']],
  ['format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['spelling', bin('cspell'), ['lint', '--no-progress', '--no-summary', ...prose]],
  ['generated files are current', process.execPath, ['scripts/generate.mjs', '--check']],
  ['English', process.execPath, ['scripts/english.mjs']],
  ['functions and folders are small', process.execPath, ['scripts/measure.mjs', '--check']],
];
const running = new Set();

await run(build);
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runOthers));

/** Runs checks that have not begun yet. */
async function runOthers() {
  for (let check = others.shift(); check !== undefined; check = others.shift()) await run(check);
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
