import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { storeNames } from '../src/record/store-table.ts';
import { fieldsByKind } from '../src/schemas/fields.ts';

const src = resolve(import.meta.dirname, '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

/** Places outside `home` that distinguish the names: `kind === 'Agent'`, `case 'Agent':`, `'file' | 'git'`. */
function toldApart(names: readonly string[], home: string): string[] {
  const name = `'(?:${names.join('|')})'`;
  const apart = new RegExp(`[!=]== ${name}|${name} [!=]==|case ${name}|\\[${name}, ${name}|${name} \\| ${name}`);
  return files
    .filter((file) => !file.startsWith(home) && !file.startsWith('schemas/'))
    .flatMap((file) => linesOf(file).flatMap((line) => (apart.test(line) ? [`${file}: ${line.trim()}`] : [])));
}

function linesOf(file: string): string[] {
  return readFileSync(join(src, file), 'utf8').split('\n');
}

test('The folder kinds/ alone distinguishes kinds.', () => {
  expect(toldApart(Object.keys(fieldsByKind), 'kinds/')).toEqual([]);
});

test('The folder record/ alone distinguishes stores.', () => {
  // The word `file` also describes paths in the file system.
  const others = /\btype === 'file'|\bisFile\(\)/;
  expect(toldApart(storeNames, 'record/').filter((line) => !others.test(line))).toEqual([]);
});

test('The sources use plain objects, without tricks of an engine.', () => {
  const tricks = /share their shapes|\bv8\b|setFlagsFromString|--optimize-for-size/;
  expect(files.filter((file) => linesOf(file).some((line) => tricks.test(line)))).toEqual([]);
});
