import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Project } from '../../manifest/project/project.ts';
import { ProjectFiles, yamlLimit } from '../../manifest/project/project-files.ts';
import type { Scope } from '../../manifest/resolve/values/scope.ts';
import { ValueResolver } from '../../manifest/resolve/values/value-resolver.ts';
import { taskFile } from '../../schemas/task-validators.js';
import { quote } from '../../text/wording.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';
import { headOf, memberOf, type Node, showNode, toJson } from '../../yaml/tree.ts';
import { problemsOfViolations } from '../../yaml/violations.ts';
import type { TaskDraft } from './draft.ts';
import { draftOf, resolvedSettings } from './settings.ts';

/** A file of the kind Task as read: what it asks for, and everything that is wrong with it. */
export interface TaskFileReading {
  readonly draft: TaskDraft;
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
}

/**
 * Reads a file of the kind Task and puts files, variables and secrets into it. What it refers to lies inside the
 * project folder; for a file that lies outside, inside its own folder.
 */
export async function readTaskFile(
  path: string,
  { project, scope }: { readonly project: Project; readonly scope: Scope },
): Promise<TaskFileReading> {
  const { files, file } = home(path, project);
  const sourceOf = (name: string) => files.sourceOf(name);
  const reading = files.read(file, yamlLimit);
  if (reading.failure !== undefined) {
    const message = `the task file ${quote(path)} ${reading.failure}`;
    return { draft: {}, problems: [{ severity: 'error', rule: 'file', message }], sourceOf };
  }
  const { root, problems } = parseYaml(reading.source);
  if (root === undefined || problems.length > 0) return { draft: {}, problems, sourceOf };
  return { ...(await checked(root, { files, scope })), sourceOf };
}

function home(path: string, project: Project): { readonly files: ProjectFiles; readonly file: string } {
  const absolute = resolve(path);
  const way = relative(project.root, absolute);
  const isOutside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  if (isOutside) return { files: new ProjectFiles(dirname(absolute)), file: basename(absolute) };
  return { files: project.files, file: way.split(sep).join('/') };
}

async function checked(
  root: Node,
  { files, scope }: { readonly files: ProjectFiles; readonly scope: Scope },
): Promise<Pick<TaskFileReading, 'draft' | 'problems'>> {
  if (root.type !== 'map') {
    const message = `the file is ${showNode(root)}: expected a map with apiVersion, kind and settings`;
    return { draft: {}, problems: [{ severity: 'error', rule: 'file-shape', message, at: headOf(root) }] };
  }
  // Its values mean nothing to any kind of resource; the schema of tasks says what they may be.
  const resolver = new ValueResolver({ kind: 'Agent', files, scope });
  const settings = memberOf(root, 'settings');
  const key = root.members.get('settings')?.key;
  const filled = settings?.type === 'map' ? resolvedSettings(settings, resolver) : settings;
  const members = new Map(root.members);
  if (filled !== undefined && key !== undefined) members.set('settings', { key, value: filled });
  const tree = { ...root, members };
  const violations = taskFile(toJson(tree)) ? [] : (taskFile.errors ?? []);
  const problems = [...resolver.problems, ...problemsOfViolations('Task', tree, violations)];
  if (hasErrors(problems) || filled?.type !== 'map') return { draft: {}, problems };
  return draftOf(filled, files);
}
