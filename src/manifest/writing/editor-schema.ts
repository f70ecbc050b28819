import { posix } from 'node:path';
import type { Project } from '../project.ts';

/** Where the schema of manifests is for a project that installed agentform as a package. */
const installed = 'node_modules/agentform/schemas/manifest.schema.json';

const comment = '# yaml-language-server: $schema=';

/**
 * What the editor's comment in a new manifest at `path` names: what the project's other manifests name, or else the
 * schema of manifests that lies beside the one that the project file names.
 */
export function editorSchema(project: Project, path: string): string {
  for (const other of project.manifests) {
    const schema = namedIn(project, other);
    if (schema !== undefined && other !== path) return seenFrom(path, other, schema);
  }
  const beside = namedIn(project, project.file)?.replace(/project(\.schema\.json)$/, 'manifest$1');
  return beside?.endsWith('manifest.schema.json') ? seenFrom(path, project.file, beside) : relativeTo(path, installed);
}

function namedIn({ files }: Project, file: string): string | undefined {
  const lines = (files.source(file)?.text ?? '').split('\n');
  const named = lines.flatMap(
    (line) => (line.startsWith(comment) ? /^\S+/.exec(line.slice(comment.length)) : null) ?? [],
  );
  return named[0];
}

/** What `schema` in the file `other` names, as the file at `path` names it. */
function seenFrom(path: string, other: string, schema: string): string {
  return /^([a-z]+:|\/)/i.test(schema) ? schema : relativeTo(path, posix.join(posix.dirname(other), schema));
}

function relativeTo(path: string, target: string): string {
  const way = posix.relative(posix.dirname(path), target);
  return way.startsWith('.') ? way : `./${way}`;
}
