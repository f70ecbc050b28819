import type { Campaign } from '../kinds/definition.ts';
import type { Desired } from '../kinds/desired.ts';
import type { FieldPath } from '../kinds/field-path.ts';
import type { PathMap } from '../kinds/path-map.ts';
import type { Secrecy } from '../kinds/sensitive.ts';
import type { Notice } from '../notices/notice.ts';
import type { Change, UnclearApply } from '../schemas/plan-types.ts';
import type { KeptSettings as KeptHold, ResourceRecord, RollbackHold } from '../schemas/record-types.ts';

/** The result of reading an agent: its live settings, or the reason why the read failed. */
export type Reading = { readonly campaign: Campaign } | { readonly failure: Notice };

/**
 * A committed version of a record that is newer than the version in the work tree. Its commit was reverted or is not
 * merged yet, or the record file was edited or removed.
 */
export interface NewerRecord {
  readonly commit: string;
  /** Whether the commit is an ancestor of HEAD, and not only on another branch. */
  readonly inHistory: boolean;
  /** The path of the record file, relative to the project folder, for git commands. */
  readonly path: string;
  /** The address in that version, if the resource had another name. */
  readonly of?: string;
  /** The hold in that version. Without `until`, the hold lasts until `unhold`. */
  readonly hold?: { readonly since: string; readonly until?: string };
}

/** The known facts about one resource before it is planned. */
export interface Observation {
  readonly desired: Desired;
  /** The record. After a rename in the manifests, the record may still have the former name. */
  readonly record?: ResourceRecord;
  /** The former name of the resource, if its record must be renamed or an old copy must be removed. */
  readonly renamedFrom?: string;
  /** A record of this resource in a removed environment, if the current environment has no record. */
  readonly vanished?: ResourceRecord;
  /** The committed version that is newer than the record. If the record was removed, this is its last version. */
  readonly newer?: NewerRecord;
  /** The organization that must be created first. Before that, the target of this resource is unknown. */
  readonly waitsFor?: string;
  /**
   * Whether this project created the account and no record describes an agent in it. In that case, a create writes the
   * account's default agent.
   */
  readonly isNewAccount?: true;
  /** The result of the read. Absent if the agent was not read. */
  readonly reading?: Reading;
  /**
   * The probable keys and tokens in values from the service or the record, except those that the manifest contains.
   * Values that contain one of these are never shown or recorded.
   */
  readonly credentials?: readonly string[];
  /** A record on hold that describes the same agent under another name or in another environment. */
  readonly heldAs?: ResourceRecord;
  /** A person's answer about this resource in this run. */
  readonly answer?: ResourceAnswer;
  /** The settings whose live value replaces the manifest's value in `desired`. */
  readonly kept?: KeptSettings;
  /**
   * Set in a rollback: the version to restore, or the reason why no version can be restored. If there is a version,
   * `desired` contains its values.
   */
  readonly restored?: Restoration;
}

/** The part of a person's answer that the plan of a resource depends on. */
export interface ResourceAnswer {
  /** The holds for settings that stay unchanged on the service. */
  readonly keeps?: readonly KeptHold[];
  /** Whether edits on the service are undone despite `unanswered: leave`. */
  readonly undoes?: true;
}

/** The settings that an apply leaves unchanged on the service. */
export interface KeptSettings {
  readonly paths: PathMap<FieldPath>;
  /** The differences between manifest and service that remain. */
  readonly changes: readonly Change[];
  /** The decisions to keep settings, each with its hold and the paths of the settings. */
  readonly holds: ReadonlyArray<{ readonly hold: Omit<KeptHold, 'fields'>; readonly paths: readonly string[] }>;
  /** The paths of edited settings that stay because of `unanswered: leave`, without a person's decision. */
  readonly undecided: readonly string[];
  /** Whether undoing these edits would remove text that the project protects with `prompt-shrunk: error`. */
  readonly isUndoRefused: boolean;
  /** The paths of settings that a request cannot send unchanged, and that keep the resource from being sent. */
  readonly unsendable: readonly string[];
  /** The values in the manifest, before live values replaced them. */
  readonly declared: Pick<Desired, 'sections' | 'sensitive'>;
}

