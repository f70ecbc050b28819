import { isAbsolute, normalize, sep } from 'node:path';
import { getInput, setSecret } from '@actions/core';
import { AgentformError } from '../errors.ts';
import { type Decision, decisionsOf, namesDecided } from '../plan/decisions.ts';
import { isLongEnough, type Redact, redactor } from '../secrets/redact.ts';
import { Secret } from '../secrets/secret.ts';
import { secretValue, textsOfSecret } from '../secrets/secret-values.ts';
import type { Host } from '../session/host.ts';
import { pipelineVariables } from '../session/records/applier.ts';
import type { Selection } from '../session/selection.ts';
import { listedWords, shellWord } from '../text/wording.ts';
import { type CommandLine, parseCommandLine } from './command-line.ts';

const commentModes = ['update', 'new', 'off'] as const;
const approvalModes = ['all', 'each'] as const;

export type CommentMode = (typeof commentModes)[number];

/** The inputs under `with:`. */
export interface Inputs extends Omit<CommandLine, 'words' | 'environment'> {
  /** Undefined for the project's default. */
  readonly environment: string | undefined;
  readonly project: string;
  /** The selection, or the address, id and new address for a record command. */
  readonly names: readonly string[];
  /** For `apply`: path of the saved plan to carry out. */
  readonly plan: string | undefined;
  readonly comment: CommentMode;
  readonly token: string;
  /** As written. */
  readonly allowedHosts: string;
  /** Names of process variables. */
  readonly secrets: readonly string[];
  readonly failOnChanges: boolean;
  readonly failOnConflicts: boolean;
  readonly requireApprovedPlan: boolean;
  /** What happens to the rest if something differs from what was approved: nothing is written, or it is left out. */
  readonly approval: (typeof approvalModes)[number];
  /** Whether `drift` keeps a pull request with the live values. */
  readonly pullRequest: boolean;
  /** Path in the workspace of the page with the plan or the drift. */
  readonly html: string | undefined;
  /** File name of the workflow that carries out what a person types into it; undefined if it has one of the usual names. */
  readonly byHandWorkflow: string | undefined;
}

/** Reads and checks the inputs. */
export function readInputs(): Inputs {
  const { words, ...line } = parseCommandLine(getInput('command'));
  return {
    ...line,
    plan: planInput(line),
    environment: oneOf('environment', optional('environment'), line.environment),
    project: projectFolder(optional('project')),
    names: namesOf(words),
    selector: oneOf('selector', optional('selector'), line.selector),
    exclude: [...line.exclude, ...listedWords(getInput('exclude'))],
    decisions: [...line.decisions, ...newAgents(line)],
    comment: choice('comment', commentModes),
    token: getInput('token'),
    allowedHosts: getInput('allowed-hosts'),
    secrets: secretNames(),
    failOnChanges: flag('fail-on-changes'),
    failOnConflicts: flag('fail-on-conflicts', true),
    requireApprovedPlan: flag('require-approved-plan'),
    approveDigest: oneOf('approve-digest', optional('approve-digest'), line.approveDigest),
    changedSince: oneOf('changed-since', optional('changed-since'), line.changedSince),
    approval: choice('approval', approvalModes),
    pullRequest: pullRequestFor(line.command),
    html: pagePath(optional('html'), line.command),
    byHandWorkflow: workflowFile('by-hand-workflow'),
  };
}

/** The typed command must not contradict the workflow, because the job's secrets are for the workflow's environment. */
function oneOf(name: string, given: string | undefined, typed: string | undefined): string | undefined {
  if (given === undefined || typed === undefined || given === typed) return typed ?? given;
  throw new AgentformError(
    'usage',
    `the input command says ${JSON.stringify(typed)}, but the input ${name} of this workflow is ${JSON.stringify(given)}; run it with the same`,
  );
}

/** Only for `apply`; the other commands that a workflow runs in this way do not use it. */
function newAgents({ command, decisions }: Pick<CommandLine, 'command' | 'decisions'>): readonly Decision[] {
  const typed = namesDecided(decisions, 'new-agent');
  const given = [...new Set(listedWords(getInput('new')))].filter((name) => !typed.includes(name));
  return command === 'apply' ? decisionsOf({ new: given }) : [];
}

/** Only the workflow decides which file is read, not the person who types a command. */
function planInput({ command }: Pick<CommandLine, 'command'>): string | undefined {
  const given = optional('plan');
  if (given === undefined || command === 'apply') return given;
  throw new AgentformError('usage', `the input plan is valid only with apply, not with ${command}`);
}

/** A folder of the repository: only that was checked out, and only its commits are judged. */
function projectFolder(given = '.'): string {
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
  throw new AgentformError('usage', 'the inputs command and names both select resources; use one of them');
}

/** The resources of the run. */
export function selectionOf({ names, selector, exclude }: Inputs): Selection {
  return { names, selector, exclude };
}

