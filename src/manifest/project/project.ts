import type { Environment, ProjectFile, Rollout } from '../../schemas/project-types.ts';
import { quote } from '../../text/wording.ts';
import type { BaseTexts } from '../../yaml/allow-comments.ts';
import { errorAt, type Problem } from '../../yaml/problem.ts';
import type { LintLevel } from '../../yaml/rules.ts';
import { keyAt, type MapNode, memberOf, type ScalarNode, textOf } from '../../yaml/tree.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import { Glob } from './glob.ts';
import { ManifestFiles } from './manifest-files.ts';
import type { ProjectFiles } from './project-files.ts';
import { type FactStores, factsInMemory } from './trace.ts';

/** One environment in agentform.yaml, before variables and secrets are inserted. */
export interface EnvironmentDefinition {
  readonly name: string;
  /** The base URL before variables are inserted, or `emulator`. */
  readonly baseUrl: string;
  /** The reference to the token, such as `${secret.NAME}`. */
  readonly token?: string;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly variables: Readonly<Record<string, string | number | boolean>>;
  readonly unverified: 'set' | 'report';
  /** How to treat dashboard edits if the plan's question about the edits has no answer. */
  readonly unanswered: 'undo' | 'leave';
  /** The order in which agents receive a change. Omitted if all agents receive it together. */
  readonly rollout?: Rollout;
}

/** An environment that must have a change first, and how long it must have had the change, such as `24h`. */
export type RequiredEnvironment = Exclude<NonNullable<Environment['requires']>, string>;

/** The content of a checked agentform.yaml, with the paths of its manifests. */
export interface Project {
  /** The absolute path of the project folder. */
  readonly root: string;
  /** The name of the project file inside the root. */
  readonly file: string;
  /** The project's displayed name, if declared. */
  readonly name: string | undefined;
  readonly environments: readonly string[];
  /** The declared default environment, or the only environment. */
  readonly defaultEnvironment: string | undefined;
  readonly definitions: ReadonlyMap<string, EnvironmentDefinition>;
  readonly limits: { readonly creates: number };
  /** By environment, the other environments that must have a change first. */
  readonly requires: ReadonlyMap<string, readonly RequiredEnvironment[]>;
  /** The environments in which all Tests must pass before an apply. */
  readonly testsRequired: ReadonlySet<string>;
  /** The levels of lint rules in agentform.yaml, by rule. */
  readonly lint: Readonly<Record<string, LintLevel>>;
  /** The limits of lint rules in agentform.yaml, by rule. */
  readonly lintMaxima: Readonly<Record<string, number>>;
  /**
   * Limits the findings that comments may allow. Absent without a base commit, or if no prompt check is an error in its
   * agentform.yaml. In these cases, comments may allow any finding.
   */
  readonly baseTexts?: BaseTexts | undefined;
  /** The addresses of resources whose records an apply drops. */
  readonly removed: readonly string[];
  readonly record: NonNullable<ProjectFile['record']>;
  readonly service: {
    readonly publish?: string;
    /** The maximum time in milliseconds to wait until a read returns the written values. */
    readonly readBackMs: number;
    /** The names of query parameters, including defaults. */
    readonly parameters: Readonly<Record<ServiceParameter, string>>;
  };
  /** The sorted paths of the manifests, relative to the root. */
  readonly manifests: readonly string[];
  /**
   * The problems with the patterns under `manifests`, and the warnings about agentform.yaml. Other errors in
   * agentform.yaml make `loadProject` throw.
   */
  readonly problems: readonly Problem[];
  /** The text of a project file for code frames, with literal credentials masked. */
  sourceOf(file: string): string | undefined;
  /** The parsed agentform.yaml. */
  readonly tree: MapNode;
  readonly files: ProjectFiles;
  readonly parsed: ManifestFiles;
  readonly checks: ValueChecks;
  /** Facts that this run and earlier runs kept. */
  readonly facts: FactStores;
}

/**
 * A copy of the project that contains only the manifest at `path`, and files that are not yet written. Used to check
 * generated files before writing them.
 */
export function pendingProject(project: Project, path: string, pending: ReadonlyMap<string, string>): Project {
  const files = project.files.withPending(pending);
  const parsed = new ManifestFiles(files, project.environments, project.checks);
  const sourceOf = (file: string) => files.sourceOf(file) ?? project.sourceOf(file);
  return { ...project, manifests: [path], problems: [], files, parsed, facts: factsInMemory(), sourceOf };
}

