import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Problem } from '../manifest/index.ts';
import { readAttachment } from '../manifest/tasks/attachment-file.ts';
import { type Attachment, defined, type Given, type TaskDraft } from '../manifest/tasks/task-draft.ts';

/** A task as options of the command line say it; paths are relative to the working directory. */
export interface TaskFlags {
  readonly type?: string | undefined;
  readonly target?: string | undefined;
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
  readonly messageFile?: string | undefined;
  readonly attach: readonly string[];
  readonly context?: string | undefined;
  readonly contextFile?: string | undefined;
  readonly greeting?: string | undefined;
  readonly waitToGreet?: boolean | undefined;
  readonly accountId?: number | undefined;
  readonly at?: string | undefined;
  readonly bridgeTo?: string | undefined;
  readonly bridgeMonitor?: boolean | undefined;
}

const longestText = 4 * 1024 * 1024;

/** Reads the files that options name. Every one that cannot be read is told. */
export async function draftOfFlags(
  flags: TaskFlags,
): Promise<{ readonly draft: TaskDraft; readonly problems: readonly Problem[] }> {
  const message = await textOf('message', flags.message, flags.messageFile);
  const context = await textOf('context', flags.context, flags.contextFile);
  const attachments = await attachmentsOf(flags.attach);
  const draft = defined({
    type: given('--type', flags.type),
    target: given('--target', flags.target),
    subject: given('--subject', flags.subject),
    message: message.text,
    context: context.text,
    greeting: given('--greeting', flags.greeting),
    waitToGreet: given('--wait-to-greet', flags.waitToGreet),
    accountId: given('--account-id', flags.accountId),
    scheduledFor: given('--at', flags.at),
    attachments: flags.attach.length === 0 ? undefined : given('--attach', attachments.read),
    bridgeTo: given('--bridge-to', flags.bridgeTo),
    bridgeMonitor: given('--bridge-monitor', flags.bridgeMonitor),
  });
  const failures = [...message.failures, ...context.failures, ...attachments.failures];
  return { draft, problems: failures.map((text) => ({ severity: 'error', rule: 'task-option', message: text })) };
}

function given<Value>(label: string, value: Value | undefined): Given<Value> | undefined {
  return value === undefined ? undefined : { label, value };
}

interface TextReading {
  readonly text: Given<string> | undefined;
  readonly failures: readonly string[];
}

/** `--NAME TEXT` or `--NAME-file FILE`. */
async function textOf(name: string, text: string | undefined, file: string | undefined): Promise<TextReading> {
  if (file === undefined) return { text: given(`--${name}`, text), failures: [] };
  if (text !== undefined) {
    return { text: undefined, failures: [`--${name} and --${name}-file were both given; use one of them`] };
  }
  try {
    const { size } = await stat(file);
    if (size > longestText) return failed(`--${name}-file is ${file}, which is larger than 4 MiB`);
    const read = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return { text: given(`--${name}-file`, read), failures: [] };
  } catch (error) {
    return failed(`--${name}-file is ${file}, ${reasonOf(error)}`);
  }
}

function failed(failure: string): TextReading {
  return { text: undefined, failures: [failure] };
}

async function attachmentsOf(paths: readonly string[]) {
  const read: Attachment[] = [];
  const failures: string[] = [];
  for (const path of paths) {
    const reading = await readAttachment({ path: resolve(path) });
    if ('attachment' in reading) read.push(reading.attachment);
    else failures.push(`--attach is ${path}, which ${reading.failure}`);
  }
  return { read, failures };
}

function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'and there is no such file';
  if (code === 'EISDIR') return 'which is a folder';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'which is not UTF-8 text';
  return `which cannot be read (${typeof code === 'string' ? code : 'unknown reason'})`;
}
