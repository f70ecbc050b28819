import { describe, expect, test } from '@jest/globals';
import { agentRecord, campaign, desiredAgent, planOf } from '../../support/observations.ts';

interface Row {
  readonly W?: string | null;
  readonly H?: string | null;
  readonly L?: string | null;
  readonly touched?: boolean;
  readonly result: string;
}

describe('truth table of a readable field (welcomeMessage: no default, no unset value)', () => {
  const rows: Row[] = [
    { W: '1', H: '1', result: 'nothing' },
    { W: '1', H: '1', L: '1', result: 'nothing' },
    { W: '1', H: '1', L: '2', result: 'nothing' },
    { W: '1', result: 'set manifest compared' },
    { W: '2', H: '1', L: '1', result: 'set manifest compared' },
    { W: '1', H: '2', L: '1', result: 'set drift compared' },
    { W: '1', L: '1', result: 'set drift compared' },
    { W: '3', H: '2', L: '1', result: 'set conflict compared' },
    { W: '3', L: '1', result: 'set conflict compared' },
    { W: '2', H: '1', result: 'set adopt compared' },
    { H: '1', L: '1', result: 'release manifest compared' },
    { L: '1', result: 'nothing' },
    { H: '1', result: 'nothing' },
    { W: '', result: 'nothing' },
    { W: '', H: null, L: '1', result: 'nothing' },
  ];
  test.each(rows)('A readable field with W=$W H=$H L=$L is planned as: $result', (row) =>
    expect(verdict('welcomeMessage', row)).toBe(row.result),
  );
});

describe('truth table of a readable field with a default (agentLang: en-US)', () => {
  const rows: Row[] = [
    { W: 'en-US', result: 'nothing' },
    { W: 'en-US', H: null, L: 'es-MX', result: 'nothing' },
    { H: 'es-MX', L: 'es-MX', result: 'unset manifest compared → "en-US"' },
    { H: 'multi', L: 'es-MX', result: 'unset conflict compared → "en-US"' },
    { H: 'en-US', L: 'es-MX', result: 'nothing' },
  ];
  test.each(rows)('A readable field with a default and W=$W H=$H L=$L is planned as: $result', (row) =>
    expect(verdict('agentLang', row)).toBe(row.result),
  );
});

describe('truth table of a field that may be null (agentThinking)', () => {
  const rows: Row[] = [
    { W: null, result: 'nothing' },
    { W: null, H: 'low', L: 'low', result: 'set manifest compared' },
    { W: 'low', H: null, L: 'low', result: 'set drift compared' },
    { H: 'low', L: 'low', result: 'unset manifest compared → null' },
  ];
  test.each(rows)('A field that may be null with W=$W H=$H L=$L is planned as: $result', (row) =>
    expect(verdict('agentThinking', row)).toBe(row.result),
  );
});

describe('truth table of a write-only field with a default (recordingNotificationPhrase)', () => {
  const rows: Row[] = [
    { W: '1', L: '1', touched: false, result: 'nothing' },
    { W: '1', L: '1', touched: true, result: 'set unverified blind' },
    { W: '2', L: '1', touched: false, result: 'set manifest blind' },
    { W: '2', L: '1', touched: true, result: 'set manifest blind' },
    { W: '2', touched: false, result: 'set manifest blind' },
    { L: '1', touched: false, result: 'unset manifest blind → "This call is being recorded."' },
    { L: '1', touched: true, result: 'unset manifest blind → "This call is being recorded."' },
  ];
  test.each(rows)('A write-only field with W=$W L=$L touched=$touched is planned as: $result', (row) =>
    expect(verdict('recordingNotificationPhrase', row)).toBe(row.result),
  );

  test('A write-only field counts as touched if the record has no lastUpdate.', () => {
    const { lastUpdate: _, ...record } = agentRecord({ 'settings.description': 'D' });
    const plan = planOf({
      desired: desiredAgent({ settings: { description: 'D' } }),
      record,
      reading: { campaign: campaign() },
    });
    expect(plan.changes).toEqual([
      { op: 'set', path: 'settings.description', to: 'D', cause: 'unverified', knowledge: 'blind' },
    ]);
  });
});

function verdict(setting: string, { W, H, L, touched }: Row): string {
  const plan = planOf({
    desired: desiredAgent({ settings: W === undefined ? {} : { [setting]: W } }),
    record: agentRecord(L === undefined ? {} : { [`settings.${setting}`]: L }, { lastUpdate: touched ? 999 : 1000 }),
    reading: { campaign: campaign(H === undefined ? {} : { [setting]: H }) },
  });
  expect(plan.changes.length).toBeLessThanOrEqual(1);
  const [change] = plan.changes;
  if (change === undefined) return 'nothing';
  const to = change.op === 'unset' ? ` → ${JSON.stringify(change.to)}` : '';
  return `${change.op} ${change.cause} ${change.knowledge}${to}`;
}
