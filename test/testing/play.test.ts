import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../src/json/json.ts';
import type { FieldPath } from '../../src/kinds/field-path.ts';
import { doubtText } from '../../src/report/notices.ts';
import { AgentSettings, CaseError } from '../../src/testing/agent-settings.ts';
import {
  type CaseOutcome,
  delayAfter,
  incomingCall,
  interruption,
  type Playing,
  Regexes,
  silentCaller,
  textContent,
  transferAttempt,
} from '../../src/testing/play.ts';

// The expected results were derived by hand from the settings table of the specification, not from the code.

function agent(sections: JsonObject = {}, sensitive: readonly string[] = []): AgentSettings {
  return new AgentSettings({ sections, sensitive: new Set(sensitive) });
}

const regexes = () => new Regexes(300);
const playing = (one: AgentSettings): Playing => ({ agent: one, regexes: regexes() });
const rules = (transferRules: JsonObject) => agent({ transferRules });
const settings = (values: JsonObject) => agent({ settings: values });

function gotOf(play: () => CaseOutcome | FieldPath): Json {
  try {
    const outcome = play();
    return 'got' in outcome ? outcome.got : outcome;
  } catch (error) {
    return error instanceof CaseError ? doubtText(error.doubt) : String(error);
  }
}

const reject = { cnamAutoRejectRegex: '^Scam' };
const transfer = { cnamAutoTransferRegex: 'VIP', cnamAutoTransferDestination: 'ext:100' };

describe('an incoming call', () => {
  test.each<[string | undefined, JsonObject, Json]>([
    ['Jane Doe', {}, { answer: true }],
    [undefined, {}, { answer: true }],
    ['Scam Likely', reject, { reject: 603 }],
    ['A Scam', reject, { answer: true }],
    ['scam likely', reject, { answer: true }],
    ['Scam', { ...reject, cnamAutoRejectCode: 486 }, { reject: 486 }],
    ['Jane', { cnamAutoRejectCode: 486 }, { answer: true }],
    ['VIP Jane', transfer, { transfer: 'ext:100' }],
    ['Jane VIP', transfer, { transfer: 'ext:100' }],
    ['Jane', transfer, { answer: true }],
    ['VIP', { ...transfer, cnamAutoTransferDestination: '+14155550100' }, { transfer: '+14155550100' }],
    ['Scam VIP', { ...reject, ...transfer }, { reject: 603 }],
    ['VIP Scam', { ...reject, ...transfer }, { transfer: 'ext:100' }],
    ['Jane', { ...reject, ...transfer }, { answer: true }],
    ['Scam', { cnamAutoRejectRegex: null, ...transfer }, { answer: true }],
    ['VIP', { cnamAutoTransferRegex: null, cnamAutoTransferDestination: 'ext:1' }, { answer: true }],
    ['Jane', { cnamAutoRejectRegex: '' }, 'the effect of cnamAutoRejectRegex: "" is not documented'],
    [
      'VIP',
      { cnamAutoTransferRegex: 'VIP', cnamAutoTransferDestination: '' },
      'the effect of a transfer without a destination is not documented',
    ],
    [undefined, reject, 'the effect of cnamAutoRejectRegex on a caller without a name is not documented'],
    ['', transfer, 'the effect of cnamAutoTransferRegex on a caller without a name is not documented'],
    ['VIP', { cnamAutoTransferRegex: 'VIP' }, 'the effect of a transfer without a destination is not documented'],
    ['Jane', { cnamAutoRejectRegex: '(' }, "cnamAutoRejectRegex: '(' is not a valid JavaScript regex"],
    [`${'a'.repeat(60)}!`, { cnamAutoRejectRegex: '^(a+)+$' }, "cnamAutoRejectRegex: '^(a+)+$' took too long"],
  ])('An incoming call of %j with %j gives %j.', (callerName, declared, got) => {
    expect(gotOf(() => incomingCall({ callerName }, playing(rules(declared))))).toEqual(got);
  });
});

test('Regexes of a run share a time limit, and repeated questions do not count.', () => {
  const few = new Regexes(200);
  expect(few.matches('^a', 'abc')).toBe(true);
  expect(() => few.matches('^(a+)+$', `${'a'.repeat(60)}!`)).toThrow(
    expect.objectContaining({ doubt: { why: 'regex-slow', regex: '^(a+)+$' } }),
  );
  expect(() => few.matches('^b', 'abc')).toThrow(
    expect.objectContaining({ doubt: { why: 'regex-not-run', regex: '^b' } }),
  );
  expect(few.matches('^a', 'abc')).toBe(true);
});

