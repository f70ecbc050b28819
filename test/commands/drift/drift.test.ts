import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { driftTitle } from '../../../src/commands/drift/branch.ts';
import { renderDriftHtml, renderDriftMarkdown, renderDriftText } from '../../../src/commands/drift/document.ts';
import type { UpdatedResource } from '../../../src/commands/update/check.ts';
import { notice } from '../../../src/notices/notice.ts';
import type { Move } from '../../../src/schemas/drift-types.ts';
import { dangerousIn, hostileText } from '../../report/hostile-text.ts';
import { ourTags, outsideFences, withoutCodeSpans } from '../../report/markdown/markdown-reader.ts';
import { sensitive } from '../../report/plan/plan-builders.ts';
import { saying, unread } from '../../support/notices.ts';
import { agentDrift, driftOfProduction, richDrift, unknownDrift } from './drift-builders.ts';

const plain = { color: false, width: 100 } as const;

/** The text of `richDrift`. */
const wholeText = `\
Drift in production   ~ edited in the dashboard   ? possibly edited   ! could not be compared   ✗ could not be read

warning: Agent/a and Agent/b have the same agent id camp_1, so one would overwrite the other

~ Agent/front-desk  (camp_1 on service.example.com)
    edited in the dashboard on 21 Nov 2026, 17:30 UTC, after the last apply (21 Nov 2026, 09:00
      UTC); the service does not record by whom
    ~ settings.welcomeMessage
        Last applied  Hi
        Live          Hey
        In the files  Hello
      ↳ conflict: edited in the dashboard and in the files
    ~ settings.title: "Desk" → "Reception"
    ~ settings.agentModel: "small" → "large"
      ↳ the files already have this value; the next apply only records it
    ~ settings.timezone: "UTC" → "Europe/Rome"
      ↳ the files no longer declare this setting; the next apply stops managing it and keeps the
        live value
    - settings.agentVoice: "warm-1"
      ↳ the files no longer declare this setting; nothing to do
    ~ settings.agentInstructions: 1 line replaced
          Be kind.
        - Be brief.
        + Be loud.
    + skills[billing].instructions: "Take cash."
    2 settings cannot be read back and may have been edited; the next apply sends them again:
      Description, Pause that ends what a caller says
    1 setting cannot be read back and may have been edited; the files no longer declare it: Tones
      sent when the agent answers
    1 conflict to resolve. Nothing is applied to front-desk until you choose. To keep the value in
      the files and drop the dashboard edit, run
      \`agentform apply --overwrite Agent/front-desk -e production\`. To keep the dashboard edit and
      replace the value in the files, run
      \`agentform update front-desk --field settings.welcomeMessage -e production\`

? Agent/sales  (camp_2 on service.example.com)
    may have been edited in the dashboard (last written on 21 Nov 2026, 17:30 UTC); the record does
      not show when it was applied
    1 setting cannot be read back and may have been edited; the next apply does not send it, because
      the environment sets \`unverified: report\`: Description

! Agent/support could not be compared  (camp_3 on service.example.com)
    the record belongs to a different agent

✗ Agent/lobby could not be read  (camp_4 on service.example.com)
    the service did not respond

· 2 agents match the last apply
· not applied yet: Agent/new
· 1 member and 1 context cannot be read back, so edits to them are unknown
· not read, because the files no longer declare it: Agent/old

Drift: 1 edited in the dashboard, 1 possibly edited, 2 unchanged, 1 not applied yet, 2 cannot be
read back, 1 could not be compared, 1 could not be read, 1 not in the files.
Someone changed 7 settings of 1 agent in the dashboard since the last apply.
4 more settings cannot be read back and may have been edited, too.
Checked 16 of 30 settings. Not checked: 10 write-only (assumed unchanged), 4 write-only (possibly
edited).
To keep the edits, run \`agentform update Agent/front-desk -e production\`.
`;

