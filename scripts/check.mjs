// All checks but the tests, each in one line; the first that fails ends the run.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => `${root}node_modules/.bin/${name}`;
const builds = [
  ['build, and the bundle of the action is current', process.execPath, ['scripts/build.mjs', '--check-action']],
];
const prose = [
  '*.md',
  'docs/*.md',
  'docs/decisions/*.md',
  'examples/*/README.md',
  'schemas/*.schema.json',
  'action.yml',
];
const others = [
  ['generated files are current', process.execPath, ['scripts/generate.mjs', '--check']],
  ['generated docs are current', process.execPath, ['scripts/docs.mjs', '--check']],
  ['licences of what is bundled are current', process.execPath, ['scripts/notices.mjs', '--check']],
  ['English', process.execPath, ['scripts/english.mjs']],
  ['spelling', bin('cspell'), ['lint', '--no-progress', '--no-summary', ...prose]],
  ['format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']],
];
// TypeScript 7 checks in a fifth of the time; what uses the compiler as a library still needs 6.
const types = [['types', `${root}node_modules/typescript-native/bin/tsc`, ['-p', '.']]];
const running = new Set();

await inTurn(builds);
await Promise.all([inTurn(types), inTurn(others)]);

async function inTurn(checks) {
  for (const check of checks) await run(check);
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
