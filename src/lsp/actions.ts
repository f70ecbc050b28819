import { join, posix } from 'node:path';
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { fieldAt } from '../kinds/field-path.ts';
import { isKindName } from '../kinds/kind.ts';
import { mayIncludeFile } from '../kinds/sensitive.ts';
import { fitsTextFile } from '../manifest/project/project-files.ts';
import type { ScalarNode } from '../yaml/tree.ts';
import { fixesOf } from './diagnostics.ts';
import { offsetOf } from './hover.ts';
import type { Snapshot } from './live-project.ts';
import type { OpenFile } from './navigation.ts';
import { rangeIn, rangeOfRegion, uriIn } from './places.ts';
import type { FileEdits } from './rename.ts';
import { placeAt } from './yaml-path.ts';

/** The capabilities of an editor for edits. */
export interface EditAbilities {
  readonly hasVersions: boolean;
  readonly createsFiles: boolean;
}

/** Edits as the editor takes them: with versions of the documents where it can. */
export function workspaceEdit(snapshot: Snapshot, edits: FileEdits, { hasVersions }: EditAbilities): WorkspaceEdit {
  const files = [...edits].map(([file, own]) => ({
    uri: uriIn(snapshot, file),
    path: join(snapshot.root, file),
    own: [...own],
  }));
  if (!hasVersions) return { changes: Object.fromEntries(files.map(({ uri, own }) => [uri, own])) };
  const documentChanges = files.map(({ uri, path, own }) => {
    return { textDocument: { uri, version: snapshot.documents.at(path)?.version ?? null }, edits: own };
  });
  return { documentChanges };
}

/** The edits of several projects as one. */
export function joinedEdits(edits: readonly WorkspaceEdit[], { hasVersions }: EditAbilities): WorkspaceEdit {
  if (hasVersions) return { documentChanges: edits.flatMap(({ documentChanges = [] }) => documentChanges) };
  return { changes: Object.fromEntries(edits.flatMap(({ changes = {} }) => Object.entries(changes))) };
}

export interface ActionsInput {
  readonly range: Range;
  /** The diagnostics of the file, as they were published. */
  readonly diagnostics: readonly Diagnostic[];
  readonly abilities: EditAbilities;
}

/** The fixes of the problems in a range, what was probably meant first, and what can be done with the text there. */
export function actionsAt(file: OpenFile, { range, diagnostics, abilities }: ActionsInput): CodeAction[] {
  const { snapshot } = file;
  const fixes = diagnostics
    .filter((one) => overlaps(one.range, range))
    .flatMap((diagnostic) =>
      fixesOf(diagnostic, snapshot.root).flatMap((fix, index): CodeAction[] => {
        if (fix.edits.length === 0) return [];
        const edits = new Map<string, TextEdit[]>();
        for (const { file: path, text, ...region } of fix.edits) {
          edits.set(path, [...(edits.get(path) ?? []), { range: rangeOfRegion(region), newText: text }]);
        }
        const isPreferred = index === 0 && fix.action !== 'allow';
        return [
          {
            ...{ title: fix.title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic] },
            edit: workspaceEdit(snapshot, edits, abilities),
            ...(isPreferred && { isPreferred }),
          },
        ];
      }),
    );
  const sorted = [...fixes.filter((one) => one.isPreferred), ...fixes.filter((one) => !one.isPreferred)];
  const moved = abilities.createsFiles ? moveToFile(file, range, abilities) : undefined;
  return moved === undefined ? sorted : [...sorted, moved];
}

function overlaps(one: Range, other: Range): boolean {
  return isBefore(one.start, other.end) && isBefore(other.start, one.end);
}

function isBefore(one: Range['start'], other: Range['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.character <= other.character);
}

/** Shorter texts are easier to read where they are. */
const leastCharacters = 20;

/** Moves the text of a setting into a file beside other prompts. */
function moveToFile({ snapshot, path }: OpenFile, range: Range, abilities: EditAbilities): CodeAction | undefined {
  const indexed = snapshot.index.file(path);
  const root = indexed && snapshot.index.rootOf(indexed);
  const { kind = '', name = posix.parse(path).name, source } = indexed ?? {};
  if (root === undefined || source === undefined || !isKindName(kind)) return undefined;
  const place = placeAt(root, offsetOf(source.text, range.start));
  if (place?.node.type !== 'scalar') return undefined;
  const own = place.steps[0] === 'environments' ? place.steps.slice(2) : place.steps;
  const field = fieldAt(kind, own);
  const told = field?.members?.find(({ name }) => name === own.at(-1)) ?? field;
  const isText = told?.types.includes('string') === true && told.choice === undefined && told.form === undefined;
  const { value, at } = place.node;
  if (!isText || !mayIncludeFile(kind, own) || !isMovable(value)) return undefined;
  const target = freePath(snapshot, { name, own });
  const reference = posix.relative(posix.dirname(path), target);
  const start = { line: 0, character: 0 };
  const edit = workspaceEdit(
    snapshot,
    new Map([
      [target, [{ range: { start, end: start }, newText: value }]],
      [path, [{ range: rangeIn(snapshot, at), newText: `{ file: ${reference} }` }]],
    ]),
    { ...abilities, hasVersions: true },
  );
  const created = { kind: 'create', uri: uriIn(snapshot, target) } as const;
  return {
    ...{ title: `Move this text into the file ${target}`, kind: CodeActionKind.RefactorExtract },
    edit: { documentChanges: [created, ...(edit.documentChanges ?? [])] },
  };
}

function isMovable(value: ScalarNode['value']): value is string {
  return (
    typeof value === 'string' &&
    value.length >= leastCharacters &&
    !/\r|\$\{secret\./.test(value) &&
    fitsTextFile(value)
  );
}

function freePath(
  { project }: Snapshot,
  { name, own }: { readonly name: string; readonly own: readonly string[] },
): string {
  const words = own.slice(1).map((step) =>
    step
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-'),
  );
  const base = `prompts/${name}/${words.join('-') || own[0]}`;
  for (let number = 1; ; number += 1) {
    const path = `${base}${number === 1 ? '' : `-${number}`}.md`;
    if (!project.files.has(path)) return path;
  }
}
