import type { Json } from '../kinds/json.ts';
import type { FieldState, Side } from './field-state.ts';

/** A value as a plan may hold it: a sensitive one is masked whole, and its fingerprint tells it from another. */
export function shownSide(field: FieldState, side: Side): Json {
  return field.sensitive ? { sensitive: true, fingerprint: side.key } : (side.value ?? null);
}
