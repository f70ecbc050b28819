import { join } from 'node:path';
import {
  ProcessExecution,
  Task,
  type TaskDefinition,
  TaskGroup,
  type TaskProvider,
  TaskScope,
  Uri,
  type WorkspaceFolder,
  workspace,
} from 'vscode';
import { nodeEnvironment, nodePath, type Program } from './program.ts';
import type { Project } from './project.ts';

/** Commands that each project offers as tasks. Others can be added in tasks.json. */
const offered: ReadonlyArray<{ readonly command: string; readonly args?: readonly string[] }> = [
  { command: 'validate' },
  { command: 'validate', args: ['--watch'] },
  { command: 'test' },
  { command: 'plan' },
];

interface TaskInput {
  readonly projects: () => Promise<readonly Project[]>;
  /** The agentform of a project. */
  readonly programOf: (root: string) => Program;
}

/** The commands of agentform as tasks. */
export class Tasks implements TaskProvider {
  readonly #input: TaskInput;

  constructor(input: TaskInput) {
    this.#input = input;
  }

  async provideTasks(): Promise<Task[]> {
    return (await this.#input.projects()).flatMap(({ root }) => {
      const folder = workspace.getWorkspaceFolder(Uri.file(root));
      const project = folder === undefined ? root : workspace.asRelativePath(root, false);
      const own = folder?.uri.fsPath === root ? {} : { project };
      return offered.map((one) => this.#task({ type: 'agentform', ...one, ...own }, folder));
    });
  }

  resolveTask({ definition, scope }: Task): Task | undefined {
    const folder = typeof scope === 'object' ? scope : workspace.workspaceFolders?.[0];
    return typeof definition.command === 'string' ? this.#task(definition, folder) : undefined;
  }

  #task(definition: TaskDefinition, folder: WorkspaceFolder | undefined): Task {
    const { command, args, environment, project } = textsOf(definition);
    const root = join(folder?.uri.fsPath ?? '', project ?? '');
    const words = [command, ...args, ...(environment === undefined ? [] : ['--environment', environment])];
    const { path } = this.#input.programOf(root);
    const execution = new ProcessExecution(nodePath(), [path, ...words], { cwd: root, env: nodeEnvironment() });
    const name = [...words, ...(project === undefined ? [] : [`(${project})`])].join(' ');
    const isWatch = args.includes('--watch');
    const matcher = isWatch ? '$agentform-watch' : '$agentform';
    const task = new Task(definition, folder ?? TaskScope.Workspace, name, 'agentform', execution, [matcher]);
    task.isBackground = isWatch;
    if (command === 'validate') task.group = TaskGroup.Build;
    if (command === 'test') task.group = TaskGroup.Test;
    return task;
  }
}

/** Definitions are written by hand, in tasks.json. */
function textsOf({ command, args, environment, project }: TaskDefinition) {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const words: unknown[] = Array.isArray(args) ? args : [];
  return {
    command: text(command) ?? 'validate',
    args: words.flatMap((word) => text(word) ?? []),
    environment: text(environment),
    project: text(project),
  };
}
