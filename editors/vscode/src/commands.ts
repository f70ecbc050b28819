import {
  commands,
  type Disposable,
  type DocumentSymbol,
  Location,
  type LogOutputChannel,
  Position,
  ProgressLocation,
  Range,
  SymbolKind,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Environments } from './environments.ts';
import type { Pages } from './pages.ts';
import { type Program, type ProgramRun, runProgram } from './program.ts';
import type { Environment, Project } from './project.ts';
import { language } from './server.ts';
import { type OutlineItem, type Setting, settingAt } from './setting.ts';

interface CommandsInput {
  readonly environments: Environments;
  readonly pages: Pages;
  readonly log: LogOutputChannel;
  readonly programOf: (root: string) => Program;
}

/** The commands of the palette, and those of the lenses. */
export class Commands {
  readonly #environments: Environments;
  readonly #pages: Pages;
  readonly #log: LogOutputChannel;
  readonly #programOf: (root: string) => Program;

  constructor({ environments, pages, log, programOf }: CommandsInput) {
    this.#environments = environments;
    this.#pages = pages;
    this.#log = log;
    this.#programOf = programOf;
  }

  register(): Disposable[] {
    return [
      commands.registerCommand('agentform.showPlan', (root: unknown, address: unknown) =>
        this.#showPlan(typeof root === 'string' && typeof address === 'string' ? { root, address } : {}),
      ),
      commands.registerCommand('agentform.showOfflinePlan', () => this.#showOfflinePlan()),
      commands.registerCommand('agentform.validate', () => this.#validate()),
      commands.registerCommand('agentform.explainSetting', () => this.#explainSetting()),
      commands.registerCommand('agentform.showHistory', () => this.#showHistory()),
      commands.registerCommand('agentform.selectEnvironment', () => this.#selectEnvironment()),
      commands.registerCommand('agentform.showReferences', showReferences),
    ];
  }

  async #selectEnvironment(): Promise<void> {
    const project = await this.#environments.project();
    if (project !== undefined) await this.#environments.choose(project);
  }

  /** The plan of a project, or of one resource in it. */
  async #showPlan({ root, address }: { readonly root?: string; readonly address?: string }): Promise<void> {
    const place = await this.#place({ root, reads: 'A plan' });
    if (place === undefined) return;
    const names = address === undefined ? [] : [address];
    await this.#showPage(`Plan: ${[...names, place.environment.name].join(' in ')}`, place, ['plan', ...names]);
  }

  async #showOfflinePlan(): Promise<void> {
    const place = await this.#place({});
    if (place === undefined) return;
    await this.#showPage(`What changed: ${place.environment.name}`, place, ['plan', '--offline']);
  }

  /** The history of the setting at the cursor, of the resource, or of the project where no manifest is open. */
  async #showHistory(): Promise<void> {
    const setting = await settingAtCursor();
    const place = await this.#place(setting ?? {});
    if (place === undefined) return;
    const words = setting?.isResource ? wordsOf(setting) : [];
    const title = [...(words.length === 0 ? [] : [words.join(' ')]), place.environment.name].join(' in ');
    await this.#showPage(`History: ${title}`, place, ['history', ...words, '--patch']);
  }

  async #explainSetting(): Promise<void> {
    const setting = await settingAtCursor();
    if (setting === undefined) {
      void window.showInformationMessage('agentform: put the cursor on a setting in a manifest first');
      return;
    }
    const reads = setting.isResource ? 'An explanation' : undefined;
    const place = await this.#place({ ...setting, reads });
    if (place === undefined) return;
    const environment = setting.isResource ? ['-e', place.environment.name] : [];
    const args = ['explain', ...wordsOf(setting), ...environment];
    const run = await this.#run(place.project, args);
    if (run?.code === 0) this.#pages.showText(`Explanation: ${wordsOf(setting).join(' ')}`, run.stdout);
    else if (run !== undefined) this.#reportFailure(args, run);
  }

  async #validate(): Promise<void> {
    const project = await this.#environments.project();
    const run = project && (await this.#run(project, ['validate']));
    if (run === undefined) return;
    this.#log.info(`${run.stdout}${run.stderr}`);
    if (run.code === 0) void window.showInformationMessage('agentform: every manifest is valid in every environment');
    else await commands.executeCommand('workbench.actions.view.problems');
  }

