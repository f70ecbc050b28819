import { join } from 'node:path';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import type { Snapshot } from '../live-project.ts';
import { uriIn } from '../positions.ts';

/** Edits by path, relative to the project folder. */
export type FileEdits = ReadonlyMap<string, readonly TextEdit[]>;

/** The editor's abilities for workspace edits. */
export interface EditAbilities {
  readonly hasVersions: boolean;
  readonly createsFiles: boolean;
}

/** Converts edits to the protocol, with document versions if the editor supports them. */
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

/** Combines the edits of several projects. */
export function joinedEdits(edits: readonly WorkspaceEdit[], { hasVersions }: EditAbilities): WorkspaceEdit {
  if (hasVersions) return { documentChanges: edits.flatMap(({ documentChanges = [] }) => documentChanges) };
  return { changes: Object.fromEntries(edits.flatMap(({ changes = {} }) => Object.entries(changes))) };
}
