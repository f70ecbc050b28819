import { describe, expect, test } from '@jest/globals';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { resourceState } from '../../../src/plan/fields/resource-state.ts';
import { assignRecords, renamedRecord, renamedWithoutManifest } from '../../../src/plan/records/moves.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { fingerprintOf } from '../../../src/secrets/fingerprint.ts';
import { agentRecord, campaign, desiredAgent, planOf, testKey, toldPlanOf } from '../../support/observations.ts';

const stored = (...records: readonly ResourceRecord[]) =>
  new Map(records.map((record) => [`${record.kind}/${record.name}`, { record }]));

const named = (name: string, id = 'camp_1') => agentRecord({ 'settings.title': 'A' }, { name, id });

const manifest = (name: string, ...renamedFrom: readonly string[]) => ({
  kind: 'Agent',
  name,
  renamedFrom: renamedFrom.map((one) => ({ name: one })),
});

/**
 * The name of each manifest's record, keyed by address. Also returns the records to drop, and the records that match no
 * manifest.
 */
function assigned(records: readonly ResourceRecord[], manifests: readonly ReturnType<typeof manifest>[]) {
  const found = assignRecords(stored(...records), { manifests, removed: ['Agent/gone'] });
  const names = (map: typeof found.records) => Object.fromEntries([...map].map(([key, one]) => [key, one.record.name]));
  const listed = (all: typeof found.orphans) => all.map(({ record }) => record.name);
  return {
    records: names(found.records),
    former: names(found.former),
    removals: listed(found.removals),
    orphans: listed(found.orphans),
  };
}

describe('the manifest of a record', () => {
  const none = { records: {}, former: {}, removals: [], orphans: [] };

  test('A record belongs to the manifest of its name.', () => {
    expect(assigned([named('a')], [manifest('a')])).toEqual({ ...none, records: { 'Agent/a': 'a' } });
  });

  test('A record belongs to the manifest that was renamed from it, by the first former name found.', () => {
    const moved = { records: { 'Agent/c': 'a' }, former: { 'Agent/c': 'a' } };
    expect(assigned([named('a')], [manifest('c', 'b', 'a')])).toEqual({ ...none, ...moved });
    const both = { records: { 'Agent/c': 'b' }, former: { 'Agent/c': 'b' }, orphans: ['a'] };
    expect(assigned([named('a', 'camp_2'), named('b')], [manifest('c', 'b', 'a')])).toEqual({ ...none, ...both });
  });

  test('A manifest with a record of another agent gets no other record.', () => {
    const records = [named('a', 'camp_1'), named('b', 'camp_2')];
    expect(assigned(records, [manifest('b', 'a')])).toEqual({ ...none, records: { 'Agent/b': 'b' }, orphans: ['a'] });
  });

  test('A record belongs to the manifest that has its copy after an interrupted rename.', () => {
    const left = { records: { 'Agent/b': 'b' }, former: { 'Agent/b': 'a' } };
    expect(assigned([named('a'), named('b')], [manifest('b', 'a')])).toEqual({ ...none, ...left });
  });

  test('A manifest gets no record if there is none.', () => {
    expect(assigned([], [manifest('a', 'b')])).toEqual(none);
  });

  test('A removed or unnamed record belongs to no manifest.', () => {
    const records = [named('gone'), named('lost')];
    expect(assigned(records, [])).toEqual({ ...none, removals: ['gone'], orphans: ['lost'] });
  });

  test('A record of a resource that was never applied is not an orphan, but can be removed.', () => {
    const undone = (name: string) => {
      const { id: _, appliedAt: __, ...record } = agentRecord({}, { name });
      return { ...record, approval: { at: 'then', declared: 'sha256:a', digest: 'sha256:b' } };
    };
    expect(assigned([undone('lost'), undone('gone')], [])).toEqual({ ...none, removals: ['gone'] });
  });
});

const secret = { environment: 'test', kind: 'Agent', path: 'settings.description' };
const sections = { settings: { title: 'A', description: 'pin 1234' } };
const desired = desiredAgent(sections, { name: 'new', sensitive: new Set(['/settings/description']) });
const record = (value: string, key = testKey): ResourceRecord => ({
  ...named('old'),
  fields: {
    'settings.title': { value: 'A' },
    'settings.description': { fingerprint: fingerprintOf(key, { ...secret, name: 'old' }, JSON.stringify(value)) },
  },
});
const secrecy = secrecyOf([]);

describe('a renamed record', () => {
  test('A renamed record gets new fingerprints of secrets that the manifest still has.', () => {
    const moved = renamedRecord({ desired, record: record('pin 1234') }, secrecy);
    expect(moved).toMatchObject({ lost: [], record: { name: 'new', id: 'camp_1', lastUpdate: 1000 } });
    const { fields } = resourceState({ desired, record: moved.record }, secrecy);
    expect(fields.map(({ text, wantedIsLast }) => [text, wantedIsLast])).toEqual([
      ['settings.description', true],
      ['settings.title', true],
    ]);
    expect(moved.record.fields).not.toEqual(record('pin 1234').fields);
  });

  test('A renamed record loses the fingerprint of a changed secret, and keeps that of another token.', () => {
    expect(renamedRecord({ desired, record: record('pin 9') }, secrecy)).toMatchObject({
      lost: ['settings.description'],
      record: { fields: { 'settings.title': { value: 'A' } } },
    });
    const foreign = { 'settings.description': { fingerprint: 'hmac:other:print' } };
    const rotated: ResourceRecord = { ...named('old'), fields: foreign };
    expect(renamedRecord({ desired, record: rotated }, secrecy)).toMatchObject({
      lost: [],
      record: { fields: foreign },
    });
  });
});

