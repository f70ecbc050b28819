import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Ledger, LedgerEntry } from '../../../src/apply/events.ts';
import { errorCodes, isErrorCode } from '../../../src/errors.ts';
import { notice } from '../../../src/notices/notice.ts';
import type { Question } from '../../../src/report/blocks.ts';
import { ledgerDocument } from '../../../src/report/ledger.ts';
import { renderFailureMarkdown, renderNotAppliedMarkdown } from '../../../src/report/markdown/failure.ts';
import { renderResultsMarkdown } from '../../../src/report/markdown/results.ts';
import { refusedBy } from '../../../src/report/notices.ts';
import { saying } from '../../support/notices.ts';
import { dangerousIn, hostileText } from '../hostile-text.ts';
import { change } from '../plan/plan-builders.ts';
import { ourTags, outsideFences, withoutCodeSpans } from './markdown-reader.ts';

function entry(parts: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    kind: 'Agent',
    name: 'front-desk',
    action: 'update',
    outcome: 'applied',
    id: 'camp_1',
    settings: { changed: 2, sent: 2 },
    fields: [],
    warnings: [],
    sent: true,
    ...parts,
  };
}

function render(entries: readonly LedgerEntry[], parts: Partial<Ledger> & { readonly limit?: number } = {}): string {
  const { limit = 60_000, ...ledger } = parts;
  const document = ledgerDocument({ environment: 'production', entries, ...ledger });
  return renderResultsMarkdown(document, { limit, title: 'agentform apply' });
}

test('The result of an apply has a line for each resource, the worst first, with its read-back.', () => {
  const text = render([
    entry({ published: true }),
    entry({ name: 'quiet', action: 'none', outcome: 'unchanged', sent: false }),
    entry({
      name: 'bad',
      outcome: 'failed',
      reasons: [saying('the service kept the title')],
      fields: [
        { path: 'settings.title', result: 'ignored', readBack: '"Old"' },
        { path: 'settings.description', result: 'unverifiable' },
      ],
      warnings: [saying('the skill x is not usable')],
    }),
    entry({ name: 'odd', outcome: 'unknown', reasons: [saying('the answer was lost')] }),
  ]);
  expect(text).toBe(`### agentform apply

❌ **Apply: 1 applied, 1 failed, 1 unknown, 1 unchanged.**

The draft of 1 agent changed. Publish it in the dashboard.

- ❓ **Odd** unknown: the answer was lost

- ❌ **Bad** failed: the service kept the title
  - **Title**: ignored; the service kept "Old"
  - 1 setting cannot be read back, so it was not verified
  - warning: the skill x is not usable

- ✅ **Front desk** applied (updated, 2 settings changed; callers still hear the last published version)
`);
});

test('A hold is no failure, and its reason follows the name.', () => {
  const reasons = [notice('held', { hold: { by: 'Robin', since: '2026-11-27T01:56:04.123Z' } }, [['unhold', 'x']])];
  const text = render([entry({ outcome: 'on hold', refused: true, sent: false, reasons })]);
  expect(text).toContain('⏸️ **Apply: 0 applied, 1 on hold.**');
  expect(text).toContain('- ⏸️ **Front desk** on hold by Robin');
});

test('Questions that are still open are above the results.', () => {
  const document = ledgerDocument({ environment: 'production', entries: [entry()] });
  const answers = [{ letter: 'A', title: 'Yes,', text: 'go on' }];
  const question = { id: 'q1', number: 1, mark: 'question', title: 'Sure?', text: 'It changes.', answers } as const;
  const text = renderResultsMarkdown(document, { limit: 60_000, questions: [question] });
  expect(text.indexOf('#### Still to decide')).toBeLessThan(text.indexOf('✅ **Front desk**'));
});

