import type { Validator } from '../schemas/validator.ts';

/** Checks a body against its schema: the value, typed, or what is wrong with it. */
export type Check<T> = (
  body: unknown,
) => { readonly fits: true; readonly value: T } | { readonly fits: false; readonly flaw: string };

/** The border between a body and its type: the only place that trusts a validator to speak for T. */
export function checkedBy<T>(validator: Validator): Check<T> {
  return (body) => (validator(body) ? { fits: true, value: body as T } : { fits: false, flaw: flawOf(validator) });
}

function flawOf(validator: Validator): string {
  const [first, ...others] = validator.errors ?? [];
  if (first === undefined) return 'it does not fit its schema';
  const sentence = `${first.instancePath === '' ? 'it' : first.instancePath} ${first.message ?? 'does not fit its schema'}`;
  return others.length === 0 ? sentence : `${sentence}, and ${others.length} more`;
}
