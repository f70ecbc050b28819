import type { Project } from './project.ts';

/** The project as it would be with other texts in some of its files, by their paths; nothing is written. */
export function editedProject(project: Project, texts: ReadonlyMap<string, string>): Project {
  const files = project.files.withTexts(texts);
  const parsed = project.parsed.withFiles(files, new Set(texts.keys()));
  return { ...project, files, parsed, sourceOf: (path) => files.sourceOf(path) };
}
