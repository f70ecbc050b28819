import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { isLongEnough, redactor, secretFinder } from '../secrets/redact.ts';
import type { Secret } from '../secrets/secret.ts';
import { depthOf, fieldAt } from './field-path.ts';
import { isKindName } from './kind.ts';

/** Whether the steps lead to or into a sensitive value. They may go through an overlay. */
export function isSensitiveAt(kind: string, steps: readonly string[]): boolean {
  if (!isKindName(kind)) return false;
  const path = steps[0] === 'environments' ? steps.slice(2) : steps;
  const field = fieldAt(kind, path);
  if (field === undefined || path.length < depthOf(field)) return false;
  const member = path[depthOf(field) + (field.shape === 'map' ? 1 : 0)];
  return field.sensitive || field.members?.some(({ name, sensitive }) => sensitive && name === member) === true;
}

/**
 * Whether `{ file: ... }` represents a text at the place. A whole section cannot be a file, and neither can a sensitive
 * text.
 */
export function mayIncludeFile(kind: KindName, steps: readonly string[]): boolean {
  return steps.length > 1 && !isSensitiveAt(kind, steps);
}

/**
 * Whether `{ patch: ... }` represents a patch on an inherited text at the place. In an unvalidated value it is an
 * ordinary value.
 */
export function mayPatch(kind: KindName, steps: readonly string[]): boolean {
  return steps[0] !== 'extraSettings' && mayIncludeFile(kind, steps);
}

const allFields: readonly FieldSchema[] = Object.values(fieldsByKind).flat();

/** Names of members with credentials, for all kinds. */
export const sensitiveNames: ReadonlySet<string> = new Set(
  allFields.flatMap((field) => [field, ...(field.members ?? [])].flatMap((one) => (one.sensitive ? [one.name] : []))),
);

/** Names of fields that are sensitive or have sensitive members, for all kinds. */
export const sensitiveFields: ReadonlySet<string> = new Set(
  allFields.flatMap((field) => ([field, ...(field.members ?? [])].some((one) => one.sensitive) ? [field.name] : [])),
);

/** The secrets of a run. */
export interface Secrecy {
  /** Whether a text contains a secret. Such a value is never shown or recorded, and no id may contain one. */
  readonly holdsSecret: (text: string) => boolean;
  /** Removes secrets from a text, such as a quote from the service. */
  readonly redact: (text: string) => string;
}

/**
 * The secrets of a run. Short ones, such as a PIN, occur in any text by chance. They are masked where a manifest uses
 * them, but not searched for.
 */
export function secrecyOf(secrets: readonly Secret[]): Secrecy {
  const telling = secrets.filter(isLongEnough);
  return { holdsSecret: secretFinder(telling), redact: redactor(telling) };
}
