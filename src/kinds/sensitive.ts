import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { isLongEnough, redactor, secretFinder } from '../secrets/redact.ts';
import type { Secret } from '../secrets/secret.ts';
import { depthOf, fieldAt } from './field-path.ts';

/** Whether the steps lead to or into a sensitive value. They may go through an overlay. */
export function isSensitiveAt(kind: string, steps: readonly string[]): boolean {
  if (!isKind(kind)) return false;
  const path = steps[0] === 'environments' ? steps.slice(2) : steps;
  const field = fieldAt(kind, path);
  if (field === undefined || path.length < depthOf(field)) return false;
  const member = path[depthOf(field) + (field.shape === 'map' ? 1 : 0)];
  return field.sensitive || field.members?.some(({ name, sensitive }) => sensitive && name === member) === true;
}

/** Whether `{ file: ... }` stands for a text there: not for a whole section, and a sensitive text is in no file. */
export function mayIncludeFile(kind: KindName, steps: readonly string[]): boolean {
  return steps.length > 1 && !isSensitiveAt(kind, steps);
}

/**
 * Whether `{ patch: ... }` stands for an edit on an inherited text there. In an unvalidated value it is an ordinary
 * value.
 */
export function mayPatch(kind: KindName, steps: readonly string[]): boolean {
  return steps[0] !== 'extraSettings' && mayIncludeFile(kind, steps);
}

/** Names of members with credentials, for all kinds. */
export const sensitiveNames: ReadonlySet<string> = new Set(
  Object.values(fieldsByKind)
    .flat()
    .flatMap((field) => [...(field.sensitive ? [field.name] : []), ...sensitiveMembers(field)]),
);

/** Names of fields that are sensitive or have sensitive members, for all kinds. */
export const sensitiveFields: ReadonlySet<string> = new Set(
  Object.values(fieldsByKind)
    .flat()
    .filter((field) => field.sensitive || sensitiveMembers(field).length > 0)
    .map(({ name }) => name),
);

function sensitiveMembers(field: FieldSchema): string[] {
  return (field.members ?? []).filter(({ sensitive }) => sensitive).map(({ name }) => name);
}

function isKind(kind: string): kind is KindName {
  return Object.hasOwn(fieldsByKind, kind);
}

/** The secrets of a run. */
export interface Secrecy {
  /** Whether a text holds one of them: such a value is never shown or recorded, and no id may quote one. */
  readonly holdsSecret: (text: string) => boolean;
  /** Removes them from a sentence, such as one that quotes the service. */
  readonly redact: (text: string) => string;
}

/**
 * Short ones, such as a PIN, occur in any text by chance: they are masked where a manifest uses them, but not searched
 * for.
 */
export function secrecyOf(secrets: readonly Secret[]): Secrecy {
  const telling = secrets.filter(isLongEnough);
  return { holdsSecret: secretFinder(telling), redact: redactor(telling) };
}
