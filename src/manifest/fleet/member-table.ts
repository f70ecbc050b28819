import { CsvError, parse } from 'csv-parse/sync';
import { isName, nameSyntax } from '../../json/check.ts';
import { cached } from '../../json/json.ts';
import { referenceName } from '../../secrets/secret.ts';
import { csvOptions, headerMessage, isEmptyRow, lossIn, stumbleMessage, TableCheck } from '../../text/csv.ts';
import { nearest } from '../../text/suggest.ts';
import { counted, formatNumber, quote, shorten } from '../../text/wording.ts';
import { renaming } from '../../yaml/fix.ts';
import { isLiteral, isSpecial } from '../../yaml/interpolate.ts';
import { errorAt, type Problem, type Span } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import { headOf, isText, type ListNode, type MapNode, memberOf, type ScalarNode } from '../../yaml/tree.ts';
import { nestedProblems } from '../check/authored.ts';
import { isUrlWithPassword, passwordInUrl } from '../check/credentials.ts';
import type { FormerName } from '../project/moves.ts';
import { digestOf } from '../project/trace.ts';
import { type DeclaredVariable, declaredVariable } from '../project/variables.ts';

/** A table of fleet members, from a CSV file or a YAML list. */
export interface MemberTable {
  /** The location of each column, by name: its header, or the first use of its key in a YAML list. */
  readonly columns: ReadonlyMap<string, Span>;
  /** The rows whose names are valid and unique. */
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
  /** The columns that are used outside the members' manifests, so they are not reported as unused. */
  readonly used: Set<string>;
  /** The number of rows in which a column is empty, and the first of these rows. */
  emptyIn(column: string): EmptyCells;
  /** A digest of the whole table, for traces. */
  digest(): string;
}

export interface EmptyCells {
  readonly count: number;
  readonly first: Row | undefined;
}

/** A member of a fleet. Its cells are variables of its manifests. */
export interface Row {
  readonly table: MemberTable;
  readonly name: ScalarNode & { readonly value: string };
  readonly renamedFrom: readonly FormerName[];
  /** The variable that a column sets. Undefined for an empty cell or a missing column. */
  variable(column: string): DeclaredVariable | undefined;
  /** The location of a cell, which may be empty. Undefined for a missing column. */
  placeOf(column: string): Span | undefined;
  /** A digest of the data in the table that affects this member and is not in the fleet's file. */
  digest(): string;
}

export const tableLimits = { bytes: 16 * 1024 * 1024, rows: 100_000, columns: 200 } as const;

/** The columns that describe the member itself and need not be used as variables. */
const ownColumns: ReadonlySet<string> = new Set(['name', 'renamedFrom']);

export function isOwnColumn(name: string): boolean {
  return ownColumns.has(name);
}

const ofSources = new WeakMap<SourceFile, MemberTable>();

/** Parses a CSV file as a table. Caches the table for all fleets and environments. */
export function csvTable(source: SourceFile): MemberTable {
  return cached(ofSources, source, () => readTable(source));
}

interface Draft extends MemberTable {
  readonly columns: Map<string, Span>;
  readonly rows: Row[];
  readonly problems: Problem[];
  readonly byName: Map<string, Row>;
}

