import { describe, expect, test } from '@jest/globals';
import { problemSentence } from '../../src/report/problems/sentence.ts';
import { valueMeant } from '../../src/yaml/fix.ts';
import { createValueChecks, type ValueChecks } from '../../src/yaml/values.ts';
import { agent, rowProblems } from '../manifest/temp-project.ts';

const checks = createValueChecks();
const messageOf = async (check: keyof ValueChecks, text: string): Promise<string> => {
  const complaint = await checks[check](text);
  if (complaint === undefined) return 'fine';
  const said = problemSentence({
    message: `${complaint.message}${complaint.detail ?? ''}`,
    ...valueMeant({ at: undefined, found: text }, complaint),
  });
  return `${complaint.severity} ${complaint.rule}: ${said}`;
};

describe('time zone values', () => {
  const expected = "error time-zone: expected an IANA time zone, such as 'Europe/Berlin'";
  test.each([
    ['Europe/Berlin', 'fine'],
    ['UTC', 'fine'],
    ['US/Eastern', 'fine'],
    ['Asia/Kolkata', 'fine'],
    ['Etc/GMT+5', 'fine'],
    ['Europe/Berln', `${expected}; did you mean 'Europe/Berlin'?`],
    ['europe/berlin', `${expected}; did you mean 'Europe/Berlin'?`],
    ['us/pacific', `${expected}; did you mean 'US/Pacific'?`],
    ['asia/kolkata', `${expected}; did you mean 'Asia/Kolkata'?`],
    ['america/argentina/buenos_aires', `${expected}; did you mean 'America/Argentina/Buenos_Aires'?`],
    ['EUROPE/KYIV', `${expected}; did you mean 'Europe/Kyiv'?`],
    ['utc', `${expected}; did you mean 'UTC'?`],
    ['gmt', `${expected}; did you mean 'GMT'?`],
    ['Europe/Kyiv', 'fine'],
    ['US/East-Indiana', 'fine'],
    ['NZ-CHAT', 'fine'],
    ['US/Pacfic', `${expected}; did you mean 'US/Pacific'?`],
    ['Asia/Kolkatta', `${expected}; did you mean 'Asia/Kolkata'?`],
    ['+01:00', expected],
    ['GMT+1', expected],
    ['', expected],
    ['PST', `${expected}; did you mean 'America/Los_Angeles'?`],
    ['Eastern Time', `${expected}; did you mean 'America/New_York'?`],
    ['new york', `${expected}; did you mean 'America/New_York'?`],
    ['Springfield', expected],
    ['ist', expected],
    ['EST', 'fine'],
    ['SystemV/PST8', expected],
  ])('The time zone is checked: %s', async (text, message) => {
    expect(await messageOf('time-zone', text)).toBe(message);
  });
});

