import { isAbsolute, normalize, sep } from 'node:path';
import { getInput, setSecret } from '@actions/core';
import { type CamelCase, camelCased, isList } from '../cli/options.ts';
import { AgentformError } from '../errors.ts';
import { isLongEnough, type Redact, redactor } from '../secrets/redact.ts';
import { Secret } from '../secrets/secret.ts';
import { secretValue, textsOfSecret } from '../secrets/secret-values.ts';
import { defaultConcurrency } from '../service/limiter.ts';
import type { Host } from '../session/host.ts';
import { pipelineVariables } from '../session/records/applier.ts';
import type { Selection } from '../session/selection.ts';
import { joinWithAnd, listedWords, shellWord } from '../text/wording.ts';
import {
  type CommandLine,
  type CommandName,
  commandNames,
  type InputOption,
  inputOptions,
  parseCommandLine,
} from './command-line.ts';

/** An input that is not a command-line option. */
interface OwnInput {
  readonly describe: string;
  /** The default: a text, or an expression that GitHub evaluates. */
  readonly default?: string;
  /** The commands that accept the input. Defaults to all commands. */
  readonly commands?: readonly CommandName[];
  read(text: string, name: string): unknown;
}

/** The inputs that are not command-line options. Options with `isInput` are inputs as well. */
const ownInputs = {
  command: {
    describe: `${commandNames.slice(0, -1).join(', ')} or ${commandNames.at(-1)}, with the names and options of the command line, such as apply --overwrite Agent/front-desk. The action never passes this text to a shell`,
    default: 'plan',
    read: String,
  },
  environment: { describe: 'Environment in agentform.yaml. Defaults to defaultEnvironment', read: String },
  project: { describe: 'The project folder, relative to the repository', default: '.', read: projectFolder },
  comment: {
    describe:
      'How to comment on the pull request: update keeps one comment for each environment and project folder, new adds one each time, off writes none',
    default: 'update',
    read: oneOf('update', 'new', 'off'),
  },
  token: {
    describe:
      'The token for comments (needs pull-requests write). Also the token for git if the checkout keeps no credentials (needs contents write to apply with the record store git)',
    default: '${{ github.token }}',
    read: String,
  },
  'allowed-hosts': {
    describe:
      'The only hosts that requests may go to, separated by spaces. Defaults to every host. On a pull request, a secret may be sent only to hosts that already receive it in the base commit',
    read: String,
  },
  secrets: {
    describe:
      'Names that manifests may use as ${secret.NAME}, separated by spaces. Pass their values under env. Manifests can read no other process variables except AGENTFORM_VAR_*',
    read: namesOfSecrets,
  },
  'fail-on-changes': { describe: 'Whether pending changes or drift fail the step', default: 'false', read: flag },
  'fail-on-conflicts': {
    describe: 'Whether a plan with unanswered conflicts fails the step',
    default: 'true',
    read: flag,
  },
  'require-approved-plan': {
    describe: 'Whether apply refuses changes that the comment on the merged pull request does not show',
    default: 'false',
    read: flag,
  },
  approval: {
    describe:
      'With require-approved-plan, which resources must match the approval. all: apply nothing unless every resource matches. each: apply the resources that match, list the others and fail',
    default: 'all',
    read: oneOf('all', 'each'),
  },
  'pull-request': {
    describe:
      'Whether to put dashboard edits in a pull request, one for each environment. Needs contents write and pull-requests write',
    default: 'false',
    commands: ['drift'],
    read: flag,
  },
  html: {
    describe:
      'Where to write the result as a web page: a path in the workspace, such as agentform-plan.html. A later step can upload the page with actions/upload-artifact',
    commands: ['plan', 'drift'],
    read: pagePath,
  },
  'push-token': {
    describe:
      'A token with contents write, such as a GitHub App token, to push the commit with the answers. GitHub starts no workflow for pushes with ${{ github.token }}, so without this input the comment shows only a patch',
    commands: ['answers'],
    read: String,
  },
  'by-hand-workflow': {
    describe:
      'File name of the workflow in .github/workflows that runs commands by hand, like examples/github/by-hand.yml. Refusals name this workflow and the command to enter. Defaults to by-hand.yml or agentform-by-hand.yml',
    read: workflowFile,
  },
} as const satisfies Readonly<Record<string, OwnInput>>;

