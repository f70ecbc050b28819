import { STATUS_CODES } from 'node:http';
import { excessIn, maxDepth, problemIn } from '../json/document.ts';
import { isJsonObject, type Json, type JsonObject, withoutUndefined } from '../json/json.ts';
import { seconds } from '../text/time.ts';
import { formatNumber } from '../text/wording.ts';
import type { Call } from './call.ts';
import { type Attempted, type Failure, fail, type Reason } from './failure.ts';
import { readRetryAfter } from './retry.ts';
import type { Body, BodyProblem, Reply } from './transport.ts';

/**
 * Decodes a reply. Returns the value, or the reason why the call failed. A status outside 200-299 is a failure. A 2xx
 * with `success: false` (specification, "Errors") or with an unusable body is also a failure. `quote` prepares the
 * service's message for display. If `quote` is omitted, the message is unchanged.
 */
export function readAnswer<T>(reply: Reply, { check, method, isAnswerOpen = false, quote }: Answered<T>): Attempted<T> {
  if (!hasSucceeded(reply)) return fail(failureOfStatus(reply));
  const parsed = isAnswerOpen ? parseOpenBody(reply.body) : parseBody(reply.body);
  if ('problem' in parsed) return fail(undecodable(reply, parsed));
  const { json, note = '' } = parsed;
  if (isJsonObject(json)) {
    if (json.success === false) return fail(unsuccessful(reply, json));
    // A write with `success: true` was carried out, so its errors are only shown. A read with errors may lack values
    // that the service has, and a plan would set these values again (decision 149).
    const failsOnErrors = json.success !== true || method === 'GET';
    if (failsOnErrors && errorsIn(json).length > 0) return fail(erroneous(reply, json));
  }
  const checked = check(method === 'GET' ? json : withTextMessage(json, quote));
  if (checked.fits) return { ok: true, value: checked.value };
  return fail(undecodable(reply, { reason: 'misshapen', problem: `not as specified: ${checked.problem}${note}` }));
}

/**
 * Prepares the message of a write for display. With `success: true`, the write was carried out, so a message that is not
 * a text does not make the outcome unclear. Without `quote`, a text stays unchanged.
 */
function withTextMessage(json: unknown, quote: Answered<unknown>['quote']): unknown {
  if (!isJsonObject(json)) return json;
  const { message = null, success } = json;
  if (quote === undefined && (message === null || typeof message === 'string')) return json;
  const said = messageOf(json);
  if (said !== undefined) return { ...json, message: quote === undefined ? said : quote(said) };
  return success === true && message !== null ? { ...json, message: null } : json;
}

export function hasSucceeded({ status }: Pick<Reply, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

interface Answered<T> extends Pick<Call<T>, 'check' | 'isAnswerOpen' | 'method'> {
  readonly quote: ((message: string) => string) | undefined;
}

function failureOfStatus({ status, headers, body }: Reply): Failure {
  const reason = reasonOfStatus(status);
  if (reason === 'misshapen') return { reason, status, what: `${answered(status)}${hintOfStatus(status, headers)}` };
  const retryAfterMs = readRetryAfter(headers);
  const wait = retryAfterMs === undefined ? '' : `, asking to wait ${seconds(retryAfterMs)}`;
  return {
    reason,
    status,
    what: `${answered(status)}${wait}`,
    ...withoutUndefined({ retryAfterMs, message: messageIn(body) }),
  };
}

function reasonOfStatus(status: number): Reason {
  if (status === 429) return 'throttled';
  if (status === 408) return 'late';
  if (status >= 500) return 'unavailable';
  return status >= 400 ? 'refused' : 'misshapen';
}

/** The statuses that name another URL in the header Location. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns a hint about a 1xx or 3xx. The hint does not quote the Location header, which may contain the query. */
function hintOfStatus(status: number, { location }: Reply['headers']): string {
  const isRedirect = redirects.has(status) && location !== undefined;
  const what = isRedirect ? 'a redirect, which is not followed' : 'which is not a response to this request';
  return `, ${what}; check the base URL${isRedirect ? '' : ', and any proxy'}`;
}

function unsuccessful({ status }: Reply, body: unknown): Failure {
  const what = `the service returned ${status} with "success": false`;
  return { reason: 'refused', status, what, ...withoutUndefined({ message: wordsIn(body) }) };
}

/** Makes the failure for a body with errors. Some services return errors with status 200. */
function erroneous(reply: Reply, body: JsonObject): Failure {
  const problem = body.success === true ? 'a result with errors' : 'an error instead of a result';
  const failure = undecodable(reply, { reason: 'misshapen', problem });
  return { ...failure, ...withoutUndefined({ message: wordsIn(body) }) };
}

function undecodable(
  { status }: Reply,
  { reason, problem }: { readonly reason: Reason; readonly problem: string },
): Failure {
  return { reason, status, what: `the service returned ${status} with a body that is ${problem}` };
}

/** `note` explains a difference between `json` and the text. It is added to a problem with the value. */
type Parsed =
  | { readonly json: unknown; readonly note?: string }
  | { readonly reason: Reason; readonly problem: string };

/** The reasons for problems with a body that a retry would not solve. */
const lasting: Readonly<Partial<Record<BodyProblem, Reason>>> = {
  'too large': 'oversized',
  'compressed in an unknown way': 'misshapen',
};

/**
 * The maximum number of values in a response. No valid response has that many. The number is checked before parsing,
 * because a few megabytes of brackets would become gigabytes of objects.
 */
const maxValues = 50_000;

function parseBody(body: Body): Parsed {
  const read = textIn(body);
  if ('problem' in read) return { reason: lasting[read.problem] ?? 'garbled', problem: read.problem };
  const { text } = read;
  const excess = excessIn(text, maxValues);
  if (excess === 'depth') return { reason: 'misshapen', problem: `nested more than ${maxDepth} levels deep` };
  if (excess === 'values') return { reason: 'oversized', problem: `of more than ${formatNumber(maxValues)} values` };
  try {
    const parsed: unknown = JSON.parse(text);
    // An integer above 2^53 has at least 16 digits.
    const exact = /\d{16}/.test(text) ? withLargeIntegersAsTexts(text) : text;
    const json: unknown = exact === text ? parsed : JSON.parse(exact);
    if (problemIn(json) !== undefined) return { reason: 'misshapen', problem: 'JSON with a number that is too large' };
    return exact === text ? { json } : { json, note: ' (integers above 2^53 count as strings)' };
  } catch {
    // The error of JSON.parse is dropped, because it quotes the text.
    return { reason: 'garbled', problem: problemOfText(text) };
  }
}

/**
 * Puts quotes around the integers in a JSON text that would lose digits as numbers, because they may be ids. The text
 * must be valid JSON.
 */
function withLargeIntegersAsTexts(text: string): string {
  let [exact, at] = ['', 0];
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"') {
      for (index += 1; text[index] !== '"'; index += 1) if (text[index] === '\\') index += 1;
      continue;
    }
    jsonNumber.lastIndex = index;
    const [literal = ''] = jsonNumber.exec(text) ?? [];
    if (literal === '') continue;
    if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal))) {
      exact += `${text.slice(at, index)}"${literal}"`;
      at = index + literal.length;
    }
    index += literal.length - 1;
  }
  return exact + text.slice(at);
}

