import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderPlanText } from '../../../src/report/plan.ts';
import type { Change } from '../../../src/schemas/plan-types.ts';
import { processorTime } from '../../../src/yaml/values.ts';
import { refusing, saying } from '../../support/notices.ts';
import { dangerousIn, hostileText } from '../hostile-text.ts';
import { change, plan, resource, richPlan, sensitive, unchanged } from './plan-builders.ts';

const plain = { color: false, width: 100 } as const;

/** The output for one change of an update, without header and counts. */
function shown(only: Change, options: { full?: boolean; width?: number } = {}): string {
  const text = renderPlanText(plan([resource({ changes: [only] })]), { ...plain, ...options });
  const body = text.split('\n\nPlan: ')[0] ?? '';
  return body.slice(body.indexOf('service.example.com)\n') + 'service.example.com)\n'.length);
}

/** The text of `richPlan`. */
const wholePlan = `\
Plan for production   + create   ~ update   ~ send again   ! blocked   ✗ failed   ? not in the files   - unset   = release (no longer managed)

Refused: nothing will be applied
    limit-creates: this plan creates 51 agents, but the project allows at most 50 at a time. To
      change the limit, edit limits.creates. To create them all, run again with --allow-creates 51

+ Agent/night-line  (new on service.example.com, targetAccountId=17)
    + settings.title: "Night line"
    + settings.description: "Answers at night"
    + settings.agentInstructions: 220 lines, 5,619 characters
        + You are the front desk of the Elm Street clinic.
        +
        + Greet the caller politely and ask for their name.
        + Never give medical advice.
        +
        + When the caller wants an appointment:
          … 214 more lines
    + backgroundAudio.url: "https://cdn.example.com/office-night-quiet.mp3"
    + backgroundAudio.loop: true
    + backgroundAudio.gain: -6
    warning: no id is known: an agent already under this token would be overwritten unseen

~ Agent/front-desk  (camp_1 on service.example.com)
    ~ settings.publicInstructions
        Last applied  Be polite.
        Live          Be brief.
        In the files  Be kind.
      ↳ conflict: edited in the dashboard and in the files
    ~ settings.title: "Front desk" → "Front desk (Elm Street)"
    ~ settings.description: "Answers" → "Answers the phone"  (cannot be read back)
    ~ settings.agentInstructions: 1 line added, 1 line reworded
          You are the front desk of the Elm Street clinic.

        - Greet the caller [-politely-] and ask for their name.
        + Greet the caller {+warmly+} and ask for their name.
          Never give medical advice.

        @ line 10

          When the caller is in pain, transfer to the nurse.
        + Say goodbye by name.
    ~ settings.links: 1 added, 1 removed, 2 kept
        - https://b.example
        + https://d.example
    - settings.agentLang: "es-ES" → "en-US" (the default)
    = settings.agentVoice: "nova"
      ↳ no longer managed; the service keeps its value
    ~ settings.postAnswerDtmf: (sensitive, changes)  (cannot be read back)
    - skills[billing].instructions: 3 lines, 128 characters
        - Take payments by card.
        - Never by cheque.
        - Ask again. Ask again. Ask again. Ask again. Ask again. Ask again. Ask again. Ask again.·
      ↳ was set before agentform managed it; will be removed
    This was edited in the dashboard, not in the files:
    ~ settings.timezone: "Europe/Berlin" → "America/New_York"
    warning: skill "calendar" is not usable: it is not installed
    1 conflict to resolve. Nothing is applied to front-desk until you choose. To keep the value in
      the files and drop the dashboard edit, run
      \`agentform apply --overwrite Agent/front-desk -e production\`. To keep the dashboard edit and
      replace the value in the files, run
      \`agentform update front-desk --field settings.publicInstructions -e production\`

~ Agent/sales  (camp_2 on service.example.com)
    2 settings cannot be read back and may have been edited, so the values in the files would be
      sent again.
    ~ settings.description: "Sells"
    ~ settings.agentModel: "large"

! Agent/support blocked  (camp_3 on service.example.com)
    the record belongs to a different agent (camp_9): run \`record adopt Agent/support camp_3\` or
      \`record forget Agent/support\`

✗ Agent/lobby failed  (camp_1 on service.example.com)
    the service did not respond within 30 s

? Agent/old-desk not in the files  (camp_1 on service.example.com)
    there is a record and no manifest; nothing is sent

· 2 agents unchanged

Plan: 1 to update, 1 to create, 1 to send again, 1 blocked, 1 failed, 1 not in the files, 2
unchanged. 1 dashboard edit would be undone.
Checked 27 of 51 settings. Not checked: 4 write-only (would be sent), 18 write-only (assumed
unchanged), 2 new.
`;

