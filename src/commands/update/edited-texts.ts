import { cached } from '../../json/json.ts';
import type { ProjectFiles } from '../../manifest/project/project-files.ts';
import { type Splice, spliced, splicesInOrder } from '../../text/lines.ts';
import { EditableDocument } from '../../yaml/edit/editable-document.ts';
import type { YamlEdit } from '../../yaml/edit/yaml-editor.ts';
import type { Span } from '../../yaml/problem.ts';

export interface FileEdit {
  readonly file: string;
  readonly splices: readonly Splice[];
  /** Checks that the edited YAML has the wanted value. This member is absent for a text file. */
  readonly holds?: YamlEdit['holds'];
  /** The place of the current value. This member is absent for a text file. */
  readonly at?: Span;
}

/** The new texts by path, and the edits that contradict each other. */
export interface EditedTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly splices: ReadonlyMap<string, readonly Splice[]>;
  readonly clashes: ReadonlyArray<readonly [FileEdit, FileEdit]>;
}

/** Applies all edits together. Edit positions refer to the original texts. */
export function editedTexts(files: ProjectFiles, edits: Iterable<FileEdit>): EditedTexts {
  const texts = new Map<string, string>();
  const merged = new Map<string, readonly Splice[]>();
  const clashes: Array<readonly [FileEdit, FileEdit]> = [];
  for (const [file, splices] of splicesByFile(edits)) {
    const clash = clashOf(splices);
    if (clash !== undefined) clashes.push(clash);
    else {
      merged.set(file, splices);
      texts.set(file, spliced(files.source(file)?.text ?? '', splices));
    }
  }
  return { texts, splices: merged, clashes };
}

interface OwnedSplice extends Splice {
  readonly edit: FileEdit;
}

/** Groups edits by file and sorts them. Removes duplicates. */
function splicesByFile(edits: Iterable<FileEdit>): Map<string, OwnedSplice[]> {
  const byFile = new Map<string, Map<string, OwnedSplice>>();
  for (const edit of new Set(edits)) {
    const ofFile = cached(byFile, edit.file, () => new Map<string, OwnedSplice>());
    for (const { start, end, text } of edit.splices) {
      const key = JSON.stringify([start, end, text]);
      if (!ofFile.has(key)) ofFile.set(key, { start, end, text, edit });
    }
  }
  return new Map([...byFile].map(([file, splices]) => [file, splicesInOrder([...splices.values()])]));
}

function clashOf(ordered: readonly OwnedSplice[]): readonly [FileEdit, FileEdit] | undefined {
  for (const [index, splice] of ordered.entries()) {
    const next = ordered[index + 1];
    if (next !== undefined && next.start < splice.end) return [splice.edit, next.edit];
  }
  return undefined;
}

/**
 * The number of characters after which the search for wrong edits stops. Parsing as many characters as this takes a few
 * seconds.
 */
const maxRead = 5_000_000;

/**
 * Finds the fields whose edits give a wrong result. Tries all edits together, then each half of a wrong group, so that
 * thousands of correct edits need only one parse per file. After `maxRead` characters, all remaining edits count as
 * wrong.
 */
export function invalidEdits(
  files: ProjectFiles,
  all: ReadonlyArray<readonly FileEdit[]>,
): ReadonlySet<readonly FileEdit[]> {
  const wrong = new Set<readonly FileEdit[]>();
  const open = [all];
  let read = 0;
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    const isLate = read > maxRead;
    const { texts } = editedTexts(files, group.flat());
    for (const text of texts.values()) read += text.length;
    if (!isLate && areSound(group.flat(), texts)) continue;
    const half = Math.ceil(group.length / 2);
    if (group.length > 1 && !isLate) open.push(group.slice(0, half), group.slice(half));
    else for (const edits of group) wrong.add(edits);
  }
  return wrong;
}

/** Whether the edited files have the wanted values. Skips files whose edits clash, because the caller reports them. */
function areSound(edits: readonly FileEdit[], texts: EditedTexts['texts']): boolean {
  const documents = new Map<string, EditableDocument | undefined>();
  return edits.every(({ file, holds }) => {
    const text = texts.get(file);
    if (holds === undefined || text === undefined) return true;
    if (!documents.has(file)) documents.set(file, EditableDocument.of(text));
    const document = documents.get(file);
    return document !== undefined && holds(document);
  });
}
