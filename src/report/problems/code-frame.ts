import { mask } from '../../secrets/secret.ts';
import { displayWidth } from '../../text/layout.ts';
import { visible } from '../../text/visible.ts';
import { shorten } from '../../text/wording.ts';
import type { Problem, Span } from '../../yaml/problem.ts';
import type { Paint } from '../terminal/paint.ts';

const contextLines = 2;
const tabStop = 4;
/** The maximum width of a source line in a frame, in columns. Longer lines are cut. */
const windowWidth = 100;
const searchWidth = 10 * windowWidth;

/**
 * Returns the numbered lines around a span, with carets under the span:
 *
 *       2 | settings:
 *     > 3 |   titel: Front desk
 *         |   ^^^^^
 *       4 |   description: Answers the phone
 */
export function codeFrame(span: Span, source: FrameLines, paint: Paint): string[] {
  const last = source.lines.at(-1) === '' ? source.lines.length - 1 : source.lines.length;
  const from = Math.max(1, span.line - contextLines);
  const to = Math.min(Math.max(last, span.line), span.line + contextLines);
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

/** Cuts a line to the part around a span. Control characters become readable escapes, and tabs become spaces. */
function windowed(line: string, start: number, length: number) {
  const at = Math.min(start, line.length);
  // Only text near the span is processed, because a line may be a megabyte long and appear in a hundred frames.
  const before = shownPart(line.slice(Math.max(0, at - searchWidth), at), 0);
  const end = at + length;
  const marked = shownPart(line.slice(at, Math.min(end, at + searchWidth)), displayWidth(before));
  const after = shownPart(line.slice(end, end + searchWidth), displayWidth(before) + displayWidth(marked));
  if (displayWidth(before + marked + after) <= windowWidth) return asWindow(before, marked, after);
  const lead = before.length > 30 ? `…${before.slice(-29)}` : before;
  const body = shorten(marked, windowWidth - lead.length);
  const available = windowWidth - lead.length - body.length;
  return asWindow(lead, body, available > 0 ? shorten(after, available) : '');
}

/** Returns the text with the carets, and the spaces that put the carets below the span. */
function asWindow(before: string, marked: string, after: string) {
  return {
    text: (before + marked + after).trimEnd(),
    before: ' '.repeat(displayWidth(before)),
    carets: '^'.repeat(Math.max(1, displayWidth(marked.trimEnd()))),
  };
}

function shownPart(part: string, column: number): string {
  let shown = '';
  for (const [index, piece] of visible(part).split('\t').entries()) {
    if (index > 0) shown += ' '.repeat(tabStop - ((column + displayWidth(shown)) % tabStop));
    shown += piece;
  }
  return shown;
}

export interface Sources {
  readonly sourceOf: (file: string) => string | undefined;
  readonly redact?: (text: string) => string;
}

export interface FrameLines {
  readonly lines: readonly string[];
  /** The number of characters that a span covers on its first line. */
  readonly lengthOf: (span: Span) => number;
}

/** Hides text in every frame if one problem hides it. Otherwise, a problem nearby could reveal the secret. */
export function shownSources(problems: readonly Problem[], sources: Sources): (file: string) => FrameLines | undefined {
  const cache = new Map<string, FrameLines | undefined>();
  return (file) => {
    if (!cache.has(file)) {
      const hidden = problems.flatMap(({ hideSource, at }) => (hideSource && at?.file === file ? [at] : []));
      cache.set(file, shownSource(file, hidden, sources));
    }
    return cache.get(file);
  };
}

function shownSource(file: string, hidden: readonly Span[], { sourceOf, redact }: Sources): FrameLines | undefined {
  const source = sourceOf(file);
  if (source === undefined) return undefined;
  const lines = redactedLines(source, redact);
  for (const span of hidden) hideSpan(lines, span, source);
  return {
    lines,
    lengthOf: ({ offset, end }) => Math.max(1, source.slice(offset, end).split(/\r?\n/)[0]?.length ?? 1),
  };
}

/** Redacts each line separately if redacting a secret over several lines changes the line count. */
function redactedLines(source: string, redact: Sources['redact']): string[] {
  const lines = source.split(/\r?\n/);
  if (redact === undefined) return lines;
  const whole = redact(source).split(/\r?\n/);
  return whole.length === lines.length ? whole : lines.map((line) => redact(line));
}

/** Hides a span and the rest of all its lines, because these characters may belong to the secret. */
function hideSpan(lines: string[], { line, column, offset, end }: Span, source: string): void {
  const count = source.slice(offset, end).split('\n').length;
  lines[line - 1] = (lines[line - 1] ?? '').slice(0, column - 1) + mask;
  for (let index = line; index < line - 1 + count && index < lines.length; index += 1) lines[index] = mask;
}
