import { expect, test } from '@jest/globals';
import { readImportList } from '../../../src/commands/import/list.ts';
import { SourceFile } from '../../../src/yaml/source-file.ts';

function messagesOf(rows: readonly string[]): string[] {
  const { problems } = readImportList(new SourceFile('ids.csv', ['id,name', ...rows].join('\n')));
  return problems.map(({ message }) => message);
}

test('A credential that was pasted as a name in an import list is not repeated.', () => {
  expect(messagesOf(['camp_1,Hunter2b3C4d5E6f7G8h9'])).toEqual([expect.stringContaining('this may be a key or token')]);
});

test('An import list with hundreds of mistakes shows the first ones, and says that more are omitted.', () => {
  const messages = messagesOf(Array.from({ length: 300 }, (_, index) => `camp_${index},Desk ${index}`));
  expect(messages.length).toBeLessThan(110);
  expect(messages[0]).toContain("the name is 'Desk 0'");
});
