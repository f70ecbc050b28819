import type { Json } from '../../json/json.ts';
import { type FieldPath, formatPath, isElement } from '../../kinds/field-path.ts';
import type { Secrecy } from '../../kinds/sensitive.ts';
import type { FieldState, Side } from './field-state.ts';
import type { ResourceState } from './resource-state.ts';

/**
 * One displayable side of a path: the value of a field, or the members of a list element. Undefined if the side has
 * nothing there.
 */
export function shownAt(
  state: ResourceState,
  path: FieldPath,
  sideOf: (field: FieldState) => Side | undefined,
): Json | undefined {
  const shown = state.byPath.within(path).flatMap((field): [FieldState, Json][] => {
    const side = sideOf(field);
    return side === undefined ? [] : [[field, shownSide(field, side)]];
  });
  const [whole] = shown.filter(([field]) => field.path.length === path.length);
  if (whole !== undefined) return whole[1];
  return shown.length === 0
    ? undefined
    : Object.fromEntries(shown.map(([field, value]) => [field.path.slice(path.length).join('.'), value]));
}

/** The path as people read it. The key of an element that only live has is the service's text, and may hold a secret. */
export function shownPath(state: ResourceState, path: FieldPath, { redact }: Secrecy): string {
  const isTheirs = isElement(state.kind, path) && !state.wantedElements.has(path);
  return formatPath(state.kind, isTheirs ? path.map(redact) : path);
}

/** A sensitive value is masked completely, and its fingerprint distinguishes it from others. */
export function shownSide(field: FieldState, side: Side): Json {
  return field.sensitive ? { sensitive: true, fingerprint: side.key } : (side.value ?? null);
}
