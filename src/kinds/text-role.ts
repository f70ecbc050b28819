import type { KindName, TextRole } from '../schemas/fields.ts';
import { depthOf, fieldAt } from './field-path.ts';

/** What the text is for that the steps lead to: it instructs the agent, or is spoken word for word. Undefined for others. */
export function textRoleAt(kind: KindName, steps: readonly string[]): TextRole | undefined {
  const field = fieldAt(kind, steps);
  if (field === undefined) return undefined;
  const depth = depthOf(field);
  if (steps.length === depth) return field.text;
  if (field.shape !== 'map' || steps.length !== depth + 2) return undefined;
  return field.members?.find(({ name }) => name === steps[depth + 1])?.text;
}
