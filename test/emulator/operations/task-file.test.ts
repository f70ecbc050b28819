import { expect, test } from '@jest/globals';
import { parseTaskFile, type TaskRowProblem } from '../../../src/emulator/operations/task-file.ts';

async function read(...parts: string[]) {
  const problems: TaskRowProblem[] = [];
  const tasks: unknown[] = [];
  const count = await parseTaskFile(new Blob(parts), {
    onRow: ({ task }) => tasks.push(task),
    onProblem: (problem) => problems.push(problem),
  });
  return { count, problems, tasks };
}

test.each(['\n', '\r\n', '\r'])('Lines of a task file may end in %j, and empty lines are not rows.', async (end) => {
  const lines = ['\ufefftype,context', '', 'ping,a', '', '', 'ping,"a ""b"", c"'];
  for (const text of [lines.join(end), lines.join(end) + end]) {
    const { count, problems, tasks } = await read(text);
    expect({ count, problems }).toEqual({ count: 2, problems: [] });
    expect(tasks).toEqual([
      { type: 'ping', context: 'a' },
      { type: 'ping', context: 'a "b", c' },
    ]);
  }
});

test('A row of a task file is named by its first line, whatever line ends its fields contain.', async () => {
  const { problems } = await read('type,context\n"fax","b\r\nb\rb"\r\n\nfax,\nping,\rfax,');
  expect(problems.map(({ line }) => line)).toEqual([2, 6, 8]);
});

test('Invalid CSV in a task file ends the reading after the rows before it.', async () => {
  const { count, problems, tasks } = await read('type,context\nping,a\nping,a"b\nping,c\n');
  expect({ count, problems }).toEqual({
    count: 1,
    problems: [{ line: 3, what: 'a quote is in the middle of a field' }],
  });
  expect(tasks).toHaveLength(1);
});

test('A character of a task file may be split across two pieces.', async () => {
  const text = 'ä'.repeat(300 * 1024);
  const { tasks } = await read(`type,context\nping,x${text}`);
  expect(tasks).toEqual([{ type: 'ping', context: `x${text}` }]);
});
