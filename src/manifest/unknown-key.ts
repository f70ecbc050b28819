import { type FieldSchema, fieldsByKind } from '../schemas/fields.ts';
import { knownKeys } from '../schemas/known-keys.ts';
import { didYouMean, nearest } from './suggest.ts';
import { listOf, quote } from './wording.ts';

/** The keys that the schema knows at a place of a file of the kind (`Project` for agentform.yaml). */
export function keysAt(kind: string, steps: readonly string[]): readonly string[] {
  const patterns = Object.entries(knownKeys[kind] ?? {});
  return patterns.find(([pattern]) => fits(pattern.split('/').slice(1), steps))?.[1] ?? [];
}

/** What to say about a key that the schema does not know: the place where it belongs, or the name that is meant. */
export function unknownKeyMessage(kind: string, steps: readonly string[], place: string): string {
  const key = steps.at(-1) ?? '';
  const found = `unknown key ${quote(key)}${place === '' ? '' : ` in ${place}`}`;
  const known = keysAt(kind, steps.slice(0, -1));
  const sameButCase = known.find((name) => name.toLowerCase() === key.toLowerCase());
  if (sameButCase !== undefined) return `${found}${didYouMean(key, [sameButCase])}`;
  const home = homeOf(kind, key, steps);
  if (home !== undefined) return `${found}: it belongs ${home}`;
  const hint = didYouMean(key, known) || fromElsewhere(kind, key);
  return (
    found + (hint || (known.length > 0 && known.length <= 6 ? `: allowed are ${listOf(known.map(quote), 'and')}` : ''))
  );
}

/** A key whose value may be a credential that was mistyped into the wrong place. */
export function looksSensitive(kind: string, steps: readonly string[]): boolean {
  const key = steps.at(-1) ?? '';
  const near = nearest(key, keysAt(kind, steps.slice(0, -1)));
  return near === 'token' || /token|secret|password|api[-_]?key/i.test(key);
}

function fits(pattern: readonly string[], steps: readonly string[]): boolean {
  return pattern.length === steps.length && pattern.every((part, index) => part === '*' || part === steps[index]);
}

function homeOf(kind: string, key: string, steps: readonly string[]): string | undefined {
  const isTop = steps.length === 1 || (steps[0] === 'environments' && steps.length === 3);
  const field = fieldsOf(kind).find(({ name }) => name === key);
  if (field !== undefined && !field.isSection) return `under ${quote(field.section)}`;
  if (!isTop && keysAt(kind, []).includes(key)) return 'at the top level of the file';
  return undefined;
}

/** A misspelt key of another section. */
function fromElsewhere(kind: string, key: string): string {
  const fields = fieldsOf(kind);
  const name = nearest(
    key,
    fields.map((field) => field.name),
  );
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) return '';
  return `; did you mean '${field.name}'${field.isSection ? ' at the top level' : ` under '${field.section}'`}?`;
}

function fieldsOf(kind: string): readonly FieldSchema[] {
  return Object.entries(fieldsByKind).find(([name]) => name === kind)?.[1] ?? [];
}
