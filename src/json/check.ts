import { namePattern } from '../schemas/name-pattern.ts';
import type { Validator, Violation } from '../schemas/validator.ts';
import { counted, formatNumber, isOrAre, joinWithAnd, joinWithOr, quote, shorten } from '../text/wording.ts';
import { grouped, isJsonObject, parsePointer, valueAt } from './json.ts';

/**
 * Checks a value against its schema. Returns the typed value, or a problem that names the location of the invalid value
 * and the allowed values.
 */
export type Check<T> = (
  value: unknown,
) => { readonly fits: true; readonly value: T } | { readonly fits: false; readonly problem: string };

interface CheckOptions {
  /** Whether a problem quotes an invalid string. If false, the problem says only `a string`. */
  readonly showTexts: boolean;
}

/** Makes a check from a validator. Only this function may cast a validated value to T. */
export function checkedBy<T>(validator: Validator, options: CheckOptions): Check<T> {
  return (value) =>
    validator(value)
      ? { fits: true, value: value as T }
      : { fits: false, problem: problemText(value, validator.errors ?? [], options) };
}

/** Describes the violations at the first invalid location, and gives the number of other locations. */
function problemText(value: unknown, violations: readonly Violation[], options: CheckOptions): string {
  const [first, ...others] = byPointer(violations.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'if'));
  if (first === undefined) return 'it does not match the schema';
  const count =
    others.length > maxCounted
      ? `more than ${formatNumber(maxCounted)} more places`
      : counted(others.length, 'more place');
  return `${violationText(value, first, options)}${others.length === 0 ? '' : ` (and ${count})`}`;
}

/**
 * The maximum count to report. Validators stop collecting violations after a limit, so a larger count could be too low.
 */
const maxCounted = 1000;

function violationText(root: unknown, [pointer, violations]: [string, Violation[]], options: CheckOptions): string {
  const steps = parsePointer(pointer);
  const missing = violations.flatMap(({ params }) => (params.missingProperty === undefined ? [] : [params]));
  if (missing.length > 0) {
    const names = missing.map(({ missingProperty }) => pathText([...steps, String(missingProperty)]));
    return `${joinWithAnd(names)} ${isOrAre(names.length)} missing`;
  }
  const unknown = violations.find(({ keyword }) => keyword === 'additionalProperties')?.params.additionalProperty;
  if (unknown !== undefined) return `unknown key ${pathText([...steps, String(unknown)])}`;
  return `${pathText(steps)} is ${found(valueAt(root, steps), options)}: expected ${allowedBy(violations)}`;
}

/** Formats a path: `resources[0].changes[2].op`. Quotes property names that are not identifiers. */
function pathText(steps: readonly string[]): string {
  if (steps.length === 0) return 'it';
  return steps.reduce((text, step) => {
    if (/^\d+$/.test(step)) return `${text}[${step}]`;
    if (!/^[\w-]+$/.test(step)) return `${text}[${quote(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

function found(value: unknown, { showTexts }: CheckOptions): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  if (typeof value !== 'string') return shorten(String(value), 60);
  if (value === '') return 'an empty string';
  return showTexts ? quote(value) : 'a string';
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const nameRegex = new RegExp(namePattern);

/**
 * Describes the syntax of resource and environment names. Windows must allow these names as file names, because record
 * files have the same names.
 */
export const nameSyntax =
  'lowercase letters, digits and hyphens, at most 63, with a letter or digit at both ends, and no Windows device name such as con';

/** Whether a string is a valid resource or environment name. */
export function isName(text: string): boolean {
  return nameRegex.test(text);
}

const idPattern = '^(?!\\.{1,2}$)[^\\s\\p{C}/\\\\?#%]{1,200}$';
const idRegex = new RegExp(idPattern, 'u');

/** Describes the syntax of ids, so that an id can be shown, stored and put into a path or a query. */
export const idSyntax = 'an id of at most 200 characters, without white space or any of / \\ ? # %';

/** Whether a string can be the id of a resource on the service. */
export function isId(text: string): boolean {
  return idRegex.test(text);
}

const patternWords: Readonly<Record<string, string>> = {
  '^(/(?!\\.{1,2}(/|$))[!"$-.0->@-\\[\\]-~]+)+$': 'a path such as /api/v2/agent/publish, without a query',
  [namePattern]: nameSyntax,
  [idPattern]: idSyntax,
  '^[A-Za-z]{1,63}$': 'a kind, such as Agent',
  '^(?!.*\\.lock(/|$))[A-Za-z0-9_][A-Za-z0-9_-]*([./][A-Za-z0-9_-]+)*$':
    'a valid git branch name of letters, digits, _, -, . and /, such as agentform-records',
  '^[0-9]{1,9}(ms|s|m)$': 'an integer with its unit, such as 500ms, 5s or 2m',
  [`^[A-Za-z]+/${namePattern.slice(1)}`]: 'Kind/name, such as Agent/front-desk',
};

/** Describes the values that are allowed at the location of the violations: `a string, 'low' or null`. */
export function allowedBy(violations: readonly Violation[]): string {
  const types = violations.flatMap(typesOf).map((type) => typeWords[type] ?? type);
  const values = violations
    .flatMap(enumValues)
    .map((value) => (typeof value === 'string' ? quote(value) : String(value)));
  const allowed = [...new Set([...types, ...values, ...violations.flatMap(limitOf)])];
  return allowed.length === 0 ? 'something else' : joinWithOr(allowed);
}

/** The JSON types that a `type` violation allows. */
export function typesOf({ keyword, params }: Violation): string[] {
  return keyword === 'type' ? [params.type].flat().map(String) : [];
}

/** The values that an `enum` or `const` violation allows. */
export function enumValues({ keyword, params }: Violation): unknown[] {
  if (keyword === 'enum') return Array.isArray(params.allowedValues) ? params.allowedValues : [];
  return keyword === 'const' ? [params.allowedValue] : [];
}

function limitOf({ keyword, params }: Violation): string[] {
  switch (keyword) {
    case 'range':
      return [String(params.range)];
    case 'minimum':
      return [`at least ${params.limit}`];
    case 'maximum':
      return [`at most ${params.limit}`];
    case 'minLength':
      return ['a non-empty string'];
    case 'maxLength':
      return [`a string of at most ${params.limit} characters`];
    case 'minItems':
    case 'minProperties':
      return [`at least ${counted(Number(params.limit), 'item')}`];
    case 'maxItems':
      return [`at most ${counted(Number(params.limit), 'item')}`];
    case 'pattern':
      return [patternWords[String(params.pattern)] ?? `a string that matches ${params.pattern}`];
    default:
      return [];
  }
}

/** Groups violations by their JSON pointers. */
export function byPointer(violations: readonly Violation[]): Array<[string, Violation[]]> {
  return [...grouped(violations, ({ instancePath }) => instancePath)];
}
