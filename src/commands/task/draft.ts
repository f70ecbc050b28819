import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { reasonOf } from '../../errors.ts';
import { readBytes } from '../../files/output-file.ts';
import { isInside } from '../../files/plain-file.ts';
import { withoutUndefined } from '../../json/json.ts';
import type { TaskFields } from '../../schemas/option-types.ts';
import { decodeText } from '../../text/encoding.ts';
import { textInFile } from '../../text/lines.ts';
import { quote } from '../../text/wording.ts';
import type { Problem, Span } from '../../yaml/problem.ts';

/**
 * A value of a task, with the source that problems name: an option such as `--target`, or a setting such as
 * `settings.target` with its place.
 */
export interface Given<Value> {
  readonly value: Value;
  readonly label: string;
  readonly at?: Span;
  /** Set if the value contains a secret. Messages must not repeat such a value. */
  readonly isSensitive?: true;
}

/** An attachment as the service expects it (specification, "Task", meta.email.attachments). */
export interface Attachment {
  readonly filename: string;
  /** A MIME type. */
  readonly type: string;
  /** The content in base64. */
  readonly content: string;
  readonly disposition: string;
}

/** A task from a file and options. Only the types of its values have been checked. */
export interface TaskDraft {
  readonly type?: Given<string>;
  readonly target?: Given<string>;
  readonly message?: Given<string>;
  readonly context?: Given<string>;
  readonly greeting?: Given<string>;
  readonly waitToGreet?: Given<boolean>;
  readonly accountId?: Given<number>;
  /** The time as text. See `readScheduledTime`. */
  readonly scheduledFor?: Given<string>;
  readonly subject?: Given<string>;
  readonly attachments?: Given<readonly Attachment[]>;
  readonly bridgeTo?: Given<string>;
  readonly bridgeMonitor?: Given<boolean>;
}

const maxTextLength = 4 * 1024 * 1024;

/**
 * Builds a draft from options. Reads the files that the options name, relative to the working directory. Reports all
 * files that cannot be read.
 */
export async function draftOfFlags(
  flags: TaskFields,
): Promise<{ readonly draft: TaskDraft; readonly problems: readonly Problem[] }> {
  const message = await textOrFile('message', flags.message, flags.messageFile);
  const context = await textOrFile('context', flags.context, flags.contextFile);
  const { attach = [] } = flags;
  const attachments = await attachmentsOf(attach);
  const draft = withoutUndefined({
    type: givenAs('--type', flags.type),
    target: givenAs('--target', flags.target),
    subject: givenAs('--subject', flags.subject),
    message: message.text,
    context: context.text,
    greeting: givenAs('--greeting', flags.greeting),
    waitToGreet: givenAs('--wait-to-greet', flags.waitToGreet),
    accountId: givenAs('--account-id', flags.accountId),
    scheduledFor: givenAs('--at', flags.at),
    attachments: attach.length === 0 ? undefined : givenAs('--attach', attachments.read),
    bridgeTo: givenAs('--bridge-to', flags.bridgeTo),
    bridgeMonitor: givenAs('--bridge-monitor', flags.bridgeMonitor),
  });
  const failures = [...message.failures, ...context.failures, ...attachments.failures];
  return { draft, problems: failures.map((text) => ({ severity: 'error', rule: 'task-option', message: text })) };
}

function givenAs<Value>(label: string, value: Value | undefined): Given<Value> | undefined {
  return value === undefined ? undefined : { label, value };
}

/** Reads a text from `--NAME TEXT` or `--NAME-file FILE`. */
async function textOrFile(name: string, text: string | undefined, file: string | undefined) {
  if (file === undefined) return { text: givenAs(`--${name}`, text), failures: [] };
  if (text !== undefined) {
    return { text: undefined, failures: [`--${name} and --${name}-file were both given; use one of them`] };
  }
  try {
    const read = decodeText(await readBytes(file, maxTextLength));
    return { text: givenAs(`--${name}-file`, textInFile(read)), failures: [] };
  } catch (error) {
    return { text: undefined, failures: [unreadable(`--${name}-file`, file, reasonOf(error))] };
  }
}

function unreadable(option: string, path: string, why: string): string {
  return `${option}: cannot read ${path}: ${why}`;
}

