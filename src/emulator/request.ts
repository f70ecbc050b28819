import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { excessIn } from '../json/document.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { Validator, Violation } from '../schemas/validator.ts';
import { Refusal } from './errors.ts';

/** The maximum depth of a body. The data file adds a few levels, and may have at most 100. */
const maxBodyDepth = 80;

/** Parses JSON in a request. Throws a Refusal (400) for other text, and for JSON that the data file could not keep. */
export function parsedJsonBody(text: string): unknown {
  if (excessIn(text, Number.POSITIVE_INFINITY, maxBodyDepth) === 'depth') {
    throw new Refusal(400, `the body is nested more than ${maxBodyDepth} levels deep`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'the body is not valid JSON');
  }
}

const shownViolations = 5;

/**
 * Returns the body if it matches the schema. Otherwise throws a Refusal (400) that lists the invalid places and the
 * violated rules.
 */
export function checkedBody(validator: Validator, body: unknown): JsonObject {
  if (!isJsonObject(body)) throw new Refusal(400, 'the body must be a JSON object');
  if (validator(body)) return body;
  throw new Refusal(400, `the body is invalid: ${describeViolations(validator.errors ?? [])}`);
}

/** Describes the first violations with their places and rules, and gives the number of other violations. */
export function describeViolations(violations: readonly Violation[]): string {
  // In addition to the violation inside a branch, ajv reports a violation of `if`.
  const sentences = [...new Set(violations.filter(({ keyword }) => keyword !== 'if').map(describeViolation))];
  const more = sentences.length - shownViolations;
  return sentences.slice(0, shownViolations).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function describeViolation({ instancePath, keyword, params, message = keyword }: Violation): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty} is required`;
  if (keyword === 'additionalProperties') return `${instancePath}/${params.additionalProperty} is not allowed`;
  if (keyword === 'enum') return `${instancePath} must be one of ${listValues(params.allowedValues)}`;
  if (keyword === 'const') return `${instancePath} must be ${JSON.stringify(params.allowedValue)}`;
  return `${instancePath || '/'} ${message}`;
}

function listValues(values: unknown): string {
  return (Array.isArray(values) ? values : []).map((value) => JSON.stringify(value)).join(', ');
}

/** Throws a Refusal for an invalid `email`. A missing `email` is allowed. */
export function checkEmail({ email }: JsonObject): void {
  if (typeof email !== 'string' || /^[^\s@]+@[^\s@]+$/.test(email)) return;
  throw new Refusal(400, 'the body is invalid: /email must be an email address');
}

export const formDataType = 'multipart/form-data';

/** Makes the routes of this scope accept only multipart forms. */
export function acceptFormData(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser(formDataType, { parseAs: 'buffer' }, parseFormData);
}

/**
 * Whether a body is a FormData. Avoids the global `FormData`, because its first use loads all of Node's fetch, which
 * takes 20 ms.
 */
export function isFormData(body: unknown): body is FormData {
  return typeof body === 'object' && body !== null && Symbol.toStringTag in body;
}

/** Parses a form with Node's form parser, which is available through a Response. */
async function parseFormData({ headers }: FastifyRequest, body: Buffer): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  } catch {
    throw new Refusal(400, 'the multipart body is malformed');
  }
}

/**
 * Returns the value of a query parameter, or undefined if the parameter is absent. Throws a Refusal with status 400 if
 * the parameter is repeated.
 */
export function queryParameter(query: unknown, name: string): string | undefined {
  const value: unknown = isJsonObject(query) ? query[name] : undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new Refusal(400, `the query parameter ${name} is given more than once`);
}

const loopbackAddress = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/;

/** Whether the peer's IP address belongs to this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && loopbackAddress.test(address);
}

/** Whether a Host header, with or without a port, names this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = host === undefined ? undefined : hostNameOf(host);
  return name === 'localhost' || isLoopbackAddress(name);
}

/** Checks whether the host in a Host or Origin header is a name of this emulator. */
export type IsOwnHost = (host: string | undefined) => boolean;

/**
 * Makes a check for the names of an emulator that listens on `bound`: loopback names, `bound` and `allowed`. Ignores
 * ports, because a tunnel or container may use another port. An emulator on all addresses also accepts every IP
 * address, because DNS rebinding needs a host name.
 */
export function ownHosts(bound: string, allowed: readonly string[]): IsOwnHost {
  const names = new Set([bound, ...allowed].map((host) => hostNameOf(inBrackets(host))));
  const isEverywhere = bound === '0.0.0.0' || bound === '::';
  return (host) => {
    const name = host === undefined ? undefined : hostNameOf(host);
    if (host === undefined || name === undefined) return false;
    return isLoopbackHost(host) || names.has(name) || (isEverywhere && isIP(name) !== 0);
  };
}

/**
 * Whether a string is a host name or an IP address, without a scheme, a port or a path. The brackets around an IPv6
 * address are optional.
 */
export function isHostName(text: string): boolean {
  const host = inBrackets(text);
  return /^(?:[\w.-]+|\[[^[\]]+\])$/.test(host) && hostNameOf(host) !== undefined;
}

/** Adds the brackets that a URL needs around an IPv6 address. */
function inBrackets(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Returns the name in a Host header, without the port, or undefined if the header is invalid. */
export function hostNameOf(host: string): string | undefined {
  const url = `http://${host}`;
  // A browser never sends these characters, and these characters would change how the URL is parsed.
  if (/[/?#@\\\s]/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
