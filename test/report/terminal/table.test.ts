import { describe, expect, test } from '@jest/globals';
import { renderTable } from '../../../src/report/terminal/table.ts';
import { displayWidth } from '../../../src/text/layout.ts';

describe('renderTable', () => {
  const headers = ['name', 'id', 'host'];
  const rows = [
    ['Agent/front-desk', 'camp_1', 'service.example.com'],
    ['Agent/日本', '', 'emulator\u001b[2J'],
  ];

  test('The function renderTable aligns its columns.', () => {
    expect(renderTable(headers, rows, { color: false })).toBe(
      'NAME              ID      HOST\n' +
        'Agent/front-desk  camp_1  service.example.com\n' +
        'Agent/日本                emulator\\u001b[2J\n',
    );
  });

  test('The function renderTable shortens the widest cells to fit.', () => {
    const lines = renderTable(headers, rows, { color: false, width: 36 }).trimEnd().split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(36);
    expect(lines[1]).toMatch(/^Agent\/fron…? ?\S* +camp_1 +service\S*…$/);
  });

  test('The function renderTable shortens flexible columns first.', () => {
    const long = [...rows, ['Agent/a-long-name-of-an-agent', 'camp_2', 'service.example.com']];
    const [, , , line] = renderTable(headers, long, { color: false, width: 51, flexible: ['host'] }).split('\n');
    expect(line).toBe('Agent/a-long-name-of-an-agent  camp_2  service.exa…');
    const narrow = renderTable(headers, long, { color: false, width: 40, flexible: ['host'] })
      .trimEnd()
      .split('\n');
    expect(narrow[3]).toMatch(/^Agent\/a-long-name-of-an… {2}camp_2 {2}servi…$/);
  });

  test('The resources of a table can be told apart in a narrow terminal.', () => {
    const headers = ['when', 'resource', 'title', 'state', 'who'];
    const rows = [1, 2].map((row) => ['2026-11-30 15:23', `Agent/clinic-${row}`, 'Front desk', 'pending', 'mona']);
    const [, ...lines] = renderTable(headers, rows, { color: false, width: 40, flexible: ['title'] }).split('\n');
    expect(lines[0]).toBe('2026-…  Agent/clinic-1  Front…  pendi…  mona');
    expect(lines[1]).toContain('Agent/clinic-2');
  });

  test('The function renderTable aligns more rows than a function call can have arguments.', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => [`a${index}`]);
    expect(renderTable(['name'], many, { color: false }).split('\n')).toHaveLength(200_002);
  });

  test('The function renderTable accepts no rows.', () => {
    expect(renderTable(headers, [], { color: false })).toBe('NAME  ID  HOST\n');
  });
});