describe('a plan as text', () => {
  test('A plan as text reads from top to bottom.', () => {
    expect(renderPlanText(richPlan(), plain)).toBe(wholePlan);
  });

  test('A plan as text without changes is one friendly line and the coverage.', () => {
    expect(renderPlanText(plan([unchanged('a'), unchanged('b'), unchanged('c')]), plain)).toBe(
      'No changes: all 3 agents in production match the files.\n' +
        'Checked 12 of 27 settings. Not checked: 15 write-only (assumed unchanged).\n',
    );
  });

  test('A plan as text without resources says so.', () => {
    expect(renderPlanText(plan([]), plain)).toBe(
      'No changes: the files declare nothing in production.\nNo settings were checked.\n',
    );
  });

  test('A plan as text lists unchanged resources on request.', () => {
    const text = renderPlanText(plan([unchanged('a'), unchanged('b')]), { ...plain, full: true });
    expect(text).toContain('· Agent/a\n· Agent/b\n');
  });

  test('A plan as text shows an unchanged resource with a warning.', () => {
    const text = renderPlanText(plan([{ ...unchanged('a'), warnings: [saying('mind the gap')] }]), plain);
    expect(text).toContain('· Agent/a  (camp_a on service.example.com)\n    warning: mind the gap\n');
    expect(text).toContain('No changes: the agent in production matches the files.');
  });

  test('A plan as text wraps sentences at the width, but no value.', () => {
    const long = `${'word '.repeat(40)}end`;
    const text = renderPlanText(
      plan([resource({ warnings: [saying(long)], changes: [change({ from: long, to: `${long}.` })] })]),
      { color: false, width: 60 },
    );
    const wide = text.split('\n').filter((line) => line.length > 60);
    expect(wide.map((line) => line.trim()[0])).toEqual(['-', '+']);
  });

  test('A plan as text has colours only on request.', () => {
    const colored = renderPlanText(richPlan(), { ...plain, color: true });
    expect(colored).toContain('\u001b[33m~\u001b[39m');
    expect(colored).toContain('\u001b[32m\u001b[7mwarmly\u001b[27m\u001b[39m');
    expect(colored).not.toContain('{+');
  });
});

