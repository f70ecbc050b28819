import { describe, expect, test } from '@jest/globals';
import { renderTable } from '../../../src/report/terminal/table.ts';
import { displayWidth } from '../../../src/text/layout.ts';

describe('renderTable', () => {
  const headers = ['name', 'id', 'host'];
  const rows = [
    ['Agent/front-desk', 'camp_1', 'service.example.com'],
    ['Agent/日本', '', 'emulator\u001b[2J'],
  ];

  test('aligns its columns', () => {
    expect(renderTable(headers, rows, { color: false })).toBe(
      'NAME              ID      HOST\n' +
        'Agent/front-desk  camp_1  service.example.com\n' +
        'Agent/日本                emulator\\u001b[2J\n',
    );
  });

  test('cuts the widest cells to fit', () => {
    const lines = renderTable(headers, rows, { color: false, width: 36 }).trimEnd().split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(36);
    expect(lines[1]).toMatch(/^Agent\/fron…? ?\S* +camp_1 +service\S*…$/);
  });

  test('needs no rows', () => {
    expect(renderTable(headers, [], { color: false })).toBe('NAME  ID  HOST\n');
  });
});