  /** The project and environment of a command; undefined if the user does not want it. */
  async #place({ root, environment: wanted, reads }: Wanted): Promise<PlaceOfCommand | undefined> {
    if (!(await isTrusted())) return undefined;
    const project = await this.#environments.project(root);
    if (project === undefined) return undefined;
    const environment =
      project.environments.find(({ name }) => name === wanted) ?? (await this.#environments.environment(project));
    if (environment === undefined) return undefined;
    if (reads !== undefined && !(await this.#environments.mayRead(project, environment, reads))) return undefined;
    return { project, environment };
  }

  async #showPage(title: string, { project, environment }: PlaceOfCommand, words: readonly string[]): Promise<void> {
    const args = [...words, '-e', environment.name, '--format', 'html'];
    const run = await this.#run(project, args);
    if (run === undefined) return;
    if (run.stdout !== '') this.#pages.show(title, run.stdout);
    if (run.code !== 0) this.#reportFailure(args, run);
  }

  /** Runs a command on the saved files, as tasks do; undefined if the user stopped it. */
  async #run({ root }: Project, args: readonly string[]): Promise<ProgramRun | undefined> {
    await workspace.saveAll(false);
    const title = `agentform ${args.join(' ')}`;
    return window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      async (_, token) => {
        const stopped = new AbortController();
        token.onCancellationRequested(() => stopped.abort());
        try {
          return await runProgram(this.#programOf(root), args, { cwd: root, signal: stopped.signal });
        } catch (error) {
          if (stopped.signal.aborted) return undefined;
          throw error;
        }
      },
    );
  }

  /** Shows the reason in the output. A program cannot read it from there, so the message only has the exit code. */
  #reportFailure(args: readonly string[], { code, stdout, stderr }: ProgramRun): void {
    this.#log.error(`agentform ${args.join(' ')} ended with ${code}\n${stderr}`);
    // A page has the reason, too.
    if (stdout === '') this.#log.show(true);
    const outcome = code === refused ? 'was refused' : 'failed';
    void window.showErrorMessage(`agentform: ${args[0]} ${outcome}; the output has the reason`);
  }
}

/** The exit code of a refused plan. */
const refused = 3;

/**
 * Whether the folder is trusted, for commands that run git, use tokens or the folder's agentform. A lens appears in all
 * folders.
 */
async function isTrusted(): Promise<boolean> {
  if (workspace.isTrusted) return true;
  const manage = 'Manage Trust';
  const answer = await window.showInformationMessage('agentform: this command only runs in a trusted folder', manage);
  if (answer === manage) await commands.executeCommand('workbench.trust.manage');
  return false;
}

interface Wanted {
  readonly root?: string | undefined;
  readonly environment?: string | undefined;
  /** The action that reads the agents of the environment, for the permission prompt. */
  readonly reads?: string | undefined;
}

interface PlaceOfCommand {
  readonly project: Project;
  readonly environment: Environment;
}

/** The setting at the cursor; undefined outside of manifests. */
async function settingAtCursor(): Promise<Setting | undefined> {
  const editor = window.activeTextEditor;
  if (editor?.document.languageId !== language) return undefined;
  const symbols = await commands.executeCommand<DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    editor.document.uri,
  );
  return settingAt((symbols ?? []).map(outlineItem), editor.selection.active);
}

function wordsOf({ subject, path }: Setting): string[] {
  return path === undefined ? [subject] : [subject, path];
}

function outlineItem({ name, detail, kind, range: { start, end }, children }: DocumentSymbol): OutlineItem {
  return { name, detail, isList: kind === SymbolKind.Array, start, end, children: children.map(outlineItem) };
}

interface ProtocolPosition {
  readonly line: number;
  readonly character: number;
}

interface ProtocolLocation {
  readonly uri: string;
  readonly range: { readonly start: ProtocolPosition; readonly end: ProtocolPosition };
}

/** The lens "used by ...". The server returns positions of the protocol. */
async function showReferences(
  uri: string,
  position: ProtocolPosition,
  locations: readonly ProtocolLocation[],
): Promise<void> {
  const place = ({ line, character }: ProtocolPosition) => new Position(line, character);
  const found = locations.map(
    ({ uri: of, range: { start, end } }) => new Location(Uri.parse(of), new Range(place(start), place(end))),
  );
  await commands.executeCommand('editor.action.showReferences', Uri.parse(uri), place(position), found);
}