function emptyDraft(digest: () => string): Draft {
  const rows: Row[] = [];
  // Caches the results, because each member with an empty cell needs them.
  const known = new Map<string, EmptyCells>();
  const emptyIn = (column: string) =>
    cached(known, column, () => {
      const empty = rows.filter((row) => row.variable(column) === undefined);
      return { count: empty.length, first: empty[0] };
    });
  return { columns: new Map(), rows, problems: [], used: new Set(), byName: new Map(), emptyIn, digest };
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

function readTable(source: SourceFile): MemberTable {
  const draft = emptyDraft(once(() => digestOf(source.text)));
  const { records, stumble } = csvRecords(source);
  const [header, ...others] = records;
  if (header === undefined) {
    const problem = errorAt(source.span(0, 0), 'csv-empty', 'the table is empty: expected a row of column names');
    return { ...draft, problems: stumble === undefined ? [problem] : [stumble] };
  }
  draft.problems.push(...headerProblems(source, header), ...(stumble === undefined ? [] : [stumble]));
  if (draft.problems.length > 0) return draft;
  const fields = new Map(header.cells.map((column, field) => [column, field]));
  for (const [column, field] of fields) draft.columns.set(column, cellSpan(source, header, field));
  for (const record of others) {
    const { length } = record.cells;
    if (isEmptyRow(record.cells)) continue;
    if (length === fields.size) {
      draft.problems.push(...cellProblems(record, source));
      addRow(draft, new CsvRow(draft, { source, record, fields }));
    } else draft.problems.push(errorAt(cellSpan(source, record, 0), 'csv-width', widthMessage(length, fields.size)));
  }
  if (draft.rows.length === 0 && draft.problems.length === 0) {
    draft.problems.push(errorAt(source.span(0, 0), 'csv-empty', 'the table has no rows below its column names'));
  }
  return draft;
}

/**
 * Reports cells that contain references, a URL with a password, or a value that a spreadsheet lost. Cells are inserted
 * as they are, so the service would receive the reference.
 */
function cellProblems(record: CsvRecord, source: SourceFile): Problem[] {
  return record.cells.flatMap((cell, field) => {
    if (isUrlWithPassword(cell)) {
      const at = cellSpan(source, record, field);
      source.hide(at);
      return [passwordInUrl(at)];
    }
    const loss = lossIn(cell);
    if (loss !== undefined)
      return [errorAt(cellSpan(source, record, field), 'csv-lost', `the cell is ${quote(cell)}: ${loss}`)];
    if (!isSpecial(cell) || isLiteral(cell)) return [];
    const message = 'a cell cannot refer to a variable or a secret; write the reference in the template';
    return [errorAt(cellSpan(source, record, field), 'variable-nested', message)];
  });
}

function widthMessage(length: number, columns: number): string {
  return `this row has ${counted(length, 'field')}, but the first row has ${counted(columns, 'column')}`;
}

function headerProblems(source: SourceFile, header: CsvRecord): Problem[] {
  const { cells } = header;
  const at = (field: number) => cellSpan(source, header, field);
  const whole = headerMessage(cells);
  if (whole !== undefined) return [errorAt(at(0), 'csv-column', whole)];
  if (cells.length > tableLimits.columns) {
    const message = `the table has ${cells.length} columns; at most ${tableLimits.columns} are allowed`;
    return [errorAt(at(0), 'csv-column', message)];
  }
  const problems = cells.flatMap((column, field): Problem[] => {
    const first = cells.indexOf(column);
    if (first < field) {
      const message = `the column ${quote(column)} appears twice`;
      return [{ ...errorAt(at(field), 'csv-column', message), also: { message: 'first here', at: at(first) } }];
    }
    return variableName.test(column) ? [] : [errorAt(at(field), 'csv-column', columnMessage(column))];
  });
  if (problems.length > 0 || cells.includes('name')) return problems;
  const meant = cells.findIndex((column) => nearest(column, ['name']) !== undefined);
  const problem = errorAt(
    at(Math.max(0, meant)),
    'csv-column',
    "the column 'name' is missing: every member needs a name",
  );
  const found = cells[meant];
  if (found === undefined) return [problem];
  return [
    {
      ...problem,
      message: `${problem.message}, but the table has the column ${quote(found)}`,
      found,
      fixes: [renaming({ at: at(meant), found }, 'name')],
    },
  ];
}

const variableName = new RegExp(`^${referenceName}$`);

/** The column that contains the name of each agent's token secret in a table for importing agents. */
const tokenColumn = 'token-secret';

function columnMessage(column: string): string {
  if (column === tokenColumn) {
    return (
      `remove the column '${tokenColumn}': a fleet's template names the token of every member, as in ` +
      '`${secret.TOKENS[var.name]}`. With `import --fleet`, use --token-secret "TOKENS[var.name]"'
    );
  }
  const what = column === '' ? 'a column has no name' : `the column ${quote(shorten(column, 60))} has no valid name`;
  return `${what}: expected letters, digits and underscores, not starting with a digit`;
}

/** A row of a CSV file, with trimmed cells. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** The offset of the record in the source. Line endings may precede the first field. */
  readonly start: number;
}

