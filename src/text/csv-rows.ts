import { visible } from './visible.ts';

/** A table as CSV (RFC 4180), which a spreadsheet opens without running any cell. */
export function csvText(columns: readonly string[], rows: Iterable<readonly unknown[]>): string {
  const lines = [columns.join(',')];
  for (const row of rows) lines.push(row.map(cellOf).join(','));
  return [...lines, ''].join('\r\n');
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = harmless(visible(String(value)));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets run what begins like a formula, and titles or chats come from strangers. An apostrophe keeps it a text. A
 * plain number, such as one of a phone, cannot do anything.
 */
function harmless(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\n]/.test(text) && !/^[+-]?\d+$/.test(text) ? `'${text}` : text;
}
