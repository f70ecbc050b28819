import { expect, test } from '@jest/globals';
import { readScheduledTime } from '../../../src/commands/task/scheduled-time.ts';
import { isoTime } from '../../../src/text/time.ts';

function shown(text: string): string {
  const time = readScheduledTime(text);
  return 'problem' in time ? time.problem : `${isoTime(time.seconds)}${time.notice === undefined ? '' : ' *'}`;
}

test.each([
  ['2026-12-01 09:00 Europe/Berlin', '2026-12-01T08:00:00Z'],
  ['2026-07-01 09:00 Europe/Berlin', '2026-07-01T07:00:00Z'],
  ['2026-12-01T09:00:30 America/New_York', '2026-12-01T14:00:30Z'],
  ['2026-12-01 09:00 Asia/Kathmandu', '2026-12-01T03:15:00Z'],
  ['2026-12-01 09:00 UTC', '2026-12-01T09:00:00Z'],
  ['2026-12-01T09:00Z', '2026-12-01T09:00:00Z'],
  ['2026-12-01T09:00:00+01:00', '2026-12-01T08:00:00Z'],
  ['2026-12-01T09:00:00.000-0330', '2026-12-01T12:30:00Z'],
  ['2028-02-29 00:00 Europe/Berlin', '2028-02-28T23:00:00Z'],
  ['1796112000', '2026-12-01T08:00:00Z'],
  [' 1796112000 ', '2026-12-01T08:00:00Z'],
])('The scheduled time %s is %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each([
  ['2026-10-25 02:30 Europe/Berlin', '2026-10-25T00:30:00Z *'],
  ['2026-10-25 01:59 Europe/Berlin', '2026-10-24T23:59:00Z'],
  ['2026-10-25 03:00 Europe/Berlin', '2026-10-25T02:00:00Z'],
  ['2026-11-01 01:30 America/New_York', '2026-11-01T05:30:00Z *'],
  ['2027-04-04 01:45 Australia/Lord_Howe', '2027-04-03T14:45:00Z *'],
])('The time %s uses the earlier of two instants and says so if it occurs twice.', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('The notice about a repeated time names the zone, the clock and the chosen instant.', () => {
  expect(readScheduledTime('2026-10-25 02:30 Europe/Berlin')).toMatchObject({
    notice: 'clocks in Europe/Berlin show 02:30 twice on that day; the earlier time, 2026-10-25T00:30:00Z, is used',
  });
});

test.each([
  ['2027-03-28 02:00 Europe/Berlin', '02:00 to 03:00'],
  ['2027-03-28 02:59 Europe/Berlin', '02:00 to 03:00'],
  ['2027-03-14 02:30 America/New_York', '02:00 to 03:00'],
  ['2026-10-04 02:15 Australia/Lord_Howe', '02:00 to 02:30'],
  ['2011-12-30 12:00 Pacific/Apia', '00:00 to 00:00'],
])('The time %s is a problem because clocks skip it.', (text, gap) => {
  expect(shown(text)).toContain(`go from ${gap} on that day, so this time does not exist`);
});

test.each([
  ['1796112000000', ', which is in milliseconds: expected seconds, such as 1796112000'],
  ['1796112000000000', ', which is too large: expected whole seconds since 1970'],
  ['2026-02-30 09:00 Europe/Berlin', ': there is no such date or time'],
  ['2026-13-01 09:00 Europe/Berlin', ': there is no such date or time'],
  ['2026-12-01 24:00 Europe/Berlin', ': there is no such date or time'],
  ['2026-12-01 09:60 UTC', ': there is no such date or time'],
  ['1969-12-31T23:59:59Z', ', which is before 1970'],
  ['9999-12-31 23:59 Europe/Berlin', ', which is after 16 November 5138'],
  ['2026-12-01T09:00:00+25:00', ': no time zone has the offset +25:00'],
])('The scheduled time %s is refused%s', (text, problem) => {
  expect(shown(text)).toBe(problem);
});

test.each(['tomorrow', '2026-12-01', '09:00', '2026', '', '2026-12-01 9:00 Europe/Berlin', '01/12/2026 09:00 UTC'])(
  'The text %s is not a time, and the message shows the accepted forms.',
  (text) => {
    expect(shown(text)).toMatch(
      /expected '2026-12-01 09:00 Europe\/Berlin', 2026-12-01T09:00:00\+01:00 or whole seconds/,
    );
  },
);

test('A scheduled time needs a zone.', () => {
  expect(shown('2026-12-01 09:00')).toMatch(/expected a time zone or an offset, as in '2026-12-01 09:00 Europe/);
});

test.each(['PST', 'ist', 'SystemV/PST8'])('A name that only Node accepts is not a time zone: %s', (zone) => {
  expect(shown(`2026-12-01 09:00 ${zone}`)).toMatch(`time zone '${zone}': expected an IANA time zone`);
});

test.each(['EST', 'EST5EDT', 'GB-Eire', 'US/Pacific', 'Zulu', 'ROK'])('An alias is a time zone: %s', (zone) => {
  expect(readScheduledTime(`2026-12-01 09:00 ${zone}`)).toHaveProperty('seconds');
});

test('A misspelt time zone gets a suggestion.', () => {
  expect(readScheduledTime('2026-12-01 09:00 Europe/Berln')).toMatchObject({
    problem: expect.stringContaining("time zone 'Europe/Berln'"),
    zone: 'Europe/Berln',
    meant: 'Europe/Berlin',
  });
});
