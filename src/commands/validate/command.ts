import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { cacheIn } from '../../cli/host.ts';
import type { Command } from '../../cli/options.ts';
import {
  type Arguments,
  baseOption,
  cacheOption,
  changedSinceOption,
  chosenEnvironments,
  projectOptions,
  selectedNames,
  selectionOptions,
} from '../../cli/options.ts';
import { answeringFailure, type ProblemFormat, problemFormats } from '../../cli/problem-formats.ts';
import { exitCodes } from '../../errors.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import type { ValidateResult } from './validate.ts';

export const validateCommand: Command<ReturnType<typeof builder>> = {
  usage: 'validate [names..]',
  describe: 'Check every manifest in every environment; needs no network and no secrets',
  builder,
  run,
};

const validateFormats: Renderers<ValidateResult & { readonly project: string }, 'text' | ProblemFormat> = {
  text: validationText,
  ...problemFormats,
};

function builder(yargs: Argv) {
  return selectionOptions(projectOptions(yargs))
    .positional('names', selectedNames)
    .option('environment', {
      alias: 'e',
      type: 'string',
      requiresArg: true,
      coerce: chosenEnvironments,
      describe: 'Check only these environments, separated by commas, or a glob (default: all)',
    })
    .options({ ...changedSinceOption, ...cacheOption })
    .option('base', baseOption)
    .example('$0 validate', 'Check the project in this folder')
    .option(
      'format',
      formatOption(validateFormats, 'Output format; sarif is for code scanning, github and gitlab annotate the files'),
    )
    .example('$0 validate --project clinic', 'Check the project in another folder')
    .example('$0 validate -e production', 'Check only the environment production')
    .example('$0 validate elm-street', 'Check one resource, without the problems of other files')
    .example('$0 validate --changed-since origin/main', 'Check what a branch changes')
    .example('$0 validate --format github', 'In a workflow: annotate the lines with problems')
    .example('$0 validate --format gitlab > agentform.json', "Write a report for GitLab's Code Quality")
    .example('$0 validate --format sarif > agentform.sarif', 'Write a file to upload to code scanning');
}

type ValidateArguments = Arguments<typeof builder>;

function run(
  {
    project,
    environment,
    base,
    format,
    names,
    selector,
    exclude,
    'changed-since': changedSince,
    ...kept
  }: ValidateArguments,
  console: Console,
): Promise<void> {
  return answeringFailure(format === 'text' ? undefined : format, { project, console }, async () => {
    const { validate } = await import('./validate.ts');
    const { env } = console.process;
    const result = await validate(
      { env, now: () => new Date(), cache: cacheIn(env, kept) },
      { project, environment: environment?.patterns, names, selector, exclude, changedSince, base },
    );
    await answerIn(format, { renderers: validateFormats, answer: { ...result, project } }, console);
    if (!result.valid) console.process.exitCode = exitCodes.failed;
  });
}

async function changedText({ changedSince }: ValidateResult): Promise<string> {
  if (changedSince === undefined) return '';
  const { changedSinceSentences } = await import('../../report/plan/wording.ts');
  return `${visibleLine(changedSinceSentences(changedSince, 'checked'))}\n`;
}

async function validationText(result: ValidateResult, { answerColor: color, redact }: Console): Promise<string> {
  const { problems, sourceOf, valid, manifests, resources, environments } = result;
  const names = environments.join(', ');
  const members = resources > manifests ? ` with ${counted(resources, 'resource')}` : '';
  const declared = `${counted(manifests, 'manifest')}${members}`;
  const verdict = `${declared} valid in ${counted(environments.length, 'environment')} (${names})\n`;
  const end = `${verdict}${await changedText(result)}`;
  if (problems.length === 0) return end;
  const { renderProblems } = await import('../../report/problems/problems-text.ts');
  return renderProblems(problems, { color, sourceOf, redact }) + (valid ? end : '');
}