describe('as text', () => {
  test('Drift as text reads from top to bottom.', () => {
    expect(renderDriftText(richDrift(), plain)).toBe(wholeText);
  });

  test.each([
    [[agentDrift()], 'No drift: 1 agent matches the last apply.\nChecked 4 of 9 settings'],
    [[agentDrift({ name: 'a' }), agentDrift({ name: 'b' })], 'No drift: 2 agents match the last apply.\n'],
    [[unknownDrift('unapplied')], 'No drift: no readable settings have been applied.\n'],
    [[unknownDrift('failed'), agentDrift()], 'No drift found, but 1 could not be read.\n'],
    [[unknownDrift('blocked')], 'No drift found, but 1 could not be compared.\n'],
    [[], 'No drift: no readable settings have been applied.\n'],
  ])('The text of drift summarises the result as %#', (resources, sentence) => {
    expect(renderDriftText(driftOfProduction(resources), plain)).toContain(sentence);
  });

  test('The text of drift shows an edited agent even if no managed setting moved.', () => {
    const touched = agentDrift({ touched: true, lastUpdate: { seen: 1000, live: 2000 }, assumed: 0 });
    const text = renderDriftText(driftOfProduction([touched]), plain);
    expect(text).toContain('· Agent/front-desk  (camp_1 on service.example.com)\n    edited in the dashboard on ');
    expect(text).toContain('No drift: 1 agent matches the last apply.\nChecked 4 of 4 settings');
  });

  test.each([
    [['settings.timezone'], false, '· 1 setting on the service is not managed; use --verbose to list it\n'],
    [['skills', 'apps'], false, '· 2 settings on the service are not managed; use --verbose to list them\n'],
    [['skills', 'apps'], true, '· 2 settings of Agent/front-desk on the service are not managed: skills, apps\n'],
  ])('The text of drift counts or names unmanaged settings: %j %j', (unmanaged, verbose, line) => {
    const drift = driftOfProduction([agentDrift({ unmanaged })]);
    expect(renderDriftText(drift, { ...plain, verbose })).toContain(line);
  });

  test('The Markdown of drift names unmanaged settings, because it has no --verbose.', () => {
    const drift = driftOfProduction([agentDrift({ unmanaged: ['skills', 'apps'] })]);
    const markdown = renderDriftMarkdown(drift);
    expect(markdown).toContain('- 2 settings of Front desk on the service are not managed: Skill, App.');
    expect(markdown).not.toContain('--verbose');
  });

  test('The text of drift names the commands that keep or revert edits, one for many agents.', () => {
    const moved = (name: string) =>
      agentDrift({
        name,
        status: 'drifted',
        moves: [{ path: 'settings.title', lastApplied: 'Desk', live: 'Lobby', wanted: 'Desk', effect: 'set back' }],
      });
    const text = (names: readonly string[]) =>
      renderDriftText(driftOfProduction(names.map(moved)), { color: false, width: 400 });
    expect(text(['a', 'b'])).toContain(
      'To keep the edits, run `agentform update Agent/a Agent/b -e production`. ' +
        'To undo them, run `agentform apply Agent/a Agent/b -e production`.\n',
    );
    expect(text(['a', 'b', 'c', 'd'])).toContain("`agentform update '*' -e production`");
    expect(renderDriftText(driftOfProduction([agentDrift()]), plain)).not.toContain('To undo');
  });

  test('A warning about a typed credential appears once, and the hidden value has no other remark.', () => {
    const credential = notice('not-copied', { obstacle: { why: 'credential' } });
    const move = { path: 'settings.title', lastApplied: 'Desk', live: sensitive('a'), wanted: 'Desk' } as const;
    const edited = agentDrift({
      status: 'drifted',
      moves: [{ ...move, effect: 'set back', updateRefusal: credential }],
      reasons: [notice('credential-hidden', { paths: ['settings.title'] })],
    });
    const markdown = renderDriftMarkdown(driftOfProduction([edited]));
    expect(markdown.match(/seems to contain/g)).toHaveLength(1);
    expect(markdown).toContain('| **Title** | Desk | <i>hidden value</i> |');
  });

  test('Drift with conflicts says that the next apply undoes only the other edits.', () => {
    const move = { path: 'settings.title', lastApplied: 'Desk', live: 'Lobby' } as const;
    const drifted = (name: string, wanted: string, effect: Move['effect']) =>
      agentDrift({ name, status: 'drifted', moves: [{ ...move, wanted, effect }] });
    const drift = driftOfProduction([drifted('a', 'Desk', 'set back'), drifted('b', 'Office', 'conflict')]);
    expect(renderDriftMarkdown(drift)).toMatch(
      /Choose one of the two values\.(?:.|\n)*The next apply undoes the other edits,/,
    );
  });

  test('The text of drift suggests no apply for an agent with a conflict, because the apply refuses the agent.', () => {
    const edited = { path: 'settings.title', lastApplied: 'Desk', live: 'Lobby', wanted: 'Desk', effect: 'set back' };
    const both = {
      path: 'settings.welcomeMessage',
      lastApplied: 'Hi',
      live: 'Hey',
      wanted: 'Hello',
      effect: 'conflict',
    };
    const drift = driftOfProduction([agentDrift({ status: 'drifted', moves: [edited, both] as Move[] })]);
    const text = renderDriftText(drift, { color: false, width: 400 });
    expect(text).toMatch(/^To keep the edits, run `agentform update Agent\/front-desk -e production`\.$/m);
    expect(text).not.toContain('To undo');
    expect(renderDriftMarkdown(drift)).not.toContain('The next apply undoes');
  });

  test('The text of drift masks sensitive values.', () => {
    const move: Move = {
      path: 'settings.title',
      lastApplied: sensitive('a'),
      live: sensitive('b'),
      wanted: sensitive('a'),
      effect: 'set back',
    };
    expect(renderDriftText(driftOfProduction([agentDrift({ status: 'drifted', moves: [move] })]), plain)).toContain(
      '~ settings.title: (sensitive, changes)\n',
    );
  });

  test('The text of drift shortens a removed text unless --full is given.', () => {
    const move: Move = { path: 'settings.agentInstructions', lastApplied: 'Be kind.\n'.repeat(40), effect: 'set back' };
    const gone = driftOfProduction([agentDrift({ status: 'drifted', moves: [move] })]);
    expect(renderDriftText(gone, plain)).toContain('… 34 more lines');
    expect(renderDriftText(gone, { ...plain, full: true })).not.toContain('more lines');
  });
});

