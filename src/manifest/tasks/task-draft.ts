import type { Span } from '../problem.ts';

/** A value of a task with what complaints call it: an option such as `--target`, or `settings.target` and its place. */
export interface Given<Value> {
  readonly value: Value;
  readonly label: string;
  readonly at?: Span;
  /** It holds a secret and is not repeated. */
  readonly isSensitive?: true;
}

/** An attachment as the service takes it (specification, "Task", meta.email.attachments). */
export interface Attachment {
  readonly filename: string;
  /** MIME type. */
  readonly type: string;
  /** Base64. */
  readonly content: string;
  readonly disposition: string;
}

/** A task that is being put together from a file and options; nothing is checked but the types of the values. */
export interface TaskDraft {
  readonly type?: Given<string>;
  readonly target?: Given<string>;
  readonly message?: Given<string>;
  readonly context?: Given<string>;
  readonly greeting?: Given<string>;
  readonly waitToGreet?: Given<boolean>;
  readonly accountId?: Given<number>;
  /** As it is written: see `readScheduledTime`. */
  readonly scheduledFor?: Given<string>;
  readonly subject?: Given<string>;
  readonly attachments?: Given<readonly Attachment[]>;
  readonly bridgeTo?: Given<string>;
  readonly bridgeMonitor?: Given<boolean>;
}

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Without the members that are undefined: an optional field is absent. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>;
}
