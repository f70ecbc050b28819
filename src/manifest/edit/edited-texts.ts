import type { ProjectFiles } from '../project-files.ts';
import type { FileEdit } from './field-editor.ts';
import { mergedSplices, type Splice, spliced } from './splice.ts';

/** The new texts of files by path, and the files of which two edits want different things. */
export interface EditedTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly splices: ReadonlyMap<string, readonly Splice[]>;
  readonly clashes: readonly string[];
}

/** Makes all edits at once, each on the text as it was read. */
export function editedTexts(files: ProjectFiles, edits: readonly FileEdit[]): EditedTexts {
  const byFile = new Map<string, Splice[]>();
  for (const { file, splices } of edits) byFile.set(file, [...(byFile.get(file) ?? []), ...splices]);
  const texts = new Map<string, string>();
  const merged = new Map<string, readonly Splice[]>();
  const clashes: string[] = [];
  for (const [file, splices] of byFile) {
    const source = files.source(file);
    const sound = mergedSplices(splices);
    if (source === undefined || sound === undefined) clashes.push(file);
    else {
      merged.set(file, sound);
      texts.set(file, spliced(source.text, sound));
    }
  }
  return { texts, splices: merged, clashes };
}
