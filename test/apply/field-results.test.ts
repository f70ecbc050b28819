import { describe, expect, test } from '@jest/globals';
import { fieldResults, takenOver, type Write } from '../../src/apply/field-results.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { parsePath } from '../../src/kinds/field-path.ts';
import { pathSet } from '../../src/kinds/path-map.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import { resourceState } from '../../src/plan/fields/resource-state.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { agentRecord, campaign, desiredAgent } from '../support/observations.ts';

const secret = 'hunter2-hunter2';
const secrecy = secrecyOf([new Secret(secret)]);

interface Written {
  readonly wanted: JsonObject;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly recorded?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
  readonly notSent?: readonly string[];
}

function results(given: Written) {
  const { wanted, before = {}, after, recorded = {}, unset = [], notSent = [] } = given;
  const observation = { desired: desiredAgent(wanted), record: agentRecord(recorded) };
  const state = (live: Readonly<Record<string, unknown>>) =>
    resourceState({ ...observation, reading: { campaign: campaign(live) } }, secrecy);
  const write: Write = {
    before: state(before),
    after: state(after),
    unset: pathSet(unset.map(parsePath)),
    notSent: pathSet(notSent.map(parsePath)),
  };
  return fieldResults(write).values();
}

describe('results of a setting that was to become W, with H before and R after the write', () => {
  const rows: [W: unknown, H: unknown, R: unknown, string][] = [
    ['a', 'b', 'a', 'stored'],
    ['a', undefined, 'a', 'stored'],
    ['a\r\nb ', 'x', 'a\nb', 'stored'],
    ['', 'x', undefined, 'stored'],
    ['a & b', 'x', 'a &amp; b', 'normalised "a &amp; b" html-escapes'],
    ['a & b', undefined, 'a &amp; b', 'normalised "a &amp; b" html-escapes'],
    ['A', 'b', 'a', 'another value "a"'],
    ['A', undefined, 'a', 'another value "a"'],
    ['A', 'b', 'b', 'ignored "b"'],
    ['A', 'b', undefined, 'ignored nothing'],
    ['A', undefined, '', 'ignored ""'],
    [' a', 'a', 'a', 'normalised "a" white-space'],
    ['a b', 'ab', 'ab', 'ignored "ab"'],
    ['x'.repeat(121), undefined, 'y'.repeat(118), `another value "${'y'.repeat(118)}"`],
    ['x'.repeat(121), undefined, 'y'.repeat(119), `another value "${'y'.repeat(119)}…`],
  ];
  test.each(rows)('The result for W=%j, H=%j and R=%j is %s', (W, H, R, result) => {
    const shown = (value: unknown) => (value === undefined ? {} : { welcomeMessage: value });
    const wanted = { settings: { welcomeMessage: W as string } };
    const [found, ...others] = results({ wanted, before: shown(H), after: shown(R) });
    expect(others).toEqual([]);
    expect([found?.result, found?.readBack, ...(found?.rules ?? [])].join(' ').trim()).toBe(result);
  });
});

test('A setting was not stored if it reads back as its documented default and had no value before.', () => {
  const wanted = { settings: { agentLang: 'es-MX' } };
  expect(results({ wanted, after: { agentLang: 'en-US' } })).toMatchObject([{ result: 'ignored' }]);
  expect(results({ wanted, after: { agentLang: 'multi' } })).toMatchObject([{ result: 'another value' }]);
  expect(results({ wanted, after: { agentLang: 'es-mx' } })).toMatchObject([{ result: 'normalised' }]);
});

test('An unchanged setting counts as not stored if it reads back with another value.', () => {
  const given = { wanted: { settings: { welcomeMessage: 'A' } }, before: { welcomeMessage: 'A' } };
  expect(results({ ...given, after: { welcomeMessage: 'b' } })).toMatchObject([{ result: 'another value' }]);
  expect(results({ ...given, after: { welcomeMessage: 'b' }, notSent: ['settings.welcomeMessage'] })).toStrictEqual([
    { path: 'settings.welcomeMessage', readBack: '"b"', result: 'lost' },
  ]);
});

describe('missing parts of another value', () => {
  const missing = (name: string, sent: JsonObject[string], readBack: unknown) =>
    results({
      wanted: { settings: { [name]: sent } },
      before: {},
      after: { [name]: readBack },
    })[0]?.missing;

  test('The missing lines of a text that was cut off begin with the first incomplete one.', () => {
    expect(
      missing('agentInstructions', '# A & B\n\nBe kind.\nBe quick.\nBye.', '# A &amp; B\n\nBe kind.\nBe q'),
    ).toEqual({
      noun: 'line',
      count: 2,
      line: 4,
      first: '"uick."',
    });
  });

  test('An escape that the service leaves alone is not a missing line.', () => {
    expect(missing('agentInstructions', 'Write &amp;.\nB.\nBye.', 'Write &amp;.\nB.')).toMatchObject({
      count: 1,
      line: 3,
    });
  });

  test('A missing line in the middle of a text is reported with its number.', () => {
    expect(missing('agentInstructions', 'A.\nB.\nC.', 'A.\nC.')).toEqual({
      noun: 'line',
      count: 1,
      line: 2,
      first: '"B."',
    });
  });

  test('The dropped items of a list are counted as missing.', () => {
    const links = ['https://A.example', 'https://a.example/hours', 'https://a.example/prices'];
    expect(missing('links', links, ['https://a.example/'])).toEqual({
      noun: 'item',
      count: 2,
      first: '"https://a.example/hours"',
    });
  });

  test('No part is missing if the service only added text, or if the value is neither a text nor a list.', () => {
    expect(missing('agentInstructions', 'A.', 'A.\nB.')).toBeUndefined();
    expect(missing('agentVoice', 'warm-1', 'warm-10')).toBeUndefined();
    expect(missing('welcomeMessage', 'Hello', 'Hi')).toBeUndefined();
    expect(missing('welcomeMessage', 'Hello', 'Hell')).toEqual({ noun: 'line', count: 1, line: 1, first: '"o"' });
  });
});

