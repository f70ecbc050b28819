import { queryParameter } from '../query.ts';
import { Refusal } from '../refusal.ts';
import type { Answer, Call, Operation, Service } from './operation.ts';

const defaultPageSize = 20;

/** A page of the inbox, or all of it. `totalRooms` counts what all pages have together. */
function listConversations({ account, query }: Call, { state }: Service): Answer {
  const { isPaged, pageNumber, pageSize, unreadOnly } = readQuery(query);
  const rooms = state.rooms.inboxOf(account.id, { unreadOnly });
  const totalRooms = rooms.length;
  if (!isPaged) return { status: 200, body: { pageSize: totalRooms, pageNumber: 0, totalRooms, rooms } };
  const page = rooms.slice(pageNumber * pageSize, (pageNumber + 1) * pageSize);
  return { status: 200, body: { pageSize, pageNumber, totalRooms, rooms: page } };
}

function readQuery(query: unknown) {
  const isPaged = booleanOf(query, 'pagination');
  if (isPaged === undefined) throw new Refusal(400, 'the query parameter pagination is missing');
  const pageNumber = integerOf(query, 'page', 0) ?? 0;
  const pageSize = integerOf(query, 'pageSize', 1) ?? defaultPageSize;
  return { isPaged, pageNumber, pageSize, unreadOnly: booleanOf(query, 'unread') ?? false };
}

function booleanOf(query: unknown, name: string): boolean | undefined {
  const text = queryParameter(query, name);
  if (text === undefined || text === 'true' || text === 'false')
    return text === undefined ? undefined : text === 'true';
  throw new Refusal(400, `the query parameter ${name} must be true or false`);
}

function integerOf(query: unknown, name: string, least: number): number | undefined {
  const text = queryParameter(query, name);
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Refusal(400, `the query parameter ${name} must be an integer from ${least}`);
}

/** The priority inbox. */
export const conversationOperations: readonly Operation[] = [
  { id: 'listConversations', method: 'GET', path: '/conversations', writes: false, handle: listConversations },
];