describe('values in a plan as text', () => {
  test.each<[string, Change, string]>([
    ['a number', change({ from: 3, to: 5 }), '    ~ settings.title: 3 → 5'],
    ['null', change({ from: null, to: 'low' }), '    ~ settings.title: null → "low"'],
    ['a new value', change({ to: true }), '    + settings.title: true'],
    [
      'a small object',
      change({ to: { loop: true, 'a b': [1] } }),
      '    + settings.title.loop: true\n    + settings.title.a b: [1]',
    ],
    ['an empty list', change({ to: [] }), '    + settings.title: []'],
    ['unset without a default', change({ op: 'unset', from: 'x' }), '    - settings.title: "x"'],
    [
      'unset unseen',
      change({ op: 'unset', to: 13, knowledge: 'blind' }),
      '    - settings.title: back to 13 (the default)  (cannot be read back)',
    ],
    [
      'a secret that differs',
      change({ from: sensitive('a'), to: sensitive('b') }),
      '    ~ settings.title: (sensitive, changes)',
    ],
    ['a secret that is new', change({ to: sensitive('b') }), '    + settings.title: (sensitive)'],
    [
      'a secret with its reference',
      change({ from: sensitive('a'), to: { ...sensitive('b'), reference: 'Say ${secret.CODE}' } }),
      '    ~ settings.title: (sensitive) → "Say ${secret.CODE}"',
    ],
    ['a secret made plain', change({ from: sensitive('a'), to: 'x' }), '    ~ settings.title: (sensitive) → "x"'],
    [
      'a secret replaced by a long text',
      change({ from: sensitive('a'), to: 'Be kind.\nBe brief.' }),
      '    ~ settings.title: the earlier value is hidden',
    ],
    [
      'a long text replaced by a secret',
      change({ from: 'Be kind.\nBe brief.', to: sensitive('a') }),
      '    ~ settings.title: the new value is hidden',
    ],
    [
      'a secret inside',
      change({ to: { slug: 'a', instructions: sensitive('b') } }),
      '    + settings.title.slug: "a"\n    + settings.title.instructions: (sensitive)',
    ],
    [
      'a new order',
      change({ from: ['a', 'b'], to: ['b', 'a'] }),
      '    ~ settings.title: the same elements in a different order\n        - - a\n          - b\n        + - a',
    ],
    [
      'an empty list that is given up',
      change({ op: 'unset', from: [], to: [] }),
      '    - settings.title: [] → [] (the default)',
    ],
    [
      'an element that stood twice',
      change({ from: ['a', 'a'], to: ['a'] }),
      '    ~ settings.title: 1 removed, 1 kept\n        - a',
    ],
    [
      'a text taken away',
      change({ op: 'unset', from: 'one\ntwo', to: null }),
      '    - settings.title: 2 lines, 7 characters → null (not set)\n        - one\n        - two',
    ],
    [
      'a last line break',
      change({ from: 'one\ntwo', to: 'one\ntwo\n' }),
      '    ~ settings.title: the trailing line break changed',
    ],
  ])('A plan as text shows the value: %s', (_, only, expected) => {
    expect(shown(only)).toBe(expected);
  });

  test('Two long lines are compared by words only if they are similar.', () => {
    const from = 'You greet everybody who calls the clinic with a friendly word and their name.';
    expect(shown(change({ from, to: from.replace('a friendly word', 'two kind words') }))).toBe(
      '    ~ settings.title: 1 line reworded\n' +
        '        - You greet everybody who calls the clinic with [-a friendly word-] and their name.\n' +
        '        + You greet everybody who calls the clinic with {+two kind words+} and their name.',
    );
    expect(
      shown(change({ from, to: 'Nothing of this kind was ever said to any other person on the phone here.' })),
    ).not.toMatch(/\[-|\{\+/);
  });

  test('Blanks that make a difference are visible.', () => {
    expect(shown(change({ from: 'one\ntwo', to: 'one\ntwo  ' }))).toContain('+ two{+··+}');
  });

  test('A long text is shortened unless --full is given.', () => {
    const only = change({ to: Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join('\n') });
    expect(shown(only).split('\n').slice(-2)).toEqual(['        + line 6', '          … 44 more lines']);
    expect(shown(only, { full: true })).toContain('        + line 50');
    expect(shown(change({ to: 'x'.repeat(3_000) }))).toContain(
      `1 line, 3,000 characters\n        + ${'x'.repeat(239)}…`,
    );
  });

  test('Of a very long line, only the part around the first change is shown, and the rest is counted.', () => {
    const only = change({ from: 'so '.repeat(300_000), to: `${'so '.repeat(150_000)}NOW ${'so '.repeat(150_000)}` });
    const [, removed = '', added = '', ...others] = shown(only).split('\n');
    expect(others).toEqual([]);
    expect(removed).toMatch(/^ {8}- \(449,900 characters\) …(o? ?so){300,} ?s?o?… \(449,101 more characters\)$/);
    expect(added).toMatch(/^ {8}\+ \(449,900 characters\) …(o? ?so){30,} NOW so .*… \(449,105 more characters\)$/);
    const full = shown(only, { full: true })
      .split('\n')
      .map((line) => line.trim().length);
    expect(full.filter((length) => length > 900_000)).toHaveLength(2);
  });

  test('Of a very long line with a new end, the new end is shown.', () => {
    const [before, after] = ['so '.repeat(2_000), `${'so '.repeat(2_000)}Be brief.`];
    const cases = [
      [before, after, '+'],
      [after, before, '-'],
    ] as const;
    for (const [from, to, sign] of cases)
      expect(shown(change({ from, to }))).toMatch(
        new RegExp(`\\n {8}\\${sign} \\(5,900 characters\\) … (so )+Be brief\\.(\\n|$)`),
      );
  });

  test('A very long line without a similar line is shown from its start, and never cut within a character.', () => {
    const only = change({ from: 'one\ntwo', to: `one\n${'🙂'.repeat(3_000)}` });
    expect(shown(only)).toContain(`\n        + ${'🙂'.repeat(499)}… (5,002 more characters)`);
    expect(shown(change({ from: ['a'], to: ['a', 'x'.repeat(5_000)] }))).toContain(
      `+ ${'x'.repeat(999)}… (4,001 more characters)`,
    );
  });

  test('Texts that are too different to compare are shown from their start.', () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`).join('\n');
    const text = shown(change({ from: lines('old'), to: lines('new') }));
    expect(text).toContain('~ settings.title: replaced: 3,000 lines → 3,000 lines\n        - old 0\n');
    expect(text).toContain('        + new 0\n');
    expect(text.split('\n').length).toBeLessThan(20);
  });
});

describe('write-only settings in a plan as text', () => {
  test('A create is not described as write-only, because nothing was read.', () => {
    const coverage = { compared: 0, blind: 2, assumed: 0 };
    const blind = ['a', 'b'].map((name) => change({ path: `settings.${name}`, to: name, knowledge: 'blind' }));
    const text = renderPlanText(plan([resource({ action: 'create', changes: blind, coverage })]), plain);
    expect(text).not.toContain('cannot be read back');
    expect(text).toContain('Checked 0 of 2 settings. Not checked: 2 new.');
  });

  test('After a failed apply, the text does not blame an edit for unverified settings.', () => {
    const failure = { code: 'service-unclear', at: '2026-11-22T08:00:00.000Z' };
    const changes = [change({ to: 'x', cause: 'unverified', knowledge: 'blind' })];
    const unclear = resource({ changes, lastApply: { edited: 'unknown', failure } });
    expect(renderPlanText(plan([unclear]), plain)).toContain('cannot be read back and may have changed, so the value');
  });

  test('A single unverified write-only setting is reported at its place.', () => {
    expect(shown(change({ to: 'x', cause: 'unverified', knowledge: 'blind' }))).toBe(
      '    1 setting cannot be read back and may have been edited, so the value in the files is sent again.\n' +
        '      Question 1\n' +
        '    ~ settings.title: "x"',
    );
  });
});

describe('sources of changes in a plan as text', () => {
  const source = { file: 'agents/front-desk.yaml', line: 12 };

  test('The source of a change follows its values, or is below them if there is no room.', () => {
    const short = change({ knowledge: 'blind', source });
    expect(shown(short)).toBe(
      '    ~ settings.title: "Old" → "New"  (cannot be read back)  (agents/front-desk.yaml:12)',
    );
    expect(shown(short, { width: 60 })).toBe(
      '    ~ settings.title: "Old" → "New"  (cannot be read back)\n      (agents/front-desk.yaml:12)',
    );
  });

  test('The source of a change precedes the lines of a text and the values of a conflict.', () => {
    const text = change({ from: 'a\nb', to: 'a\nc', source });
    expect(shown(text)).toContain('~ settings.title: 1 line replaced  (agents/front-desk.yaml:12)\n          a\n');
    const conflict = change({ cause: 'conflict', lastApplied: 'x', source });
    expect(shown(conflict)).toContain('~ settings.title  (agents/front-desk.yaml:12)\n        Last applied');
  });

  test('The source of a change is faint, and colours do not affect the width.', () => {
    const text = renderPlanText(plan([resource({ changes: [change({ source })] })]), { color: true, width: 66 });
    expect(text).toContain('\u001b[2m(agents/front-desk.yaml:12)\u001b[22m\n');
    expect(text).not.toContain('\n      \u001b[2m(agents');
  });
});

describe('conflicts in a plan as text', () => {
  const conflict = (parts: Parameters<typeof change>[0]) => shown(change({ cause: 'conflict', ...parts }));

  test('The short values of a conflict are shown one above the other.', () => {
    expect(conflict({ from: 'Theirs', to: 'Ours', lastApplied: 'Old' })).toBe(`\
    ~ settings.title
        Last applied           Old
        Keep the live one      Theirs
        Take the proposed one  Ours
      ↳ conflict: edited in the dashboard and in the files`);
  });

  test('A conflict of long texts is shown as two differences from the last applied text.', () => {
    const lines = ['Be kind.', 'Be brief.', 'Ask for the name.'];
    const text = conflict({
      path: 'settings.agentInstructions',
      lastApplied: lines.join('\n'),
      from: lines.with(1, 'Be very brief.').join('\n'),
      to: lines.concat('Say goodbye.').join('\n'),
    });
    expect(text.split('\n      ↳')[0]).toBe(`\
    ~ settings.agentInstructions
        Keep the live ones
          Be kind.
        - Be brief.
        + Be {+very +}brief.
          Ask for the name.
        Take the proposed ones
          Be kind.
          Be brief.
          Ask for the name.
        + Say goodbye.`);
  });

  test('A conflict names the side that removed a value.', () => {
    const keep = 'Keep the live one      ';
    expect(conflict({ to: 'Ours', lastApplied: 'Old' })).toContain(`${keep}not set\n`);
    const unset = { op: 'unset', from: 'Theirs', lastApplied: 'Old' } as const;
    expect(conflict(unset)).toContain('Take the proposed one  not set\n');
    expect(conflict({ ...unset, to: 'en-US' })).toContain('Take the proposed one  en-US (the default)\n');
    expect(conflict({ to: 'Ours', from: 'Theirs' })).toContain('Last applied           not set\n');
    expect(conflict({ to: 'Ours', lastApplied: 'Long.\n'.repeat(9) })).toContain(`${keep}not set\n`);
  });

  test('A conflict of sensitive values does not show them.', () => {
    const text = conflict({ from: sensitive('a'), to: sensitive('b'), lastApplied: sensitive('c') });
    expect(text).toContain('Last applied           hidden value\n        Keep the live one      hidden value\n');
    expect(text).toContain('Take the proposed one  hidden value\n');
  });

  test('The commands of a conflict are at its question, with paths quoted for a shell.', () => {
    const path = "skills[it's].instructions";
    const changes = [change({ cause: 'conflict' }), change({ path, cause: 'conflict' })];
    const text = renderPlanText(plan([resource({ changes })]), plain);
    expect(text.replace(/\s+/g, ' ')).toContain(
      "A) Keep the live ones: `agentform update front-desk --field settings.title --field 'skills[it'\\''s].instructions' -e production`",
    );
    expect(text).not.toContain('conflicts to resolve, and');
  });
});

