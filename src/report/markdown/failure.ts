import type { AgentformError } from '../../errors.ts';
import { formatNumber, present, shorten } from '../../text/wording.ts';
import { type Problem, spanText } from '../../yaml/problem.ts';
import { problemCounts } from '../problems/problems-text.ts';
import { problemSentence } from '../problems/sentence.ts';
import { codeSpan, escapeProse } from './escape.ts';
import { joinBlocks } from './fit.ts';

const limits = { problems: 30, characters: 500, sentence: 4_000, status: 2_000, problemsOfStatus: 3 } as const;

/** Renders a failure without a plan or result: its sentence, and the problems with their places. */
export function renderFailureMarkdown(
  { message, code }: Pick<AgentformError, 'message' | 'code'>,
  { title, problems }: { readonly title: string; readonly problems: readonly Problem[] },
): string {
  const sentence = `**Failed:** ${escapeProse(shorten(message, limits.sentence))} (${codeSpan(code)})`;
  return joinBlocks(present(`### ${escapeProse(shorten(title, 200))}`, sentence, problemsMarkdown(problems)));
}

/** Renders briefly why nothing was applied, to show above a plan. `about` is Markdown, such as a link to the run. */
export function renderFailureStatus(
  { message, code }: Pick<AgentformError, 'message' | 'code'>,
  { problems, about }: { readonly problems: readonly Problem[]; readonly about: string },
): string {
  const sentence = `❌ **Not applied:** ${escapeProse(shorten(message, limits.status))} (${codeSpan(code)}). ${about}`;
  return joinBlocks(present(sentence, problemsMarkdown(problems.slice(0, limits.problemsOfStatus))));
}

/** Renders the first problems as a list. Empty without problems. */
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
  return `- ${placeText}${severity}: ${escapeProse(shorten(problemSentence(problem), limits.characters))}`;
}
