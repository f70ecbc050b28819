import type { FormRule } from '../kinds/service-forms.ts';
import type { Notice } from '../notices/notice.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import type { Overruled } from '../schemas/record-types.ts';

/** The lines of a text, or the items of a list, that were sent but not read back. */
export interface MissingParts {
  readonly noun: 'line' | 'item';
  readonly count: number;
  /** In a text, the number of the sent line, counted from 1. */
  readonly line?: number;
  /** The first of them as shortened JSON text; for a line, only the missing part at its end. */
  readonly first: string;
}

/** The result for one sent field, according to the read-back. */
export interface FieldResult {
  readonly path: string;
  /**
   * `stored`: read back as sent, or unchanged in the recorded form. `normalised`: read back in an equal form according
   * to `rules`. `another value`: neither the sent value nor the earlier one. `ignored`: the service kept the earlier
   * value. `unverifiable`: the read does not show it. `lost`: a managed field that was not sent, but changed.
   * `took over`: in the read-back of a create, but not in the manifest.
   */
  readonly result: 'stored' | 'normalised' | 'another value' | 'ignored' | 'unverifiable' | 'lost' | 'took over';
  /** If the field was not read back as sent: its read-back as shortened JSON text, masked if sensitive. */
  readonly readBack?: string;
  /** For `normalised`: the rules by which it is equal. */
  readonly rules?: readonly FormRule[];
  /** For `another value`: the missing parts of a text or list. */
  readonly missing?: MissingParts;
}

/** Whether the service lacks the sent value in any form. */
export function isNotTaken({ result }: FieldResult): boolean {
  return result === 'ignored' || result === 'another value' || result === 'lost';
}

/** The content of a request. */
export interface SentSettings {
  /** The number of changes in the plan, without resent settings. */
  readonly changed: number;
  readonly sent: number;
}

/** A setting that was edited on the service and is restored. Sensitive values are masked, as in a plan. */
export interface UndoneEdit {
  readonly path: string;
  /** The edited value; absent if the edit had removed it. */
  readonly lost?: Change['from'];
  /** The overwriting value; omitted if it was removed. */
  readonly now?: Change['to'];
}

/** The result of one resource. */
export interface LedgerEntry {
  readonly kind: string;
  readonly name: string;
  /** As in its plan. */
  readonly title?: string;
  readonly action: ResourcePlan['action'];
  /** The former name of its record. */
  readonly renamedFrom?: string;
  /**
   * `applied`: written and recorded, or only recorded if no request was necessary. `failed`: the service refused it or
   * did not carry it out. `not attempted`: nothing was sent. `waiting`: its rollout step is not open. `unknown`:
   * it may have been written.
   */
  readonly outcome: 'applied' | 'failed' | 'not attempted' | 'waiting' | 'unknown' | 'unchanged';
  /** Set if agentform refused it (stale, conflict, blocked, wrong agent reached): exit code 3. */
  readonly refused?: true;
  /** Why, in a sentence, for every outcome but `applied` and `unchanged`. */
  readonly reasons?: readonly Notice[];
  /** Its conflicts, if they were the reason, each with the three values. */
  readonly conflicts?: readonly Change[];
  readonly id?: string;
  /** For a create: whether it may have replaced the settings of an existing agent, which the service does not show. */
  readonly mayReplace?: true;
  /** The sent settings, if the write got a response. */
  readonly settings?: SentSettings;
  /** The edits on the service that the write undid, if any. */
  readonly undone?: readonly UndoneEdit[];
  readonly fields: readonly FieldResult[];
  readonly warnings: readonly Notice[];
  /** The decisions without which it would be refused. */
  readonly overruled?: readonly Overruled[];
  /** Whether the agent is published according to the read-back. The write itself changed the draft. */
  readonly published?: boolean;
  /** Whether a request that writes was sent. */
  readonly sent: boolean;
}

/** The result of an apply, with every resource of the plan. */
export interface Ledger {
  readonly environment: string;
  readonly entries: readonly LedgerEntry[];
  /** With `apply --publish`: the results for applied agents, and for those applied before. */
  readonly publishing?: readonly PublishEntry[];
  /** Set if agentform.yaml has service.publish, so that `agentform publish` works. */
  readonly canPublish?: true;
  /** Set for a rollback. */
  readonly isRollback?: true;
  /** Set when the apply was interrupted. */
  readonly interrupted?: true;
  /** Answers that did not count, because their questions had changed. */
  readonly outdated?: readonly Notice[];
  /** Set if some records could not be shared: the reason, and where they are kept. */
  readonly unshared?: string;
}

/** The result of publishing one agent. */
export interface PublishEntry {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  /**
   * `published`: published and confirmed by the read. `already published`: nothing was sent. `failed`: the service
   * refused it or did not do it. `not attempted`: nothing was sent. `unknown`: it may have been published.
   */
  readonly outcome: 'published' | 'already published' | 'failed' | 'not attempted' | 'unknown';
  /** Set if agentform refused it: exit code 3. */
  readonly refused?: true;
  /** Why, for every outcome but `published` and `already published`. */
  readonly reasons?: readonly Notice[];
}

/** The result of a publish, with every requested agent. */
export interface PublishLedger {
  readonly environment: string;
  readonly publishing: readonly PublishEntry[];
  /** Set when it was interrupted. */
  readonly interrupted?: true;
  /** Set if some records could not be shared: the reason, and where they are kept. */
  readonly unshared?: string;
}

/** The phases of a run, in order. */
export type PhaseName = 'read' | 'apply' | 'publish' | 'import';

/** The events of a run; progress, tests and machines read the same stream. */
export type RunEvent =
  | { readonly type: 'phase-started'; readonly phase: PhaseName; readonly total: number }
  | { readonly type: 'resource-started'; readonly phase: PhaseName; readonly kind: string; readonly name: string }
  | { readonly type: 'resource-read'; readonly kind: string; readonly name: string; readonly failed: boolean }
  | { readonly type: 'resource-applied'; readonly entry: LedgerEntry }
  | { readonly type: 'resource-published'; readonly entry: PublishEntry }
  | { readonly type: 'resource-imported'; readonly entry: ImportEntry }
  | { readonly type: 'phase-finished'; readonly phase: PhaseName }
  /** The service limits requests. None starts for this time in milliseconds, about a second or more. */
  | { readonly type: 'throttled'; readonly waitMs: number }
  | { readonly type: 'interrupted' };

export type Emit = (event: RunEvent) => void;

/** The result of importing one agent. */
export interface ImportEntry {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  /** `present`: it was already imported, so nothing was done. */
  readonly outcome: 'imported' | 'present' | 'failed' | 'not attempted';
  /** Why it was not imported. */
  readonly reasons?: readonly Notice[];
  /** Its manifest, and the files of its long texts. */
  readonly file?: string;
  readonly texts?: readonly string[];
  /** Warnings about it. */
  readonly notes?: readonly Notice[];
  /** Planned changes, except required write-only settings. */
  readonly left?: readonly Notice[];
}

/** The result of an import, with every agent. */
export interface ImportLedger {
  readonly environment: string;
  readonly entries: readonly ImportEntry[];
  /** Every written file, relative to the project folder, including records of the file store. */
  readonly files: readonly string[];
  /** Problems beyond single agents: why a plan would be refused, and findings of the validation. */
  readonly general: readonly Notice[];
  /** Set if the run was interrupted, so no plan follows the import. */
  readonly interrupted?: true;
}
