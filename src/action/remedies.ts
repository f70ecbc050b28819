import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../apply/events.ts';
import type { AgentformError } from '../errors.ts';
import type { Notice, Remedy } from '../notices/notice.ts';
import { conflictNotice, flagsOf, namesDecided } from '../plan/decisions.ts';
import { conflictsOf } from '../plan/pending.ts';
import { alike, keyOfCauses, type Named, noticeForAll } from '../report/alike.ts';
import { peopleWhoRunCommands } from '../report/blocks.ts';
import { foldOf, type RemedyTexts } from '../report/markdown/comment.ts';
import { codeSpan } from '../report/markdown/escape.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { entryOf } from '../secrets/secret.ts';
import { locationOfProject } from '../session/base/repository.ts';
import { joinWithAnd, present, shellWord } from '../text/wording.ts';
import type { Problem } from '../yaml/problem.ts';
import { repositoryUrl } from './github/event.ts';
import { type Inputs, selectionWords } from './inputs.ts';
import { printQuoted } from './log.ts';
import type { StartedRun } from './run.ts';

// A refusal names a command, but readers of a pull request have no terminal with a token. So the action offers the
// command for a workflow that runs typed commands.

/** The remedies for a refusal: commands for the workflow that runs typed commands, and secrets to set. */
interface Remedies {
  readonly commands: readonly string[];
  readonly secrets: readonly SecretRemedy[];
  /**
   * The file name and page of the workflow that runs typed commands. The page is undefined if the checkout does not
   * contain the workflow.
   */
  readonly workflow: { readonly file: string; readonly url: string | undefined };
}

const limits = { commands: 10, characters: 300 } as const;

/** The remedies that notices and errors name. */
export interface Needs {
  readonly remedies: readonly Remedy[];
  readonly refused?: readonly string[];
  readonly unset?: readonly string[];
}

export function needsOf(notices: readonly Notice[]): Needs {
  return {
    remedies: notices.flatMap(({ remedies }) => remedies),
    refused: notices.flatMap(({ facts }) => {
      return 'problem' in facts && typeof facts.problem === 'object' ? (facts.problem.secret ?? []) : [];
    }),
  };
}

/** Returns the remedies for an error and its problems in files. */
export function needsOfError({ remedies, facts }: AgentformError, problems: readonly Problem[]): Needs {
  return {
    remedies,
    refused: typeof facts.secret === 'string' ? [facts.secret] : [],
    unset: problems.flatMap(({ secret }) => secret ?? []),
  };
}

/**
 * Returns the remedies for refusals and omitted resources. Returns no remedies for an offline plan, because such a plan
 * cannot be applied.
 */
export function needsOfPlan({ environment, offline, refusals, resources }: Plan): Needs {
  if (offline !== undefined) return { remedies: [] };
  const ofResource = (resource: ResourcePlan): Notice[] => {
    const conflicts = conflictsOf(resource);
    return [
      ...(resource.action === 'none' ? [] : resource.reasons),
      ...(conflicts.length === 0 ? [] : [conflictNotice(environment, resource, conflicts)]),
    ];
  };
  return needsOf([...refusals, ...holdsTogether(resources, ofResource)]);
}

/** Returns the remedies for resources that were not applied or published. */
export function needsOfLedger({ entries, publishing = [] }: Pick<Ledger, 'entries' | 'publishing'>): Needs {
  return needsOf(holdsTogether<Told>([...entries, ...publishing], ({ reasons = [] }) => reasons));
}

type Told = Named & { readonly reasons?: readonly Notice[] };

/** Returns the notices about all resources. Equal holds become one notice, whose command releases all of them. */
function holdsTogether<One extends Named>(all: readonly One[], noticesOf: (one: One) => readonly Notice[]): Notice[] {
  const notices = all.flatMap((one) => noticesOf(one).map((reason) => ({ one, reason })));
  const isHold = ({ reason }: (typeof notices)[number]) => reason.code === 'held';
  const holds = alike(notices.filter(isHold), ({ one, reason }) => keyOfCauses([reason], one));
  return [
    ...notices.filter((notice) => !isHold(notice)).map(({ reason }) => reason),
    ...holds.map((some) =>
      noticeForAll(
        some[0].reason,
        some.map(({ one }) => one),
        all,
      ),
    ),
  ];
}

/**
 * Selects commands that the action can carry out, and secrets that the workflow names. Returns undefined if both lists
 * are empty.
 */
