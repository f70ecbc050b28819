import { type JsonObject, parsePointer } from '../json/json.ts';
import type { Desired, Target } from '../kinds/desired.ts';
import { MaskedText } from '../secrets/masked-text.ts';
import { mask } from '../secrets/secret.ts';

/**
 * A manifest as expressions see it: `settings` and `labels` always exist, other sections if they are declared. A value
 * that holds a secret shows all but the secret, so that no expression and no message can hold one.
 */
export function desiredView(
  desired: Desired<Target>,
  maskedAt: (pointer: string) => MaskedText | undefined,
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
    ...(sensitive.size === 0 ? sections : withoutSecrets(sections, sensitive, maskedAt)),
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
  maskedAt: (pointer: string) => MaskedText | undefined,
): object {
  return [...sensitive].reduce<object>((whole, pointer) => {
    const masked = maskedAt(pointer) ?? new MaskedText([{ reference: mask }]);
    return withValueAt(whole, parsePointer(pointer), masked);
  }, sections);
}

/** A copy with another value at the existing steps. */
function withValueAt(whole: object, [step = '', ...others]: readonly string[], value: MaskedText): object {
  const put = (inner: unknown) =>
    others.length > 0 && typeof inner === 'object' && inner !== null ? withValueAt(inner, others, value) : value;
  if (Array.isArray(whole)) return whole.map((item: unknown, index) => (String(index) === step ? put(item) : item));
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]: [string, unknown]) => [name, name === step ? put(inner) : inner]),
  );
}
