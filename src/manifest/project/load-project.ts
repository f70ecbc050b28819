import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AgentformError, reasonOf } from '../../errors.ts';
import { isJsonObject, withoutUndefined } from '../../json/json.ts';
import type { ProjectFile } from '../../schemas/project-types.ts';
import { projectFile } from '../../schemas/project-validators.js';
import { usualRecord } from '../../schemas/record-settings.ts';
import { milliseconds } from '../../text/time.ts';
import { formatNumber, quote } from '../../text/wording.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import {
  errorAt,
  type FoundProblems,
  hasErrors,
  maxProblems,
  type Problem,
  ProblemsError,
  shownProblems,
} from '../../yaml/problem.ts';
import { headOf, type MapNode, type Node, showNode, toJson } from '../../yaml/tree.ts';
import { createValueChecks } from '../../yaml/values.ts';
import { problemsOfViolations } from '../../yaml/violations.ts';
import { hideCredentialBlocks } from '../check/credentials.ts';
import { misreadProblems } from '../check/misread-values.ts';
import { maxNames, type SearchFailure } from './find-files.ts';
import { ManifestFiles } from './manifest-files.ts';
import {
  defaultParameters,
  type EnvironmentDefinition,
  manifestGlobs,
  type Project,
  type RequiredEnvironment,
} from './project.ts';
import { projectProblems } from './project-checks.ts';
import { type CommittedFiles, ProjectFiles, type ReadableFiles, yamlLimit } from './project-files.ts';
import { type FactStores, factsInMemory } from './trace.ts';

/** The name of the project file that a project folder implies. */
export const projectFileName = 'agentform.yaml';

/** Thrown if agentform.yaml is missing or invalid. */
export class ProjectError extends ProblemsError {
  constructor(message: string, found?: Partial<FoundProblems>) {
    super('project-invalid', message, found);
    this.name = 'ProjectError';
  }
}

/**
 * Reads and checks agentform.yaml, and finds the manifests. `path` is the project folder or agentform.yaml. Throws a
 * ProjectError with all problems, or `usage` for a secrets file inside the project.
 */
export async function loadProject(path: string, { readable, env = {}, cache }: LoadOptions = {}): Promise<Project> {
  const { root, file } = locate(path);
  refuseSecretsInside(root, env);
  const project = loadedFrom(new ProjectFiles(root, { readable }), file);
  return { ...project, facts: cache?.factsOf(project) ?? project.facts };
}

interface OpenProject {
  /** The absolute path of the project folder. */
  readonly root: string;
  readonly file: string;
  /** The texts of documents that are open in an editor, by path. */
  readonly open: ReadonlyMap<string, string>;
  /** An earlier state of the project, whose unchanged parts are reused. */
  readonly earlier: Project | undefined;
}

/** Loads a project, reading open documents instead of their files. Throws like `loadProject`. */
export function openProject(
  { root, file, open, earlier }: OpenProject,
  { env = {}, cache }: Pick<LoadOptions, 'env' | 'cache'>,
): Project {
  refuseSecretsInside(root, env);
  const project = loadedFrom(earlier?.files.again(open) ?? new ProjectFiles(root, { open }), file, earlier);
  const facts = earlier?.facts ?? factsInMemory(cache?.factsOf(project), { takesOver: true });
  return { ...project, facts };
}

function loadedFrom(files: ProjectFiles, file: string, earlier?: Project): Project {
  const fileReading = files.read(file, yamlLimit);
  if (fileReading.failure !== undefined) throw new ProjectError(`${file} ${fileReading.failure}`);
  const { source } = fileReading;
  const { root: tree, problems: syntax } = parseYaml(source);
  if (tree?.type !== 'map' || syntax.length > 0) {
    hideCredentialBlocks(source);
    const notAMap = (root: Node) =>
      errorAt(headOf(root), 'file-shape', `the file is ${showNode(root)}: expected an object`);
    const shape = tree === undefined || tree.type === 'map' ? [] : [notAMap(tree)];
    throw invalid(files, file, [...syntax, ...shape]);
  }
  const json = toJson(tree);
  if (file !== projectFileName && isJsonObject(json) && typeof json.kind === 'string' && json.kind !== 'Project') {
    const shown = `${file} is not a project: its kind is ${quote(json.kind)}`;
    throw new ProjectError(`${shown}; choose ${projectFileName}, or the folder that contains it`);
  }
  const fits = projectFile(json);
  const subject = { kind: 'Project', root: tree, source } as const;
  const violations = fits ? [] : problemsOfViolations(subject, projectFile.errors ?? []);
  const problems = [...violations, ...projectProblems(tree, source)];
  const misread = misreadProblems({ kind: 'Project', root: tree, source });
  if (!fits || hasErrors(problems)) throw invalid(files, file, [...problems, ...misread]);
  // The schema has checked that the JSON has this type.
  const project = assemble({ files, file, tree, json: json as unknown as ProjectFile, earlier });
  return { ...project, problems: [...project.problems, ...misread] };
}