/** The Markdown of `richDrift`. */
const wholeMarkdown = `\
### Drift in \`production\`: 7 settings edited

**Someone changed 7 settings of 1 agent in the dashboard since the last apply.** 4 more settings cannot be read back and may have been edited, too.

**Note:** 1 setting was edited in the files, too. Choose one of the two values.

**Good to know**

- Agent/a and Agent/b have the same agent id camp\\_1, so one would overwrite the other.

#### Edits

| Agent | Edited settings |
| :-- | :-- |
| [**Front desk**](#production_drift-1) | Title, Greeting, Language model, Time zone and 3 more |
| [**Sales**](#production_drift-2) | possibly edited |
| [**Support**](#production_drift-3) | could not be compared |
| [**Lobby**](#production_drift-4) | could not be read |

<sub>**Last applied** is the value in the files at the last apply. **Live now** is the value in the dashboard. The service does not record who edited an agent.</sub>

<details>
<summary><a id="production_drift-1"></a><b>Front desk</b>: Greeting (edited in the files, too); Title: Desk → Reception; Language model: small → large; Time zone: UTC → Rome; 3 more</summary>
<br>

Edited in the dashboard on 21 Nov 2026, 17:30 UTC, after the last apply (21 Nov 2026, 09:00 UTC); the service does not record by whom.

| Version | Greeting |
| :-- | :-- |
| Before the two edits | Hi |
| **Live** | Hey |
| **In the files** | Hello |

| Setting | Last applied | Live now |
| :-- | :-- | :-- |
| **Title** | Desk | Reception |
| **Language model** | small | large (the files already have this value; the next apply only records it) |
| **Time zone** | UTC | Rome (the files no longer declare this setting; the next apply stops managing it and keeps the live value) |
| **Voice** | warm-1 | <i>not set</i> (the files no longer declare this setting; nothing to do) |

**Instructions**: 1 line replaced

| Change | Instructions |
| :-- | :-- |
| removed | <del>Be brief.</del> |
| added | Be loud. |

| Setting | Last applied | Live now |
| :-- | :-- | :-- |
| **Skill billing instructions** | <i>not set</i> | Take cash. |

2 settings cannot be read back and may have been edited; the next apply sends them again: Description, Pause that ends what a caller says.

1 setting cannot be read back and may have been edited; the files no longer declare it: Tones sent when the agent answers.

<sub>\`Agent/front-desk\` · camp\\_1 on service.example.com · 1 conflict to resolve. Nothing is applied to front-desk until you choose. To keep the value in the files and drop the dashboard edit, run \`agentform apply --overwrite Agent/front-desk -e production\`. To keep the dashboard edit and replace the value in the files, run \`agentform update front-desk --field settings.welcomeMessage -e production\`</sub>

</details>

<details>
<summary><a id="production_drift-2"></a><b>Sales</b>: possibly edited</summary>
<br>

May have been edited in the dashboard (last written on 21 Nov 2026, 17:30 UTC); the record does not show when it was applied.

1 setting cannot be read back and may have been edited; the next apply does not send it, because the environment sets \`unverified: report\`: Description.

<sub>\`Agent/sales\` · camp\\_2 on service.example.com</sub>

</details>

<details>
<summary><a id="production_drift-3"></a><b>Support</b>: could not be compared</summary>
<br>

The record belongs to a different agent.

<sub>\`Agent/support\` · camp\\_3 on service.example.com</sub>

</details>

<details>
<summary><a id="production_drift-4"></a><b>Lobby</b>: could not be read</summary>
<br>

The service did not respond.

<sub>\`Agent/lobby\` · camp\\_4 on service.example.com</sub>

</details>

<details>
<summary><a id="production_technical"></a>For people who run commands</summary>
<br>

| About | Details |
| :-- | :-- |
| Result | Drift: 1 edited in the dashboard, 1 possibly edited, 2 unchanged, 1 not applied yet, 2 cannot be read back, 1 could not be compared, 1 could not be read, 1 not in the files. |
| Compared | Checked 16 of 30 settings. Not checked: 10 write-only (assumed unchanged), 4 write-only (possibly edited). |
| Keep the edits | agentform update Agent/front-desk -e production |

</details>

- 2 agents match the last apply.
- Not applied yet: New.
- 1 member and 1 context cannot be read back, so edits to them are unknown.
- Not read, because the files no longer declare it: Old.
`;

