import { isSpecial } from '../../yaml/interpolate.ts';
import type { Span } from '../../yaml/problem.ts';
import { includedPath, type MapNode, memberOf, type Node, type ScalarNode } from '../../yaml/tree.ts';
import type { Chain } from './layers.ts';
import type { ManifestFile } from './manifest-files.ts';

/** A value of `${var.NAME}` that a file declares. */
export interface DeclaredVariable {
  readonly value: string | number | boolean;
  /** Its literal form: for a number its digits. */
  readonly text: string;
  readonly at: Span;
  /** It is a cell of a table, so problems with it are problems of the cell. */
  readonly isCell?: true;
}

export type DeclaredVariables = ReadonlyMap<string, DeclaredVariable>;

/**
 * The variables of a manifest: those that the environment's variables override, and those that override the
 * environment's.
 */
export interface ChainVariables {
  /** The variables of the bases, with their overlays. */
  readonly under: DeclaredVariables;
  /** The variables of the manifest and its overlay. */
  readonly over: DeclaredVariables;
}

const none: ChainVariables = { under: new Map(), over: new Map() };

/** Cached values that the members of a fleet share. */
const known = new WeakMap<Chain, { readonly environment: string; readonly variables: ChainVariables }>();

/**
 * The variables that the files of a manifest declare in an environment. The nearer file wins, and overlays win over
 * files.
 */
export function variablesIn(chain: Chain, environment: string): ChainVariables {
  const found = known.get(chain);
  if (found?.environment === environment) return found.variables;
  const bases = chain.files.slice(0, chain.bases);
  const own = chain.files.slice(chain.bases);
  const under = variablesOf(bases, environment);
  const over = variablesOf(own, environment);
  const variables = under.size + over.size === 0 ? none : { under, over };
  known.set(chain, { environment, variables });
  return variables;
}

/** Variables that the files of a manifest declare for every environment; the nearer file wins. */
export function variablesEverywhere({ files }: Chain): DeclaredVariables {
  const roots = files.flatMap(({ resource }) => resource?.root ?? []);
  return new Map(roots.flatMap((root) => variablesUnder(memberOf(root, 'variables'))));
}

function variablesOf(files: readonly ManifestFile[], environment: string): DeclaredVariables {
  const roots = files.flatMap(({ resource }) => resource?.root ?? []);
  const overlays = roots.map((root) => memberOf(memberOf(root, 'environments'), environment));
  return new Map([...roots, ...overlays].flatMap((node) => variablesUnder(memberOf(node, 'variables'))));
}

/** The variables of one map. The schema reports values that are not allowed. */
export function variablesUnder(node: ReturnType<typeof memberOf>): Array<[string, DeclaredVariable]> {
  if (node?.type !== 'map') return [];
  return [...node.members].flatMap(([name, { value }]): Array<[string, DeclaredVariable]> => {
    const variable = value.type === 'scalar' ? declaredVariable(value) : undefined;
    return variable === undefined ? [] : [[name, variable]];
  });
}

export function declaredVariable({ value, source, at }: ScalarNode): DeclaredVariable | undefined {
  if (value === null) return undefined;
  return { value, text: typeof value === 'string' ? value : (source ?? String(value)), at };
}

/** The variables that the files of a manifest refer to, in any environment. */
export interface VariableUse {
  /** Names that they refer to literally. */
  readonly referredTo: readonly string[];
  /** Whether they include a text, which may refer to more variables. */
  readonly includes: boolean;
  /** Whether they include one in an overlay of another environment. */
  readonly includesElsewhere: boolean;
}

/** Computed once for the members of a fleet. */
const uses = new WeakMap<Chain, { readonly environment: string; readonly use: VariableUse }>();

export function variableUse(chain: Chain, environment: string): VariableUse {
  const known = uses.get(chain);
  if (known?.environment === environment) return known.use;
  const files = chain.files.flatMap(({ resource }) => (resource === undefined ? [] : [useInFile(resource.root)]));
  const use = {
    referredTo: [...new Set(files.flatMap(({ referredTo }) => referredTo))],
    includes: files.some(({ includes }) => includes),
    includesElsewhere: files.some(({ overlays }) => overlays.some((name) => name !== environment)),
  };
  uses.set(chain, { environment, use });
  return use;
}

interface FileUse extends Pick<VariableUse, 'referredTo' | 'includes'> {
  /** The environments whose overlays include a text. */
  readonly overlays: readonly string[];
}

/** Worked out once for the manifests that have the file, in all environments. */
const usesOfFiles = new WeakMap<MapNode, FileUse>();

function useInFile(root: MapNode): FileUse {
  const known = usesOfFiles.get(root);
  if (known !== undefined) return known;
  const { names, includes } = usesIn(root);
  const all = memberOf(root, 'environments');
  const overlays = all?.type === 'map' && includes ? [...all.members] : [];
  const including = overlays.filter(([, { value }]) => usesIn(value).includes).map(([name]) => name);
  const use = { referredTo: [...names], includes, overlays: including };
  usesOfFiles.set(root, use);
  return use;
}

/** Whether a variable that was not used may be needed in another environment. */
export function mayBeUsedElsewhere({ referredTo, includesElsewhere }: VariableUse, name: string): boolean {
  return referredTo.includes(name) || includesElsewhere;
}

/** The same for a manifest that is not resolved in any environment: any included text may refer to the variable. */
export function mayBeUsedAnywhere({ referredTo, includes }: VariableUse, name: string): boolean {
  return referredTo.includes(name) || includes;
}

/** The names that texts refer to, and whether a text is included. */
function usesIn(root: Node): { readonly names: ReadonlySet<string>; readonly includes: boolean } {
  const names = new Set<string>();
  let includes = false;
  const left: Node[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type === 'list') left.push(...node.items);
    else if (node.type === 'map') {
      includes ||= (includedPath(node, 'file') ?? includedPath(node, 'patch')) !== undefined;
      for (const { value } of node.members.values()) left.push(value);
    } else if (typeof node.value === 'string' && isSpecial(node.value)) {
      for (const [, whole, entry] of node.value.matchAll(/\$\{var\.([^{}]*)\}|\[var\.([^[\]]*)\]/g)) {
        names.add(whole ?? entry ?? '');
      }
    }
  }
  return { names, includes };
}
