// All checks but the tests, each in one line; the first that fails ends the run.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => `${root}node_modules/.bin/${name}`;
const checks = [
  ['the bundle of the action is current', process.execPath, ['scripts/build.mjs', '--check-action']],
  ['build', process.execPath, ['scripts/build.mjs']],
  ['generated files are current', process.execPath, ['scripts/generate.mjs', '--check']],
  ['generated docs are current', process.execPath, ['scripts/docs.mjs', '--check']],
  ['licences of what is bundled are current', process.execPath, ['scripts/notices.mjs', '--check']],
  ['format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['types', bin('tsc'), ['-p', '.']],
];

for (const [name, command, args] of checks) {
  const started = Date.now();
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${result.status === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)`);
  if (result.status === 0) continue;
  console.log(result.stdout, result.stderr);
  process.exit(1);
}
