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
  /** What somebody should know of it. */
  readonly notes?: readonly string[];
  /** What a plan would do beyond sending what has to be declared and cannot be read. */
  readonly left?: readonly string[];
}

/** The end of an import: what became of every agent. */
export interface ImportLedger {
  readonly environment: string;
  readonly entries: readonly ImportEntry[];
  /** What is wrong beyond single agents: why a plan would be refused, what a validation finds. */
  readonly general: readonly string[];
  /** Set when the run was interrupted: then no plan says how the import ended. */
  readonly interrupted?: true;
}
