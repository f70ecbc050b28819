// Imitates the extension "YAML" by Red Hat, as far as it affects our extension. Like Red Hat's extension, it checks all
// YAML documents. Red Hat's extension itself is not available in a package registry.
import { appendFileSync } from 'node:fs';
import { Diagnostic, languages, Range, type TextDocument, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

export async function activate(): Promise<void> {
  reportLate();
  const { AGENTFORM_TEST_YAML_SERVER: server = '' } = process.env;
  const client = new LanguageClient(
    'yaml',
    'YAML Support',
    { command: process.execPath, args: [server, '--stdio'] },
    {
      documentSelector: [{ language: 'yaml' }],
      synchronize: { fileEvents: workspace.createFileSystemWatcher('**/*.{yaml,yml,json}') },
    },
  );
  await client.start();
}

/** The number of validations that are still running when the language of a file changes. */
const runningValidations = 2;

/**
 * Imitates late reports. When a file is closed, the server clears its problems, but a validation that is still running
 * may report them afterwards. This function always reports such late problems, and records in a file when the last
 * problems were cleared.
 */
function reportLate(): void {
  const late = languages.createDiagnosticCollection('late');
  const reported = new Map<string, number>();
  const report = ({ uri, languageId }: TextDocument) => {
    const times = reported.get(uri.fsPath) ?? 0;
    if (languageId !== 'agentform' || times === runningValidations) return;
    reported.set(uri.fsPath, times + 1);
    late.set(uri, [lateProblem()]);
  };
  const clear = ({ uri, languageId }: TextDocument) => {
    if (languageId !== 'yaml' || !late.has(uri)) return;
    late.delete(uri);
    const { AGENTFORM_TEST_LATE_PROBLEMS: cleared = '' } = process.env;
    if (reported.get(uri.fsPath) === runningValidations) appendFileSync(cleared, `${uri.fsPath}\n`);
  };
  workspace.onDidOpenTextDocument(report);
  workspace.onDidCloseTextDocument(clear);
  workspace.textDocuments.forEach(report);
}

function lateProblem(): Diagnostic {
  const problem = new Diagnostic(new Range(0, 0, 0, 1), 'Property welcomeMesage is not allowed.');
  problem.source = 'yaml-schema: Agent';
  return problem;
}
