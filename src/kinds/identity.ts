import { comparable } from './compare.ts';
import type { Json } from './json.ts';

/**
 * What tells a resource from others of its kind on the service. Two with the same identity are one: a second create
 * would overwrite the first, or do once more what was done.
 */
export interface KindIdentity {
  /** Names under `settings`; none where the target alone decides. */
  readonly settings: readonly string[];
  /** Where there is one of them: among what has the same target, or on the whole service. */
  readonly within: 'target' | 'service';
  /** Upper and lower case are the same. */
  readonly anyCase?: true;
}

/** A text that is equal for values that identify the same resource. */
export function identifyingText({ anyCase }: KindIdentity, value: Json): string {
  const text = comparable(value, undefined);
  return anyCase ? text.toLowerCase() : text;
}
