import { MaskedText } from '../secrets/masked-text.ts';

// This file evaluates CEL operators and functions on values that contain secrets, provided that the result does not
// depend on the secrets.

/** An operator or a function with its arguments. A method's receiver is the first argument. */
interface CelOperation {
  readonly op: string;
  /** The name of a function or method. */
  readonly name?: string | undefined;
  readonly values: readonly unknown[];
}

/** Deducts steps from the budget of the evaluation. Throws if no steps are left. */
type Spend = (steps: number) => void;

export function holdsMasked(value: unknown): boolean {
  return maskedIn([value], () => undefined) !== undefined;
}

/**
 * Returns the result of an operation with masked texts. Undefined if the engine's result should be used, for example
 * because no value is masked. Throws SecretNeeded if the result depends on a secret.
 */
export function maskedOutcome({ op, name, values }: CelOperation, spend: Spend): boolean | undefined {
  const [left, right] = values;
  if (op === '==' || op === '!=') {
    const masked = maskedIn(values, spend);
    if (masked === undefined) return undefined;
    const isSame = requireKnown(sameValue(left, right), masked);
    return op === '==' ? isSame : !isSame;
  }
  if (op === 'in') {
    const masked = maskedIn(values, spend);
    return masked && requireKnown(isAmong(left, right), masked);
  }
  const masked = values.find((value) => value instanceof MaskedText);
  if (masked === undefined || (name !== undefined && passing.has(name))) return undefined;
  if (op === 'call' || op === 'rcall') return requireKnown(answerOf(name, values), masked);
  if (consuming.has(op)) throw masked.needed();
  return undefined;
}

/** The name of the function that tests whether a value contains a secret. */
export const holdsSecret = 'holdsSecret';

/** The functions whose result does not depend on the value of a secret. */
const passing: ReadonlySet<string> = new Set([holdsSecret, 'dyn']);

/** The operators whose result depends on the whole values of their operands. */
const consuming: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '<', '<=', '>', '>=', '!_', '-_']);

/**
 * Calls a function on a masked text. Undefined if the function is unsupported, or if the result depends on the secret.
 */
function answerOf(name: string | undefined, [receiver, argument]: readonly unknown[]): boolean | undefined {
  if (!(receiver instanceof MaskedText) || typeof argument !== 'string') return undefined;
  if (name === 'contains') return receiver.contains(argument);
  if (name === 'startsWith') return receiver.startsWith(argument);
  if (name === 'endsWith') return receiver.endsWith(argument);
  return name === 'matches' ? receiver.matches(argument) : undefined;
}

function requireKnown(outcome: boolean | undefined, masked: MaskedText): boolean {
  if (outcome === undefined) throw masked.needed();
  return outcome;
}

function maskedIn(values: readonly unknown[], spend: Spend): MaskedText | undefined {
  const open = [...values];
  while (open.length > 0) {
    const next = open.pop();
    if (next instanceof MaskedText) return next;
    const inner = Array.isArray(next) ? next : isPlain(next) ? Object.values(next) : [];
    spend(inner.length >> 3);
    for (const item of inner) open.push(item);
  }
  return undefined;
}

/** Evaluates `in`: whether a value is an item of a list or a key of a map. */
function isAmong(value: unknown, container: unknown): boolean | undefined {
  if (Array.isArray(container)) return anyOf(container.map((item) => sameValue(value, item)));
  return isPlain(container) ? anyOf(Object.keys(container).map((key) => sameValue(value, key))) : undefined;
}

function anyOf(outcomes: readonly (boolean | undefined)[]): boolean | undefined {
  if (outcomes.includes(true)) return true;
  return outcomes.includes(undefined) ? undefined : false;
}

function allOf(outcomes: readonly (boolean | undefined)[]): boolean | undefined {
  if (outcomes.includes(false)) return false;
  return outcomes.includes(undefined) ? undefined : true;
}

/**
 * Compares two values as CEL does, without regard to number types. The recursion is safe, because manifests have a
 * depth limit.
 */
function sameValue(one: unknown, other: unknown): boolean | undefined {
  if (one instanceof MaskedText) return one.equals(other);
  if (other instanceof MaskedText) return other.equals(one);
  if (isNumber(one) && isNumber(other)) return Number(one) === Number(other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && allOf(one.map((item, index) => sameValue(item, other[index])));
  }
  if (!isPlain(one) || !isPlain(other)) return one === other;
  const names = Object.keys(one);
  const isAlike = names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name));
  return isAlike && allOf(names.map((name) => sameValue(one[name], other[name])));
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