export function remediesFor({ remedies, refused = [], unset = [] }: Needs, inputs: Inputs): Remedies | undefined {
  const commands = typedOf(remedies, inputs).filter(({ length }) => length <= limits.characters);
  const secrets = [
    { names: namedSecrets(refused, inputs), how: 'with a value that the service accepts' },
    { names: namedSecrets(unset, inputs), how: 'and in `env` of the step' },
  ].filter(({ names }) => names.length > 0);
  if (commands.length + secrets.length === 0) return undefined;
  return { commands: commands.slice(0, limits.commands), secrets, workflow: workflowOf(inputs) };
}

/** Logs the remedies, and returns them for a summary or a pull request. */
export function loggedRemedies(needs: Needs, { inputs, redact }: Pick<StartedRun, 'inputs' | 'redact'>): RemedyTexts {
  const remedies = remediesFor(needs, inputs);
  if (remedies !== undefined) printQuoted(redact(remediesText(remedies)));
  return remedyTexts(remedies);
}

/** Does the same as `loggedRemedies`, but returns one Markdown text. The text is empty if there are no remedies. */
export function tellRemedies(needs: Needs, run: Pick<StartedRun, 'inputs' | 'redact'>): string {
  return remediesMarkdown(loggedRemedies(needs, run));
}

/** Renders the remedies below a result. The commands are folded, because only some readers run commands. */
export function remediesMarkdown({ secrets, commands }: RemedyTexts): string {
  return present(secrets, commands && foldOf(peopleWhoRunCommands, [commands])).join('\n\n');
}

/** Secrets that have no value, or a wrong value. */
interface SecretRemedy {
  readonly names: readonly string[];
  /** The end of the sentence that asks the reader to set the secrets. */
  readonly how: string;
}

/**
 * Finds the secret names that are in the input `secrets`. For an entry of a JSON object, returns the name of the
 * object.
 */
function namedSecrets(found: readonly string[], { secrets }: Inputs): string[] {
  const names = new Set(found.map((name) => entryOf(name)?.of ?? name));
  return secrets.filter((name) => names.has(name));
}

/** Renders the remedies for a pull request. */
export function remedyTexts(remedies: Remedies | undefined): RemedyTexts {
  if (remedies === undefined) return {};
  const settings = `the [repository secrets](${secretsUrl()})`;
  const secrets = remedies.secrets.map(
    ({ names, how }) =>
      `**To continue:** set ${joinWithAnd(names.map(codeSpan))} in ${settings}, ${elsewhere}, ${how}. ${again}`,
  );
  return {
    ...(secrets.length > 0 && { secrets: secrets.join('\n\n') }),
    ...(remedies.commands.length > 0 && { commands: commandsMarkdown(remedies) }),
  };
}

/** A GitHub environment has its own secrets, but a run cannot see which environment its job uses. */
const elsewhere = 'or in the secrets of the environment that the job names';
const again = 'Then re-run this job.';

function secretsUrl(): string {
  return `${repositoryUrl()}/settings/secrets/actions`;
}

function commandsMarkdown({ commands, workflow: { file, url } }: Remedies): string {
  const source = `[${file}](${exampleUrl})`;
  const where =
    url === undefined ? `copy ${source} to \`.github/workflows/\`, run it` : `run the workflow [${file}](${url})`;
  const id = placeholderHint(commands);
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) {
    const warning = overruledBy(only, (what) => ` **This overrules ${what}.**`);
    return `**Without a terminal:** ${where} and enter ${codeSpan(only)}${id}.${warning}`;
  }
  const list = commands
    .map((command) => `- ${codeSpan(command)}${overruledBy(command, (what) => ` (overrules ${what})`)}`)
    .join('\n');
  return `**Without a terminal:** ${where} and enter one of these commands${id}:\n\n${list}`;
}

/** The checks that options overrule. */
const overruling = {
  '--skip-policies': 'the team rule',
  '--skip-tests': 'the failed tests',
  '--skip-requires': 'the required environment',
} as const;

/** Says which checks a command overrules. Returns an empty text if the command overrules no checks. */
function overruledBy(command: string, said: (what: string) => string): string {
  const words = command.split(' ');
  const checks = Object.entries(overruling).flatMap(([option, what]) => (words.includes(option) ? [what] : []));
  return checks.length === 0 ? '' : said(joinWithAnd(checks));
}

