import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../apply/events.ts';
import { codeSpan } from '../report/markdown/escape.ts';
import { conflictNote, conflictsOf } from '../report/plan/wording.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { entryOf } from '../secrets/reference.ts';
import { placeOfProject } from '../session/base/repository.ts';
import { joinWithAnd } from '../text/wording.ts';
import { repositoryUrl } from './github/run-link.ts';
import { type Inputs, selectionWords } from './inputs.ts';

// A refusal names a command. A reader of the pull request has no terminal with a token, so the same command is offered
// for the workflow that runs typed commands.

/** The remedies for a refusal: commands for the workflow by hand, and secrets that need another value. */
export interface Remedies {
  readonly commands: readonly string[];
  readonly secrets: readonly SecretRemedy[];
  /** File name of the workflow, and where to run it; undefined if the checkout has none. */
  readonly workflow: { readonly file: string; readonly url: string | undefined };
}

const most = { commands: 10, characters: 300 } as const;

/** The remedies in these sentences that the action can carry out. Undefined if that is nothing. */
export function remediesIn(sentences: readonly string[], inputs: Inputs): Remedies | undefined {
  const found = sentences.map(namedIn);
  const merged: Named = {
    options: [...new Set(found.flatMap(({ options }) => options))],
    overwrites: [...new Set(found.flatMap(({ overwrites }) => overwrites))],
    created: [...new Set(found.flatMap(({ created }) => created))],
    others: [...new Set(found.flatMap(({ others }) => others))],
  };
  const commands = typedOf(merged, inputs).filter(({ length }) => length <= most.characters);
  const secrets = secretsIn(sentences, inputs);
  if (commands.length + secrets.length === 0) return undefined;
  return { commands: commands.slice(0, most.commands), secrets, workflow: workflowOf(inputs) };
}

/** Secrets that need a value, or another one. */
interface SecretRemedy {
  readonly names: readonly string[];
  /** The end of the sentence that says to set them. */
  readonly how: string;
}

const secretRemedies = [
  { named: /; check the token in ([\w.@:+[\]-]+)/g, how: 'with a value that the service accepts' },
  { named: /the secret '([\w.@:+[\]-]+)' is needed/g, how: 'and in `env` of the step' },
] as const;

/** A sentence may quote the service, so that only a secret that the workflow names counts. */
function secretsIn(sentences: readonly string[], inputs: Inputs): SecretRemedy[] {
  const text = sentences.join('\n');
  return secretRemedies.flatMap(({ named, how }) => {
    // In a workflow, an entry is set with the object that it is of.
    const found = new Set([...text.matchAll(named)].map(([, name = '']) => entryOf(name)?.of ?? name));
    const names = inputs.secrets.filter((name) => found.has(name));
    return names.length === 0 ? [] : [{ names, how }];
  });
}

/** Why a plan is refused and its resources are left out. Empty for an offline plan, which cannot be applied. */
export function sentencesOfPlan({ environment, offline, refusals, resources }: Plan): string[] {
  if (offline !== undefined) return [];
  return [
    ...refusals.map(({ message }) => message),
    ...resources.flatMap((resource) => [
      ...(resource.action === 'none' ? [] : resource.reasons),
      ...[conflictNote(environment, resource, conflictsOf(resource))].filter((note) => note !== undefined),
    ]),
  ];
}

/** Why resources were not applied or published. */
export function sentencesOfLedger({ entries, publishing = [] }: Pick<Ledger, 'entries' | 'publishing'>): string[] {
  return [...entries, ...publishing].flatMap(({ message }) => message ?? []);
}

/** The remedies as blocks for a pull request. */
export function remediesMarkdown(remedies: Remedies): string {
  const settings = `the [secrets of the repository](${secretsUrl()})`;
  const blocks = [
    ...remedies.secrets.map(
      ({ names, how }) =>
        `**To go on:** set ${joinWithAnd(names.map(codeSpan))} in ${settings}, ${elsewhere}, ${how}. ${again}`,
    ),
    ...(remedies.commands.length === 0 ? [] : [commandsMarkdown(remedies)]),
  ];
  return blocks.join('\n\n');
}

/** A GitHub environment has separate secrets, and a run cannot see which environment its job names. */
const elsewhere = 'or of the environment that the job names';
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
    return `**Without a terminal:** ${where} and enter ${codeSpan(only)}${id}.`;
  }
  const list = commands.map((command) => `- ${codeSpan(command)}`).join('\n');
  return `**Without a terminal:** ${where} and enter one of these commands${id}:\n\n${list}`;
}

/** Placeholders of a sentence: the id of an agent, or one of several settings. */
function placeholderHint(commands: readonly string[]): string {
  const hints = [
    ...(commands.some((command) => / ID\b/.test(command)) ? ['the id in the place of `ID`'] : []),
    ...(commands.some((command) => / PATH\b/.test(command)) ? ['a setting in the place of `PATH`'] : []),
  ];
  return hints.length === 0 ? '' : `, with ${joinWithAnd(hints)}`;
}

