/** A stretch of a file. Lines and columns count from 1; the offsets are into the file's text. */
export interface Span {
  /** Relative to the project folder, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: number;
}

/** A complaint about a file: one sentence, where, and a second place if two places disagree. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** Lint rule or kind of error, in kebab case. */
  readonly rule: string;
  /** Lowercase, no final period: the value found and what is allowed. Never holds a secret. */
  readonly message: string;
  readonly at?: Span;
  readonly also?: { readonly message: string; readonly at: Span };
  /** The source around `at` is not to be shown: it holds something that looks like a secret. */
  readonly hideSource?: true;
  /** The message names the environments that have it. */
  readonly namesEnvironments?: true;
}
