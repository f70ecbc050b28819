/** Agents to become members of a fleet. */
export interface FleetImport {
  /** Its name; where it is there already, its template is what the agents are compared with. */
  readonly fleet: string;
  /** Path of its table. */
  readonly list: string;
  /** For the template of a new fleet, by columns: `Answers the phone of ${var.brand}`. */
  readonly description?: string;
  /** As in `${secret...}`: `NAME`, or `NAME[var.column]`. */
  readonly tokenSecret?: string;
  /** `name=value`, by columns: `targetAccountId=${var.account}`. */
  readonly query: readonly string[];
  /** Throws where `offer` could not be answered, before a long read. */
  readonly requireAnswer?: () => void;
  /** Called before a new fleet is written; without it, the fleet is written. */
  readonly offer?: (offered: FleetOffer) => Promise<FleetAnswer>;
}

/** The files of a new fleet, for a person to review. */
export interface FleetOffer {
  /** The template, the files of its texts and the fleet, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The path of the fleet, which is not shown. */
  readonly fleet: string;
  /** Problems of the edited files: they cannot be written so. */
  readonly problems: readonly string[];
  readonly agents: number;
  /** The number of override files. */
  readonly overridden: number;
}

/** Whether to write the offered files, or the edited files to offer again. */
export type FleetAnswer = 'write' | ReadonlyMap<string, string>;
