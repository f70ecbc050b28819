import type { AgentformError, ErrorCode } from '../../errors.ts';
import { formatNumber, present, shorten } from '../../text/wording.ts';
import { type Problem, spanText } from '../../yaml/problem.ts';
import { peopleWhoRunCommands } from '../blocks.ts';
import { stopInWords } from '../document.ts';
import { problemCounts } from '../problems/problems-text.ts';
import { problemSentence } from '../problems/sentence.ts';
import { foldOf, stopItem } from './comment.ts';
import { codeSpan, escapeProse } from './escape.ts';
import { joinBlocks } from './fit.ts';

/** The maximum numbers of problems, and the maximum lengths of texts, in characters. */
const limits = { problems: 30, problemsOfStatus: 3, reasons: 3, sentence: 2_000, problem: 500 } as const;

type Failure = Pick<AgentformError, 'message' | 'code'>;

/** Renders a failure that has no plan or result. Shows its sentence, and the problems with their places. */
export function renderFailureMarkdown(
  failure: Failure,
  { title, problems }: { readonly title: string; readonly problems: readonly Problem[] },
): string {
  const heading = `### ${escapeProse(shorten(title, 200))}`;
  return joinBlocks(present(heading, `❌ **Failed:** ${sentenceOf(failure)}`, problemsMarkdown(problems)));
}

function sentenceOf({ message, code }: Failure): string {
  // Several reasons are on separate lines.
  const reasons = shorten(message, limits.sentence).split('\n').map(escapeProse).join('<br>');
  return `${reasons} (${codeSpan(code)}).`;
}

/** What stopped a run, for readers who do not run commands. */
const plainWords: Partial<Readonly<Record<ErrorCode, string>>> = {
  'plan-not-approved':
    'The changes differ from those that were approved here. Someone must approve them as they are now.',
  'manifests-invalid': 'The files have errors that must be corrected first.',
  'project-invalid': 'The files have errors that must be corrected first.',
  'secret-unset': 'A password or token is missing.',
  'record-locked': 'Another run was applying changes. Run this again when it has finished.',
  'service-unreachable': 'The service did not answer. Run this again later.',
  interrupted: 'The run was stopped.',
};

/**
 * Renders the text above a plan that was not applied, with the reasons. The reasons are in plain words. The exact
 * sentence and the first problems are folded.
 */
export function renderNotAppliedMarkdown(
  failure: Failure & Pick<AgentformError, 'reasons'>,
  { problems, about }: { readonly problems: readonly Problem[]; readonly about: string },
): string {
  const { code, reasons } = failure;
  const shown = reasons.slice(0, limits.reasons).map((reason) => stopItem(stopInWords(reason)));
  const more = reasons.length - shown.length;
  const why =
    reasons.length > 0 ? '' : ` ${plainWords[code] ?? 'The people who run commands must look at this first.'}`;
  return joinBlocks(
    present(
      `❌ **Nothing was applied.**${why} ${about}`,
      present(...shown, more > 0 && `- and ${formatNumber(more)} more`).join('\n'),
      foldOf(
        peopleWhoRunCommands,
        present(sentenceOf(failure), problemsMarkdown(problems.slice(0, limits.problemsOfStatus))),
      ),
    ),
  );
}

/** Renders the first problems as a list. Returns an empty text if there are no problems. */
export function problemsMarkdown(problems: readonly Problem[]): string {
  if (problems.length === 0) return '';
  const shown = problems.slice(0, limits.problems).map(problemLine);
  const hidden = problems.length - shown.length;
  const list = present(...shown, hidden > 0 && `- and ${formatNumber(hidden)} more`);
  return [`${problemCounts(problems)}:`, '', ...list].join('\n');
}

function problemLine(problem: Problem): string {
  const { severity, at } = problem;
  const placeText = at === undefined ? '' : `${codeSpan(spanText(at))} `;
  return `- ${placeText}${severity}: ${escapeProse(shorten(problemSentence(problem), limits.problem))}`;
}