const jsonNumber = /-?\d[\d.eE+-]*/y;

/** Decodes a body. Invalid UTF-8 is an error, because replacement characters would look like changes on the service. */
function textIn(body: Body): { readonly text: string } | { readonly problem: BodyProblem; readonly text?: never } {
  if ('problem' in body) return body;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(body.bytes) };
  } catch {
    return { problem: 'not UTF-8' };
  }
}

/**
 * Parses a body whose shape is not specified. An empty body, plain text, and JSON other than an object count as `{}`.
 */
function parseOpenBody(body: Body): Parsed {
  const read = textIn(body);
  if ('text' in read ? isOtherText(read.text) : read.problem === 'not UTF-8') return { json: {} };
  const parsed = parseBody(body);
  return 'json' in parsed && !isJsonObject(parsed.json) ? { json: {} } : parsed;
}

/** Returns whether a text looks like neither JSON nor an HTML page. Checks only how the text begins. */
function isOtherText(text: string): boolean {
  return !/^[{["]/.test(text.trimStart()) && !isMarkup(text);
}

function problemOfText(text: string): string {
  if (text.trim() === '') return 'empty';
  return isMarkup(text) ? 'HTML instead of JSON; check the base URL' : 'not JSON, or incomplete';
}

function answered(status: number): string {
  const phrase = STATUS_CODES[status];
  return `the service returned ${status}${phrase === undefined ? '' : ` ${phrase}`}`;
}

/** Returns the service's message: the words of a JSON body, or plain text that is not a page. */
function messageIn(body: Body): string | undefined {
  const parsed = parseBody(body);
  if ('json' in parsed) return wordsIn(parsed.json);
  const text = textIn(body).text ?? '';
  return text.trim() !== '' && !isMarkup(text) ? text : undefined;
}

/**
 * Returns the words in the body of a failure, without repetitions. Frameworks write them to `message`, `error`, `errors`
 * or `detail` (RFC 9457), as a text or a list.
 */
function wordsIn(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const { message, error, errors, detail } = body;
  return [...new Set([message, error, errors, detail].flat().flatMap(errorTextOf))].join('; ') || undefined;
}

/** Returns the message in a successful response, with the errors that the service reports beside its success. */
export function messageOf(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const errors = errorsIn(body);
  const { message, success } = body;
  if (errors.length > 0) return [...textsIn(message), `errors: ${errors.join('; ')}`].join('; ');
  if (typeof message === 'string') return message;
  return success === true ? [message].flat().flatMap(errorTextOf).join('; ') || undefined : undefined;
}

/** Returns the texts of `error` and `errors`. An empty list or object, null, false, 0 and '' are not errors. */
function errorsIn({ error, errors }: JsonObject): string[] {
  return [error, errors].flat().flatMap(errorTextOf);
}

function errorTextOf(error: Json | undefined): string[] {
  if (!error || (typeof error === 'object' && Object.keys(error).length === 0)) return [];
  if (typeof error !== 'object') return textsIn(String(error));
  const message = isJsonObject(error) ? textsIn(error.message) : [];
  return message.length > 0 ? message : [JSON.stringify(error)];
}

function textsIn(value: Json | undefined): string[] {
  return typeof value === 'string' && value.trim() !== '' ? [value] : [];
}

function isMarkup(text: string): boolean {
  return text.trimStart().startsWith('<');
}