async function attachmentsOf(paths: readonly string[]) {
  const read: Attachment[] = [];
  const failures: string[] = [];
  for (const path of paths) {
    const result = await readAttachment({ path: resolve(path) });
    if ('attachment' in result) read.push(result.attachment);
    else failures.push(unreadable('--attach', path, result.failure));
    if (areTooLarge(read)) return { read: [], failures: [...failures, `--attach: ${tooLargeTogether}`] };
  }
  return { read, failures };
}

export type AttachmentResult =
  | { readonly attachment: Attachment }
  | { /** Why the file cannot be read, such as "it is a folder". */ readonly failure: string };

interface AttachmentSource {
  readonly path: string;
  /** The folder that must contain the file, after links are resolved. */
  readonly within?: string;
  readonly filename?: string | undefined;
  readonly type?: string | undefined;
  readonly disposition?: string | undefined;
}

const mebibyte = 1024 * 1024;
/**
 * The maximum size of an email's attachments, in bytes. Most mail servers reject larger emails. The specification sets
 * no limit.
 */
const largest = 25 * mebibyte;

/** Reads a file as an attachment. By default, the MIME type comes from the file's name. */
export async function readAttachment(source: AttachmentSource): Promise<AttachmentResult> {
  try {
    const real = await realpath(source.path);
    const { within } = source;
    if (within !== undefined && !isInside(await realpath(within), real)) {
      return { failure: 'it leads outside the project folder' };
    }
    const failure = attachmentHeaderProblem({ filename: filenameOf(source) });
    if (failure !== undefined) return { failure };
    const stats = await stat(real);
    if (!stats.isFile()) return { failure: stats.isDirectory() ? 'it is a folder' : 'it is not a regular file' };
    if (stats.size > largest) {
      const size = (stats.size / mebibyte).toFixed(1);
      return { failure: `it is ${size} MiB, but an attachment can be at most ${largest / mebibyte} MiB` };
    }
    return { attachment: await attachmentOf(source, await readFile(real)) };
  } catch (error) {
    return { failure: reasonOf(error) };
  }
}

export const tooLargeTogether = `the attachments are larger than ${largest / mebibyte} MiB in total`;

/**
 * Whether the attachments together are too large for an email. A file that is attached several times counts each time.
 */
export function areTooLarge(attachments: readonly Attachment[]): boolean {
  const characters = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return characters > Math.ceil(largest / 3) * 4;
}

function filenameOf({ filename, path }: AttachmentSource): string {
  return filename ?? basename(path);
}

async function attachmentOf(source: AttachmentSource, content: Buffer): Promise<Attachment> {
  const filename = filenameOf(source);
  const { default: mime } = await import('mime');
  return {
    filename,
    type: source.type ?? mime.getType(filename) ?? 'application/octet-stream',
    content: content.toString('base64'),
    disposition: source.disposition ?? 'attachment',
  };
}
/** Whether a text is padded base64. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Whether a text can be a header of an email (RFC 5322). A line break would let the text add other headers. */
export function isHeaderText(text: string): boolean {
  return !/[^\P{Cc}\t]|[\u2028\u2029]/u.test(text);
}

/** Checks the texts of an attachment that become headers of the email. Returns undefined if they are valid. */
export function attachmentHeaderProblem(
  texts: Readonly<Partial<Record<'filename' | 'type' | 'disposition', string | undefined>>>,
): string | undefined {
  for (const [name, text = ''] of Object.entries(texts))
    if (!isHeaderText(text)) return `the ${name} ${quote(text)} has a line break or control character`;
  return texts.type === undefined ? undefined : mimeTypeProblem(texts.type);
}

/** Matches the type or the subtype of a MIME type (RFC 6838). */
const mimeName = /^[\w!#$&^.+-]+$/;

/** Checks the MIME type of an attachment, which can have parameters. Returns undefined if the type is valid. */
function mimeTypeProblem(text: string): string | undefined {
  const names = text.split(';', 1).join('').trimEnd().split('/');
  const isValid = names.length === 2 && names.every((name) => mimeName.test(name));
  return isValid ? undefined : `${quote(text)} is not a MIME type such as application/pdf`;
}
