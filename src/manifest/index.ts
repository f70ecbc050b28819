export { type LintLevel, type LintRule, lintRules } from './lint-rules.ts';
export { loadProject } from './load-project.ts';
export type { Problem, Span } from './problem.ts';
export { hasErrors } from './problem-list.ts';
export type { EnvironmentDefinition, Project } from './project.ts';
export { ProjectError } from './project-error.ts';
export type { ManifestIdentity, Origin, Resolution, ResolveOptions } from './resolution.ts';
export { resolveProject } from './resolve-project.ts';
export { type ValidateOptions, type Validation, validateProject } from './validate-project.ts';