type OwnInputs = {
  readonly [Name in keyof typeof ownInputs as CamelCase<Name>]: ReturnType<(typeof ownInputs)[Name]['read']>;
};

export interface Inputs extends Omit<CommandLine, 'words'>, Omit<OwnInputs, 'command' | 'environment'> {
  /** The selected resources. For a record command, its arguments, such as an address and an id. */
  readonly names: readonly string[];
  readonly concurrency: number;
}

export function readInputs(): Inputs {
  const { words, ...line } = parseCommandLine(getInput('command'), getInput);
  const { command: _, environment: __, ...own } = readOwn(line.command);
  if (getInput('plan') !== '') requireCommand('plan', line.command, ['apply']);
  return {
    ...own,
    ...line,
    names: namesOf(words),
    concurrency: defaultConcurrency,
  };
}

function readOwn(command: CommandName): OwnInputs {
  const values = Object.entries<OwnInput>(ownInputs).map(([name, { commands, default: usual = '', read }]) => {
    const text = getInput(name) || (usual.startsWith('${{') ? '' : usual);
    if (text !== usual) requireCommand(name, command, commands);
    return [name, read(text, name)];
  });
  return camelCased<OwnInputs>(Object.fromEntries(values));
}

function requireCommand(name: string, command: CommandName, commands: readonly CommandName[] = commandNames): void {
  if (commands.includes(command)) return;
  throw new AgentformError(
    'usage',
    `the input ${name} is valid only with ${joinWithAnd(commands)}, not with ${command}`,
  );
}

/**
 * Checks the project folder. The folder must be in the repository, because only the repository is checked out, and
 * trust depends on its commits.
 */
function projectFolder(given: string): string {
  const path = normalize(given);
  const isInside = !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
  if (isInside) return given;
  throw new AgentformError(
    'usage',
    `the input project is ${JSON.stringify(given)}, which is outside the repository; name a folder in it, such as agents`,
  );
}

function namesOf(typed: readonly string[]): readonly string[] {
  const names = listedWords(getInput('names'));
  if (names.length === 0 || typed.length === 0) return [...typed, ...names];
  throw new AgentformError(
    'usage',
    'the inputs command and names both select resources; remove the names from one of them',
  );
}

export function selectionOf({ names, selector, exclude }: Inputs): Selection {
  return { names, selector, exclude };
}

/** Formats the selection as command-line arguments. */
export function selectionWords({ names, selector, exclude = [] }: Selection): string[] {
  const labels = selector === undefined ? [] : [`-l ${shellWord(selector)}`];
  return [...names, ...labels, ...exclude.map((name) => `--exclude ${shellWord(name)}`)];
}

/**
 * Checks the path of the requested page. The page must be in the workspace, because files elsewhere may belong to the
 * runner. The path must end in .html, so that the page cannot replace a manifest.
 */
export function pagePath(given: string): string | undefined {
  if (given === '') return undefined;
  const steps = given.split(/[\\/]/);
  const isInside = !isAbsolute(given) && !/^[a-z]:/i.test(given) && !steps.includes('..');
  if (isInside && given.toLowerCase().endsWith('.html') && !steps.some((step) => step.toLowerCase() === '.git'))
    return given;
  throw new AgentformError(
    'usage',
    `the input html is ${JSON.stringify(given)}: expected the path of a .html file in the workspace, such as agentform-plan.html`,
  );
}

function workflowFile(file: string, name: string): string | undefined {
  if (file === '') return undefined;
  if (/^[\w-][\w.-]*\.ya?ml$/.test(file)) return file;
  throw new AgentformError(
    'usage',
    `the input ${name} is ${JSON.stringify(file)}: expected the name of a file in .github/workflows, such as by-hand.yml`,
  );
}

/** Returns the names of the secrets that manifests may use. Process variables with these names contain the values. */
export function secretNames(): string[] {
  return namesOfSecrets(getInput('secrets'));
}

function namesOfSecrets(text: string): string[] {
  const names = listedWords(text);
  const wrong = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (wrong === undefined) return names;
  // The message does not quote the text, because the text may be a secret.
  throw new AgentformError(
    'usage',
    'the input secrets accepts names of variables, such as AGENT_TOKEN, separated by spaces or commas; put their values under env',
  );
}

function oneOf<Choice extends string>(...choices: readonly Choice[]) {
  return (text: string, name: string): Choice => {
    const chosen = choices.find((one) => one === text);
    if (chosen !== undefined) return chosen;
    throw new AgentformError('usage', `the input ${name} is ${JSON.stringify(text)}: expected ${choices.join(', ')}`);
  };
}

