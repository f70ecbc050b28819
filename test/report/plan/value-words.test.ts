import { expect, test } from '@jest/globals';
import { patternInWords, settingName, valueInWords } from '../../../src/report/plan/value-text.ts';

test.each<[string, unknown, string | undefined]>([
  ['settings.callerResponseTimeout', 1, '1 second'],
  ['settings.noContactInjection', true, 'yes'],
  ['settings.noContactInjection', false, 'no'],
  ['settings.autoRecordingNotification', 'always', '"always" (every caller)'],
  ['settings.preAnswerRingTime', null, 'none'],
  ['settings.preAnswerRingTime', 5, '5 seconds'],
  ['settings.interruptionWordCount', 3, undefined],
  ['settings.agentVoice', 'warm-1', undefined],
  ['settings.agentVoice', 'constructor', undefined],
  ['settings.links', ['https://example.com'], undefined],
  ['backgroundAudio.gain', -6, '-6 (quieter than the recording)'],
  ['backgroundAudio.gain', 0, '0 (as loud as the recording)'],
  ['backgroundAudio.gain', 3, '3 (louder than the recording)'],
  ['backgroundAudio.track', 'bg', '"bg" (in the background)'],
  ['transferRules.cnamAutoTransferRegex', '^VIP', '"^VIP" (begins with “VIP”)'],
  ['transferRules.cnamAutoRejectRegex', '(a|b)+', '"(a|b)+" (a pattern, also called regular expression)'],
  ['transferRules.attendedTransferBridgeTrigger', 'any', '"any" (anything that is said)'],
  ['transferRules.cnamAutoTransferDestination', 'ext:100', '"ext:100" (extension 100)'],
  ['transferRules.cnamAutoTransferDestination', 'pbx:7', '"pbx:7" (number 7 of the telephone system)'],
  ['transferRules.cnamAutoTransferDestination', '+14155550100', undefined],
])('%s has words for %j', (path, value, words) => {
  expect(valueInWords(value, settingName('Agent', path) ?? {})).toBe(words);
});

test.each<[string, string | undefined]>([
  ['VIP', 'contains “VIP”'],
  ['^VIP$', 'is “VIP”'],
  ['Clinic$', 'ends with “Clinic”'],
  ['[Ss]pam|[Ss]cam', 'contains “Spam”, “spam”, “Scam” or “scam”'],
  ['^VIP|Spam', 'begins with “VIP” or contains “Spam”'],
  ['Dr\\. No', 'contains “Dr. No”'],
  ['US\\$', 'contains “US$”'],
  ['', undefined],
  ['a|', undefined],
  ['a+', undefined],
  ['[a-z]', undefined],
  ['[^a]', undefined],
  ['\\d', undefined],
  ['(?i)spam', undefined],
  ['[abc][abc][abc]', undefined],
  ['a|b|c|d|e|f|g|h|i', undefined],
])('the pattern %s reads %s', (pattern, words) => {
  expect(patternInWords(pattern)).toBe(words);
});
