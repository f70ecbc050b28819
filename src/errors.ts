/** The exit codes of every command. When several apply, 1 beats 3 beats 2. */
export const exitCodes = { done: 0, failed: 1, pending: 2, refused: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Every error that agentform raises on purpose: its exit code, and what it means to a user. */
export const errorCodes = {
  usage: { exit: 1, meaning: 'The command line is not one that agentform understands.' },
  'project-invalid': { exit: 1, meaning: 'agentform.yaml is missing, cannot be read, or does not fit its schema.' },
  'manifests-invalid': { exit: 1, meaning: 'One or more manifests have errors; each is printed with its place.' },
  'environment-unknown': { exit: 1, meaning: 'The environment is not one of those in agentform.yaml.' },
  'selection-empty': { exit: 1, meaning: 'No resource has a name that was given on the command line.' },
  'field-unknown': { exit: 1, meaning: 'A path on the command line leads to no field of the resource.' },
  'secret-unset': { exit: 1, meaning: 'A ${secret.NAME} is needed and the process variable NAME is not set.' },
  'service-refused': { exit: 1, meaning: 'The service answered that it did not do what was asked.' },
  'service-unreachable': { exit: 1, meaning: 'No connection to the service could be made; nothing was sent.' },
  'service-unclear': { exit: 1, meaning: 'It is not known whether the service did what was asked.' },
  'service-undecodable': { exit: 1, meaning: 'The answer of the service is not one that its specification describes.' },
  'host-not-allowed': { exit: 3, meaning: 'A token would go to a host that is not one of those it may be sent to.' },
  'token-exposed': { exit: 1, meaning: 'A token would go over http to a host that is not this machine.' },
  'record-unreadable': { exit: 1, meaning: 'A record cannot be read or does not fit its schema.' },
  'record-newer': { exit: 1, meaning: 'A record was written by a newer agentform.' },
  'record-moved': { exit: 1, meaning: 'A record was changed by somebody else while this run used it.' },
  'record-unreachable': { exit: 1, meaning: 'The git branch that holds the records cannot be read or pushed to.' },
  'record-elsewhere': { exit: 1, meaning: 'The records are in another store than agentform.yaml says.' },
  'git-failed': { exit: 1, meaning: 'A git command that is needed failed; the message says what git said.' },
  'record-locked': { exit: 1, meaning: 'Another run is writing to the same environment.' },
  'record-unknown': { exit: 1, meaning: 'There is no record of that resource in this environment.' },
  'record-exists': { exit: 1, meaning: 'There is a record of that resource already.' },
  'plan-unreadable': { exit: 1, meaning: 'A saved plan cannot be read or does not fit its schema.' },
  'plan-altered': { exit: 1, meaning: 'A saved plan does not agree with itself: it was altered after it was saved.' },
  'plan-incomplete': { exit: 1, meaning: 'A plan with failed reads, or one made offline, is not saved.' },
  'base-unreadable': { exit: 1, meaning: 'The commit that the manifests are compared with cannot be read with git.' },
  'tasks-invalid': { exit: 1, meaning: 'A task or a CSV file of tasks has errors; nothing was sent.' },
  'import-invalid': { exit: 1, meaning: 'A list of agents to import has errors; nothing was imported.' },
  'ledger-unreadable': { exit: 1, meaning: 'The ledger of an upload cannot be read, or a newer agentform wrote it.' },
  'file-unwritable': { exit: 1, meaning: 'A file that the command should write cannot be written.' },
  'file-taken': { exit: 3, meaning: 'A file that the command should write holds something else, which is kept.' },
  'publish-off': { exit: 1, meaning: 'A publish was asked for, and agentform.yaml names no operation that publishes.' },
  interrupted: { exit: 1, meaning: 'The run was interrupted before the first write; nothing was sent.' },
  'emulator-unusable': { exit: 1, meaning: 'The emulator cannot start or was told something it does not understand.' },
  declined: { exit: 3, meaning: 'An apply, a publish, or a task that was to be sent, was not confirmed.' },
  'import-refused': {
    exit: 3,
    meaning: 'An import would overwrite something, or take an agent that another manifest has; the message says what.',
  },
  'upload-refused': { exit: 3, meaning: 'An upload would queue tasks twice; the message names the way out.' },
  'run-refused': { exit: 3, meaning: 'A guard refuses the whole run; the message names what overrides it.' },
  'edit-refused': {
    exit: 3,
    meaning: 'An edit of the manifests would do more or less than was asked; nothing was written.',
  },
  'plan-not-approved': { exit: 3, meaning: 'What an apply would write is not what was approved before it.' },
  'plan-mismatch': {
    exit: 3,
    meaning: 'A saved plan belongs to another environment, was made offline, or holds what the run does not.',
  },
} as const satisfies Record<string, { exit: ExitCode; meaning: string }>;

export type ErrorCode = keyof typeof errorCodes;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCodes, text);
}

export interface ErrorDetails {
  /** What was found, for machines; never a secret. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure: a code, facts as fields, and one sentence without a final period. */
export class AgentformError extends Error {
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AgentformError';
    this.code = code;
    this.facts = details.facts ?? {};
  }

  get exitCode(): ExitCode {
    return errorCodes[this.code].exit;
  }
}

export type ServiceErrorCode = Extract<ErrorCode, `service-${string}`>;

export interface ServiceErrorDetails extends ErrorDetails {
  /** Operation id of the OpenAPI document. */
  readonly operation: string;
  /** `clear`: the service did not do it. `unclear`: it may have. */
  readonly outcome: 'clear' | 'unclear';
  readonly status?: number;
}

/** A call to the service that failed. */
export class ServiceError extends AgentformError {
  readonly operation: string;
  readonly outcome: 'clear' | 'unclear';
  readonly status: number | undefined;

  constructor(code: ServiceErrorCode, message: string, details: ServiceErrorDetails) {
    super(code, message, details);
    this.name = 'ServiceError';
    this.operation = details.operation;
    this.outcome = details.outcome;
    this.status = details.status;
  }
}

/** Why something failed, as the one who threw it says. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return systemWords[errorCodeOf(error) ?? ''] ?? error.message;
}

/** The code that the system or Node gives an error, such as `ENOENT`; undefined if it has none. */
export function errorCodeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** What the system's codes about files mean; its own messages repeat the path. */
const systemWords: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied (EACCES)',
  EPERM: 'permission is denied (EPERM)',
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EROFS: 'the disk is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk quota is used up (EDQUOT)',
  EFBIG: 'it would be too large (EFBIG)',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open (EMFILE)',
};
