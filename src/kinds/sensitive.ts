import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { isLongEnough, joinedRedactor, type Redact, redactor, secretFinder } from '../secrets/redact.ts';
import type { Secret } from '../secrets/secret.ts';
import { fieldAt, memberAt } from './field-path.ts';
import { isKindName } from './kind.ts';

/**
 * Whether the value at a path is sensitive or is inside a sensitive value. The path may begin with `environments` and
 * the name of an overlay.
 */
export function isSensitiveAt(kind: string, steps: readonly string[]): boolean {
  if (!isKindName(kind)) return false;
  const path = steps[0] === 'environments' ? steps.slice(2) : steps;
  const field = fieldAt(kind, path);
  if (field === undefined || path.length < field.path.length) return false;
  return field.sensitive || memberAt(field, path)?.sensitive === true;
}

/** Whether `{ file: ... }` represents a text at this path. Sections and sensitive texts cannot come from files. */
export function mayIncludeFile(kind: KindName, steps: readonly string[]): boolean {
  return steps.length > 1 && !isSensitiveAt(kind, steps);
}

/** Whether `{ patch: ... }` represents a patch at this path. Under `extraSettings`, such a map is an ordinary value. */
export function mayPatch(kind: KindName, steps: readonly string[]): boolean {
  return steps[0] !== 'extraSettings' && mayIncludeFile(kind, steps);
}

const allFields: readonly FieldSchema[] = Object.values(fieldsByKind).flat();

/** The names of all members, of any kind, that contain credentials. */
export const sensitiveNames: ReadonlySet<string> = new Set(
  allFields.flatMap((field) => [field, ...(field.members ?? [])].flatMap((one) => (one.sensitive ? [one.name] : []))),
);

/** The names of all fields, of any kind, that are sensitive or contain sensitive members. */
export const sensitiveFields: ReadonlySet<string> = new Set(
  allFields.flatMap((field) => ([field, ...(field.members ?? [])].some((one) => one.sensitive) ? [field.name] : [])),
);

/** Finds and redacts the secrets of a run. */
export interface Secrecy {
  /**
   * Whether a text contains a secret that is long enough to search for. Such texts are never shown, recorded or used as
   * ids.
   */
  readonly holdsSecret: (text: string) => boolean;
  /**
   * Whether a text contains a credential that was found in live values. Such texts are compared and sent like any
   * others, but never shown or recorded. Absent if none was found.
   */
  readonly holdsCredential?: (text: string) => boolean;
  /** Redacts secrets and found credentials in a text, such as a message from the service. */
  readonly redact: Redact;
}

/**
 * Makes a Secrecy from the secrets of a run. Short secrets, such as a PIN, may occur in any text by chance. These
 * secrets are masked where a manifest uses them, but other texts are not searched for short secrets.
 */
export function secrecyOf(secrets: readonly Secret[]): Secrecy {
  const telling = secrets.filter(isLongEnough);
  return { holdsSecret: secretFinder(telling), redact: redactor(telling) };
}

/** Adds credentials that were found in live values. */
export function withCredentials(secrecy: Secrecy, credentials: readonly string[] = []): Secrecy {
  if (credentials.length === 0) return secrecy;
  const holdsCredential = secretFinder(credentials);
  return { ...secrecy, holdsCredential, redact: joinedRedactor(secrecy.redact, redactor(credentials)) };
}
