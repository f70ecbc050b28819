import { CsvError, parse } from 'csv-parse/sync';
import { isName, nameSyntax } from '../../json/check.ts';
import { entryVariable, isSecretName } from '../../secrets/secret.ts';
import { type CellProblem, placeProblems, type RowProblem } from '../../session/csv-places.ts';
import { csvOptions, headerMessage, isEmptyRow, stumbleMessage, TableCheck, WrongBytes } from '../../text/csv.ts';
import { formatNumber, joinWithAnd, quote } from '../../text/wording.ts';
import { meantBy } from '../../yaml/fix.ts';
import type { Problem } from '../../yaml/problem.ts';
import type { Rule } from '../../yaml/rules.ts';

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
type Column = (typeof columns)[number];

interface ReadRow {
  readonly cells: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Reads a CSV with agents to import. Returns the rows, and the problems with their places. */
export async function readImportList(
  file: string,
  bytes: Buffer,
): Promise<{ readonly rows: readonly ImportRow[]; readonly problems: readonly Problem[] }> {
  const {
    rows: [header, ...others],
    stumble,
  } = readRows(bytes);
  if (header === undefined && stumble.length > 0)
    return { rows: [], problems: await placeProblems(pieces(), { file, rowProblems: stumble }) };
  const names = header?.cells.map((name) => name.trim()) ?? [];
  const rest = others.filter(({ cells }) => !isEmptyRow(cells));
  const rows = rest.map(({ cells }) => rowOf(names, cells));
  const taken = { id: new Set<string>(), name: new Set<string>() };
  const rowProblems = [
    ...headerProblems(names).map((found) => ({ ...found, start: 0, end: header?.end ?? bytes.length })),
    ...rest.flatMap((row, index) => rowMessages(row, { names, row: rows[index], taken })),
    ...stumble,
  ];
  async function* pieces() {
    yield bytes;
  }
  return { rows, problems: await placeProblems(pieces(), { file, rowProblems }) };
}

/** The maximum number of agents to import from a list. */
const maxAgents = 10_000;

function readRows(bytes: Buffer): { readonly rows: ReadRow[]; readonly stumble: RowProblem[] } {
  const rows: ReadRow[] = [];
  const lastEnd = () => rows.at(-1)?.end ?? 0;
  const here = () => ({ start: lastEnd(), end: lastEnd() + 1 });
  const stumbled = (rule: Rule, message: string, range: Omit<RowProblem, keyof CellProblem> = here()) => {
    return { rows, stumble: [{ rule, message: `${message}; the rest of the file was not read`, ...range }] };
  };
  try {
    const check = new TableCheck();
    check.take(bytes);
    check.end();
    parse(bytes, {
      ...csvOptions,
      to: maxAgents + 2,
      on_record: (cells: string[], { bytes: end }) => {
        rows.push({ cells, start: lastEnd(), end });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof WrongBytes) {
      const { offset } = error.wrong;
      return stumbled('csv-encoding', error.message, { start: 0, end: offset + 1, byte: offset });
    }
    if (!(error instanceof CsvError)) throw error;
    return stumbled('csv-syntax', stumbleMessage(error));
  }
  if (rows.length <= maxAgents + 1) return { rows, stumble: [] };
  rows.pop();
  return stumbled(
    'csv-width',
    `the list has more than ${formatNumber(maxAgents)} agents; import them in several lists`,
  );
}

function headerProblems(names: readonly string[]): CellProblem[] {
  if (isEmptyRow(names)) {
    return [{ field: 0, rule: 'csv-empty', message: 'the list is empty: expected a row of column names' }];
  }
  const whole = headerMessage(names);
  if (whole !== undefined) return [{ field: 0, rule: 'csv-column', message: whole }];
  const own = names.flatMap((name, field): CellProblem[] => {
    const found = complaintAbout(name, { names, field });
    return found === undefined ? [] : [{ field, rule: 'csv-column', ...found }];
  });
  const missing = (['id', 'name'] as const).filter((name) => !names.includes(name));
  if (missing.length === 0 || own.length > 0) return own;
  const message = `the first row must contain ${joinWithAnd(missing.map(quote))}; the columns can be ${joinWithAnd(columns)}`;
  return [{ field: 0, rule: 'csv-column', message }];
}

function complaintAbout(
  name: string,
  { names, field }: { names: readonly string[]; field: number },
): Omit<CellProblem, 'rule'> | undefined {
  const isKnown = columns.some((column) => column === name);
  if (isKnown) return names.indexOf(name) < field ? { message: `the column ${quote(name)} appears twice` } : undefined;
  const message = `unknown column ${quote(name)}`;
  const suggestion = meantBy({ at: undefined, found: name }, columns);
  if (suggestion.fixes !== undefined) return { message, ...suggestion };
  return { message: `${message}: expected ${joinWithAnd(columns)}` };
}

function rowOf(names: readonly string[], cells: readonly string[]): ImportRow {
  const cell = (column: Column) => cells[names.indexOf(column)]?.trim() ?? '';
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
  readonly names: readonly string[];
  readonly row: ImportRow | undefined;
  /** The names and ids of earlier rows. */
  readonly taken: Readonly<Record<'id' | 'name', Set<string>>>;
}

function rowMessages({ cells, start, end }: ReadRow, { names, row, taken }: RowContext): RowProblem[] {
  const range = { start, end };
  const twice = row === undefined ? [] : repeated(row, taken);
  if (cells.length > names.length) {
    const message = `the row has ${cells.length} fields, but the header has ${names.length}: quote fields that contain commas`;
    return [{ rule: 'csv-width', message, field: names.length, ...range }];
  }
  if (row === undefined || !names.includes('id') || !names.includes('name')) return [];
  return [...importRowProblems(row), ...twice].map(({ column, message }) => ({
    rule: 'csv-cell',
    message,
    field: Math.max(0, names.indexOf(column)),
    ...range,
  }));
}

function repeated(row: ImportRow, taken: RowContext['taken']): Array<{ column: Column; message: string }> {
  return (['id', 'name'] as const).flatMap((column) => {
    const isTwice = taken[column].has(row[column]);
    if (row[column] !== '') taken[column].add(row[column]);
    return isTwice ? [{ column, message: `the ${column} ${quote(row[column])} is already in an earlier row` }] : [];
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
  if (/^[^\s/\\?#%]{1,200}$/.test(id) && id !== '.' && id !== '..' && !id.includes('${')) return undefined;
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
