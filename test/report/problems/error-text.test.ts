import { describe, expect, test } from '@jest/globals';
import { AgentformError } from '../../../src/errors.ts';
import { renderError, renderUnexpected } from '../../../src/report/problems/error-text.ts';

describe('errors', () => {
  test('Errors are a sentence and a code.', () => {
    const error = new AgentformError(
      'environment-unknown',
      'no environment "prod\u001b[2J"; there are local and production',
    );
    expect(renderError(error, { color: false })).toBe(
      'error: no environment "prod\\u001b[2J"; there are local and production (environment-unknown)\n',
    );
  });

  test('Unexpected errors are our fault, with stack and cause, without secrets.', () => {
    const error = new TypeError('x of hunter2 is not a function', { cause: new Error('hunter2 again') });
    const text = renderUnexpected(error, { color: false, redact: (some) => some.replaceAll('hunter2', '(sensitive)') });
    expect(text).toMatch(
      /^error: this is a bug in agentform; please report it with the output below\n {2}TypeError: x of \(sensitive\) is/,
    );
    expect(text).toMatch(/\n {6}at /);
    expect(text).toContain('\n  caused by Error: (sensitive) again');
  });

  test('Thrown values that are not errors are shown as they are.', () => {
    expect(renderUnexpected('just a text', { color: false })).toMatch(/\n {2}just a text\n$/);
  });
});
