import { heldText, hold, releasedText, unhold } from '../../commands/hold/hold.ts';
import { adoptRecord } from '../../commands/record/adopt.ts';
import { forgetEnvironment, renameEnvironment } from '../../commands/record/environments.ts';
import { forgetRecords, renameRecord } from '../../commands/record/record.ts';
import {
  adoptedText,
  forgottenEnvironmentText,
  forgottenText,
  type RecordChangeText,
  renamedEnvironmentText,
  renamedText,
} from '../../commands/record/text.ts';
import { storeOf } from '../../record/store-table.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import type { CommandName } from '../command-line.ts';
import type { CommentSubject } from '../github/marker.ts';
import { filesNotice, logNotice, printQuoted, warning } from '../log.ts';
import { writeSummary } from '../outputs.ts';
import { type ActionRun, runnerSignal, subjectTitle } from '../run.ts';
import type { Trust } from '../trust.ts';

type Change = (run: ActionRun, subject: CommentSubject) => Promise<RecordChangeText>;

const changes: Partial<Readonly<Record<CommandName, Change>>> = {
  hold: async ({ host, inputs: { reason = '', ...inputs } }, { environment }) => {
    const options = { ...inputs, environment, reason, signal: runnerSignal() };
    return { answer: heldText(await hold(host, options), options) };
  },
  unhold: async ({ host, inputs }, { environment }) => {
    const options = { ...inputs, environment, signal: runnerSignal() };
    return { answer: releasedText(await unhold(host, options)) };
  },
  'record adopt': async ({ host, inputs: { project, names } }, { environment }) => {
    const [address = '', id] = names;
    return adoptedText(await adoptRecord(host, { project, environment, address, id, signal: runnerSignal() }));
  },
  'record forget': async ({ host, inputs }, { environment }) => {
    const { project, goneEnvironment: gone } = inputs;
    if (gone !== undefined) {
      return forgottenEnvironmentText(gone, await forgetEnvironment(host, { project, environment: gone }));
    }
    return forgottenText(await forgetRecords(host, { ...inputs, environment, signal: runnerSignal() }));
  },
  'record rename': async ({ host, inputs: { project, names, goneEnvironment: gone } }, { environment }) => {
    if (gone !== undefined) {
      const renaming = { project, from: gone, to: environment };
      return renamedEnvironmentText(renaming, await renameEnvironment(host, renaming));
    }
    const [from = '', to = ''] = names;
    return renamedText(await renameRecord(host, { project, environment, from, to, signal: runnerSignal() }));
  },
};

/** Changes records, and reports the changes in the log and the summary. */
export async function recordCommand({ run, project }: Trust, subject: CommentSubject): Promise<undefined> {
  const change = changes[run.inputs.command];
  if (change === undefined) throw new Error(`${run.inputs.command} changes no record`);
  const { answer, warnings = [] } = await change(run, subject);
  printQuoted(run.redact(answer));
  for (const text of warnings) warning(run.redact(text));
  if (storeOf(project.record).isInProject) logNotice(filesNotice);
  const lines = [`### ${escapeProse(subjectTitle(run.inputs.command, subject))}`, escapeProse(answer)];
  const said = [...lines, ...warnings.map((text) => `**Warning:** ${escapeProse(text)}`)];
  await writeSummary(() => run.redact(`${said.join('\n\n')}\n`));
}