/** Loads a project from a commit. Throws a ProjectError if agentform.yaml is missing or invalid in that commit. */
export function projectAt(
  { root, file, facts }: Pick<Project, 'root' | 'file' | 'facts'>,
  committed: CommittedFiles,
): Project {
  const project = loadedFrom(new ProjectFiles(root, { committed }), file);
  return { ...project, facts: factsInMemory(facts) };
}

/** Keeps facts about projects between runs of the same user. */
export interface FactCache {
  /** The facts that earlier runs found for a project. Undefined if no facts may be kept. */
  factsOf(project: Pick<Project, 'root' | 'file'>): FactStores | undefined;
}

interface LoadOptions {
  /** The only files of the project that may be read. Omit this to allow every file in the project folder. */
  readonly readable?: ReadableFiles | undefined;
  /** The process variables, one of which may name a file with secrets. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The user's cache. Omit this to use no cache. */
  readonly cache?: FactCache | undefined;
}

/**
 * Throws `usage` for a secrets file inside the project, because project files are committed and visible to all readers.
 */
function refuseSecretsInside(root: string, { AGENTFORM_SECRETS_FILE: path }: NonNullable<LoadOptions['env']>): void {
  if (!path || !existsSync(path)) return;
  const fromFolder = relative(realpathSync.native(root), realpathSync.native(path));
  if (fromFolder.startsWith(`..${sep}`) || isAbsolute(fromFolder)) return;
  throw new AgentformError(
    'usage',
    'AGENTFORM_SECRETS_FILE names a file inside the project; move it out of the project folder',
  );
}

function locate(path: string): { readonly root: string; readonly file: string } {
  const absolute = resolve(path);
  const stats = statsOf(absolute, path);
  // If a path is not UTF-8, Node reads it with replacement characters and then cannot find it.
  if (stats === undefined && absolute.includes('\ufffd'))
    throw new ProjectError(`the path ${quote(absolute)} is not UTF-8; rename the file or folder`);
  if (stats === undefined) throw new ProjectError(`there is no file or folder ${quote(path)}`);
  if (!stats.isDirectory()) return { root: dirname(absolute), file: basename(absolute) };
  if (statsOf(join(absolute, projectFileName), join(path, projectFileName)) !== undefined)
    return { root: absolute, file: projectFileName };
  const isMisnamed = statsOf(join(absolute, misnamed), join(path, misnamed)) !== undefined;
  const remedy = isMisnamed
    ? `rename ${misnamed} to ${projectFileName}`
    : 'choose the project folder with --project, or create a project with `agentform init`';
  throw new ProjectError(`there is no ${projectFileName} in ${quote(path)}: ${remedy}`);
}

const misnamed = 'agentform.yml';

/** Throws a ProjectError if the path cannot be read, for example because permission is denied. */
function statsOf(absolute: string, shown: string): Stats | undefined {
  try {
    return statSync(absolute, { throwIfNoEntry: false });
  } catch (cause) {
    throw new ProjectError(`${shown} cannot be read: ${reasonOf(cause)}`);
  }
}

function invalid(files: ProjectFiles, file: string, problems: readonly Problem[]): ProjectError {
  const sorted = shownProblems(problems, (path) => files.source(path));
  const errors = sorted.filter(({ severity }) => severity === 'error').length;
  const count = errors === 1 ? 'an error' : errors > maxProblems ? 'many errors' : `${errors} errors`;
  return new ProjectError(`${file} has ${count}`, { problems: sorted, sourceOf: (path) => files.sourceOf(path) });
}

interface Parts {
  readonly files: ProjectFiles;
  readonly file: string;
  readonly tree: MapNode;
  readonly json: ProjectFile;
  readonly earlier?: Project | undefined;
}

