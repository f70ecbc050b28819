import type { FormRule } from '../kinds/service-forms.ts';
import type { Notice } from '../notices/notice.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import type { Overruled } from '../schemas/record-types.ts';

/** The lines of a sent text, or the items of a sent list, that are missing in the read-back. */
export interface MissingParts {
  readonly noun: 'line' | 'item';
  readonly count: number;
  /** For a text, the number of the first missing line, counted from 1. */
  readonly line?: number;
  /** The first missing part as shortened JSON. If a line was cut off, this is its missing end. */
  readonly first: string;
}

/** The result of a write for one field. */
export interface FieldResult {
  readonly path: string;
  /**
   * The result of the write:
   * - `stored`: The value was read back as sent, or in the form that the record already has.
   * - `normalised`: The value is equal according to `rules`.
   * - `another value`: The value is neither the sent nor the earlier value.
   * - `ignored`: The value is absent, or still the earlier or default value.
   * - `unverifiable`: The value cannot be read back.
   * - `lost`: The value was not sent, and the read-back no longer equals the declared value.
   * - `took over`: The value is in the read-back of a create, but not in the manifest.
   */
  readonly result: 'stored' | 'normalised' | 'another value' | 'ignored' | 'unverifiable' | 'lost' | 'took over';
  /**
   * The value that was read back, as shortened JSON, or `nothing`. Set only if the value differs from the sent value. A
   * sensitive value is masked.
   */
  readonly readBack?: string;
  /** For `normalised`, the rules under which the sent value and the read-back count as equal. */
  readonly rules?: readonly FormRule[];
  /** For `another value`, the missing parts of a text or list. */
  readonly missing?: MissingParts;
}

/** Returns whether the read-back shows that the service did not store the declared value. */
export function isNotTaken({ result }: FieldResult): boolean {
  return result === 'ignored' || result === 'another value' || result === 'lost';
}

/** The setting counts of a request. */
export interface SentSettings {
  /** The number of settings that change a value. Settings that are only resent do not count. */
  readonly changed: number;
  readonly sent: number;
}

/** An edit on the service that a write undid. Sensitive values are masked. */
export interface UndoneEdit {
  readonly path: string;
  /** The edited value that was lost. Absent if the edit had removed the setting. */
  readonly lost?: Change['from'];
  /** The value that replaced the edit. Absent if the setting was unset. */
  readonly now?: Change['to'];
}

/** The result for one resource of an apply. */
export interface LedgerEntry {
  readonly kind: string;
  readonly name: string;
  readonly labels?: NonNullable<ResourcePlan['labels']>;
  readonly title?: string;
  readonly action: ResourcePlan['action'];
  /** The former name, if the record was renamed. */
  readonly renamedFrom?: string;
  /**
   * The outcome of the apply:
   * - `applied`: The resource was written and recorded, or only recorded if no request was necessary.
   * - `failed`: The resource could not be planned, written, confirmed or recorded.
   * - `not attempted`: Nothing was sent, because of a refusal or a failure.
   * - `on hold`: Nothing was sent, because a person put the resource or its dependency on hold.
   * - `left out`: Nothing was sent, because an answer leaves out the resource or its dependency.
   * - `waiting`: The rollout step of the resource is not open.
   * - `unknown`: The resource may have been written.
   * - `unchanged`: No write was necessary.
   */
  readonly outcome:
    | 'applied'
    | 'failed'
    | 'not attempted'
    | 'on hold'
    | 'left out'
    | 'waiting'
    | 'unknown'
    | 'unchanged';
  /** True for a refusal, such as a conflict or hold, which leads to exit code 3 unless something failed. */
  readonly refused?: true;
  /** The reasons for the outcome. They are present for every outcome except `applied` and `unchanged`. */
  readonly reasons?: readonly Notice[];
  /** The conflicts that caused the refusal, each with its manifest, live and last-applied value. */
  readonly conflicts?: readonly Change[];
  readonly id?: string;
  /** True for a create that may have replaced an existing agent, which the service does not show. */
  readonly mayReplace?: true;
  /**
   * The counts of the sent settings. They are absent if nothing was sent, or if the write could not be confirmed or
   * recorded.
   */
  readonly settings?: SentSettings;
  readonly undone?: readonly UndoneEdit[];
  /** True if the undone edits may come from an earlier apply that failed. */
  readonly isUnclear?: true;
  readonly fields: readonly FieldResult[];
  readonly warnings: readonly Notice[];
  /** The overruled checks that would have refused the resource. */
  readonly overruled?: readonly Overruled[];
  /** Whether the last read shows the agent as published. The write itself changes only the draft. */
  readonly published?: boolean;
  /** Whether the service may have carried out a write. */
  readonly sent: boolean;
}

