import type { FormRule } from '../kinds/service-forms.ts';
import type { Notice } from '../notices/notice.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import type { Overruled } from '../schemas/record-types.ts';

/** The lines of a text, or the items of a list, that were sent and not read back. */
export interface MissingParts {
  readonly noun: 'line' | 'item';
  readonly count: number;
  /** In a text, the line as it was sent; counts from 1. */
  readonly line?: number;
  /** The first of them as JSON text, of a line only the part that is missing at its end; shortened. */
  readonly first: string;
}

/** The result for one sent field, according to the read-back. */
export interface FieldResult {
  readonly path: string;
  /**
   * `stored`: read back as sent, or unchanged in the form that the record has. `normalised`: read back in a form that
   * means the same by `rules`. `another value`: read back as something else than was sent or was there before.
   * `ignored`: the service kept what it had. `unverifiable`: the read does not show it. `lost`: not sent, managed, but
   * changed. `took over`: in the read-back of a create, but not in the manifest.
   */
  readonly result: 'stored' | 'normalised' | 'another value' | 'ignored' | 'unverifiable' | 'lost' | 'took over';
  /** For what was not read back as sent: how it was read back, as JSON text, shortened; masked if sensitive. */
  readonly readBack?: string;
  /** For `normalised`: why it means the same. */
  readonly rules?: readonly FormRule[];
  /** For `another value`: what of a text or list is not there. */
  readonly missing?: MissingParts;
}

/** Whether the service lacks the sent value in any form. */
export function isNotTaken({ result }: FieldResult): boolean {
  return result === 'ignored' || result === 'another value' || result === 'lost';
}

/** The content of a request. */
export interface SentSettings {
  /** Changes that the plan shows; a resend because of doubt does not count. */
  readonly changed: number;
  readonly sent: number;
}

/** A setting that was edited on the service and is restored. Sensitive values are masked, as in a plan. */
export interface UndoneEdit {
  readonly path: string;
  /** The edited value; left out where the edit had removed it. */
  readonly lost?: Change['from'];
  /** The overwriting value; omitted if it was removed. */
  readonly now?: Change['to'];
}

/** How one resource ended. */
export interface LedgerEntry {
  readonly kind: string;
  readonly name: string;
  readonly action: ResourcePlan['action'];
  /** The name that its record had before. */
  readonly renamedFrom?: string;
  /**
   * `applied`: written and recorded, or only recorded where nothing had to be sent. `failed`: the service refused it,
   * or did not do what was sent. `not attempted`: nothing was sent. `waiting`: its step of the rollout is not open.
   * `unknown`: it may have been written.
   */
  readonly outcome: 'applied' | 'failed' | 'not attempted' | 'waiting' | 'unknown' | 'unchanged';
  /** Set if agentform itself refused it (stale, conflict, blocked, other credentials hit): exit code 3. */
  readonly refused?: true;
  /** Why, in a sentence, for every outcome but `applied` and `unchanged`. */
  readonly reasons?: readonly Notice[];
  /** Its conflicts, if it was refused for them, each with the three values. */
  readonly conflicts?: readonly Change[];
  readonly id?: string;
  /** For a create: it may have replaced the settings of an existing agent, which the service does not show. */
  readonly mayReplace?: true;
  /** If the write got a response. */
  readonly settings?: SentSettings;
  /** The edits made on the service that the write put back, where there are any. */
  readonly undone?: readonly UndoneEdit[];
  readonly fields: readonly FieldResult[];
  readonly warnings: readonly Notice[];
  /** The decisions without which it would be refused. */
  readonly overruled?: readonly Overruled[];
  /** Whether the agent is published, as read back; the write itself changed the draft. */
  readonly published?: boolean;
  /** Whether a request that writes was sent. */
  readonly sent: boolean;
}

/** The end of an apply: what became of every resource of the plan. */
export interface Ledger {
  readonly environment: string;
  readonly entries: readonly LedgerEntry[];
  /** With `apply --publish`: the results for applied agents, and for those applied before. */
  readonly publishing?: readonly PublishEntry[];
  /** Set if agentform.yaml has service.publish, so that `agentform publish` works. */
  readonly canPublish?: true;
  /** Set for a rollback: what was applied was restored. */
  readonly isRollback?: true;
  /** Set when the apply was interrupted. */
  readonly interrupted?: true;
  /** Answers that did not count, because what they were about had changed. */
  readonly outdated?: readonly Notice[];
  /** Set when not all records could be shared: why, and where they are kept. */
  readonly unshared?: string;
}

/** The result of publishing one agent. */
export interface PublishEntry {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  /**
   * `published`: done, and confirmed by the read. `already published`: nothing was sent. `failed`: the service refused
   * it, or did not do it. `not attempted`: nothing was sent. `unknown`: it may have been done.
   */
  readonly outcome: 'published' | 'already published' | 'failed' | 'not attempted' | 'unknown';
  /** Set where agentform itself refused it: exit code 3. */
  readonly refused?: true;
  /** Why, for every outcome but `published` and `already published`. */
  readonly reasons?: readonly Notice[];
}

/** The end of a publish: what became of every agent that was asked for. */
export interface PublishLedger {
  readonly environment: string;
  readonly publishing: readonly PublishEntry[];
  /** Set when it was interrupted. */
  readonly interrupted?: true;
  /** Set when not all records could be shared: why, and where they are kept. */
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
  /** The service limits requests: none starts for so long, in milliseconds; about a second or more. */
  | { readonly type: 'throttled'; readonly waitMs: number }
  | { readonly type: 'interrupted' };

export type Emit = (event: RunEvent) => void;

/** The result of importing one agent. */
export interface ImportEntry {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  /** `present`: it was imported before, and nothing was done. */
  readonly outcome: 'imported' | 'present' | 'failed' | 'not attempted';
  /** Why it was not imported. */
  readonly reasons?: readonly Notice[];
  /** Its manifest, and the files of its long texts. */
  readonly file?: string;
  readonly texts?: readonly string[];
  /** Warnings about it. */
  readonly notes?: readonly Notice[];
  /** Planned changes other than required settings that cannot be read. */
  readonly left?: readonly Notice[];
}

/** The end of an import: what became of every agent. */
export interface ImportLedger {
  readonly environment: string;
  readonly entries: readonly ImportEntry[];
  /** Every file that was written, relative to the project folder: with the store of files, the records too. */
  readonly files: readonly string[];
  /** Problems beyond single agents: why a plan would be refused, and what a validation finds. */
  readonly general: readonly Notice[];
  /** Set if the run was interrupted, so no plan follows the import. */
  readonly interrupted?: true;
}
