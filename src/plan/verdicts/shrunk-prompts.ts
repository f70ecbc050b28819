import { textRoleAt } from '../../kinds/field-path.ts';
import type { KindName } from '../../schemas/fields.ts';
import { formatNumber, listSome, quote } from '../../text/wording.ts';
import type { PlacedChange } from '../fields/field-changes.ts';

/** A text of fewer characters is read at a glance. */
const leastCharacters = 200;

/** The lint rule that sets its level, named as in every warning of one. */
const rule = ' (prompt-shrunk)';

/** The maximum number of removed sections to name. */
const mostSections = 6;

/**
 * Sentences on the prompts that the changes take half or more of, or a whole section. A masked prompt is not checked.
 */
export function shrunkPrompts(kind: KindName, changes: readonly PlacedChange[]): string[] {
  return changes.flatMap(({ path, change }) => {
    const { from, to = '' } = change;
    if (textRoleAt(kind, path) === undefined || typeof from !== 'string' || typeof to !== 'string') return [];
    const lost = lostSections(from, to);
    const [before, after] = [from.trim().length, to.trim().length];
    if (before >= leastCharacters && after * 2 <= before) {
      const size = `${formatNumber(before)} characters become ${formatNumber(after)}`;
      return [`${change.path} loses half of its text or more: ${size}${after === 0 ? '' : goneSections(lost)}${rule}`];
    }
    return lost.map((title) => `${change.path} loses the whole section ${quote(title)}${rule}`);
  });
}

/** The names of removed sections, because a number of characters does not show what will be missing in a call. */
function goneSections(titles: readonly string[]): string {
  if (titles.length === 0) return '';
  const [noun, verb] = titles.length === 1 ? ['section', 'is'] : ['sections', 'are'];
  return `; the ${noun} ${listSome(titles.map(quote), mostSections)} ${verb} gone`;
}

/** The change that a loss warning is about, and the text after the path; undefined for other warnings. */
export function lossIn<C extends { readonly path: string }>(
  warning: string,
  changes: readonly C[],
): { readonly change: C; readonly loss: string } | undefined {
  const change = changes.find(({ path }) => warning.startsWith(`${path} loses `));
  return change && { change, loss: warning.slice(change.path.length + 1) };
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Sections of which neither the heading nor any line is left. A renamed or moved section keeps its lines. */
function lostSections(before: string, after: string): string[] {
  const kept = new Set(linesOf(after));
  return sectionsOf(before).flatMap(({ title, lines }) => {
    const isLost = lines.length > 0 && !kept.has(title) && !lines.some((line) => kept.has(line));
    return isLost ? [title.replace(/^#{1,6} /, '')] : [];
  });
}

/** The text under each heading, down to the next one. A heading in a fence does not count. */
function sectionsOf(text: string): Section[] {
  const sections: Array<{ readonly title: string; readonly lines: string[] }> = [];
  let isCode = false;
  for (const line of linesOf(text)) {
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && /^#{1,6} \S/.test(line)) sections.push({ title: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
