import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FieldResult, Ledger, LedgerEntry } from '../../src/apply/events.ts';
import { notice } from '../../src/notices/notice.ts';
import { renderJson } from '../../src/report/json.ts';
import { ledgerCounts, ledgerDocument, renderLedgerText } from '../../src/report/ledger.ts';
import { saying, withoutSentences } from '../support/notices.ts';
import { dangerousIn, hostileText } from './hostile-text.ts';
import { plan, resource } from './plan/plan-builders.ts';

function entry(parts: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    kind: 'Agent',
    name: 'front-desk',
    action: 'update',
    outcome: 'applied',
    fields: [],
    warnings: [],
    sent: true,
    ...parts,
  };
}

function field(result: FieldResult['result'], path = 'settings.title', readBack?: string): FieldResult {
  return { path, result, ...(readBack !== undefined && { readBack }) };
}

function rendered(entries: readonly LedgerEntry[], parts: Partial<Ledger> = {}): string {
  return renderLedgerText({ environment: 'production', entries, ...parts }, { color: false, width: 100 });
}

test('Settings that a person kept are no warning.', () => {
  const hold = { by: 'Robin', since: '2026-11-27T01:56:04.123Z', reason: 'answered' };
  const text = rendered([entry({ warnings: [notice('settings-kept', { hold, paths: ['settings.title'] }, [])] })]);
  expect(text).toContain('\n      settings.title stays as it is in the dashboard until the files change it.');
  expect(text).not.toContain('warning');
});

test('A ledger counts undone dashboard edits, and shows the lost values below a label.', () => {
  const undone = [
    { path: 'settings.title', lost: 'Two', now: 'One' },
    { path: 'skills[old]', lost: { slug: 'old' } },
  ];
  expect(rendered([entry({ undone, settings: { changed: 3, sent: 9 } })])).toBe(
    [
      'Applied (1)',
      '  ✓ Agent/front-desk  (updated, 1 setting changed, 2 dashboard edits undone, 9 sent)',
      '      dashboard edits undone:',
      '      ~ settings.title: "Two" → "One"',
      '      - skills[old]: { slug: "old" }',
      '',
      'The draft of 1 agent changed. Publish it in the dashboard.',
      '',
      'Apply: 1 applied. 2 dashboard edits undone.',
      '',
    ].join('\n'),
  );
  expect(rendered([entry({ undone, settings: { changed: 2, sent: 9 } })])).toContain(
    '(updated, 2 dashboard edits undone, 9 settings sent)',
  );
});

const everyOutcome = [
  entry({
    id: 'camp_1',
    published: false,
    settings: { changed: 1, sent: 4 },
    fields: [
      field('stored'),
      { ...field('normalised', 'settings.agentInstructions', '"You are kind."'), rules: ['quotes', 'white-space'] },
      field('unverifiable', 'settings.description'),
      field('unverifiable', 'settings.waitOnAnswer'),
    ],
    warnings: [saying('skill "calendar" is not usable: it is not installed')],
  }),
  entry({
    name: 'night',
    id: 'camp_2',
    action: 'create',
    settings: { changed: 1, sent: 1 },
    fields: [field('stored'), field('took over', 'settings.timezone', '"UTC"')],
  }),
  entry({ name: 'known', sent: false }),
  entry({
    name: 'lobby',
    outcome: 'failed',
    reasons: [saying('the service did not do all that was sent')],
    fields: [field('ignored', 'settings.timezone', '"UTC"'), field('lost', 'settings.links', '[]')],
  }),
  entry({
    name: 'support',
    outcome: 'not attempted',
    refused: true,
    reasons: [saying('live moved since the plan')],
    sent: false,
  }),
  entry({ name: 'new', outcome: 'unknown', reasons: [saying('the answer to the create was lost')] }),
  entry({ name: 'same', outcome: 'unchanged', sent: false }),
];

