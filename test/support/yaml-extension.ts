// Imitates the extension "YAML" by Red Hat, as far as it affects ours: it serves all YAML documents. No package
// registry has that extension.
import { Diagnostic, Range, type Uri, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

export async function activate(): Promise<void> {
  const { AGENTFORM_TEST_YAML_SERVER: server = '' } = process.env;
  const client = new LanguageClient(
    'yaml',
    'YAML Support',
    { command: process.execPath, args: [server, '--stdio'] },
    {
      documentSelector: [{ language: 'yaml' }],
      synchronize: { fileEvents: workspace.createFileSystemWatcher('**/*.{yaml,yml,json}') },
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) => next(uri, isFirstClose(uri) ? [lateProblem()] : diagnostics),
      },
    },
  );
  await client.start();
}

/** The files that were closed, or got another language. */
const closed = new Set<string>();

/** The server reports no problems for a closed file. If a validation is running, it then reports those problems. */
function isFirstClose(uri: Uri): boolean {
  const isOpen = workspace.textDocuments.some(
    (document) => document.uri.fsPath === uri.fsPath && document.languageId === 'yaml',
  );
  if (isOpen || closed.has(uri.fsPath)) return false;
  closed.add(uri.fsPath);
  return true;
}

function lateProblem(): Diagnostic {
  const problem = new Diagnostic(new Range(0, 0, 0, 1), 'Property welcomeMesage is not allowed.');
  problem.source = 'yaml-schema: Agent';
  return problem;
}
