import type { KindName } from '../../schemas/fields.ts';
import { type KindValidators, loadKindValidators } from '../../schemas/kind-validators.ts';

const loaded = new Map<KindName, KindValidators>();

/** Makes the validators of a kind ready for `validatorsOf`. */
export async function loadValidators(kind: KindName): Promise<void> {
  if (!loaded.has(kind)) loaded.set(kind, await loadKindValidators[kind]());
}

/** Of a kind that was loaded, as the kind of every manifest file is when the file is read. */
export function validatorsOf(kind: KindName): KindValidators {
  const validators = loaded.get(kind);
  if (validators === undefined) throw new Error(`the validators of ${kind} are not loaded`);
  return validators;
}
