import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  approvedDigests,
  formatMarker,
  isSameEnvironment,
  isSamePlace,
  markerWeight,
  parseMarker,
} from '../../src/action/marker.ts';
import { hostileText } from '../report/hostile-text.ts';
import { plan, resource } from '../report/plan/plan-builders.ts';
import { codePoint } from '../support/code-point.ts';

const place = { environment: 'production', project: '.' };
const text = fc.oneof(hostileText, fc.string({ unit: codePoint }));

describe('a marker', () => {
  test('is read as it was written, whatever it holds, and is one comment on one line', () => {
    const markers = fc.record({ environment: text, project: text, commit: text, approves: fc.dictionary(text, text) });
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
    ['of another version', '<!-- agentform {"version":2,"environment":"e","project":".","commit":"c"} -->'],
    ['without a commit', '<!-- agentform {"version":1,"environment":"e","project":"."} -->'],
    ['no JSON', '<!-- agentform {"version":1 -->'],
    ['a list', '<!-- agentform [] -->'],
  ])('that is %s is none', (_, body) => {
    expect(parseMarker(body)).toBeUndefined();
  });

  test('approves digests that are texts, and nothing otherwise', () => {
    const body = '<!-- agentform {"version":1,"environment":"e","project":".","commit":"c","approves":{"a":1}} -->';
    expect(parseMarker(body)).toEqual({ environment: 'e', project: '.', commit: 'c' });
  });
});

describe('what a comment approves', () => {
  const [updated, same] = [
    resource({ digest: 'sha256:1' }),
    resource({ name: 'b', action: 'none', digest: 'sha256:2' }),
  ];
  const made = plan([updated, same]);

  test('is what would be written', () => {
    expect(approvedDigests(made, made.resources)).toEqual({ 'Agent/front-desk': 'sha256:1' });
  });

  test('is nothing for an offline plan', () => {
    expect(approvedDigests({ ...made, offline: { base: 'b' } }, made.resources)).toBeUndefined();
  });

  test('takes as much room in its marker as is said before', () => {
    const marker = (approves: Readonly<Record<string, string>>) => formatMarker({ ...place, commit: 'c', approves });
    const one = { 'Agent/front-desk': 'sha256:1' };
    expect(marker(one).length - marker({}).length).toBeLessThanOrEqual(markerWeight(updated));
  });
});

describe('a place', () => {
  const step = { ...place, names: ['a', 'b'] };

  test('is that of a step: two steps with different names are at two', () => {
    expect(isSamePlace(step, { ...step })).toBe(true);
    expect(isSamePlace(step, place)).toBe(false);
    expect(isSameEnvironment(step, place)).toBe(true);
  });

  test('stays the same where agentform.yaml no longer says which environment is the default', () => {
    const byDefault = { ...place, isDefault: true as const };
    expect(isSamePlace(byDefault, { ...byDefault, environment: '' })).toBe(true);
    expect(isSamePlace(place, { ...byDefault, environment: '' })).toBe(false);
  });
});
