import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Attachment } from './task-draft.ts';

const mebibyte = 1024 * 1024;
/** Larger e-mails are refused by most mail servers; the specification has no limit. */
const largest = 25 * mebibyte;

export type AttachmentReading =
  | { readonly attachment: Attachment }
  | { /** The end of a sentence that begins with the path. */ readonly failure: string };

export interface AttachmentSource {
  /** Absolute. */
  readonly path: string;
  /** If given, nothing outside this folder is read, through links neither. */
  readonly within?: string;
  readonly filename?: string | undefined;
  readonly type?: string | undefined;
  readonly disposition?: string | undefined;
}

/** Reads a file as an attachment; its MIME type is told by its name. */
export async function readAttachment(source: AttachmentSource): Promise<AttachmentReading> {
  try {
    const real = await realpath(source.path);
    const { within } = source;
    if (within !== undefined && !isInside(await realpath(within), real)) {
      return { failure: 'leads outside the project folder' };
    }
    const stats = await stat(real);
    if (!stats.isFile()) return { failure: stats.isDirectory() ? 'is a folder, not a file' : 'is not a regular file' };
    if (stats.size > largest) return { failure: tooLarge(stats.size) };
    return { attachment: await attachmentOf(source, await readFile(real)) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

async function attachmentOf(source: AttachmentSource, content: Buffer): Promise<Attachment> {
  const filename = source.filename ?? basename(source.path);
  const { default: mime } = await import('mime');
  return {
    filename,
    type: source.type ?? mime.getType(filename) ?? 'application/octet-stream',
    content: content.toString('base64'),
    disposition: source.disposition ?? 'attachment',
  };
}

/** The size of what an attachment holds, in bytes. */
export function sizeOf({ content }: Attachment): number {
  return Buffer.byteLength(content, 'base64');
}

function isInside(folder: string, path: string): boolean {
  const way = relative(resolve(folder), path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function tooLarge(size: number): string {
  return `is too large: it has ${(size / mebibyte).toFixed(1)} MiB and an attachment at most ${largest / mebibyte} MiB`;
}

function failureOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  return `cannot be read (${typeof code === 'string' ? code : 'unknown reason'})`;
}
