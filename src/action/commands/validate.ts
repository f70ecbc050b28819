import { validate } from '../../commands/validate/validate.ts';
import { exitCodes } from '../../errors.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import { problemsMarkdown } from '../../report/markdown/failure.ts';
import { problemCounts } from '../../report/problems/problems-text.ts';
import { changedSinceSentences } from '../../report/wording.ts';
import { counted } from '../../text/wording.ts';
import type { ActionRun } from '../run.ts';
import { showProblems, writeSummary } from '../summary.ts';
import { judgingCommit } from '../trust.ts';
import type { Failure } from '../verdict.ts';

/** Checks every manifest in every environment; needs no network and no secrets. */
export async function validateCommand(run: ActionRun): Promise<Failure | undefined> {
  const { inputs, host, redact } = run;
  const result = await validate(host, { ...inputs, base: await judgingCommit(run) });
  const { problems, valid, manifests } = result;
  showProblems(result, run);
  const found = problems.length === 0 ? 'no problems' : problemCounts(problems);
  const since = result.changedSince === undefined ? '' : ` ${changedSinceSentences(result.changedSince, 'checked')}`;
  const sentence = `${counted(manifests, 'manifest')} checked: ${found}.`;
  const text = `### agentform validate\n\n${escapeProse(`${sentence}${since}`)}\n\n${redact(problemsMarkdown(problems))}\n`;
  await writeSummary(() => text);
  return valid ? undefined : { reason: 'invalid', code: exitCodes.failed, message: sentence, isAnnotated: true };
}
