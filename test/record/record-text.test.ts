import { describe, expect, test } from '@jest/globals';
import {
  branchRepair,
  parseRecord,
  parseRecordAt,
  recordKeyAt,
  recordPath,
  recordText,
  recordVersion,
  savedText,
} from '../../src/record/record-text.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { agentRecord } from '../support/observations.ts';

test('A record of a newer version is refused with both versions, and no advice to overwrite it.', () => {
  const text = JSON.stringify({ ...agentRecord({}), formatVersion: 2 });
  expect(() => parseRecord(text, 'a.json')).toThrow(
    'the record a.json cannot be read: it has format version 2, but this agentform reads up to version 1; upgrade agentform',
  );
});

test('A record with an open merge is refused with the commands that end it.', () => {
  expect(() => parseRecord('<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n', 'a.json')).toThrow(
    expect.objectContaining({
      code: 'record-unreadable',
      message: expect.stringMatching(
        /^the record a\.json has merge conflict markers; while the merge is open, run .*git checkout/,
      ),
      facts: { place: 'a.json' },
    }),
  );
});

test('A record with an unknown word in place of a known one is refused with that word.', () => {
  const text = JSON.stringify({ ...agentRecord({}), draft: 'scribbled' });
  expect(() => parseRecord(text, 'a.json')).toThrow(/^the record a\.json cannot be read: .*scribbled/);
});

describe('field paths in records', () => {
  const deepPath = (members: number) => `settings${'.a'.repeat(members - 1)}`;
  const rollback = (path: string) => ({
    holds: { rollback: { by: 'Jo', since: '2026-11-01T00:00:00Z', to: 'v1', fields: { [path]: ['x'] } } },
  });

  test('A field path has at most a hundred members, because it becomes a tree.', () => {
    const text = recordText(agentRecord({ [deepPath(100)]: 1 }, rollback(deepPath(100))));
    expect(Object.keys(parseRecord(text, 'a.json').record.fields)).toEqual([deepPath(100)]);
  });

  test.each([
    ['what was applied', agentRecord({ [deepPath(101)]: 1 })],
    ['a hold', agentRecord({}, rollback(deepPath(101)))],
    ['what was applied, in brackets', agentRecord({ [`skills${'[a]'.repeat(101)}`]: 1 })],
  ])('A field path with more members is refused in %s.', (_place, record) => {
    expect(() => parseRecord(recordText(record), 'a.json')).toThrow(
      'the record a.json cannot be read: its values are nested more than 100 levels deep; restore it from git',
    );
  });

  test('A field path is checked in a record with only a hold, too.', () => {
    const freeze = { by: 'Jo', since: '2026-11-01T00:00:00Z', reason: 'demo' };
    const record = agentRecord({ a: 1 }, { holds: { freeze } });
    expect(parseRecord(recordText(record), 'a.json').record.holds).toEqual({ freeze });
  });

  test('A field path may be long with few members.', () => {
    const path = `extraSettings.${'a'.repeat(500)}`;
    expect(Object.keys(parseRecord(recordText(agentRecord({ [path]: 1 })), 'a.json').record.fields)).toEqual([path]);
  });
});

const place = '.agentform/records/test/Agent/front-desk.json';
const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };

test('The text of a record has sorted keys, an indent of two and a final line feed.', () => {
  const fields = { 'settings.b': { value: 1 }, 'settings.a': { value: [{ y: null, x: 'é' }] } };
  const lines = recordText({ ...agentRecord({}), fields }).split('\n');
  expect(lines.slice(0, 4)).toEqual(['{', '  "credentials": {},', '  "environment": "test",', '  "fields": {']);
  expect(lines.slice(-4)).toEqual(['  "name": "front-desk",', '  "query": {}', '}', '']);
  expect(lines.indexOf('    "settings.a": {')).toBeLessThan(lines.indexOf('    "settings.b": {'));
  expect(lines.indexOf('          "x": "é",')).toBeLessThan(lines.indexOf('          "y": null'));
});

