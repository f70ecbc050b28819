import { mask } from '../kinds/secret.ts';
import type { Problem, Span } from '../manifest/problem.ts';

export interface Sources {
  /** The text of a file of the project, if it can be had. */
  readonly sourceOf: (file: string) => string | undefined;
  /** Hides the run's secrets. */
  readonly redact?: (text: string) => string;
}

/** The lines of a file as they may be shown, with as many columns of the span's first line as it covers. */
export interface SourceLines {
  readonly lines: readonly string[];
  /** How many UTF-16 units the span covers on its first line. */
  readonly lengthOf: (span: Span) => number;
}

/**
 * Files as they may be shown. What one problem hides is hidden in the frame of every other problem too: a mistake next
 * to a secret must not show the secret.
 */
export function shownSources(
  problems: readonly Problem[],
  sources: Sources,
): (file: string) => SourceLines | undefined {
  const cache = new Map<string, SourceLines | undefined>();
  return (file) => {
    if (!cache.has(file)) cache.set(file, shownSource(file, hiddenSpans(problems, file), sources));
    return cache.get(file);
  };
}

function hiddenSpans(problems: readonly Problem[], file: string): Span[] {
  return problems.flatMap(({ hideSource, at }) => (hideSource && at?.file === file ? [at] : []));
}

function shownSource(file: string, hidden: readonly Span[], { sourceOf, redact }: Sources): SourceLines | undefined {
  const source = sourceOf(file);
  if (source === undefined) return undefined;
  const lines = redactedLines(source, redact);
  for (const span of hidden) hideSpan(lines, span, source);
  return {
    lines,
    lengthOf: ({ offset, end }) => Math.max(1, source.slice(offset, end).split(/\r?\n/)[0]?.length ?? 1),
  };
}

/** A secret may span lines; if hiding it moves lines, each line is redacted alone, so that the numbers stay true. */
function redactedLines(source: string, redact: Sources['redact']): string[] {
  const lines = source.split(/\r?\n/);
  if (redact === undefined) return lines;
  const whole = redact(source).split(/\r?\n/);
  return whole.length === lines.length ? whole : lines.map((line) => redact(line));
}

/** To the end of each line, not of the span: what follows may belong to the secret. */
function hideSpan(lines: string[], { line, column, offset, end }: Span, source: string): void {
  const count = source.slice(offset, end).split('\n').length;
  lines[line - 1] = (lines[line - 1] ?? '').slice(0, column - 1) + mask;
  for (let index = line; index < line - 1 + count && index < lines.length; index += 1) lines[index] = mask;
}
