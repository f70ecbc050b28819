import type { ProjectFile, Rollout } from '../../schemas/project-types.ts';
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

/** One environment as declared in agentform.yaml, before variables and secrets are inserted. */
export interface EnvironmentDefinition {
  readonly name: string;
  /** As written; `emulator` for the embedded emulator. */
  readonly baseUrl: string;
  /** `${secret.NAME}`. */
  readonly token?: string;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly variables: Readonly<Record<string, string | number | boolean>>;
  readonly unverified: 'set' | 'report';
  /** How to treat edits on the service without a decision. */
  readonly unanswered: 'undo' | 'leave';
  /** The order in which agents get a change; all get it together if omitted. */
  readonly rollout?: Rollout;
}

/** The environment to apply to first. */
export interface Requirement {
  readonly environment: string;
  /** How long the change must have been there, such as `24h`. */
  readonly for?: string;
}

/** A checked agentform.yaml and the manifests it names. */
export interface Project {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Name of the project file inside the root. */
  readonly file: string;
  /** What people call it; undefined without a name. */
  readonly name: string | undefined;
  readonly environments: readonly string[];
  /** The default environment, or the only one. */
  readonly defaultEnvironment: string | undefined;
  readonly definitions: ReadonlyMap<string, EnvironmentDefinition>;
  readonly limits: { readonly creates: number };
  /** By environment, the environment to apply to first. */
  readonly requires: ReadonlyMap<string, readonly Requirement[]>;
  /** The environments whose Tests must pass before an apply. */
  readonly testsRequired: ReadonlySet<string>;
  /** Levels that agentform.yaml sets, by rule. */
  readonly lint: Readonly<Record<string, LintLevel>>;
  /** Limits of lint rules that agentform.yaml sets, by rule. */
  readonly lintMaxima: Readonly<Record<string, number>>;
  /** Restricts what comments in texts may allow; without a base commit, they may allow everything. */
  readonly baseTexts?: BaseTexts | undefined;
  /** Addresses of the resources whose records will be dropped. */
  readonly removed: readonly string[];
  /** The record store. */
  readonly record: NonNullable<ProjectFile['record']>;
  readonly service: {
    readonly publish?: string;
    /** The maximum lag of reads after writes, in milliseconds. */
    readonly readBackMs: number;
    /** Names of query parameters, with defaults. */
    readonly parameters: Readonly<Record<ServiceParameter, string>>;
  };
  /** Paths of the manifests relative to the root, sorted. */
  readonly manifests: readonly string[];
  /** Warnings about the project file; errors make loadProject throw. */
  readonly problems: readonly Problem[];
  /** The text of a file of the project for code frames, with literal credentials masked. */
  sourceOf(file: string): string | undefined;
  /** Only for src/manifest: the files read so far, and their results. */
  readonly tree: MapNode;
  readonly files: ProjectFiles;
  readonly parsed: ManifestFiles;
  readonly checks: ValueChecks;
  /** Results of this run and of earlier ones. */
  readonly facts: FactStores;
}

/**
 * The project as if it had only this manifest, with unwritten files, so that the code that reads them later can check
 * them first.
 */
export function pendingProject(project: Project, path: string, pending: ReadonlyMap<string, string>): Project {
  const files = project.files.withPending(pending);
  const parsed = new ManifestFiles(files, project.environments, project.checks);
  const sourceOf = (file: string) => files.sourceOf(file) ?? project.sourceOf(file);
  return { ...project, manifests: [path], problems: [], files, parsed, facts: factsInMemory(), sourceOf };
}

/** The project with other texts in some of its files, by path; nothing is written. */
export function editedProject(project: Project, texts: ReadonlyMap<string, string>): Project {
  const files = project.files.withTexts(texts);
  const parsed = project.parsed.withFiles(files, new Set(texts.keys()));
  const facts = factsInMemory(project.facts);
  return { ...project, files, parsed, facts, sourceOf: (path) => files.sourceOf(path) };
}

/** A query parameter whose name the specification leaves open. */
type ServiceParameter = 'resellerId' | 'pagination' | 'page' | 'pageSize' | 'unread';

/** The names that deployments are known to use; schemas/project.schema.json has the same. */
export const defaultParameters: Readonly<Record<ServiceParameter, string>> = {
  resellerId: 'targetResellerId',
  pagination: 'pagination',
  page: 'page',
  pageSize: 'pageSize',
  unread: 'unread',
};

/** Parameters that the same request uses, so their names must differ. */
const ofConversations: readonly ServiceParameter[] = ['pagination', 'page', 'pageSize', 'unread'];

/** Problems of `service.parameters` in agentform.yaml beyond its schema. */
export function parameterProblems(tree: MapNode): Problem[] {
  const parameters = memberOf(memberOf(tree, 'service'), 'parameters');
  if (parameters?.type !== 'map') return [];
  return [...parameters.members].flatMap(([key, { value: node }]) => {
    const name = textOf(parameters, key);
    const path = `service.parameters.${key}`;
    if (name === 'token') return [errorAt(node.at, 'parameter', `${path} is 'token', which carries the API token`)];
    const other = sameName(parameters, key, name);
    if (other === undefined) return [];
    const problem = errorAt(
      node.at,
      'parameter',
      `${path} is ${quote(name ?? '')}, the name of the parameter ${other}`,
    );
    const isDeclared = parameters.members.has(other);
    return [isDeclared ? { ...problem, also: { message: other, at: keyAt(parameters, [other]) } } : problem];
  });
}

/**
 * The other parameter of the same request that has this name; if both are declared, only the second one is reported.
 */
function sameName(parameters: MapNode, key: string, name: string | undefined): ServiceParameter | undefined {
  const declared = [...parameters.members.keys()];
  const isEarlier = (other: string) => declared.indexOf(other) < declared.indexOf(key);
  if (!ofConversations.some((own) => own === key)) return undefined;
  return ofConversations.find(
    (other) => other !== key && isEarlier(other) && (textOf(parameters, other) ?? defaultParameters[other]) === name,
  );
}

/** The patterns of `manifests` in agentform.yaml, included and excluded with `!`. */
interface ManifestGlobs {
  readonly included: readonly { readonly node: ScalarNode; readonly glob: Glob }[];
  readonly excluded: readonly Glob[];
}

/** The patterns must be valid. */
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

/** The patterns of `manifests` in agentform.yaml. */
export function manifestPatterns({ tree }: Pick<Project, 'tree'>): string[] {
  return patternNodes(tree).map(({ value }) => String(value));
}

export function patternNodes(tree: MapNode): ScalarNode[] {
  const patterns = memberOf(tree, 'manifests');
  return patterns?.type === 'list' ? patterns.items.filter((item) => item.type === 'scalar') : [];
}

/** The paths, relative to the project folder, that would be read as manifests. The paths need not exist. */
export function matchedPaths({ tree }: Project, paths: Iterable<string>): ReadonlySet<string> {
  const { included, excluded } = manifestGlobs(tree);
  const isMatched = (path: string) =>
    included.some(({ glob }) => glob.matches(path)) && !excluded.some((glob) => glob.covers(path));
  return new Set([...paths].filter(isMatched));
}

/** Possible paths for a manifest of this name, the most usual first; not all of them match. */
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
