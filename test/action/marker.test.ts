import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatMarker, type Marker, markerOfPlan, parseMarker } from '../../src/action/marker.ts';
import { hostileText } from '../report/hostile-text.ts';
import { plan, resource } from '../report/plan/plan-builders.ts';

const place = { environment: 'production', project: '.' };
const text = fc.oneof(hostileText, fc.string({ unit: 'binary' }));

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

describe('the marker of a plan', () => {
  const made = plan([resource({ digest: 'sha256:1' }), resource({ name: 'b', action: 'none', digest: 'sha256:2' })]);

  test('approves what would be written', () => {
    expect(markerOfPlan(place, 'c', made)).toEqual({
      ...place,
      commit: 'c',
      approves: { 'Agent/front-desk': 'sha256:1' },
    });
  });

  test('of an offline plan approves nothing', () => {
    const marker: Marker = markerOfPlan(place, 'c', { ...made, offline: { base: 'b' } });
    expect(marker).toEqual({ ...place, commit: 'c' });
  });

  test('of too many resources approves nothing, and says that it was shortened', () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      resource({ name: `agent-${index}`, digest: 'x'.repeat(71) }),
    );
    expect(markerOfPlan(place, 'c', plan(many))).toEqual({ ...place, commit: 'c', shortened: true });
  });
});