/** The text of `everyOutcome`. */
const wholeLedger = `\
Applied (3)
  ✓ Agent/front-desk  (camp_1, updated, 1 setting changed, 4 sent; callers do not hear it yet)
      settings.agentInstructions: stored with different quotation marks and white space: "You are
        kind."
      2 settings cannot be read back, so they were not verified
      warning: skill "calendar" is not usable: it is not installed
  ✓ Agent/night  (camp_2, created, 1 setting sent)
      settings.timezone: taken over from the existing agent: "UTC"; the files do not set it
  ✓ Agent/known  (recorded, nothing sent)

Not attempted (1)
  ! Agent/support
      refused: live moved since the plan

Unknown: the write may have succeeded (1)
  ? Agent/new
      the answer to the create was lost

Failed (1)
  ✗ Agent/lobby
      the service did not do all that was sent
      settings.timezone: ignored; the service kept "UTC"
      settings.links: lost; it was not sent, and the service changed it to []

The drafts of 2 agents changed. Publish them in the dashboard.

Apply: 3 applied, 1 failed, 1 unknown, 1 not attempted, 1 unchanged.
`;

test('A ledger has a group for each outcome, and the counts last.', () => {
  expect(rendered(everyOutcome)).toBe(wholeLedger);
});

test.each([
  [true, 'callers still hear the last published version)'],
  [false, 'callers do not hear it yet)'],
])('A ledger shows whether callers hear an earlier version: %s', (published, words) => {
  expect(rendered([entry({ published, fields: [field('stored')] })])).toContain(words);
});

test('A ledger advises publishing with agentform only if agentform.yaml names the operation.', () => {
  const [one, other] = [entry({ published: false }), entry({ name: 'other', published: true })];
  expect(rendered([one], { canPublish: true })).toContain(
    'Run `agentform publish -e production`, or publish it in the',
  );
  expect(rendered([one, other], { canPublish: true })).toContain(
    'The drafts of 2 agents changed. Run `agentform publish -e production`, or publish them in the\n',
  );
});

test('On the emulator, which has no dashboard, a ledger says how to publish with agentform.', () => {
  const one = [entry({ published: false })];
  expect(rendered(one, { isEmulated: true, canPublish: true })).toContain(
    'The draft of 1 agent changed. To publish it, run `agentform publish -e production`.\n',
  );
  expect(rendered(one, { isEmulated: true }).replace(/\s+/g, ' ')).toContain(
    'To publish it, add `service: { publish: /api/v2/agent/publish }` to agentform.yaml and run `agentform publish -e production`.',
  );
});

test('A ledger reports an interruption.', () => {
  expect(rendered([entry()], { interrupted: true })).toMatch(/Interrupted\. Apply: 1 applied\.\n$/);
});

test('A ledger groups resources that were not attempted for one reason.', () => {
  const left = {
    outcome: 'not attempted',
    sent: false,
    reasons: [saying('the run was interrupted before it reached this resource')],
  } as const;
  const names = Array.from({ length: 12 }, (_, index) => entry({ name: `agent-${index}`, ...left }));
  expect(
    rendered([...names, entry({ name: 'z', ...left, refused: true, reasons: [saying('stale')] })]),
  ).toBe(`Not attempted (13)
  ! Agent/agent-0 to Agent/agent-11
      the run was interrupted before it reached this resource
  ! Agent/z
      refused: stale

Apply: 0 applied, 13 not attempted.
`);
});

test('A ledger counts resources on hold apart from others that were not attempted.', () => {
  const hold = { by: 'Robin', since: '2026-11-27T01:56:04.123Z' };
  const held = entry({
    outcome: 'on hold',
    refused: true,
    sent: false,
    reasons: [notice('held', { hold }, [['unhold', 'front-desk']])],
  });
  const text = rendered([held]);
  expect(text).toMatch(/^On hold \(1\)\n {2}! Agent\/front-desk\n {6}on hold by Robin/);
  expect(text).toContain('\nApply: 0 applied, 1 on hold.\n');
  const stateWith = (more: readonly LedgerEntry[]) =>
    ledgerDocument({ environment: 'production', entries: [held, ...more] }).head.state;
  expect(stateWith([])).toEqual({ text: 'On hold', mark: 'held' });
  expect(stateWith([entry({ name: 'night' })])).toEqual({ text: 'Done', mark: 'done' });
  expect(stateWith([entry({ name: 'night', outcome: 'failed' })])).toEqual({ text: 'Incomplete', mark: 'failed' });
});

