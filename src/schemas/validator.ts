/** One violation, as ajv reports it. */
export interface Violation {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Of the service's requests and answers only. */
  readonly message?: string;
}

/** Whether the value fits; if not, `errors` holds its violations until the next call, of thousands only the first. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly Violation[] | null;
}
