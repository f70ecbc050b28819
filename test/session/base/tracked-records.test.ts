import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { requireTrackedRecords } from '../../../src/session/base/repository.ts';
import { makeFolder } from '../../manifest/temp-project.ts';

const folder = '.agentform/records/test';
const tracked = { paths: new Set([`${folder}/Agent/desk.json`]), otherwise: '' };

test('Links between folders of records are not followed in a search for untracked records.', () => {
  const root = makeFolder({ [`${folder}/Agent/desk.json`]: '{}' });
  for (const name of ['one', 'two']) symlinkSync('.', join(root, folder, name));
  expect(() => requireTrackedRecords(root, 'test', tracked)).not.toThrow();
});

test('A link that is an untracked record is refused.', () => {
  const root = makeFolder({ [`${folder}/Agent/desk.json`]: '{}' });
  symlinkSync('desk.json', join(root, folder, 'Agent/other.json'));
  expect(() => requireTrackedRecords(root, 'test', tracked)).toThrow(
    `the record ${folder}/Agent/other.json is not tracked`,
  );
});

test('A file in place of the record folder is accepted, because reading the records reports it.', () => {
  const root = makeFolder({ [folder]: '' });
  expect(() => requireTrackedRecords(root, 'test', tracked)).not.toThrow();
});
