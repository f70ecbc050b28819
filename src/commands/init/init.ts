import { existsSync } from 'node:fs';
import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AgentformError, reasonOf } from '../../errors.ts';
import { editorSchemas, readEditorSchema, schemaCopy } from '../../files/package-files.ts';
import { pathUnder } from '../../files/plain-file.ts';
import { createFile, makeFolder, removeLeftovers, replaceFile } from '../../files/whole-file.ts';
import { runGit } from '../../git/command.ts';
import { mainBranchOf } from '../../git/commit-files.ts';
import { repositoryTopOf } from '../../git/repository.ts';
import { defaultStore, storeDefinitions } from '../../record/store-table.ts';
import { checkOptions, defaultName, describesNewProject, type InitOptions, titleFor } from './answers.ts';
import { separateTokens } from './separate-tokens.ts';
import {
  agentText,
  editorFileText,
  editorSettings,
  editorSettingsPath,
  gitIgnoreText,
  ignoredPaths,
  namesAll,
  patternsAt,
  projectText,
  promptText,
  recommendations,
  recommendationsPath,
  type StarterFacts,
  starterWorkflows,
} from './starter-texts.ts';

export interface InitResult {
  readonly folder: string;
  /** The files, in the order in which they are written. Paths are relative to the working directory. */
  readonly files: readonly { readonly path: string; readonly step: StarterStep['step'] }[];
  /** Lines that the existing .gitignore lacks. */
  readonly notIgnored: readonly string[];
  /** The entries that existing editor files lack. */
  readonly editor: ReadonlyArray<{ readonly path: string; readonly lacks: string }>;
  /** The name of the sample agent, or undefined if no sample was written. */
  readonly sample: string | undefined;
  /** The names of secrets with a token that only the sample agent uses. */
  readonly secrets: readonly string[];
  readonly wasProject: boolean;
  readonly hasProduction: boolean;
  readonly hasWorkflows: boolean;
  /** The branch whose commits the workflows apply. */
  readonly branch: string;
  readonly inRepository: boolean;
  /** Whether the workflows or the records need the remote `origin`, although it does not exist yet. */
  readonly needsRemote: boolean;
  /** Whether the apply workflow was left out, because a job would lose records that are stored in files. */
  readonly lacksApply: boolean;
}

/**
 * Creates a valid project. Without `force`, keeps existing files except schema copies. Checks everything before the
 * first write.
 */
export async function init(options: InitOptions): Promise<InitResult> {
  const root = resolve(options.folder);
  // If the path is not UTF-8, Node would write to a different folder, whose name has replacement characters.
  if (root.includes('\ufffd') && !existsSync(root)) throw unwritable(root, 'its path is not UTF-8; rename the folder');
  const isShared = await hasRemote(root);
  const tokens = await separateTokens(root, options.name ?? defaultName);
  const wasProject = isProject(root) && !(await isRepeated(root, options, { isShared, tokens }));
  checkOptions(options, wasProject);
  const facts = starterFacts(options, { wasProject, isShared, tokens });
  const branch = await mainBranchOf(root);
  const found = await stepsFor(await filesFor(root, options, { facts, branch, wasProject }), options);
  // If an existing manifest is kept in place of the sample manifest, the sample's prompt is left out.
  const isLeft = found.some(({ path, step }) => path.startsWith('agents/') && step === 'leave');
  const steps = found.filter(({ path, step }) => !(isLeft && path.startsWith('prompts/') && step === 'create'));
  const notIgnored = await missingIn(join(root, '.gitignore'));
  const editor = await missingForEditor(root);
  for (const step of steps) await takeStep(step);
  const hasWorkflows = steps.some(({ path }) => path.startsWith('.github/'));
  return {
    folder: options.folder,
    files: steps.map(({ parent, path, step }) => ({ path: shownFile(join(parent, path)), step })),
    notIgnored,
    editor,
    sample: writesSample(options, wasProject) ? facts.name : undefined,
    secrets: writesSample(options, wasProject) ? facts.tokens.map(({ secret }) => secret) : [],
    wasProject,
    hasProduction:
      facts.baseUrl !== undefined && steps.some(({ path, step }) => path === 'agentform.yaml' && step !== 'leave'),
    hasWorkflows,
    branch,
    inRepository: repositoryTopOf(root) !== undefined,
    needsRemote: !isShared && (hasWorkflows || storeDefinitions[facts.record].needsRemote),
    lacksApply: writesWorkflows(options, wasProject) && storeDefinitions[facts.record].isInProject,
  };
}

