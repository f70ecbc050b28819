import type { Chain } from '../project/layers.ts';
import type { PromptChecks } from '../prompts/prompt-checks.ts';
import type { ResolvedSections } from './sections.ts';
import type { SharedClaims } from './shared-environments.ts';

/**
 * What whoever resolves a project in one environment after the other keeps from each to the next: the work that does
 * not differ between them is done once, or it would grow with their number.
 */
export class SharedWork {
  /** By path, a manifest with its bases. */
  readonly chains = new Map<string, Chain>();
  /** By address, the sections as they last came out. */
  readonly sections = new Map<string, ResolvedSections>();
  readonly claims: SharedClaims = new Map();
  /** What was found in texts; made by the first environment. */
  prompts: PromptChecks | undefined;
  /** How many values were resolved so far. */
  values = 0;
}
