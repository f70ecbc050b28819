import { join } from 'node:path';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { grouped } from '../../json/json.ts';
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
export function workspaceEdit(snapshot: Snapshot, edits: FileEdits, abilities: EditAbilities): WorkspaceEdit {
  return joinedEdits([{ snapshot, edits }], abilities);
}

export interface ProjectEdits {
  readonly snapshot: Snapshot;
  readonly edits: FileEdits;
}

/** Combines the edits of several projects. If projects share a file, their equal edits are made once. */
export function joinedEdits(all: readonly ProjectEdits[], { hasVersions }: EditAbilities): WorkspaceEdit {
  const files = all.flatMap(({ snapshot, edits }) =>
    [...edits].map(([file, own]) => {
      const version = snapshot.documents.at(join(snapshot.root, file))?.version ?? null;
      return { textDocument: { uri: uriIn(snapshot, file), version }, own };
    }),
  );
  const byUri = [...grouped(files, ({ textDocument: { uri } }) => uri).values()];
  const documentChanges = byUri.map((same) => {
    const edits = new Map(same.flatMap(({ own }) => own.map((edit) => [JSON.stringify(edit), edit])));
    return { textDocument: same[0].textDocument, edits: [...edits.values()] };
  });
  if (hasVersions) return { documentChanges };
  return { changes: Object.fromEntries(documentChanges.map(({ textDocument, edits }) => [textDocument.uri, edits])) };
}
