import { basename, dirname, posix, resolve } from 'node:path';
import { isInside, pathUnder } from '../../files/plain-file.ts';
import { withoutUndefined } from '../../json/json.ts';
import { misreadProblems } from '../../manifest/check/misread-values.ts';
import { characterProblems } from '../../manifest/check/resource.ts';
import type { Project } from '../../manifest/project/project.ts';
import { ProjectFiles, yamlLimit } from '../../manifest/project/project-files.ts';
import type { Scope } from '../../manifest/resolve/values/scope.ts';
import { ValueResolver } from '../../manifest/resolve/values/value-resolver.ts';
import { taskFile } from '../../schemas/task-validators.js';
import { quote } from '../../text/wording.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { errorAt, hasErrors, type Problem, shownProblems } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import {
  describePath,
  headOf,
  keyAt,
  type MapNode,
  mapNode,
  memberOf,
  type Node,
  nodeAt,
  type ScalarNode,
  scalarsOf,
  showNode,
  textOf,
  toJson,
} from '../../yaml/tree.ts';
import { problemsOfViolations } from '../../yaml/violations.ts';
import {
  type Attachment,
  type AttachmentResult,
  areTooLarge,
  attachmentHeaderProblem,
  type Given,
  isBase64,
  readAttachment,
  type TaskDraft,
  tooLargeTogether,
} from './draft.ts';

interface TaskFileResult {
  readonly draft: TaskDraft;
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
}

/**
 * Reads a Task file and inserts files, variables and secrets. Included files must be inside the project folder. If the
 * Task file is outside the project folder, included files must be in the Task file's folder.
 */
export async function readTaskFile(
  path: string,
  { project, scope }: { readonly project: Project; readonly scope: Scope },
): Promise<TaskFileResult> {
  const { files, file } = filesOf(path, project);
  const sourceOf = (name: string) => files.sourceOf(name);
  const fileReading = files.read(file, yamlLimit);
  if (fileReading.failure !== undefined) {
    const message = `the task file ${quote(path)} ${fileReading.failure}`;
    return { draft: {}, problems: [{ severity: 'error', rule: 'file', message }], sourceOf };
  }
  const { root, problems: syntax } = parseYaml(fileReading.source);
  const isParsed = root !== undefined && syntax.length === 0;
  const { draft, problems } = isParsed
    ? await checked(root, { files, scope, source: fileReading.source })
    : { draft: {}, problems: syntax };
  return { draft, problems: shownProblems(problems, (name) => files.source(name)), sourceOf };
}

function filesOf(path: string, project: Project): { readonly files: ProjectFiles; readonly file: string } {
  const absolute = resolve(path);
  if (isInside(project.root, absolute)) return { files: project.files, file: pathUnder(project.root, absolute) };
  return { files: new ProjectFiles(dirname(absolute)), file: basename(absolute) };
}

async function checked(
  root: Node,
  { files, scope, source }: { readonly files: ProjectFiles; readonly scope: Scope; readonly source: SourceFile },
): Promise<Pick<TaskFileResult, 'draft' | 'problems'>> {
  if (root.type !== 'map') {
    const message = `the file is ${showNode(root)}: expected an object with apiVersion, kind and settings`;
    return { draft: {}, problems: [{ severity: 'error', rule: 'file-shape', message, at: headOf(root) }] };
  }
  // The kind has no effect here, because a task has its own schema.
  const resolver = new ValueResolver({ kind: 'Agent', files, scope });
  const settings = memberOf(root, 'settings');
  const key = root.members.get('settings')?.key;
  const filled = settings?.type === 'map' ? resolvedMap(settings, { resolver, steps: ['settings'] }) : settings;
  const members = new Map(root.members);
  if (filled !== undefined && key !== undefined) members.set('settings', { key, value: filled });
  const tree = { ...root, members };
  const violations = taskFile(toJson(tree)) ? [] : (taskFile.errors ?? []);
  const problems = [
    ...resolver.problems,
    ...problemsOfViolations({ kind: 'Task', root: tree }, violations),
    ...scalarsOf(tree).flatMap(([, node]) => characterProblems(node)),
    ...misreadProblems({ kind: 'Task', root, source }),
  ];
  if (hasErrors(problems) || filled?.type !== 'map') return { draft: {}, problems };
  const read = await draftOf(filled, files);
  return { ...read, problems: [...problems, ...read.problems] };
}

const integers = ['accountId', 'scheduledFor'];
const booleans = ['waitToGreet', 'monitor'];

interface NodeContext {
  readonly resolver: ValueResolver;
  readonly steps: readonly string[];
}

