import { parsedJson } from '../../../json/document.ts';
import { isJsonObject } from '../../../json/json.ts';
import { quote } from '../../../text/wording.ts';
import { readEpochSeconds, readScheduledTime } from '../scheduled-time.ts';

/** Says what is wrong with the text of a cell: the end of a sentence that begins "X is 'text'". */
export type CellCheck = (text: string) => string | undefined;

export function booleanProblem(text: string): string | undefined {
  if (text === 'true' || text === 'false') return undefined;
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
