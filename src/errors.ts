import type { FailedCall, Notice, Remedy } from './schemas/notices-types.ts';

/** The exit codes of every command. If several apply, 1 outranks 3, and 3 outranks 2. */
export const exitCodes = { done: 0, failed: 1, pending: 2, refused: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Returns the exit code for a run whose parts had these exit codes. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  const { failed, refused, pending, done } = exitCodes;
  return [failed, refused, pending].find((code) => codes.includes(code)) ?? done;
}

/** The code of every expected error, with its exit code and its meaning for a user. */
export const errorCodes = {
  usage: { exit: 1, meaning: 'A command, an option or an argument is invalid.' },
  'project-invalid': { exit: 1, meaning: 'agentform.yaml is missing, cannot be read, or does not match its schema.' },
  'manifests-invalid': {
    exit: 1,
    meaning: 'One or more manifests have errors; each error is printed with its location.',
  },
  'environment-unknown': { exit: 1, meaning: 'The environment is not declared in agentform.yaml.' },
  'selection-empty': { exit: 1, meaning: 'No resource matches a name or a label selector on the command line.' },
  'field-unknown': { exit: 1, meaning: 'A path on the command line matches no field of the resource.' },
  'secret-unset': { exit: 1, meaning: 'A manifest needs ${secret.NAME}, but the process variable NAME is not set.' },
  'service-refused': { exit: 1, meaning: 'The service refused the request.' },
  'service-unreachable': { exit: 1, meaning: 'The service cannot be reached; nothing was sent.' },
  'service-unclear': { exit: 1, meaning: 'It is unknown whether the service carried out the request.' },
  'service-undecodable': { exit: 1, meaning: "The service's response does not match its specification." },
  'host-not-allowed': { exit: 3, meaning: 'A token would be sent to a host that is not allowed.' },
  'token-exposed': { exit: 1, meaning: 'A token would be sent over http to a host other than this machine.' },
  'record-unreadable': { exit: 1, meaning: 'A record cannot be read or does not match its schema.' },
  'record-newer': {
    exit: 1,
    meaning: 'A record, or the record database, was written by a newer version of agentform.',
  },
  'record-moved': { exit: 1, meaning: 'Another run changed a record while this run used it.' },
  'record-unreachable': {
    exit: 1,
    meaning: 'The git branch or the record database cannot be read or written.',
  },
  'record-denied': { exit: 1, meaning: 'The database user does not have the rights to read and write the records.' },
  'record-elsewhere': { exit: 1, meaning: 'The records are not in the store that agentform.yaml names.' },
  'git-failed': { exit: 1, meaning: 'A git command failed; the message includes its output.' },
  'record-locked': { exit: 1, meaning: 'Another run is writing to the same environment.' },
  'record-unknown': { exit: 1, meaning: 'The resource has no record in this environment.' },
  'record-exists': { exit: 1, meaning: 'The resource already has a record.' },
  'record-held': {
    exit: 3,
    meaning: 'The resource is on hold, and its hold would be lost; release the resource first.',
  },
  'adopt-refused': {
    exit: 3,
    meaning: 'The service returned a different agent than the one to adopt, or an agent of another type.',
  },
  'plan-unreadable': { exit: 1, meaning: 'A saved plan cannot be read or does not match its schema.' },
  'plan-altered': { exit: 1, meaning: 'A saved plan is inconsistent: it was altered after it was saved.' },
  'plan-incomplete': { exit: 1, meaning: 'Plans with failed reads and offline plans cannot be saved.' },
  'base-unreadable': {
    exit: 1,
    meaning: 'The base commit cannot be read with git, or its `agentform.yaml` has errors.',
  },
  'tasks-invalid': { exit: 1, meaning: 'A task or a CSV file of tasks has errors; nothing was sent.' },
  'import-invalid': { exit: 1, meaning: 'A list of agents to import has errors; nothing was imported.' },
  'file-unwritable': { exit: 1, meaning: 'An output file cannot be written.' },
  'file-taken': {
    exit: 3,
    meaning: 'An output file already exists with different contents, so it was not overwritten.',
  },
  'publish-off': { exit: 1, meaning: 'Publishing was requested, but agentform.yaml does not set service.publish.' },
  interrupted: {
    exit: 1,
    meaning: 'The run was interrupted; the message says that nothing was sent, or how to complete the run.',
  },
  'emulator-unusable': { exit: 1, meaning: 'The emulator cannot start, or its options are invalid.' },
  declined: {
    exit: 3,
    meaning: 'The operation was not confirmed, or it needs a confirmation and there is no terminal.',
  },
  'import-refused': {
    exit: 3,
    meaning:
      'An import would overwrite a file or record, or import an agent that another manifest manages; the message names the conflicting manifest, file or record.',
  },
  'run-refused': { exit: 3, meaning: 'A safety check refuses the whole run; the message says what to do.' },
  'edit-refused': {
    exit: 3,
    meaning:
      'The files were not edited: the edit needs a choice, or would change other values, or a file changed during the run.',
  },
  'plan-not-approved': { exit: 3, meaning: 'The apply would write changes that were not approved.' },
  'plan-mismatch': {
    exit: 3,
    meaning:
      'A saved plan is for another environment, was made offline, or has other resources than this run. The code also means that values have changed since a question about them was answered.',
  },
} as const satisfies Record<string, { exit: ExitCode; meaning: string }>;

