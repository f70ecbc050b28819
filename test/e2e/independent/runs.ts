import { expect } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import type { Plan } from '../../../src/schemas/plan-types.ts';
import type { CliResult, TestProject } from '../../support/cli.ts';
import { projectOf, server } from '../../support/independent-suite.ts';

export const fullManifest = `settings:
  title: Front desk
  description: Answers the phone
  welcomeMessage: Hello
  timezone: Europe/Vienna
  heartbeatEvery: 30m
  speakingTimeout: 900
  agentThinking: null
  agentInstructions: |
    Be kind.
    Be short.
  links: [https://a.example/x, https://b.example/y]
  actions: [transfer, book]
skills:
  - { slug: calendar, instructions: Offer two times. }
  - { slug: billing, instructions: Explain the bill. }
apps:
  - { appId: pay, version: v1, instructions: Take payments. }
  - { appId: crm, version: v2, instructions: Look people up. }
backgroundAudio: { url: https://cdn.example.com/office.mp3, gain: -6 }
transferRules: { confirmTransfers: true }
`;
export const plainManifest = 'settings: { title: Front desk, description: D, welcomeMessage: Hi }\n';
export const removableManifest = `${plainManifest.replace(' }', ', links: [https://a.example/x], agentLang: es-US, speakingTimeout: 900 }')}\
skills: [{ slug: calendar, instructions: Offer two times. }]
`;
export const token = 'token-1';

export function theAgent() {
  const [agent] = server.agents();
  if (agent === undefined) throw new Error('the server has no agent');
  return agent;
}

export function projectFile(extra = ''): string {
  return `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: test
${extra}environments:
  test:
    baseUrl: ${server.baseUrl}
    token: \${secret.AGENT_TOKEN}
service: { readBack: 0 }
`;
}

export function manifestOf(name: string, body: string): string {
  return `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\n${body}`;
}

export async function oneAgent(body: string, env: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const files = { 'agentform.yaml': projectFile(), 'agents/front-desk.yaml': manifestOf('front-desk', body) };
  return projectOf(files, { AGENT_TOKEN: token, OTHER_TOKEN: 'token-2', ...env });
}

export function fleetNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `a${index}`);
}

/** Makes a project with this number of agents, each in a child account of one reseller. */
export async function fleet(count: number, extra = ''): Promise<TestProject> {
  const manifests = fleetNames(count).map((name): [string, string] => [
    `agents/${name}.yaml`,
    manifestOf(name, `target: { query: { targetAccountId: ${name} } }\n${plainManifest}`),
  ]);
  return projectOf({ 'agentform.yaml': projectFile(extra), ...Object.fromEntries(manifests) }, { AGENT_TOKEN: token });
}

/** The CLI on the same project, with other process variables. */
export async function withEnv(project: TestProject, env: Readonly<Record<string, string>>) {
  const other = await projectOf({}, env);
  return (...args: string[]): Promise<CliResult> =>
    other.run(
      ...args.map((arg) => (arg === 'plan.json' ? `${project.root}/plan.json` : arg)),
      '--project',
      project.root,
    );
}

export async function planned(project: TestProject, ...args: string[]): Promise<Plan> {
  const { stdout, stderr, code } = await project.run('plan', '--format', 'json', ...args);
  if (!stdout.startsWith('{')) throw new Error(`plan exited with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export function only({ resources }: Plan): Plan['resources'][number] {
  const [resource, ...others] = resources;
  if (resource === undefined || others.length > 0) throw new Error(`the plan has ${resources.length} resources`);
  return resource;
}

/** Applies, and expects it to succeed. */
export async function applied(project: TestProject, ...args: string[]): Promise<TestProject> {
  const result = await project.run('apply', '--yes', '--new', 'all', ...args);
  expect(result).toMatchObject({ code: 0 });
  server.takeLog();
  return project;
}

/** Runs an apply that must succeed. Returns the bodies of its writes. */
export async function writesOf(project: TestProject): Promise<Record<string, unknown>[]> {
  server.takeLog();
  const result = await project.run('apply', '--yes', '--new', 'all');
  expect(result).toMatchObject({ code: 0 });
  return server.takeWrites();
}

export async function ledgerOf(
  project: TestProject,
  ...args: string[]
): Promise<{ code: number | null; ledger: Ledger }> {
  server.takeLog();
  const { code, stdout, stderr } = await project.run('apply', '--yes', '--new', 'all', '--format', 'json', ...args);
  if (!stdout.startsWith('{')) throw new Error(`apply exited with ${code}: ${stderr}`);
  return { code, ledger: JSON.parse(stdout) };
}

export function resultsOf({ entries }: Ledger): Record<string, string> {
  return Object.fromEntries(entries.flatMap(({ fields }) => fields.map(({ path, result }) => [path, result])));
}

export async function expectRefused(project: TestProject): Promise<void> {
  server.takeLog();
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
  expect(server.takeWrites()).toEqual([]);
}

export async function expectSettled(project: TestProject): Promise<void> {
  const { code, stdout } = await project.run('plan', '--exit-code', '--format', 'json');
  const { resources } = JSON.parse(stdout) as Plan;
  const changes = resources.flatMap((resource) => [...resource.changes, ...resource.reasons]);
  expect({ code, changes }).toEqual({ code: 0, changes: [] });
}
