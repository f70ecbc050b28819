import { cached } from '../../json/json.ts';
import { isSpecial } from '../../yaml/interpolate.ts';
import type { Span } from '../../yaml/problem.ts';
import {
  includedPath,
  type MapNode,
  memberOf,
  membersIn,
  type Node,
  nodesIn,
  type ScalarNode,
  scalarsOf,
} from '../../yaml/tree.ts';
import type { Chain } from './layers.ts';
import type { ManifestFile } from './manifest-files.ts';

/** The value of a variable that a file declares. */
export interface DeclaredVariable {
  readonly value: string | number | boolean;
  /** The value as text. A number keeps the digits that were written. */
  readonly text: string;
  readonly at: Span;
  /** Set if the value is a table cell. Problems with the value are then reported at the cell. */
  readonly isCell?: true;
}

export type DeclaredVariables = ReadonlyMap<string, DeclaredVariable>;

/**
 * The variables of a manifest, grouped by precedence. The environment's variables override `under`, and `over`
 * overrides both of them.
 */
export interface ChainVariables {
  /** The variables of the bases and their overlays. */
  readonly under: DeclaredVariables;
  /** The variables of the manifest and its overlays. */
  readonly over: DeclaredVariables;
}

const none: ChainVariables = { under: new Map(), over: new Map() };

/** Caches the result, because fleet members without overrides share one chain. */
const variablesByChain = new WeakMap<Chain, { readonly environment: string; readonly variables: ChainVariables }>();

/**
 * Collects the variables that the files of a manifest declare in an environment. Both in `under` and in `over`,
 * overlays override files, and the nearer of two files or overlays takes precedence.
 */
export function variablesIn(chain: Chain, environment: string): ChainVariables {
  const found = variablesByChain.get(chain);
  if (found?.environment === environment) return found.variables;
  const extended = chain.files.slice(0, chain.extendedCount);
  const own = chain.files.slice(chain.extendedCount);
  const under = variablesOf(extended, environment);
  const over = variablesOf(own, environment);
  const variables = under.size + over.size === 0 ? none : { under, over };
  variablesByChain.set(chain, { environment, variables });
  return variables;
}

/** Collects the variables that files declare, in all environments or also in one. The nearer file takes precedence. */
export function variablesOf(files: readonly ManifestFile[], environment?: string): DeclaredVariables {
  const roots = files.flatMap(({ resource }) => resource?.root ?? []);
  const overlays =
    environment === undefined ? [] : roots.map((root) => memberOf(memberOf(root, 'environments'), environment));
  return new Map([...roots, ...overlays].flatMap((node) => variablesUnder(memberOf(node, 'variables'))));
}

/** The variables in one map. Skips invalid values, which the schema reports. */
export function variablesUnder(node: ReturnType<typeof memberOf>): Array<[string, DeclaredVariable]> {
  return [...membersIn(node)].flatMap(([name, { value }]): Array<[string, DeclaredVariable]> => {
    const variable = value.type === 'scalar' ? declaredVariable(value) : undefined;
    return variable === undefined ? [] : [[name, variable]];
  });
}

export function declaredVariable({ value, source, at }: ScalarNode): DeclaredVariable | undefined {
  if (value === null) return undefined;
  return { value, text: typeof value === 'string' ? value : (source ?? String(value)), at };
}

/** The variables to which a manifest's files refer in any environment. */
export interface VariableUse {
  /** The names in literal references. */
  readonly referredTo: readonly string[];
  /** Whether the manifest includes a text file, which may refer to further variables. */
  readonly includes: boolean;
  /** Whether an overlay of another environment includes a text file. */
  readonly includesElsewhere: boolean;
}

/** Caches the result, because fleet members without overrides share one chain. */
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
  /** The environments whose overlays include a text file. */
  readonly overlays: readonly string[];
}

/** Caches the result for all manifests and environments that use the file. */
const usesOfFiles = new WeakMap<MapNode, FileUse>();

/** Finds the variables that texts refer to, and the environments whose overlays include a text file. */
function useInFile(root: MapNode): FileUse {
  return cached(usesOfFiles, root, () => {
    const references = scalarsOf(root).flatMap(([, { value }]) =>
      typeof value === 'string' && isSpecial(value) ? [...value.matchAll(reference)] : [],
    );
    const overlays = [...membersIn(memberOf(root, 'environments'))].filter(([, { value }]) => includesText(value));
    return {
      referredTo: [...new Set(references.map(([, whole, entry]) => whole ?? entry ?? ''))],
      includes: includesText(root),
      overlays: overlays.map(([name]) => name),
    };
  });
}

/** Matches a reference to a variable, or a variable inside a reference to a secret. */
const reference = /\$\{var\.([^{}]*)\}|\[var\.([^[\]]*)\]/g;

function includesText(root: Node): boolean {
  return nodesIn(root).some((node) => includedPath(node, 'file') ?? includedPath(node, 'patch'));
}

/** Whether another environment may use a variable that is unused in this environment. */
export function mayBeUsedElsewhere({ referredTo, includesElsewhere }: VariableUse, name: string): boolean {
  return referredTo.includes(name) || includesElsewhere;
}

/**
 * For a manifest that was never resolved, whether any environment may use a variable. True if the manifest includes a
 * text, because that text may refer to the variable.
 */
export function mayBeUsedAnywhere({ referredTo, includes }: VariableUse, name: string): boolean {
  return referredTo.includes(name) || includes;
}
