import type { Campaign } from '../kinds/definition.ts';
import type { Desired } from '../kinds/desired.ts';
import type { FieldPath } from '../kinds/field-path.ts';
import type { PathMap } from '../kinds/path-map.ts';
import type { Secrecy } from '../kinds/sensitive.ts';
import type { Notice } from '../notices/notice.ts';
import type { Change } from '../schemas/plan-types.ts';
import type { KeptSettings as KeptHold, ResourceRecord, RollbackHold } from '../schemas/record-types.ts';
import type { Secret } from '../secrets/secret.ts';

/** The result of a read: the agent, or the reason why there is none. */
export type Reading = { readonly campaign: Campaign } | { readonly failure: Notice };

/** A version of a record in a commit that was reverted, or is not merged yet. */
export interface NewerRecord {
  readonly commit: string;
  /** Whether the commit is in the history of the checkout, and not only on another branch. */
  readonly inHistory: boolean;
  /** The path of the record for git commands in the project folder. */
  readonly path: string;
  /** The holds of the resource in that version; without an end, until `unhold`. */
  readonly hold?: { readonly since: string; readonly until?: string };
}

/** Everything known about one resource: wanted, live, and last applied. */
export interface Observation {
  readonly desired: Desired;
  /** The record, possibly under a former name of the manifest. */
  readonly record?: ResourceRecord;
  /** The former name whose record will be moved, or was left behind as a copy. */
  readonly renamedFrom?: string;
  /** For a resource without a record: its record in an environment that agentform.yaml no longer has. */
  readonly vanished?: ResourceRecord;
  /** A committed version of the record that is newer, or the last one if the record is gone. */
  readonly newer?: NewerRecord;
  /** The organization of its future account, which does not exist yet. Its target is only known after the apply. */
  readonly waitsFor?: string;
  /**
   * Whether this project created the account and no record has an agent in it. A create then writes the default agent.
   */
  readonly isNewAccount?: true;
  /** Absent if there was no id to read. */
  readonly reading?: Reading;
  /** A record of another name or environment that holds the same agent. */
  readonly heldAs?: ResourceRecord;
  /** A person's answer about it in this run. */
  readonly answer?: ResourceAnswer;
  /** Settings for which `desired` has the live value in place of the manifest's. */
  readonly kept?: KeptSettings;
  /** The result of a rollback. `desired` is then the earlier record, unless there is nothing to restore. */
  readonly restored?: Restoration;
}

/** A person's answer about a resource in this run, as far as its plan depends on it. */
export interface ResourceAnswer {
  /** The holds for settings that stay as they are on the service. */
  readonly keeps?: readonly KeptHold[];
  /** Edits on the service are undone although the environment has `unanswered: leave`. */
  readonly undoes?: true;
}

/** Settings that an apply leaves as they are on the service. */
export interface KeptSettings {
  readonly paths: PathMap<FieldPath>;
  /** The differences that stay. */
  readonly changes: readonly Change[];
  /** The decisions, each with its person and settings. */
  readonly holds: ReadonlyArray<{ readonly hold: Omit<KeptHold, 'fields'>; readonly paths: readonly string[] }>;
  /** Edited settings that stay, although no person decided about them. */
  readonly undecided: readonly string[];
  /** Settings that a request cannot send as they are, so the resource is not sent. */
  readonly unsendable: readonly string[];
  /** The values of the manifest. */
  readonly declared: Pick<Desired, 'sections' | 'sensitive'>;
}

/** An earlier version of a record as desired, or why there is none. */
export type Restoration =
  | { readonly problem: Notice }
  | {
      /** None if nothing is rolled back. */
      readonly hold: RollbackHold | undefined;
      /** The commit of the project that the version was applied from. */
      readonly commit: string | undefined;
      /** The context of the version's apply; undefined if it is not restored as a whole. */
      readonly content?: Pick<ResourceRecord, 'content' | 'overlay' | 'revision'>;
      /** Notices about values that are not restored. */
      readonly warnings: readonly Notice[];
      /** Sensitive values as written, with the references to their secrets. */
      readonly references?: PathMap<string>;
    };

/** The agent as read; undefined if it was not or could not be read. */
export function campaignIn({ reading }: Pick<Observation, 'reading'>): Campaign | undefined {
  return reading !== undefined && 'campaign' in reading ? reading.campaign : undefined;
}

/** Whether the agent was edited since the last apply: live `lastUpdate` is not the one seen right after it. */
export function wasWrittenSince(observation: Observation): boolean {
  const seen = observation.record?.lastUpdate;
  return seen === undefined || seen !== campaignIn(observation)?.lastUpdate;
}

/** The targets of all other manifests, for the guard on shared targets. */
export interface Identity {
  readonly kind: string;
  readonly name: string;
  /** A key for equal base URLs: an environment has one. */
  readonly baseUrl: string;
  /** The token's reference in the manifest or project file, such as ${secret.AGENT_TOKEN}; a key for equal tokens. */
  readonly tokenReference: string;
  /** The token itself, if it was resolved. */
  readonly token?: Secret;
  readonly query: Readonly<Record<string, string>>;
  readonly agentId?: string;
}

/** The options of a plan that the environment and the project decide. */
export interface PlanOptions {
  /** `set` sends settings in doubt again; `report` only names them. */
  readonly unverified: 'set' | 'report';
  /** How to treat edits on the service without a decision; they are undone by default. */
  readonly unanswered?: 'undo' | 'leave' | undefined;
  /** Kept settings count as differences, so that they can be copied into the manifests. */
  readonly ignoresKept?: boolean | undefined;
  /** Nothing is read, and the record counts as the live state. */
  readonly offline?: true;
  /** Holds have no effect, because drift writes nothing. */
  readonly ignoresHolds?: boolean | undefined;
  /** The level for prompts that lose half of their text or a section; none if omitted. */
  readonly shrunkPrompts?: 'warn' | 'error' | undefined;
  readonly secrecy: Secrecy;
  /** The time of the run, for the end of holds; omitted if there are none, as offline. */
  readonly now?: Date;
}