export function isProject(folder: string): boolean {
  return existsSync(join(folder, 'agentform.yaml'));
}

/**
 * Whether the project is exactly what these options create. The run then continues as in a new project, because an
 * earlier run may have been killed at its end.
 */
async function isRepeated(
  root: string,
  options: InitOptions,
  found: Pick<StarterInput, 'isShared' | 'tokens'>,
): Promise<boolean> {
  if (!describesNewProject(options)) return false;
  const facts = starterFacts(options, { ...found, wasProject: false });
  const files = [...(writesSample(options, false) ? sampleFiles(root, facts) : []), projectFile(root, facts)];
  const steps = await Promise.all(files.map((file) => stepFor(file, false)));
  return steps.every((step) => step === 'same');
}

function writesSample({ sample, name, baseUrl, force }: InitOptions, wasProject: boolean): boolean {
  if (sample !== undefined) return sample;
  return wasProject ? name !== undefined || force : baseUrl === undefined;
}

/** Whether the folder's repository has a remote `origin` for records. */
export async function hasRemote(folder: string): Promise<boolean> {
  const cwd = repositoryTopOf(resolve(folder));
  return cwd !== undefined && (await runGit(['remote', 'get-url', 'origin'], { cwd })).code === 0;
}

function writesWorkflows({ workflows }: InitOptions, wasProject: boolean): boolean {
  return workflows ?? !wasProject;
}

interface StarterInput extends Pick<StarterFacts, 'tokens'> {
  readonly wasProject: boolean;
  readonly isShared: boolean;
}

function starterFacts(options: InitOptions, { wasProject, isShared, tokens }: StarterInput): StarterFacts {
  const { name = defaultName, title = titleFor(name), baseUrl } = options;
  return {
    name,
    title,
    baseUrl,
    tokens,
    record: options.record ?? defaultStore({ forJobs: isShared && writesWorkflows(options, wasProject) }),
  };
}

/** Returns all files to write. agentform.yaml is last, so an interrupted run leaves no project and can be repeated. */
async function filesFor(
  root: string,
  options: InitOptions,
  { facts, branch, wasProject }: Pick<InitResult, 'branch' | 'wasProject'> & { readonly facts: StarterFacts },
): Promise<StarterFile[]> {
  const shared = (path: string, text: string): StarterFile => ({ parent: root, path, text, existing: 'leave' });
  return [
    ...(await schemaFiles(root)),
    ...(writesSample(options, wasProject) ? sampleFiles(root, facts) : []),
    ...editorFilesOf(root).map(({ wanted: _, ...file }) => ({ ...file, existing: 'leave' as const })),
    shared('.gitignore', gitIgnoreText()),
    ...(writesWorkflows(options, wasProject) ? await workflowFiles(root, branch, facts) : []),
    projectFile(root, facts),
  ];
}

function projectFile(root: string, facts: StarterFacts): StarterFile {
  return { parent: root, path: 'agentform.yaml', text: projectText(facts), existing: 'replace-if-forced' };
}

function sampleFiles(root: string, facts: StarterFacts): StarterFile[] {
  const own = { parent: root, existing: 'replace-if-forced' } as const;
  return [
    { ...own, path: `prompts/${facts.name}.md`, text: promptText(facts) },
    { ...own, path: `agents/${facts.name}.yaml`, text: agentText(facts) },
  ];
}

/** Returns the schema copies. Every run rewrites them to match its version of agentform. */
async function schemaFiles(root: string): Promise<StarterFile[]> {
  return Promise.all(
    editorSchemas.map(async (name) => {
      return { parent: root, path: schemaCopy(name), text: await readEditorSchema(name), existing: 'replace' as const };
    }),
  );
}

/**
 * Returns the top folder of the repository, or the project folder if there is no repository. GitHub looks for workflows
 * in the top folder, and editors usually open it.
 */
function topOf(root: string): string {
  return repositoryTopOf(root) ?? root;
}