describe('regex values', () => {
  test.each([
    ['[Ss]pam', 'fine'],
    ['^VIP', 'fine'],
    ['(?<name>a)\\k<name>', 'fine'],
    ['(', 'error regex: expected a JavaScript regex (unterminated group)'],
    [
      '(?i)spam',
      'error regex: expected a JavaScript regex (invalid group). Write both cases instead of (?i), as in [Ss]pam',
    ],
    [
      '(?P<who>VIP)',
      'error regex: expected a JavaScript regex (invalid group). Write (?<name>...) instead of (?P<name>...)',
    ],
    ['[z-a]', 'error regex: expected a JavaScript regex (range out of order in character class)'],
    [
      '/spam/i',
      'warning regex-slashes: the slashes are part of the regex and are matched literally; write the regex without them',
    ],
  ])('The regex is checked: %s', async (text, message) => {
    expect(await messageOf('regex', text)).toBe(message);
  });

  const lacking = 'warning regex-syntax: the regex has syntax that JavaScript lacks.';
  test.each([
    ['^\\p{Lu}', `${lacking} '\\p' matches only the letter p; write a class such as '[A-Za-z]'`],
    ['^VIP\\z', `${lacking} '\\z' matches only the letter z; write '$'`],
    ['^\\u{e9}', `${lacking} '\\u{' matches only the letter u; write '\\u' and four digits, as in '\\u00e9'`],
    ['\\mspam', `${lacking} '\\m' matches only the letter m`],
    ['[[:alpha:] ]+', `${lacking} '[:alpha:]' is not a class; write 'A-Za-z'`],
    ['[[:punct:]]', `${lacking} '[:punct:]' is not a class`],
    ['\\\\p[\\w\\-.\\b]\\x41\\[[:]\\.\\d\\n\\b\\k<a>(?<a>\\cA)', 'fine'],
  ])('Syntax of other regex languages causes a warning: %s', async (text, message) => {
    expect(await messageOf('regex', text)).toBe(message);
  });

  test.each(['/(a+)+$/', '^(\\w+\\s?)*\\Z$'])(
    'A slow regex is refused, whatever else is wrong with it: %s',
    async (text) => {
      expect(await messageOf('regex', text)).toMatch(/^error regex-catastrophic: /);
    },
  );

  test.each(['(a+)+$', '^(\\w+\\s?)*$', '(x+x+)+y', '(a|a)*b', '\\s*\\s*\\s*\\s*\\s*$'])(
    'The regex %s backtracks catastrophically and is refused.',
    async (text) => {
      expect(await messageOf('regex', text)).toMatch(
        /^error regex-catastrophic: it backtracks catastrophically \(.+\); avoid nested or adjacent repetitions of the same text. It is slow on texts such as '.+…?'$/,
      );
    },
  );

  test('A regex of quadratic time is a warning.', async () => {
    expect(await messageOf('regex', '\\s+$')).toMatch(/^warning regex-slow: it may take quadratic time. It is slow on/);
  });
});

describe('destination values', () => {
  const expected = 'error destination: expected ext:<number>, pbx:<number> or an E.164 number such as +14155550100';
  test.each([
    ['+14155550100', 'fine'],
    ['+4930901820', 'fine'],
    ['ext:100', 'fine'],
    ['pbx:7', 'fine'],
    ['+1 415 555 0100', `${expected}; write '+14155550100'`],
    ['004930901820', `${expected}; write '+4930901820'`],
    ['EXT 100', `${expected}; write 'ext:100'`],
    ['4155550100', expected],
    ['+1415', expected],
    ['sip:100', expected],
    ['ext:', expected],
  ])('The destination is checked: %s', async (text, message) => {
    expect(await messageOf('destination', text)).toBe(message);
  });
});

describe('phone number values', () => {
  const expected = 'error phone-number: expected an E.164 number such as +14155550100';
  test.each([
    ['+14155550100', 'fine'],
    ['+1 (415) 555-0100', `${expected}; write '+14155550100'`],
    ['+14155550100\n', `${expected}; write '+14155550100'`],
    ['\u202a+14155550100\u202c', `${expected}; write '+14155550100'`],
    ['0041446681800', `${expected}; write '+41446681800'`],
    ['4155550100', expected],
    ['ext:100', expected],
    ['', expected],
  ])('The phone number is checked: %s', async (text, message) => {
    expect(await messageOf('phone-number', text)).toBe(message);
  });
});

describe('values that name a person', () => {
  const expected = 'error phone-number: expected an E.164 number such as +14155550100';
  test.each([
    ['+14155550100', 'fine'],
    ['jo.smith', 'fine'],
    ['jo@example.com', 'fine'],
    ['4711', 'fine'],
    ['007-jo', 'fine'],
    ['415 555 0100', expected],
    ['4155550100', expected],
    ['(415) 555-0100', expected],
    ['+1 415 555 0100', `${expected}; write '+14155550100'`],
    ['+1', expected],
    ...['', ' ', 'Jo Smith', ' jo'].map((text) => [
      text,
      'error person: expected a phone number, such as +14155550100, or a user name without white space',
    ]),
  ])('The person is checked: %s', async (text, message) => {
    expect(await messageOf('person', text)).toBe(message);
  });
});

