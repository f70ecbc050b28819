import { STATUS_CODES } from 'node:http';
import { excessIn, maxDepth, problemIn } from '../json/document.ts';
import { isJsonObject, type JsonObject, withoutUndefined } from '../json/json.ts';
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
export function readAnswer<T>(reply: Reply, { check, isAnswerOpen = false, quote }: Answered<T>): Attempted<T> {
  if (!hasSucceeded(reply)) return fail(failureOfStatus(reply));
  const parsed = isAnswerOpen ? parseOpenBody(reply.body) : parseBody(reply.body);
  if ('problem' in parsed) return fail(undecodable(reply, parsed));
  if (isJsonObject(parsed.json) && parsed.json.success === false) return fail(unsuccessful(reply, parsed.json));
  const { json } = parsed;
  if (isError(json)) return fail(erroneous(reply, json));
  const isMessage = quote !== undefined && isJsonObject(json) && typeof json.message === 'string';
  const checked = check(isMessage ? { ...json, message: quote(String(json.message)) } : json);
  if (!checked.fits)
    return fail(undecodable(reply, { reason: 'misshapen', problem: `not as specified: ${checked.problem}` }));
  return { ok: true, value: checked.value };
}

export function hasSucceeded({ status }: Pick<Reply, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

interface Answered<T> extends Pick<Call<T>, 'check' | 'isAnswerOpen'> {
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
  const what = isRedirect ? 'a redirect, which is not followed' : 'which does not answer this request';
  return `, ${what}; check the base URL${isRedirect ? '' : ', and any proxy'}`;
}

function unsuccessful({ status }: Reply, body: unknown): Failure {
  const what = `the service answered ${status} with "success": false`;
  return { reason: 'refused', status, what, ...withoutUndefined({ message: messageMember(body) }) };
}

/**
 * Whether a body has an `error` or `errors` that is not empty, and does not claim success. Some services answer errors
 * with status 200.
 */
function isError(body: unknown): body is JsonObject {
  if (!isJsonObject(body) || body.success === true) return false;
  return [body.error, body.errors].some((one) => one && (typeof one !== 'object' || Object.keys(one).length > 0));
}

function erroneous(reply: Reply, body: JsonObject): Failure {
  const failure = undecodable(reply, { reason: 'misshapen', problem: 'an error instead of a result' });
  const message = messageMember(body) ?? messageMember(body.error) ?? messageMember({ message: body.error ?? null });
  return { ...failure, ...withoutUndefined({ message }) };
}

function undecodable(
  { status }: Reply,
  { reason, problem }: { readonly reason: Reason; readonly problem: string },
): Failure {
  return { reason, status, what: `the service answered ${status} with a body that is ${problem}` };
}

type Parsed = { readonly json: unknown } | { readonly reason: Reason; readonly problem: string };

/** The problems with a body that a retry would not solve. */
const lasting: ReadonlySet<string> = new Set<BodyProblem>(['too large', 'compressed in an unknown way']);

/**
 * The maximum number of values in a response. No valid response has that many. The number is checked before parsing,
 * because a few megabytes of brackets would become gigabytes of objects.
 */
const maxValues = 50_000;

function parseBody(body: Body): Parsed {
  const read = textIn(body);
  if ('problem' in read) return { reason: lasting.has(read.problem) ? 'misshapen' : 'garbled', problem: read.problem };
  const { text } = read;
  const excess = excessIn(text, maxValues);
  if (excess === 'depth') return { reason: 'misshapen', problem: `nested more than ${maxDepth} levels deep` };
  if (excess === 'values') return { reason: 'misshapen', problem: `of more than ${formatNumber(maxValues)} values` };
  try {
    const json: unknown = JSON.parse(text);
    if (problemIn(json) === undefined) return { json };
    return { reason: 'misshapen', problem: 'JSON with a number that is too large' };
  } catch {
    // The error of JSON.parse is dropped, because it quotes the text.
    return { reason: 'garbled', problem: problemOfText(text) };
  }
}

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
  return `the service answered ${status}${phrase === undefined ? '' : ` ${phrase}`}`;
}

/** Returns the service's message: `message` in a JSON body, or plain text that is not a page. */
function messageIn(body: Body): string | undefined {
  const parsed = parseBody(body);
  if ('json' in parsed) return messageMember(parsed.json);
  const text = textIn(body).text ?? '';
  return text.trim() !== '' && !isMarkup(text) ? text : undefined;
}

function messageMember(body: unknown): string | undefined {
  const message = isJsonObject(body) ? body.message : undefined;
  return typeof message === 'string' && message.trim() !== '' ? message : undefined;
}

function isMarkup(text: string): boolean {
  return text.trimStart().startsWith('<');
}
