import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  approvedBy,
  formatMarker,
  isSameEnvironment,
  isSameSubject,
  parseMarker,
  shortDigest,
  shortDigests,
} from '../../../src/action/github/marker.ts';
import { textDigest } from '../../../src/plan/pending.ts';
import { hostileText } from '../../report/hostile-text.ts';
import { plan, resource } from '../../report/plan/plan-builders.ts';
import { codePoint } from '../../support/code-point.ts';

const place = { environment: 'production', project: '.' };
const text = fc.oneof(hostileText, fc.string({ unit: codePoint }));

describe('a marker', () => {
  test('A marker is read as it was written, whatever it holds, and is one comment on one line.', () => {
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
  ])('A marker that is %s is none.', (_, body) => {
    expect(parseMarker(body)).toBeUndefined();
  });

  test('A marker that a newer agentform wrote is refused by name of both versions.', () => {
    const body = '<!-- agentform {"formatVersion":2,"environment":"e","project":".","commit":"c"} -->';
    expect(() => parseMarker(body)).toThrow(
      'a comment with a plan has format version 2, but this agentform reads up to version 1; upgrade agentform',
    );
  });

  test('A marker approves digests that are texts, and nothing otherwise.', () => {
    const body =
      '<!-- agentform {"formatVersion":1,"environment":"e","project":".","commit":"c","approves":{"a":1}} -->';
    expect(parseMarker(body)).toEqual({ environment: 'e', project: '.', commit: 'c' });
  });
});

describe('what a comment approves', () => {
  const digestOf = (index: number) => textDigest(`${index}`);
  const agents = (count: number, action: 'update' | 'none' = 'update') =>
    Array.from({ length: count }, (_, index) => resource({ name: `clinic-${index}`, digest: digestOf(index), action }));

  test('What a comment approves is what would be written.', () => {
    const made = plan([...agents(1), resource({ name: 'b', action: 'none', digest: digestOf(1) })]);
    expect(approvedBy(made)).toEqual({ approves: { 'Agent/clinic-0': digestOf(0) } });
  });

  test('What a comment approves is nothing for an offline plan.', () => {
    expect(approvedBy({ ...plan(agents(1)), offline: { base: 'b' } })).toEqual({});
  });

  test('What a comment approves are shortened digests where the whole ones would leave no room for the plan.', () => {
    const made = plan(agents(500));
    const approved = approvedBy(made);
    expect(approved).toEqual({ approvesPlan: made.digest, approvesShort: expect.stringMatching(/^[\w+/]{8000}$/) });
    expect(shortDigests(approved)).toEqual(made.resources.map(({ digest }) => shortDigest(digest)));
  });

  test('What a comment approves is the plan as a whole where even these would.', () => {
    const made = plan(agents(2_501));
    expect(approvedBy(made)).toEqual({ approvesPlan: made.digest });
  });

  test.each([1, 150, 250, 2_500, 10_000])(
    'What a comment approves of %i agents leaves most of the comment to the plan.',
    (count) => {
      expect(formatMarker({ ...place, commit: 'c', ...approvedBy(plan(agents(count))) }).length).toBeLessThan(40_500);
    },
  );

  test('A comment distinguishes approved changes by 96 bits.', () => {
    expect(shortDigest(`sha256:${'00112233445566778899aabb'}${'f'.repeat(40)}`)).toBe('ABEiM0RVZneImaq7');
  });
});

describe('a place', () => {
  const step = { ...place, names: ['a', 'b'] };

  test('A place is that of a step: two steps with different names are at two.', () => {
    expect(isSameSubject(step, { ...step })).toBe(true);
    expect(isSameSubject(step, place)).toBe(false);
    expect(isSameEnvironment(step, place)).toBe(true);
  });

  test('A place stays the same where agentform.yaml no longer says which environment is the default.', () => {
    const byDefault = { ...place, isDefault: true as const };
    expect(isSameSubject(byDefault, { ...byDefault, environment: '' })).toBe(true);
    expect(isSameSubject(place, { ...byDefault, environment: '' })).toBe(false);
  });
});