describe('a silent caller', () => {
  test.each<[JsonObject, Json]>([
    [{}, { asks: 3, hangUpAfter: '52s' }],
    [{ callerResponseTimeout: 10 }, { asks: 3, hangUpAfter: '40s' }],
    [{ callerResponseTimeoutHangupCounter: 1 }, { asks: 1, hangUpAfter: '26s' }],
    [
      { callerResponseTimeout: 5, callerResponseTimeoutHangupCounter: 5 },
      { asks: 5, hangUpAfter: '30s' },
    ],
    [{ callerResponseTimeoutHangupCounter: 0 }, { asks: 0, hangUpAfter: '13s' }],
    [{ callerResponseTimeout: 0 }, 'the effect of callerResponseTimeout: 0 is not documented'],
  ])('A silent caller with %j causes %j.', (declared, got) => {
    expect(gotOf(() => silentCaller(settings(declared)))).toEqual(got);
  });

  test('A silent caller is hung up on one timeout after the last question, which is an assumption.', () => {
    expect(silentCaller(agent()).assumed).toEqual([
      'the agent waits another callerResponseTimeout after the last question, then hangs up',
    ]);
  });
});

describe('a caller who interrupts the agent', () => {
  test.each<[number, number, JsonObject, boolean]>([
    [3, 3_000, {}, true],
    [2, 3_000, {}, false],
    [3, 2_999, {}, false],
    [10, 0, {}, false],
    [1, 60_000, {}, false],
    [1, 5_000, { interruptionWordCount: 1 }, true],
    [4, 5_000, { interruptionWordCount: 5 }, false],
    [5, 5_000, { interruptionWordCount: 5 }, true],
    [3, 1_000, { interruptionMinimumSpeakingTime: 1 }, true],
    [3, 4_000, { interruptionMinimumSpeakingTime: 5 }, false],
    [3, 0, { interruptionMinimumSpeakingTime: 0 }, true],
  ])('A caller who says %j words after %j ms with %j gives %j', (words, speakingFor, declared, interrupts) => {
    expect(interruption({ words, speakingFor }, settings(declared)).got).toEqual({ interrupts });
  });
});

describe('the delay after interruptions', () => {
  test.each<[number, JsonObject, string]>([
    [0, {}, '500ms'],
    [1, {}, '1000ms'],
    [3, {}, '2000ms'],
    [4, {}, '2500ms'],
    [5, {}, '2500ms'],
    [100, {}, '2500ms'],
    [2, { speechProcessingDelay: 0 }, '1000ms'],
    [2, { speechProcessingDelayInterruptionStep: 100 }, '700ms'],
    [9, { speechProcessingDelayMaxMultiplier: 1 }, '1000ms'],
    [9, { speechProcessingDelayMaxMultiplier: 0 }, '500ms'],
  ])('The delay after %j with %j is %j', (count, declared, delay) => {
    expect(delayAfter(count, settings(declared)).got).toEqual({ delay });
  });
});

const attended = { attendedTransfers: true };
const confirm = { confirmTransfers: true };

describe('a transfer', () => {
  test.each<[Partial<Parameters<typeof transferAttempt>[0]>, JsonObject, boolean | string]>([
    [{}, {}, true],
    [{ answered: false }, {}, false],
    [{ answered: false, says: 'Yes' }, attended, false],
    [{ presses: '1' }, confirm, true],
    [{ presses: '2' }, confirm, false],
    [{}, confirm, false],
    [{ says: 'Yes' }, confirm, false],
    [{ presses: '1', after: 30_000 }, confirm, true],
    [{ presses: '1', after: 31_000 }, confirm, false],
    [{ presses: '1', after: 9_000 }, { ...confirm, transferConfirmTimeout: 5 }, false],
    [{ says: 'Yes' }, attended, true],
    [{ says: 'yes.' }, attended, true],
    [{ says: 'No' }, attended, false],
    [{}, attended, false],
    [{ presses: '1' }, attended, false],
    [{ presses: '1' }, { ...attended, ...confirm }, false],
    [{ says: 'Yes' }, { ...attended, ...confirm }, true],
    [{ says: 'Yes', after: 31_000 }, attended, false],
    [{ says: 'Yes, who is it?', after: 31_000 }, attended, false],
    [{ says: 'Yes', after: 31_000 }, { ...attended, transferConfirmTimeout: 60 }, true],
    [{ says: 'Hello' }, { ...attended, attendedTransferBridgeTrigger: 'any' }, true],
    [{ says: ' ' }, { ...attended, attendedTransferBridgeTrigger: 'any' }, false],
    [{ says: 'OK, go' }, { ...attended, attendedTransferBridgeTrigger: '^OK' }, true],
    [{ says: 'Yes' }, { ...attended, attendedTransferBridgeTrigger: '^OK' }, false],
    [{ says: 'Yes' }, { ...attended, attendedTransferBridgeTrigger: null }, true],
    [
      { says: 'Yes, who is it?', after: 30_000 },
      attended,
      'the documentation does not say whether an answer with more words than "Yes" bridges the call',
    ],
    [
      { says: 'Yes' },
      { ...attended, attendedTransferBridgeTrigger: '' },
      'the effect of attendedTransferBridgeTrigger: "" is not documented',
    ],
    [{ presses: '1' }, { attendedTransfers: false, confirmTransfers: true }, true],
    [{}, { attendedTransfers: false, confirmTransfers: false, transferConfirmTimeout: 1 }, true],
  ])('A transfer to %j with %j gives %j', (attempt, declared, bridged) => {
    const got = gotOf(() => transferAttempt({ answered: true, after: 5_000, ...attempt }, playing(rules(declared))));
    expect(got).toEqual(typeof bridged === 'string' ? bridged : { bridged });
  });
});

