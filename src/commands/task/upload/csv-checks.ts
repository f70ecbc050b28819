import { parsedJson } from '../../../json/document.ts';
import { isJsonObject } from '../../../json/json.ts';
import type { CellProblem } from '../../../session/csv-places.ts';
import { headerMessage, lossIn } from '../../../text/csv.ts';
import { nearest } from '../../../text/suggest.ts';
import { joinWithAnd, quote } from '../../../text/wording.ts';
import { meantBy, valueMeant } from '../../../yaml/fix.ts';
import { subjectProblem, type TargetChecks, type TextCheck, type TextProblem, typeProblem } from '../checks.ts';
import { attachmentHeaderProblem, isBase64 } from '../draft.ts';
import { readEpochSeconds, readScheduledTime } from '../scheduled-time.ts';
import { isTaskType } from '../task-types.ts';

/** The columns that the service accepts (specification, "CSV upload columns"). */
const csvColumns = [
  'type',
  'target',
  'context',
  'taskContext',
  'greeting',
  'waitToGreet',
  'accountId',
  'scheduledFor',
  'message',
  'externalTaskId',
  'meta.email.subject',
  'meta.email.attachments',
] as const;

type CsvColumn = (typeof csvColumns)[number];

type ColumnIndexes = Partial<Readonly<Record<CsvColumn, number>>>;

export interface Header {
  readonly columns: ColumnIndexes;
  readonly width: number;
  readonly rowProblems: readonly CellProblem[];
}

/** Reads the header. Finds the index of each column, and unknown, repeated or missing names. */
export function readHeader(names: readonly string[]): Header {
  const columns = new Map<CsvColumn, number>();
  const rowProblems: CellProblem[] = [];
  const whole = headerMessage(names);
  if (whole !== undefined)
    return { columns: {}, width: names.length, rowProblems: [{ field: 0, rule: 'csv-column', message: whole }] };
  for (const [field, name] of names.entries()) {
    const column = csvColumns.find((known) => known === name);
    if (column === undefined) rowProblems.push({ field, rule: 'csv-column', ...unknownColumn(name) });
    else if (columns.has(column)) {
      rowProblems.push({ field, rule: 'csv-column', message: `the column ${quote(name)} appears twice` });
    } else columns.set(column, field);
  }
  const missing = columns.has('type') ? undefined : missingType(names);
  return {
    columns: Object.fromEntries(columns),
    width: names.length,
    rowProblems:
      missing === undefined ? rowProblems : [...rowProblems, { field: 0, rule: 'csv-column', message: missing }],
  };
}

function unknownColumn(name: string): Omit<CellProblem, 'rule'> {
  if (name === '') return { message: 'a column has no name' };
  const message = `unknown column ${quote(name)}`;
  const suggestion = meantBy({ at: undefined, found: name.trim() }, csvColumns);
  if (suggestion.fixes !== undefined) return { message, ...suggestion };
  return { message: `${message}: expected ${joinWithAnd(csvColumns)}` };
}

/** Returns the problem if the column `type` is missing, or undefined if a similar name has already been reported. */
function missingType(names: readonly string[]): string | undefined {
  if (names.some((name) => nearest(name.trim(), csvColumns) === 'type')) return undefined;
  const isTask = /^(call|text|email|ping)$/i.test((names[0] ?? '').trim());
  return `the column 'type' is missing${isTask ? ': the first row must contain the column names' : ''}`;
}

/** The cell checks by column, for any task type. Empty cells are not checked. */
const cellChecks: readonly (readonly [CsvColumn, TextCheck])[] = [
  ['type', typeProblem],
  ['waitToGreet', booleanProblem],
  ['accountId', integerProblem],
  ['scheduledFor', secondsProblem],
];

const emailColumns = ['meta.email.subject', 'meta.email.attachments'] as const;

export function rowMessages(row: readonly string[], header: Header, targets: TargetChecks): CellProblem[] {
  if (row.length !== header.width) return [{ rule: 'csv-width', message: widthMessage(row.length, header.width) }];
  const { columns } = header;
  const rowProblems = [
    ...cellChecks.flatMap(([column, check]) => problemsOfCell(row, { columns, column, check })),
    ...typeMissing(row, columns),
    ...targetProblems(row, header, targets),
    ...emailProblems(row, columns),
    ...lostCharacters(row),
  ];
  const losses = lostValues(row);
  return [...losses, ...rowProblems.filter(({ field }) => losses.every((loss) => loss.field !== field))];
}

function lostValues(row: readonly string[]): CellProblem[] {
  return row.flatMap((text, field) => {
    const loss = lossIn(text);
    return loss === undefined ? [] : [{ field, rule: 'csv-lost', message: `the cell is ${quote(text)}: ${loss}` }];
  });
}

function widthMessage(found: number, expected: number): string {
  const hint = found > expected ? '; quote fields that contain commas' : '';
  return `the row has ${found} ${found === 1 ? 'field' : 'fields'}, but the header has ${expected}${hint}`;
}