/** The same for a log. */
export function remediesText({ commands, secrets, workflow: { file, url } }: Remedies): string {
  const where = url === undefined ? `copy ${exampleUrl} to .github/workflows/ and run it` : `run ${file} (${url})`;
  return [
    ...secrets.map(
      ({ names, how }) =>
        `Set ${joinWithAnd(names)} in the secrets of the repository (${secretsUrl()}), ${elsewhere}, ${how}. ${again}`,
    ),
    ...(commands.length === 0 ? [] : [`Without a terminal, ${where} with one of these commands:`]),
    ...commands.map((one) => `  ${one}`),
  ].join('\n');
}

const exampleUrl = 'https://github.com/agentform/agentform/blob/main/examples/github/by-hand.yml';

interface Named {
  /** For `apply`: all of them are needed to get on. */
  readonly options: readonly string[];
  /** Addresses whose conflicts can be overwritten. */
  readonly overwrites: readonly string[];
  /** Addresses of agents that can be declared to be new. */
  readonly created: readonly string[];
  /** Whole commands. */
  readonly others: readonly string[];
}

const allowance = /--allow-(?:older|pending|creates \d{1,9})|--skip-(?:policies|requires|tests)/g;
const digest = /approve-digest: (sha256:[0-9a-f]{64})/g;
const actionable = /^(?:record (?:adopt|forget|rename)|apply|publish|update|rollback|unhold)(?: |$)/;
const overwrite = 'apply --overwrite ';
const create = 'apply --new ';

/** Sentences quote commands between backticks, and name options to run again with. */
function namedIn(sentence: string): Named {
  const quoted = sentence.split('`').flatMap((part) => (part.startsWith('agentform ') ? part.slice(10) : []));
  const commands = quoted.filter((command) => actionable.test(command));
  const allowances = sentence.match(allowance) ?? [];
  const isPending = (option: string) => option === '--allow-pending';
  return {
    options: [
      ...allowances.filter((option) => !isPending(option)),
      ...[...sentence.matchAll(digest)].map(([, value]) => `--approve-digest ${value}`),
    ],
    overwrites: commands.flatMap((command) => valueBehind(command, overwrite) ?? []),
    created: commands.flatMap((command) => valueBehind(command, create)?.split(',') ?? []),
    others: [
      ...commands.filter((command) => !command.startsWith(overwrite) && !command.startsWith(create)),
      ...allowances.filter(isPending).map((option) => `publish ${option}`),
    ],
  };
}

/** The words after the beginning of a command. */
function valueBehind(command: string, beginning: string): string | undefined {
  return command.startsWith(beginning) ? command.slice(beginning.length).split(' ')[0] : undefined;
}

/** An apply keeps the options of this run, so that one remedy does not undo the other. */
function typedOf({ options, overwrites, created, others }: Named, inputs: Inputs): string[] {
  const told = [
    'apply',
    ...selectionWords(inputs),
    ...inputs.overwrite.map((address) => `--overwrite ${address}`),
    ...(inputs.new.length === 0 ? [] : [`--new ${inputs.new.join(',')}`]),
    ...(inputs.allowOlder ? ['--allow-older'] : []),
    ...(inputs.allowCreates === undefined ? [] : [`--allow-creates ${inputs.allowCreates}`]),
    ...(inputs.skipPolicies ? ['--skip-policies'] : []),
    ...(inputs.skipRequires ? ['--skip-requires'] : []),
    ...(inputs.skipTests ? ['--skip-tests'] : []),
    ...(inputs.publish ? ['--publish'] : []),
    ...(inputs.approveDigest === undefined || options.some((option) => option.startsWith('--approve-digest'))
      ? []
      : [`--approve-digest ${inputs.approveDigest}`]),
  ];
  const line = (extra: readonly string[]) => [...told, ...extra.filter((one) => !told.includes(one))].join(' ');
  const commands = [
    ...(options.length === 0 ? [] : [line(options)]),
    ...overwrites
      .filter((address) => !inputs.overwrite.includes(address))
      .map((address) => line([...options, `--overwrite ${address}`])),
    ...(created.length === 0 ? [] : [line([...options, `--new ${created.join(',')}`])]),
    ...others,
  ];
  return commands.map((command) => inEnvironment(command, inputs));
}

/** The form has a choice of environments: the typed command must name the same one. */
function inEnvironment(command: string, { environment }: Inputs): string {
  const isTold = environment === undefined || / (?:-e|--environment) /.test(command);
  return isTold ? command : `${command} -e ${environment}`;
}

/** As in the examples and in `init`. */
const usualNames = ['by-hand.yml', 'agentform-by-hand.yml'];

function workflowOf({ byHandWorkflow, project }: Inputs): Remedies['workflow'] {
  const names = byHandWorkflow === undefined ? usualNames : [byHandWorkflow];
  const folder = join(placeOfProject(project).base, '.github', 'workflows');
  const found = names.find((name) => existsSync(join(folder, name)));
  if (found === undefined) return { file: names[0] ?? '', url: undefined };
  return { file: found, url: `${repositoryUrl()}/actions/workflows/${found}` };
}
