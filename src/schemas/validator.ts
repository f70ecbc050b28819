/** One violation, as ajv reports it. */
export interface Violation {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Set only for the service's requests and responses. */
  readonly message?: string;
}

/**
 * Returns whether a value is valid. If not, `errors` has its violations until the next call, limited to the first ones
 * if there are thousands.
 */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly Violation[] | null;
}
