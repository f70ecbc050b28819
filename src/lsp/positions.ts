import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Location, Position, Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Region, regionOf } from '../report/problems/annotations.ts';
import { contentEnd } from '../text/lines.ts';
import type { Span } from '../yaml/problem.ts';

/** Converts a region to a range of the protocol, which counts lines and UTF-16 code units from 0. */
export function rangeOfRegion({ line, column, endLine, endColumn }: Region): Range {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}

/** Returns the offset of a position. A position beyond the end of a line means the end of that line. */
export function offsetOf(text: string, { line, character }: Position): number {
  let start = 0;
  for (let left = line; left > 0; left -= 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(contentEnd(text, start), start + character);
}

export const startOfFile: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns the absolute path of a URI, or undefined if the URI is not a local file. */
export function pathOfUri(uri: string): string | undefined {
  try {
    return new URL(uri).protocol === 'file:' ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a path relative to a folder, with forward slashes, or undefined if the path is not in the folder. */
export function pathBelow(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  return below === '' || below === '..' || below.startsWith(`..${sep}`) ? undefined : below.split(sep).join('/');
}

/** Returns the folders that contain a path, the nearest first. */
export function foldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folders.at(-1) !== folder; folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** The open documents by absolute path. Open documents replace files on the disk. */
export class OpenDocuments {
  readonly #byPath = new Map<string, TextDocument>();
  /** Documents whose files were deleted. These documents count as deleted until the next edit. */
  readonly #deleted = new Set<string>();

  open(document: TextDocument): void {
    const path = pathOfUri(document.uri);
    if (path === undefined) return;
    this.#byPath.set(path, document);
    this.#deleted.delete(path);
  }

  deleteFile(path: string): void {
    if (this.#byPath.has(path)) this.#deleted.add(path);
  }

  makeFile(path: string): void {
    this.#deleted.delete(path);
  }

  close({ uri }: TextDocument): void {
    const path = pathOfUri(uri);
    if (path !== undefined) this.#byPath.delete(path);
  }

  at(path: string): TextDocument | undefined {
    return this.#byPath.get(path);
  }

  /** The versions of the documents by absolute path. */
  get versions(): ReadonlyMap<string, number> {
    return new Map([...this.#byPath].map(([path, { version }]) => [path, version]));
  }

  /** Returns the texts of open documents in a folder, by relative path. */
  textsBelow(folder: string): ReadonlyMap<string, string> {
    return new Map(
      [...this.#byPath].flatMap(([path, document]) => {
        const below = this.#deleted.has(path) ? undefined : pathBelow(folder, path);
        return below === undefined ? [] : [[below, document.getText()] as const];
      }),
    );
  }

  /** Returns the URI of a file. For an open document, returns the URI that the editor uses. */
  uriOf(path: string): string {
    return this.#byPath.get(path)?.uri ?? pathToFileURL(path).href;
  }
}

/** The input for converting places in a project to places in the protocol. */
export interface ProjectDocuments {
  readonly root: string;
  readonly documents: OpenDocuments;
  readonly sourceOf: (file: string) => string | undefined;
}

export function uriIn({ root, documents }: Pick<ProjectDocuments, 'root' | 'documents'>, file: string): string {
  return documents.uriOf(join(root, file));
}

export function rangeIn({ sourceOf }: Pick<ProjectDocuments, 'sourceOf'>, span: Span): Range {
  return rangeOfRegion(regionOf(span, { sourceOf }));
}

export function locationIn(project: ProjectDocuments, span: Span): Location {
  return { uri: uriIn(project, span.file), range: rangeIn(project, span) };
}

export function isInRange({ line, character }: Position, { start, end }: Range): boolean {
  if (line < start.line || line > end.line) return false;
  return (line > start.line || character >= start.character) && (line < end.line || character <= end.character);
}
