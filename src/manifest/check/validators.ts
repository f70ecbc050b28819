import type { KindName } from '../../schemas/fields.ts';
import type { Validator } from '../../schemas/validator.ts';

export interface KindValidators {
  /** Checks a file as it is written. */
  readonly authored: Validator;
  /** Checks what all files of a resource come to. */
  readonly resolved: Validator;
}

/** A project pays at its start for the kinds that it has, and for no others. */
const loaders: Readonly<Record<KindName, () => Promise<KindValidators>>> = {
  Agent: () => import('../../schemas/agent-validators.js'),
  Organization: () => import('../../schemas/organization-validators.js'),
  Member: () => import('../../schemas/member-validators.js'),
  AgentUrl: () => import('../../schemas/agent-url-validators.js'),
  PhoneNumber: () => import('../../schemas/phone-number-validators.js'),
  Context: () => import('../../schemas/context-validators.js'),
};

const loaded = new Map<KindName, KindValidators>();

/** Makes the validators of a kind ready for `validatorsOf`. */
export async function loadValidators(kind: KindName): Promise<void> {
  if (!loaded.has(kind)) loaded.set(kind, await loaders[kind]());
}

/** Of a kind that was loaded, as the kind of every manifest file is when the file is read. */
export function validatorsOf(kind: KindName): KindValidators {
  const validators = loaded.get(kind);
  if (validators === undefined) throw new Error(`the validators of ${kind} are not loaded`);
  return validators;
}