describe('many open questions', () => {
  const document = ledgerDocument({ environment: 'production', entries: [entry()] });
  const answers = [
    { letter: 'A', title: 'Keep:', text: 'the edit stays' },
    { letter: 'B', title: 'Undo', text: '' },
  ];
  const questions = Array.from({ length: 50 }, (_, index) => {
    const number = index + 1;
    return {
      id: `q${number}`,
      number,
      mark: 'question',
      title: `Title ${number}?`,
      text: 'Why. '.repeat(100),
      answers,
    };
  }) as readonly Question[];
  const shown = (limit: number) => renderResultsMarkdown(document, { limit, questions, others: 40 });
  const others =
    '40 more questions to decide.** The log of the run shows them. Answer them with `agentform apply --answer`.';

  test('The result asks all questions that a comment can answer, and says where the others are.', () => {
    const text = shown(60_000);
    expect(text.match(/^\*\*\d+\. Title/gm)).toHaveLength(50);
    expect(text.indexOf('<summary>and 43 more</summary>')).toBeGreaterThan(text.indexOf('**7. Title 7?**'));
    expect(text).toContain(others);
  });

  test('If the questions do not fit, the result has their titles and answers.', () => {
    const text = shown(10_000);
    expect(text.match(/^\*\*\d+\. Title \d+\?\*\* \*\*A\*\* Keep: the edit stays · \*\*B\*\* Undo$/gm)).toHaveLength(
      50,
    );
    expect(text).toContain(others);
    expect(text.length).toBeLessThanOrEqual(10_000);
  });

  test('If not even the titles fit, the result has the number of questions and says where they are.', () => {
    const text = shown(2_000);
    expect(text).toContain('**90 questions to decide.** The log of the run shows them.');
    expect(text.length).toBeLessThanOrEqual(2_000);
  });
});

test('A failure with several reasons has a line for each.', () => {
  const message = 'this run is refused:\n- policy: one agent at a time\n- tests: 1 failed';
  expect(renderFailureMarkdown({ message, code: 'run-refused' }, { title: 'Plan', problems: [] })).toContain(
    'this run is refused:<br>- policy: one agent at a time<br>- tests: 1 failed',
  );
});

describe('the status of an apply that was refused', () => {
  const about = 'Commit 0123456789ab.';
  const above = (text: string) => text.split('<details>')[0] ?? '';

  test('The status says in plain words what stops the apply and what to do, and folds the commands.', () => {
    const limit = notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 }, [['--allow-creates', '51']]);
    const failure = refusedBy('run-refused', [limit, limit, limit, limit]);
    const text = renderNotAppliedMarkdown(failure, { problems: [], about });
    expect(above(text)).toContain(
      '❌ **Nothing was applied.** Commit 0123456789ab.\n\n- **More new agents than allowed**: This ',
    );
    expect(above(text)).toContain('ask the people who maintain the files to raise the limit.');
    expect(above(text)).toContain('\n- and 1 more\n');
    expect(above(text)).not.toContain('--allow-creates');
    expect(text).toContain('<summary>For people who run commands</summary>\n\nthis plan creates 51 agents');
    expect(text).toContain('--allow-creates 51');
  });

  test.each([
    ['plan-not-approved', 'Someone must approve the new changes.'],
    ['git-failed', 'The history of the files cannot be read or written.'],
    ['tasks-invalid', 'The people who run commands must look at this first.'],
  ] as const)('The status of the error %s has a plain sentence, and folds the exact one.', (code, sentence) => {
    const problem = { rule: 'unknown-key', severity: 'error', message: 'wrong' } as const;
    const failure = { message: 'run again with approve-digest: x', code, reasons: [] };
    const text = renderNotAppliedMarkdown(failure, { problems: [problem], about });
    expect(above(text)).toContain(`${sentence} ${about}`);
    for (const exact of ['approve-digest', code, 'wrong']) {
      expect(above(text)).not.toContain(exact);
      expect(text).toContain(exact);
    }
  });
});

test('Every error that the action may meet when it plans or applies has a plain sentence.', () => {
  // These come from other commands, from terminals, or from writes whose failures are results of their agents.
  const elsewhere: readonly string[] = [
    'adopt-refused',
    'field-unknown',
    'record-unknown',
    'record-exists',
    'record-held',
    'plan-incomplete',
    'tasks-invalid',
    'import-invalid',
    'import-refused',
    'file-taken',
    'declined',
    'service-unclear',
  ];
  const codes = Object.keys(errorCodes).filter(isErrorCode);
  const vague = codes.filter((code) => {
    const text = renderNotAppliedMarkdown({ code, message: 'x', reasons: [] }, { problems: [], about: '' });
    return text.includes('must look at this first');
  });
  expect(vague.sort()).toEqual(elsewhere.toSorted());
});

