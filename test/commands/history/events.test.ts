import { describe, expect, test } from '@jest/globals';
import { eventsInOrder, RecordLife } from '../../../src/commands/history/events.ts';
import { entrySummary } from '../../../src/commands/history/summary.ts';
import type { HistoryEntry } from '../../../src/schemas/history-types.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';

const at = (minute: number) => new Date(minute * 60_000).toISOString();

function record(parts: Partial<ResourceRecord> = {}, values: Readonly<Record<string, unknown>> = {}): ResourceRecord {
  const fields = Object.fromEntries(Object.entries(values).map(([path, value]) => [path, { value }]));
  const about = { environment: 'test', kind: 'Agent', name: 'desk', host: 'h', query: {}, credentials: {} };
  return { formatVersion: 1, ...about, fields, ...parts };
}

function eventsOf(...records: readonly ResourceRecord[]) {
  const life = new RecordLife();
  for (const [index, one] of records.entries()) life.pass({ record: one, version: `v${index + 1}` });
  life.end();
  return eventsInOrder(life.events);
}

const title = 'settings.title';
const created = record({ event: 'create', appliedAt: at(1), appliedBy: 'anna', commit: 'c1' }, { [title]: 'A' });

describe('applies', () => {
  test('A create lists its settings, and an apply its differences, each with the person and the commit.', () => {
    const applied = record(
      { event: 'apply', appliedAt: at(2), appliedBy: 'bela', commit: 'c2', pullRequest: 12, run: 'https://ci/1' },
      { [title]: 'B', 'settings.agentVoice': 'warm-1' },
    );
    expect(eventsOf(created, applied)).toEqual([
      {
        ...{ at: at(1), kind: 'Agent', name: 'desk', title: 'A', event: 'create', by: 'anna', commit: 'c1' },
        version: 'v1',
        changes: [{ path: title, op: 'set', to: 'A' }],
      },
      {
        ...{ at: at(2), kind: 'Agent', name: 'desk', title: 'B', event: 'apply', by: 'bela', commit: 'c2' },
        ...{ version: 'v2', pullRequest: 12, run: 'https://ci/1' },
        changes: [
          { path: 'settings.agentVoice', op: 'set', to: 'warm-1' },
          { path: title, op: 'set', from: 'A', to: 'B' },
        ],
      },
    ]);
  });

  test('An edit after an apply that failed may come from that apply, so no event calls it a dashboard edit.', () => {
    const failure = { code: 'service-unclear', at: at(2), facts: {} };
    const torn = record({ ...created, failure });
    const edit = { path: title, cause: 'drift' as const, value: 'Edited' };
    const undone = record(
      { event: 'apply', appliedAt: at(3), overwrote: [{ ...edit, unclear: true }] },
      { [title]: 'A' },
    );
    const hold = { by: 'ada', since: at(3), fields: { [title]: ['x'] } };
    const kept = record({ ...torn, holds: { kept: [hold] } });
    // The record of the failed apply may never have been committed.
    const summaries = [[undone], [torn, undone], [torn, kept]].map((later) => {
      const event = eventsOf(created, ...later).at(-1);
      return event && entrySummary({ ...event, changes: event.changes.map((one) => ({ ...one, summary: 'Title' })) });
    });
    const words = 'change after a failed apply undone: Title';
    expect(summaries).toEqual([words, words, 'change after a failed apply kept: Title']);
    const edited = record({ ...undone, overwrote: [edit] });
    expect(eventsOf(created, torn, edited).at(-1)).not.toHaveProperty('isUnclear');
  });

  test('Several versions from one apply are one event, with the values of the last.', () => {
    const asSent = record({ event: 'apply', appliedAt: at(2) }, { [title]: 'B' });
    const readBack = record({ event: 'apply', appliedAt: at(2) }, { [title]: 'C' });
    expect(eventsOf(created, asSent, readBack).slice(1)).toMatchObject([{ version: 'v3', changes: [{ to: 'C' }] }]);
  });

  test('A version that git restored is not an event, and the next apply is compared with it.', () => {
    const second = record({ event: 'apply', appliedAt: at(2) }, { [title]: 'B' });
    const third = record({ event: 'apply', appliedAt: at(3) }, { [title]: 'C' });
    expect(eventsOf(created, second, created, third)).toMatchObject([
      { event: 'create' },
      { event: 'apply', changes: [{ from: 'A', to: 'B' }] },
      { event: 'apply', changes: [{ from: 'A', to: 'C' }] },
    ]);
  });

  test('The changes of an apply are unknown if the version before it is missing.', () => {
    const applied = record({ event: 'apply', appliedAt: at(2) }, { [title]: 'B' });
    expect(eventsOf(applied)).toMatchObject([{ event: 'apply', changes: [], changesUnknown: true }]);
    const entry: HistoryEntry = { at: at(2), kind: 'Agent', name: 'desk', event: 'apply', changes: [] };
    expect(entrySummary({ ...entry, changesUnknown: true })).toBe('applied; what changed is unknown');
    expect(entrySummary(entry)).toBe('applied; no known change');
  });

  test('An unset setting and a released setting are different changes.', () => {
    const before = record({ event: 'create', appliedAt: at(1) }, { [title]: 'A', 'settings.timezone': 'Etc/UTC' });
    const after = record({ event: 'apply', appliedAt: at(2), released: ['settings.timezone'] });
    expect(eventsOf(before, after)[1]?.changes).toEqual([
      { path: 'settings.timezone', op: 'release', from: 'Etc/UTC' },
      { path: title, op: 'unset', from: 'A' },
    ]);
  });

  test('Settings that an apply records without a request are an adoption or no event.', () => {
    const adopted = record({ event: 'settle', appliedAt: at(2) }, { [title]: 'A', 'settings.timezone': 'Etc/UTC' });
    const settled = record({ event: 'settle', appliedAt: at(3) }, { [title]: 'A' });
    expect(eventsOf(created, adopted, settled).slice(1)).toMatchObject([
      { event: 'adopt', at: at(2), changes: [{ path: 'settings.timezone', op: 'set' }] },
    ]);
  });

  test('A rotated token or a new name does not change a sensitive value.', () => {
    const secret = (fingerprint: string) => ({ fields: { token: { fingerprint } } });
    const before = record({ event: 'create', appliedAt: at(1), ...secret('hmac:one:aaa') });
    const rotated = record({ event: 'settle', appliedAt: at(2), ...secret('hmac:two:bbb') });
    const changed = record({ event: 'apply', appliedAt: at(3), ...secret('hmac:two:ccc') });
    const renamed = record({ event: 'apply', appliedAt: at(4), name: 'front-desk', ...secret('hmac:two:ddd') });
    expect(eventsOf(before, rotated, changed, renamed)).toMatchObject([
      { event: 'create', changes: [{ to: { sensitive: true, fingerprint: 'hmac:one:aaa' } }] },
      { event: 'apply', at: at(3), changes: [{ from: { fingerprint: 'hmac:two:bbb' } }] },
      { event: 'apply', at: at(4), changes: [] },
    ]);
  });
});

