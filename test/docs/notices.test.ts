import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest: { dependencies: Record<string, string>; files: string[] } = JSON.parse(text('package.json'));

test('The package has no dependencies, and its notices have the licence of everything bundled.', () => {
  expect(manifest).not.toHaveProperty('dependencies');
  const { components }: { components: { name: string; version: string }[] } = JSON.parse(text('bom.cdx.json'));
  expect(components.length).toBeGreaterThan(30);
  const notices = text('THIRD-PARTY-NOTICES');
  for (const { name, version } of components) expect(notices).toContain(`\n${name} ${version}\n\nLicence: `);
});

test('The package contains its notices.', () => {
  expect(manifest.files).toContain('THIRD-PARTY-NOTICES');
});
