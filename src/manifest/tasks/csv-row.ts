import { quote } from '../wording.ts';
import { isTaskType, type TargetChecks, typeComplaint } from './addresses.ts';
import {
  attachmentsComplaint,
  booleanComplaint,
  type CellCheck,
  type CellComplaint,
  integerComplaint,
  secondsComplaint,
} from './csv-cells.ts';
import type { ColumnPlaces, CsvColumn, Header } from './csv-columns.ts';

/** Checks that a column has on its own, whatever the type of the task; an empty cell leaves the value out. */
const cellChecks: readonly (readonly [CsvColumn, CellCheck])[] = [
  ['type', typeComplaint],
  ['waitToGreet', booleanComplaint],
  ['accountId', integerComplaint],
  ['scheduledFor', secondsComplaint],
];

const emailColumns = ['meta.email.subject', 'meta.email.attachments'] as const;

/** Everything that is wrong with a row of a CSV of tasks. */
export function rowComplaints(
  row: readonly string[],
  { header, targets }: { readonly header: Header; readonly targets: TargetChecks },
): CellComplaint[] {
  if (row.length !== header.width) return [{ rule: 'csv-width', message: widthMessage(row.length, header.width) }];
  const { places } = header;
  const complaints: CellComplaint[] = [];
  for (const [column, check] of cellChecks) complaints.push(...cellComplaints(row, { places, column, check }));
  return [
    ...complaints,
    ...typeMissing(row, places),
    ...targetComplaints(row, header, targets),
    ...emailComplaints(row, places),
    ...lostCharacters(row),
  ];
}

function widthMessage(found: number, expected: number): string {
  const hint = found > expected ? '; a field with a comma in it has to be quoted' : '';
  return `the row has ${found} ${found === 1 ? 'field' : 'fields'} and the header ${expected}${hint}`;
}

function cellComplaints(
  row: readonly string[],
  { places, column, check }: { readonly places: ColumnPlaces; readonly column: CsvColumn; readonly check: CellCheck },
): CellComplaint[] {
  const field = places[column];
  const text = field === undefined ? '' : (row[field] ?? '');
  const rest = text === '' ? undefined : check(text);
  if (field === undefined || rest === undefined) return [];
  return [{ field, rule: 'csv-value', message: `${column} is ${quote(text)}${rest}` }];
}

function typeMissing(row: readonly string[], { type }: ColumnPlaces): CellComplaint[] {
  if (type === undefined || row[type] !== '') return [];
  return [{ field: type, rule: 'csv-value', message: 'type is empty: expected call, text, email or ping' }];
}

function targetComplaints(row: readonly string[], header: Header, targets: TargetChecks): CellComplaint[] {
  const { places } = header;
  const type = row[places.type ?? -1] ?? '';
  const check = isTaskType(type) ? targets[type] : undefined;
  if (check === undefined) return [];
  const { target: field } = places;
  // A column that is missing may be one with a misspelt name, which has been told.
  if (field === undefined && header.complaints.length > 0) return [];
  if (field === undefined || row[field] === '') {
    const message = `a task of the type ${type} needs a target${check('') ?? ''}`;
    return [{ ...(field === undefined ? {} : { field }), rule: 'csv-target', message }];
  }
  return cellComplaints(row, { places, column: 'target', check });
}

function emailComplaints(row: readonly string[], places: ColumnPlaces): CellComplaint[] {
  if (row[places.type ?? -1] === 'email') {
    return cellComplaints(row, { places, column: 'meta.email.attachments', check: attachmentsComplaint });
  }
  return emailColumns.flatMap((column) => {
    const field = places[column];
    if (field === undefined || row[field] === '') return [];
    return [{ field, rule: 'csv-value', message: `${column} is for tasks of the type email only` }];
  });
}

/** Where bytes are no UTF-8 the decoder leaves U+FFFD. One that was there before marks a loss that came earlier. */
function lostCharacters(row: readonly string[]): CellComplaint[] {
  const field = row.findIndex((text) => text.includes('\ufffd'));
  if (field < 0) return [];
  const message = 'a character is lost here: save the file as UTF-8';
  return [{ field, rule: 'csv-encoding', message }];
}
