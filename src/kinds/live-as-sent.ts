import type { Json } from '../json/json.ts';
import { decodedEscapes } from '../text/html-escapes.ts';
import { type LineEdit, lineEdits } from '../text/line-edits.ts';
import { type FormRule, foldedReadBack, foldedText } from './service-forms.ts';
import { edited, linesOf, withLineFeeds } from './text-merge.ts';

/** The sent value, its read-back right after the write, and the live value. */
export interface ReadForms {
  readonly sent: Json;
  readonly readBack: Json;
  readonly live: Json;
  /** The rules by which `readBack` is the service's form of `sent`. */
  readonly rules: readonly FormRule[];
}

/**
 * The live value as it would have been sent: lines of a text, or items of a list, that equal their read-back are
 * written as they were sent, and all others as they are live. A service that escapes what it is sent shows those
 * escaped too; no other form changes what it stands for when it is sent again.
 */
export function liveAsSent({ live, sent, readBack, rules }: ReadForms): Json {
  if (typeof sent === 'string' && typeof readBack === 'string' && typeof live === 'string') {
    return textAsSent({ sent, readBack, live, rules });
  }
  if (!areTexts(sent) || !areTexts(readBack) || !areTexts(live)) return live;
  const sentItems = sentByReadBack({ sent, readBack, rules });
  return live.map((item) => sentItems.get(item) ?? unescaped(item, rules));
}

/**
 * Whether a text, or one of a list, has HTML escapes while the service writes its own: then the same text in a manifest
 * has another meaning.
 */
export function isEscaped(value: Json, rules: readonly FormRule[]): boolean {
  const texts = Array.isArray(value) ? value : [value];
  return texts.some((text) => typeof text === 'string' && unescaped(text, rules) !== text);
}

function unescaped(text: string, rules: readonly FormRule[]): string {
  return rules.includes('html-escapes') ? decodedEscapes(text) : text;
}

interface TextForms {
  readonly sent: string;
  readonly readBack: string;
  readonly live: string;
  readonly rules: readonly FormRule[];
}

/**
 * The edits that make the text that was read back into the live one, made to the text that was sent. The two have the
 * same lines, but for blank ones.
 */
function textAsSent({ sent, readBack, live, rules }: TextForms): string {
  const [sentLines, readLines, liveLines] = [linesOf(sent), linesOf(readBack), linesOf(live)];
  const positions = positionsInSent(sentLines, readLines);
  if (positions === undefined) return unescaped(live, rules);
  const sentLineOf = sentByReadBack({ sent: sentLines, readBack: readLines, rules });
  const edits = lineEdits(readLines, liveLines).map(({ start, end, lines }): LineEdit => {
    const at = end > start ? (positions.before[start] ?? 0) : (positions.behind[start] ?? 0);
    const asSent = lines.map((line) => sentLineOf.get(line) ?? unescaped(line, rules));
    return { start: at, end: Math.max(at, positions.behind[end] ?? at), lines: asSent };
  });
  return edited(sentLines, { start: 0, end: sentLines.length }, edits).join('\n') + endOf(sent);
}

/**
 * For each boundary between read-back lines, its place among the sent lines: right before the following line, and right
 * after the preceding one. They differ where blank lines got lost between the two.
 */
function positionsInSent(
  sent: readonly string[],
  readBack: readonly string[],
): { readonly before: readonly number[]; readonly behind: readonly number[] } | undefined {
  const isBlank = (line: string) => line.trim() === '';
  const positions = sent.flatMap((line, index) => (isBlank(line) ? [] : [index]));
  if (readBack.filter((line) => !isBlank(line)).length !== positions.length) return undefined;
  const before: number[] = [];
  const behind: number[] = [];
  let [text, blanks] = [0, 0];
  for (const line of [...readBack, undefined]) {
    const previousEnd = text === 0 ? 0 : (positions[text - 1] ?? 0) + 1;
    const next = positions[text] ?? sent.length;
    const position = Math.min(previousEnd + blanks, next);
    behind.push(position);
    const isText = line === undefined || !isBlank(line);
    before.push(isText ? next : position);
    text += isText ? 1 : 0;
    blanks = isText ? 0 : blanks + 1;
  }
  return { before, behind };
}

/** The texts that were sent by what was read back of them. If several have the same read-back, the first one wins. */
function sentByReadBack({
  sent,
  readBack,
  rules,
}: {
  readonly sent: readonly string[];
  readonly readBack: readonly string[];
  readonly rules: readonly FormRule[];
}): ReadonlyMap<string, string> {
  const byForm = new Map([...sent].reverse().map((text) => [foldedText(text, rules), text]));
  const pairs = readBack.flatMap((text): [string, string][] => {
    const found = byForm.get(foldedReadBack(text, rules));
    return found === undefined ? [] : [[text, found]];
  });
  return new Map(pairs);
}

function areTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The white space at the end of a text, which no comparison counts. */
function endOf(text: string): string {
  const fed = withLineFeeds(text);
  return fed.slice(fed.trimEnd().length);
}