describe('email address values', () => {
  const expected = 'error email: expected an email address, such as jo@example.com';
  test.each([
    ['jo@example.com', 'fine'],
    ["o'neil+clinic@mail.example.co", 'fine'],
    ['jürgen@bücher.example', 'fine'],
    [`${'x'.repeat(65)}@example.com`, expected],
    ['jo', expected],
    ['jo@example', expected],
    ['jo@@example.com', expected],
    ['jo@example.com, al@example.com', expected],
    ['jo smith@example.com', expected],
    ['.jo@example.com', expected],
    ['jo@-example.com', expected],
    ['', expected],
    [`${'x'.repeat(250)}@example.com`, expected],
    ['Jo <jo@example.com>', `${expected}; write 'jo@example.com'`],
    ['mailto:jo@example.com', `${expected}; write 'jo@example.com'`],
    ['jo@example.com\n', `${expected}; write 'jo@example.com'`],
  ])('The email address is checked: %s', async (text, message) => {
    expect(await messageOf('email', text)).toBe(message);
  });
});

describe('URL values', () => {
  test.each(['https://a.example', 'http://a.example/x?y#z', 'HTTPS://A.example:8443/'])(
    'The URL is checked: %s',
    async (text) => {
      expect(await messageOf('http-url', text)).toBe('fine');
    },
  );
  test.each([
    'ftp://a.example',
    'https://a..example',
    'https://.a.example',
    'a.example',
    'https:/a.example',
    'https://',
    'https://a b',
    'javascript:alert(1)',
    '',
  ])('The URL is refused with %s.', async (text) => {
    expect(await messageOf('http-url', text)).toMatch(/^error url: expected an HTTP\(S\) URL/);
  });
});

describe('checked values in a manifest', () => {
  test.each([
    [
      'a link',
      agent('links: [https://a.example, ftp://b.example]'),
      "7:30 settings.links[1] is 'ftp://b.example': expected an HTTP(S) URL, such as https://www.example.com/hours",
    ],
    [
      'a link with a password',
      agent('links: [see https://user:hunter2@b.example]'),
      "7:11 settings.links[0] is 'see https://user:***@b.example': expected an HTTP(S) URL, such as https://www.example.com/hours",
    ],
    [
      'audio as a text',
      agent('', 'backgroundAudio: office.mp3'),
      "7:18 backgroundAudio is 'office.mp3': expected an HTTP(S) URL, such as https://www.example.com/hours",
    ],
    [
      'audio as a map',
      agent('', 'backgroundAudio: { url: office.mp3 }'),
      "7:25 backgroundAudio.url is 'office.mp3': expected an HTTP(S) URL, such as https://www.example.com/hours",
    ],
    [
      'a transfer without a destination',
      agent('', 'transferRules: { cnamAutoTransferRegex: ^VIP }'),
      '7:41 transferRules.cnamAutoTransferRegex has no destination: declare cnamAutoTransferDestination too',
    ],
    [
      'a destination that is null',
      agent('', 'transferRules: { cnamAutoTransferRegex: ^VIP, cnamAutoTransferDestination: null }'),
      '7:41 transferRules.cnamAutoTransferRegex has no destination: declare cnamAutoTransferDestination too',
    ],
    [
      'a trigger',
      agent('', 'transferRules: { attendedTransfers: true, attendedTransferBridgeTrigger: "(" }'),
      "7:74 transferRules.attendedTransferBridgeTrigger is '(': expected a JavaScript regex (unterminated group)",
    ],
  ])('The value in a manifest is checked: %s', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([`agents/a.yaml:${expected}`]);
  });

  test('The checks of values accept the word any, null and unresolved secrets.', async () => {
    const rules = 'cnamAutoRejectRegex: null, attendedTransfers: true, attendedTransferBridgeTrigger: any';
    const unknown = 'cnamAutoTransferRegex: "${secret.R}", cnamAutoTransferDestination: "${secret.D}"';
    expect(await rowProblems(agent('', `transferRules: { ${rules}, ${unknown} }`))).toEqual([]);
  });

  test('A destination in extraSettings is checked.', async () => {
    const rest = 'transferRules: { cnamAutoTransferRegex: ^VIP }\nextraSettings: { cnamAutoTransferDestination: 5 }';
    expect(await rowProblems(agent('', rest))).toEqual([]);
  });
});