describe('a renamed value in another form', () => {
  const printOf = (text: string, name: string) =>
    fingerprintOf(testKey, { ...secret, path: 'settings.title', name }, JSON.stringify(text));
  const known = (name: string): ResourceRecord => ({
    ...named(name),
    fields: {
      'settings.title': {
        fingerprint: printOf(' A', name),
        readBackFingerprint: printOf('A', name),
        rules: ['white-space' as const],
      },
    },
  });
  const titled = { ...desired, sections: { settings: { title: ' A' } }, sensitive: new Set(['/settings/title']) };
  const movedWith = (title: string, before = known('old')) =>
    renamedRecord({ desired: titled, record: before, reading: { campaign: campaign({ title }) } }, secrecy).record;

  test('A renamed value keeps both forms if live still shows its form.', () => {
    expect(movedWith('A').fields).toEqual(known('new').fields);
    expect(movedWith('Theirs').fields).toEqual({ 'settings.title': { fingerprint: printOf(' A', 'new') } });
  });

  test('A renamed value that was read back as sent keeps one form.', () => {
    const before: ResourceRecord = {
      ...named('old'),
      fields: { 'settings.title': { fingerprint: printOf(' A', 'old') } },
    };
    expect(movedWith(' A', before).fields).toEqual({ 'settings.title': { fingerprint: printOf(' A', 'new') } });
  });
});

test('A record is only renamed if its name or environment differs.', () => {
  const same = { ...record('pin 1234'), name: 'new' };
  expect(renamedRecord({ desired, record: same }, secrecy)).toEqual({ record: same, lost: [] });
  const elsewhere = renamedRecord({ desired, record: { ...same, environment: 'former' } }, secrecy);
  expect(elsewhere).toMatchObject({ record: { environment: 'test', name: 'new' }, lost: ['settings.description'] });
});

test('Overwritten values are kept under another name, but their fingerprints match nothing.', () => {
  const text = { path: 'settings.title', cause: 'drift', value: 'Edited' } as const;
  const hidden = { path: 'settings.welcomeMessage', cause: 'adopt', fingerprint: 'hmac:k:print' } as const;
  const before: ResourceRecord = { ...named('old'), overwrote: [text, hidden] };
  const moved = { overwrote: [text, { ...hidden, fingerprint: 'hmac:moved:print' }] };
  expect(renamedRecord({ desired: { ...desired, name: 'new' }, record: before }, secrecy).record).toMatchObject(moved);
  expect(renamedWithoutManifest(before, { environment: 'test', name: 'new' }).record).toMatchObject(moved);
});

describe('a record renamed without its manifest', () => {
  const credentials = { secret: 'TOKEN', fingerprint: 'hmac:k:print' };
  const before: ResourceRecord = { ...record('pin 1234'), credentials };
  const fields = { 'settings.title': { value: 'A' } };

  test('A record renamed without its manifest loses all fingerprints.', () => {
    expect(renamedWithoutManifest(before, { environment: 'test', name: 'new' })).toEqual({
      record: { ...before, name: 'new', fields },
      lost: ['settings.description'],
    });
  });

  test('A record renamed without its manifest loses the token fingerprint of another environment.', () => {
    const { record: moved } = renamedWithoutManifest(before, { environment: 'live', name: 'old' });
    expect(moved).toEqual({ ...before, environment: 'live', fields, credentials: { secret: 'TOKEN' } });
  });
});

describe('the plan of a renamed manifest', () => {
  const reading = { campaign: campaign({ title: 'A' }) };
  const { sensitive: _, ...plain } = desired;
  const renamed = { desired: { ...plain, sensitive: new Set<string>() }, renamedFrom: 'old', reading };

  test('The plan of a renamed manifest is an update with no change but the name.', () => {
    const old = agentRecord({ 'settings.title': 'A', 'settings.description': 'pin 1234' }, { name: 'old' });
    expect(planOf({ ...renamed, record: old })).toMatchObject({
      name: 'new',
      action: 'update',
      renamedFrom: 'old',
      changes: [],
    });
    const { digest } = planOf({ ...renamed, record: old });
    expect(planOf({ ...renamed, renamedFrom: 'older', record: { ...old, name: 'older' } }).digest).not.toBe(digest);
  });

  test('The plan of a renamed manifest resends a secret only if it changed.', () => {
    const observation = { desired, renamedFrom: 'old', reading };
    expect(planOf({ ...observation, record: record('pin 1234') }).changes).toEqual([]);
    const [change, ...others] = planOf({ ...observation, record: record('pin 9') }).changes;
    expect(change).toMatchObject({ path: 'settings.description', cause: 'manifest' });
    expect(others).toEqual([]);
  });

  test('The plan of a renamed manifest is blocked by an unclear create, whose remedy uses the old name.', () => {
    const intent = { operation: 'create', startedAt: 'then', runId: 'r' } as const;
    const { reasons } = toldPlanOf({ ...renamed, record: { ...named('old'), intent } });
    expect(reasons.join()).toMatch(/record adopt Agent\/new .*record forget --unclear Agent\/old -e test`$/);
  });
});
