import { textRoleAt } from '../../kinds/field-path.ts';
import { type NoticeOf, notice } from '../../notices/notice.ts';
import { mask } from '../../secrets/secret.ts';
import type { FieldChange } from '../fields/field-changes.ts';
import type { ResourceState } from '../fields/resource-state.ts';

/** The minimum length of a prompt that is checked for losing half of its text. Shorter texts are easy to review. */
const minCharacters = 200;

/**
 * Reports prompts that lose at least half of their text, or lose a whole section. Compares the texts of masked prompts
 * too, but does not show their headings.
 */
export function shrunkPrompts(
  { kind, byPath }: Pick<ResourceState, 'kind' | 'byPath'>,
  changes: readonly FieldChange[],
): PromptLoss[] {
  return changes.flatMap(({ path, change }): PromptLoss[] => {
    if (textRoleAt(kind, path) === undefined) return [];
    const { wanted, liveAsSent, last } = byPath.get(path) ?? {};
    // Masked values are shown as objects.
    const isHidden = typeof change.from === 'object';
    const from = isHidden ? (liveAsSent ?? last)?.value : change.from;
    const to = typeof change.to === 'object' ? wanted?.value : (change.to ?? '');
    if (typeof from !== 'string' || typeof to !== 'string') return [];
    const headings = lostSections(from, to).map(({ heading }) => heading.replace(/^#{1,6} /, ''));
    const lost = isHidden ? headings.slice(0, 1).map(() => mask) : headings;
    const [before, after] = [from.trim().length, to.trim().length];
    if (before >= minCharacters && after * 2 <= before) {
      const sections = after === 0 || isHidden ? [] : lost;
      return [notice('prompt-shrunk', { path: change.path, before, after, sections })];
    }
    return lost.map((section) => notice('prompt-section-lost', { path: change.path, section }));
  });
}

export type PromptLoss = NoticeOf<'prompt-shrunk'> | NoticeOf<'prompt-section-lost'>;

/** Converts the reported loss to a reason to leave the resource out. */
export function refusedLoss(loss: PromptLoss): PromptLoss {
  return loss.code === 'prompt-shrunk'
    ? notice(loss.code, { ...loss.facts, isRefused: true })
    : notice(loss.code, { ...loss.facts, isRefused: true });
}

/** A heading of a prompt, with the text down to the next heading. */
export interface PromptSection {
  readonly heading: string;
  /** The trimmed lines below the heading, without blank lines. */
  readonly lines: readonly string[];
  /** The text of the section as written, with its heading. */
  readonly text: string;
}

/**
 * The sections whose heading and lines have all disappeared. A section that was renamed or moved still has its lines,
 * so it is not lost. Sections without text are ignored.
 */
export function lostSections(before: string, after: string): PromptSection[] {
  const kept = new Set(wordedLines(after));
  return promptSections(before).filter(
    ({ heading, lines }) => lines.length > 0 && !kept.has(heading) && !lines.some((line) => kept.has(line)),
  );
}

/** Splits a text into sections. Leaves out the text before the first heading. Ignores headings inside code fences. */
export function promptSections(text: string): PromptSection[] {
  const sections: Array<{ readonly heading: string; readonly own: string[] }> = [];
  let isCode = false;
  for (const own of text.split('\n')) {
    const line = own.trim();
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && /^#{1,6} \S/.test(line)) sections.push({ heading: line, own: [own] });
    else sections.at(-1)?.own.push(own);
  }
  return sections.map(({ heading, own }) => {
    const whole = own.join('\n');
    return { heading, lines: wordedLines(whole).slice(1), text: whole };
  });
}

function wordedLines(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
