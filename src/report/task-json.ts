import type { Json } from '../kinds/json.ts';
import type { ShownInbox } from './inbox-text.ts';
import { isoTime } from './local-time.ts';
import type { SentTask } from './task-text.ts';
import type { UploadEnd } from './upload-text.ts';
import { visibleJson } from './visible-text.ts';

/** A sent task as data. */
export function renderSentTaskJson({ environment, outcome, task, answer, message }: SentTask): string {
  return asJson({ environment, outcome, task, answer, message });
}

/** The end of an upload as data. */
export function renderUploadJson({ upload, command: _, ...end }: UploadEnd): string {
  const { file, environment, rows, dryRun } = upload;
  return asJson({ environment, file, dryRun, rows, ...end });
}

/** The rooms as the service gives them, each with the time of its last message in ISO 8601 too. */
export function renderInboxJson({ environment, page, total, rooms }: ShownInbox): string {
  const shown = rooms.map((room) => {
    const seconds = room.lastMessageTimestamp;
    return { ...room, lastMessageAt: seconds === undefined || seconds === null ? null : (isoTime(seconds) ?? null) };
  });
  return asJson({ environment, page, totalRooms: total, rooms: shown });
}

function asJson(value: Readonly<Record<string, Json | readonly object[] | object | undefined>>): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