test('The version of a record is the SHA-256 of its text.', () => {
  expect(recordVersion('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(recordVersion('é')).not.toBe(recordVersion('e'));
});

describe('paths of records', () => {
  test('The path of a record names environment, kind and name, which are read from it.', () => {
    expect(recordPath(key)).toBe(place);
    expect(recordKeyAt(place)).toEqual(key);
  });

  test.each([
    ['below another folder', `x/${place}`],
    ['with more behind it', `${place}~`],
    ['with another ending', '.agentform/records/test/Agent/front-desk_json'],
    ['of another folder of ours', '.agentform/locks/test/Agent/front-desk.json'],
    ['one folder too deep', '.agentform/records/test/Agent/deep/front-desk.json'],
    ['one folder too high', '.agentform/records/Agent/front-desk.json'],
    ['without an environment', '.agentform/records//Agent/front-desk.json'],
    ['without a kind', '.agentform/records/test//front-desk.json'],
    ['without a name', '.agentform/records/test/Agent/.json'],
    ['with a dot that is another character', 'xagentform/records/test/Agent/front-desk.json'],
  ])('A path %s does not belong to a record.', (_name, other) => expect(recordKeyAt(other)).toBeUndefined());
});

describe('texts that are not records', () => {
  test('A text that is not a record is refused with its place and what to do.', () => {
    expect(errorOf(() => parseRecord('{', place))).toMatchObject({
      code: 'record-unreadable',
      message: expect.stringMatching(
        /^the record \.agentform\/.*\.json cannot be read: .+; restore it from git, or delete the file to start without a record$/,
      ),
      facts: { place },
    });
  });

  test('The error for a record of a newer version names the found version and the supported one.', () => {
    const text = JSON.stringify({ ...agentRecord({}), formatVersion: 7 });
    expect(errorOf(() => parseRecord(text, place))).toMatchObject({
      code: 'record-newer',
      facts: { place, found: 7, supported: 1 },
    });
  });

  test('A record with an unknown member is quoted, because it contains no secret.', () => {
    const text = JSON.stringify({ ...agentRecord({}), surprise: 1 });
    expect(errorOf(() => parseRecord(text, place))).toMatchObject({ message: expect.stringContaining('surprise') });
  });
});

describe('a record in the place of another', () => {
  const at = (parts: Parameters<typeof agentRecord>[1]) =>
    errorOf(() => parseRecordAt(recordText(agentRecord({}, parts)), place));

  test('A record at its own place is read.', () => {
    expect(parseRecordAt(recordText(agentRecord({})), place).record).toEqual(agentRecord({}));
  });

  const rename = (from: string) =>
    `, and run \`agentform record rename Agent/${from} Agent/front-desk -e test\` to rename it`;
  const long = 'n'.repeat(63);

  test.each<[string, Parameters<typeof agentRecord>[1], string, string, string]>([
    ['name', { name: 'lobby' }, 'Agent/lobby in test', 'test/Agent/lobby', rename('lobby')],
    ['environment', { environment: 'live' }, 'Agent/front-desk in live', 'live/Agent/front-desk', ''],
    ['kind', { kind: 'Member' }, 'Member/front-desk in test', 'test/Member/front-desk', ''],
    ['name of the maximum length', { name: long }, `Agent/${long} in test`, `test/Agent/${long}`, rename(long)],
  ])(
    'A record in the place of another is refused with the address of the other %s.',
    (_what, parts, address, back, then) => {
      expect(at(parts)).toMatchObject({
        code: 'record-unreadable',
        message:
          `the record ${place} belongs to ${address}; if .agentform/records/${back}.json does not exist, move this file there${then}. ` +
          `If .agentform/records/${back}.json has the record of Agent/front-desk, swap the two files. ` +
          'Otherwise, restore it from git, or delete the file to start without a record',
        facts: { place },
      });
    },
  );

  test.each<[string, Parameters<typeof agentRecord>[1]]>([
    ['a name that leads out of its folder', { name: '../../../evil' }],
    ['an environment that leads out of its folder', { environment: '../../..' }],
    ['a kind that leads out of its folder', { kind: '../..' }],
    ['a name that ends in a control character', { name: 'lobby\u001b' }],
    ['a name of 64 characters', { name: 'n'.repeat(64) }],
    ['no name', { name: '' }],
  ])('A record with %s is refused, because names become paths.', (_what, parts) => {
    const record = agentRecord({}, parts);
    expect(() => parseRecordAt(recordText(record), recordPath(record))).toThrow(
      /^the record .* cannot be read: (name|environment|kind) is .{1,70}: expected (lowercase letters|a kind)/,
    );
    expect(() => savedText(record)).toThrow(/cannot be saved: (name|environment|kind) is /);
  });
});

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
}

test.each(['<<<<<<< HEAD', '=======', '>>>>>>> topic'])(
  'A record with only the conflict mark %s left is reported like a whole conflict.',
  (mark) => {
    expect(() => parseRecord(`{\n${mark}\n  "id": "a"\n}\n`, 'a.json')).toThrow(
      'the record a.json has merge conflict markers; while the merge is open, run `git checkout --ours -- a.json`',
    );
  },
);

test('A record with conflict marks names the command that takes one side.', () => {
  const text = '{\n<<<<<<< HEAD\n  "id": "a"\n=======\n  "id": "b"\n>>>>>>> topic\n}\n';
  expect(() => parseRecord(text, '.agentform/records/test/Agent/a.json')).toThrow(
    'the record .agentform/records/test/Agent/a.json has merge conflict markers; while the merge is open, run ' +
      '`git checkout --ours -- .agentform/records/test/Agent/a.json` or `git checkout --theirs -- .agentform/records/test/Agent/a.json`. ' +
      'Later, delete the markers and the lines of one side. Either side is safe, because the next plan compares the record with the service',
  );
});

test('A record at a wrong path names the right path only if it is in the project.', () => {
  const text = recordText(agentRecord({ 'settings.title': 'T' }));
  const other = place.replace('front-desk', 'other');
  const rename = 'and run `agentform record rename Agent/front-desk Agent/other -e test` to rename it';
  expect(() => parseRecordAt(text, other)).toThrow(
    `the record ${other} belongs to Agent/front-desk in test; if ${place} does not exist, move this file there, ${rename}. ` +
      `If ${place} has the record of Agent/other, swap the two files. Otherwise, restore it from git, or delete`,
  );
  expect(() =>
    parseRecordAt(text, other, { shown: `the branch at ${other}`, repair: branchRepair('the branch') }),
  ).toThrow(
    `the record the branch at ${other} belongs to Agent/front-desk in test; if its own file does not exist, move this file there, ${rename}. ` +
      'If its own file has the record of Agent/other, swap the two files. Otherwise, restore it on the branch, or delete',
  );
});

test('An earlier version at a wrong path cannot be moved, so the message names another version.', () => {
  const repair = { ...branchRepair('the branch'), damaged: 'use another version', isPast: true } as const;
  const text = recordText(agentRecord({ 'settings.title': 'T' }));
  const error = errorOf(() => parseRecordAt(text, place.replace('front-desk', 'other'), { shown: place, repair }));
  expect(error).toMatchObject({
    message: `the record ${place} belongs to Agent/front-desk in test; use another version`,
    remedies: [],
  });
});

test('A record under a name that no resource can have gets no command to rename it.', () => {
  const text = recordText(agentRecord({ 'settings.title': 'T' }));
  for (const name of ['Front-Desk', 'front desk', 'con']) {
    expect(() => parseRecordAt(text, place.replace('front-desk', name))).toThrow(
      /does not exist, move this file there\. If /,
    );
  }
});

describe('a record before it is saved', () => {
  test('A record is checked before a save as it would be when it is read.', () => {
    const record = agentRecord({ 'settings.title': 'T' }, { lastUpdate: 1_700_000_000_000 });
    expect(parseRecord(savedText(record), 'a.json').record).toEqual(record);
  });

  test.each<[string, ResourceRecord, string]>([
    ['a number that is too large', agentRecord({}, { lastUpdate: 1 / 0 }), 'it has a number that is too large'],
    ['such a number in a value', agentRecord({ a: -1 / 0 }), 'it has a number that is too large'],
    ['a number where it has none', agentRecord({}, { lastUpdate: 1.5 }), 'lastUpdate is 1.5: expected an integer'],
    [
      'values that nest too deep',
      agentRecord({ [`a${'.a'.repeat(100)}`]: 1 }),
      'its values are nested more than 100 levels deep',
    ],
  ])('A record is not saved with %s.', (_what, record, problem) => {
    expect(() => savedText(record)).toThrow(
      expect.objectContaining({
        code: 'record-unreadable',
        message: `the record of Agent/front-desk cannot be saved: ${problem}`,
      }),
    );
  });
});
