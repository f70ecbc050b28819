import type { FormRule } from '../kinds/service-forms.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';

/** The lines of a text, or the items of a list, that were sent and not read back. */
export interface MissingParts {
  readonly noun: 'line' | 'item';
  readonly count: number;
  /** In a text, the line as it was sent; counts from 1. */
  readonly line?: number;
  /** The first of them as JSON text, of a line only the part that is missing at its end; shortened. */
  readonly first: string;
}

/** What happened to one field that was sent, as the read-back shows it. */
export interface FieldResult {
  readonly path: string;
  /**
   * `stored`: read back as sent, or unchanged in the form that the record has. `normalised`: read back in a form that
   * means the same by `rules`. `another value`: read back as something else than was sent or was there before.
   * `ignored`: the service kept what it had. `unverifiable`: the read does not show it. `lost`: not sent, managed, and
   * moved all the same. `took over`: in the read-back of a create, but not in the manifest.
   */
  readonly result: 'stored' | 'normalised' | 'another value' | 'ignored' | 'unverifiable' | 'lost' | 'took over';
  /** For what was not read back as sent: how it was read back, as JSON text, shortened; masked if sensitive. */
  readonly readBack?: string;
  /** For `normalised`: why it means the same. */
  readonly rules?: readonly FormRule[];
  /** For `another value`: what of a text or list is not there. */
  readonly missing?: MissingParts;
}

/** Whether the service does not have what was sent, in whatever form. */
export function isNotTaken({ result }: FieldResult): boolean {
  return result === 'ignored' || result === 'another value' || result === 'lost';
}

/** What a request carried. */
export interface SentSettings {
  /** Those that the plan shows as changed; what is only sent again because it is in doubt is not counted. */
  readonly changed: number;
  readonly sent: number;
}

/** A setting that was edited on the service and is as the manifest says again. Sensitive values are masked, as in a plan. */
export interface UndoneEdit {
  readonly path: string;
  /** The edited value; left out where the edit had removed it. */
  readonly lost?: Change['from'];
  /** What was written over it; left out where it was removed. */
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
   * or did not do what was sent. `not attempted`: nothing was sent. `unknown`: it may have been written.
   */
  readonly outcome: 'applied' | 'failed' | 'not attempted' | 'unknown' | 'unchanged';
  /** Set where agentform itself refused it (stale, conflict, blocked, other credentials hit): exit code 3. */
  readonly refused?: true;
  /** Why, in a sentence, for every outcome but `applied` and `unchanged`. */
  readonly message?: string;
  /** Where it was refused for them: its conflicts, each with the three values. */
  readonly conflicts?: readonly Change[];
  readonly id?: string;
  /** For a create: it may have replaced the settings of an agent that was there, which the service does not tell. */
  readonly mayReplace?: true;
  /** Where a write was answered. */
  readonly settings?: SentSettings;
  /** The edits made on the service that the write put back, where there are any. */
  readonly undone?: readonly UndoneEdit[];
  readonly fields: readonly FieldResult[];
  readonly warnings: readonly string[];
  /** Names of the policies that deny it and that `--skip-policies` overruled. */
  readonly skippedPolicies?: readonly string[];
  /** The environments to which it was not applied first, which `--skip-requires` overruled. */
  readonly skippedRequires?: readonly string[];
  /** Names of the Tests with cases that did not pass for it and that `--skip-tests` overruled. */
  readonly skippedTests?: readonly string[];
  /** Whether the agent is published, as read back; the write itself changed the draft. */
  readonly published?: boolean;
  /** Whether a request that writes was sent. */
  readonly sent: boolean;
}

/** The end of an apply: what became of every resource of the plan. */
export interface Ledger {
  readonly environment: string;
  readonly entries: readonly LedgerEntry[];
  /** With `apply --publish`: how the agents ended that were applied, or that were as applied before. */
  readonly publishing?: readonly PublishEntry[];
  /** Set where agentform.yaml says how to publish, so that `agentform publish` can. */
  readonly canPublish?: true;
  /** Set when the apply was interrupted. */
  readonly interrupted?: true;
  /** Set when not all records could be shared: why, and where they are kept. */
  readonly unshared?: string;
}

/** How the publishing of one agent ended. */
export interface PublishEntry {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  /**
   * `published`: the service did it, and the read says so. `already published`: nothing was sent. `failed`: the service
   * refused it, or did not do it. `not attempted`: nothing was sent. `unknown`: it may have been done.
   */
  readonly outcome: 'published' | 'already published' | 'failed' | 'not attempted' | 'unknown';
  /** Set where agentform itself refused it: exit code 3. */
  readonly refused?: true;
  /** Why, in a sentence, for every outcome but `published` and `already published`. */
  readonly message?: string;
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

/** What a run does one after the other. */
export type PhaseName = 'read' | 'apply' | 'publish' | 'import';

/** What a run tells while it goes on; progress, tests and machines read the same stream. */
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

/** How the import of one agent ended. */
export interface ImportEntry {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  /** `present`: it was imported before, and nothing was done. */
  readonly outcome: 'imported' | 'present' | 'failed' | 'not attempted';
  /** Why it was not imported. */
  readonly message?: string;
  /** Its manifest, and the files of its long texts. */
  readonly file?: string;
  readonly texts?: readonly string[];
  /** Warnings about it. */
  readonly notes?: readonly string[];
  /** What a plan would do beyond sending what has to be declared and cannot be read. */
  readonly left?: readonly string[];
}

/** The end of an import: what became of every agent. */
export interface ImportLedger {
  readonly environment: string;
  readonly entries: readonly ImportEntry[];
  /** Every file that was written, relative to the project folder: with the store of files, the records too. */
  readonly files: readonly string[];
  /** What is wrong beyond single agents: why a plan would be refused, what a validation finds. */
  readonly general: readonly string[];
  /** Set when the run was interrupted: then no plan says how the import ended. */
  readonly interrupted?: true;
}
