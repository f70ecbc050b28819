import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Range,
  type TextEdit,
} from 'vscode-languageserver/node';
import { fixesOf } from '../diagnostics.ts';
import { rangeOfRegion } from '../places.ts';
import { type EditAbilities, workspaceEdit } from './edits.ts';
import type { OpenFile } from './navigation.ts';
import { moveToFile, restoreSections } from './text-actions.ts';

export interface ActionsInput {
  readonly range: Range;
  /** The published diagnostics of the file. */
  readonly diagnostics: readonly Diagnostic[];
  readonly abilities: EditAbilities;
}

/** The fixes of the problems in a range, the most likely first, and the actions for the text there. */
export async function actionsAt(
  file: OpenFile,
  { range, diagnostics, abilities }: ActionsInput,
): Promise<CodeAction[]> {
  const fixes = diagnostics
    .filter((one) => overlaps(one.range, range))
    .flatMap((diagnostic) => fixActions(file, diagnostic, abilities));
  const restored = await restoreSections(file, range.start, abilities);
  const moved = abilities.createsFiles ? moveToFile(file, range.start, abilities) : undefined;
  return [
    ...fixes.filter((one) => one.isPreferred),
    ...fixes.filter((one) => !one.isPreferred),
    ...restored,
    ...(moved === undefined ? [] : [moved]),
  ];
}

function fixActions({ snapshot }: OpenFile, diagnostic: Diagnostic, abilities: EditAbilities): CodeAction[] {
  return fixesOf(diagnostic, snapshot.root).flatMap((fix, index): CodeAction[] => {
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
  });
}

function overlaps(one: Range, other: Range): boolean {
  return isBefore(one.start, other.end) && isBefore(other.start, one.end);
}

function isBefore(one: Range['start'], other: Range['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.character <= other.character);
}
