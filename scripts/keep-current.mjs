import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes the generated files that are not current. With --check it writes nothing, and fails if a file is not current.
 */
export async function keepCurrent(root, files, command) {
  const check = process.argv.includes('--check');
  const stale = [];
  for (const [path, text] of Object.entries(files)) {
    const current = await readFile(root + path, 'utf8').catch(() => undefined);
    if (current === text) continue;
    stale.push(path);
    if (check) continue;
    await mkdir(dirname(root + path), { recursive: true });
    await writeFile(root + path, text);
  }
  if (stale.length === 0) return;
  console.log(`${check ? 'not current' : 'wrote'}: ${stale.join(', ')}`);
  if (!check) return;
  console.log(`run \`${command}\` and commit the result`);
  process.exitCode = 1;
}
