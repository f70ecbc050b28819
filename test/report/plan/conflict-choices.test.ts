import { describe, expect, test } from '@jest/globals';
import { conflictChoices } from '../../../src/report/plan/conflict-choices.ts';
import type { Change } from '../../../src/schemas/plan-types.ts';
import { change, resource } from './plan-builders.ts';

/** The choices as a reader has them: title, outcome, then what is quoted. */
function told(parts: Partial<Change>, others: readonly Change[] = []): string[] {
  const conflict = change({ cause: 'conflict', ...parts });
  const choices = conflictChoices('production', resource({ changes: [conflict, ...others] }), conflict);
  return choices.map(({ title, outcome, parts: lists }) => {
    return [`${title}: ${outcome}`, ...lists.map(({ heading, texts }) => `${heading}: ${texts.join(' ')}`)].join(' ');
  });
}

describe('a conflict', () => {
  test('A conflict of short values says which of them is lost.', () => {
    expect(told({ path: 'settings.callerResponseTimeout', lastApplied: 13, from: 15, to: 20 })).toEqual([
      'Keep what is live now: 15 seconds stays, and the proposed 20 seconds is dropped.',
      'Take what is proposed: 15 seconds is lost: it becomes 20 seconds.',
    ]);
  });

  test.each<[string, Partial<Change>, string[]]>([
    [
      'that the service no longer has',
      { lastApplied: 'a', to: 'b' },
      [
        'Keep what is live now: The setting stays unset, and the proposed "b" is dropped.',
        'Take what is proposed: The setting is no longer unset: it becomes "b".',
      ],
    ],
    [
      'that the manifest gave up',
      { op: 'unset', lastApplied: 'a', from: 'b', to: 'c' },
      [
        'Keep what is live now: "b" stays, and the manifest declares the setting again.',
        'Take what is proposed: "b" is lost: it goes back to "c" (the default).',
      ],
    ],
    [
      'that the manifest gave up and nothing replaces',
      { op: 'unset', lastApplied: 'a', from: 'b' },
      [
        'Keep what is live now: "b" stays, and the manifest declares the setting again.',
        'Take what is proposed: "b" is lost: it is removed.',
      ],
    ],
  ])('A conflict of a setting %s says what becomes of it.', (_, parts, choices) => {
    const { to, ...others } = parts;
    expect(told({ ...others, ...(to !== undefined && { to }) })).toEqual(choices);
  });

  test('A conflict of texts quotes the sentences that are lost, and those that come back.', () => {
    const lastApplied = 'Be kind.\n- A check-up takes 30 minutes. Bring a card.\nParking is free.';
    const from = lastApplied.replace('30', '35').replace('Parking is free.', 'Parking costs 2 dollars.');
    const source = { file: 'prompts/desk.md', line: 2 };
    expect(told({ lastApplied, from, to: lastApplied.replace('30', '40'), source })).toEqual([
      'Keep what is live now: The text that is live now stays. The proposed edit is dropped. ' +
        'Lost: “A check-up takes 40 minutes.”',
      'Take what is proposed: The proposed text is sent. The edit on the service is lost. ' +
        'Lost: “A check-up takes 35 minutes.” “Parking costs 2 dollars.” ' +
        'Removed on the service, and back again: “Parking is free.”',
      'Keep both: Ask the person who made this plan to write both into the proposed text (prompts/desk.md:2). ' +
        'In the new plan, take what is proposed. Nothing is lost.',
    ]);
  });

  test('A conflict quotes no more than a few sentences, and counts the others.', () => {
    const long = Array.from({ length: 9 }, (_, index) => `Rule ${index} is new.`).join('\n');
    const [live] = told({ lastApplied: 'Old.\nOlder.', from: 'Live.\nOlder.', to: long });
    expect(live).toContain('“Rule 5 is new.” and 3 more sentences');
    expect(live).not.toContain('Rule 6');
  });

  test('A conflict quotes a heading without its mark.', () => {
    const [keep = ''] = told({
      lastApplied: 'Be kind.\nBe brief.',
      from: 'Be kind.\nBe short.',
      to: 'Be kind.\n## Emergencies\nCall 911.',
    });
    expect(keep).toContain('“Emergencies”');
  });

  test('A conflict quotes an item of a numbered list without its number.', () => {
    const [keep] = told({
      lastApplied: 'Be kind.\n1. Greet the caller.',
      from: 'Be kind.\n1. Greet the patient.',
      to: 'Be kind.\n1. Greet the guest.\n  2) Ask for a name. Be quick.',
    });
    expect(keep).toMatch(/Lost: “Greet the guest\.” “Ask for a name\.” “Be quick\.”$/);
  });

  test('A conflict in different lines of a text loses nothing.', () => {
    expect(told({ mergeable: true, lastApplied: 'a\nb', from: 'c\nb', to: 'a\nd' })).toEqual([
      'Keep both: The two edits are in different lines. The manifest gets both, and nothing is lost.',
    ]);
  });

  test('A conflict says that its command settles the others too, and shows no secret.', () => {
    const hidden = (fingerprint: string) => ({ sensitive: true, fingerprint });
    const other = change({ path: 'settings.timezone', cause: 'conflict' });
    expect(told({ lastApplied: hidden('a'), from: hidden('b'), to: hidden('c') }, [other])).toEqual([
      'Keep what is live now: (sensitive) stays, and the proposed (sensitive) is dropped.',
      'Take what is proposed: (sensitive) is lost: it becomes (sensitive). ' +
        'The command takes what is proposed for 1 other conflict of front-desk, too. If what is live there is to stay, keep it first.',
    ]);
  });
});

test('a change that is no conflict has no choices', () => {
  expect(conflictChoices('production', resource(), change())).toEqual([]);
});
