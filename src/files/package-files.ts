import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folder for schema copies in a project. Editors can use these copies even if agentform is not installed. */
const schemaFolder = '.agentform/schemas';

/** Reads a file of the agentform package. The path is relative to the package folder. */
export function readPackageFile(path: string): Promise<string> {
  return readFile(join(packageRoot(), path), 'utf8');
}

/** The schemas that are copied into projects. */
export const editorSchemas = ['manifest', 'project', 'task'] as const;

export type EditorSchema = (typeof editorSchemas)[number];

/** Returns the path of a schema's copy, relative to the project folder. */
export function schemaCopy(name: EditorSchema): string {
  return `${schemaFolder}/${name}.schema.json`;
}

export function readEditorSchema(name: EditorSchema): Promise<string> {
  return readPackageFile(`schemas/editor/${name}.schema.json`);
}

/** Lists the file names in a package folder. Returns an empty list if the folder does not exist. */
export async function listPackageFiles(folder: string): Promise<string[]> {
  const names = await readdir(join(packageRoot(), folder)).catch(() => []);
  return names.sort();
}

/** Finds the root of the package by searching upwards, because bundles are one or two folders below the root. */
function packageRoot(folder: string = import.meta.dirname): string {
  if (existsSync(join(folder, 'schemas', 'manifest.schema.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the folder schemas is missing from the installed package');
  return packageRoot(parent);
}
