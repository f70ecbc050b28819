import { parsedJson } from '../../../json/document.ts';
import { isJsonObject } from '../../../json/json.ts';
import { quote } from '../../../text/wording.ts';
import { readEpochSeconds, readScheduledTime } from '../scheduled-time.ts';

/** Says what is wrong with the text of a cell: the end of a sentence that begins "X is 'text'". */
export type CellCheck = (text: string) => string | undefined;

export function booleanProblem(text: string): string | undefined {
  if (/^(true|false)$/i.test(text)) return undefined;
  const meant = /^\s*(true|yes|y|1|on)\s*$/i.test(text) ? 'true' : /^\s*(false|no|n|0|off)\s*$/i.test(text) && 'false';
  return `: expected true or false${meant === false ? '' : `; write ${meant}`}`;
}

export function integerProblem(text: string): string | undefined {
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? undefined : ': expected a whole number';
}

/** A CSV holds epoch seconds only; a date that can be read is answered with its seconds. */
export function secondsProblem(text: string): string | undefined {
  const read = readEpochSeconds(text);
  if ('seconds' in read) return undefined;
  const time = readScheduledTime(text);
  return 'seconds' in time && !/^\s*\d+\s*$/.test(text)
    ? `: expected whole seconds since 1970; write ${time.seconds}`
    : read.problem;
}

/** JSON, because that is how a list of objects fits into a cell; the specification does not say how. */
export function attachmentsProblem(text: string): string | undefined {
  const expected = ': expected a JSON list of { "filename", "type", "content" }';
  const list = parsedJson(text);
  if (!Array.isArray(list)) return expected;
  const problem = list
    .map((item: unknown, index) => attachmentProblem(item, index))
    .find((found) => found !== undefined);
  return problem === undefined ? undefined : `${expected}, but ${problem}`;
}

function attachmentProblem(item: unknown, index: number): string | undefined {
  if (!isJsonObject(item)) return `item ${index} is not an object`;
  const missing = ['filename', 'type', 'content'].find((name) => typeof item[name] !== 'string');
  if (missing !== undefined) return `item ${index} has no text ${quote(missing)}`;
  return isBase64(String(item.content)) ? undefined : `the content of item ${index} is not base64`;
}

/** Whether a text is base64 with its padding, as attachments carry it. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Whether a cell is a boolean as spreadsheets write it: `TRUE`. */
export function isShoutedTruth(text: string): boolean {
  return text !== text.toLowerCase() && booleanProblem(text) === undefined;
}

/**
 * Rows of a CSV with the booleans of one column in lower case, which is how the service takes them: a spreadsheet writes `TRUE`
 * whatever is typed. Works in place, on bytes, because everything else is sent as it is.
 */
export function lowerCaseTruths(rows: Buffer, column: number): Buffer {
  let [field, start, isQuoted] = [0, 0, false];
  for (let at = 0; at <= rows.length; at += 1) {
    const character = at === rows.length ? '\n' : String.fromCharCode(rows[at] ?? 0);
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || !',\r\n'.includes(character)) continue;
    if (field === column) {
      const cell = rows.toString('latin1', start, at);
      if (isShoutedTruth(cell.replaceAll('"', ''))) rows.write(cell.toLowerCase(), start, 'latin1');
    }
    field = character === ',' ? field + 1 : 0;
    start = at + 1;
  }
  return rows;
}
