import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { recordPath } from '../../../../src/record/record-text.ts';
import { at, blamed, brief, found, hello, place, record, usePlace, write } from '../../../commands/history/place.ts';
import { git } from '../../../support/git.ts';

usePlace();

test('The present name selects events with an earlier name.', async () => {
  expect(await brief({ names: ['new'] })).toEqual(['new rename', 'old create']);
});

test('A setting selects its changes with its section, and another path is refused.', async () => {
  const changes = ['desk apply', 'desk edit-undone', 'desk create'];
  expect(await brief({ names: ['desk', hello] })).toEqual(changes);
  await expect(found({ names: ['desk'], path: 'nothing' })).rejects.toMatchObject({ code: 'field-unknown' });
});

test('A period accepts days and times, and needs no second end.', async () => {
  const desk = { names: ['desk'] };
  expect(await brief({ ...desk, since: '2026-11-05' })).toHaveLength(3);
  expect(await brief({ ...desk, until: at(5) })).toHaveLength(3);
  expect(await brief({ ...desk, until: '2026-11-05T08:59Z' })).toEqual(['desk create']);
});

test('The history names a shallow clone, and has no changes for its first commit.', async () => {
  const root = join(tmpdir(), `agentform-shallow-${process.pid}`);
  await git(place.root, 'clone', '--quiet', '--depth=2', `file://${place.root}`, root);
  try {
    const { entries, warnings } = await found({ names: ['desk'] }, root);
    expect(warnings).toMatchObject([{ code: 'history-cut', facts: { limit: 'shallow' } }]);
    expect(entries).toMatchObject([{ event: 'edit-undone' }]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('Blame of a setting that only agents have ignores a phone number of the same name.', async () => {
  const line = recordPath({ environment: 'test', kind: 'PhoneNumber', name: 'desk' });
  await write({
    ...record('desk', { event: 'create', appliedAt: at(2) }, { 'settings.number': '+1' }),
    kind: 'PhoneNumber',
  });
  const asked = (path: string) => blamed('desk', path);
  expect(await asked('welcomeMessage')).toMatchObject({ kind: 'Agent', path: hello });
  expect(await asked('number')).toMatchObject({ kind: 'PhoneNumber' });
  await expect(asked('nothing')).rejects.toMatchObject({ code: 'usage' });
  await rm(join(place.root, line));
});
