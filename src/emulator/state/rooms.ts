import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { serviceRoom } from '../../schemas/service-validators.js';
import { emulatorError } from '../errors.ts';
import { describeViolations } from '../request.ts';

/**
 * A stored room: the members that the service returns, and the members `account` and `unread`, which are never
 * returned.
 */
export type SeededRoom = JsonObject & {
  readonly roomId: string;
  /** The id of the account whose inbox contains the room. By default, all inboxes contain the room. */
  readonly account?: string;
  /** Whether the room has unread messages. Defaults to false. */
  readonly unread?: boolean;
};

/** Checks that a value is a list of rooms. Throws `emulator-unusable` for the first invalid room. */
export function checkRooms(value: unknown): readonly SeededRoom[] {
  if (!Array.isArray(value)) throw emulatorError("the emulator's rooms must be a list");
  return value.map(checkRoom);
}

function checkRoom(value: unknown, index: number): SeededRoom {
  if (isSeededRoom(value)) return value;
  const problems = serviceRoom.errors ?? [];
  const why =
    problems.length > 0 ? describeViolations(problems) : '/account must be a string, and /unread must be true or false';
  throw emulatorError(`the emulator's room ${index} is invalid: ${why}`);
}

function isSeededRoom(value: unknown): value is SeededRoom {
  if (!serviceRoom(value) || !isJsonObject(value)) return false;
  const { account, unread } = value;
  return (
    (account === undefined || typeof account === 'string') && (unread === undefined || typeof unread === 'boolean')
  );
}

/** Returns the rooms of one inbox in the form that the service returns. */
export function inboxOf(
  rooms: readonly SeededRoom[],
  account: string,
  { unreadOnly }: { readonly unreadOnly: boolean },
): readonly JsonObject[] {
  return rooms
    .filter((room) => (room.account ?? account) === account && (room.unread === true || !unreadOnly))
    .map(({ account: _account, unread: _unread, ...shown }) => shown);
}
