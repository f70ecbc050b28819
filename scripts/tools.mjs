// Installs the packages of the package.json in each named folder, unless they are installed: `node scripts/tools.mjs
// tools`. Does not run package scripts, because they download files.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

for (const name of process.argv.slice(2)) {
  const folder = root + name;
  const changedAt = (path) => statSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json')) continue;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit' });
}