describe('results of an undeclared setting', () => {
  const given = { wanted: {}, recorded: { 'settings.agentLang': 'es-MX' }, before: { agentLang: 'es-MX' } };

  test('An undeclared setting has no result if the service removed it.', () => {
    expect(results({ ...given, after: { agentLang: 'en-US' }, unset: ['settings.agentLang'] })).toEqual([]);
    expect(results({ ...given, after: {}, unset: ['settings.agentLang'] })).toEqual([]);
  });

  test('An undeclared setting is ignored if the service still has it.', () => {
    expect(results({ ...given, after: { agentLang: 'es-MX' }, unset: ['settings.agentLang'] })).toStrictEqual([
      { path: 'settings.agentLang', readBack: '"es-MX"', result: 'ignored' },
    ]);
  });

  test('An undeclared setting only has a result if a request removed it.', () => {
    expect(results({ ...given, after: { agentLang: 'es-MX' } })).toEqual([]);
  });

  test('An undeclared setting is unverifiable if it cannot be read.', () => {
    const recorded = { 'settings.recordingNotificationPhrase': 'P' };
    const unset = ['settings.recordingNotificationPhrase'];
    expect(results({ wanted: {}, recorded, after: {}, unset })).toStrictEqual([
      { path: 'settings.recordingNotificationPhrase', result: 'unverifiable' },
    ]);
  });
});

describe('results of a list element', () => {
  const a = { slug: 'a', instructions: 'A' };
  const b = { slug: 'b', instructions: 'B' };

  test('The results of an added list element are the results of its members.', () => {
    const given = { wanted: { skills: [a] }, before: { skills: [] } };
    expect(results({ ...given, after: { skills: [a] } })).toStrictEqual([
      { path: 'skills[a].instructions', result: 'stored' },
    ]);
    expect(results({ ...given, after: { skills: [{ ...a, instructions: 'A\n\n' }] } })).toMatchObject([
      { path: 'skills[a].instructions', result: 'stored' },
    ]);
    expect(results({ ...given, after: { skills: [{ ...a, instructions: ' A' }] } })).toMatchObject([
      { path: 'skills[a].instructions', result: 'normalised', rules: ['white-space'] },
    ]);
    expect(results({ ...given, after: { skills: [{ ...a, instructions: 'a' }] } })).toMatchObject([
      { path: 'skills[a].instructions', result: 'another value' },
    ]);
    expect(results({ ...given, after: { skills: [] } })).toMatchObject([{ result: 'ignored', readBack: 'nothing' }]);
  });

  test('The removal of a list element is ignored if the service still has the element, in whatever form.', () => {
    const given = { wanted: { skills: [a] }, before: { skills: [a, b] }, unset: ['skills[b]'] };
    expect(results({ ...given, after: { skills: [a] } })).toMatchObject([{ path: 'skills[a].instructions' }]);
    expect(results({ ...given, after: { skills: [a, { ...b, instructions: 'other' }] } })).toMatchObject([
      { result: 'stored' },
      { path: 'skills[b].instructions', result: 'ignored', readBack: '"other"' },
    ]);
  });

  test('A declared list is ignored if the service keeps an undeclared element.', () => {
    const key = { slug: `x-${secret}`, instructions: 'X' };
    const found = results({ wanted: { skills: [a] }, before: { skills: [a] }, after: { skills: [a, key] } });
    expect(found).toMatchObject([{ result: 'stored' }, { result: 'ignored' }]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test('An undeclared nested list is not managed.', () => {
    expect(results({ wanted: {}, recorded: { 'skills[a].instructions': 'A' }, after: { skills: [a] } })).toEqual([]);
  });
});

describe('settings that a create took over', () => {
  const live = campaign({
    title: 'T',
    timezone: '',
    agentLang: 'en-US',
    agentThinking: 'low',
    skills: [
      { slug: 'a', instructions: 'A' },
      { slug: 'b', instructions: 'B' },
    ],
  } as Parameters<typeof campaign>[0]);

  test('A create takes over each set value that is neither declared nor a default, and each list once.', () => {
    expect(takenOver(desiredAgent({ settings: { title: 'other' } }), live)).toEqual([
      { path: 'settings.agentThinking', result: 'took over' },
      { path: 'skills', result: 'took over' },
    ]);
    expect(takenOver(desiredAgent({ skills: [], settings: { title: 'T', agentThinking: null } }), live)).toEqual([]);
  });

  test('A create takes nothing over for a kind that cannot be read.', () => {
    expect(takenOver(desiredAgent({}, { kind: 'Context' }), live)).toEqual([]);
  });
});
