import type { Span } from '../manifest/problem.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';

/** What taking live values back into the manifests does, or would do. */
export interface TakeBack {
  readonly environment: string;
  /** By kind and name; those of which there is anything to tell. */
  readonly resources: readonly TakenResource[];
  /** Fields elsewhere that change too, because they come from the same place. */
  readonly alsoChanged: readonly AlsoChanged[];
  /** The files that are edited, relative to the project folder. */
  readonly files: readonly string[];
}

export interface TakenResource {
  readonly kind: string;
  readonly name: string;
  readonly action: ResourcePlan['action'];
  readonly taken: readonly TakenValue[];
  readonly refused: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
  /** Changes of the manifests that the service does not have yet; they are left as they are. */
  readonly left: readonly string[];
}

/** A value that the manifests had, and the live one that takes its place. Sensitive values are never taken. */
export interface TakenValue {
  readonly path: string;
  readonly from?: Change['from'];
  readonly to?: Change['to'];
  /** Where the edits are. */
  readonly places: ReadonlyArray<{ readonly file: string; readonly at?: Span }>;
}

export interface AlsoChanged {
  readonly address: string;
  readonly environment: string;
  readonly paths: readonly string[];
}
