import picocolors from 'picocolors';
import { visible } from '../../text/visible.ts';

export type Style = (text: string) => string;

export type Paint = ReturnType<typeof createPaint>;

/** Creates the styles. Without colour, changed words are marked as in `git diff --word-diff`. */
export function createPaint(color: boolean) {
  const c = picocolors.createColors(color);
  const severe: Style = (text) => c.bold(c.red(text));
  const plain: Style = (text) => text;
  const oldWord: Style = color ? (text) => c.red(c.inverse(text)) : (text) => `[-${text}-]`;
  const newWord: Style = color ? (text) => c.green(c.inverse(text)) : (text) => `{+${text}+}`;
  return {
    create: c.green,
    update: c.yellow,
    unset: c.red,
    release: c.cyan,
    drift: c.magenta,
    conflict: severe,
    blocked: c.magenta,
    failed: severe,
    warning: c.yellow,
    faint: c.dim,
    strong: c.bold,
    plain,
    oldWord,
    newWord,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex finds control characters on purpose
const colorSequence = /(\u001b\[\d{1,3}m)/;

/** The colour sequences that the styles write. The sequences are computed when the first text is coloured. */
let ownSequences: ReadonlySet<string> | undefined;

/** Escapes all control characters that these styles did not write, because some sentences quote texts unescaped. */
export function printable(text: string, color: boolean): string {
  if (!color) return visible(text);
  ownSequences ??= new Set(Object.values(createPaint(true)).flatMap((brush) => brush('').split(colorSequence)));
  const own = ownSequences;
  const parts = text.split(colorSequence);
  return parts.map((part) => (own.has(part) ? part : visible(part))).join('');
}

export function painted(line: string, brush: Style): string {
  const start = line.length - line.trimStart().length;
  return line.slice(0, start) + brush(line.slice(start));
}
