import { posix } from 'node:path';
import type { Project } from '../project.ts';

/** Where the schema of manifests is for a project that installed agentform as a package. */
const installed = 'node_modules/agentform/schemas/manifest.schema.json';

const line = /^# yaml-language-server: \$schema=(\S+)/m;

/** What the editor's comment in a new manifest at `path` names: what the project's other manifests name. */
export function editorSchema(project: Project, path: string): string {
  for (const other of project.manifests) {
    const [, schema] = line.exec(project.files.source(other)?.text ?? '') ?? [];
    if (schema === undefined || other === path) continue;
    return /^([a-z]+:|\/)/i.test(schema) ? schema : relativeTo(path, posix.join(posix.dirname(other), schema));
  }
  return relativeTo(path, installed);
}

function relativeTo(path: string, target: string): string {
  const way = posix.relative(posix.dirname(path), target);
  return way.startsWith('.') ? way : `./${way}`;
}
