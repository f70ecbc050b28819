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
import { escapeProse } from '../../report/markdown/escape.ts';
import type { CommandName } from '../command-line.ts';
import { printQuoted, warning } from '../log.ts';
import { noteRecordFiles, writeSummary } from '../outputs.ts';
import { type ActionRun, runnerSignal, titleOf } from '../run.ts';

type Change = (run: ActionRun) => Promise<RecordChangeText>;

const changes: Partial<Readonly<Record<CommandName, Change>>> = {
  hold: async ({ host, inputs: { reason = '', ...inputs } }) => {
    const options = { ...inputs, reason, signal: runnerSignal() };
    return { answer: heldText(await hold(host, options), options) };
  },
  unhold: async ({ host, inputs }) => {
    const options = { ...inputs, signal: runnerSignal() };
    return { answer: releasedText(await unhold(host, options)) };
  },
  'record adopt': async ({ host, inputs: { project, environment, names } }) => {
    const [address = '', id] = names;
    return adoptedText(await adoptRecord(host, { project, environment, address, id, signal: runnerSignal() }));
  },
  'record forget': async ({ host, inputs }) => {
    const { project, goneEnvironment: gone } = inputs;
    if (gone !== undefined) {
      return forgottenEnvironmentText(gone, await forgetEnvironment(host, { project, environment: gone }));
    }
    return forgottenText(await forgetRecords(host, { ...inputs, signal: runnerSignal() }));
  },
  'record rename': async ({ host, subject: { environment }, inputs: { project, names, goneEnvironment: gone } }) => {
    if (gone !== undefined) {
      const renaming = { project, from: gone, to: environment };
      return renamedEnvironmentText(renaming, await renameEnvironment(host, renaming));
    }
    const [from = '', to = ''] = names;
    return renamedText(await renameRecord(host, { project, environment, from, to, signal: runnerSignal() }));
  },
};

/** Changes records, and reports the changes in the log and the summary. */
export async function recordCommand(run: ActionRun): Promise<undefined> {
  const change = changes[run.inputs.command];
  if (change === undefined) throw new Error(`${run.inputs.command} changes no record`);
  const { answer, warnings = [] } = await change(run);
  printQuoted(run.redact(answer));
  for (const text of warnings) warning(run.redact(text));
  noteRecordFiles(run);
  const lines = [`### ${escapeProse(titleOf(run.inputs.command, run))}`, escapeProse(answer)];
  const said = [...lines, ...warnings.map((text) => `**Warning:** ${escapeProse(text)}`)];
  await writeSummary(() => run.redact(`${said.join('\n\n')}\n`));
}
