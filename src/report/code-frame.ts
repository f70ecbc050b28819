import type { Span } from '../manifest/problem.ts';
import { displayWidth } from './display-width.ts';
import type { Paint } from './paint.ts';
import type { SourceLines } from './source-lines.ts';
import { visible } from './visible-text.ts';

const context = 2;
const tabStop = 4;
/** A line that is longer is shown around the place in question only. */
const windowWidth = 100;
const lookAround = 10 * windowWidth;

/**
 * The lines around a span, numbered, with carets under it:
 *
 *       2 | settings:
 *     > 3 |   titel: Front desk
 *         |   ^^^^^
 *       4 |   description: Answers the phone
 */
export function codeFrame(span: Span, source: SourceLines, paint: Paint): string[] {
  const last = source.lines.at(-1) === '' ? source.lines.length - 1 : source.lines.length;
  const from = Math.max(1, span.line - context);
  const to = Math.min(Math.max(last, span.line), span.line + context);
  const gutter = String(to).length;
  const caret = windowed(source.lines[span.line - 1] ?? '', span.column - 1, source.lengthOf(span));
  const frame: string[] = [];
  for (let number = from; number <= to; number += 1) {
    const isHit = number === span.line;
    const text = isHit ? caret.text : windowed(source.lines[number - 1] ?? '', 0, 0).text;
    const prefix = `${isHit ? '>' : ' '} ${String(number).padStart(gutter)} |`;
    frame.push(`${isHit ? paint.failed(prefix) : paint.faint(prefix)} ${text}`.trimEnd());
    if (isHit) frame.push(`${paint.faint(`  ${' '.repeat(gutter)} |`)} ${caret.before}${paint.failed(caret.carets)}`);
  }
  return frame;
}

interface Window {
  readonly text: string;
  /** Blanks up to the carets. */
  readonly before: string;
  readonly carets: string;
}

/** The part of a line that holds the span, with controls spelt out and tabs as blanks. */
function windowed(line: string, start: number, length: number): Window {
  const at = Math.min(start, line.length);
  // A line may be a megabyte long, and be shown a hundred times.
  const before = shownPart(line.slice(Math.max(0, at - lookAround), at), 0);
  const end = at + length;
  const marked = shownPart(line.slice(at, Math.min(end, at + lookAround)), displayWidth(before));
  const after = shownPart(line.slice(end, end + lookAround), displayWidth(before) + displayWidth(marked));
  if (displayWidth(before + marked + after) <= windowWidth) return asWindow(before, marked, after);
  const lead = before.length > 30 ? `…${before.slice(-29)}` : before;
  const body = cut(marked, windowWidth - lead.length);
  const room = windowWidth - lead.length - body.length;
  return asWindow(lead, body, room > 0 ? cut(after, room) : '');
}

function asWindow(before: string, marked: string, after: string): Window {
  return {
    text: (before + marked + after).trimEnd(),
    before: ' '.repeat(displayWidth(before)),
    carets: '^'.repeat(Math.max(1, displayWidth(marked.trimEnd()))),
  };
}

function cut(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, Math.max(1, room) - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function shownPart(part: string, column: number): string {
  let shown = '';
  for (const [index, piece] of visible(part).split('\t').entries()) {
    if (index > 0) shown += ' '.repeat(tabStop - ((column + displayWidth(shown)) % tabStop));
    shown += piece;
  }
  return shown;
}
