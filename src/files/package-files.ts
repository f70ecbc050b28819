import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The path of copies of the schemas in a project, so that editors find them without an installed agentform. */
const schemaFolder = '.agentform/schemas';

/** The text of a file that comes with agentform, by its path in the package. */
export function readPackageFile(path: string): Promise<string> {
  return readFile(join(packageRoot(), path), 'utf8');
}

/** The schemas for editors, which a project has copies of. */
export const editorSchemas = ['manifest', 'project', 'task'] as const;

export type EditorSchema = (typeof editorSchemas)[number];

/** Path of the copy in a project. */
export function schemaCopy(name: EditorSchema): string {
  return `${schemaFolder}/${name}.schema.json`;
}

export function readEditorSchema(name: EditorSchema): Promise<string> {
  return readPackageFile(`schemas/editor/${name}.schema.json`);
}

/** Names of the files in a folder of the package; none if there is no such folder. */
export async function listPackageFiles(folder: string): Promise<string[]> {
  const names = await readdir(join(packageRoot(), folder)).catch(() => []);
  return names.sort();
}

/** Bundles are one or two folders below it. */
function packageRoot(folder: string = import.meta.dirname): string {
  if (existsSync(join(folder, 'schemas', 'manifest.schema.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the folder schemas is missing from the installed package');
  return packageRoot(parent);
}