describe('texts in a Test', () => {
  const text = 'In an Emergency, call 911.\nOtherwise take a message.';

  test.each<[Parameters<typeof textContent>[1], Json]>([
    [{ contains: '911' }, { contains: '911' }],
    [{ contains: ['911', '112'] }, { contains: ['911'] }],
    [{ contains: 'emergency' }, { contains: [] }],
    [{ notContains: '112' }, { notContains: '112' }],
    [{ notContains: ['112', 'fire'] }, { notContains: ['112', 'fire'] }],
    [{ notContains: ['112', '911'] }, { notContains: 'the text contains "911"' }],
    [{ matches: '(?i)emergency' }, { matches: '(?i)emergency' }],
    [{ matches: 'emergency' }, { matches: 'nothing in 52 characters' }],
    [{ words: { atMost: 9 } }, { words: { atMost: 9 } }],
    [{ words: { atMost: 8 } }, { words: 9 }],
    [{ words: { atLeast: 10 } }, { words: 9 }],
    [{ matches: '[' }, "'[' is not a valid JavaScript regex"],
  ])('A text with the question %j gives %j.', (expectation, got) => {
    expect(gotOf(() => textContent(text, expectation, regexes()))).toEqual(got);
  });

  test('A value that is not a text cannot be searched.', () => {
    expect(gotOf(() => textContent(undefined, {}, regexes()))).toBe('the agent has no such text');
    expect(gotOf(() => textContent(3, {}, regexes()))).toBe('the setting is not text');
  });
});

describe('settings that decide a case', () => {
  test('The deciding settings are listed in order, with whether a manifest declares them.', () => {
    const one = rules(reject);
    incomingCall({ callerName: 'Jane' }, playing(one));
    expect(one.usedSettings).toEqual([
      { path: ['transferRules', 'cnamAutoRejectRegex'], value: '^Scam', isDeclared: true },
      { path: ['transferRules', 'cnamAutoTransferRegex'], value: null, isDeclared: false },
    ]);
  });

  test('The deciding settings omit those that an earlier rule made unnecessary.', () => {
    const one = rules({ ...reject, ...transfer });
    incomingCall({ callerName: 'Scam' }, playing(one));
    expect(one.usedSettings.map(({ path }) => path.at(-1))).toEqual(['cnamAutoRejectRegex', 'cnamAutoRejectCode']);
  });

  test('A setting of a case is found by its name and by its path.', () => {
    const one = agent({ skills: [{ slug: 'calendar', instructions: 'Book.' }] });
    expect(one.at(one.pathOf('skills[calendar].instructions'))).toBe('Book.');
    expect(one.at(one.pathOf('backgroundAudio.loop'))).toBe(true);
    expect(one.named('agentLang')).toBe('en-US');
    expect(gotOf(() => one.pathOf('timezon'))).toBe("an Agent has no setting 'timezon'; did you mean 'timezone'?");
  });

  test('A setting with a secret is not used to decide a case.', () => {
    const one = agent({ transferRules: reject }, ['/transferRules/cnamAutoRejectRegex']);
    expect(gotOf(() => incomingCall({ callerName: 'Scam' }, playing(one)))).toBe(
      'transferRules.cnamAutoRejectRegex contains a secret, which Tests cannot read',
    );
  });
});
