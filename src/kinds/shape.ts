import type { Validator, Violation } from '../schemas/validator.ts';
import { allowedBy, byPlace } from './allowed.ts';
import { isJsonObject } from './json.ts';
import { parsePointer } from './pointer.ts';
import { listOf, quote, shorten } from './wording.ts';

/** Checks a value against its schema: the value, typed, or what is wrong with it, where and what is allowed. */
export type Check<T> = (
  value: unknown,
) => { readonly fits: true; readonly value: T } | { readonly fits: false; readonly flaw: string };

export interface CheckOptions {
  /** Whether a text that does not fit is repeated in the flaw; otherwise only that it is one. */
  readonly showTexts: boolean;
}

/** The border between a value and its type: the only place that trusts a validator to speak for T. */
export function checkedBy<T>(validator: Validator, options: CheckOptions): Check<T> {
  return (value) =>
    validator(value)
      ? { fits: true, value: value as T }
      : { fits: false, flaw: flawOf(value, validator.errors ?? [], options) };
}

/** Tells of the first place that does not fit, and how many others there are. */
function flawOf(value: unknown, violations: readonly Violation[], options: CheckOptions): string {
  const [first, ...others] = byPlace(violations.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'if'));
  if (first === undefined) return 'it does not fit its schema';
  const more = others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'place' : 'places'})`;
  return `${sentenceOf(value, first, options)}${more}`;
}

function sentenceOf(root: unknown, [pointer, violations]: [string, Violation[]], options: CheckOptions): string {
  const steps = parsePointer(pointer);
  const missing = violations.flatMap(({ params }) => (params.missingProperty === undefined ? [] : [params]));
  if (missing.length > 0) {
    const names = missing.map(({ missingProperty }) => pathText([...steps, String(missingProperty)]));
    return `${listOf(names, 'and')} ${names.length === 1 ? 'is' : 'are'} missing`;
  }
  const unknown = violations.find(({ keyword }) => keyword === 'additionalProperties')?.params.additionalProperty;
  if (unknown !== undefined) return `unknown key ${pathText([...steps, String(unknown)])}`;
  return `${pathText(steps)} is ${found(valueAt(root, steps), options)}: expected ${allowedBy(violations)}`;
}

/** `resources[0].changes[2].op`; a name that is no word is quoted. */
function pathText(steps: readonly string[]): string {
  if (steps.length === 0) return 'it';
  return steps.reduce((text, step) => {
    if (/^\d+$/.test(step)) return `${text}[${step}]`;
    if (!/^[\w-]+$/.test(step)) return `${text}[${quote(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

function valueAt(root: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, root);
}

function found(value: unknown, { showTexts }: CheckOptions): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? 'an empty map' : 'a map';
  if (typeof value !== 'string') return shorten(String(value), 60);
  if (value === '') return 'an empty text';
  return showTexts ? quote(value) : 'a text';
}
