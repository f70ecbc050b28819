import { expect, test } from '@jest/globals';
import { viewChange } from '../../src/report/change-view.ts';
import { isPlural, patternInWords, plainSides, plainValue, settingName } from '../../src/report/values.ts';

test.each<[string, unknown, string]>([
  ['settings.callerResponseTimeout', 1, '1 second'],
  ['settings.callerResponseTimeout', 15, '15 seconds'],
  ['settings.speakingTimeout', 1200, '1.2 seconds'],
  ['settings.interruptionWordCount', 3, '3 words'],
  ['settings.noContactInjection', true, 'on'],
  ['settings.noContactInjection', false, 'off'],
  ['settings.heartbeatEvery', '30m', 'every 30 minutes'],
  ['settings.heartbeatEvery', '1h30m', 'every 1 hour 30 minutes'],
  ['settings.heartbeatEvery', 'often', 'every often'],
  ['settings.autoRecordingNotification', 'always', 'always'],
  ['settings.autoRecordingNotification', 'true', 'where the law requires it'],
  ['settings.preAnswerRingTime', null, 'none'],
  ['settings.agentLang', 'en-US', 'English (United States)'],
  ['settings.timezone', 'America/Los_Angeles', 'Los Angeles'],
  ['settings.timezone', 'Etc/GMT+1', 'Etc/GMT+1'],
  ['settings.agentVoice', 'warm-1', 'warm-1'],
  ['settings.agentVoice', 'constructor', 'constructor'],
  ['settings.agentVoice', '', 'not set'],
  ['settings.agentVoice', undefined, 'not set'],
  ['settings.agentVoice', null, 'not set'],
  ['settings.links', ['https://a.example', 'https://b.example'], 'https://a.example, https://b.example'],
  ['settings.links', [], 'not set'],
  ['settings.title', { sensitive: true, fingerprint: 'a' }, 'hidden value'],
  ['backgroundAudio.gain', -6, 'quieter than the recording (-6)'],
  ['backgroundAudio.gain', 0, 'as loud as the recording'],
  ['backgroundAudio.track', 'bg', 'in the background'],
  ['transferRules.cnamAutoRejectRegex', '[Ss]pam|[Ss]cam', 'names with “spam” or “scam”'],
  ['transferRules.cnamAutoTransferRegex', '^VIP', 'names beginning with “VIP”'],
  ['transferRules.cnamAutoRejectRegex', '(a|b)+', '(a|b)+'],
  ['transferRules.attendedTransferBridgeTrigger', 'any', 'anything that is said'],
  ['transferRules.cnamAutoTransferDestination', 'ext:100', 'extension 100'],
  ['transferRules.cnamAutoTransferDestination', '+14155550100', '+14155550100'],
])('The value of %s, %j, reads %s', (path, value, text) => {
  expect(plainValue(value, settingName('Agent', path)).text).toBe(text);
});

test('Values that would have the same words are shown as they are.', () => {
  const words = settingName('Agent', 'transferRules.cnamAutoRejectRegex') ?? {};
  const { from, to } = plainSides({ from: '[Ss]pam', to: 'spam' }, words);
  expect([from.text, to.text]).toEqual(['"[Ss]pam"', '"spam"']);
});

test.each([
  ['caf\u00e9', 'cafe\u0301', '"caf\\u00e9"', '"cafe\\u0301"'],
  ['Hello\u00a0M\u00fcller', 'Hello M\u00fcller', '"Hello\\u00a0M\u00fcller"', '"Hello M\u00fcller"'],
  ['a  b', 'a b', '"a  b"', '"a b"'],
  [' a', 'a', '" a"', '"a"'],
])('The values %j and %j look different.', (from, to, ...shown) => {
  const sides = plainSides({ from, to });
  expect([sides.from.text, sides.to.text]).toEqual(shown);
  const view = viewChange({ from, to });
  expect([view.from, view.to]).toEqual(shown);
});

test('A hidden value that changes is shown as changed.', () => {
  const { from, to } = plainSides({
    from: { sensitive: true, fingerprint: 'a' },
    to: { sensitive: true, fingerprint: 'b' },
  });
  expect([from.text, to.text]).toEqual(['hidden value', 'another hidden value']);
});

test.each<[string, string | undefined]>([
  ['VIP', 'with “VIP”'],
  ['^VIP$', 'that are “VIP”'],
  ['Clinic$', 'ending with “Clinic”'],
  ['^VIP|Spam', 'beginning with “VIP” or with “Spam”'],
  ['^(VIP|Patient)', 'beginning with “VIP” or “Patient”'],
  ['^(?:[Ss]pam|Scam)$', 'that are “spam” or “Scam”'],
  ['^(VIP|(?:Dr|Mr))', undefined],
  ['Dr\\. No', 'with “Dr. No”'],
  ['US\\$', 'with “US$”'],
  ['', undefined],
  ['a|', undefined],
  ['a+', undefined],
  ['[a-z]', undefined],
  ['[^a]', undefined],
  ['\\d', undefined],
  ['(?i)spam', undefined],
  ['[Vv]IP|[Ss]pam', 'with “vip” or “spam”'],
  ['\\[Ss]pam', undefined],
  ['\\[a', 'with “[a”'],
  ['[ab]', undefined],
  ['a|b|c|d|e|f|g|h|i', undefined],
])('The pattern %s reads %s', (pattern, words) => {
  expect(patternInWords(pattern)).toBe(words);
});

test.each([
  ['Agent', 'settings.callerResponseTimeout', 'Silence before asking again', 'second'],
  ['Agent', 'settings.waitOnAnswer', 'Wait before the greeting', 'millisecond'],
  ['Agent', 'skills[billing]', 'Skill billing', undefined],
  ['Agent', 'skills["a.b]"].instructions', 'Skill a.b] instructions', undefined],
  ['Agent', 'backgroundAudio', 'Background audio', undefined],
  ['Agent', 'backgroundAudio.gain', 'Background audio (volume)', undefined],
  ['PhoneNumber', 'settings.number', 'Phone number', undefined],
])('The kind %s shows %s under the plain name %s.', (kind, path, title, unit) => {
  expect(settingName(kind, path)).toMatchObject({ title, ...(unit !== undefined && { unit }) });
});

test.each([
  ['Agent', 'extraSettings.mood'],
  ['Agent', 'skills[billing].mood'],
  ['Robot', 'settings.title'],
])('The kind %s has no plain name for %s.', (kind, path) => {
  expect(settingName(kind, path)).toBeUndefined();
});

test.each([
  ['Instructions', true],
  ['Web pages it knows', true],
  ['Words that announce the recording', true],
  ['Skill calendar instructions', true],
  ['Greeting', false],
  ['Smart formatting of transcripts', false],
  ['Agent stays on the line during a transfer', false],
  ['Hide earlier calls of the caller', false],
  ['Email address', false],
])('The title %s is a plural: %s', (title, expected) => {
  expect(isPlural(title)).toBe(expected);
});
