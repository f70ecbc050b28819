import type { Check } from './check.ts';
import { isJsonObject } from './json.ts';

/** What a text holds, or why it cannot be used: the end of a sentence that begins "the plan FILE cannot be read: ". */
export type DocumentReading<T> =
  | { readonly fits: true; readonly value: T }
  | {
      readonly fits: false;
      readonly flaw: string;
      /** The format version of a document that a newer agentform wrote. */
      readonly newer?: number;
    };

export interface DocumentForm<T> {
  /** The newest `formatVersion` that this agentform reads. */
  readonly newest: number;
  readonly check: Check<T>;
}

/** Reads a JSON document that agentform wrote, of this format version or an older one. */
export function readDocument<T>(text: string, { newest, check }: DocumentForm<T>): DocumentReading<T> {
  const parsed = parseJson(text);
  if ('flaw' in parsed) return { fits: false, flaw: parsed.flaw };
  const { json } = parsed;
  const flaw = flawOfValues(json);
  if (flaw !== undefined) return { fits: false, flaw };
  const version = isJsonObject(json) ? json.formatVersion : undefined;
  if (typeof version !== 'number' || version <= newest) return check(json);
  const newer = `it has format version ${version} and this agentform reads up to ${newest}; upgrade agentform`;
  return { fits: false, flaw: newer, newer: version };
}

/** Values of manifests nest up to 64 levels deep. */
const maxDepth = 100;

/**
 * What no JSON text of ours holds: values so deep that whoever goes down them runs out of stack, and numbers that JSON
 * reads as infinite, which are written as null. A loop, because recursion is what it guards against.
 */
function flawOfValues(json: unknown): string | undefined {
  const open: Array<readonly [value: unknown, depth: number]> = [[json, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    if (depth > maxDepth) return `its values nest more than ${maxDepth} levels deep`;
    if (typeof value === 'number' && !Number.isFinite(value)) return 'it has a number that is too large';
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) open.push([member, depth + 1]);
  }
  return undefined;
}

/** JSON.parse quotes the text in its message, so nothing but the position is taken from it. */
function parseJson(text: string): { readonly json: unknown } | { readonly flaw: string } {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return { flaw: flawOfJson(text, String(error)) };
  }
}

function flawOfJson(text: string, message: string): string {
  if (text.trim() === '') return 'it is empty';
  const position = /at position (\d+)/.exec(message)?.[1];
  const isCut = /Unexpected end|Unterminated string/.test(message) || Number(position) >= text.trimEnd().length;
  if (isCut) return 'it is only the beginning of a JSON text';
  return `it is not JSON${position === undefined ? '' : ` (${placeIn(text, Number(position))})`}`;
}

function placeIn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
