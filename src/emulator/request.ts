import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { Validator, Violation } from '../schemas/validator.ts';
import { Refusal } from './errors.ts';

const shownViolations = 5;

/** The body, if it fits the schema; otherwise a Refusal with status 400 that names each place and rule. */
export function checkedBody(validator: Validator, body: unknown): JsonObject {
  if (!isJsonObject(body)) throw new Refusal(400, 'the body must be a JSON object');
  if (validator(body)) return body;
  throw new Refusal(400, `the body is invalid: ${describeViolations(validator.errors ?? [])}`);
}

/** Each place and rule, as far as there is room. */
export function describeViolations(violations: readonly Violation[]): string {
  // `if` says only that another of them applies.
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

/** Refuses an `email` that is none. */
export function checkEmail({ email }: JsonObject): void {
  if (typeof email !== 'string' || /^[^\s@]+@[^\s@]+$/.test(email)) return;
  throw new Refusal(400, 'the body is invalid: /email must be an e-mail address');
}

export const formType = 'multipart/form-data';

/** Makes the routes of this scope take forms, and nothing else. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(formType, { parseAs: 'buffer' }, parseForm);
}

/** Without a mention of Node's FormData: that loads all of Node's fetch, 20 ms of a run that has no form. */
export function isForm(body: unknown): body is FormData {
  return typeof body === 'object' && body !== null && Symbol.toStringTag in body;
}

/** Node's own parser of forms is behind the Response. */
async function parseForm({ headers }: FastifyRequest, body: Buffer): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  } catch {
    throw new Refusal(400, 'the multipart body is malformed');
  }
}

/** The value of a query parameter; undefined when it is absent. Given twice, it has no one value: 400. */
export function queryParameter(query: unknown, name: string): string | undefined {
  const value: unknown = isJsonObject(query) ? query[name] : undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new Refusal(400, `the query parameter ${name} is given more than once`);
}
