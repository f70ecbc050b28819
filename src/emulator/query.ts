import { isJsonObject } from '../kinds/json.ts';
import { Refusal } from './refusal.ts';

/** The value of a query parameter; undefined when it is absent. Given twice, it has no one value: 400. */
export function queryParameter(query: unknown, name: string): string | undefined {
  const value: unknown = isJsonObject(query) ? query[name] : undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new Refusal(400, `the query parameter ${name} is given more than once`);
}
