import type { PromptChecks } from '../../prompts/prompt-checks.ts';
import type { Chain } from '../project/layers.ts';
import type { SharedClaims } from './identity/shared-environments.ts';
import type { CheckedSections } from './values/sections.ts';

/**
 * What whoever resolves a project in one environment after the other keeps from each to the next: the work that does
 * not differ between them is done once, or it would grow with their number.
 */
export class SharedWork {
  /** Whether there are other environments to keep it for. */
  readonly isOfMany: boolean;
  /** By path, a manifest with its bases. */
  readonly chains = new Map<string, Chain>();
  /** By address, what was last found in sections. */
  readonly sections = new Map<string, CheckedSections>();
  readonly claims: SharedClaims = new Map();
  /** What was found in texts; made by the first environment. */
  prompts: PromptChecks | undefined;
  /** How many values were resolved so far. */
  values = 0;

  constructor({ isOfMany = true } = {}) {
    this.isOfMany = isOfMany;
  }
}
