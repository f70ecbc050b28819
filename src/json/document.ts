import { formatNumber } from '../text/wording.ts';
import type { Check } from './check.ts';
import { isJsonObject } from './json.ts';

/**
 * A parsed document, or the reason why the document is unusable. The problem completes a sentence such as "the plan
 * FILE cannot be read: ...".
 */
export type DocumentResult<T> =
  | { readonly fits: true; readonly value: T }
  | {
      readonly fits: false;
      readonly problem: string;
      /** The format version of a document that a newer agentform wrote. */
      readonly newer?: number;
    };

interface DocumentFormat<T> {
  /** The newest `formatVersion` that this version of agentform reads. */
  readonly newest: number;
  readonly check: Check<T>;
  /** The maximum number of values in the document. The limit bounds the memory use. */
  readonly maxValues?: number;
}

/** Reads a JSON document that agentform wrote. For a newer format version, the problem names both versions. */
export function readDocument<T>(
  text: string,
  { newest, check, maxValues = maxDocumentValues }: DocumentFormat<T>,
): DocumentResult<T> {
  // Each value takes at least one character, so only a text longer than `maxValues` can have too many values. For a
  // shorter text, the depth is checked after parsing.
  const excess = text.length > maxValues ? excessIn(text, maxValues) : undefined;
  if (excess === 'depth') return { fits: false, problem: tooDeep };
  if (excess === 'values') {
    return { fits: false, problem: `it has more than ${formatNumber(maxValues)} values` };
  }
  const parsed = parseJson(text);
  if ('problem' in parsed) return { fits: false, problem: parsed.problem };
  const { json } = parsed;
  const problem = problemIn(json);
  if (problem !== undefined) return { fits: false, problem };
  const version = isJsonObject(json) ? json.formatVersion : undefined;
  if (typeof version !== 'number' || version <= newest) return check(json);
  const newer = `it has format version ${version}, but this agentform reads up to version ${newest}; upgrade agentform`;
  return { fits: false, problem: newer, newer: version };
}

/**
 * The default maximum number of values: twice the number in a plan of a thousand agents. This number of values fits in
 * memory.
 */
const maxDocumentValues = 1_000_000;

/** The maximum nesting depth. This depth exceeds the limit for manifests, but is small enough for recursive code. */
export const maxDepth = 100;
export const tooDeep = `its values are nested more than ${maxDepth} levels deep`;

/**
 * Finds problems that JSON.parse does not report: nesting that is too deep, or a number that is too large. JSON.parse
 * turns such a number into Infinity, and JSON.stringify would write Infinity as null.
 */
export function problemIn(json: unknown, depth = 0): string | undefined {
  if (typeof json === 'number' && !Number.isFinite(json)) return 'it has a number that is too large';
  if (typeof json !== 'object' || json === null) return undefined;
  if (depth === maxDepth) return tooDeep;
  for (const member of Object.values(json)) {
    const problem = problemIn(member, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Parses an untrusted text. Undefined if the text is not JSON, has too many values or is nested too deeply. */
export function parsedJson(text: string, maxValues = maxDocumentValues): unknown {
  if (excessIn(text, maxValues) !== undefined) return undefined;
  const parsed = parseJson(text);
  return 'json' in parsed && problemIn(parsed.json) === undefined ? parsed.json : undefined;
}

/** Parses JSON. Unlike the message of JSON.parse, the problem never quotes the text. */
function parseJson(text: string): { readonly json: unknown } | { readonly problem: string } {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return { problem: jsonProblem(text, String(error)) };
  }
}

function jsonProblem(text: string, message: string): string {
  if (text.trim() === '') return 'it is empty';
  const position = /at position (\d+)/.exec(message)?.[1];
  const isCut = /Unexpected end|Unterminated string/.test(message) || Number(position) >= text.trimEnd().length;
  if (isCut) return 'it is incomplete JSON';
  return `it is not JSON${position === undefined ? '' : ` (${positionIn(text, Number(position))})`}`;
}

function positionIn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  const column = `column ${(lines.at(-1)?.length ?? 0) + 1}`;
  // If the text has no line feeds, it may be one line of a saved plan. In that case, the caller adds the line number.
  return text.includes('\n') ? `line ${lines.length}, ${column}` : column;
}

/** Finds the first limit that a JSON text exceeds, in one pass. */
export function excessIn(json: string, max: number, deepest = maxDepth): 'depth' | 'values' | undefined {
  let [depth, values] = [0, 1];
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === quote) {
      for (index += 1; index < json.length && json.charCodeAt(index) !== quote; index += 1) {
        if (json.charCodeAt(index) === backslash) index += 1;
      }
    } else if (unit === openBracket || unit === openBrace) {
      depth += 1;
      values += 1;
      if (depth > deepest) return 'depth';
    } else if (unit === closeBracket || unit === closeBrace) depth -= 1;
    else if (unit === comma) values += 1;
    if (values > max) return 'values';
  }
  return undefined;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
