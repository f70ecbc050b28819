import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import type { Desired, Target } from '../../src/kinds/desired.ts';
import { loadProject } from '../../src/manifest/project/load-project.ts';
import type { Project } from '../../src/manifest/project/project.ts';
import { desiredOfAll, type Resolution, type ResolveOptions } from '../../src/manifest/resolve/resolution.ts';
import { resolveProject } from '../../src/manifest/resolve/resolve-project.ts';
import { validateProject } from '../../src/manifest/resolve/validate-project.ts';
import { problemSentence } from '../../src/report/problems/sentence.ts';
import type { Problem, Span } from '../../src/yaml/problem.ts';

const made: string[] = [];

afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Two environments: `local` on the emulator, `production` with a token. */
export const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/**/*.yaml"]
defaultEnvironment: local
environments:
  local:
    baseUrl: emulator
    variables: { clinic: Elm Street, wait: 500, loud: true }
  production:
    baseUrl: https://service.example.com
    token: \${secret.AGENT_TOKEN}
    variables: { clinic: Oak Road, wait: 900, loud: false }
`;

/** Creates a folder with these files. By default, agentform.yaml has the text `projectFile`. */
export function makeFolder(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), 'agentform-manifest-'));
  made.push(root);
  for (const [path, text] of Object.entries({ 'agentform.yaml': projectFile, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export async function makeProject(files: Files): Promise<Project> {
  return loadProject(makeFolder(files));
}

/** A manifest with two settings. Further settings begin on line 7, and `rest` follows them. */
export function agent(settings: string, rest = '', name = 'desk'): string {
  const lines = settings === '' ? '' : `  ${settings.split('\n').join('\n  ')}\n`;
  const head = `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\nsettings:\n  title: Desk\n  description: d\n`;
  return `${head}${lines}${rest}\n`;
}

/** A manifest of any kind, named after the kind. `body` begins on line 4. */
export function manifest(kind: string, body: string, name = kind.toLowerCase()): string {
  return `apiVersion: agentform/v1\nkind: ${kind}\nname: ${name}\n${body}\n`;
}

/** A resolution with the values of all selected resources. */
export type WithValues = Resolution & { readonly desired: readonly Desired<Target>[] };

export async function resolve(files: Files, options: Partial<ResolveOptions> = {}): Promise<WithValues> {
  return resolveWithValues(await makeProject(files), {
    environment: 'local',
    secrets: 'values',
    env: {},
    allowedSecrets: undefined,
    ...options,
  });
}

export async function resolveWithValues(project: Project, options: ResolveOptions): Promise<WithValues> {
  const resolution = await resolveProject(project, options);
  return { ...resolution, desired: desiredOfAll(resolution) };
}

/** The sections of the only agent, which must have no errors. */
export async function sectionsOf(files: Files, options: Partial<ResolveOptions> = {}): Promise<JsonObject> {
  const { desired, problems } = await resolve(files, options);
  const [only] = desired;
  if (only === undefined || desired.length > 1) throw new Error(`not one agent: ${problems.map(show).join('; ')}`);
  return only.sections;
}

/** The problems in one manifest, agents/a.yaml, beside these files. */
export async function rowProblems(manifest: string, files: Files = {}): Promise<string[]> {
  const project = await makeProject({ 'agents/a.yaml': manifest, ...files });
  return (await validateProject(project, { env: {} })).problems.map(show);
}

/** Formats a problem as `file:line:col message`, with the second place in brackets. */
export function show(problem: Problem): string {
  const { at, also } = problem;
  const second = also === undefined ? '' : ` [${also.message} ${place(also.at)}]`;
  return `${place(at)} ${problemSentence(problem)}${second}`;
}

function place(at: Span | undefined): string {
  return at === undefined ? '?' : `${at.file}:${at.line}:${at.column}`;
}