/**
 * Inserts files, variables and secrets. Does not insert the `file` of an attachment, because its content can be binary.
 */
function resolvedMap(map: MapNode, { resolver, steps }: NodeContext): MapNode {
  const members = [...map.members].map(
    ([name, { key, value }]) => [name, { key, value: resolved(value, { resolver, steps: [...steps, name] }) }] as const,
  );
  return mapNode(map.at, members);
}

function resolved(node: Node, context: NodeContext): Node {
  const { resolver, steps } = context;
  const name = steps.at(-1) ?? '';
  if (node.type === 'list') {
    const items = node.items.map((item, index) => resolved(item, { resolver, steps: [...steps, String(index)] }));
    return { ...node, items };
  }
  const isAttachment = steps.at(-2) === 'attachments';
  if (node.type === 'map') {
    const isText = node.members.has('file') && !isAttachment;
    return isText ? resolver.resolve(node, steps) : resolvedMap(node, context);
  }
  if (integers.includes(name)) return resolver.scalar(node, { types: ['integer'] });
  return resolver.scalar(node, booleans.includes(name) ? { types: ['boolean'] } : {});
}

async function draftOf(
  settings: MapNode,
  files: ProjectFiles,
): Promise<{ readonly draft: TaskDraft; readonly problems: readonly Problem[] }> {
  const at = reader(settings);
  const text = (...steps: string[]) => at(steps, (value) => String(value));
  const { attachments, problems } = await attachmentsOf(settings, files);
  const draft = withoutUndefined({
    type: text('type'),
    target: text('target'),
    message: text('message'),
    context: text('context'),
    greeting: text('greeting'),
    waitToGreet: at(['waitToGreet'], (value) => value === true),
    accountId: at(['accountId'], Number),
    scheduledFor: text('scheduledFor'),
    subject: text('meta', 'email', 'subject'),
    bridgeTo: text('meta', 'bridgeAfterAnswer', 'destination'),
    bridgeMonitor: at(['meta', 'bridgeAfterAnswer', 'monitor'], (value) => value === true),
    attachments,
  });
  return { draft, problems };
}

/**
 * Makes a function that reads a scalar at a path, with its name and place. The function returns undefined for a path
 * without a scalar.
 */
function reader(settings: MapNode) {
  return <Value>(steps: readonly string[], read: (value: ScalarNode['value']) => Value): Given<Value> | undefined => {
    const node = nodeAt(settings, steps);
    if (node?.type !== 'scalar') return undefined;
    const label = `settings.${describePath(settings, steps)}`;
    return { value: read(node.value), label, at: node.at, ...(node.sensitive && { isSensitive: true }) };
  };
}

async function attachmentsOf(settings: MapNode, files: ProjectFiles) {
  const list = nodeAt(settings, ['meta', 'email', 'attachments']);
  if (list?.type !== 'list') return { attachments: undefined, problems: [] };
  const attachments: Attachment[] = [];
  const problems: Problem[] = [];
  for (const item of list.items) {
    const result = await attachmentOf(item, files);
    if ('attachment' in result) attachments.push(result.attachment);
    else problems.push(errorAt(attachmentAt(item), 'attachment', result.failure));
    if (areTooLarge(attachments)) {
      problems.push(errorAt(attachmentAt(item), 'attachment', tooLargeTogether));
      break;
    }
  }
  return { attachments: { value: attachments, label: 'settings.meta.email.attachments', at: list.at }, problems };
}

function attachmentAt(item: Node) {
  return item.type === 'map' && item.members.has('file') ? keyAt(item, ['file']) : item.at;
}

async function attachmentOf(item: Node, files: ProjectFiles): Promise<AttachmentResult> {
  const [file, filename, type, content, disposition] = ['file', 'filename', 'type', 'content', 'disposition'].map(
    (name) => textOf(item, name),
  );
  const failure = attachmentHeaderProblem({ filename, type, disposition });
  if (failure !== undefined) return { failure };
  if (file !== undefined) {
    if (content !== undefined) return { failure: 'an attachment must have either file or content' };
    const path = resolve(files.root, posix.dirname(item.at.file), file);
    const result = await readAttachment({ path, within: files.root, filename, type, disposition });
    return 'failure' in result ? { failure: `cannot read the attachment ${quote(file)}: ${result.failure}` } : result;
  }
  if (content === undefined || filename === undefined || type === undefined) {
    return { failure: 'an attachment must have file, or filename, type and content' };
  }
  if (!isBase64(content)) return { failure: `the content of ${quote(filename)} is not base64` };
  return { attachment: { filename, type, content, disposition: disposition ?? 'attachment' } };
}
