import { isId, isName, nameSyntax } from '../../json/check.ts';
import { type CsvRecord, cellSpan, csvRecords } from '../../manifest/fleet/member-table.ts';
import { entryVariable, isSecretName } from '../../secrets/secret.ts';
import { headerMessage, isEmptyRow } from '../../text/csv.ts';
import { formatNumber, joinWithAnd, quote } from '../../text/wording.ts';
import { meantBy } from '../../yaml/fix.ts';
import { errorAt, type Problem, shownProblems } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';

/** One agent to import, from a CSV row or from options. */
export interface ImportRow {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** The process variable with the token, or `NAME[entry]`. If omitted, the environment's token is used. */
  readonly tokenSecret?: string;
  /** Query parameters as `name=value`. */
  readonly query: readonly string[];
}

const columns = ['id', 'name', 'description', 'token-secret', 'query'] as const;
const maxAgents = 10_000;

/** Reads a CSV with agents to import. Returns the rows, and the problems with their places. */
export function readImportList(source: SourceFile): {
  readonly rows: readonly ImportRow[];
  readonly problems: readonly Problem[];
} {
  const { records, stumble } = csvRecords(source);
  const [header, ...others] = records;
  if (header === undefined || isEmptyRow(header.cells)) {
    const message = 'the list is empty: expected a row of column names';
    return { rows: [], problems: [stumble ?? errorAt(source.span(0, 0), 'csv-empty', message)] };
  }
  const names = header.cells;
  const filled = others.filter(({ cells }) => !isEmptyRow(cells));
  const rows = filled.slice(0, maxAgents).map((record) => ({ record, row: rowOf(names, record.cells) }));
  const next = filled[maxAgents];
  const tooMany = `the list has more than ${formatNumber(maxAgents)} agents; import them in several lists`;
  const end = next === undefined ? stumble : errorAt(cellSpan(source, next, 0), 'csv-width', tooMany);
  const taken = { id: new Set<string>(), name: new Set<string>() };
  const problems = [
    ...headerProblems(source, header),
    ...rows.flatMap((one) => rowProblems(one, { source, names, taken })),
    ...(end === undefined ? [] : [end]),
  ];
  return { rows: rows.map(({ row }) => row), problems: shownProblems(problems, () => source) };
}

function headerProblems(source: SourceFile, header: CsvRecord): Problem[] {
  const names = header.cells;
  const problemAt = (field: number, message: string) => errorAt(cellSpan(source, header, field), 'csv-column', message);
  const whole = headerMessage(names);
  if (whole !== undefined) return [problemAt(0, whole)];
  const own = names.flatMap((name, field): Problem[] => {
    if (columns.some((column) => column === name)) {
      return names.indexOf(name) < field ? [problemAt(field, `the column ${quote(name)} appears twice`)] : [];
    }
    const message = `unknown column ${quote(name)}`;
    const suggestion = meantBy({ at: cellSpan(source, header, field), found: name }, columns);
    if (suggestion.fixes !== undefined) return [{ ...problemAt(field, message), ...suggestion }];
    return [problemAt(field, `${message}: expected ${joinWithAnd(columns)}`)];
  });
  const missing = (['id', 'name'] as const).filter((name) => !names.includes(name));
  if (missing.length === 0 || own.length > 0) return own;
  const message = `the first row must contain ${joinWithAnd(missing.map(quote))}; the columns can be ${joinWithAnd(columns)}`;
  return [problemAt(0, message)];
}

function rowOf(names: readonly string[], cells: readonly string[]): ImportRow {
  const cell = (column: (typeof columns)[number]) => cells[names.indexOf(column)] ?? '';
  const [description, tokenSecret, query] = [cell('description'), cell('token-secret'), cell('query')];
  return {
    id: cell('id'),
    name: cell('name'),
    ...(description !== '' && { description }),
    ...(tokenSecret !== '' && { tokenSecret }),
    query: query === '' ? [] : query.split('&'),
  };
}

