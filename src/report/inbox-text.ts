import type { components } from '../schemas/service-types.ts';
import { counted, formatNumber } from './counts.ts';
import { localTime, localZone } from './local-time.ts';
import { renderTable, type TableOptions } from './table.ts';

type Room = components['schemas']['Room'];

/** What was read of the priority inbox. */
export interface ShownInbox {
  readonly environment: string;
  readonly rooms: readonly Room[];
  readonly total: number | undefined;
  /** Undefined for all of them. */
  readonly page: number | undefined;
}

/** The rooms as a table, times in the reader's zone, and how many there are. */
export function renderInboxText(inbox: ShownInbox, options: TableOptions): string {
  const { rooms } = inbox;
  if (rooms.length === 0) return `${emptyText(inbox)}\n`;
  const headers = ['name', 'room', 'service number', 'inbox', 'last message at', 'last message'];
  return `${renderTable(headers, rooms.map(rowOf), options)}\n${countText(inbox)}\n`;
}

/** People who are not registered go by the name that the service shows for them. */
function rowOf(room: Room): string[] {
  const at = room.lastMessageTimestamp;
  return [
    room.name || room.unregisteredDisplayName || '-',
    room.roomId,
    room.servicePhoneNumber || '-',
    room.destinationInboxType || '-',
    at === undefined || at === null ? '-' : (localTime(at) ?? String(at)),
    room.lastMessage || '-',
  ];
}

function emptyText({ page, environment }: ShownInbox): string {
  return page === undefined || page === 0
    ? `No rooms in ${environment}.`
    : `No rooms on page ${page} in ${environment}.`;
}

function countText({ rooms, total, page }: ShownInbox): string {
  const of = total === undefined || total === rooms.length ? '' : ` of ${formatNumber(total)}`;
  const where =
    page === undefined || (page === 0 && of === '') ? '' : `, page ${page} (--page N for another, --all for all)`;
  return `${counted(rooms.length, 'room')}${of}${where}; times in ${localZone()}`;
}
