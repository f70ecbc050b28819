import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readEditorSchema, schemaCopy } from '../../files/package-files.ts';
import { putFiles } from '../../files/swap.ts';
import { removeLeftoversBeside } from '../../files/whole-file.ts';
import type { Project } from '../../manifest/project/project.ts';

/** The path of the schema copy that `init` writes. Every clone contains the copy, however agentform is installed. */
const copied = schemaCopy('manifest');

const comment = '# yaml-language-server: $schema=';

/**
 * Returns the schema path for the editor comment of a new manifest at `path`. Prefers another manifest's schema, then
 * the manifest schema beside the agentform.yaml schema, then the copy.
 */
export function editorSchema(project: Project, path: string): string {
  for (const other of project.manifests) {
    const schema = namedIn(project, other);
    if (schema !== undefined && other !== path) return seenFrom(path, other, schema);
  }
  const beside = namedIn(project, project.file)?.replace(/project(\.schema\.json)$/, 'manifest$1');
  return beside?.endsWith('manifest.schema.json') ? seenFrom(path, project.file, beside) : relativeTo(path, copied);
}

/**
 * Writes the schema copy if it is missing and one of these manifests refers to it. `schema` is the path in a new
 * manifest, and is absent for a manifest that the project already has. Returns the written paths.
 */
export async function provideSchema(
  project: Project,
  manifests: readonly { readonly path: string; readonly schema?: string }[],
): Promise<string[]> {
  const { root } = project;
  const isNamed = manifests.some(
    ({ path, schema = namedIn(project, path) ?? '' }) => posix.join(posix.dirname(path), schema) === copied,
  );
  if (!isNamed) return [];
  const target = join(root, copied);
  if (existsSync(target)) {
    await removeLeftoversBeside([target]);
    return [];
  }
  const text = await readEditorSchema('manifest');
  await putFiles(root, new Map([[copied, text]]), { overwrite: false });
  return [copied];
}

function namedIn({ files }: Project, file: string): string | undefined {
  const lines = (files.source(file)?.text ?? '').split('\n');
  const named = lines.flatMap(
    (line) => (line.startsWith(comment) ? /^\S+/.exec(line.slice(comment.length)) : null) ?? [],
  );
  return named[0];
}

/**
 * Converts a schema path that is relative to the file `other` to a path relative to `path`. Keeps URLs and absolute
 * paths.
 */
function seenFrom(path: string, other: string, schema: string): string {
  return /^([a-z]+:|\/)/i.test(schema) ? schema : relativeTo(path, posix.join(posix.dirname(other), schema));
}

function relativeTo(path: string, target: string): string {
  const fromFolder = posix.relative(posix.dirname(path), target);
  return fromFolder.startsWith('.') ? fromFolder : `./${fromFolder}`;
}
