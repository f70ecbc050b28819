import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  approvedBy,
  formatMarker,
  isSameEnvironment,
  isSameSubject,
  parseMarker,
} from '../../../src/action/github/marker.ts';
import { shortDigest, shortDigestsIn, textDigest } from '../../../src/plan/digests.ts';
import { hostileText } from '../../report/hostile-text.ts';
import { plan, resource } from '../../report/plan/plan-builders.ts';
import { codePoint } from '../../support/code-point.ts';

const place = { environment: 'production', project: '.' };
const text = fc.oneof(hostileText, fc.string({ unit: codePoint }));

describe('a marker', () => {
  test('A marker with any content reads back as it was written, and is one comment on one line.', () => {
    const markers = fc.record({
      environment: text,
      project: text,
      commit: text,
      approves: fc.dictionary(text, text),
      approvesShort: text,
      approvesPlan: text,
    });
    fc.assert(
      fc.property(markers, (marker) => {
        const line = formatMarker(marker);
        expect(line.slice(0, -3)).not.toMatch(/-->|--!>|\n|\r/);
        expect(parseMarker(`${line}\n### Plan`)).toEqual(JSON.parse(JSON.stringify(marker)));
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['on the second line', `Hello\n${formatMarker({ ...place, commit: 'c' })}`],
    ['behind a blank', ` ${formatMarker({ ...place, commit: 'c' })}`],
    ['without a commit', '<!-- agentform {"formatVersion":1,"environment":"e","project":"."} -->'],
    ['no JSON', '<!-- agentform {"formatVersion":1 -->'],
    ['a list', '<!-- agentform [] -->'],
  ])('A marker that is %s is ignored.', (_, body) => {
    expect(parseMarker(body)).toBeUndefined();
  });

  test('A marker of a newer agentform is refused with both versions.', () => {
    const body = '<!-- agentform {"formatVersion":2,"environment":"e","project":".","commit":"c"} -->';
    expect(() => parseMarker(body)).toThrow(
      'a comment with a plan has format version 2, but this agentform reads up to version 1; upgrade agentform',
    );
  });

  test.each(['1 -->\n- [x] **A** ', 'today'])(
    'A marker lists no apply with the time %j, which could end a hidden line.',
    (at) => {
      const listed = (time: string) =>
        parseMarker(formatMarker({ ...place, commit: 'c', applied: [{ at: time, commit: 'c', what: '1 agent' }] }));
      expect(listed(at)).not.toHaveProperty('applied');
      expect(listed('2026-11-30T10:00:00.123Z')).toHaveProperty('applied');
    },
  );

  test('A marker approves only digests that are strings.', () => {
    const body =
      '<!-- agentform {"formatVersion":1,"environment":"e","project":".","commit":"c","approves":{"a":1}} -->';
    expect(parseMarker(body)).toEqual({ environment: 'e', project: '.', commit: 'c' });
  });
});

describe('approvals in a comment', () => {
  const digestOf = (index: number) => textDigest(`${index}`);
  const agents = (count: number, action: 'update' | 'none' = 'update') =>
    Array.from({ length: count }, (_, index) => resource({ name: `clinic-${index}`, digest: digestOf(index), action }));

  test('A comment approves only the changes that an apply would write.', () => {
    const made = plan([...agents(1), resource({ name: 'b', action: 'none', digest: digestOf(1) })]);
    expect(approvedBy(made)).toEqual({ approves: { 'Agent/clinic-0': digestOf(0) } });
  });

  test('A comment with an offline plan approves nothing.', () => {
    expect(approvedBy({ ...plan(agents(1)), offline: { base: 'b' } })).toEqual({});
  });

  test('A comment approves shortened digests if full digests would leave no room for the plan.', () => {
    const made = plan(agents(500));
    const approved = approvedBy(made);
    expect(approved).toEqual({ approvesPlan: made.digest, approvesShort: expect.stringMatching(/^[\w+/]{8000}$/) });
    expect(shortDigestsIn(approved.approvesShort ?? '')).toEqual(
      made.resources.map(({ digest }) => shortDigest(digest)),
    );
  });

  test('A comment approves the plan as a whole if shortened digests are also too long.', () => {
    const made = plan(agents(2_501));
    expect(approvedBy(made)).toEqual({ approvesPlan: made.digest });
  });

  test.each([1, 150, 250, 2_500, 10_000])(
    'The approvals of %i agents leave most of the comment to the plan.',
    (count) => {
      expect(formatMarker({ ...place, commit: 'c', ...approvedBy(plan(agents(count))) }).length).toBeLessThan(40_500);
    },
  );

  test('A comment distinguishes approved changes by 96 bits.', () => {
    expect(shortDigest(`sha256:${'00112233445566778899aabb'}${'f'.repeat(40)}`)).toBe('ABEiM0RVZneImaq7');
  });
});

describe('the place of a comment', () => {
  const step = { ...place, names: ['a', 'b'] };

  test('The place of a comment includes its step, so two steps have two places.', () => {
    expect(isSameSubject(step, { ...step })).toBe(true);
    expect(isSameSubject(step, place)).toBe(false);
    expect(isSameEnvironment(step, place)).toBe(true);
  });

  test('The place of a comment survives the removal of defaultEnvironment from agentform.yaml.', () => {
    const byDefault = { ...place, isDefault: true as const };
    expect(isSameSubject(byDefault, { ...byDefault, environment: '' })).toBe(true);
    expect(isSameSubject(place, { ...byDefault, environment: '' })).toBe(false);
  });
});
