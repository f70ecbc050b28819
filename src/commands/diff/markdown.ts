import { addressOf } from '../../kinds/desired.ts';
import { differenceBlocks } from '../../report/markdown/difference.ts';
import { codeSpan, escapeHtml, escapeProse } from '../../report/markdown/escape.ts';
import { firstFitting, fitted, joinBlocks } from '../../report/markdown/fit.ts';
import { namesSpan, shortened } from '../../report/markdown/notices.ts';
import { defaultLimit } from '../../report/markdown/plan.ts';
import { groupTitle } from '../../report/plan/sections.ts';
import type { EnvironmentDiff, ResourceDiff } from '../../schemas/diff-types.ts';
import { type DiffSection, sectionsOfDiff, verdictOfDiff } from './wording.ts';

export interface DiffMarkdownOptions {
  /** The maximum UTF-16 units of the text. */
  readonly limit?: number;
}

/**
 * The difference of two environments, for a pull request. Never longer than the limit: sections are left out whole, and
 * named.
 */
export function renderDiffMarkdown(diff: EnvironmentDiff, { limit = defaultLimit }: DiffMarkdownOptions = {}): string {
  const [one, other] = [diff.environment, diff.with].map((name) => codeSpan(shortened(name, 100)));
  const verdict = `**${escapeProse(verdictOfDiff(diff))}**`;
  const head = [`### agentform diff from ${one} to ${other}`, verdict];
  const sections = sectionsOfDiff(diff).map((section) => ({
    name: namesSpan(section.resources),
    text: sectionText(section, diff),
  }));
  return fitted({ head, sections, closing: [], limit })?.text ?? firstFitting([joinBlocks(head), verdict], limit);
}

function sectionText({ resources, changes, sentences }: DiffSection, diff: EnvironmentDiff): string {
  const isShared = resources.length > 1;
  return [
    `<details>\n<summary>${summaryOf(resources, diff)}</summary>`,
    ...(isShared ? [namesSpan(resources)] : []),
    ...differenceBlocks(changes, () => ({}), { isShared }),
    sentences.map((sentence) => `- ${escapeProse(sentence)}`).join('\n'),
    '</details>',
  ].join('\n\n');
}

function summaryOf(resources: DiffSection['resources'], diff: EnvironmentDiff): string {
  const [first, ...others] = resources;
  const words: Readonly<Record<ResourceDiff['status'], string>> = {
    same: 'the same',
    variables: 'differs by variables alone',
    differing: 'differs',
    onlyFrom: `only in ${diff.environment}`,
    onlyTo: `only in ${diff.with}`,
  };
  const who = others.length > 0 ? groupTitle(resources) : `<code>${escapeHtml(addressOf(first))}</code>`;
  return `${who}: ${escapeHtml(words[first.status])}`;
}
