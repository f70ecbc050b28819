import { renderJson } from '../../report/json.ts';
import { renderTable, type TableOptions } from '../../report/terminal/table.ts';
import { csvText } from '../../text/csv.ts';
import { isoTime, localTime, localZone } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, formatNumber, isOrAre } from '../../text/wording.ts';
import type { Inbox, InboxRoom } from './inbox.ts';

/** Renders the rooms as a table, with unread marks, local times, and the number of rooms. */
export function renderInboxText(inbox: Inbox, options: TableOptions): string {
  const { rooms } = inbox;
  if (rooms.length === 0) return `${emptyText(inbox)}\n`;
  const headers = ['name', 'room', 'service number', 'inbox', 'last message at', 'last message'];
  // The columns that can be shortened. A shortened name is still recognisable, but a shortened time or number is
  // useless.
  const flexible = ['last message', 'room', 'name'];
  return `${renderTable(['', ...headers], rooms.map(rowOf), { ...options, flexible })}\n${countText(inbox)}\n`;
}

const unreadMark = '*';

/**
 * Returns the cells of a room. If the room has no name, shows the service's display name for an unregistered person.
 */
function rowOf(room: InboxRoom): string[] {
  const at = room.lastMessageTimestamp;
  return [
    room.unread ? unreadMark : ' ',
    room.name || room.unregisteredDisplayName || '-',
    room.roomId,
    room.servicePhoneNumber || '-',
    room.destinationInboxType || '-',
    at === undefined || at === null ? '-' : (localTime(at) ?? String(at)),
    room.lastMessage || '-',
  ];
}

function emptyText({ page, environment }: Inbox): string {
  return page === undefined || page === 0
    ? `No rooms in ${environment}.`
    : `No rooms on page ${page} in ${environment}.`;
}

function countText({ rooms, total, page }: Inbox): string {
  const of = total === undefined || total === rooms.length ? '' : ` of ${formatNumber(total)}`;
  const where =
    page === undefined || (page === 0 && of === '') ? '' : `, page ${page} (--page N for another, --all for all)`;
  const count = rooms.filter(({ unread }) => unread).length;
  const unread = count === 0 ? 'none unread' : `${formatNumber(count)} unread (${unreadMark})`;
  return `${counted(rooms.length, 'room')}${of}${where}; ${unread}; times in ${localZone()}`;
}

/**
 * Warns about malformed rooms, or if the pages together had fewer rooms than the service counts. Otherwise, returns an
 * empty text.
 */
export function missingText({ rooms, total, page, malformed }: Inbox): string {
  const [first] = malformed;
  if (first !== undefined) {
    const count = malformed.reduce((sum, one) => sum + one.rooms, 0);
    return `warning: ${counted(count, 'room')} ${isOrAre(count)} left out, because the response is not as specified: ${visibleLine(first.problem)}\n`;
  }
  if (page !== undefined || total === undefined || rooms.length >= total) return '';
  return `warning: the service counts ${counted(total, 'room')}, but its pages have ${formatNumber(rooms.length)}. Run the command again. If the difference remains, check the parameter names under service.parameters in agentform.yaml\n`;
}

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
  'unread',
] as const satisfies readonly (keyof InboxRoom)[];

/**
 * Renders the rooms as CSV (RFC 4180) with the columns of the specification. Adds a mark for unread messages and the
 * ISO 8601 time of the last message.
 */
export function renderInboxCsv(rooms: readonly InboxRoom[]): string {
  const rows = rooms.map((room) => {
    const seconds = room.lastMessageTimestamp;
    const at = seconds === undefined || seconds === null ? undefined : isoTime(seconds);
    return [...columns.map((column) => room[column]), at];
  });
  return csvText([...columns, 'lastMessageAt'], rows);
}

/**
 * Renders the rooms as JSON, as the service returns them. Adds a mark for unread messages and the ISO 8601 time of the
 * last message.
 */
export function renderInboxJson({ environment, page, total, rooms }: Inbox): string {
  const shown = rooms.map((room) => {
    const seconds = room.lastMessageTimestamp;
    return { ...room, lastMessageAt: seconds === undefined || seconds === null ? null : (isoTime(seconds) ?? null) };
  });
  return renderJson({ environment, page, totalRooms: total, rooms: shown });
}
