import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll } from '@jest/globals';
import ts from 'typescript';

export const src = resolve(import.meta.dirname, '../../src');

/** The hand-written and generated sources. Their names are relative to src/. */
export const parsed: ts.SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .sort()
  .map((path) => parse(path, readFileSync(join(src, path), 'utf8')));

// Otherwise, the trees would stay in the memory of the worker, where each start of git copies it.
afterAll(() => {
  parsed.length = 0;
});

export function parse(path: string, code: string): ts.SourceFile {
  return ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
}