test('A new agent is not said to have an earlier version that callers hear.', () => {
  expect(rendered([entry({ action: 'create', published: true })])).not.toContain('callers still');
});

describe('entries with the same outcome', () => {
  const clinics = (count: number, parts: (index: number) => Partial<LedgerEntry> = () => ({})) =>
    Array.from({ length: count }, (_, index) =>
      entry({ name: `clinic-${index + 1}`, id: `camp_${index}`, ...parts(index) }),
    );

  test('Many entries with the same outcome are reported together.', () => {
    const bad = { outcome: 'failed', reasons: [saying('HTTP 503')], sent: false } as const;
    const text = rendered([
      ...clinics(500, (index) => (index < 490 ? {} : bad)),
      entry({ name: 'z', warnings: [saying('w')] }),
    ]);
    expect(text).toContain('  ✓ Agent/clinic-1 to Agent/clinic-490  (each of 490: updated, sent)\n');
    expect(text).toMatch(/✓ Agent\/z {2}\(updated.*\n {6}warning: w\n/);
    expect(text).toContain('  ✗ Agent/clinic-491 to Agent/clinic-500\n      HTTP 503\n');
  });

  test('A few entries with the same outcome are reported one by one, each with its id.', () => {
    const text = rendered(clinics(3));
    for (const index of [0, 1, 2]) expect(text).toContain(`✓ Agent/clinic-${index + 1}  (camp_${index}, updated`);
  });

  test('Names of entries with the same outcome are wrapped at the width.', () => {
    const names = Array.from({ length: 20 }, (_, index) => entry({ name: `in-${'abcdefghijklmnopqrst'[index]}` }));
    const lines = rendered(names).split('\n').slice(1, 4);
    expect(lines[0]).toMatch(/^ {2}✓ Agent\/in-a, Agent\/in-b,.*,$/);
    expect(lines[1]).toMatch(/^ {4}Agent\/in-/);
    expect(lines.join('\n')).toMatch(/Agent\/in-t {2}\(each of 20: updated, /);
  });
});

test('A ledger gives the reason of a blocked resource, unless the plan above did.', () => {
  const message = 'the record belongs to a different agent';
  const blocked = entry({
    action: 'blocked',
    outcome: 'not attempted',
    refused: true,
    reasons: [saying(message)],
    sent: false,
  });
  expect(rendered([blocked])).toContain(`refused: ${message}`);
  const ledger = { environment: 'production', entries: [blocked] };
  const below = renderLedgerText(ledger, {
    color: false,
    width: 100,
    planAbove: plan([resource({ action: 'blocked' })]),
  });
  expect(below).toContain('      refused: blocked; the plan above says why\n');
  expect(below).not.toContain(message);
  // An answer that was given below the plan blocked the resource.
  const answered = renderLedgerText(ledger, { color: false, width: 100, planAbove: plan([resource()]) });
  expect(answered).toContain(`refused: ${message}`);
});

test('A ledger gives the reason of a failed read, unless the plan above did.', () => {
  const message = 'reading the agent failed: the service returned 403';
  const failed = entry({ action: 'failed', outcome: 'failed', reasons: [saying(message)], sent: false });
  const ledger = { environment: 'production', entries: [failed] };
  const style = { color: false, width: 100 };
  expect(renderLedgerText(ledger, style)).toContain(message);
  const below = renderLedgerText(ledger, { ...style, planAbove: plan([resource({ action: 'failed' })]) });
  expect(below).toContain('      failed; the plan above says why\n');
  expect(below).not.toContain(message);
  // A read that failed after the plan is explained only here.
  const later = renderLedgerText(
    { environment: 'production', entries: [{ ...failed, action: 'update' }] },
    { ...style, planAbove: plan([resource({ action: 'update' })]) },
  );
  expect(later).toContain(message);
});

test('A ledger does not mention drafts if nothing was sent.', () => {
  expect(rendered([entry({ outcome: 'unchanged', sent: false })])).toBe('Apply: 0 applied, 1 unchanged.\n');
});

describe('hostile texts in a ledger', () => {
  const anyEntry = fc.tuple(hostileText, hostileText).map(([a, b]) =>
    entry({
      name: a,
      id: b,
      reasons: [saying(a)],
      outcome: 'failed',
      warnings: [saying(b)],
      fields: [field('ignored', a, b)],
    }),
  );

  test('Hostile texts are escaped in the terminal.', () => {
    fc.assert(fc.property(anyEntry, (some) => expect(dangerousIn(rendered([some]))).toEqual([])));
  });

  test('Hostile texts are harmless in JSON, and unchanged once parsed.', () => {
    fc.assert(
      fc.property(anyEntry, (some) => {
        const ledger = { environment: 'production', entries: [some] };
        const json = renderJson(ledger);
        expect(dangerousIn(json)).toEqual([]);
        expect(withoutSentences(JSON.parse(json))).toEqual({ formatVersion: 1, ...JSON.parse(JSON.stringify(ledger)) });
      }),
    );
  });
});

describe('published agents in a ledger', () => {
  test('Published agents are shown below applied ones, and counted.', () => {
    const text = rendered([entry({ id: 'camp_1', published: true, fields: [field('stored')] })], {
      publishing: [
        { kind: 'Agent', name: 'front-desk', id: 'camp_1', outcome: 'published' },
        { kind: 'Agent', name: 'night', id: 'camp_2', outcome: 'already published' },
        { kind: 'Agent', name: 'sales', id: 'camp_3', outcome: 'failed', reasons: [saying('the service refused')] },
        {
          kind: 'Agent',
          name: 'desk',
          outcome: 'not attempted',
          refused: true,
          reasons: [saying('no agent id is known')],
        },
        { kind: 'Agent', name: 'lobby', id: 'camp_4', outcome: 'unknown', reasons: [saying('no answer')] },
      ],
    });
    expect(text).toBe(`\
Applied (1)
  ✓ Agent/front-desk  (camp_1, updated, sent)

Published (1)
  ✓ Agent/front-desk  (camp_1)

Already published (1)
  · Agent/night  (camp_2)

Not published (1)
  ! Agent/desk
      refused: no agent id is known

Unknown: the publish may have succeeded (1)
  ? Agent/lobby  (camp_4)
      no answer

Publishing failed (1)
  ✗ Agent/sales  (camp_3)
      the service refused

Apply: 1 applied. Publish: 1 published, 1 failed, 1 unknown, 1 not attempted, 1 already published.
`);
  });

  test('A ledger does not mention publishing if none was requested.', () => {
    const text = rendered([entry({ published: false, fields: [field('stored')] })]);
    expect(text).toContain('The draft of 1 agent changed. Publish it in the dashboard.\n');
  });
});

test('A refused conflict shows its three values.', () => {
  const conflicts = [
    {
      op: 'set',
      path: 'settings.title',
      from: 'Theirs',
      to: 'Ours',
      lastApplied: 'Old',
      cause: 'conflict',
      knowledge: 'compared',
    } as const,
  ];
  const refused = entry({
    outcome: 'not attempted',
    refused: true,
    sent: false,
    reasons: [saying('conflict: ...')],
    conflicts,
  });
  expect(rendered([refused])).toContain(`\
      refused: conflict: ...
      ~ settings.title
          Last applied  Old
          Live          Theirs
          In the files  Ours
`);
  expect(JSON.parse(renderJson({ environment: 'e', entries: [refused] })).entries[0].conflicts).toEqual(conflicts);
});

test('The counts of a rollback name restored and refused resources.', () => {
  const ledger: Ledger = { environment: 'test', entries: [entry({ outcome: 'not attempted', refused: true })] };
  expect(ledgerCounts({ ...ledger, isRollback: true })).toBe('Rollback: 0 restored, 1 refused.');
  expect(ledgerCounts(ledger)).toBe('Apply: 0 applied, 1 not attempted.');
});
