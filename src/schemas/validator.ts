/** One violation, as ajv reports it. */
export interface Violation {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Whether the value fits; if not, `errors` holds every violation until the next call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly Violation[] | null;
}
