import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { WriteAnswer } from '../kinds/definition.ts';
import { kindNamed } from '../kinds/kind.ts';
import type { BodyChange } from '../kinds/request-body.ts';
import { type Notice, notice } from '../notices/notice.ts';
import type { PlacedChange } from '../plan/fields/field-changes.ts';
import { adoptCommand } from '../plan/verdicts/blocks.ts';
import type { ResourceApply } from './resource-apply.ts';

/** The service's message about a write. */
export interface Written extends WriteAnswer {
  readonly warnings: readonly Notice[];
  /** When the service answered, by its own clock, as an ISO 8601 UTC time; undefined if it does not say. */
  readonly at?: string | undefined;
}

/**
 * Sends a body by the operation of its kind. A call that may be repeated after a lost response is repeated by the
 * client.
 */
export async function write(
  { context, desired }: ResourceApply,
  body: JsonObject,
  step: 'create' | 'update',
): Promise<Written> {
  const { operations, answered, isAccount } = kindNamed(desired.kind);
  const answer: unknown = await context.service[operations[step]](context.connectionOf(desired), body, {
    repeatable: step === 'update',
    reseller: { parameter: context.resellerParameter, id: desired.resellerId ?? '' },
  });
  const at = context.service.timeOf(answer);
  const written = { ...answered?.(answer, body), warnings: noticesIn(answer), at };
  // An id goes into the record and into plans, so that one which quotes a secret cannot be used.
  const lacksId = written.id === undefined || context.planning.secrecy.holdsSecret(written.id);
  if (!isAccount || !lacksId) return written;
  const withoutId = notice('answer-without-id', { kind: desired.kind }, [adoptCommand(desired)]);
  return { warnings: [withoutId, ...written.warnings], at };
}

/** The changes of a plan as far as the request body depends on them. */
export function bodyChanges(changes: readonly PlacedChange[]): BodyChange[] {
  return changes.map(({ path, change: { op, from } }) => ({ op, path, replaces: from !== undefined }));
}

/** The words of a message that only confirms: `Agent updated successfully`. */
const confirming = new Set(
  (
    'a added all account accepted agent an and applied assigned been call campaign changed changes complete completed ' +
    'configuration context created custom data done draft for has have invitation invite invited is it member new now ' +
    'number ok okay organization phone processed publish published received request saved sent set setting settings ' +
    'slug stored success successful successfully the to update updated url user was were with your'
  ).split(' '),
);

/**
 * Other messages in a successful response: "the voice is not in your plan". The service has a message in every
 * response, so a purely confirming one is left out. The client has made it fit to be shown.
 */
export function noticesIn(answer: unknown): Notice[] {
  const message = isJsonObject(answer) ? answer.message : undefined;
  if (typeof message !== 'string' || isConfirmation(message)) return [];
  return [notice('service-said', { said: message })];
}

function isConfirmation(message: string): boolean {
  return message
    .toLowerCase()
    .split(/[\s.,:;!'"()-]+/)
    .every((word) => word === '' || confirming.has(word) || isId(word));
}

/** An id, and not a number, which may count what was not done. */
function isId(word: string): boolean {
  return /^[a-z]+_\w+$/.test(word);
}
