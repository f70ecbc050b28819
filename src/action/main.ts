import { ExitCode, setOutput, setSecret } from '@actions/core';
import { refuseLeakyDebugging } from '../session/node-debug.ts';
import { type LocatedProject, locateProject, placeOfProject } from '../session/repository.ts';
import { trackedFiles } from '../session/tracked-files.ts';
import { refuseLinks } from './checkout.ts';
import { applyCommand } from './commands/apply.ts';
import { driftCommand } from './commands/drift.ts';
import { planCommand } from './commands/plan.ts';
import { validateCommand } from './commands/validate.ts';
import { readEvent } from './event.ts';
import { tellFailure } from './failure.ts';
import { type Inputs, maskSecrets, readInputs, secretNames } from './inputs.ts';
import { setFailed } from './log.ts';
import type { CommentPlace } from './marker.ts';
import { type ActionRun, startRun } from './run.ts';
import { trustOf } from './trust.ts';
import { type Failure, reasonOfError } from './verdict.ts';

/** The step: everything it says goes through the log, the summary, the comment and the outputs. */
async function main(): Promise<void> {
  try {
    refuseLeakyDebugging(process.env);
    maskSecrets(secretNames(), process.env);
    const inputs = readInputs();
    if (inputs.token !== '') setSecret(inputs.token);
    const run = startRun(inputs, readEvent());
    tellEnd(await carryOut(run), run.redact);
  } catch (error) {
    // Before a run there is nothing but the inputs to be wrong about.
    tellEnd({ reason: reasonOfError(error), message: error instanceof Error ? error.message : String(error) });
  }
}

function tellEnd(failure: Failure | undefined, redact = (text: string) => text): void {
  if (failure === undefined) return;
  setOutput('failure-reason', failure.reason);
  if (failure.isAnnotated) process.exitCode = ExitCode.Failure;
  else setFailed(redact(failure.message));
}

async function carryOut(started: ActionRun): Promise<Failure | undefined> {
  let run = started;
  let place: CommentPlace | undefined;
  try {
    const { project: path } = run.inputs;
    refuseLinks(path);
    run = { ...run, host: { ...run.host, readable: await trackedFiles(placeOfProject(path).root) } };
    if (run.inputs.command === 'validate') return await validateCommand(run);
    const project = await locateProject(run.host, run.inputs);
    place = commentPlace(run, project);
    return await commandOf(run.inputs)(await trustOf({ ...run, root: project.root }, project), place);
  } catch (error) {
    return tellFailure(error, run, place);
  }
}

function commentPlace({ folder }: ActionRun, { environment }: LocatedProject): CommentPlace {
  return { environment, project: folder === '' ? '.' : folder };
}

function commandOf({ command }: Inputs) {
  if (command === 'apply') return applyCommand;
  return command === 'drift' ? driftCommand : planCommand;
}

await main();
