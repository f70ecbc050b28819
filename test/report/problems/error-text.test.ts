import { describe, expect, test } from '@jest/globals';
import { AgentformError } from '../../../src/errors.ts';
import { renderError, renderUnexpected } from '../../../src/report/problems/error-text.ts';

describe('error messages', () => {
  test('An expected error is a sentence and a code.', () => {
    const error = new AgentformError(
      'environment-unknown',
      'no environment "prod\u001b[2J"; there are local and production',
    );
    expect(renderError(error, { color: false })).toBe(
      'error: no environment "prod\\u001b[2J"; there are local and production (environment-unknown)\n',
    );
  });

  test('An unexpected error is reported as a bug, with stack and cause, without secrets.', () => {
    const error = new TypeError('x of hunter2 is not a function', { cause: new Error('hunter2 again') });
    const text = renderUnexpected(error, { color: false, redact: (some) => some.replaceAll('hunter2', '(sensitive)') });
    expect(text).toMatch(
      /^error: this is a bug in agentform; please report it with the output below\n {2}TypeError: x of \(sensitive\) is/,
    );
    expect(text).toMatch(/\n {6}at /);
    expect(text).toContain('\n  caused by Error: (sensitive) again');
  });

  test('A thrown value that is not an error is shown as it is.', () => {
    expect(renderUnexpected('just a text', { color: false })).toMatch(/\n {2}just a text\n$/);
  });
});