describe('dashboard edits', () => {
  test('An undone edit is a separate event with the lost value.', () => {
    const overwrote = [
      { path: title, cause: 'drift' as const, value: 'Edited' },
      { path: 'settings.timezone', cause: 'adopt' as const, value: 'Europe/Paris' },
    ];
    const values = { [title]: 'A', 'settings.timezone': 'Etc/UTC' };
    const applied = record({ event: 'apply', appliedAt: at(2), appliedBy: 'bela', overwrote }, values);
    expect(eventsOf(created, applied).slice(1)).toMatchObject([
      { event: 'apply', changes: [{ path: 'settings.timezone', from: 'Europe/Paris', to: 'Etc/UTC' }] },
      { event: 'edit-undone', by: 'bela', changes: [{ path: title, op: 'set', from: 'Edited', to: 'A' }] },
    ]);
  });

  test('An apply that only undoes edits is one event, which masks secrets and lists the members of elements.', () => {
    const overwrote = [
      {
        path: 'settings.apiKey',
        cause: 'conflict' as const,
        fingerprint: 'hmac:k:x',
        summary: { type: 'string' as const },
      },
      { path: 'skills[calendar]', cause: 'drift' as const },
    ];
    const values = { [title]: 'A', 'skills[calendar].instructions': 'Book.' };
    const before = record({ event: 'create', appliedAt: at(1) }, values);
    expect(eventsOf(before, record({ event: 'apply', appliedAt: at(2), overwrote }, values)).slice(1)).toEqual([
      expect.objectContaining({
        event: 'edit-undone',
        changes: [
          { path: 'settings.apiKey', op: 'unset', from: { sensitive: true, fingerprint: 'hmac:k:x' } },
          { path: 'skills[calendar]', op: 'set', to: { instructions: 'Book.' } },
        ],
      }),
    ]);
  });

  test('An edit counts as kept if the manifest contains it or a person decided to keep it.', () => {
    const updated = record({ event: 'settle', appliedAt: at(2), keptEdits: [title] }, { [title]: 'Edited' });
    const kept = [
      {
        by: 'mona',
        since: at(3),
        reason: 'answered in #12',
        fields: { [title]: [] },
        values: [{ path: title, value: 'New' }],
      },
    ];
    const decided = record({ ...updated, event: 'apply', appliedAt: at(3), keptEdits: [], holds: { kept } });
    expect(eventsOf(created, updated, { ...decided, fields: updated.fields }).slice(1)).toMatchObject([
      { event: 'edit-kept', at: at(2), changes: [{ path: title, from: 'A', to: 'Edited' }] },
      {
        ...{ event: 'edit-kept', at: at(3), by: 'mona', reason: 'answered in #12' },
        changes: [{ path: title, op: 'set', from: 'Edited', to: 'New' }],
      },
    ]);
  });
});

