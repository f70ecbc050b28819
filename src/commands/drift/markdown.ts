import { addressOf } from '../../kinds/desired.ts';
import { differenceBlocks } from '../../report/markdown/difference.ts';
import { codeSpan, escapeHtml, escapeProse } from '../../report/markdown/escape.ts';
import { firstFitting, fitted, joinBlocks } from '../../report/markdown/fit.ts';
import { namesSpan, shortened } from '../../report/markdown/notices.ts';
import { defaultLimit } from '../../report/markdown/plan.ts';
import { sentencesOf } from '../../report/notices.ts';
import { groupTitle } from '../../report/plan/sections.ts';
import { changedSinceSentences, unmanagedCount } from '../../report/plan/wording.ts';
import type { Drift } from '../../schemas/drift-types.ts';
import {
  type DriftSection,
  headOfDrift,
  quietSentences,
  remedySentence,
  sectionsOfDrift,
  summaryOfDrift,
  unmanagedSentences,
} from './wording.ts';

export interface DriftMarkdownOptions {
  /** The maximum UTF-16 units of the text. */
  readonly limit?: number;
  /** Heading, as plain text; by default it names the environment. */
  readonly title?: string;
  /** A Markdown block below the counts, such as where to run what they name. */
  readonly remedies?: string | undefined;
}

/** The drift for an issue or a job summary. Never longer than the limit: sections are left out whole, and named. */
export function renderDriftMarkdown(
  drift: Drift,
  { limit = defaultLimit, title, remedies }: DriftMarkdownOptions = {},
): string {
  const heading =
    title === undefined ? `agentform drift in ${codeSpan(shortened(drift.environment, 100))}` : escapeProse(title);
  const { verdict, moves, compared } = summaryOfDrift(drift);
  const { changedSince } = drift;
  const since = changedSince && escapeProse(changedSinceSentences(changedSince));
  const counts = [moves, compared, since].filter((sentence) => sentence !== undefined);
  const remedy = remedySentence(drift);
  const head = [
    `### ${heading}`,
    `**${verdict}**`,
    ...(counts.length === 0 ? [] : [counts.join('<br>\n')]),
    ...(remedy === undefined ? [] : [`${escapeProse(remedy)}.`]),
    ...bullets(sentencesOf(drift.warnings).map((warning) => `warning: ${warning}`)),
    ...(remedies === undefined ? [] : [remedies]),
  ];
  const sections = sectionsOfDrift(drift).map((section) => ({
    name: namesSpan(section.resources),
    text: sectionText(section),
  }));
  const all = [...sections, ...unmanagedSections(drift)];
  const whole = fitted({ head, sections: all, closing: bullets(quietSentences(drift)), limit });
  return whole?.text ?? firstFitting([joinBlocks(head), `**${verdict}**\n`, verdict], limit);
}

/** Unmanaged settings by name, behind a click on their number. */
function unmanagedSections(drift: Drift) {
  const count = unmanagedCount(
    drift.resources.flatMap(({ unmanaged = [] }) => unmanaged),
    {},
  );
  if (count === undefined) return [];
  const names = bullets(unmanagedSentences(drift, { verbose: true }));
  const text = ['<details>', `<summary>${escapeHtml(count)}</summary>`, '', ...names, '', '</details>'].join('\n');
  return [{ name: 'settings that are not managed', text }];
}

function sectionText(section: DriftSection): string {
  const { resources, view } = section;
  const { written, moves, conflict, unverified } = view;
  const isShared = resources.length > 1;
  const notes = new Map(moves.map(({ change, note }) => [change, note]));
  return [
    `<details>\n<summary>${summaryOf(section)}</summary>`,
    ...(isShared ? [namesSpan(resources)] : []),
    ...(written === undefined ? [] : [escapeProse(written)]),
    ...differenceBlocks([...notes.keys()], (change) => ({ note: notes.get(change) }), { isShared }),
    ...unverified.map(
      ({ sentence, paths }) => `${escapeProse(sentence)}: ${paths.map((path) => codeSpan(path)).join(', ')}`,
    ),
    ...bullets([...sentencesOf(resources[0].reasons), ...(conflict === undefined ? [] : [conflict])]),
    '</details>',
  ].join('\n\n');
}

function summaryOf(section: DriftSection): string {
  const { status, counts, location } = headOfDrift(section);
  const about = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
  const [first, ...others] = section.resources;
  const who = others.length > 0 ? groupTitle(section.resources) : `<code>${escapeHtml(addressOf(first))}</code>`;
  const place = location === undefined ? '' : ` <i>(${escapeHtml(location)})</i>`;
  return `<b>${status}</b> ${who}${about}${place}`;
}

function bullets(sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [sentences.map((sentence) => `- ${escapeProse(sentence)}`).join('\n')];
}
