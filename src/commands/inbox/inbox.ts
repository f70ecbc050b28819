import { AgentformError, ServiceError } from '../../errors.ts';
import type { Redact } from '../../secrets/redact.ts';
import type { MalformedRooms, Room, ServiceClient } from '../../service/client.ts';
import {
  type EnvironmentOptions,
  type OpenEnvironment,
  openEnvironment,
  withService,
} from '../../session/environment.ts';
import type { Host } from '../../session/host.ts';
import { formatNumber } from '../../text/wording.ts';

export interface InboxOptions extends EnvironmentOptions {
  readonly unread: boolean;
  /** The page to read, counted from 0. Defaults to 0. */
  readonly page?: number | undefined;
  /** The number of rooms per page. If omitted, the service decides. */
  readonly pageSize?: number | undefined;
  /** Whether to read all pages. */
  readonly all: boolean;
}

/** A room, marked if it has unread messages. */
export type InboxRoom = Room & { readonly unread: boolean };

export interface Inbox {
  readonly environment: string;
  /** The rooms, in the order of the service. If all pages were read, the list has no duplicates. */
  readonly rooms: readonly InboxRoom[];
  /** The number of all rooms, if the service returns it. */
  readonly total: number | undefined;
  /** The page that was read, or undefined if all pages were read. */
  readonly page: number | undefined;
  /** The rooms that are left out, because they are not as specified. */
  readonly malformed: readonly MalformedRooms[];
}

interface ReadRooms {
  readonly rooms: readonly Room[];
  readonly total: number | undefined;
  readonly malformed: readonly MalformedRooms[];
}

type ReadPage = (page: number) => Promise<ReadRooms>;

/**
 * Reads the priority inbox of an environment. Unless only unread rooms are requested, also reads the list of unread
 * rooms, because rooms do not show whether they are unread.
 */
export async function readInbox(host: Host, options: InboxOptions): Promise<Inbox> {
  const environment = await openEnvironment(host, options);
  const { parameters } = environment.project.service;
  refuseOwnParameters(environment, parameters);
  return withService(host, environment, async (service, connection) => {
    const pagesOf = (unread: boolean) =>
      pageReader({ ...options, unread }, parameters, (query) => service.listConversations(connection, query));
    const { all, page = 0 } = options;
    const readPage = pagesOf(options.unread);
    const read = all ? await readAll(readPage) : await readPage(page);
    const unread = options.unread ? idsOf(read.rooms) : await unreadAmong(read.rooms, pagesOf(true));
    const rooms = read.rooms.map((room) => ({
      ...redactedRoom(room, environment.redact),
      unread: unread.has(room.roomId),
    }));
    const { total, malformed } = read;
    return { environment: environment.name, rooms, total, page: all ? undefined : page, malformed };
  });
}

/** The query parameters that this command sets, with the remedy for a query that also sets them. */
const ownParameters = [
  ['pagination', 'inbox always asks for pages'],
  ['page', 'use --page'],
  ['pageSize', 'use --page-size'],
  ['unread', 'use --unread'],
] as const;

type ParameterNames = Readonly<Record<(typeof ownParameters)[number][0], string>>;

/** Throws `usage` if `--query` or the environment sets a query parameter that this command sets. */
function refuseOwnParameters({ name, connection }: OpenEnvironment, names: ParameterNames): void {
  for (const [parameter, remedy] of ownParameters) {
    const own = names[parameter];
    if (!Object.hasOwn(connection.query, own)) continue;
    const message = `the query parameter ${own} must not come from --query or from the environment ${name}, because inbox sets it; ${remedy}`;
    throw new AgentformError('usage', message);
  }
}

/**
 * Makes a function that reads pages. The specification leaves parameter names open, so they come from
 * `service.parameters`.
 */
function pageReader(
  { unread, pageSize }: InboxOptions,
  names: ParameterNames,
  list: (query: Readonly<Record<string, string>>) => ReturnType<ServiceClient['listConversations']>,
): ReadPage {
  return async (page) => {
    const { rooms, totalRooms, malformed } = await list({
      [names.pagination]: 'true',
      [names.page]: String(page),
      ...(pageSize !== undefined && { [names.pageSize]: String(pageSize) }),
      ...(unread && { [names.unread]: 'true' }),
    }).catch((error: unknown) => {
      throw error instanceof ServiceError && error.call.reason === 'oversized' ? oversizedPage(error) : error;
    });
    return { rooms, total: totalRooms ?? undefined, malformed: malformed === undefined ? [] : [malformed] };
  };
}

function oversizedPage({ message, outcome, call, facts, cause }: ServiceError): ServiceError {
  const text = `${message}; set --page-size to a smaller number`;
  return new ServiceError('service-undecodable', text, { outcome, call, facts, cause });
}

/** The maximum number of rooms in a result, and of characters in all texts. */
const limits = { rooms: 100_000, characters: 64 * 1024 * 1024 } as const;

/**
 * Reads pages until `isEnough` returns true, the total is reached, or a page has no new rooms. The last condition
 * prevents an endless loop if a service repeats itself.
 */
async function readAll(
  readPage: ReadPage,
  isEnough: (rooms: ReadonlyMap<string, Room>) => boolean = () => false,
): Promise<ReadRooms> {
  const rooms = new Map<string, Room>();
  let characters = 0;
  const malformed: MalformedRooms[] = [];
  for (let page = 0; ; page += 1) {
    const { rooms: read, total, malformed: found } = await readPage(page);
    for (const one of found) malformed.push(one);
    const before = rooms.size;
    for (const room of read) {
      if (rooms.has(room.roomId)) continue;
      rooms.set(room.roomId, room);
      for (const value of Object.values(room)) characters += typeof value === 'string' ? value.length : 0;
    }
    if (rooms.size > limits.rooms || characters > limits.characters) {
      const message = `the inbox is too large: reading stopped after ${formatNumber(rooms.size)} rooms. To read one page at a time, use --page and --page-size`;
      throw new AgentformError('run-refused', message);
    }
    const isOver = rooms.size === before || (total !== undefined && rooms.size >= total);
    if (isOver || isEnough(rooms)) return { rooms: [...rooms.values()], total, malformed };
  }
}

/**
 * Reads the ids of unread rooms. The result can include ids of other rooms. Stops early if all given rooms are unread.
 */
async function unreadAmong(rooms: readonly Room[], readPage: ReadPage): Promise<ReadonlySet<string>> {
  if (rooms.length === 0) return new Set();
  const isEnough = (unread: ReadonlyMap<string, Room>) => rooms.every(({ roomId }) => unread.has(roomId));
  return idsOf((await readAll(readPage, isEnough)).rooms);
}

function idsOf(rooms: readonly Room[]): ReadonlySet<string> {
  return new Set(rooms.map(({ roomId }) => roomId));
}

/** Redacts the run's secrets in a room, because people may have posted them. */
function redactedRoom(room: Room, redact: Redact): Room {
  const members = Object.entries(room).map(([name, value]) => [
    name,
    typeof value === 'string' ? redact(value) : value,
  ]);
  return { ...room, ...Object.fromEntries(members) };
}
