import { comparable } from '../kinds/compare.ts';
import type { Desired } from '../kinds/desired.ts';
import { fingerprint } from '../kinds/fingerprint.ts';
import { isJsonObject, type Json } from '../kinds/json.ts';
import { comparedAs } from '../kinds/kind.ts';
import { type FieldPath, formatPath } from '../kinds/path.ts';
import type { FieldState, Side } from './field-state.ts';
import type { Secrecy } from './observation.ts';

/**
 * A value as a plan may hold it. One that is declared sensitive, or that holds one of the run's secrets anywhere, is
 * masked whole; its fingerprint tells it from another.
 */
export function shownSide(
  desired: Desired,
  { state, side }: { readonly state: FieldState; readonly side: Side },
  { holdsSecret }: Secrecy,
): Json {
  if (state.sensitive) return { sensitive: true, fingerprint: side.key };
  const value = side.value ?? null;
  const isClean = !textsOf(value).some(holdsSecret);
  return isClean ? value : { sensitive: true, fingerprint: fingerprintOf(desired, state.path, value) };
}

function fingerprintOf(desired: Desired, path: FieldPath, value: Json): string {
  return fingerprint(
    { ...desired, path: formatPath(desired.kind, path) },
    comparable(value, comparedAs(desired.kind, path)),
  );
}

/** Every text in a value, names of members included. */
function textsOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]);
  return value === null ? [] : [String(value)];
}
