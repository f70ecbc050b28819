import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const src = resolve(import.meta.dirname, '../src');

/** The table of allowed imports in the design; `types` may be imported as types only. */
const allowed: Readonly<Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }>> = {
  errors: { values: [] },
  schemas: { values: [] },
  kinds: { values: [] },
  files: { values: [] },
  manifest: { values: ['kinds', 'errors'] },
  service: { values: ['kinds', 'errors'] },
  record: { values: ['kinds', 'errors', 'files'] },
  plan: { values: ['kinds', 'errors'] },
  emulator: { values: ['kinds', 'errors', 'files'] },
  apply: { values: ['kinds', 'errors', 'plan'], types: ['service', 'record'] },
  report: { values: ['kinds', 'errors', 'plan', 'manifest'], types: ['apply'] },
  reconcile: { values: ['kinds', 'errors', 'files', 'manifest', 'service', 'record', 'plan', 'apply', 'report'] },
  cli: { values: ['reconcile', 'report', 'errors', 'emulator'] },
  action: { values: ['reconcile', 'report', 'errors'] },
  index: { values: ['reconcile', 'report', 'errors', 'emulator'] },
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

test.each(files.map((file) => [file]))('%s imports only what the design allows', (file) => {
  const home = homeOf(file);
  const rule = allowed[home] ?? { values: [] };
  const imports = [
    ...readFileSync(join(src, file), 'utf8').matchAll(
      /^(import|export)( type)?[^'"]*? from '(\.[^']+)'|import\('(\.[^']+)'\)/gms,
    ),
  ];
  for (const [text, , isType, from, dynamic] of imports) {
    const target = homeOf(relative(src, resolve(dirname(join(src, file)), from ?? dynamic ?? '')));
    const permitted = [home, 'schemas', ...rule.values, ...(isType === undefined ? [] : (rule.types ?? []))];
    expect({ text, permitted: permitted.includes(target) }).toEqual({ text, permitted: true });
  }
});

test('plan is pure: no files, clock, random, environment or console', () => {
  for (const file of files.filter((path) => homeOf(path) === 'plan' || homeOf(path) === 'kinds')) {
    const text = readFileSync(join(src, file), 'utf8');
    expect({
      file,
      found: text.match(/node:(fs|net|http|child_process)|Date\.now|new Date\(|Math\.random|process\.|console\./)?.[0],
    }).toEqual({ file });
  }
});

function homeOf(path: string): string {
  return (path.split('/')[0] ?? '').replace(/\.ts$/, '');
}
