// Generated from schemas/ by `npm run generate`. Do not edit.
import type { KindName } from './fields.ts';
import type { Validator } from './validator.ts';

export interface KindValidators {
  /** Checks a file as its author wrote it. */
  readonly authored: Validator;
  /** Checks the merged files of a resource. */
  readonly resolved: Validator;
}

/** Loads the validators for one kind. A project loads only the validators for its kinds. */
export const loadKindValidators: Readonly<Record<KindName, () => Promise<KindValidators>>> = {
  Agent: () => import('./agent-validators.js'),
  Organization: () => import('./organization-validators.js'),
  Member: () => import('./member-validators.js'),
  AgentUrl: () => import('./agent-url-validators.js'),
  PhoneNumber: () => import('./phone-number-validators.js'),
  Context: () => import('./context-validators.js'),
};
