import './event-file.ts';
import { setSecret } from '@actions/core';
import { refuseLeakyDebugging } from '../cli/host.ts';
import { AgentformError, reasonOf } from '../errors.ts';
import { renderFailureMarkdown, renderNotAppliedMarkdown } from '../report/markdown/failure.ts';
import { firstFitting, joinBlocks } from '../report/markdown/fit.ts';
import { foundBy, renderFailure } from '../report/problems/error-text.ts';
import { locateProject, trackedFiles } from '../session/base/repository.ts';
import { capitalised, present } from '../text/wording.ts';
import { hasErrors } from '../yaml/problem.ts';
import type { CommandName } from './command-line.ts';
import { answersCommand } from './commands/answers.ts';
import { runApply, runPublish, runRollback } from './commands/apply.ts';
import { runDrift } from './commands/drift.ts';
import { runImport } from './commands/import.ts';
import { runPlan, runValidate } from './commands/plan.ts';
import { recordCommand } from './commands/record.ts';
import { runUpdate } from './commands/update.ts';
import { prepareGit, refuseLinks } from './github/checkout.ts';
import { writePlan, writeStatus } from './github/comment.ts';
import { aboutRun } from './github/event.ts';
import { maskSecrets, readInputs, secretNames } from './inputs.ts';
import { printQuoted, setFailed, warning } from './log.ts';
import { annotate, setOutput, writeSummary } from './outputs.ts';
import { loggedRemedies, needsOfError, remediesMarkdown } from './remedies.ts';
import { type ActionRun, inEnvironment, type StartedRun, startRun, titleOf } from './run.ts';
import { requireMerged, trustOf } from './trust.ts';
import { exitCodeOfError, type JobFailure, reasonOfError } from './verdict.ts';

async function main(): Promise<void> {
  try {
    refuseLeakyDebugging(process.env);
    maskSecrets(secretNames(), process.env);
    const inputs = readInputs();
    for (const token of [inputs.token, inputs.pushToken]) if (token !== '') setSecret(token);
    const run = await startRun(inputs);
    tellEnd(await carryOut(run), run.redact);
  } catch (error) {
    // `carryOut` handles failures of commands. Other failures appear only in the log and the outputs.
    const message = error instanceof Error ? error.message : String(error);
    tellEnd({ reason: reasonOfError(error), code: exitCodeOfError(error), message });
  }
}

function tellEnd(failure: JobFailure | undefined, redact = (text: string) => text): void {
  if (failure === undefined) return;
  if (!failure.isAnnotated) setFailed(redact(failure.message));
  // `setFailed` sets the exit code to 1.
  process.exitCode = failure.code;
  try {
    setOutput('failure-reason', failure.reason);
  } catch (error) {
    warning(`${capitalised(reasonOf(error))}.`);
  }
}

async function carryOut(started: StartedRun): Promise<JobFailure | undefined> {
  let run = started;
  try {
    requireMerged(run);
    const { project: path, token, command } = run.inputs;
    refuseLinks(process.cwd(), path);
    await prepareGit(run.root, token);
    if (command === 'answers') return await answersCommand(run);
    run = { ...run, host: { ...run.host, readable: await trackedFiles(run.root) } };
    if (command === 'validate') return await runValidate(run);
    const project = await locateProject(run.host, run.inputs);
    run = inEnvironment(run, project.environment);
    return await commandsOnProject[command](await trustOf(run, project));
  } catch (error) {
    return tellFailure(error, run);
  }
}

const commandsOnProject: Readonly<
  Record<Exclude<CommandName, 'validate' | 'answers'>, (run: ActionRun) => Promise<JobFailure | undefined>>
> = {
  plan: runPlan,
  apply: runApply,
  drift: runDrift,
  publish: runPublish,
  rollback: runRollback,
  hold: recordCommand,
  unhold: recordCommand,
  'record adopt': recordCommand,
  'record forget': recordCommand,
  'record rename': recordCommand,
  update: runUpdate,
  import: runImport,
};

/** Shows a failure in the log, the summary, annotations and comments. A bug is shown only in the log. */
async function tellFailure(error: unknown, run: StartedRun): Promise<JobFailure> {
  const ending = { reason: reasonOfError(error), code: exitCodeOfError(error) };
  printQuoted(renderFailure(error, { color: false, redact: run.redact }));
  if (!(error instanceof AgentformError)) {
    return { ...ending, message: 'this is a bug in agentform; the log has the details' };
  }
  const found = foundBy(error) ?? { problems: [], sourceOf: () => undefined };
  annotate(found, run);
  const remedies = loggedRemedies(needsOfError(error, found.problems), run);
  const title = titleOf(run.inputs.command, run);
  const failed = renderFailureMarkdown(error, { title, problems: found.problems });
  const text = joinBlocks(present(failed.trimEnd(), remediesMarkdown(remedies)));
  await writeSummary(() => run.redact(text));
  const about = aboutRun(run.event.commit);
  const options = { problems: found.problems, about };
  const status = [{ remedies }, {}, { isShort: true }].map((more) => {
    return renderNotAppliedMarkdown(error, { ...options, ...more });
  });
  await comment(run, { plan: text, status });
  return { ...ending, message: error.message, isAnnotated: hasErrors(found.problems) };
}

interface FailureTexts {
  /** The text to show in place of a plan. */
  readonly plan: string;
  /** Versions of the text above the plan, longest first. The first one that fits is used. */
  readonly status: readonly string[];
}

/**
 * Writes a failure to the pull request. The failure of a plan replaces the previous plan. The failure of `apply` or
 * `answers` appears above the plan.
 */
async function comment(run: StartedRun, { plan, status }: FailureTexts): Promise<void> {
  const { pullRequest, commit } = run.event;
  const { command } = run.inputs;
  if (command === 'plan' && pullRequest !== undefined) {
    const render = () => () => ({ pages: [plan], shortened: false });
    const footer = `<sub>${aboutRun(pullRequest.head)}</sub>`;
    const { head, number } = pullRequest;
    await writePlan(run, number, {
      commit: head,
      digest: commit,
      approves: {},
      questionsBy: () => [],
      render,
      footer,
    });
  }
  if (command !== 'apply' && command !== 'answers') return;
  const origin = await run.origin();
  if (!('pullRequest' in origin)) return;
  const { number, head } = origin.pullRequest;
  await writeStatus(run, number, { commit: head, render: (limit) => firstFitting(status, limit) });
}

await main();