/** The results of an apply: an entry for each resource of the plan except orphans. */
export interface Ledger {
  readonly environment: string;
  readonly entries: readonly LedgerEntry[];
  /** For `apply --publish`, the results of publishing. The results also cover agents that an earlier apply wrote. */
  readonly publishing?: readonly PublishEntry[];
  /** True if agentform.yaml has `service.publish`, so that `agentform publish` works. */
  readonly canPublish?: true;
  /** True if the environment uses the embedded emulator. */
  readonly isEmulated?: true;
  readonly isRollback?: true;
  readonly interrupted?: true;
  /** Notices about answers that no longer apply, because their questions have changed. */
  readonly outdated?: readonly Notice[];
  /** Why some records could not be published, and where these records are stored. */
  readonly unshared?: string;
}

/** The result of publishing one agent. */
export interface PublishEntry {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  /**
   * The outcome of publishing:
   * - `published`: The agent was published, and a read confirmed that.
   * - `already published`: Nothing was sent.
   * - `failed`: The service refused to publish, or the read did not confirm that the agent was published.
   * - `not attempted`: Nothing was sent.
   * - `unknown`: The agent may have been published.
   */
  readonly outcome: 'published' | 'already published' | 'failed' | 'not attempted' | 'unknown';
  /** True if agentform refused to publish. A refusal leads to exit code 3, unless something failed. */
  readonly refused?: true;
  /**
   * The reasons for the outcome. They are absent for `published`. For `already published`, they are present only if
   * there may be unpublished edits.
   */
  readonly reasons?: readonly Notice[];
}

/** The result of publishing, with an entry for every requested agent. */
export interface PublishLedger {
  readonly environment: string;
  readonly publishing: readonly PublishEntry[];
  readonly interrupted?: true;
  /** Why some records could not be published, and where these records are stored. */
  readonly unshared?: string;
}

export type PhaseName = 'read' | 'apply' | 'publish' | 'import';

/** An event of a run, for progress displays, tests and other programs. */
export type RunEvent =
  | { readonly type: 'phase-started'; readonly phase: PhaseName; readonly total: number }
  | { readonly type: 'resource-started'; readonly phase: PhaseName; readonly kind: string; readonly name: string }
  | { readonly type: 'resource-read'; readonly kind: string; readonly name: string; readonly failed: boolean }
  | { readonly type: 'resource-applied'; readonly entry: LedgerEntry }
  | { readonly type: 'resource-published'; readonly entry: PublishEntry }
  | { readonly type: 'resource-imported'; readonly entry: ImportEntry }
  | { readonly type: 'phase-finished'; readonly phase: PhaseName }
  /** The service asked for a lower request rate. No request starts for `waitMs` milliseconds. */
  | { readonly type: 'throttled'; readonly waitMs: number }
  | { readonly type: 'interrupted' };

export type Emit = (event: RunEvent) => void;

/** The result of importing one agent. */
export interface ImportEntry {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  /** The outcome of the import. `present` means that the agent was already imported, so nothing was done. */
  readonly outcome: 'imported' | 'present' | 'failed' | 'not attempted';
  /** Why the agent was not imported. */
  readonly reasons?: readonly Notice[];
  /** The path of the manifest. Long texts are in separate files beside the manifest. */
  readonly file?: string;
  readonly texts?: readonly string[];
  readonly notes?: readonly Notice[];
  /**
   * The reasons and changes that a plan would still show after the import. Changes to write-only settings that must be
   * declared are omitted.
   */
  readonly left?: readonly Notice[];
}

/** The results of an import, one for each agent. */
export interface ImportLedger {
  readonly environment: string;
  readonly entries: readonly ImportEntry[];
  /** The paths of all written files, relative to the project folder. They include the records in the file store. */
  readonly files: readonly string[];
  /** Problems that concern no single agent: why an apply would be refused, and the findings of `validate`. */
  readonly general: readonly Notice[];
  /** True if the import was interrupted. An interrupted import ends without a plan. */
  readonly interrupted?: true;
}
