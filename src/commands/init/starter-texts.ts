import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, isScalar, isSeq, parseDocument, stringify, visit, type YAMLMap } from 'yaml';
import { type EditorSchema, listPackageFiles, readPackageFile, schemaCopy } from '../../files/package-files.ts';
import { isJsonObject } from '../../json/json.ts';
import { ProjectFiles, yamlLimit } from '../../manifest/project/project-files.ts';
import type { StoreName } from '../../record/store.ts';
import { settingsYaml, storeDefinitions } from '../../record/store-table.ts';
import { secretReference } from '../../secrets/secret.ts';
import { escapeText } from '../../yaml/interpolate.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { toJson } from '../../yaml/tree.ts';
import type { SeparateToken } from './separate-tokens.ts';

/** The values for a new project's files, already validated. */
export interface StarterFacts {
  readonly name: string;
  readonly title: string;
  /** The base URL of production. If undefined, the environment is commented out. */
  readonly baseUrl: string | undefined;
  readonly record: StoreName;
  /** The tokens of the sample agent. Empty if it uses the environment's token. */
  readonly tokens: readonly SeparateToken[];
}

export function projectText({ baseUrl, record }: StarterFacts): string {
  const isComment = baseUrl === undefined;
  const lines = [
    '  production:',
    `    baseUrl: ${scalar(baseUrl ?? 'https://service.example.com')}`,
    '    token: ${secret.AGENT_TOKEN} # from the process variable AGENT_TOKEN; never write a token here',
  ];
  return `# yaml-language-server: $schema=${schemaCopy('project')}
apiVersion: agentform/v1
kind: Project
manifests: ${JSON.stringify(starterGlobs)}
defaultEnvironment: ${isComment ? 'local' : 'production'}
record: ${settingsYaml(storeDefinitions[record].starter)}
environments:
  # The embedded emulator: needs no account, no network and no token.
  local: { baseUrl: emulator }
${lines.map((line) => (isComment ? line.replace(/^ {2}/, '  # ') : line)).join('\n')}
`;
}

export function agentText({ name, title, tokens }: StarterFacts): string {
  return `# yaml-language-server: $schema=../${schemaCopy('manifest')}
apiVersion: agentform/v1
kind: Agent
name: ${scalar(name)}
settings:
  title: ${scalar(escapeText(title))}
  description: Answers calls and messages.
  agentInstructions: { file: ../prompts/${name}.md }
  agentLang: en-US
${targetText(tokens)}${idText(name, tokens)}`;
}

/** Declares the agent's tokens, in each environment if the environments use different tokens. */
function targetText(tokens: readonly SeparateToken[]): string {
  if (tokens.length === 0) return '';
  const target = (secret: string) => `target: { token: "${secretReference(secret)}" }\n`;
  const lines = tokens.map(({ environment, secret }) =>
    environment === undefined ? target(secret) : `  ${scalar(environment)}:\n    ${target(secret)}`,
  );
  const heading = differByEnvironment(tokens) ? 'environments:\n' : '';
  return `# Agents with the same token overwrite each other, so this agent has a separate one.\n${heading}${lines.join('')}`;
}

/** Explains how to set the agent's id, without repeating a key of the target's text. */
function idText(name: string, tokens: readonly SeparateToken[]): string {
  const otherwise = `For an account without an agent, apply with --new Agent/${name}.`;
  if (differByEnvironment(tokens))
    return `# To manage an existing agent, add its id to its target, such as agentId: camp_1. ${otherwise}\n`;
  return `# To manage an existing agent, set its id. ${otherwise}\n# environments:\n#   production:\n#     target: { agentId: camp_1 }\n`;
}

function differByEnvironment(tokens: readonly SeparateToken[]): boolean {
  return tokens.some(({ environment }) => environment !== undefined);
}

export function promptText({ title }: StarterFacts): string {
  return `You are ${escapeText(title)}. You answer calls and messages.

## How you talk

- Greet people politely and ask how you can help.
- Be brief: one question at a time.
- If you do not know something, say so, and offer to take a message.

## What you know

- You do not know the opening hours, prices or the address yet. If callers ask, take their number for a callback.
`;
}

/**
 * The .gitignore lines for files that stay on this machine. Records of environments other than `local` are committed.
 */
export const ignoredPaths: readonly string[] = [
  '.agentform/emulator.json',
  '.agentform/emulator.key',
  '.agentform/locks/',
  '.agentform/records/local/',
  // Such a file remains if a run is killed while it replaces a file.
  '.agentform-*.tmp',
  'plan.json',
  '*.plan.json',
];

export function gitIgnoreText(): string {
  return `# agentform: locks, saved plans, and the emulator's data and records stay on this machine; other records are committed.
${ignoredPaths.join('\n')}
`;
}

/** Formats text as a one-line YAML value, with quotes if necessary. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

interface WorkflowFacts {
  /** The project's path in its repository. The path is empty for a project at the top of the repository. */
  readonly folder: string;
  /** The branch that is applied, and that pull requests target. */
  readonly branch: string;
  /** The host of production's service, if known. */
  readonly host: string | undefined;
  readonly record: StoreName;
}

