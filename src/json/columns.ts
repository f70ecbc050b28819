import { grouped, isJsonObject } from './json.ts';

/**
 * A list of JSON values with few different shapes, such as the facts about manifests, stored by column. Parts that are
 * equal in all values are stored once. Reading columns takes a fraction of the time and memory of reading separate
 * values.
 */
type Columns =
  | readonly [type: 'same', value: unknown]
  | readonly [type: 'each', values: readonly unknown[]]
  | readonly [type: 'object', same: Readonly<Record<string, unknown>>, columns: Readonly<Record<string, Columns>>]
  | readonly [type: 'list', same: readonly unknown[], columns: Readonly<Record<string, Columns>>]
  | readonly [type: 'mixed', shapes: readonly number[], columnsOfShapes: readonly Columns[]];

/** Reads the value at an index. The returned values share the objects for their equal parts. */
export type ReadColumns = (index: number) => unknown;

/** Makes a reader for the parsed JSON of `columnsOf`. Undefined for any other value. */
export function columnReader(columns: unknown): ReadColumns | undefined {
  return isColumns(columns) ? readerOf(columns) : undefined;
}

export function columnsOf(values: readonly unknown[]): Columns {
  const [first] = values;
  if (values.every((value) => value === first)) return ['same', first];
  const shapes = values.map(shapeOf);
  const byShape = grouped(shapes.keys(), (index) => shapes[index]);
  if (byShape.size > maxShapes) return ['each', values];
  if (byShape.size === 1) return columnsOfShape(values);
  const numbers = new Map([...byShape.keys()].map((shape, number) => [shape, number]));
  return [
    'mixed',
    shapes.map((shape) => numbers.get(shape) ?? 0),
    [...byShape.values()].map((indexes) => columnsOfShape(indexes.map((index) => values[index]))),
  ];
}

/** The maximum number of shapes. With more shapes, separate values take less space than columns. */
const maxShapes = 16;

/** Returns the same key for objects with the same member names in the same order, and for lists of the same length. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}`;
  // In the result, an assignment to `__proto__` would set the prototype.
  const isPlain = isJsonObject(value) && !Object.hasOwn(value, '__proto__');
  return isPlain ? `{${namesOf(value).join('\n')}` : '';
}

function columnsOfShape(values: readonly unknown[]): Columns {
  const [first] = values;
  const shape = shapeOf(first);
  if (shape === '' || values.length === 1) return ['each', values];
  if (Array.isArray(first)) {
    const lists = values.filter((value): value is unknown[] => Array.isArray(value));
    const parts = first.map((_, at) => [String(at), columnsOf(lists.map((list) => list[at]))] as const);
    const { same, columns } = divided(parts);
    const list = parts.map(([at]) => same[at] ?? null);
    return columns.length === 0 ? ['same', list] : ['list', list, Object.fromEntries(columns)];
  }
  const objects = values.filter(isJsonObject);
  const names = objects.slice(0, 1).flatMap(namesOf);
  const { same, columns } = divided(names.map((name) => [name, columnsOf(objects.map((one) => one[name]))] as const));
  return columns.length === 0 ? ['same', same] : ['object', same, Object.fromEntries(columns)];
}

function namesOf(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

/**
 * Separates the parts that are equal in all values from the parts that differ. Returns the equal parts, with null in
 * place of the differing parts, and the columns of the differing parts.
 */
function divided(parts: readonly (readonly [string, Columns])[]) {
  const same = Object.fromEntries(parts.map(([name, [type, value]]) => [name, type === 'same' ? value : null]));
  return { same, columns: parts.filter(([, [type]]) => type !== 'same') };
}

function isColumns(value: unknown): value is Columns {
  if (!Array.isArray(value)) return false;
  const [type, same, columns]: unknown[] = value;
  if (type === 'same') return true;
  if (type === 'each') return Array.isArray(same);
  if (type === 'mixed') return Array.isArray(same) && Array.isArray(columns) && columns.every(isColumns);
  const isShape = type === 'object' ? isJsonObject(same) : type === 'list' && Array.isArray(same);
  return isShape && isJsonObject(columns) && Object.values(columns).every(isColumns);
}

function readerOf(columns: Columns): ReadColumns {
  if (columns[0] === 'same') return () => columns[1];
  if (columns[0] === 'each') return (index) => columns[1][index];
  if (columns[0] === 'mixed') return mixedReader(columns[1], columns[2].map(readerOf));
  const readers = Object.entries(columns[2]).map(([name, one]) => [name, readerOf(one)] as const);
  if (columns[0] === 'object') {
    const [, same] = columns;
    return (index) => {
      const value: Record<string, unknown> = { ...same };
      for (const [name, read] of readers) value[name] = read(index);
      return value;
    };
  }
  const [, same] = columns;
  return (index) => {
    const value = [...same];
    for (const [at, read] of readers) value[Number(at)] = read(index);
    return value;
  };
}

function mixedReader(shapes: readonly number[], readers: readonly ReadColumns[]): ReadColumns {
  const counts = readers.map(() => 0);
  const ranks = shapes.map((shape) => {
    const rank = counts[shape] ?? 0;
    counts[shape] = rank + 1;
    return rank;
  });
  return (index) => readers[shapes[index] ?? 0]?.(ranks[index] ?? 0);
}