describe('other events', () => {
  test('Holds, releases, adoptions, publications, renames and removals have their own times and persons.', () => {
    const freeze = { by: 'anna', since: at(3), reason: 'demo' };
    const life = new RecordLife();
    life.pass({ record: created, version: 'v1' });
    life.pass({ record: { ...created, holds: { freeze } }, version: 'v2' });
    life.pass({ record: { ...created, holds: { released: { by: 'bela', at: at(4) } } }, version: 'v3' });
    life.pass({ record: { ...created, publication: { at: at(5), by: 'cleo', run: 'https://ci/2' } }, version: 'v4' });
    const renames = [
      { from: 'desk', at: at(6), by: 'anna' },
      { from: 'front', at: at(7) },
    ];
    life.pass({ record: { ...created, name: 'front-desk', renames }, version: 'v5' });
    life.pass({ record: record({ name: 'front-desk', renames, adopted: { at: at(8), by: 'anna' } }), version: 'v6' });
    life.forget(at(9), 'dora', { version: 'v7', commit: 'c7' });
    expect(eventsInOrder(life.events).map(({ event, at, by, name }) => [event, at, by, name])).toEqual([
      ['create', at(1), 'anna', 'desk'],
      ['hold', at(3), 'anna', 'desk'],
      ['unhold', at(4), 'bela', 'desk'],
      ['publish', at(5), 'cleo', 'desk'],
      ['rename', at(6), 'anna', 'front'],
      ['rename', at(7), undefined, 'front-desk'],
      ['adopt', at(8), 'anna', 'front-desk'],
      ['forget', at(9), 'dora', 'front-desk'],
    ]);
    expect(life.events.find(({ event }) => event === 'hold')).toMatchObject({ reason: 'demo', version: 'v2' });
  });

  test('A rollback keeps its reason, also after its release.', () => {
    const rollback = { by: 'anna', since: at(2), to: 'v1', reason: 'cut off', fields: {} };
    const rolledBack = record({ event: 'rollback', appliedAt: at(2), holds: { rollback } }, { [title]: 'Z' });
    const released = { ...rolledBack, holds: { released: { by: 'anna', at: at(3) } } };
    expect(eventsOf(created, rolledBack, released).slice(1)).toMatchObject([
      { event: 'rollback', reason: 'cut off', version: 'v2', changes: [{ from: 'A', to: 'Z' }] },
      { event: 'unhold' },
    ]);
  });

  test('A record with an invalid time has no event.', () => {
    expect(eventsOf(record({ event: 'create', appliedAt: 'soon', adopted: { at: '' } }, { [title]: 'A' }))).toEqual([]);
  });
});
