import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CodeActionKind,
  type CompletionList,
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileRename,
  type InitializeParams,
  type InitializeResult,
  type Position,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { AgentformError, reasonOf } from '../errors.ts';
import { actionsAt } from './capabilities/actions.ts';
import { completionsAt } from './capabilities/completion.ts';
import { type EditAbilities, joinedEdits, type ProjectEdits, workspaceEdit } from './capabilities/edits.ts';
import { hoverAt } from './capabilities/hover.ts';
import { definitionsAt, documentLinks, type OpenFile, referencesAt } from './capabilities/navigation.ts';
import { editsForMoves, renamableAt, renamesAt } from './capabilities/rename.ts';
import { lensesOf, outlineOf, workspaceSymbols } from './capabilities/symbols.ts';
import { Diagnostics } from './diagnostics.ts';
import { type LiveProject, projectFile, type ServerContext } from './live-project.ts';
import { OpenDocuments, pathBelow, pathOfUri } from './positions.ts';
import { Projects } from './projects.ts';

interface ServerOptions extends ServerContext {
  readonly version: string;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Serves an editor over two streams. The process ends after `exit`, or when its parent or its input ends. */
export function serve(options: ServerOptions): void {
  new Server(createConnection(options.input, options.output), options).listen();
}

class Server {
  readonly #connection: Connection;
  readonly #version: string;
  readonly #documents = new OpenDocuments();
  readonly #diagnostics: Diagnostics;
  readonly #projects: Projects;
  #folders: readonly string[] = [];
  #clientWatches = false;
  #clientMovesFolders = false;
  #abilities: EditAbilities = { hasVersions: false, createsFiles: false };