/** An earlier version of a record to restore, or the reason why no version can be restored. */
export type Restoration =
  | { readonly problem: Notice }
  | {
      /** The hold that protects the rollback. Undefined if nothing is rolled back. */
      readonly hold: RollbackHold | undefined;
      /** The project's commit from which the restored version was applied. */
      readonly commit: string | undefined;
      /** The digests recorded with the restored version. Undefined unless the whole version is restored. */
      readonly content?: Pick<ResourceRecord, 'content' | 'overlay' | 'revision'>;
      /** The notices about values that are not restored. */
      readonly warnings: readonly Notice[];
      /** The sensitive values by path, as the manifest declares them with references to their secrets. */
      readonly references?: PathMap<string>;
    };

/** The live agent. Undefined if the agent was not read successfully. */
export function campaignIn({ reading }: Pick<Observation, 'reading'>): Campaign | undefined {
  return reading !== undefined && 'campaign' in reading ? reading.campaign : undefined;
}

/**
 * Whether the agent may have been edited since the last apply: its `lastUpdate` differs from the recorded `lastUpdate`,
 * or the record has no `lastUpdate`.
 */
export function wasEditedSince(observation: Observation): boolean {
  const seen = observation.record?.lastUpdate;
  return seen === undefined || seen !== campaignIn(observation)?.lastUpdate;
}

/**
 * The last apply, if it failed and may have been carried out partly. After such an apply, the record has no
 * `lastUpdate`. The live values may then come from this apply instead of the dashboard. Plans, notices and ledgers all
 * use this function to detect such an apply.
 */
export function unclearApply({ record }: Pick<Observation, 'record'>): UnclearApply | undefined {
  if (record?.failure === undefined || !isUnclearRecord(record)) return undefined;
  const { code, at, commit } = record.failure;
  return { code, at, ...(commit !== undefined && { commit }) };
}

/** Whether the last apply of a record failed and may have been carried out partly. */
export function isUnclearRecord(record: ResourceRecord | undefined): boolean {
  return record?.failure !== undefined && record.lastUpdate === undefined;
}

/**
 * Codes of failures after which the service may have values that the record lacks. After `not-read-back`, the record
 * has the values that were sent.
 */
const unrecordedCodes: ReadonlySet<string> = new Set([
  'interrupted',
  'service-unclear',
  'service-undecodable',
  'not-recorded',
]);

/** Whether the last update may have been carried out without being recorded. */
export function isUnrecordedWrite(record: ResourceRecord): boolean {
  return isUnclearRecord(record) && unrecordedCodes.has(record.failure?.code ?? '');
}

/** The planning options that come from the environment or the command. */
export interface PlanContext {
  /** How to treat write-only settings in doubt. `set` resends these settings. `report` only names them. */
  readonly unverified: 'set' | 'report';
  /** The treatment of edits on the service while their question is unanswered. The default is `undo`. */
  readonly unanswered?: 'undo' | 'leave' | undefined;
  /**
   * `kept`: plan as if no settings were kept, so that `update` can copy live values into the manifests. `holds`: also
   * ignore holds, for a drift run, which writes nothing.
   */
  readonly ignores?: 'kept' | 'holds' | undefined;
  /** Whether to plan without reading the service. The record then counts as the live state. */
  readonly offline?: true;
  /** The severity for a prompt that loses half of its text or a section. Omit this to skip the check. */
  readonly shrunkPrompts?: 'warn' | 'error' | undefined;
  readonly secrecy: Secrecy;
  /** The current time, which decides whether a hold has ended. Omitted in an offline run, which ignores holds. */
  readonly now?: Date;
}
