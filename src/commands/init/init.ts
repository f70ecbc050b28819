import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { readPackageFile } from '../../files/package-files.ts';
import { runGit } from '../../git/command.ts';
import { isName, nameForm } from '../../json/check.ts';
import { isEmbedded } from '../../kinds/desired.ts';
import { parseBaseUrl } from '../../manifest/project/project-checks.ts';
import { repositoryOf } from '../../session/repository.ts';
import { type ImportOptions, importRowProblems } from '../import/import.ts';
import { type StarterFile, type StarterStep, stepsFor, takeStep } from './starter-files.ts';
import {
  agentText,
  editorSettingsText,
  gitIgnoreText,
  ignoredPaths,
  projectText,
  promptText,
  type StarterFacts,
  schemaFolder,
  starterWorkflows,
} from './starter-texts.ts';

export interface InitOptions {
  /** The folder of the project. */
  readonly folder: string;
  /** Of the first agent. In a project that is there already, a sample is only added if it is named. */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly baseUrl?: string | undefined;
  /**
   * Whether to write an agent to begin with. If left out, only without a base URL: where there is a service, an apply
   * of the sample would overwrite the agent that is there.
   */
  readonly sample?: boolean | undefined;
  /** What is imported once the project is there. */
  readonly importing?: ImportOptions['what'] | undefined;
  readonly record?: 'file' | 'git' | undefined;
  /** Written unless it is false; in a project that is there already, only if it is true. */
  readonly workflows?: boolean | undefined;
  /** Replaces files of agentform's; never those that belong to others as well. */
  readonly force: boolean;
}

export interface InitResult {
  readonly folder: string;
  /** In the order in which they were written; paths are relative to the working directory. */
  readonly files: readonly { readonly path: string; readonly step: StarterStep['step'] }[];
  /** What an existing .gitignore lacks. */
  readonly notIgnored: readonly string[];
  /** Name of the sample agent; undefined if none was written. */
  readonly sample: string | undefined;
  readonly wasProject: boolean;
  readonly hasProduction: boolean;
  readonly hasWorkflows: boolean;
  readonly inRepository: boolean;
  /** Records are to be kept on a branch of the remote `origin`, and there is none yet. */
  readonly needsRemote: boolean;
}

export const defaultName = 'front-desk';

/** The environment that a base URL is of, and the process variable that holds its token. */
export const production = 'production';
export const productionToken = 'AGENT_TOKEN';

