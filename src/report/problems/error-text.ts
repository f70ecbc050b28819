import { AgentformError } from '../../errors.ts';
import { visible } from '../../text/visible.ts';
import { type FoundProblems, ProblemsError } from '../../yaml/problem.ts';
import { createPaint } from '../terminal/paint.ts';
import { renderProblems } from './problems-text.ts';

const asItIs = (text: string) => text;

interface ErrorOptions {
  readonly color: boolean;
  readonly redact?: (text: string) => string;
}

/** Renders an expected failure as `error: sentence (code)`. */
export function renderError(error: AgentformError, { color, redact = asItIs }: ErrorOptions): string {
  const paint = createPaint(color);
  const message = visible(redact(error.message)).replaceAll('\n', '\n  ');
  return `${paint.failed('error:')} ${message} ${paint.faint(`(${error.code})`)}\n`;
}

export function renderUnexpected(error: unknown, { color, redact = asItIs }: ErrorOptions): string {
  const paint = createPaint(color);
  const report = [
    `${paint.failed('error:')} this is a bug in agentform; please report it with the output below`,
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

export function renderFailure(error: unknown, options: ErrorOptions): string {
  if (!(error instanceof AgentformError)) return renderUnexpected(error, options);
  const found = foundBy(error);
  const problems = found === undefined ? '' : renderProblems(found.problems, { ...options, sourceOf: found.sourceOf });
  return `${problems}${renderError(error, options)}`;
}

/** Returns the problems in files that caused a failure. Returns undefined if no such problems exist. */
export function foundBy(error: unknown): FoundProblems | undefined {
  return error instanceof ProblemsError && error.problems.length > 0 ? error : undefined;
}

/** Converts a failure to problems. A failure outside files becomes one problem without a place. */
export function problemsOfFailure(error: AgentformError): FoundProblems {
  const problem = { severity: 'error', rule: error.code, message: error.message } as const;
  return foundBy(error) ?? { problems: [problem], sourceOf: () => undefined };
}
