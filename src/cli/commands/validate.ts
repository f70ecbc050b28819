import type { Argv } from 'yargs';
import { exitCodes } from '../../errors.ts';
import type { Console } from '../console.ts';
import { type Arguments, projectOptions } from '../options.ts';

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
    .example('$0 validate', 'Check the project in this folder')
    .example('$0 validate --project clinic', 'Check the project in another folder');
}

async function validateCommand({ project }: Arguments<typeof builder>, console: Console): Promise<void> {
  const { validate } = await import('../../reconcile/validate.ts');
  const { problems, sourceOf, valid, manifests, environments } = await validate(
    { env: console.process.env },
    { project },
  );
  if (problems.length > 0) {
    const { renderProblems } = await import('../../report/problems-text.ts');
    console.answer(renderProblems(problems, { color: console.answerColor, sourceOf, redact: console.redact }));
  }
  if (!valid) console.process.exitCode = exitCodes.failed;
  else
    console.answer(
      `${counted(manifests, 'manifest')} valid in ${counted(environments.length, 'environment')} (${environments.join(', ')})\n`,
    );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
