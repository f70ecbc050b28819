import type { Span } from '../manifest/problem.ts';
import type { Sources } from './source-lines.ts';

/** Where problems are, for readers that know the repository and not the project. */
export interface Placement extends Sources {
  /** The project folder relative to the repository, with forward slashes; empty if they are the same. */
  readonly folder: string;
}

/** A stretch of a file. Lines and columns count from 1, columns in UTF-16 units; the end column is behind the last one. */
export interface Region {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Where a span begins and ends. Blanks at its end do not count; without the file's text it is one character. */
export function regionOf({ file, line, column, offset, end }: Span, { sourceOf }: Sources): Region {
  const covered = sourceOf(file)?.slice(offset, end).trimEnd() ?? '';
  const lines = covered.split(/\r?\n/);
  const last = lines.at(-1)?.length ?? 0;
  const isOneLine = lines.length === 1;
  return {
    line,
    column,
    endLine: line + lines.length - 1,
    endColumn: isOneLine ? column + Math.max(1, last) : last + 1,
  };
}

/** A file of the project as the repository knows it. */
export function repositoryPath(file: string, { folder }: Pick<Placement, 'folder'>): string {
  return folder === '' ? file : `${folder}/${file}`;
}
