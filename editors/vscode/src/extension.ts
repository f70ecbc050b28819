import { dirname, join } from 'node:path';
import { commands, type ExtensionContext, tasks, Uri, window, workspace } from 'vscode';
import { Commands } from './commands.ts';
import { Environments } from './environments.ts';
import { Pages } from './pages.ts';
import { newestProgram, type Program, programAround, programIn } from './program.ts';
import { Server } from './server.ts';
import { Tasks } from './tasks.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('agentform', { log: true });
  const bundled = programIn(join(context.extensionPath, 'dist', 'server'));
  if (bundled === undefined) throw new Error('the extension was packaged without its server');
  const programOf = (root: string) => newestProgram(bundled, [ownProgram(root)]);
  const server = new Server(log);
  const environments = new Environments(server, context.workspaceState);
  const pages = new Pages();
  const start = async () => {
    const roots = await projectFolders();
    if (roots.length === 0) return;
    await server.start(newestProgram(bundled, roots.map(ownProgram)));
    await environments.refresh();
  };
  const projects = () => server.projects();
  const appearing = workspace.createFileSystemWatcher('**/agentform.yaml', false, true, true);
  appearing.onDidCreate(() => (server.isRunning ? undefined : start()));
  context.subscriptions.push(
    ...[log, server, environments, pages, appearing],
    ...new Commands({ environments, pages, log, programOf }).register(),
    commands.registerCommand('agentform.restartServer', start),
    tasks.registerTaskProvider('agentform', new Tasks({ projects, programOf })),
    workspace.onDidGrantWorkspaceTrust(start),
  );
  await start();
}

/** The folders with agentform.yaml that are opened or below an opened folder. */
async function projectFolders(): Promise<string[]> {
  const found = await workspace.findFiles('**/agentform.yaml', '**/node_modules/**', maxProjects);
  return found.map(({ fsPath }) => dirname(fsPath));
}

/** The maximum number of projects to search for an agentform. */
const maxProjects = 200;

/** The agentform of a project, which only runs if the user trusts the folder. */
function ownProgram(root: string): Program | undefined {
  if (!workspace.isTrusted) return undefined;
  const folder = workspace.getWorkspaceFolder(Uri.file(root));
  return programAround(root, folder?.uri.fsPath ?? root);
}