describe('as Markdown', () => {
  test('Drift as Markdown reads from top to bottom.', () => {
    expect(renderDriftMarkdown(richDrift())).toBe(wholeMarkdown);
  });

  test('The Markdown of drift accepts a title, and leaves out long texts to stay within a limit.', () => {
    const long = (name: string, lines: number) =>
      agentDrift({
        name,
        status: 'drifted',
        moves: [{ path: 'settings.agentInstructions', live: 'Be kind.\n'.repeat(lines), effect: 'set back' }],
      });
    const drift = driftOfProduction([long('a', 5), long('b', 5_000), long('c', 10)]);
    const text = renderDriftMarkdown(drift, { limit: 4_000, title: 'Drift of @team' });
    expect(text).toMatch(/^### Drift of @&#8203;team: 3 settings edited\n/);
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text.match(/Be kind\./g)).toHaveLength(5 + 10);
    expect(text).toContain('This comment has no room for the longest texts.');
    expect(renderDriftMarkdown(drift, { limit: 40 }).length).toBeLessThanOrEqual(40);
  });
});

test('The Markdown of drift shows each count once, with titles, and commands only under technical details.', () => {
  const title = {
    path: 'settings.title',
    lastApplied: 'Desk',
    live: 'Lobby',
    wanted: 'Desk',
    effect: 'set back',
  } as const;
  const drift = driftOfProduction([
    agentDrift({ title: 'Reception', status: 'drifted', moves: [title] }),
    unknownDrift('unapplied', { name: 'new-desk', title: 'New desk' }),
  ]);
  const markdown = renderDriftMarkdown(drift);
  expect(markdown.match(/1 setting/g)).toHaveLength(2);
  expect(markdown).toContain('| [**Reception**](#production_drift-1) | Title |');
  expect(markdown).toContain('- Not applied yet: New desk.');
  const [first = ''] = markdown.split('For people who run commands');
  expect(first.replace(/<sub>.*<\/sub>/g, '')).not.toMatch(/agentform|Agent\/|manifest|service/);
  expect(renderDriftHtml(drift)).toContain('<h1>1 setting edited in the dashboard</h1>');
});

