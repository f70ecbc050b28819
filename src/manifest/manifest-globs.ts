import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Project } from './project.ts';
import { ProjectFiles } from './project-files.ts';
import { memberOf } from './tree.ts';

/** The patterns of `manifests` in agentform.yaml. */
export function manifestPatterns({ tree }: Project): string[] {
  const patterns = memberOf(tree, 'manifests');
  const items = patterns?.type === 'list' ? patterns.items : [];
  return items.flatMap((item) => (item.type === 'scalar' ? [String(item.value)] : []));
}

/**
 * Those of the paths, relative to the project folder, where a manifest would be found. The paths need not exist: they
 * are laid out in a folder of their own, so that the patterns mean what they mean when the project is read.
 */
export async function matchedPaths(project: Project, paths: Iterable<string>): Promise<ReadonlySet<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-'));
  try {
    for (const path of paths) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), '');
    }
    const files = new ProjectFiles(folder);
    const { paths: found } = await files.find(manifestPatterns(project));
    return new Set(found);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where a manifest of this name could lie, the most usual place first; not every one of them is matched. */
export function usualPaths(project: Project, name: string): string[] {
  const own = manifestPatterns(project).flatMap((pattern) => {
    const simple = pattern
      .replace(/^\.\//, '')
      .replaceAll('**/', '')
      .replace(/\{([^,{}]*)(?:,[^{}]*)?\}/g, '$1');
    return simple.split('*').length === 2 && !/[?[\]{}!]/.test(simple) ? [simple.replace('*', name)] : [];
  });
  return [...new Set([`agents/${name}.yaml`, ...own])];
}