test('A setting without a schema is marked.', () => {
  expect(shown(change({ path: 'extraSettings.mood', to: 'calm', knowledge: 'blind' }))).toBe(
    '    + extraSettings.mood: "calm"  (cannot be read back, not validated)',
  );
});

describe('hostile values in a plan as text', () => {
  test('Hostile values show escape sequences, bidirectional and invisible characters as text.', () => {
    const value = 'a\u001b[2Jb\u202ec\u{e0041}d\u200be';
    expect(shown(change({ from: 'x', to: value }))).toBe(
      '    ~ settings.title: "x" → "a\\u001b[2Jb\\u202ec\\u{e0041}d\\u200be"',
    );
    expect(shown(change({ to: `${value}\nsecond` }))).toContain('+ a\\u001b[2Jb\\u202ec\\u{e0041}d\\u200be\n');
  });

  test('A Windows line end is a line end, and any other carriage return is visible.', () => {
    const lines = shown(change({ from: 'one\r\ntwo\r\n', to: 'one\r\nt\rwo\r\n' }));
    expect(lines).toContain('t\\u000dwo');
    expect(lines.match(/u000d/g)).toHaveLength(1);
  });

  test('Hostile values keep emoji and scripts that need joiners.', () => {
    expect(shown(change({ to: '👩‍👩‍👧 می‌خواهم' }))).toBe('    + settings.title: "👩‍👩‍👧 می‌خواهم"');
  });

  test('Hostile values are escaped in the terminal, and no line ends in blanks.', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (a, b, c) => {
        const changes = [
          change({ path: a, from: b, to: c, source: { file: a, line: 1 } }),
          change({ to: { [a]: [b, c] }, cause: 'drift' }),
          change({ op: 'unset', from: [a, b], to: [c], cause: 'conflict' }),
          change({ path: b, from: a, to: c, lastApplied: b, cause: 'conflict' }),
          change({ path: c, from: `${b}\n${a}`, to: c, lastApplied: { [a]: b }, cause: 'conflict' }),
        ];
        const hostile = resource({
          name: a,
          id: b,
          target: { host: c, query: { [a]: b } },
          reasons: [saying(b)],
          warnings: [saying(c)],
          changes,
        });
        const text = renderPlanText(plan([hostile], { environment: a, refusals: [refusing(c)] }), plain);
        expect(dangerousIn(text)).toEqual([]);
        expect(text).not.toMatch(/ $/m);
      }),
      { numRuns: 40 },
    );
  });
});

test('Rewritten long texts are compared in little time.', () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`).join('\n');
  const changes = Array.from({ length: 30 }, () => change({ from: lines('old'), to: lines('new') }));
  const start = processorTime();
  renderPlanText(plan([resource({ changes })]), plain);
  // Searching all of these texts for moved lines would take minutes.
  expect(processorTime() - start).toBeLessThan(30_000);
});
