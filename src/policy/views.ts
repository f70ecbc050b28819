import { isJsonObject, type Json, type JsonObject, parsePointer } from '../json/json.ts';
import type { Desired, Target } from '../kinds/desired.ts';
import { mask } from '../secrets/secret.ts';

/**
 * What a manifest asks for as expressions see it: `settings` and `labels` are always there, every other section where it is declared.
 * In the place of a secret stands the reference as it is written, so that no expression and no message can hold one.
 */
export function desiredView(
  desired: Desired<Target>,
  writtenAt: (pointer: string) => string | undefined,
): Readonly<Record<string, unknown>> {
  const {
    kind,
    name,
    environment,
    labels = {},
    organization,
    agent,
    memberId,
    resellerId,
    sections,
    sensitive,
  } = desired;
  return {
    settings: {},
    ...(sensitive.size === 0 ? sections : withoutSecrets(sections, sensitive, writtenAt)),
    kind,
    name,
    environment,
    labels,
    ...(organization !== undefined && { organization }),
    ...(agent !== undefined && { agent }),
    ...(memberId !== undefined && { memberId }),
    ...(resellerId !== undefined && { resellerId }),
  };
}

function withoutSecrets(
  sections: JsonObject,
  sensitive: ReadonlySet<string>,
  writtenAt: (pointer: string) => string | undefined,
): JsonObject {
  const shown = [...sensitive].reduce<Json>(
    (whole, pointer) => withValueAt(whole, parsePointer(pointer), writtenAt(pointer) ?? mask),
    sections,
  );
  return isJsonObject(shown) ? shown : {};
}

/** A copy with another value where the steps lead to, which is there. */
function withValueAt(whole: Json, [step, ...others]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(whole)) {
    return whole.map((item, index) => (String(index) === step ? withValueAt(item, others, value) : item));
  }
  return isJsonObject(whole) ? { ...whole, [step]: withValueAt(whole[step] ?? null, others, value) } : whole;
}
