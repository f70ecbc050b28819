import { isJsonObject } from '../kinds/json.ts';
import { mask } from '../kinds/secret.ts';

/** Members that hold credentials, of a numbering provider and of an integration. */
const credentials = new Set(['config', 'appData']);

/** Longest text that is kept of a body: attachments are large. */
const longestText = 100_000;

/** A body as it may be seen: credentials masked, of a file its name and size, and none is null. */
export function maskedBody(body: unknown): unknown {
  if (!(body instanceof FormData)) return withoutCredentials(body ?? null);
  return Object.fromEntries([...body].map(([name, part]) => [name, shownPart(part)]));
}

/** The value with a mask for each value within `config` and `appData`, whose own members stay to be seen. */
export function withoutCredentials(value: unknown): unknown {
  return mapped(value, (name, member) => (credentials.has(name) ? masked(member) : withoutCredentials(member)));
}

function masked(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? mapped(value, (_name, member) => masked(member)) : mask;
}

function mapped(value: unknown, shown: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => shown('', item));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(name, one)]));
  return typeof value === 'string' && value.length > longestText ? `(${value.length} characters)` : value;
}

function shownPart(part: File | string): unknown {
  return typeof part === 'string' ? part : { fileName: part.name, size: part.size };
}
