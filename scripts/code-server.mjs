// Installs code-server, which is VS Code for a browser, in tools/code-server/. Installs code-server only once, only
// from the npm registry, and without package scripts. If the installation fails, tests that need code-server are
// skipped, or fail if CI=true. code-server needs Node 20, so these tests are always skipped on other versions.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('.', import.meta.url));
const server = fileURLToPath(new URL('../tools/code-server/node_modules/code-server/lib/vscode', import.meta.url));
const loaded = `${server}/node_modules.asar`;

/**
 * VS Code searches files with ripgrep, but installing ripgrep downloads a binary. This script replaces ripgrep. It
 * finds files by a glob or a name.
 */
const search = `#!/bin/sh
name='*'
while [ $# -gt 0 ]; do
  case "$1 $2" in '-g !'*) ;; '-g '*) name=\${2##*/} ;; esac
  shift
done
exec find . -name node_modules -prune -o -name .git -prune -o -type f -name "$name" -print
`;

if (process.versions.node.startsWith('20.')) {
  try {
    install();
  } catch (error) {
    console.error(`code-server could not be installed: ${error.message}`);
    if (process.env.CI === 'true') process.exitCode = 1;
  }
}

function install() {
  execFileSync(process.execPath, [`${scripts}tools.mjs`, 'tools/code-server'], { stdio: 'inherit' });
  if (!existsSync(loaded)) {
    // The lock file of code-server lacks a package, so `npm ci` refuses the lock file.
    const args = [
      'install',
      '--no-save',
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    execFileSync('npm', args, { cwd: server, stdio: 'inherit' });
    mkdirSync(`${server}/node_modules/@vscode/ripgrep/bin`, { recursive: true });
    writeFileSync(`${server}/node_modules/@vscode/ripgrep/bin/rg`, search, { mode: 0o755 });
    // Replaces the package that hashes passwords. That package would have to be compiled, and the tests use no
    // password.
    writeFileSync(createRequire(`${server}/../..`).resolve('argon2'), 'module.exports = {};\n');
    // This must be the last step, because the link marks the installation as complete.
    symlinkSync('node_modules', loaded);
  }
}
