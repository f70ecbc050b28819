import { describe, expect, test } from '@jest/globals';
import { startEmulator } from '../../src/emulator/emulator.ts';
import type { SeededRoom } from '../../src/emulator/state/rooms.ts';
import { serviceConversations } from '../../src/schemas/service-validators.js';
import { refused, send, start, stateOf } from './emulated.ts';

const rooms: readonly SeededRoom[] = Array.from({ length: 45 }, (_, index) => ({
  roomId: `room_${index}`,
  id: index,
  name: `Caller ${index}`,
  lastMessageTimestamp: 1_760_000_000 + index,
  unread: index % 10 === 0,
}));

const list = (emulator: Parameters<typeof send>[0], query: string, token = 't1') =>
  send(emulator, `/api/v2/conversations?token=${token}&${query}`);

describe('listing the conversations', () => {
  test('Conversations are listed page by page from 0, in the order of the rooms.', async () => {
    const emulator = await start({ rooms });
    const first = await list(emulator, 'pagination=true&pageSize=20');
    expect(first).toMatchObject({ status: 200, body: { pageSize: 20, pageNumber: 0, totalRooms: 45 } });
    expect(serviceConversations(first.body)).toBe(true);
    const last = await list(emulator, 'pagination=true&page=2&pageSize=20');
    expect(last.body).toMatchObject({ pageNumber: 2, totalRooms: 45, rooms: [{ roomId: 'room_40' }, {}, {}, {}, {}] });
    expect((await list(emulator, 'pagination=true&page=3&pageSize=20')).body).toMatchObject({ rooms: [] });
  });

  test('Conversations are listed with 20 rooms on a page by default, and without paging all of them.', async () => {
    const emulator = await start({ rooms });
    expect((await list(emulator, 'pagination=true')).body).toMatchObject({ pageSize: 20, rooms: { length: 20 } });
    const all = { pageSize: 45, pageNumber: 0, totalRooms: 45, rooms: { length: 45 } };
    expect((await list(emulator, 'pagination=false&page=1&pageSize=5')).body).toMatchObject(all);
  });

  test('Conversations can be limited to unread ones.', async () => {
    const emulator = await start({ rooms });
    const { body } = await list(emulator, 'pagination=true&unread=true&pageSize=2');
    expect(body).toMatchObject({ totalRooms: 5, rooms: [{ roomId: 'room_0' }, { roomId: 'room_10' }] });
    expect(JSON.stringify(body)).not.toContain('unread');
  });

  test('Conversations show a room to its account, and a room without an account to all.', async () => {
    const accounts = [
      { id: 'a', token: 't1' },
      { id: 'b', token: 't2' },
    ];
    const emulator = await start({ accounts, rooms: [{ roomId: 'x', account: 'a' }, { roomId: 'y' }] });
    expect((await list(emulator, 'pagination=false')).body.rooms).toEqual([{ roomId: 'x' }, { roomId: 'y' }]);
    expect((await list(emulator, 'pagination=false', 't2')).body.rooms).toEqual([{ roomId: 'y' }]);
  });

  test.each<[string, string]>([
    ['', 'pagination is missing'],
    ['pagination=yes', 'pagination must be true or false'],
    ['pagination=true&page=-1', 'page must be an integer of at least 0'],
    ['pagination=true&page=x', 'page must be an integer of at least 0'],
    ['pagination=true&pageSize=0', 'pageSize must be an integer of at least 1'],
    ['pagination=true&unread=1', 'unread must be true or false'],
    ['pagination=true&page=1&page=2', 'page is given more than once'],
  ])('Listing conversations with %j is refused.', async (query, sentence) => {
    expect(await list(await start({ rooms }), query)).toMatchObject(refused(400, sentence));
  });
});

describe('the rooms of the emulator', () => {
  test('The control replaces the rooms.', async () => {
    const emulator = await start({ rooms });
    const json = [{ roomId: 'new', lastMessage: 'Hello' }];
    expect((await send(emulator, '/__emulator/rooms', { method: 'PUT', json })).body).toEqual({ rooms: json });
    expect((await list(emulator, 'pagination=false')).body.rooms).toEqual(json);
    expect(await stateOf(emulator, 'rooms')).toEqual(json);
  });

  test.each<[unknown, string]>([
    [{}, 'must be a list'],
    [[{ roomId: 'a' }, { name: 'x' }], "the emulator's room 1 is invalid: /roomId is required"],
    [[{ roomId: 'a', lastMessageTimestamp: 'now' }], "the emulator's room 0 is invalid: /lastMessageTimestamp"],
    [[{ roomId: 'a', unread: 'yes' }], '/account must be a string, and /unread must be true or false'],
  ])('Invalid rooms are refused: %j', async (json, sentence) => {
    const emulator = await start({ rooms });
    expect(await send(emulator, '/__emulator/rooms', { method: 'PUT', json })).toMatchObject(refused(400, sentence));
    expect(await stateOf(emulator, 'rooms')).toHaveLength(45);
    await expect(startEmulator({ rooms: json as SeededRoom[] })).rejects.toThrow(sentence);
  });
});