const templates = 'examples/github';
/** Workflows that need records in git or a database, because a job would lose records in files. */
const needsRecordsElsewhere = ['apply.yml'];
/** Workflows that do not suit a new project: one needs the team's GitHub App, and the other needs a rollout. */
const notForStarters = ['answers.yml', 'rollout.yml'];

/** Adapts the workflows in examples/github to a new project. Paths are relative to the repository. */
export async function starterWorkflows(facts: WorkflowFacts): Promise<{ path: string; text: string }[]> {
  const files = await listPackageFiles(templates);
  const names = files.filter((name) => /\.ya?ml$/.test(name) && !notForStarters.includes(name));
  const fitting = names.filter(
    (name) => !storeDefinitions[facts.record].isInProject || !needsRecordsElsewhere.includes(name),
  );
  return Promise.all(
    fitting.map(async (name) => ({
      path: `.github/workflows/agentform-${name}`,
      text: workflowFor(await readPackageFile(`${templates}/${name}`), facts),
    })),
  );
}

/** Adapts a workflow to the project's folder, branch and host. Keeps comments and layout. */
export function workflowFor(template: string, { folder, branch, host }: Omit<WorkflowFacts, 'record'>): string {
  const document = parseDocument(template);
  visit(document, {
    Map(_key, step) {
      // A step with `uses: OWNER/agentform@VERSION`.
      const uses = step.get('uses', true);
      if (!isScalar(uses) || !/(^|\/)agentform(@|$)/.test(String(uses.value))) return undefined;
      if (folder !== '') setInput(document, step, { name: 'project', value: folder });
      if (host !== undefined && step.hasIn(['with', 'allowed-hosts'])) {
        setInput(document, step, { name: 'allowed-hosts', value: host });
      }
      return visit.SKIP;
    },
    Pair(_key, { key, value }) {
      const isBranches = isScalar(key) && key.value === 'branches' && isSeq(value);
      if (!isBranches) return undefined;
      // A branch filter in a workflow is a pattern, so special characters are escaped.
      const pattern = branch.replace(/[*?+[\]!\\]/g, '\\$&');
      for (const name of value.items) if (isScalar(name)) name.value = pattern;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function setInput(
  document: Document,
  step: YAMLMap,
  { name, value }: { readonly name: string; readonly value: string },
): void {
  const inputs = step.get('with');
  if (isMap(inputs)) inputs.set(name, value);
  else step.set('with', document.createNode({ [name]: value }));
}

/** The path of VS Code's settings, relative to the folder that the editor opens. */
export const editorSettingsPath = '.vscode/settings.json';

export const recommendationsPath = '.vscode/extensions.json';
export const recommendations = { recommendations: ['agentform.agentform'] } as const;

/** The `manifests` pattern of a new project. There is only one pattern, so that a missing folder causes no warning. */
export const starterGlobs: readonly string[] = ['{agents,fleets,policies,tests}/**/*.{yaml,yml}'];

/** The usual paths of bases, templates, overrides and tasks. Other paths work too, but docs and examples use these. */
const otherGlobs = {
  manifests: ['{shared,templates,clients,policies,tests}/**/*.{yaml,yml}'],
  tasks: 'tasks/**/*.{yaml,yml}',
};

/**
 * Editor settings that assign schemas to files, because an empty manifest has no schema comment yet. `folder` is the
 * project's path in the opened folder.
 */
export function editorSettings(
  folder: string,
  manifests: readonly string[],
): { readonly 'yaml.schemas': Readonly<Record<string, unknown>> } {
  const below = (path: string) => (folder === '' ? path : path.replace(/^!?/, (not) => `${not}${folder}/`));
  const schema = (name: EditorSchema) => `./${below(schemaCopy(name))}`;
  return {
    'yaml.schemas': {
      [schema('project')]: below('agentform.yaml'),
      [schema('manifest')]: [...manifests, ...otherGlobs.manifests].map(below),
      [schema('task')]: below(otherGlobs.tasks),
    },
  };
}

export function editorFileText(settings: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/**
 * Returns the `manifests` patterns of the project at `root`. If there is no readable project, returns the patterns of a
 * new project.
 */
export function patternsAt(root: string): readonly string[] {
  if (!existsSync(join(root, 'agentform.yaml'))) return starterGlobs;
  const fileReading = new ProjectFiles(root).read('agentform.yaml', yamlLimit);
  const tree = fileReading.failure === undefined ? parseYaml(fileReading.source).root : undefined;
  const file = tree?.type === 'map' ? toJson(tree) : undefined;
  const patterns = isJsonObject(file) && Array.isArray(file.manifests) ? file.manifests : [];
  const texts = patterns.filter((pattern) => typeof pattern === 'string');
  return texts.length === 0 ? starterGlobs : texts;
}

/**
 * Whether a file is missing or contains all of these entries. Searches the text, because the JSON can have comments.
 */
export async function namesAll(path: string, wanted: readonly string[]): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined || wanted.every((name) => text.includes(name.replace(/^\.\//, '')));
}