test('If only secrets are missing, a failure says so before the problems.', () => {
  const problems = [{ rule: 'secret-unset', severity: 'error', message: 'TOKEN is not set' }] as const;
  const failure = { code: 'manifests-invalid', message: '1 error', reasons: [] } as const;
  const missing = '❌ **Failed:** A password or token is missing.<br>\n<sub>1 error';
  expect(renderFailureMarkdown(failure, { title: 'Plan', problems })).toContain(missing);
  const remedies = { secrets: 'Set TOKEN.', commands: 'Run it.' };
  const text = renderNotAppliedMarkdown(failure, { problems, about: 'Run 1.', remedies });
  expect(text).toMatch(/Run 1\.\n\nSet TOKEN\.\n\n<details>[\s\S]*Run it\.\n\n<\/details>\n$/);
  for (const isShort of [{}, { isShort: true }] as const) {
    const shown = renderNotAppliedMarkdown(failure, { problems, about: 'Run 1.', ...isShort });
    expect(shown).toContain('❌ **Nothing was applied.** A password or token is missing. Run 1.');
  }
});

test('The result of an apply tells agents with the same title apart by their names.', () => {
  const text = render(['elm-street', 'main-street'].map((name) => entry({ name, title: 'Front desk' })));
  expect(text).toContain('**Front desk (elm-street)**');
  expect(text).toContain('**Front desk (main-street)**');
});

test('The result of an apply shows a conflict with its values.', () => {
  const conflict = change({ cause: 'conflict', from: 'Theirs', to: 'Ours' });
  const text = render([
    entry({
      outcome: 'not attempted',
      refused: true,
      reasons: [saying('conflict')],
      sent: false,
      conflicts: [conflict],
    }),
  ]);
  expect(text).toContain(
    '- ⚠️ **Front desk** not attempted: conflict\n  - **Title**\n    - Before the two edits: not set\n',
  );
  expect(text).toContain('\n    - **Live**: Theirs\n    - **In the files**: Ours\n');
});

test('Undone edits have a label and are list items, so they are easy to read on a telephone.', () => {
  const undone = [
    { path: 'settings.agentVoice', lost: 'warm-2', now: 'warm-1' },
    { path: 'settings.agentInstructions', lost: 'Be kind.\nOffer tea.', now: 'Be kind.' },
  ];
  expect(render([entry({ undone })])).toContain(`
  - dashboard edits undone:
  - **Voice**: warm-2 → warm-1
  - **Instructions**: 1 line removed
    - removed: <del>Offer tea.</del>
`);
  expect(render([entry({ undone: undone.slice(0, 1), isUnclear: true })])).toContain(`
  - change after a failed apply undone:
  - **Voice**: warm-2 → warm-1
`);
});

test('The result of an apply has a plain reason first, with the exact sentence and commands below.', () => {
  const reasons = [
    notice('agent-undecided', {}, [
      ['import', 'ID'],
      ['record', 'adopt', 'Agent/a', 'ID'],
      ['apply', '--new', 'all'],
    ]),
  ];
  const text = render([entry({ name: 'a', title: 'Billing', outcome: 'not attempted', refused: true, reasons })]);
  expect(text).toContain(
    '- ⚠️ **Billing** not attempted: if the account already has an agent, the settings of that agent would be overwritten<br><sub>To copy the settings',
  );
});

test('The result of an apply shows any number of entries with the same outcome as one item.', () => {
  const many = Array.from({ length: 500 }, (_, index) => entry({ name: `clinic-${index + 1}` }));
  const text = render(many);
  expect(text).toContain('- ✅ **Clinic 1 to Clinic 500** applied (each of 500: updated, 2 settings changed)\n');
  expect(text.length).toBeLessThan(400);
});

test('The result of an apply reports an interruption.', () => {
  expect(render([entry()], { interrupted: true })).toContain('**Interrupted. Apply: 1 applied.**');
});

