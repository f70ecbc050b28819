import { relative, resolve, sep } from 'node:path';
import { AgentformError } from '../errors.ts';
import { type ImportRow, manifestPatterns, matchedPaths, type Project, usualPaths } from '../manifest/index.ts';

/**
 * Where the manifest of each row is to lie, by name, relative to the project folder. Every place is one where the
 * project will find it. `path` is what a user asked for.
 */
export function placesOf(
  project: Project,
  rows: readonly Pick<ImportRow, 'name'>[],
  path: string | undefined,
): ReadonlyMap<string, string> {
  const candidates = new Map(rows.map(({ name }) => [name, path === undefined ? usualPaths(project, name) : [path]]));
  const matched = matchedPaths(project, [...candidates.values()].flat());
  return new Map(
    [...candidates].map(([name, paths]) => {
      const found = paths.find((candidate) => matched.has(candidate));
      if (found === undefined) throw outOfReach(project, paths[0] ?? name);
      return [name, found];
    }),
  );
}

/** The path that a user gave, relative to the project folder. */
export function insideProject({ root }: Project, path: string): string {
  const inside = relative(root, resolve(path)).split(sep).join('/');
  if (inside !== '' && inside !== '..' && !inside.startsWith('../')) return inside;
  throw new AgentformError('usage', `--path ${path} does not lie in the project folder`);
}

function outOfReach(project: Project, path: string): AgentformError {
  const patterns = manifestPatterns(project).join(', ');
  return new AgentformError(
    'import-refused',
    `a manifest at ${path} would not be found: manifests in ${project.file} names ${patterns}; choose a place with --path, or add a pattern`,
  );
}