describe('resources that drifted alike', () => {
  const move: Move = { path: 'settings.title', lastApplied: 'Desk', live: 'Lobby', wanted: 'Desk', effect: 'set back' };
  const clinics = (count: number, moves: readonly Move[] = [move]) =>
    Array.from({ length: count }, (_, index) =>
      agentDrift({
        name: `clinic-${index + 1}`,
        status: 'drifted',
        touched: true,
        lastUpdate: { seen: index, live: 1000 + index },
        moves: [...moves],
      }),
    );

  test('Resources with the same drift are shown once, with their number and names.', () => {
    const text = renderDriftText(driftOfProduction(clinics(12)), plain);
    expect(text.split('\n').slice(2, 6)).toEqual([
      '~ 12 agents  (on service.example.com)',
      '    clinic-1 to clinic-12',
      '    each was edited in the dashboard since the last apply; the service does not record by whom',
      '    ~ settings.title: "Desk" → "Lobby"',
    ]);
  });

  test('Resources with the same drift are one section of the Markdown.', () => {
    const text = renderDriftMarkdown(driftOfProduction(clinics(500)));
    expect(text).toContain('<b>500 agents</b>: Title: Desk → Lobby');
    expect(text).toContain('Clinic 1 to Clinic 500.');
    expect(text.length).toBeLessThan(2_000);
  });

  test('Resources that could not be read for the same reason are shown once.', () => {
    const failed = [1, 2, 3].map((tries) => {
      const id = `camp_${tries}`;
      return unknownDrift('failed', { name: `clinic-${tries}`, id, reasons: [unread(id, tries)] });
    });
    const text = renderDriftText(driftOfProduction(failed), plain);
    expect(text.split('\n').slice(2, 5)).toEqual([
      '✗ 3 agents could not be read  (on service.example.com)',
      '    clinic-1 to clinic-3',
      '    reading the agent failed: no route',
    ]);
  });

  test('Resources with the same conflict are shown one by one, each with its commands.', () => {
    const text = renderDriftText(driftOfProduction(clinics(2, [{ ...move, effect: 'conflict', wanted: 'x' }])), plain);
    expect(text).toContain('~ Agent/clinic-1  (');
    expect(text).toContain('~ Agent/clinic-2  (');
  });
});

describe('hostile values', () => {
  const hostile = (a: string, b: string, c: string) =>
    driftOfProduction(
      [
        agentDrift({
          kind: c,
          name: a,
          id: b,
          target: { host: c, query: { [a]: b } },
          status: 'drifted',
          touched: true,
          lastUpdate: { live: Number.MAX_VALUE },
          moves: [
            { path: a, lastApplied: b, live: c, wanted: a, effect: 'set back' },
            { path: b, lastApplied: a, live: { [b]: [c] }, wanted: `${a}\n${c}`, effect: 'conflict' },
            { path: c, live: `${b}\n${a}`, effect: 'released' },
          ],
          doubts: [{ path: c, lastApplied: a, effect: 'sent' }],
        }),
        unknownDrift('blocked', { name: b, reasons: [saying(`${a} \`${c}\` ${b}`)] }),
        unknownDrift('unapplied', { kind: b, name: c }),
        unknownDrift('unreadable', { kind: a }),
      ],
      { environment: a, warnings: [saying(b)] },
    );

  test('Hostile values are escaped in the terminal, and no line ends in blanks.', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (a, b, c) => {
        const text = renderDriftText(hostile(a, b, c), plain);
        expect(dangerousIn(text)).toEqual([]);
        expect(text).not.toMatch(/ $/m);
      }),
      { numRuns: 30 },
    );
  });

  test('Hostile values do not act as Markdown outside fences and code spans.', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (a, b, c) => {
        const text = renderDriftMarkdown(hostile(a, b, c), { title: b });
        expect(dangerousIn(text)).toEqual([]);
        const markup = withoutCodeSpans(outsideFences(text));
        expect(markup).not.toMatch(/@\w/);
        expect(markup).not.toMatch(/(?<![&(])#\d/);
        expect(markup.replace(ourTags, '')).not.toContain('<');
        expect(markup.match(/<details(?: open)?>/g)).toHaveLength(markup.match(/<\/details>/g)?.length ?? 0);
        expect(markup).not.toContain('://');
      }),
      { numRuns: 30 },
    );
  });
});

test('The page of drift shows both versions of a conflict, and commands only in a folded block.', () => {
  const page = renderDriftHtml(richDrift());
  expect(page).toContain('<b>Live</b>');
  expect(page).toContain('<b>In the files</b>');
  expect(page).not.toContain('You lose');
  const outside = page.replace(/<pre>[\s\S]*?<\/pre>/g, '');
  expect(outside).not.toContain('agentform update');
  expect(page).toContain('agentform update front-desk --field settings.welcomeMessage -e production');
  expect(page).toContain('<b>Keep the edits</b>  agentform update Agent/front-desk -e production');
  expect(page).not.toContain('Undo the edits');
});

