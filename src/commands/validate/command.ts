import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { type Arguments, projectOptions } from '../../cli/options.ts';
import { answeringFailure, answerProblems } from '../../cli/problem-formats.ts';
import { exitCodes } from '../../errors.ts';
import { counted } from '../../text/wording.ts';
import type { ValidateResult } from './validate.ts';

export function addValidateCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'validate',
    'Check every manifest in every environment; needs no network and no secrets',
    builder,
    (options) => validateCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return projectOptions(yargs)
    .option('environment', {
      alias: 'e',
      type: 'string',
      requiresArg: true,
      describe: 'Check only this environment in agentform.yaml (default: all)',
    })
    .example('$0 validate', 'Check the project in this folder')
    .option('format', {
      choices: ['text', 'json', 'sarif', 'github'] as const,
      default: 'text' as const,
      describe: 'Output format; sarif is for code scanning, github annotates the files',
    })
    .example('$0 validate --project clinic', 'Check the project in another folder')
    .example('$0 validate -e production', 'Check only the environment production')
    .example('$0 validate --format github', 'In a workflow: annotate the lines with problems')
    .example('$0 validate --format sarif > agentform.sarif', 'Write a file to upload to code scanning');
}

type ValidateArguments = Arguments<typeof builder>;

function validateCommand({ project, environment, ...options }: ValidateArguments, console: Console): Promise<void> {
  const format = options.format === 'text' ? undefined : options.format;
  return answeringFailure(format, { project, console }, async () => {
    const { validate } = await import('./validate.ts');
    const result = await validate({ env: console.process.env }, { project, environment });
    if (format === undefined) await answerText(result, console);
    else await answerProblems(result, format, { project, console });
    if (!result.valid) console.process.exitCode = exitCodes.failed;
  });
}

async function answerText(result: ValidateResult, console: Console): Promise<void> {
  const { problems, sourceOf, valid, manifests, environments } = result;
  if (problems.length > 0) {
    const { renderProblems } = await import('../../report/problems/problems-text.ts');
    console.answer(renderProblems(problems, { color: console.answerColor, sourceOf, redact: console.redact }));
  }
  if (!valid) return;
  console.answer(
    `${counted(manifests, 'manifest')} valid in ${counted(environments.length, 'environment')} (${environments.join(', ')})\n`,
  );
}