export type ErrorCode = keyof typeof errorCodes;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCodes, text);
}

interface ErrorDetails {
  /** The values that were found, for programs that handle the error. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Commands that resolve the error, as arguments without the program name. */
  readonly remedies?: readonly Remedy[];
  /** The notices that caused the error, if any. */
  readonly reasons?: readonly Notice[];
  readonly cause?: unknown;
}

/** An expected failure, with a code, facts as fields, and a message without a final period. */
export class AgentformError extends Error {
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly remedies: readonly Remedy[];
  readonly reasons: readonly Notice[];

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AgentformError';
    this.code = code;
    this.facts = details.facts ?? {};
    this.reasons = details.reasons ?? [];
    this.remedies = details.remedies ?? this.reasons.flatMap(({ remedies }) => remedies);
  }

  get exitCode(): ExitCode {
    return errorCodes[this.code].exit;
  }
}

/** For `catch`: converts an expected failure to undefined. Throws any other error. */
export function undefinedIfExpected(error: unknown): undefined {
  if (!(error instanceof AgentformError)) throw error;
}

/** Returns the error for a run that was interrupted before its first write. */
export function interruptedEarly(): AgentformError {
  return new AgentformError('interrupted', 'interrupted before the first write; nothing was sent');
}

export type ServiceErrorCode = Extract<ErrorCode, `service-${string}`>;

interface ServiceErrorDetails extends ErrorDetails {
  /** `clear`: the service did not carry out the request. `unclear`: it may have done so. */
  readonly outcome: 'clear' | 'unclear';
  readonly call: FailedCall;
}

/** A failed call to the service. */
export class ServiceError extends AgentformError {
  readonly outcome: 'clear' | 'unclear';
  readonly call: FailedCall;

  constructor(code: ServiceErrorCode, message: string, details: ServiceErrorDetails) {
    super(code, message, details);
    this.name = 'ServiceError';
    this.outcome = details.outcome;
    this.call = details.call;
  }

  /** The operation id in the OpenAPI document. */
  get operation(): string {
    return this.call.operation;
  }

  /** The status of the last response, or undefined if there was no response. */
  get status(): number | undefined {
    return this.call.status;
  }
}

/**
 * Returns the sentence about a failed call, for the error of the call and for notices about the call. `secret` is the
 * name of the secret that the service refused.
 */
export function failedCallText(
  { doing, what, tries, said, mayBeDone, notFound, tokenAt }: FailedCall,
  secret: string | undefined,
): string {
  const afterTries = tries > 1 ? ` after ${tries} tries` : '';
  const message = said === undefined ? '' : ` and said "${said}"`;
  const doubt = mayBeDone ? '; the service may or may not have carried out the request' : '';
  const account = `that ${notFound?.token ?? 'the token'} belongs to the account with this agent`;
  const check = notFound === undefined ? '' : `; check the id, and ${account}`;
  const place = tokenAt === undefined ? '' : ` (${tokenAt.file}:${tokenAt.line})`;
  const remedy = secret === undefined ? '' : `; check the token in ${secret}${place}`;
  return `${doing} failed${afterTries}: ${what}${message}${doubt}${check}${remedy}`;
}

/**
 * Returns the message of a failure. System errors about files get other words, because their messages repeat the path.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words = 'syscall' in error && error.syscall === 'mkdir' ? { ...systemWords, ...folderWords } : systemWords;
  return words[errorCodeOf(error) ?? ''] ?? error.message;
}

/** Returns the system or Node code of an error, such as `ENOENT`. Returns undefined if the error has no such code. */
export function errorCodeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The meaning of system and Node error codes about files. */
const systemWords: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied (EACCES)',
  EPERM: 'permission is denied (EPERM)',
  ENOENT: 'the file does not exist',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  EROFS: 'the disk is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk quota is used up (EDQUOT)',
  EFBIG: 'the file would be too large (EFBIG)',
  ELOOP: 'its symbolic links form a cycle',
  ENAMETOOLONG: 'its name is too long',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
  EMFILE: 'too many files are open (EMFILE)',
};

/** The meaning of error codes that have a different meaning when a folder is created. */
const folderWords: Readonly<Record<string, string>> = {
  ENOENT: 'its file system does not allow new folders (ENOENT)',
  EEXIST: 'a file has the name of its folder',
};
