import { expect, test } from '@jest/globals';
import { readImportList } from '../../../src/commands/import/list.ts';
import { SourceFile } from '../../../src/yaml/source-file.ts';

test('An import list that is too long only says so, even if the table has too many rows.', () => {
  const rows = Array.from({ length: 100_001 }, (_, index) => `c${index},a${index}`);
  const { problems } = readImportList(new SourceFile('ids.csv', ['id,name', ...rows].join('\n')));
  expect(problems.map(({ message }) => message)).toEqual([
    'the list has more than 10,000 agents; import them in several lists',
  ]);
});