function placeholderHint(commands: readonly string[]): string {
  const hints = [
    ...(commands.some((command) => / ID\b/.test(command)) ? ['the id in place of `ID`'] : []),
    ...(commands.some((command) => / PATH\b/.test(command)) ? ['a setting in place of `PATH`'] : []),
  ];
  return hints.length === 0 ? '' : `, with ${joinWithAnd(hints)}`;
}

export function remediesText({ commands, secrets, workflow: { file, url } }: Remedies): string {
  const where = url === undefined ? `copy ${exampleUrl} to .github/workflows/ and run it` : `run ${file} (${url})`;
  return [
    ...secrets.map(
      ({ names, how }) =>
        `Set ${joinWithAnd(names)} in the repository secrets (${secretsUrl()}), ${elsewhere}, ${how}. ${again}`,
    ),
    ...(commands.length === 0 ? [] : [`Without a terminal, ${where} with one of these commands:`]),
    ...commands.map((one) => `  ${one}${overruledBy(one, (what) => `  (overrules ${what})`)}`),
  ].join('\n');
}

const exampleUrl = 'https://github.com/agentform/agentform/blob/main/examples/github/by-hand.yml';

/** The commands that the action can carry out as remedies. */
const actionable = [
  'record adopt',
  'record forget',
  'record rename',
  'apply',
  'publish',
  'update',
  'rollback',
  'unhold',
];

function isActionable([command, sub]: Remedy): boolean {
  return actionable.includes(String(command)) || actionable.includes(`${command} ${sub}`);
}

/** Returns the resources that a remedy `apply OPTION NAMES` selects. Returns an empty list for other remedies. */
function chosenBy([command, name, value]: Remedy, option: string): string[] {
  return command === 'apply' && name === option && value !== undefined ? [value] : [];
}

/**
 * Formats remedies as commands to type. A command for an apply keeps the options of this run, so that one remedy does
 * not undo another remedy.
 */
function typedOf(remedies: readonly Remedy[], inputs: Inputs): string[] {
  const options = remedies.filter(([first]) => first?.startsWith('-'));
  const overwrites = remedies.flatMap((remedy) => chosenBy(remedy, '--overwrite'));
  const created = remedies.flatMap((remedy) => chosenBy(remedy, '--new')).flatMap((names) => names.split(','));
  const isOther = (remedy: Remedy) =>
    isActionable(remedy) && [...chosenBy(remedy, '--overwrite'), ...chosenBy(remedy, '--new')].length === 0;
  const isApproving = options.some(([option]) => option === '--approve-digest');
  const ownWords: string[] = [
    'apply',
    ...selectionWords(inputs),
    ...flagsOf(inputs.decisions),
    ...(inputs.publish ? ['--publish'] : []),
    ...(inputs.approveDigest === undefined || isApproving ? [] : [`--approve-digest ${inputs.approveDigest}`]),
  ];
  const line = (extra: readonly string[]) => [...ownWords, ...extra.filter((one) => !ownWords.includes(one))].join(' ');
  const shared = distinct(options.map((words) => words.join(' ')));
  const commands = [
    ...(shared.length === 0 ? [] : [line(shared)]),
    ...distinct(overwrites)
      .filter((address) => !namesDecided(inputs.decisions, 'conflict').includes(address))
      .map((address) => line([...shared, `--overwrite ${address}`])),
    ...(created.length === 0 ? [] : [line([...shared, `--new ${distinct(created).join(',')}`])]),
    ...distinct(remedies.filter(isOther).map((words) => words.map(shellWord).join(' '))),
  ];
  return commands.map((command) => inEnvironment(command, inputs));
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Adds the environment to a command, unless the command names an environment or the default environment is used. */
function inEnvironment(command: string, { environment }: Inputs): string {
  const isTold = environment === undefined || / (?:-e|--environment) /.test(command);
  return isTold ? command : `${command} -e ${environment}`;
}

/** Usual file names of the workflow that runs typed commands. The first is that of the example. */
const usualNames = ['by-hand.yml', 'agentform-by-hand.yml'];

function workflowOf({ byHandWorkflow, project }: Inputs): Remedies['workflow'] {
  const names = byHandWorkflow === undefined ? usualNames : [byHandWorkflow];
  const folder = join(locationOfProject(project).top, '.github', 'workflows');
  const found = names.find((name) => existsSync(join(folder, name)));
  if (found === undefined) return { file: names[0] ?? '', url: undefined };
  return { file: found, url: `${repositoryUrl()}/actions/workflows/${found}` };
}
