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

test('A repeated agent id is reported as repeated, even if it looks like a credential.', () => {
  const id = '507f1f77bcf86cd799439011';
  expect(messagesOf([`${id},one`, `${id},two`])).toEqual(['this id is already in an earlier row']);
});

test('An import list with hundreds of mistakes shows the first ones, and says that more are omitted.', () => {
  const messages = messagesOf(Array.from({ length: 300 }, (_, index) => `camp_${index},Desk ${index}`));
  expect(messages.length).toBeLessThan(110);
  expect(messages[0]).toContain("the name is 'Desk 0'");
});

test.each([
  [
    'id,description',
    "the first row must contain 'name'; the columns can be id, name, description, token-secret and query",
  ],
  ['id,name,zzzzzz', "unknown column 'zzzzzz': expected id, name, description, token-secret and query"],
])('An import list with the columns %s is refused with the columns that a list can have.', (header, message) => {
  const { problems } = readImportList(new SourceFile('ids.csv', `${header}\ncamp_1,desk,D\n`));
  expect(problems.map((one) => one.message)).toContain(message);
});

test('A query parameter in an import list needs a name and a value.', () => {
  const { problems } = readImportList(new SourceFile('ids.csv', 'id,name,query\ncamp_1,desk,targetAccountId\n'));
  expect(problems.map(({ message }) => message)).toEqual([
    'a query parameter must be name=value, such as targetAccountId=17',
  ]);
});
