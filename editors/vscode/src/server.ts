import { type Disposable, type LogOutputChannel, languages, type TextDocument, type Uri, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { nodeEnvironment, nodePath, type Program } from './program.ts';
import type { Project } from './project.ts';

/** The language of the YAML files of a project. Extensions for other YAML leave it alone, so that nothing is shown twice. */
export const language = 'agentform';

/** Stops removing problems of an extension that reports them again each time. */
const mostRemovals = 5;

/** The language server of agentform for all projects of the window. */
export class Server implements Disposable {
  readonly #log: LogOutputChannel;
  #client: LanguageClient | undefined;
  readonly #watching: readonly Disposable[];
  /** Files whose language the user changed back. */
  readonly #declined = new Set<string>();
  /** How often late problems of the YAML extension were removed from each open file. */
  readonly #removals = new Map<string, number>();

  constructor(log: LogOutputChannel) {
    this.#log = log;
    this.#watching = [
      workspace.onDidOpenTextDocument((document) => this.#adoptAll([document])),
      workspace.onDidCloseTextDocument((document) => this.#closed(document)),
      // Another file may have become a part of the project.
      workspace.onDidSaveTextDocument(() => this.#adoptAll(workspace.textDocuments)),
      languages.onDidChangeDiagnostics(({ uris }) => this.unlessStopped(this.#removeLateProblems(uris))),
    ];
  }

  async start({ path, version }: Program): Promise<void> {
    await this.#client?.dispose();
    this.#log.info(`starting the language server, agentform ${version}: ${path}`);
    const client = new LanguageClient(
      'agentform',
      'agentform',
      { command: nodePath(), args: [path, 'lsp', '--stdio'], options: { env: nodeEnvironment() } },
      {
        documentSelector: [
          { scheme: 'file', language },
          { scheme: 'file', language: 'plaintext' },
          { scheme: 'file', pattern: '**/*.{md,txt,csv}' },
        ],
        diagnosticCollectionName: 'agentform',
        outputChannel: this.#log,
      },
    );
    this.#client = client;
    await client.start();
    await this.#adoptAll(workspace.textDocuments);
  }

  get isRunning(): boolean {
    return this.#client?.isRunning() === true;
  }

  async projects(): Promise<readonly Project[]> {
    return (await this.#client?.sendRequest<readonly Project[]>('agentform/projects')) ?? [];
  }

  /** The result of a request for an event of the editor; undefined if the server was stopped in the meantime. */
  async unlessStopped<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await asked;
    } catch (error) {
      this.#log.warn(String(error));
      return undefined;
    }
  }

  dispose(): void {
    for (const one of this.#watching) one.dispose();
    void this.#client?.dispose();
  }

  async #adoptAll(documents: readonly TextDocument[]): Promise<void> {
    await this.unlessStopped(Promise.all(documents.map((document) => this.#adopt(document))));
  }

  /** Gives a YAML file of a project the language of agentform. */
  async #adopt(document: TextDocument): Promise<void> {
    const { uri, languageId } = document;
    if (languageId !== 'yaml' || uri.scheme !== 'file' || this.#declined.has(uri.fsPath)) return;
    const client = this.#client;
    if (client?.isRunning() !== true) return;
    const isPart = await client.sendRequest<boolean | null>('agentform/isPart', {
      uri: client.code2ProtocolConverter.asUri(uri),
    });
    if (isPart === true && !document.isClosed) await languages.setTextDocumentLanguage(document, language);
  }

  /**
   * Removes problems that the YAML extension reports for a file after the file got our language. The extension clears
   * them if the file becomes YAML again for a moment, but a validation that was still running can then report more.
   */
  async #removeLateProblems(uris: readonly Uri[]): Promise<void> {
    const changed = new Set(uris.map(({ fsPath }) => fsPath));
    for (const document of workspace.textDocuments) {
      const { uri, languageId } = document;
      const removals = this.#removals.get(uri.fsPath) ?? 0;
      if (languageId !== language || !changed.has(uri.fsPath) || removals === mostRemovals) continue;
      if (!languages.getDiagnostics(uri).some(({ source }) => source === 'YAML' || source?.startsWith('yaml-schema'))) {
        continue;
      }
      this.#removals.set(uri.fsPath, removals + 1);
      // Waiting between the two requests would give a busy editor time for another validation.
      await Promise.all([
        languages.setTextDocumentLanguage(document, 'yaml'),
        languages.setTextDocumentLanguage(document, language),
      ]);
    }
  }

  /** A document with another language is closed and opened again. */
  #closed({ uri, languageId }: TextDocument): void {
    this.#declined.delete(uri.fsPath);
    if (languageId !== language) return;
    this.#declined.add(uri.fsPath);
    setImmediate(() => {
      if (workspace.textDocuments.some((open) => open.uri.fsPath === uri.fsPath)) return;
      this.#declined.delete(uri.fsPath);
      this.#removals.delete(uri.fsPath);
    });
  }
}
