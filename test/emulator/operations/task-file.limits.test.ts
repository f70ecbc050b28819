import { expect, test } from '@jest/globals';
import { parseTaskFile, type TaskRowProblem } from '../../../src/emulator/operations/task-file.ts';

test('An unclosed quote in a task file ends the reading before it fills the memory.', async () => {
  const piece = 'x'.repeat(4 * 1024 * 1024);
  const problems: TaskRowProblem[] = [];
  await parseTaskFile(new Blob(['type\n"', ...Array.from({ length: 10 }, () => piece)]), {
    onRow: () => undefined,
    onProblem: (problem) => problems.push(problem),
  });
  expect(problems).toEqual([{ line: 2, what: 'a record is too long; perhaps a quote is not closed' }]);
});