function problemsOfCell(
  row: readonly string[],
  {
    columns,
    column,
    check,
  }: { readonly columns: ColumnIndexes; readonly column: CsvColumn; readonly check: TextCheck },
): CellProblem[] {
  const field = columns[column];
  const text = field === undefined ? '' : (row[field] ?? '');
  const wrong = text === '' ? undefined : check(text);
  if (field === undefined || wrong === undefined) return [];
  const suggestion = valueMeant({ at: undefined, found: text }, wrong);
  return [{ field, rule: 'csv-value', message: `${column} is ${quote(text)}${wrong.problem}`, ...suggestion }];
}

function typeMissing(row: readonly string[], { type }: ColumnIndexes): CellProblem[] {
  if (type === undefined || row[type] !== '') return [];
  return [{ field: type, rule: 'csv-value', message: 'type is empty: expected call, text, email or ping' }];
}

function targetProblems(row: readonly string[], header: Header, targets: TargetChecks): CellProblem[] {
  const { columns } = header;
  const type = row[columns.type ?? -1] ?? '';
  const check = isTaskType(type) ? targets[type] : undefined;
  if (check === undefined) return [];
  const { target: field } = columns;
  // The missing column may be a misspelt column that was already reported.
  if (field === undefined && header.rowProblems.length > 0) return [];
  if (field === undefined || row[field] === '') {
    const message = `a task of type ${type} needs a target${check('')?.problem ?? ''}`;
    return [{ ...(field === undefined ? {} : { field }), rule: 'csv-target', message }];
  }
  return problemsOfCell(row, { columns, column: 'target', check });
}

function emailProblems(row: readonly string[], columns: ColumnIndexes): CellProblem[] {
  if (row[columns.type ?? -1] === 'email') {
    return [
      ...problemsOfCell(row, { columns, column: 'meta.email.subject', check: subjectProblem }),
      ...problemsOfCell(row, { columns, column: 'meta.email.attachments', check: attachmentsProblem }),
    ];
  }
  return emailColumns.flatMap((column) => {
    const field = columns[column];
    if (field === undefined || row[field] === '') return [];
    return [{ field, rule: 'csv-value', message: `${column} is only for tasks of type email` }];
  });
}

/** Reports U+FFFD. In valid UTF-8, this character means that other characters were lost earlier. */
function lostCharacters(row: readonly string[]): CellProblem[] {
  const field = row.findIndex((text) => text.includes('\ufffd'));
  if (field < 0) return [];
  const message = 'a character was lost here: save the file as UTF-8';
  return [{ field, rule: 'csv-encoding', message }];
}

function booleanProblem(text: string): TextProblem | undefined {
  if (/^(true|false)$/i.test(text)) return undefined;
  const problem = ': expected true or false';
  if (/^\s*(true|yes|y|1|on)\s*$/i.test(text)) return { problem, corrected: 'true' };
  return /^\s*(false|no|n|0|off)\s*$/i.test(text) ? { problem, corrected: 'false' } : { problem };
}

function integerProblem(text: string): TextProblem | undefined {
  const isInteger = /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text));
  return isInteger ? undefined : { problem: ': expected an integer' };
}

/** Checks seconds since 1970, the only form of time in a CSV. For a readable date, suggests the seconds. */
function secondsProblem(text: string): TextProblem | undefined {
  const read = readEpochSeconds(text);
  if ('seconds' in read) return undefined;
  const time = readScheduledTime(text);
  return 'seconds' in time && !/^\s*\d+\s*$/.test(text)
    ? { problem: ': expected whole seconds since 1970', corrected: String(time.seconds) }
    : read;
}

/** The specification does not define attachments in a cell, so a cell must contain a JSON list. */
function attachmentsProblem(text: string): TextProblem | undefined {
  const expected = ': expected a JSON list of { "filename", "type", "content" }';
  const list = parsedJson(text);
  if (!Array.isArray(list)) return { problem: expected };
  const problem = list
    .map((item: unknown, index) => attachmentProblem(item, index))
    .find((found) => found !== undefined);
  return problem === undefined ? undefined : { problem: `${expected}, but ${problem}` };
}

function attachmentProblem(item: unknown, index: number): string | undefined {
  if (!isJsonObject(item)) return `item ${index + 1} is not an object`;
  const missing = ['filename', 'type', 'content'].find((name) => typeof item[name] !== 'string');
  if (missing !== undefined) return `item ${index + 1} needs ${quote(missing)} as a string`;
  if (item.filename === '') return `the filename of item ${index + 1} is empty`;
  if (!['string', 'undefined'].includes(typeof item.disposition)) {
    return `the disposition of item ${index + 1} is not a string`;
  }
  const [filename, type, disposition] = [item.filename, item.type, item.disposition ?? ''].map(String);
  const problem = attachmentHeaderProblem({ filename, type, disposition });
  if (problem !== undefined) return `in item ${index + 1}, ${problem}`;
  return isBase64(String(item.content)) ? undefined : `the content of item ${index + 1} is not base64`;
}

/** Whether a cell is a boolean with capitals, such as `TRUE` from a spreadsheet. */
export function isShoutedTruth(text: string): boolean {
  return text !== text.toLowerCase() && booleanProblem(text) === undefined;
}
