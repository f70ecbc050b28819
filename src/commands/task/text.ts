import { isJsonObject, type Json, type JsonObject, memberIn } from '../../json/json.ts';
import { createPaint } from '../../report/terminal/paint.ts';
import { messageOf } from '../../service/answer.ts';
import { cutToWidth } from '../../text/layout.ts';
import { isoTime, localTime, localZone } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { withoutEnd } from '../../text/wildcard.ts';
import { counted } from '../../text/wording.ts';
import type { ReadyTask, TaskResult } from './create.ts';

const maxValueLength = 100;
/** The maximum length of a service message in a sentence, in characters. */
const maxSentenceLength = 300;

/** Renders the task to send, one line per field. Shortens texts and describes attachments. */
export function renderTask({ environment, task, wall }: ReadyTask, { color }: { readonly color: boolean }): string {
  const paint = createPaint(color);
  const body = isJsonObject(task) ? task : {};
  const head = `One task for ${visibleLine(environment)}:`;
  const fields = [...fieldsOf(body, wall), ...metaFields(body.meta)];
  const width = Math.max(...fields.map(([name]) => name.length));
  return `${[head, ...fields.map(([name, text]) => `  ${paint.faint(name.padEnd(width))}  ${text}`)].join('\n')}\n`;
}

/** Renders the result in one or two sentences. */
export function renderSentTask({ environment, task, outcome, answer, message }: TaskResult): string {
  const type = visibleLine(isJsonObject(task) ? String(task.type) : 'task');
  const said = messageOf(answer);
  if (outcome === 'queued') {
    const says =
      said === undefined || said === ''
        ? ''
        : ` The service says: ${cutToWidth(visibleLine(said.slice(0, maxSentenceLength)), maxSentenceLength)}`;
    return `The ${type} is queued in ${environment}.${says}\n`;
  }
  const why = visibleLine(message ?? '');
  if (outcome === 'failed') return `The ${type} is not queued: ${why}\n`;
  return `The ${type} may or may not be queued: ${why}. agentform does not resend it. Check the dashboard before you create the task again.\n`;
}

function fieldsOf(body: JsonObject, wall: string | undefined): (readonly [string, string])[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (name === 'meta') return [];
    return [[name, name === 'scheduledFor' ? timeText(value, wall) : valueText(value)] as const];
  });
}

function metaFields(meta: Json | undefined): (readonly [string, string])[] {
  const email = memberIn(meta, 'email');
  const bridge = memberIn(meta, 'bridgeAfterAnswer');
  const [subject, attachments] = [memberIn(email, 'subject'), memberIn(email, 'attachments')];
  return [
    ...(subject === undefined ? [] : [['subject', valueText(subject)] as const]),
    ...(Array.isArray(attachments) ? attachments.map((one: Json) => ['attachment', attachmentText(one)] as const) : []),
    ...(isJsonObject(bridge)
      ? [['bridge to', `${valueText(bridge.destination)}${bridge.monitor === true ? ', monitored' : ''}`] as const]
      : []),
  ];
}

/**
 * Returns the time in three forms: in the time zone that the user wrote, in UTC, and in seconds since 1970. By default,
 * the time zone is that of this machine.
 */
function timeText(value: Json, wall: string | undefined): string {
  const seconds = Number(value);
  const local = localTime(seconds);
  if (local === undefined) return String(value);
  return `${visibleLine(wall ?? `${local} ${localZone()}`)}, ${isoTime(seconds)} (${seconds})`;
}

function valueText(value: Json | undefined): string {
  const text = visibleLine(typeof value === 'string' ? value : String(value));
  const shown = cutToWidth(text, maxValueLength);
  return shown === text ? text : `${shown} (${counted(text.length, 'character')})`;
}

function attachmentText(attachment: Json): string {
  if (!isJsonObject(attachment)) return '-';
  const { filename, type, content, disposition } = attachment;
  const size = Math.floor((withoutEnd(String(content), '=').length * 3) / 4);
  return `${valueText(filename)} (${valueText(type)}, ${bytesText(size)}, ${valueText(disposition)})`;
}

function bytesText(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