function assemble({ files, file, tree, json, earlier }: Parts): Project {
  const { service = {}, limits = {}, lint = {}, removed = [], record = usualRecord } = json;
  const { publish, parameters, readBack = '8s' } = service;
  const environments = Object.keys(json.environments);
  const found = findManifests(files, file, tree);
  const checks = earlier?.checks ?? createValueChecks();
  const definitions = Object.entries(json.environments).map(([name, one]): [string, EnvironmentDefinition] => {
    const { baseUrl, token, query = {}, variables = {}, unverified = 'set', unanswered = 'undo', rollout } = one;
    const definition = { name, baseUrl, query, variables, unverified, unanswered };
    return [name, { ...definition, ...withoutUndefined({ token, rollout }) }];
  });
  const requirements = Object.entries(json.environments).flatMap(
    ([name, { requires }]): [string, RequiredEnvironment[]][] => {
      if (requires === undefined) return [];
      return [[name, [typeof requires === 'string' ? { environment: requires } : requires]]];
    },
  );
  return {
    ...{ file, environments, removed, record, tree, files, checks },
    root: files.root,
    name: json.name,
    defaultEnvironment: json.defaultEnvironment ?? (environments.length === 1 ? environments[0] : undefined),
    definitions: new Map(definitions),
    limits: { creates: limits.creates ?? 50 },
    requires: new Map(requirements),
    ...lintOf(lint),
    testsRequired: new Set(environments.filter((name) => json.environments[name]?.tests === 'required')),
    service: {
      parameters: { ...defaultParameters, ...parameters },
      readBackMs: milliseconds(String(readBack)) ?? 0,
      ...(publish === undefined ? {} : { publish }),
    },
    ...found,
    sourceOf: (path) => files.sourceOf(path),
    parsed: earlier?.parsed.again(files, environments) ?? new ManifestFiles(files, environments, checks),
    facts: factsInMemory(),
  };
}

/** Splits lint settings into levels and limits. A setting is a level, or an object with an optional level and limit. */
function lintOf(lint: NonNullable<ProjectFile['lint']>): Pick<Project, 'lint' | 'lintMaxima'> {
  const lintSettings = Object.entries(lint).map(
    ([name, setting]) => [name, typeof setting === 'string' ? { level: setting } : setting] as const,
  );
  const levels = lintSettings.flatMap(([name, { level }]) => (level === undefined ? [] : [[name, level] as const]));
  const maxima = lintSettings.flatMap(([name, { max }]) => (max === undefined ? [] : [[name, max] as const]));
  return { lint: Object.fromEntries(levels), lintMaxima: Object.fromEntries(maxima) };
}

function findManifests(files: ProjectFiles, file: string, tree: MapNode): Pick<Project, 'manifests' | 'problems'> {
  const { included, excluded } = manifestGlobs(tree);
  const { paths, unsearched } = files.find(included.map(({ glob }) => glob));
  const found = new Set<string>();
  const problems = included.flatMap(({ node: { at }, glob: { pattern } }): Problem[] => {
    const manifests = (paths.get(pattern) ?? []).filter(
      (path) => path !== file && !excluded.some((glob) => glob.covers(path)),
    );
    for (const path of manifests) found.add(path);
    const folders = unsearched.get(pattern) ?? [];
    if (manifests.length === 0 && folders.length === 0) {
      const message = `the pattern ${quote(pattern)} matches no file`;
      return [{ severity: 'warning', rule: 'manifests-empty', message, at }];
    }
    return folders.map((folder) => {
      const which = `the folder ${quote(folder.path === '' ? '.' : folder.path)}`;
      const message = `the pattern ${quote(pattern)} covers ${which}, which cannot be searched: ${searchFailures[folder.why](folder)}`;
      return errorAt(at, 'manifests-unreadable', message);
    });
  });
  return { manifests: [...found].sort(), problems };
}

const searchFailures: Readonly<Record<SearchFailure['why'], (failure: SearchFailure) => string>> = {
  error: ({ cause }) => reasonOf(cause),
  outside: () => 'it is a link that leads outside the project folder',
  'not-utf8': () => 'its name is not UTF-8',
  'too-many-names': () => `more than ${formatNumber(maxNames)} files and folders`,
  'too-slow': () => 'matching the patterns takes too long',
};