/** Splits a CSV file into rows. `stumble` is the problem that ended the reading early. */
export function csvRecords(source: SourceFile): { readonly records: readonly CsvRecord[]; readonly stumble?: Problem } {
  const { text } = source;
  const bytes = Buffer.from(text);
  const isAscii = bytes.length === text.length;
  const records: CsvRecord[] = [];
  let [start, startByte] = [0, 0];
  try {
    new TableCheck().take(bytes);
    parse(bytes, {
      ...csvOptions,
      max_record_size: 1024 * 1024,
      to: tableLimits.rows + 2,
      on_record: (cells: string[], { bytes: end }) => {
        records.push({ cells: cells.map((cell) => cell.trim()), start });
        start += isAscii ? end - startByte : bytes.toString('utf8', startByte, end).length;
        startByte = end;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const message = `${stumbleMessage(error)}; the rest of the table was not read`;
    return { records, stumble: errorAt(source.span(skipLineBreaks(text, start), start + 1), 'csv-syntax', message) };
  }
  if (records.length <= tableLimits.rows + 1) return { records };
  const message = `the table has more than ${formatNumber(tableLimits.rows)} rows; split it into several tables, and declare a fleet for each`;
  return { records, stumble: errorAt(source.span(0, 0), 'project-size', message) };
}

function skipLineBreaks(text: string, from: number): number {
  let at = from;
  while (text[at] === '\n' || text[at] === '\r') at += 1;
  return at;
}

/**
 * The range of a CSV field without surrounding blanks. The range must be computed, because csv-parse reports only the
 * positions of rows.
 */
export function cellSpan(source: SourceFile, record: CsvRecord, field: number): Span {
  const { text } = source;
  let at = skipLineBreaks(text, record.start);
  for (let left = field; left > 0; left -= 1) at = endOfField(text, at) + 1;
  const end = endOfField(text, at);
  const cell = text.slice(at, end);
  const lead = cell.length - cell.trimStart().length;
  const length = cell.trim().length;
  return length === 0 ? source.span(at, at) : source.span(at + lead, at + lead + length);
}

function endOfField(text: string, from: number): number {
  let isQuoted = false;
  let at = from;
  for (; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === ',' || character === '\n' || character === '\r')) break;
  }
  return at;
}

interface CsvSource {
  readonly source: SourceFile;
  readonly record: CsvRecord;
  readonly fields: ReadonlyMap<string, number>;
}

/** A row of a CSV file. Computes the locations of most cells on demand, because few cells have problems. */
class CsvRow implements Row {
  readonly table: MemberTable;
  readonly name: Row['name'];
  readonly renamedFrom: readonly FormerName[];
  readonly #csv: CsvSource;
  /** Cached, because every environment needs the digest. */
  #digest: string | undefined;

  constructor(table: MemberTable, csv: CsvSource) {
    this.table = table;
    this.#csv = csv;
    const name = this.#text('name') ?? '';
    this.name = { type: 'scalar', at: this.placeOf('name') ?? csv.source.span(0, 0), value: name };
    const former = this.#text('renamedFrom');
    const at = former === undefined ? undefined : this.placeOf('renamedFrom');
    this.renamedFrom = former === undefined || at === undefined ? [] : [{ name: former, at }];
  }

  variable(column: string): DeclaredVariable | undefined {
    const text = this.#text(column);
    if (text === undefined) return undefined;
    const placeOf = () => this.placeOf(column) ?? this.name.at;
    return {
      ...{ isCell: true, value: text, text },
      get at() {
        return placeOf();
      },
    };
  }

  placeOf(column: string): Span | undefined {
    const field = this.#csv.fields.get(column);
    return field === undefined ? undefined : cellSpan(this.#csv.source, this.#csv.record, field);
  }

  digest(): string {
    this.#digest ??= this.#digestOf(this.#csv);
    return this.#digest;
  }

  #digestOf({ source, record, fields }: CsvSource): string {
    const { line } = source.span(record.start, record.start);
    return digestOf(JSON.stringify([source.path, record.start, line, record.cells, [...fields.keys()]]));
  }

  #text(column: string): string | undefined {
    const field = this.#csv.fields.get(column);
    return (field === undefined ? undefined : this.#csv.record.cells[field]) || undefined;
  }
}

/** Reads a table from the fleet's file. Skips invalid entries, which the schema reports. */
export function listTable(list: ListNode): MemberTable {
  // The fleet's file is already an input of each member, so no digest is needed.
  const draft = emptyDraft(() => '');
  for (const item of list.items) {
    if (item.type !== 'map') continue;
    for (const [column, { key }] of item.members) if (!draft.columns.has(column)) draft.columns.set(column, key);
    draft.problems.push(...nestedProblems(item));
    const name = memberOf(item, 'name');
    if (isText(name) && isName(name.value)) addRow(draft, new ListRow(draft, item, name));
  }
  return draft;
}

class ListRow implements Row {
  readonly table: MemberTable;
  readonly name: Row['name'];
  readonly renamedFrom: readonly FormerName[];
  readonly #map: MapNode;

  constructor(table: MemberTable, map: MapNode, name: Row['name']) {
    this.table = table;
    this.name = name;
    this.#map = map;
    const former = memberOf(map, 'renamedFrom');
    this.renamedFrom = isText(former) && isName(former.value) ? [{ name: former.value, at: former.at }] : [];
  }

  variable(column: string): DeclaredVariable | undefined {
    const node = memberOf(this.#map, column);
    const variable = node?.type === 'scalar' ? declaredVariable(node) : undefined;
    return variable && { ...variable, isCell: true };
  }

  placeOf(column: string): Span | undefined {
    if (!this.table.columns.has(column)) return undefined;
    return memberOf(this.#map, column)?.at ?? headOf(this.#map);
  }

  /** The digest covers only the location of the row, because the fleet's file is already an input of each member. */
  digest(): string {
    return digestOf(JSON.stringify(headOf(this.#map)));
  }
}

function addRow(draft: Draft, row: Row): void {
  const { value: name, at } = row.name;
  const former = row.renamedFrom.find((one) => !isName(one.name));
  if (!isName(name)) {
    const found = name === '' ? 'empty' : quote(shorten(name, 60));
    draft.problems.push(errorAt(at, 'name', `the name is ${found}: expected ${nameSyntax}`));
    return;
  }
  if (former !== undefined) {
    const message = `renamedFrom is ${quote(shorten(former.name, 60))}: expected ${nameSyntax}`;
    draft.problems.push(errorAt(former.at, 'name', message));
    return;
  }
  const first = draft.byName.get(name);
  if (first === undefined) {
    draft.byName.set(name, row);
    draft.rows.push(row);
    return;
  }
  const problem = errorAt(at, 'duplicate-name', `two rows have the name ${quote(name)}`);
  draft.problems.push({ ...problem, also: { message: 'first here', at: first.name.at } });
}
