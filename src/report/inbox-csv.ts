import type { components } from '../schemas/service-types.ts';
import { isoTime } from './local-time.ts';
import { visible } from './visible-text.ts';

type Room = components['schemas']['Room'];

const columns = [
  'roomId',
  'name',
  'id',
  'image',
  'servicePhoneNumber',
  'unregistered',
  'unregisteredDisplayName',
  'destinationInboxType',
  'lastMessage',
  'lastMessageTimestamp',
  'chatAgentCampaignId',
] as const satisfies readonly (keyof Room)[];

/** The rooms as CSV (RFC 4180), columns as in the specification, and the time of the last message in ISO 8601. */
export function renderInboxCsv(rooms: readonly Room[]): string {
  const lines = rooms.map((room) => {
    const seconds = room.lastMessageTimestamp;
    const at = seconds === undefined || seconds === null ? undefined : isoTime(seconds);
    return [...columns.map((column) => room[column]), at].map(cellOf).join(',');
  });
  return [[...columns, 'lastMessageAt'].join(','), ...lines, ''].join('\r\n');
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = harmless(visible(String(value)));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets run what begins like a formula, and what people write into a chat comes from strangers. An apostrophe
 * keeps it a text. A plain number, such as one of a phone, cannot do anything.
 */
function harmless(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\n]/.test(text) && !/^[+-]?\d+$/.test(text) ? `'${text}` : text;
}