describe('after an apply that failed', () => {
  const failure = { code: 'service-unclear', at: '2026-11-22T08:00:00.000Z' };
  const move: Move = {
    path: 'settings.agentVoice',
    lastApplied: 'warm-1',
    live: 'warm-2',
    wanted: 'warm-1',
    effect: 'set back',
  };
  const unclear = agentDrift({ status: 'drifted', touched: true, lastUpdate: { failure }, moves: [move] });
  const textsOf = (resources: Parameters<typeof driftOfProduction>[0]) => {
    const drift = driftOfProduction(resources);
    return [
      renderDriftText(drift, plain),
      renderDriftMarkdown(drift),
      renderDriftHtml(drift).replace(/<style>[\s\S]*?<\/style>/, ''),
    ];
  };

  test('The title of the commit only speaks of dashboard edits if nothing else explains the differences.', () => {
    const edited = agentDrift({ name: 'b', status: 'drifted', touched: true, moves: [move] });
    const values = [{ path: move.path, from: 'warm-1', to: 'warm-2' }] as unknown as UpdatedResource['updated'];
    const titleOf = (drifted: readonly ReturnType<typeof agentDrift>[]) => {
      const updated = drifted.map(({ kind, name }) => {
        return { kind, name, action: 'update' as const, updated: values, refused: [], left: [], kept: [] };
      });
      const update = { environment: 'production', resources: updated, alsoChanged: [], files: [] };
      return driftTitle({ update, drift: driftOfProduction([unclear, edited]) });
    };
    expect(titleOf([edited])).toBe('Dashboard edits: 1 agent (production)');
    expect(titleOf([unclear])).toBe('Changes after a failed apply: 1 agent (production)');
    expect(titleOf([edited, unclear])).toBe('Dashboard edits and changes after a failed apply: 2 agents (production)');
  });

  test('No text says that a person edited an agent whose failed apply may have made the differences.', () => {
    for (const text of textsOf([unclear])) {
      expect(text.replace('does not record who edited', '')).not.toMatch(/someone|edited/i);
      expect(text).toContain('different after a failed apply');
    }
    expect(textsOf([unclear])[1]).toContain('1 setting of 1 agent differs in the dashboard after a failed apply.');
    expect(textsOf([unclear])[2]).toContain('<h1>1 setting different after a failed apply</h1>');
  });

  test('Other agents of the same run were still edited in the dashboard.', () => {
    const edited = agentDrift({
      name: 'web-chat',
      status: 'drifted',
      touched: true,
      lastUpdate: { seen: 1, live: 2 },
      moves: [move],
    });
    const [text = ''] = textsOf([unclear, edited]);
    expect(text).toContain('Drift: 1 edited in the dashboard, 1 different after a failed apply.');
    expect(text).toContain('Someone changed 1 setting of 1 agent in the dashboard since the last apply.');
  });

  test('An agent that only has doubts may have been changed by the failed apply.', () => {
    const doubts = [{ path: 'settings.description', effect: 'sent' as const }];
    const [text = ''] = textsOf([agentDrift({ status: 'in doubt', touched: true, lastUpdate: { failure }, doubts })]);
    expect(text).toContain('The last apply of 1 agent may have been carried out in part.');
    expect(text).not.toContain('Someone');
  });
});

test('The drift of a held resource says that the hold keeps settings in doubt from being sent again.', () => {
  const doubts = [{ path: 'settings.description', lastApplied: 'D', effect: 'held' as const }];
  const text = renderDriftText(driftOfProduction([agentDrift({ status: 'in doubt', touched: true, doubts })]), {
    ...plain,
    width: 200,
  });
  expect(text).toContain(
    '1 setting cannot be read back and may have been edited; a hold keeps the next apply from sending it again: Description',
  );
});

test('Drift counts the edits that the next apply keeps, and states a hold once.', () => {
  const hold = { by: 'Robin', since: '2026-11-27T01:56:04.123Z', reason: 'complaints' };
  const move = { path: 'settings.agentVoice', lastApplied: 'warm-1', live: 'calm-3' };
  const held = agentDrift({
    name: 'held',
    status: 'drifted',
    moves: [{ ...move, effect: 'held' }],
    reasons: [notice('held', { hold }, [['unhold', 'held']])],
  });
  const free = agentDrift({ status: 'drifted', moves: [{ ...move, effect: 'set back' }] });
  const text = renderDriftMarkdown(driftOfProduction([held, free]));
  expect(text).toContain('The next apply keeps 1 edit, because of a hold or the settings of production.');
  expect(text).toContain('The next apply undoes the other edits,');
  expect(text.match(/on hold by Robin/gi)).toHaveLength(1);
  expect(text).toContain('To release it, run `agentform unhold held`</sub>');
});
