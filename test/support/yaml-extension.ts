// Imitates the extension "YAML" by Red Hat, as far as it affects ours: it serves all YAML documents. No package
// registry has that extension.
import { workspace } from 'vscode';
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
    },
  );
  await client.start();
}
