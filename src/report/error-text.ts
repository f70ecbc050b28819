import type { AgentformError } from '../errors.ts';
import { createPaint } from './paint.ts';
import { visible } from './visible-text.ts';

export interface ErrorOptions {
  readonly color: boolean;
  /** Hides the run's secrets. */
  readonly redact?: (text: string) => string;
}

/** An expected failure: `error: sentence (code)`. */
export function renderError(error: AgentformError, { color, redact = asItIs }: ErrorOptions): string {
  const paint = createPaint(color);
  const message = visible(redact(error.message)).replaceAll('\n', '\n  ');
  return `${paint.failed('error:')} ${message} ${paint.faint(`(${error.code})`)}\n`;
}

/** Anything else that was thrown: our fault, so everything that helps to find it. */
export function renderUnexpected(error: unknown, { color, redact = asItIs }: ErrorOptions): string {
  const paint = createPaint(color);
  const report = [
    `${paint.failed('error:')} this is a bug in agentform; please report it with the lines below`,
    ...visible(redact(stackOf(error)))
      .split('\n')
      .map((line) => `  ${line}`.trimEnd()),
  ];
  return `${report.join('\n')}\n`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack?.includes(error.message)
    ? error.stack
    : `${error.name}: ${error.message}\n${error.stack ?? ''}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${stackOf(error.cause)}`;
}

function asItIs(text: string): string {
  return text;
}
