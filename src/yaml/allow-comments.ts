/** `<!-- agentform-allow RULE RULE -->`: what of a text a person has looked at and wants as it is. */
export interface AllowComment {
  readonly rules: readonly string[];
  /** The stretch that is not sent: with the white space before it, or its whole line where nothing else is on it. */
  readonly start: number;
  readonly end: number;
  /** The comment itself. */
  readonly at: number;
}

const opening = '<!-- agentform-allow';

/** Whether a text may have such a comment; most have none. */
export function mayAllow(text: string): boolean {
  return text.includes(opening);
}

/** The comments of a text, in their order. One that is not closed on its line is no comment. */
export function allowComments(text: string): AllowComment[] {
  const comments: AllowComment[] = [];
  let next = 0;
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, next)) {
    next = at + opening.length;
    if (!/[\s,]/.test(text[next] ?? '')) continue;
    const feed = text.indexOf('\n', at);
    const line = text.slice(at, feed < 0 ? text.length : feed);
    const close = line.indexOf('-->');
    // A line is searched for its end once, however many comments begin on it.
    next = at + (close < 0 ? line.length : close + 3);
    if (close < 0) continue;
    const rules = line
      .slice(opening.length, close)
      .split(/[\s,]+/)
      .filter((name) => name !== '');
    comments.push({ rules, at, ...stretchOf(text, at, next) });
  }
  return comments;
}

function stretchOf(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let [start, end] = [from, to];
  while (isBlank(text[start - 1])) start -= 1;
  let after = end;
  while (isBlank(text[after])) after += 1;
  const isFirst = start === 0 || text[start - 1] === '\n';
  if (text[after] === '\r' && text[after + 1] === '\n') after += 1;
  if (isFirst && text[after] === '\n') end = after + 1;
  // A last line goes with the line break before it, which is none at the end of the rest.
  else if (isFirst && after === text.length && start > 0) start -= text[start - 2] === '\r' ? 2 : 1;
  // Of what stands before the comment, the indentation of a line that goes on is no part of it.
  else if (isFirst && after < text.length) start = from;
  return { start, end };
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** The text as it is sent. */
export function withoutAllowComments(text: string): string {
  if (!mayAllow(text)) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of allowComments(text)) {
    parts.push(text.slice(at, Math.max(at, start)));
    at = Math.max(at, end);
  }
  return parts.join('') + text.slice(at);
}