function flag(text: string, name: string): boolean {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  throw new AgentformError('usage', `the input ${name} is ${JSON.stringify(text)}: expected true or false`);
}

/** Returns the inputs for action.yml. */
export function declaredInputs(): Readonly<Record<string, DeclaredInput>> {
  const { command, environment, project, ...others } = ownInputs;
  return {
    ...mapped({ command, environment, project }),
    ...Object.fromEntries(inputOptions().map(optionInput)),
    ...mapped(others),
  };
}

interface DeclaredInput {
  readonly description: string;
  readonly required: false;
  readonly default: string;
}

function mapped(inputs: Readonly<Record<string, OwnInput>>): Record<string, DeclaredInput> {
  const declared = Object.entries(inputs).map(([name, { describe, commands, default: usual = '' }]) => [
    name,
    { description: `${describe}.${validWith(commands)}`, required: false, default: usual } as const,
  ]);
  return Object.fromEntries(declared);
}

function optionInput({ name, option, commands }: InputOption): [string, DeclaredInput] {
  const separated = isList(option) ? ' Separate several with spaces.' : '';
  const note = notes[name] === undefined ? '' : ` ${notes[name]}`;
  const description = `${option.describe}.${separated}${validWith(commands)}${note}`;
  return [name, { description, required: false, default: '' }];
}

/** Names the commands that accept the input, unless more than half of all commands do. */
function validWith(commands: readonly CommandName[] = commandNames): string {
  return commands.length > commandNames.length / 2 ? '' : ` Only with ${joinWithAnd(commands)}.`;
}

/** Notes about workflows, by option. These notes are added to the description of the input. */
const notes: Readonly<Record<string, string>> = {
  names: 'Steps with different names have different comments.',
  selector: 'Steps with different selectors have different comments.',
  new: 'Creating an agent could replace an existing one, so apply skips agents without an id that are not listed here.',
  'changed-since': 'apply also includes resources that were never fully applied.',
};

/** The minimum length of a masked line. Shorter lines of a secret, such as a JSON brace, also occur in other texts. */
const minLineLength = 4;

/** Makes the runner mask the secrets in the log, whole and line by line: literal, percent-encoded and JSON-escaped. */
export function maskSecrets(names: readonly string[], env: Host['env']): void {
  for (const text of new Set(names.flatMap((name) => textsOfSecret(env, name).flatMap(textsToMask)))) setSecret(text);
}

/** The process variable that names a file with secrets. A run may use only the secrets that the workflow names. */
const secretsFile = 'AGENTFORM_SECRETS_FILE';

/**
 * Limits a run to the process variables that it needs. These are the variables for manifests and about the pipeline,
 * the secrets file, and the secrets that the workflow names.
 */
export function restrictedEnv(names: readonly string[], env: Host['env']): Host['env'] {
  const own = [...pipelineVariables, secretsFile, ...names];
  const isSeen = (name: string) => name.startsWith('AGENTFORM_VAR_') || own.includes(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isSeen(name)));
}

/** Removes the secrets, and the path of the secrets file, from process variables. */
export function withoutSecrets(names: readonly string[], env: Host['env']): Host['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== secretsFile && !names.includes(name)));
}

export function hasSecrets(names: readonly string[], env: Host['env']): boolean {
  return names.some((name) => secretValue(env, name) !== undefined);
}

function textsToMask(value: string): string[] {
  const lines = value.split(/\r\n|\n|\r/).filter((line) => line.trim().length >= minLineLength);
  const texts = [value, value.trim(), ...(lines.length > 1 ? lines : [])].filter((text) => text.trim() !== '');
  return texts.flatMap((text) => [
    text,
    encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')),
    JSON.stringify(text).slice(1, -1),
  ]);
}

/**
 * Returns the secrets to hide, even those to which no manifest refers. The service may return a secret that was sent
 * earlier, and a change can remove its reference.
 */
export function hiddenSecrets(
  names: readonly string[],
  env: Host['env'],
): { readonly secrets: readonly Secret[]; readonly redact: Redact } {
  const secrets = names.flatMap((name) => textsOfSecret(env, name).map((text) => new Secret(text)));
  return { secrets, redact: redactor(secrets.filter(isLongEnough)) };
}
