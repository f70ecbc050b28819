import type { AgentformError } from '../../errors.ts';
import { formatNumber, present, shorten } from '../../text/wording.ts';
import { type Problem, spanText } from '../../yaml/problem.ts';
import { problemCounts } from '../problems/problems-text.ts';
import { problemSentence } from '../problems/sentence.ts';
import { codeSpan, escapeProse } from './escape.ts';
import { joinBlocks } from './fit.ts';

/** The maximum numbers of problems, and the maximum lengths of texts, in characters. */
const limits = { problems: 30, problemsOfStatus: 3, sentence: 2_000, problem: 500 } as const;

interface FailureOptions {
  /** The heading as plain text. It is absent above a plan, where there is only room for a few problems. */
  readonly title?: string;
  readonly problems: readonly Problem[];
  /** Markdown after the sentence, such as a link to the run. */
  readonly about?: string;
}

/** Renders a failure that has no plan or result. Shows its sentence, and the problems with their places. */
export function renderFailureMarkdown(
  { message, code }: Pick<AgentformError, 'message' | 'code'>,
  { title, problems, about }: FailureOptions,
): string {
  const what = title === undefined ? 'Not applied' : 'Failed';
  // Several reasons are on separate lines.
  const reasons = shorten(message, limits.sentence).split('\n').map(escapeProse).join('<br>');
  const sentence = `❌ **${what}:** ${reasons} (${codeSpan(code)}).`;
  const shown = title === undefined ? problems.slice(0, limits.problemsOfStatus) : problems;
  const heading = title && `### ${escapeProse(shorten(title, 200))}`;
  return joinBlocks(present(heading, present(sentence, about).join(' '), problemsMarkdown(shown)));
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