interface RowContext {
  readonly source: SourceFile;
  readonly names: readonly string[];
  /** The names and ids of earlier rows. */
  readonly taken: Readonly<Record<'id' | 'name', Set<string>>>;
}

function rowProblems(
  { record, row }: { readonly record: CsvRecord; readonly row: ImportRow },
  { source, names, taken }: RowContext,
): Problem[] {
  const { length } = record.cells;
  const twice = repeated(row, taken);
  if (length > names.length) {
    const message = `the row has ${length} fields, but the header has ${names.length}: quote fields that contain commas`;
    return [errorAt(cellSpan(source, record, names.length), 'csv-width', message)];
  }
  if (!names.includes('id') || !names.includes('name')) return [];
  return [...importRowProblems(row), ...twice].map(({ column, ...problem }) => {
    const field = Math.max(0, Math.min(names.indexOf(column), length - 1));
    return { ...errorAt(cellSpan(source, record, field), 'csv-cell', problem.message), ...problem };
  });
}

/** Returns problems with repeated ids and names. Messages with ids would be hidden, because ids look like credentials. */
function repeated(row: ImportRow, taken: RowContext['taken']) {
  return (['id', 'name'] as const).flatMap((column) => {
    const isTwice = taken[column].has(row[column]);
    if (row[column] !== '') taken[column].add(row[column]);
    return isTwice
      ? [{ column, message: `this ${column} is already in an earlier row`, hideSource: true as const }]
      : [];
  });
}

interface ImportRowProblem {
  readonly column: 'id' | 'name' | 'token-secret' | 'query';
  readonly message: string;
}

/**
 * Finds the problems in an import row. The messages do not repeat the values of query parameters, because these can be
 * secret.
 */
export function importRowProblems({ id, name, tokenSecret, query }: ImportRow): ImportRowProblem[] {
  const rowProblems: Array<ImportRowProblem | undefined> = [
    idProblem(id),
    nameProblem(name),
    tokenSecret === undefined ? undefined : secretProblem(tokenSecret),
    ...query.map(queryProblem),
    repeatedParameter(query),
  ];
  return rowProblems.filter((found) => found !== undefined);
}

function idProblem(id: string): ImportRowProblem | undefined {
  if (isId(id) && !id.includes('${')) return undefined;
  const found = id === '' ? 'the id is empty' : `the id is ${quote(id)}`;
  return { column: 'id', message: `${found}: expected an agent id such as camp_1` };
}

function nameProblem(name: string): ImportRowProblem | undefined {
  if (isName(name)) return undefined;
  const found = name === '' ? 'the name is empty' : `the name is ${quote(name)}`;
  return { column: 'name', message: `${found}: expected ${nameSyntax}` };
}

/**
 * Checks the name of a token's secret. The message does not repeat the name, because users can confuse the name and the
 * token.
 */
function secretProblem(name: string): ImportRowProblem | undefined {
  if (isSecretName(name) && entryVariable(name) === undefined) return undefined;
  return {
    column: 'token-secret',
    message:
      'token-secret must name a process variable, such as FRONT_DESK_TOKEN, or an entry of a JSON secret, such as TOKENS[front-desk]',
  };
}

/** Reports a query parameter with two values, because a manifest can contain only one value. */
function repeatedParameter(query: readonly string[]): ImportRowProblem | undefined {
  const names = query.map((pair) => /^([^=]+)=/.exec(pair)?.[1]);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined
    ? undefined
    : { column: 'query', message: `the query parameter ${quote(twice)} has more than one value` };
}

function queryProblem(pair: string): ImportRowProblem | undefined {
  const [, name] = /^([^=]+)=/.exec(pair) ?? [];
  if (name === undefined)
    return { column: 'query', message: 'a query parameter must be name=value, such as targetAccountId=17' };
  if (name !== 'token') return undefined;
  return {
    column: 'query',
    message: 'the query cannot set the token; name the process variable of the token in token-secret',
  };
}
