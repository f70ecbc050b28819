import { type MapNode, memberOf, type ScalarNode } from '../../yaml/tree.ts';
import { Glob } from './glob.ts';
import type { Project } from './project.ts';

/** What `manifests` in agentform.yaml includes and, behind a `!`, leaves out. */
export interface ManifestGlobs {
  readonly included: readonly { readonly node: ScalarNode; readonly glob: Glob }[];
  readonly excluded: readonly Glob[];
}

/** The patterns have to have no problem. */
export function manifestGlobs(tree: MapNode): ManifestGlobs {
  const patterns = patternNodes(tree);
  const isExcluding = (node: ScalarNode) => String(node.value).startsWith('!');
  const included = patterns.filter((node) => !isExcluding(node));
  return {
    included: included.map((node) => ({ node, glob: new Glob(String(node.value)) })),
    excluded: patterns.filter(isExcluding).map((node) => new Glob(String(node.value).slice(1))),
  };
}

/** The patterns of `manifests` in agentform.yaml. */
export function manifestPatterns({ tree }: Pick<Project, 'tree'>): string[] {
  return patternNodes(tree).map(({ value }) => String(value));
}

export function patternNodes(tree: MapNode): ScalarNode[] {
  const patterns = memberOf(tree, 'manifests');
  return patterns?.type === 'list' ? patterns.items.filter((item) => item.type === 'scalar') : [];
}

/** Those of the paths, relative to the project folder, where a manifest would be found. The paths need not exist. */
export function matchedPaths({ tree }: Project, paths: Iterable<string>): ReadonlySet<string> {
  const { included, excluded } = manifestGlobs(tree);
  const isMatched = (path: string) =>
    included.some(({ glob }) => glob.matches(path)) && !excluded.some((glob) => glob.covers(path));
  return new Set([...paths].filter(isMatched));
}

/** Where a manifest of this name could lie, the most usual place first; not every one of them is matched. */
export function defaultPaths(project: Project, name: string): string[] {
  const own = manifestPatterns(project).flatMap((pattern) => {
    const simple = pattern
      .replace(/^\.\//, '')
      .replaceAll('**/', '')
      .replace(/\{([^,{}]*)(?:,[^{}]*)?\}/g, '$1');
    return simple.split('*').length === 2 && !/[?[\]{}!]/.test(simple) ? [simple.replace('*', name)] : [];
  });
  return [...new Set([`agents/${name}.yaml`, ...own])];
}
