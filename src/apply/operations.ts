import type { JsonObject } from '../json/json.ts';
import type { WriteAnswer } from '../kinds/definition.ts';
import type { Desired } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import type { BodyChange } from '../kinds/request-body.ts';
import type { PlacedChange } from '../plan/fields/field-changes.ts';
import { adoptCommand } from '../plan/verdicts/blocks.ts';
import type { ResourceApply } from './resource-apply.ts';
import { noticesIn } from './service-message.ts';

/** What the service said to a write. */
export interface Written extends WriteAnswer {
  readonly warnings: readonly string[];
}

/** Sends a body by the operation of its kind. One that may be repeated after a lost answer is repeated by the client. */
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
  const written = { ...answered?.(answer, body), warnings: noticesIn(answer) };
  // An id goes into the record and into plans, so that one which quotes a secret cannot be used.
  const lacksId = written.id === undefined || context.planning.secrecy.holdsSecret(written.id);
  return isAccount && lacksId ? { warnings: [withoutId(desired), ...written.warnings] } : written;
}

function withoutId(desired: Desired): string {
  return (
    `the response has no id of the ${kindNamed(desired.kind).noun}, so nothing can be created in its account; ` +
    'look it up on the service ' +
    `and run ${adoptCommand(desired)}`
  );
}

/** The changes of a plan as far as the request body depends on them. */
export function bodyChanges(changes: readonly PlacedChange[]): BodyChange[] {
  return changes.map(({ path, change: { op, from } }) => ({ op, path, replaces: from !== undefined }));
}
