import { ManifestFiles } from './manifest-files.ts';
import type { Project } from './project.ts';
import { ProjectFiles } from './project-files.ts';

/**
 * The project as if it had this one manifest, with its files not written yet, so that what will be written can be
 * checked by the same code that reads it later.
 */
export function pendingProject(project: Project, path: string, pending: ReadonlyMap<string, string>): Project {
  const files = new ProjectFiles(project.root, { pending });
  const parsed = new ManifestFiles(files, project.environments);
  const sourceOf = (file: string) => files.sourceOf(file) ?? project.sourceOf(file);
  return { ...project, manifests: [path], problems: [], files, parsed, sourceOf };
}
