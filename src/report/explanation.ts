import type { ComparisonRule } from '../kinds/compare.ts';
import type { Json } from '../kinds/json.ts';
import type { Declaration, Provenance } from '../manifest/index.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';

/** Why the plan says about fields of a resource what it says. */
export interface Explanation {
  readonly environment: string;
  readonly resource: Pick<ResourcePlan, 'kind' | 'name' | 'id' | 'action' | 'reasons'>;
  /** Somebody wrote to it since the last apply; absent where that cannot be told. */
  readonly touched?: boolean;
  readonly unverified: 'set' | 'report';
  readonly fields: readonly FieldExplanation[];
}

/** Everything that the plan's word on a field follows from. Sensitive values are masked, as in a plan. */
export interface FieldExplanation {
  readonly path: string;
  /** Declared by the manifest or in the record. */
  readonly managed: boolean;
  readonly readable: boolean;
  /** Each absent where there is none. */
  readonly desired?: Json;
  readonly live?: Json;
  readonly lastApplied?: Json;
  /** What was applied last cannot be compared: its fingerprint was made with another token. */
  readonly lastIsForeign?: true;
  /** Where the desired value comes from. */
  readonly source?: Source;
  /** Whether desired equals live, or where live is not shown, last applied. */
  readonly equal: boolean;
  /** The comparison rules: those that make the two equal, or else those under which they still differ. */
  readonly rules: readonly ComparisonRule[];
  /** What the plan has for the field, or for the list's element that it is in. */
  readonly change?: Change;
}

export type Source = Omit<Provenance, 'declarations' | 'raw' | 'at'> & {
  readonly declarations: readonly Omit<Declaration, 'way'>[];
};
