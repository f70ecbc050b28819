import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { history } from '../../../src/commands/history/history.ts';
import { type HoldOptions, heldText, hold, releasedText, unhold } from '../../../src/commands/hold/hold.ts';
import { forgetRecords, listRecords, recordsToForget } from '../../../src/commands/record/record.ts';
import { unknownText } from '../../../src/commands/record/text.ts';
import { recordPath, recordText } from '../../../src/record/record-text.ts';
import { commitAll, git, gitEnv, initRepository } from '../../support/git.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

test.each([
  [{ names: [], selector: 'ring in (canary,late)' }, "`agentform unhold -l 'ring in (canary,late)' -e production`"],
  [{ names: ['recept*', 'c'] }, "`agentform unhold 'recept*' c -e production`"],
])('The command that releases held resources repeats the selection of the hold: %j', (selection, command) => {
  const held = { environment: 'production', resources: ['Agent/a', 'Agent/b'], unchanged: [], unrecorded: [] };
  expect(heldText(held, selection)).toContain(`To release them, run ${command}`);
});

const names = ['new', 'old'];
const key = (name: string) => ({ environment: 'production', kind: 'Agent', name });

let place: Workplace;

beforeAll(async () => {
  const manifests = names.map((name) => [
    `agents/${name}.yaml`,
    `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\nsettings: { title: T, description: D }\n`,
  ]);
  const project =
    'apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments: { production: { baseUrl: https://service.example.com } }\n';
  place = await workplace({ 'agentform.yaml': project, ...Object.fromEntries(manifests) }, gitEnv);
  initRepository(place.root);
  await saveRecord();
  await commitAll(place.root, 'applied');
});
afterAll(() => place.remove());

const saveRecord = () => {
  const about = { id: 'camp_1', host: 'service.example.com', query: {}, credentials: {}, fields: {} };
  return place.write(recordPath(key('old')), recordText({ formatVersion: 1, ...key('old'), ...about }));
};

const holding = (options: Partial<HoldOptions>) =>
  hold(place.host, { project: place.root, environment: 'production', names, reason: 'demo', ...options });

test.each([
  ['tomorrow', '--until is "tomorrow": expected a day such as 2026-12-24, or a time such as 2026-12-24T18:00Z'],
  ['1970-01-01', '--until is "1970-01-01", which is in the past; name a later time or day (a day begins at 00:00 UTC)'],
])('A hold until %s is refused.', async (until, message) => {
  await expect(holding({ until })).rejects.toMatchObject({ code: 'usage', message });
});

test('A hold names the resources that were never applied, because apply can still create them.', async () => {
  const held = await holding({});
  expect(heldText(held, { names })).toContain('Agent/new has no record, so apply can still create it.');
  const released = await unhold(place.host, { project: place.root, environment: 'production', names });
  expect(releasedText(released)).toBe(
    'Released Agent/old in production. To see what the next apply changes, run `agentform plan -e production`.\n',
  );
});

test('A hold of resources without any record is refused, and the message points to a deleted record.', async () => {
  await expect(holding({ names: ['new'] })).rejects.toMatchObject({
    code: 'record-unknown',
    message: 'Agent/new has no record in the environment production, and only applied resources can be on hold',
  });
  const commit = await git(place.root, 'rev-parse', 'HEAD');
  await rm(join(place.root, recordPath(key('old'))));
  await expect(holding({})).rejects.toMatchObject({
    code: 'record-unknown',
    message: expect.stringContaining(`git checkout ${commit.slice(0, 12)}`),
  });
});

test('A hold includes a resource whose manifest cannot be read, but a hold by label is refused.', async () => {
  await saveRecord();
  await place.write('agents/old.yaml', 'apiVersion: agentform/v1\nkind: Agent\nname: old\nsettings: { title: |2 }\n');
  await expect(holding({ names: ['*'] })).resolves.toMatchObject({
    resources: ['Agent/old'],
    unrecorded: ['Agent/new'],
  });
  await expect(holding({ names: [], selector: 'ring=canary' })).rejects.toMatchObject({ code: 'manifests-invalid' });
});

test('A record whose manifest cannot be read is in the state unknown, and not selected by label.', async () => {
  await saveRecord();
  await place.write('agents/old.yaml', 'apiVersion: agentform/v1\nkind: Agent\nname: old\nsettings: { title: |2 }\n');
  const options = { project: place.root, environment: 'production', names: [] };
  const listed = await listRecords(place.host, options);
  expect(listed).toMatchObject({ records: [{ state: 'unknown' }], unreadable: ['agents/old.yaml'] });
  expect(unknownText(listed)).toBe(
    'agents/old.yaml has errors, so it is unknown whether Agent/old has a manifest; to see the errors, run `agentform validate -e production`',
  );
  for (const select of [unhold, forgetRecords, recordsToForget, listRecords, history]) {
    const selecting = select(place.host, { ...options, selector: 'ring=canary' });
    await expect(selecting).rejects.toMatchObject({ code: 'manifests-invalid' });
  }
  await expect(recordsToForget(place.host, { ...options, names: ['old'] })).resolves.toMatchObject({
    records: [{ name: 'old' }],
  });
});

test('A record that contains only an approval can be released without a manifest, and is listed as not applied.', async () => {
  const approval = { by: 'Anna', at: '2026-11-01T10:00:00.000Z', declared: 'sha256:1', digest: 'sha256:2' };
  const freeze = { by: 'Anna', since: '2026-11-01T10:00:00.000Z', reason: 'demo' };
  const about = { host: 'service.example.com', query: {}, credentials: {}, fields: {}, holds: { freeze } };
  await place.write(recordPath(key('gone')), recordText({ formatVersion: 1, ...key('gone'), ...about, approval }));
  const options = { project: place.root, environment: 'production', names: ['gone'] };
  expect(await listRecords(place.host, options)).toMatchObject({
    records: [{ state: 'not applied', held: { by: 'Anna' } }],
  });
  await expect(forgetRecords(place.host, options)).rejects.toMatchObject({
    message: expect.stringContaining('`agentform unhold Agent/gone -e production`'),
  });
  expect(await unhold(place.host, options)).toMatchObject({ resources: ['Agent/gone'] });
  expect(await forgetRecords(place.host, options)).toMatchObject({ records: [{ name: 'gone' }] });
});
