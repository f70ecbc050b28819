import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliResult, TestProject } from '../../support/cli.ts';
import { projectOf, server } from '../../support/independent-suite.ts';

export const token = 'tok/S3cret+value=1';

export async function project(
  { environments = '', manifests = '[agents/*.yaml]', ...files }: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestProject> {
  const test = `  test: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }\n`;
  const head = `apiVersion: agentform/v1\nkind: Project\nmanifests: ${manifests}\ndefaultEnvironment: test\nenvironments:\n`;
  return projectOf({ 'agentform.yaml': head + test + environments, ...files }, { AGENT_TOKEN: token, ...env });
}

/** Creates an agent on the server. */
export function seed(settings: Readonly<Record<string, unknown>> = {}, own = token, account?: string): string {
  const all = { type: 'chatAgent', title: 'Front desk', description: 'hidden', ...settings };
  return server.seed(own, all, account).id;
}

/** A list of agents, each with a separate token, and the tokens as process variables. */
export function listOf(count: number): { csv: string; env: Record<string, string> } {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const rows = numbers.map(
    (number) =>
      `${seed({ title: `Agent ${number}`, agentInstructions: `a\n${number}` }, `token-${number}`)},desk-${number},"Desk ${number}, upstairs",TOKEN_${number}`,
  );
  return {
    csv: `id,name,description,token-secret\n${rows.join('\n')}\n`,
    env: Object.fromEntries(numbers.map((number) => [`TOKEN_${number}`, `token-${number}`])),
  };
}

export function imported(made: TestProject, id: string, ...args: string[]): Promise<CliResult> {
  return made.run('import', id, '--name', 'front-desk', '--description', 'Answers the phone', ...args);
}

/** All files of the project except agentform.yaml and locks. */
export async function filesOf({ root }: TestProject): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  return paths.filter((path) => path !== 'agentform.yaml' && !path.includes('locks')).sort();
}

export async function pendingPaths(made: TestProject, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await made.run('plan', '--format', 'json', ...args);
  if (stdout === '') throw new Error(stderr);
  const { resources } = JSON.parse(stdout) as { resources: { changes: { path: string; knowledge: string }[] }[] };
  return resources.flatMap(({ changes }) => changes.map(({ path, knowledge }) => `${path} ${knowledge}`));
}

export const onlyDescription = ['settings.description blind'];

export const everything = {
  welcomeMessage: 'Grüß Gott 👋: how can I help? #1  ',
  timezone: 'Europe/Vienna',
  agentVoice: 'warm-1',
  agentLang: 'es-MX',
  agentModel: '1.5',
  agentThinking: 'low',
  agentInstructions: '# Front desk\r\n\r\n- Be kind.   \r\n- Say ${var.clinic} and $${x}.\r\n\r\n\r\n',
  publicInstructions: `Say ${'very '.repeat(60)}little.`,
  adminInstructions: '\ufeffstarts with a mark\nand goes on',
  heartbeatInstructions: '  leading blanks\nand\ttabs\n---\nend\t',
  heartbeatEvery: '30m',
  links: ['https://a.example/x', 'https://b.example/y '],
  actions: ['transfer', 'book'],
  skills: [
    { slug: 'calendar', instructions: 'Offer two times.' },
    { slug: 'Größe/2', instructions: 'One\nTwo\n' },
  ],
  apps: [{ appId: 'pay', version: '2', instructions: 'yes' }],
  somethingNew: { a: 1 },
};
