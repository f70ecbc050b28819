// Formats the sentences of problems and the titles of fixes. No code parses these texts, because `Problem` has the
// data.

import { type Notice, notice } from '../../notices/notice.ts';
import { joinWithAnd, quote } from '../../text/wording.ts';
import { type Fix, type FixAction, type Problem, spanText } from '../../yaml/problem.ts';

type WordedProblem = Pick<Problem, 'message' | 'found' | 'fixes' | 'environments'>;

/** Returns the sentence of a problem, which contains its message, the most likely fix, and the environments. */
export function problemSentence({ message, found, fixes = [], environments }: WordedProblem): string {
  const [likeliest] = fixes;
  const ending = likeliest === undefined ? '' : endings[likeliest.action](likeliest, found);
  return environments === undefined ? `${message}${ending}` : withEnvironments(`${message}${ending}`, environments);
}

export function withEnvironments(sentence: string, environments: readonly string[]): string {
  return `${sentence} (in the ${environments.length === 1 ? 'environment' : 'environments'} ${joinWithAnd(environments)})`;
}

export function fileNotice(problem: Problem): Notice {
  const { rule, at } = problem;
  const place = at && { file: at.file, line: at.line, column: at.column };
  return notice('file-problem', { rule, finding: problemSentence(problem), ...(place && { at: place }) });
}

export function placedSentence(problem: Problem): string {
  const { at } = problem;
  return `${at === undefined ? '' : `${spanText(at)} `}${problemSentence(problem)}`;
}

export function fixTitle(fix: Fix): string {
  return titles[fix.action](fix);
}

const endings: Readonly<Record<FixAction, (fix: Fix, found: string | undefined) => string>> = {
  replace: ({ text }) => `; did you mean ${quote(text)}?`,
  write: ({ text }) => `; write ${quote(text)}`,
  quote: ({ text }) => `; quote it: ${quote(text)}`,
  unquote: ({ text }) => `; write ${text} without quotes`,
  move: (fix, found) =>
    fix.text === found ? `: it belongs ${sectionText(fix)}` : `; did you mean ${quote(fix.text)} ${sectionText(fix)}?`,
  'add-pattern': ({ text }) => `; add ${JSON.stringify(text)} to \`manifests\` in agentform.yaml`,
  // Only the docs explain how to allow a finding, because people would follow a hint in the output too readily.
  allow: () => '',
};

const titles: Readonly<Record<FixAction, (fix: Fix) => string>> = {
  replace: ({ text }) => `Replace with ${quote(text)}`,
  write: ({ text }) => `Write ${quote(text)}`,
  quote: ({ text }) => `Quote ${text}`,
  unquote: ({ text }) => `Write ${text} without quotes`,
  move: (fix) => `Move ${quote(fix.text)} ${sectionText(fix)}`,
  'add-pattern': ({ text }) => `Add ${JSON.stringify(text)} to manifests`,
  allow: ({ text }) => `Add a comment to allow ${text} here`,
};

function sectionText({ section }: Fix): string {
  return section === undefined || section === '' ? 'at the top level of the file' : `under ${quote(section)}`;
}
