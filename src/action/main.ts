import { resolve } from 'node:path';
import { setOutput, setSecret } from '@actions/core';
import { locateProject, locationOfProject, trackedFiles } from '../session/base/repository.ts';
import { refuseLeakyDebugging } from '../session/host.ts';
import type { CommandName } from './command-line.ts';
import { answersCommand } from './commands/answers.ts';
import { applyCommand } from './commands/apply.ts';
import { driftCommand } from './commands/drift.ts';
import { importCommand } from './commands/import.ts';
import { planCommand } from './commands/plan.ts';
import { publishCommand } from './commands/publish.ts';
import { recordCommand } from './commands/record.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { updateCommand } from './commands/update.ts';
import { validateCommand } from './commands/validate.ts';
import { tellFailure } from './failure.ts';
import { prepareGit, refuseLinks } from './github/checkout.ts';
import type { CommentSubject } from './github/marker.ts';
import { maskSecrets, readInputs, secretNames, selectionWords } from './inputs.ts';
import { setFailed } from './log.ts';
import { type ActionRun, startRun } from './run.ts';
import { type Trust, trustOf } from './trust.ts';
import { exitCodeOfError, type Failure, reasonOfError } from './verdict.ts';

/** The step: all output goes through the log, the summary, the comment and the outputs. */
async function main(): Promise<void> {
  try {
    refuseLeakyDebugging(process.env);
    maskSecrets(secretNames(), process.env);
    const inputs = readInputs();
    for (const token of [inputs.token, inputs.pushToken]) if (token !== '') setSecret(token);
    const run = await startRun(inputs);
    tellEnd(await carryOut(run), run.redact);
  } catch (error) {
    // Before a run there is nothing but the inputs to be wrong about.
    const message = error instanceof Error ? error.message : String(error);
    tellEnd({ reason: reasonOfError(error), code: exitCodeOfError(error), message });
  }
}

function tellEnd(failure: Failure | undefined, redact = (text: string) => text): void {
  if (failure === undefined) return;
  setOutput('failure-reason', failure.reason);
  if (!failure.isAnnotated) setFailed(redact(failure.message));
  process.exitCode = failure.code;
}

async function carryOut(started: ActionRun): Promise<Failure | undefined> {
  let run = started;
  let subject = subjectOf(run);
  try {
    const { project: path } = run.inputs;
    refuseLinks(path);
    await prepareGit(resolve(path), run.inputs.token);
    const { command } = run.inputs;
    if (command === 'answers') return await answersCommand(run, subject);
    run = { ...run, host: { ...run.host, readable: await trackedFiles(locationOfProject(path).root) } };
    if (command === 'validate') return await validateCommand(run);
    const project = await locateProject(run.host, run.inputs);
    const { environment } = project;
    run = { ...run, inputs: { ...run.inputs, environment } };
    subject = { ...subject, environment };
    return await commandsOnSubject[command](await trustOf({ ...run, root: project.root }, project), subject);
  } catch (error) {
    return tellFailure(error, run, subject);
  }
}

/**
 * The subject of the step's comment, as far as the inputs give it. The name of the default environment is in
 * agentform.yaml.
 */
function subjectOf({ folder, inputs }: ActionRun): CommentSubject {
  const { environment } = inputs;
  const names = selectionWords(inputs);
  return {
    environment: environment ?? '',
    project: folder === '' ? '.' : folder,
    ...(names.length > 0 && { names: [...new Set(names)].sort() }),
    ...(environment === undefined && { isDefault: true }),
  };
}

const commandsOnSubject: Readonly<
  Record<
    Exclude<CommandName, 'validate' | 'answers'>,
    (trust: Trust, subject: CommentSubject) => Promise<Failure | undefined>
  >
> = {
  plan: planCommand,
  apply: applyCommand,
  drift: driftCommand,
  publish: publishCommand,
  rollback: rollbackCommand,
  hold: recordCommand,
  unhold: recordCommand,
  'record adopt': recordCommand,
  'record forget': recordCommand,
  'record rename': recordCommand,
  update: updateCommand,
  import: importCommand,
};

await main();
