import { type Disposable, type Memento, StatusBarAlignment, type StatusBarItem, window, workspace } from 'vscode';
import { type Environment, isEmbedded, type Project, projectAround } from './project.ts';
import type { Server } from './server.ts';

/** The project and environment of commands, and the environments whose agents may be read. */
export class Environments implements Disposable {
  readonly #server: Server;
  readonly #memory: Memento;
  readonly #item: StatusBarItem;
  readonly #watching: readonly Disposable[];

  constructor(server: Server, memory: Memento) {
    this.#server = server;
    this.#memory = memory;
    this.#item = window.createStatusBarItem('agentform.environment', StatusBarAlignment.Left);
    this.#item.name = 'agentform environment';
    this.#item.command = 'agentform.selectEnvironment';
    this.#watching = [
      window.onDidChangeActiveTextEditor(() => this.refresh()),
      workspace.onDidSaveTextDocument(() => this.refresh()),
    ];
  }

  /** Shows the environment of the current project in the status bar. */
  async refresh(): Promise<void> {
    const projects = (await this.#server.unlessStopped(this.#server.projects())) ?? [];
    const project = projectAround(projects, activePath());
    if (project === undefined || project.environments.length === 0) return this.#item.hide();
    const environment = this.#chosen(project);
    this.#item.text = `$(server-environment) ${environment?.name ?? 'choose an environment'}`;
    this.#item.tooltip = `agentform: environment for plans in ${project.root}`;
    this.#item.show();
  }

  /**
   * The project with this folder; without a folder, the project of the active editor, the only one, or the one that the
   * user picks.
   */
  async project(root?: string): Promise<Project | undefined> {
    const projects = await this.#server.projects();
    const current =
      root === undefined ? projectAround(projects, activePath()) : projects.find((one) => one.root === root);
    if (current !== undefined) return current;
    if (projects.length === 0) {
      void window.showInformationMessage('agentform: no open folder has an agentform.yaml; run `agentform init`');
      return undefined;
    }
    const items = projects.map((project) => ({ label: workspace.asRelativePath(project.root), project }));
    return (await window.showQuickPick(items, { title: 'agentform project' }))?.project;
  }

  /** The chosen environment of a project, which the user picks if it has no default. */
  async environment(project: Project): Promise<Environment | undefined> {
    return this.#chosen(project) ?? (await this.choose(project));
  }

  async choose(project: Project): Promise<Environment | undefined> {
    const chosen = this.#chosen(project)?.name;
    const items = project.environments.map((environment) => ({
      label: environment.name,
      description: environment.name === chosen ? `${environment.baseUrl} (chosen)` : environment.baseUrl,
      environment,
    }));
    const picked = await window.showQuickPick(items, { title: 'Environment for plans' });
    if (picked === undefined) return undefined;
    await this.#memory.update(chosenKey(project), picked.label);
    await this.refresh();
    return picked.environment;
  }

  /** Whether a command may read the agents of an environment. The user is asked once for each environment and address. */
  async mayRead({ root }: Project, environment: Environment, what: string): Promise<boolean> {
    const { name, baseUrl } = environment;
    const key = `allowed ${JSON.stringify([root, name, baseUrl])}`;
    if (isEmbedded(environment) || this.#memory.get(key) === true) return true;
    const detail =
      `${what} sends the token of the environment ${name} to this address and reads its agents. ` +
      'It changes nothing there. This question appears once for each environment.';
    const answer = await window.showWarningMessage(`Connect to ${baseUrl}?`, { modal: true, detail }, 'Connect');
    if (answer !== 'Connect') return false;
    await this.#memory.update(key, true);
    return true;
  }

  dispose(): void {
    this.#item.dispose();
    for (const one of this.#watching) one.dispose();
  }

  #chosen(project: Project): Environment | undefined {
    const named = (name: string | undefined) => project.environments.find((one) => one.name === name);
    return named(this.#memory.get<string>(chosenKey(project))) ?? named(project.defaultEnvironment);
  }
}

function chosenKey({ root }: Project): string {
  return `environment ${root}`;
}

function activePath(): string | undefined {
  const uri = window.activeTextEditor?.document.uri;
  return uri?.scheme === 'file' ? uri.fsPath : undefined;
}