/** A copy of the project in which some files have different texts, given by path. Does not write any file. */
export function editedProject(project: Project, texts: ReadonlyMap<string, string>): Project {
  const files = project.files.withTexts(texts);
  const parsed = project.parsed.again(files);
  const facts = factsInMemory(project.facts);
  return { ...project, files, parsed, facts, sourceOf: (path) => files.sourceOf(path) };
}

/** A query parameter whose name the specification leaves to the deployment. */
type ServiceParameter = 'resellerId' | 'pagination' | 'page' | 'pageSize' | 'unread';

/** The default parameter names, which must equal the defaults in schemas/project.schema.json. */
export const defaultParameters: Readonly<Record<ServiceParameter, string>> = {
  resellerId: 'targetResellerId',
  pagination: 'pagination',
  page: 'page',
  pageSize: 'pageSize',
  unread: 'unread',
};

/** Parameters of the same request, which must have different names. */
const ofConversations: readonly ServiceParameter[] = ['pagination', 'page', 'pageSize', 'unread'];

/** Finds problems in `service.parameters` that the schema cannot detect. */
export function parameterProblems(service: MapNode): Problem[] {
  const parameters = memberOf(service, 'parameters');
  if (parameters?.type !== 'map') return [];
  return [...parameters.members].flatMap(([key, { value: node }]) => {
    const name = textOf(parameters, key);
    const path = `service.parameters.${key}`;
    if (name === 'token')
      return [
        errorAt(
          node.at,
          'parameter',
          `${path} must not be 'token', the name of the query parameter for the API token; choose another name`,
        ),
      ];
    const other = sameName(parameters, key, name);
    if (other === undefined) return [];
    const problem = errorAt(
      node.at,
      'parameter',
      `${path} is ${quote(name ?? '')}, but ${other} already has this name; give each parameter a different name`,
    );
    const isDeclared = parameters.members.has(other);
    return [isDeclared ? { ...problem, also: { message: other, at: keyAt(parameters, [other]) } } : problem];
  });
}

/**
 * Finds another parameter of the same request with this name. The other parameter is declared earlier, or has this name
 * by default.
 */
function sameName(parameters: MapNode, key: string, name: string | undefined): ServiceParameter | undefined {
  const declared = [...parameters.members.keys()];
  const isEarlier = (other: string) => declared.indexOf(other) < declared.indexOf(key);
  if (!ofConversations.some((own) => own === key)) return undefined;
  return ofConversations.find(
    (other) => other !== key && isEarlier(other) && (textOf(parameters, other) ?? defaultParameters[other]) === name,
  );
}

/** The patterns of `manifests`. Patterns that begin with `!` exclude paths. */
interface ManifestGlobs {
  readonly included: readonly { readonly node: ScalarNode; readonly glob: Glob }[];
  readonly excluded: readonly Glob[];
}

/** Compiles the patterns of `manifests`, which must be valid. */
export function manifestGlobs(tree: MapNode): ManifestGlobs {
  const patterns = patternNodes(tree);
  const globs = { included: [] as ManifestGlobs['included'][number][], excluded: [] as Glob[] };
  for (const node of patterns) {
    const pattern = String(node.value);
    if (pattern.startsWith('!')) globs.excluded.push(new Glob(pattern.slice(1)));
    else globs.included.push({ node, glob: new Glob(pattern) });
  }
  return globs;
}

/** The patterns of `manifests` as texts. */
export function manifestPatterns({ tree }: Pick<Project, 'tree'>): string[] {
  return patternNodes(tree).map(({ value }) => String(value));
}

export function patternNodes(tree: MapNode): ScalarNode[] {
  const patterns = memberOf(tree, 'manifests');
  return patterns?.type === 'list' ? patterns.items.filter((item) => item.type === 'scalar') : [];
}

/** The paths that match `manifests`, relative to the project folder. The files need not exist. */
export function matchedPaths({ tree }: Project, paths: Iterable<string>): ReadonlySet<string> {
  const { included, excluded } = manifestGlobs(tree);
  const isMatched = (path: string) =>
    included.some(({ glob }) => glob.matches(path)) && !excluded.some((glob) => glob.covers(path));
  return new Set([...paths].filter(isMatched));
}

/** Finds a pattern that may match files in a folder, which need not exist. */
export function patternCovering({ tree }: Pick<Project, 'tree'>, folder: string): ScalarNode | undefined {
  const { included, excluded } = manifestGlobs(tree);
  if (excluded.some((glob) => glob.covers(folder))) return undefined;
  return included.find(({ glob }) => glob.mayMatchBelow(folder))?.node;
}

/** Paths for a new manifest with this name, starting with the most common. Some paths may not match `manifests`. */
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