/** Makes a project that validates at once. Leaves every file that is there; what it needs is checked before it writes. */
export async function init(
  options: InitOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InitResult> {
  const root = resolve(options.folder);
  const wasProject = isProject(root);
  const facts = factsOf(options, wasProject);
  requireOneAgent(options);
  const needsRemote = facts.record === 'git' && !(await hasOrigin(root));
  requireImportable(options, { wasProject, needsRemote, env });
  const steps = withoutStrayPrompt(await stepsFor(await filesFor(root, { options, facts, wasProject }), options));
  const notIgnored = await missingIn(join(root, '.gitignore'));
  for (const step of steps) await takeStep(step);
  return {
    folder: options.folder,
    files: steps.map(({ base, path, step }) => ({ path: shownPath(join(base, path)), step })),
    notIgnored,
    sample: writesSample(options, wasProject) ? facts.name : undefined,
    wasProject,
    hasProduction: facts.baseUrl !== undefined,
    hasWorkflows: steps.some(({ path }) => path.startsWith('.github/')),
    inRepository: repositoryOf(root) !== undefined,
    needsRemote,
  };
}

/** Whether the folder is a project already. */
export function isProject(folder: string): boolean {
  return existsSync(join(folder, 'agentform.yaml'));
}

/** `Front desk` for `front-desk`. */
export function titleFor(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is wrong with an answer, as a sentence about its subject; undefined if nothing is. */
export const problemWithName = {
  name: (subject: string, name: string) => (isName(name) ? undefined : `${subject} is '${name}': expected ${nameForm}`),
  title: (subject: string, title: string) =>
    title.trim() !== '' && !/\p{Cc}/u.test(title)
      ? undefined
      : `${subject} should be a text of one line that is not empty`,
  baseUrl: (subject: string, text: string) => {
    const base = parseBaseUrl(text);
    if ('problem' in base) return base.problem.replace(/^baseUrl/, subject);
    return isEmbedded(base) ? `${subject} is 'emulator', which the environment local is already` : undefined;
  },
} as const;

/** What is wrong with the id of an agent that is to be imported. */
export function flawOfId(id: string): string | undefined {
  return importRowProblems({ id, name: defaultName, query: [] })[0]?.message;
}

/** Where nobody says where records are kept: with workflows on a branch, because the files of a job end with it. */
export function defaultRecord(workflows: boolean): 'file' | 'git' {
  return workflows ? 'git' : 'file';
}

function writesSample({ sample, name, baseUrl, importing, force }: InitOptions, wasProject: boolean): boolean {
  if (sample !== undefined || importing !== undefined) return sample === true;
  return wasProject ? name !== undefined || force : baseUrl === undefined;
}

/** A name says which agent it is for, so that nobody gets a sample in the place of an agent that exists. */
function requireOneAgent({ name, title, baseUrl, sample, importing }: InitOptions): void {
  if (sample === true && importing !== undefined) {
    throw new AgentformError('usage', '--sample writes an agent and --import takes one over; leave one of them out');
  }
  if (importing !== undefined && title !== undefined) {
    throw new AgentformError('usage', '--title is for the sample agent; an imported one has its title on the service');
  }
  if (importing !== undefined && 'list' in importing && name !== undefined) {
    throw new AgentformError('usage', '--name is for one agent and does not go with --from; the list has names');
  }
  const given = name === undefined ? title && '--title' : '--name';
  if (given === undefined || baseUrl === undefined || sample !== undefined || importing !== undefined) return;
  throw new AgentformError(
    'usage',
    `${given} with --base-url needs to know the agent: add --import AGENT_ID for one that exists, or --sample for a new one`,
  );
}

interface Importing extends Pick<InitResult, 'wasProject' | 'needsRemote'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What would keep an import from starting is told before the project is written. */
function requireImportable(
  { importing, baseUrl, force }: InitOptions,
  { wasProject, needsRemote, env }: Importing,
): void {
  if (importing === undefined) return;
  if (wasProject && !force) {
    throw new AgentformError('usage', 'there is a project already; import into it with agentform import');
  }
  if (baseUrl === undefined) throw new AgentformError('usage', 'an import needs the service; give it with --base-url');
  if (needsRemote) {
    throw new AgentformError(
      'usage',
      'records would be kept on a branch of the git remote origin, and there is none; run `git init` and `git remote add origin URL` first, or add --record file',
    );
  }
  if ('list' in importing) return;
  const complaints = importRowProblems(importing);
  if (complaints.length > 0) throw new AgentformError('usage', complaints.map(({ message }) => message).join('; '));
  const secret = importing.tokenSecret ?? productionToken;
  if (env[secret] === undefined || env[secret] === '') {
    throw new AgentformError(
      'secret-unset',
      `the process variable ${secret} is unset or empty; it holds the token of ${importing.id}`,
    );
  }
}

async function hasOrigin(root: string): Promise<boolean> {
  const cwd = repositoryOf(root);
  return cwd !== undefined && (await runGit(['remote', 'get-url', 'origin'], { cwd })).code === 0;
}

function writesWorkflows({ workflows }: InitOptions, wasProject: boolean): boolean {
  return workflows ?? !wasProject;
}

function factsOf(options: InitOptions, wasProject: boolean): StarterFacts {
  const { name = defaultName, title = titleFor(name), baseUrl } = options;
  const flaw =
    problemWithName.name('--name', name) ??
    problemWithName.title('--title', title) ??
    (baseUrl === undefined ? undefined : problemWithName.baseUrl('--base-url', baseUrl));
  if (flaw !== undefined) throw new AgentformError('usage', flaw);
  return { name, title, baseUrl, record: options.record ?? defaultRecord(writesWorkflows(options, wasProject)) };
}

interface Wanted {
  readonly options: InitOptions;
  readonly facts: StarterFacts;
  readonly wasProject: boolean;
}

/** agentform.yaml comes last: what is interrupted before it is no project yet, and is gone on with by the next run. */
async function filesFor(root: string, { options, facts, wasProject }: Wanted): Promise<StarterFile[]> {
  const own = (path: string, text: string): StarterFile => ({ base: root, path, text, existing: 'replace-if-forced' });
  const shared = (path: string, text: string): StarterFile => ({ base: root, path, text, existing: 'leave' });
  const agent = [
    own(`prompts/${facts.name}.md`, promptText(facts)),
    own(`agents/${facts.name}.yaml`, agentText(facts)),
  ];
  return [
    ...(await schemaFiles(root)),
    ...(writesSample(options, wasProject) ? agent : []),
    shared('.vscode/settings.json', editorSettingsText()),
    shared('.gitignore', gitIgnoreText()),
    ...(writesWorkflows(options, wasProject) ? await workflowFiles(root, facts) : []),
    own('agentform.yaml', projectText(facts)),
  ];
}

/** Copies, made anew by each run, so that they are those of the agentform that ran. */
async function schemaFiles(root: string): Promise<StarterFile[]> {
  return Promise.all(
    ['manifest.schema.json', 'project.schema.json'].map(async (name) => {
      const text = await readPackageFile(`schemas/${name}`);
      return { base: root, path: `${schemaFolder}/${name}`, text, existing: 'replace' as const };
    }),
  );
}

/** Workflows run from the top of a repository only. */
async function workflowFiles(root: string, { baseUrl, record }: StarterFacts): Promise<StarterFile[]> {
  const base = repositoryOf(root) ?? root;
  const folder = relative(base, root).split(sep).join('/');
  const host = baseUrl === undefined ? undefined : new URL(baseUrl).host;
  const workflows = await starterWorkflows({ folder, host, record });
  return workflows.map(({ path, text }) => ({ base, path, text, existing: 'replace-if-forced' }));
}

/** The prompt belongs to the manifest: beside one that is left, nothing would read it. */
function withoutStrayPrompt(steps: readonly StarterStep[]): StarterStep[] {
  const isLeft = steps.some(({ path, step }) => path.startsWith('agents/') && step === 'leave');
  return steps.filter(({ path, step }) => !(isLeft && path.startsWith('prompts/') && step === 'create'));
}

async function missingIn(gitIgnore: string): Promise<string[]> {
  const text = await readFile(gitIgnore, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  return ignoredPaths.filter((path) => !lines.has(path) && !lines.has(`/${path}`));
}

function shownPath(path: string): string {
  return relative(process.cwd(), path).split(sep).join('/');
}
