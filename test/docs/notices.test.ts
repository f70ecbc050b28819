import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest: { dependencies: Record<string, string>; files: string[] } = JSON.parse(text('package.json'));

test('the licence of every runtime dependency is in the notices of the package or of the action', () => {
  const notices = text('THIRD-PARTY-NOTICES') + text('THIRD-PARTY-NOTICES-ACTION');
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    expect(notices).toContain(`\n${name} ${version}\n\nLicence: `);
  }
});

test('the package ships its notices', () => {
  expect(manifest.files).toContain('THIRD-PARTY-NOTICES');
});
