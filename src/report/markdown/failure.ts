import type { AgentformError, ErrorCode } from '../../errors.ts';
import { formatNumber, present, shorten } from '../../text/wording.ts';
import { type Problem, spanText } from '../../yaml/problem.ts';
import { peopleWhoRunCommands } from '../blocks.ts';
import { stopInWords } from '../document.ts';
import { problemCounts } from '../problems/problems-text.ts';
import { problemSentence } from '../problems/sentence.ts';
import { foldOf, type RemedyTexts, stopItem } from './comment.ts';
import { codeSpan, escapeProse } from './escape.ts';
import { joinBlocks } from './fit.ts';

/** The maximum numbers of problems, and the maximum lengths of texts, in characters. */
const limits = { problems: 30, problemsOfStatus: 3, reasons: 3, sentence: 2_000, problem: 500 } as const;

type Failure = Pick<AgentformError, 'message' | 'code'>;

export function renderFailureMarkdown(
  failure: Failure,
  { title, problems }: { readonly title: string; readonly problems: readonly Problem[] },
): string {
  const heading = `### ${escapeProse(shorten(title, 200))}`;
  const [words, exact] = [plainWordsOf(failure, problems), sentenceOf(failure)];
  const text = words === undefined ? exact : `${words}<br>\n<sub>${exact}</sub>`;
  return joinBlocks(present(heading, `❌ **Failed:** ${text}`, problemsMarkdown(problems)));
}

function sentenceOf({ message, code }: Failure): string {
  // Several reasons are on separate lines.
  const reasons = shorten(message, limits.sentence).split('\n').map(escapeProse).join('<br>');
  return `${reasons} (${codeSpan(code)}).`;
}

/** What stopped a run, for readers who do not run commands. Other codes do not occur in the action. */
const plainWords: Partial<Readonly<Record<ErrorCode, string>>> = {
  usage: 'The workflow has a wrong option.',
  'environment-unknown': 'The workflow names an environment that the files do not have.',
  'selection-empty': 'The workflow names agents that the files do not have.',
  'emulator-unusable': 'This environment is only for trials on a computer.',
  'plan-not-approved': 'The changes differ from the approved ones. Someone must approve the new changes.',
  'manifests-invalid': 'The files have errors that must be corrected first.',
  'project-invalid': 'The files have errors that must be corrected first.',
  'secret-unset': 'A password or token is missing.',
  'host-not-allowed': 'The files name a server that may not receive tokens yet.',
  'token-exposed': 'The files name a server without encryption, so no token was sent.',
  'service-refused': 'The service refused a request. A token may be wrong or expired.',
  'service-unreachable': 'The service did not respond. Run this again later.',
  'service-undecodable': "The service's response could not be understood.",
  'record-locked': 'Another run was applying changes. Run this again when it has finished.',
  'record-moved': 'Another run made changes at the same moment. Run this again.',
  'record-unreachable': 'The records of earlier applies cannot be reached. Run this again later.',
  'record-denied': 'The workflow has no access to the records of earlier applies.',
  'record-elsewhere': 'The records of earlier applies are not where the files say.',
  'record-unreadable': 'A record of an earlier apply is damaged.',
  'record-newer': 'A newer version of agentform made the last changes. The workflow needs that version, too.',
  'plan-unreadable': 'The saved plan cannot be read. Make a new plan.',
  'plan-altered': 'Someone changed the saved plan. Make a new plan.',
  'plan-mismatch': 'The saved plan does not match this run. Make a new plan.',
  'base-unreadable': 'An earlier version of the files cannot be read.',
  'git-failed': 'The history of the files cannot be read or written.',
  'file-unwritable': 'The workflow cannot write a file.',
  'edit-refused': 'The answers cannot be copied into the files.',
  'publish-off': 'The files do not allow publishing.',
  'run-refused': 'A safety check stopped this run.',
  interrupted: 'The run was stopped.',
};

function plainWordsOf({ code }: Failure, problems: readonly Problem[]): string | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const isOfSecrets = errors.length > 0 && errors.every(({ rule }) => rule === 'secret-unset');
  return plainWords[isOfSecrets ? 'secret-unset' : code];
}

interface NotAppliedOptions {
  readonly problems: readonly Problem[];
  readonly about: string;
  readonly remedies?: RemedyTexts;
  readonly isShort?: boolean;
}

/** Renders the reasons above a plan that was not applied, in plain words, with the exact sentence folded. */
export function renderNotAppliedMarkdown(
  failure: Failure & Pick<AgentformError, 'reasons'>,
  { problems, about, remedies, isShort }: NotAppliedOptions,
): string {
  const { reasons } = failure;
  const shown = reasons.slice(0, limits.reasons).map((reason) => stopItem(stopInWords(reason)));
  const more = reasons.length - shown.length;
  const why =
    reasons.length > 0
      ? ''
      : ` ${plainWordsOf(failure, problems) ?? 'The people who run commands must look at this first.'}`;
  return joinBlocks(
    present(
      `❌ **Nothing was applied.**${why} ${about}`,
      present(...shown, more > 0 && `- and ${formatNumber(more)} more`).join('\n'),
      remedies?.secrets,
      foldOf(
        peopleWhoRunCommands,
        present(
          sentenceOf(failure),
          isShort ? '' : problemsMarkdown(problems.slice(0, limits.problemsOfStatus)),
          remedies?.commands,
        ),
      ),
    ),
  );
}

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
