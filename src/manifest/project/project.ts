import type { PackPlace } from '../../files/pack.ts';
import type { ProjectFile } from '../../schemas/project-types.ts';
import type { BaseTexts } from '../../yaml/base-texts.ts';
import type { Problem } from '../../yaml/problem.ts';
import type { LintLevel } from '../../yaml/rules.ts';
import type { MapNode } from '../../yaml/tree.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import { ManifestFiles } from './manifest-files.ts';
import type { ProjectFiles } from './project-files.ts';
import type { ServiceParameter } from './service-parameters.ts';

/** One environment as agentform.yaml declares it, variables and secrets not put in. */
export interface EnvironmentDefinition {
  readonly name: string;
  /** As written; `emulator` for the embedded emulator. */
  readonly baseUrl: string;
  /** `${secret.NAME}`. */
  readonly token?: string;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly variables: Readonly<Record<string, string | number | boolean>>;
  readonly unverified: 'set' | 'report';
}

/** What must have been applied elsewhere first. */
export interface Requirement {
  readonly environment: string;
  /** For how long, such as `24h`. */
  readonly for?: string;
}

/** A checked agentform.yaml and the manifests it names. */
export interface Project {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Name of the project file inside the root. */
  readonly file: string;
  readonly environments: readonly string[];
  /** The one named as default, or the only one there is. */
  readonly defaultEnvironment: string | undefined;
  readonly definitions: ReadonlyMap<string, EnvironmentDefinition>;
  readonly limits: { readonly creates: number };
  /** By environment, what has to be applied elsewhere before it. */
  readonly requires: ReadonlyMap<string, readonly Requirement[]>;
  /** The environments whose Tests must pass before an apply. */
  readonly testsRequired: ReadonlySet<string>;
  /** Levels that agentform.yaml sets, by rule. */
  readonly lint: Readonly<Record<string, LintLevel>>;
  /** Limits of lint rules that agentform.yaml sets, by rule. */
  readonly lintMaxima: Readonly<Record<string, number>>;
  /** What comments in texts may allow; whatever they say without a base commit. */
  readonly baseTexts?: BaseTexts | undefined;
  /** Addresses of the resources whose records are to be dropped. */
  readonly removed: readonly string[];
  /** Where records are kept. */
  readonly record: NonNullable<ProjectFile['record']>;
  readonly service: {
    readonly publish?: string;
    /** How long reads may lag behind writes, in milliseconds. */
    readonly readBackMs: number;
    /** Names of query parameters, defaults filled in. */
    readonly parameters: Readonly<Record<ServiceParameter, string>>;
  };
  /** Paths of the manifests relative to the root, sorted. */
  readonly manifests: readonly string[];
  /** Warnings about the project file; errors make loadProject throw. */
  readonly problems: readonly Problem[];
  /** The text of a file of the project for code frames, with literal credentials masked. */
  sourceOf(file: string): string | undefined;
  /** For src/manifest only: what was read so far, and what was checked so far. */
  readonly tree: MapNode;
  readonly files: ProjectFiles;
  readonly parsed: ManifestFiles;
  /** Where what was found in texts may be kept for the next run; nowhere if left out. */
  readonly keptFindings?: () => Promise<PackPlace | undefined>;
  readonly checks: ValueChecks;
}

/**
 * The project as if it had this one manifest, with its files not written yet, so that what will be written can be
 * checked by the same code that reads it later.
 */
export function pendingProject(project: Project, path: string, pending: ReadonlyMap<string, string>): Project {
  const files = project.files.withPending(pending);
  const parsed = new ManifestFiles(files, project.environments, { checks: project.checks });
  const sourceOf = (file: string) => files.sourceOf(file) ?? project.sourceOf(file);
  return { ...project, manifests: [path], problems: [], files, parsed, sourceOf };
}

/** The project as it would be with other texts in some of its files, by their paths; nothing is written. */
export function editedProject(project: Project, texts: ReadonlyMap<string, string>): Project {
  const files = project.files.withTexts(texts);
  const parsed = project.parsed.withFiles(files, new Set(texts.keys()));
  return { ...project, files, parsed, sourceOf: (path) => files.sourceOf(path) };
}