/** The selection as typed: names, labels and exclusions. */
export function selectionWords({ names, selector, exclude }: Pick<Inputs, 'names' | 'selector' | 'exclude'>): string[] {
  const labels = selector === undefined ? [] : [`-l ${shellWord(selector)}`];
  return [...names, ...labels, ...exclude.map((name) => `--exclude ${shellWord(name)}`)];
}

function pullRequestFor(command: CommandLine['command']): boolean {
  const isWanted = flag('pull-request');
  if (isWanted && command !== 'drift')
    throw new AgentformError('usage', `the input pull-request is valid only with drift, not with ${command}`);
  return isWanted;
}

/**
 * The path of the page that the workflow asks for. It is in the workspace, because paths outside may belong to the
 * runner, and ends in .html, so that it is not taken for a manifest.
 */
export function pagePath(given: string | undefined, command: CommandLine['command']): string | undefined {
  if (given === undefined) return undefined;
  if (command !== 'plan' && command !== 'drift')
    throw new AgentformError('usage', `the input html is valid only with plan and drift, not with ${command}`);
  const steps = given.split(/[\\/]/);
  const isInside = !isAbsolute(given) && !/^[a-z]:/i.test(given) && !steps.includes('..');
  if (isInside && given.toLowerCase().endsWith('.html') && !steps.some((step) => step.toLowerCase() === '.git'))
    return given;
  throw new AgentformError(
    'usage',
    `the input html is ${JSON.stringify(given)}; it takes a path inside the workspace that ends in .html, such as agentform-plan.html`,
  );
}

function workflowFile(name: string): string | undefined {
  const file = optional(name);
  if (file === undefined || /^[\w-][\w.-]*\.ya?ml$/.test(file)) return file;
  throw new AgentformError(
    'usage',
    `the input ${name} is ${JSON.stringify(file)}; it takes the name of a file in .github/workflows, such as by-hand.yml`,
  );
}

/** Names by which manifests may refer to secrets; the values are in process variables of these names. */
export function secretNames(): string[] {
  const names = listedWords(getInput('secrets'));
  const wrong = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (wrong === undefined) return names;
  // It is not repeated: it may be the secret itself.
  throw new AgentformError(
    'usage',
    'the input secrets takes names of variables such as AGENT_TOKEN, separated by spaces or commas; put their values under env',
  );
}

function optional(name: string): string | undefined {
  const text = getInput(name);
  return text === '' ? undefined : text;
}

/** The first is the default. */
function choice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  const text = getInput(name);
  const chosen = text === '' ? choices[0] : choices.find((one) => one === text);
  if (chosen !== undefined) return chosen;
  throw new AgentformError('usage', `the input ${name} is ${JSON.stringify(text)}: expected ${choices.join(', ')}`);
}

function flag(name: string, byDefault = false): boolean {
  const text = getInput(name).toLowerCase();
  if (text === '') return byDefault;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new AgentformError('usage', `the input ${name} is ${JSON.stringify(text)}: expected true or false`);
}

type Env = Readonly<Record<string, string | undefined>>;

/** A line of a secret that is shorter occurs in any text by chance, such as a brace of JSON. */
const shortestLine = 4;

/** Has the runner mask the secrets in the log: as they are, percent-encoded, JSON-escaped, and line by line. */
export function maskSecrets(names: readonly string[], env: Env): void {
  for (const form of new Set(names.flatMap((name) => textsOfSecret(env, name).flatMap(formsOf)))) setSecret(form);
}

/** Names a file with secrets, of which the workflow's names may be used. */
const secretsFile = 'AGENTFORM_SECRETS_FILE';

/** The process variables of a run: those for manifests, those that say who applies, and the secrets that the workflow names. */
export function restrictedEnv(names: readonly string[], env: Env): Env {
  const own = [...pipelineVariables, secretsFile, ...names];
  const isSeen = (name: string) => name.startsWith('AGENTFORM_VAR_') || own.includes(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isSeen(name)));
}

/** The same, without the secrets. */
export function withoutSecrets(names: readonly string[], env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== secretsFile && !names.includes(name)));
}

/** Whether the run was given any secret: pull requests from forks are not. */
export function hasSecrets(names: readonly string[], env: Env): boolean {
  return names.some((name) => secretValue(env, name) !== undefined);
}

function formsOf(value: string): string[] {
  const lines = value.split(/\r\n|\n|\r/).filter((line) => line.trim().length >= shortestLine);
  const texts = [value, value.trim(), ...(lines.length > 1 ? lines : [])].filter((text) => text.trim() !== '');
  return texts.flatMap((text) => [
    text,
    encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')),
    JSON.stringify(text).slice(1, -1),
  ]);
}

/**
 * The secrets that a run was given, to be hidden whether or not a manifest refers to them: the service may hold one that
 * was sent before, and a change of a manifest can have its agent read without that reference.
 */
export function hiddenSecrets(
  names: readonly string[],
  env: Host['env'],
): { readonly secrets: readonly Secret[]; readonly redact: Redact } {
  const secrets = names.flatMap((name) => textsOfSecret(env, name).map((text) => new Secret(text)));
  return { secrets, redact: redactor(secrets.filter(isLongEnough)) };
}