test('The result of an apply leaves out the successes if they do not fit, and says so.', () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    entry({ name: `agent-${index}`, reasons: [saying(`${index}${'x'.repeat(300)}`)] }),
  );
  const bad = entry({ name: 'bad', outcome: 'failed', reasons: [saying('y'.repeat(900))] });
  const text = render([...many, bad], { limit: 20_000 });
  expect({
    length: text.length > 20_000,
    leftOut: /\*\*Left out for length:\*\* what was applied .*\. The log of the run shows them\.\n/.test(text),
  }).toEqual({
    length: false,
    leftOut: true,
  });
  expect(text.includes('❌ **Bad** failed')).toBe(true);
});

test('The result of an apply escapes hostile texts.', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const conflict = change({ cause: 'conflict', from: text, to: `${text}.` });
      const fields = [{ path: text, result: 'ignored', readBack: text } as const];
      const hostile = entry({
        reasons: [saying(text)],
        warnings: [saying(text)],
        id: text,
        fields,
        conflicts: [conflict],
      });
      const shown = withoutCodeSpans(outsideFences(render([hostile])));
      expect(shown.replace(ourTags, '')).not.toMatch(/<[a-z!/]|(?<!&)#\d|@(?!&#8203;)/i);
      expect(dangerousIn(render([hostile]))).toEqual([]);
    }),
  );
});

test('The result of an apply groups agents that read the same, whatever else was sent.', () => {
  const written = (name: string, sent: number, path: string) =>
    entry({ name, settings: { changed: 1, sent }, fields: [{ path, result: 'unverifiable' }] });
  const text = render(['a', 'b', 'c', 'd'].map((name, index) => written(name, 2 + index, `settings.x${index}`)));
  expect(text).toContain('**A, B, C and D** applied (each of 4: updated, 1 setting changed)');
});

test('The result of an apply says once that an agent waits, and where a renamed or removed one is from.', () => {
  const reasons = [notice('step-closed', { step: 2, of: 4, lacking: 1, failed: 0, held: 0 })];
  const text = render([
    entry({ name: 'late', outcome: 'waiting', sent: false, reasons }),
    entry({ name: 'night-line', renamedFrom: 'after-hours', published: false }),
    entry({ name: 'web-chat', action: 'forget', sent: false }),
  ]);
  expect(text).toContain('**Late** waits for step 2 of 4');
  expect(text).toContain('**Night line** applied (updated, renamed from After hours, 2 settings changed');
  expect(text).toContain('**Web chat** applied (no longer managed; it stays on the service)');
  expect(text).toContain('The draft of 1 agent changed.');
});

test('The result of an apply reports records that are not shared yet.', () => {
  const text = render([entry()], { unshared: 'the branch agentform-records of origin cannot be pushed to: <b>' });
  expect(text).toContain(
    '❌ Records not shared: the branch agentform-records of origin cannot be pushed to: &lt;b&gt;.',
  );
});

describe('the status above an applied plan', () => {
  const status = (entries: readonly LedgerEntry[], limit = 6_000) =>
    renderResultsMarkdown(ledgerDocument({ environment: 'production', entries }), { limit, about: 'Commit abc.' });

  test('The status above a plan has one line with the outcome, and what needs attention.', () => {
    const text = status([
      entry(),
      entry({ name: 'bad', outcome: 'failed', reasons: [saying('the service kept the title')] }),
    ]);
    expect(text.split('\n')[0]).toBe('❌ **Apply: 1 applied, 1 failed.** Commit abc.');
    expect(text.indexOf('**Bad** failed')).toBeLessThan(text.indexOf('**Front desk** applied'));
    expect(status([entry()]).split('\n')[0]).toBe('✅ **Apply: 1 applied.** Commit abc.');
  });

  test('The status above a plan folds many results, and stays within its limit.', () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      entry({ name: `a${index}`, warnings: [saying(`${index}`)] }),
    );
    expect(status(many.slice(0, 3))).not.toContain('<details>');
    expect(status(many.slice(0, 4))).toContain('<details>\n<summary>Applied (4)</summary>');
    expect(status(many).length).toBeLessThanOrEqual(6_000);
  });
});
