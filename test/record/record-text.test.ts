import { expect, test } from '@jest/globals';
import { parseRecord, recordText, recordVersion } from '../../src/record/record-text.ts';
import { agentRecord } from '../support/observations.ts';

test('a record of version 1 is read as one of version 2; a save still has to find its text', () => {
  const text = recordText(agentRecord({ 'settings.title': 'T' }, { formatVersion: 1 }));
  expect(parseRecord(text, 'a.json')).toEqual({
    record: agentRecord({ 'settings.title': 'T' }, { formatVersion: 2 }),
    version: recordVersion(text),
  });
});

test('one of a newer version is refused with both versions, and with no advice that loses it', () => {
  const text = JSON.stringify({ ...agentRecord({}), formatVersion: 3 });
  expect(() => parseRecord(text, 'a.json')).toThrow(
    'the record a.json cannot be read: it has format version 3 and this agentform reads up to 2; upgrade agentform',
  );
});
