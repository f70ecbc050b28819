import picocolors from 'picocolors';

export type Brush = (text: string) => string;

/** One brush for each meaning, so that a colour means the same in every output. */
export interface Paint {
  readonly create: Brush;
  readonly update: Brush;
  readonly unset: Brush;
  readonly release: Brush;
  readonly drift: Brush;
  readonly conflict: Brush;
  readonly blocked: Brush;
  readonly failed: Brush;
  readonly warning: Brush;
  readonly faint: Brush;
  readonly strong: Brush;
  readonly plain: Brush;
  /** A changed word in a removed and in an added line. */
  readonly oldWord: Brush;
  readonly newWord: Brush;
}

/** Without colour, changed words are bracketed, as `git diff --word-diff` does. */
export function createPaint(color: boolean): Paint {
  const c = picocolors.createColors(color);
  return {
    create: c.green,
    update: c.yellow,
    unset: c.red,
    release: c.cyan,
    drift: c.magenta,
    conflict: (text) => c.bold(c.red(text)),
    blocked: c.magenta,
    failed: (text) => c.bold(c.red(text)),
    warning: c.yellow,
    faint: c.dim,
    strong: c.bold,
    plain: (text) => text,
    oldWord: color ? (text) => c.red(c.inverse(text)) : (text) => `[-${text}-]`,
    newWord: color ? (text) => c.green(c.inverse(text)) : (text) => `{+${text}+}`,
  };
}

/** The line in a colour, its indentation left alone. */
export function painted(line: string, brush: Brush): string {
  const start = line.length - line.trimStart().length;
  return line.slice(0, start) + brush(line.slice(start));
}