  constructor(connection: Connection, { version, env, cache, now }: ServerOptions) {
    this.#connection = connection;
    this.#version = version;
    this.#diagnostics = new Diagnostics(connection, this.#documents);
    this.#projects = new Projects({
      documents: this.#documents,
      context: { env, cache, now },
      listener: {
        checked: (checked) => this.#diagnostics.publish('agentform', checked),
        played: (root, failed) => this.#diagnostics.publish('agentform test', { root, ...failed }),
        gone: (root) => {
          this.#projects.drop(root);
          this.#diagnostics.clear(root);
        },
        failed: (error) => this.#reportBug(error),
      },
    });
  }

  listen(): void {
    this.#followLife();
    this.#followDocuments();
    this.#answerRequests();
    this.#connection.listen();
  }

  #answerRequests(): void {
    const connection = this.#connection;
    connection.onDocumentLinks(({ textDocument }) => this.#answer(textDocument, documentLinks));
    connection.onHover(this.#atPosition(hoverAt));
    connection.onCompletion(({ textDocument, position }) => this.#complete(textDocument, position));
    connection.onDefinition(this.#atPosition(definitionsAt));
    connection.onReferences(({ textDocument, position, context }) =>
      this.#answer(textDocument, (file) => referencesAt(file, position, context)),
    );
    connection.onDocumentSymbol(({ textDocument }) => this.#answer(textDocument, outlineOf));
    connection.onWorkspaceSymbol(async ({ query }) => {
      const snapshots = await Promise.all(this.#projects.all.map((project) => project.current()));
      return snapshots.flatMap((snapshot) => (snapshot === undefined ? [] : workspaceSymbols(snapshot, query)));
    });
    connection.onCodeLens(({ textDocument }) => this.#answer(textDocument, lensesOf));
    this.#answerEdits();
    this.#answerExtension();
  }

  #atPosition<Result>(answer: (file: OpenFile, position: Position) => Result | Promise<Result>) {
    return ({ textDocument, position }: TextDocumentPositionParams) =>
      this.#answer(textDocument, (file) => answer(file, position));
  }

  /** Answers requests that are not part of the protocol, from agentform's VS Code extension. */
  #answerExtension(): void {
    const connection = this.#connection;
    connection.onRequest('agentform/projects', () => Promise.all(this.#projects.all.map(describedProject)));
    connection.onRequest<boolean | null, void>('agentform/isPart', (document: { readonly uri: string }) =>
      this.#answer(document, ({ snapshot, path }) => snapshot.index.isPart(path)),
    );
  }

  #answerEdits(): void {
    const connection = this.#connection;
    connection.onCodeAction(({ textDocument, range }) => {
      return this.#answer(textDocument, (file) => {
        const diagnostics = this.#diagnostics.of(pathOfUri(textDocument.uri) ?? '');
        return actionsAt(file, { range, diagnostics, abilities: this.#abilities });
      });
    });
    connection.onPrepareRename(this.#atPosition(renamableAt));
    connection.onRenameRequest(({ textDocument, position, newName }) =>
      this.#answer(textDocument, (file) =>
        workspaceEdit(file.snapshot, renamesAt(file, position, newName), this.#abilities),
      ),
    );
    connection.workspace.onWillRenameFiles(async ({ files }) => {
      const edits = await Promise.all(this.#projects.all.map((project) => this.#editsForMoves(project, files)));
      return joinedEdits(edits.flat(), this.#abilities);
    });
  }

  async #editsForMoves(project: LiveProject, files: readonly FileRename[]): Promise<ProjectEdits[]> {
    const snapshot = await project.current();
    if (snapshot === undefined) return [];
    const moves = files.flatMap(({ oldUri, newUri }) => {
      const from = pathBelow(snapshot.root, pathOfUri(oldUri) ?? '');
      const to = pathBelow(snapshot.root, pathOfUri(newUri) ?? '');
      return from === undefined || to === undefined ? [] : [{ from, to }];
    });
    return [{ snapshot, edits: editsForMoves(snapshot, moves) }];
  }

  /** Uses the last usable state, because a file is often invalid during an edit, and completions must be quick. */
  async #complete({ uri }: { readonly uri: string }, position: Position): Promise<CompletionList | null> {
    const path = pathOfUri(uri);
    const project = path === undefined ? undefined : this.#projects.of(path);
    const text = path === undefined ? undefined : this.#documents.at(path)?.getText();
    if (path === undefined || project === undefined || text === undefined) return null;
    const below = pathBelow(project.root, path) ?? '';
    const patience = project.latest === undefined ? [] : [pause(maxPatience)];
    const snapshot = (await Promise.race([project.current(), ...patience])) ?? project.latest;
    return completionsAt({ snapshot, path: below, isProject: below === projectFile }, text, position);
  }

  /**
   * Answers a request after all edits so far are checked. Returns null if the document is outside all projects, or if
   * files keep changing.
   */
  async #answer<Result>(
    { uri }: { readonly uri: string },
    answer: (file: OpenFile) => Result | Promise<Result>,
  ): Promise<Result | null> {
    const path = pathOfUri(uri);
    const project = path === undefined ? undefined : this.#projects.of(path);
    for (let left = maxTries; left > 0; left -= 1) {
      const snapshot = await project?.current();
      const below = path === undefined || snapshot === undefined ? undefined : pathBelow(snapshot.root, path);
      if (snapshot === undefined || below === undefined) return null;
      try {
        return await answer({ snapshot, path: below });
      } catch (error) {
        if (!(error instanceof AgentformError)) throw error;
        // A file may have been changed on the disk after the last check.
        project?.edited();
      }
    }
    return null;
  }

  #followLife(): void {
    const connection = this.#connection;
    connection.onInitialize((params): InitializeResult => {
      const { workspace } = params.capabilities;
      this.#folders = foldersOf(params);
      this.#clientWatches = workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
      this.#clientMovesFolders = workspace?.workspaceFolders === true;
      this.#abilities = abilitiesOf(params);
      return { capabilities, serverInfo: { name: 'agentform', version: this.#version } };
    });
    connection.onInitialized(async () => {
      if (this.#clientMovesFolders) this.#followFolders();
      for (const folder of this.#folders) this.#addFolder(folder);
      if (!this.#clientWatches) return;
      const watchers = [{ globPattern: '**/*' }];
      await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri, type } of changes) {
        const path = pathOfUri(uri);
        if (path === undefined) continue;
        if (type === FileChangeType.Deleted && !existsSync(path)) this.#documents.deleteFile(path);
        else this.#documents.makeFile(path);
        this.#projects.editedFile(path);
      }
      this.#playFailed();
    });
    connection.onShutdown(() => this.#projects.close());
  }

  #followFolders(): void {
    this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const folder of pathsOf(removed)) this.#projects.removeFolder(folder);
      for (const folder of pathsOf(added)) this.#addFolder(folder);
    });
  }

  #addFolder(folder: string): void {
    this.#projects.addFolder(folder);
    if (!this.#clientWatches) this.#projects.watch(folder, () => this.#playFailed());
  }

  #followDocuments(): void {
    const documents = new TextDocuments(TextDocument);
    documents.onDidChangeContent(({ document }) => {
      this.#documents.open(document);
      this.#edited(document);
    });
    documents.onDidClose(({ document }) => {
      this.#documents.close(document);
      this.#edited(document);
    });
    documents.onDidSave(({ document }) => {
      const path = pathOfUri(document.uri);
      this.#playTests(path === undefined ? undefined : this.#projects.of(path));
    });
    documents.listen(this.#connection);
  }

  #edited({ uri }: TextDocument): void {
    const path = pathOfUri(uri);
    if (path !== undefined) this.#projects.editedDocument(path);
  }

  /** Runs Tests. This function is not called after every edit, because Tests take longer than checks. */
  #playTests(project: LiveProject | undefined): void {
    project?.play().catch((error: unknown) => this.#reportBug(error));
  }

  /** Another program may have changed a file on which the failed cases depend. */
  #playFailed(): void {
    for (const project of this.#projects.all) if (project.hasFailures) this.#playTests(project);
  }

  #reportBug(error: unknown): void {
    this.#connection.console.error(`this is a bug in agentform: ${reasonOf(error)}`);
  }
}

/**
 * Describes a project and its environments, so that users can choose one. An invalid agentform.yaml has no
 * environments.
 */
async function describedProject(project: LiveProject) {
  const { environments = [], definitions, defaultEnvironment } = (await project.current())?.project ?? {};
  return {
    root: project.root,
    environments: environments.map((name) => ({ name, baseUrl: definitions?.get(name)?.baseUrl })),
    defaultEnvironment,
  };
}

/** The maximum time that a completion waits for a check before using an earlier state, in milliseconds. */
const maxPatience = 40;

/** The maximum number of times to try a request while files are being written. */
const maxTries = 3;

const capabilities: InitializeResult['capabilities'] = {
  documentLinkProvider: {},
  hoverProvider: true,
  completionProvider: { triggerCharacters: ['.', ' ', '/', '-', '{', '['] },
  definitionProvider: true,
  referencesProvider: true,
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  codeLensProvider: {},
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorExtract] },
  renameProvider: { prepareProvider: true },
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
    fileOperations: { willRename: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] } },
  },
};

function abilitiesOf({ capabilities: { workspace } }: InitializeParams): EditAbilities {
  const { documentChanges = false, resourceOperations = [] } = workspace?.workspaceEdit ?? {};
  return { hasVersions: documentChanges, createsFiles: documentChanges && resourceOperations.includes('create') };
}

/** Returns the opened folders. Older editors send only one folder. */
function foldersOf({ workspaceFolders, rootUri }: InitializeParams): string[] {
  return pathsOf(workspaceFolders ?? (rootUri === null ? [] : [{ uri: rootUri }]));
}

function pathsOf(folders: readonly { readonly uri: string }[]): string[] {
  return folders.flatMap(({ uri }) => pathOfUri(uri) ?? []);
}