/** Returns the editor files, with the entries that existing files must contain. */
function editorFilesOf(root: string) {
  const parent = topOf(root);
  const settings = editorSettings(pathUnder(parent, root), patternsAt(root));
  return [
    { parent, path: editorSettingsPath, text: editorFileText(settings), wanted: Object.keys(settings['yaml.schemas']) },
    {
      ...{ parent, path: recommendationsPath, text: editorFileText(recommendations) },
      wanted: recommendations.recommendations,
    },
  ];
}

async function missingForEditor(root: string): Promise<InitResult['editor']> {
  const found = await Promise.all(
    editorFilesOf(root).map(async ({ parent, path, text, wanted }) => {
      const isWhole = await namesAll(join(parent, path), wanted);
      return isWhole ? [] : [{ path: shownFile(join(parent, path)), lacks: text }];
    }),
  );
  return found.flat();
}

async function workflowFiles(root: string, branch: string, { baseUrl, record }: StarterFacts): Promise<StarterFile[]> {
  const parent = topOf(root);
  const folder = pathUnder(parent, root);
  const host = baseUrl === undefined ? undefined : new URL(baseUrl).host;
  const workflows = await starterWorkflows({ folder, branch, host, record });
  return workflows.map(({ path, text }) => ({ parent, path, text, existing: 'replace-if-forced' }));
}

async function missingIn(gitIgnore: string): Promise<string[]> {
  const text = await readFile(gitIgnore, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  return ignoredPaths.filter((path) => !lines.has(path) && !lines.has(`/${path}`));
}

function shownFile(path: string): string {
  return pathUnder(process.cwd(), path);
}

interface StarterFile {
  /** The folder that the path is relative to. */
  readonly parent: string;
  readonly path: string;
  readonly text: string;
  /**
   * What to do with an existing file: keep it, replace it, or replace it only with `force`. Only files that belong to
   * agentform are replaced.
   */
  readonly existing: 'leave' | 'replace' | 'replace-if-forced';
}

interface StarterStep extends StarterFile {
  /** `leave`: an existing file is kept, although its text differs. `same`: the file already has this text. */
  readonly step: 'create' | 'replace' | 'leave' | 'same';
}

/** Decides what to do with each file, without writing. Throws if a file cannot be written. */
async function stepsFor(files: readonly StarterFile[], { force }: { readonly force: boolean }): Promise<StarterStep[]> {
  return Promise.all(
    files.map(async (file) => {
      await requireFolders(file);
      return { ...file, step: await stepFor(file, force) };
    }),
  );
}

/** Writes one file. Does not overwrite a file that was created in the meantime. */
async function takeStep({ parent, path, text, step }: StarterStep): Promise<void> {
  await removeLeftovers(dirname(join(parent, path)));
  if (step === 'leave' || step === 'same') return;
  for (const folder of [parent, dirname(join(parent, path))])
    await makeFolder(folder).catch((cause: unknown) => {
      throw unwritable(folder, reasonOf(cause), cause);
    });
  try {
    await (step === 'create' ? createFile : replaceFile)(join(parent, path), text);
  } catch (cause) {
    throw unwritable(path, reasonOf(cause), cause);
  }
}

async function stepFor({ parent, path, text, existing }: StarterFile, force: boolean): Promise<StarterStep['step']> {
  const found = await lstat(join(parent, path)).catch(() => undefined);
  if (found === undefined) return 'create';
  if (found.isDirectory()) throw unwritable(path, 'it is a folder');
  if ((await readFile(join(parent, path), 'utf8').catch(() => undefined)) === text) return 'same';
  return existing === 'replace' || (existing === 'replace-if-forced' && force) ? 'replace' : 'leave';
}

/** Throws unless every parent of the path is a folder or does not exist. */
async function requireFolders({ parent, path }: StarterFile): Promise<void> {
  const steps = path.split('/').slice(0, -1);
  const folders = [parent, ...steps.map((_, index) => join(parent, ...steps.slice(0, index + 1)))];
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && !found.isDirectory()) throw unwritable(path, `${folder} is not a folder`);
  }
}

function unwritable(path: string, why: string, cause?: unknown): AgentformError {
  return new AgentformError('file-unwritable', `${path} cannot be written: ${why}`, { cause });
}
