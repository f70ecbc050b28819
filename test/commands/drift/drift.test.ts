import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderDriftHtml } from '../../../src/commands/drift/html.ts';
import { renderDriftMarkdown } from '../../../src/commands/drift/markdown.ts';
import { renderDriftText } from '../../../src/commands/drift/text.ts';
import type { Move } from '../../../src/schemas/drift-types.ts';
import { dangerousIn, hostileText } from '../../report/hostile-text.ts';
import { outsideFences, withoutCodeSpans } from '../../report/markdown/markdown-reader.ts';
import { sensitive } from '../../report/plan/plan-builders.ts';
import { saying } from '../../support/notices.ts';
import { agentDrift, driftOfProduction, richDrift, unknownDrift } from './drift-builders.ts';

const plain = { color: false, width: 100 } as const;

/** The text of `richDrift`. */
const wholeText = `\
Drift in production   ~ drifted   ? unverified   ! blocked   ✗ failed

~ Agent/front-desk  (camp_1 on service.example.com)
    someone edited it on the service, last at 2026-11-21 17:30 UTC, after the apply of 2026-11-21
      09:00 UTC; the service does not tell who
    ~ settings.title: "Desk" → "Reception"
      ↳ apply reverts it to the manifest's value
    ~ settings.welcomeMessage
        last applied     "Hi"
        on the service   "Hey"
        in the manifest  "Hello"
      ↳ conflict: the manifest changed too, to a different value
    ~ settings.agentModel: "small" → "large"
      ↳ the manifest already declares this value; apply only records it
    ~ settings.timezone: "UTC" → "Europe/Rome"
      ↳ the manifest no longer declares it; apply stops managing it, and the service keeps its
        current value
    - settings.agentVoice: "warm-1"
      ↳ the manifest no longer declares it; nothing to do
    ~ settings.agentInstructions: 1 line replaced
          Be kind.
        - Be brief.
        + Be loud.
      ↳ apply reverts it to the manifest's value
    + skills[billing]: { instructions: "Take cash." }
      ↳ apply reverts it to the manifest's value
    1 conflict to resolve, and nothing is applied to front-desk until you choose:
      \`agentform apply --overwrite Agent/front-desk -e production\` keeps the manifest's value and
      drops the live edit;
      \`agentform update front-desk --field settings.welcomeMessage -e production\` copies the live
      value into the manifest and drops the manifest's edit
    unverified: 2 settings cannot be read back and may have changed; apply sends them again:
      settings.description, settings.speakingTimeout
    unverified: 1 setting cannot be read back and may have changed; the manifest no longer declares
      it, and apply stops managing it: settings.postAnswerDtmf

? Agent/sales  (camp_2 on service.example.com)
    someone may have edited it on the service: it was last written at 2026-11-21 17:30 UTC, and the
      record does not tell when it was applied
    unverified: 1 setting cannot be read back and may have changed; apply does not send it, because
      the environment sets \`unverified: report\`: settings.description

! Agent/support blocked  (camp_3 on service.example.com)
    the record belongs to a different agent

✗ Agent/lobby failed  (camp_4 on service.example.com)
    the service did not answer

· 2 agents as applied
· never applied, so without drift: Agent/new
· 2 resources of a kind that the service does not return (Member and Context): drift is unknown
· not read, because there is a record but no manifest: Agent/old; \`agentform plan -e production\`
  says what to do

warning: Agent/a and Agent/b have the same agent id camp_1, so one would overwrite the other

Drift: 1 drifted, 1 unverified, 2 as applied, 1 never applied, 2 not returned by the service, 1
  blocked, 1 failed, 1 orphan.
7 settings drifted, 1 of them in conflict with the manifest; 4 settings cannot be read back and may
  have changed.
Compared 16 of 30 applied settings with the service; 14 cannot be read back (10 assumed unchanged, 4
  unverified).
\`agentform update Agent/front-desk -e production\` keeps what changed on the service,
  \`agentform apply Agent/front-desk -e production\` reverts it.
`;

describe('as text', () => {
  test('Drift as text reads from top to bottom.', () => {
    expect(renderDriftText(richDrift(), plain)).toBe(wholeText);
  });

  test.each([
    [[agentDrift()], 'No drift: the agent matches the last apply.\nCompared 4 of 9 applied settings'],
    [[agentDrift({ name: 'a' }), agentDrift({ name: 'b' })], 'No drift: both agents match the last apply.\n'],
    [[unknownDrift('unapplied')], 'No drift: no readable settings have been applied.\n'],
    [[unknownDrift('failed'), agentDrift()], 'No drift found, but 1 could not be read.\n'],
    [[unknownDrift('blocked')], 'No drift found, but 1 is blocked.\n'],
    [[], 'No drift: no readable settings have been applied.\n'],
  ])('Drift as text says what it comes to: %#.', (resources, sentence) => {
    expect(renderDriftText(driftOfProduction(resources), plain)).toContain(sentence);
  });

  test('Drift as text shows an agent that somebody touched although nothing that is managed moved.', () => {
    const touched = agentDrift({ touched: true, lastUpdate: { seen: 1000, live: 2000 }, assumed: 0 });
    const text = renderDriftText(driftOfProduction([touched]), plain);
    expect(text).toContain('· Agent/front-desk  (camp_1 on service.example.com)\n    someone edited it on the service');
    expect(text).toContain('No drift: the agent matches the last apply.\nCompared all 4 applied settings');
  });

  test.each([
    [['settings.timezone'], false, '· 1 setting on the service is not managed; use --verbose to list it\n'],
    [['skills', 'apps'], false, '· 2 settings on the service are not managed; use --verbose to list them\n'],
    [['skills', 'apps'], true, '· 2 settings of Agent/front-desk on the service are not managed: skills, apps\n'],
  ])('Drift as text counts what nobody manages, or names it: %j %j.', (unmanaged, verbose, line) => {
    const drift = driftOfProduction([agentDrift({ unmanaged })]);
    expect(renderDriftText(drift, { ...plain, verbose })).toContain(line);
  });

  test('Drift as text names what nobody manages behind a click, where there is no option to ask for it.', () => {
    const drift = driftOfProduction([agentDrift({ unmanaged: ['skills', 'apps'] })]);
    const markdown = renderDriftMarkdown(drift);
    expect(markdown).toContain(
      '<details>\n<summary>2 settings on the service are not managed</summary>\n\n' +
        '- 2 settings of Agent/front-desk on the service are not managed: skills, apps\n\n</details>',
    );
    expect(markdown).not.toContain('--verbose');
  });

  test('Drift as text names how what moved is kept or reverted, for all at once where they are many.', () => {
    const moved = (name: string) =>
      agentDrift({
        name,
        status: 'drifted',
        moves: [{ path: 'settings.title', lastApplied: 'Desk', live: 'Lobby', wanted: 'Desk', effect: 'set back' }],
      });
    const text = (names: readonly string[]) =>
      renderDriftText(driftOfProduction(names.map(moved)), { color: false, width: 400 });
    expect(text(['a', 'b'])).toContain(
      '`agentform update Agent/a Agent/b -e production` keeps what changed on the service, ' +
        '`agentform apply Agent/a Agent/b -e production` reverts it.\n',
    );
    expect(text(['a', 'b', 'c', 'd'])).toContain("`agentform update '*' -e production`");
    expect(renderDriftText(driftOfProduction([agentDrift()]), plain)).not.toContain('reverts it');
  });

  test('Drift as text masks what is sensitive.', () => {
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

  test('Drift as text abridges a text that is gone, unless it is asked for whole.', () => {
    const move: Move = { path: 'settings.agentInstructions', lastApplied: 'Be kind.\n'.repeat(40), effect: 'set back' };
    const gone = driftOfProduction([agentDrift({ status: 'drifted', moves: [move] })]);
    expect(renderDriftText(gone, plain)).toContain('… 34 more lines');
    expect(renderDriftText(gone, { ...plain, full: true })).not.toContain('more lines');
  });
});

/** The Markdown of `richDrift`. */
const wholeMarkdown = `\
### agentform drift in \`production\`

**Drift: 1 drifted, 1 unverified, 2 as applied, 1 never applied, 2 not returned by the service, 1 blocked, 1 failed, 1 orphan.**

7 settings drifted, 1 of them in conflict with the manifest; 4 settings cannot be read back and may have changed.<br>
Compared 16 of 30 applied settings with the service; 14 cannot be read back (10 assumed unchanged, 4 unverified).

\`agentform update Agent/front-desk -e production\` keeps what changed on the service, \`agentform apply Agent/front-desk -e production\` reverts it.

- warning: Agent/a and Agent/b have the same agent id camp\\_1, so one would overwrite the other

<details>
<summary><b>drifted</b> <code>Agent/front-desk</code>: 7 settings drifted, 1 conflict, 3 settings unverified <i>(camp_1 on service.example.com)</i></summary>

someone edited it on the service, last at 2026-11-21 17:30 UTC, after the apply of 2026-11-21 09:00 UTC; the service does not tell who

\`\`\`diff
- settings.title: "Desk"
+ settings.title: "Reception"
    apply reverts it to the manifest's value
! settings.welcomeMessage
  last applied     "Hi"
- on the service   "Hey"
+ in the manifest  "Hello"
    conflict: the manifest changed too, to a different value
- settings.agentModel: "small"
+ settings.agentModel: "large"
    the manifest already declares this value; apply only records it
- settings.timezone: "UTC"
+ settings.timezone: "Europe/Rome"
    the manifest no longer declares it; apply stops managing it, and the service keeps its current value
- settings.agentVoice: "warm-1"
    the manifest no longer declares it; nothing to do
\`\`\`

\`settings.agentInstructions\`: 1 line replaced; apply reverts it to the manifest's value

\`\`\`diff
  Be kind.
- Be brief.
+ Be loud.
\`\`\`

\`\`\`diff
+ skills[billing]: { instructions: "Take cash." }
    apply reverts it to the manifest's value
\`\`\`

unverified: 2 settings cannot be read back and may have changed; apply sends them again: \`settings.description\`, \`settings.speakingTimeout\`

unverified: 1 setting cannot be read back and may have changed; the manifest no longer declares it, and apply stops managing it: \`settings.postAnswerDtmf\`

- 1 conflict to resolve, and nothing is applied to front-desk until you choose: \`agentform apply --overwrite Agent/front-desk -e production\` keeps the manifest's value and drops the live edit; \`agentform update front-desk --field settings.welcomeMessage -e production\` copies the live value into the manifest and drops the manifest's edit

</details>

<details>
<summary><b>unverified</b> <code>Agent/sales</code>: 1 setting unverified <i>(camp_2 on service.example.com)</i></summary>

someone may have edited it on the service: it was last written at 2026-11-21 17:30 UTC, and the record does not tell when it was applied

unverified: 1 setting cannot be read back and may have changed; apply does not send it, because the environment sets \`unverified: report\`: \`settings.description\`

</details>

<details>
<summary><b>blocked</b> <code>Agent/support</code> <i>(camp_3 on service.example.com)</i></summary>

- the record belongs to a different agent

</details>

<details>
<summary><b>failed</b> <code>Agent/lobby</code> <i>(camp_4 on service.example.com)</i></summary>

- the service did not answer

</details>

- 2 agents as applied
- never applied, so without drift: Agent/new
- 2 resources of a kind that the service does not return (Member and Context): drift is unknown
- not read, because there is a record but no manifest: Agent/old; \`agentform plan -e production\` says what to do
`;

describe('as Markdown', () => {
  test('Drift as Markdown reads from top to bottom.', () => {
    expect(renderDriftMarkdown(richDrift())).toBe(wholeMarkdown);
  });

  test('Drift as Markdown takes a title, and keeps to a limit by leaving out whole sections.', () => {
    const long = (name: string, lines: number) =>
      agentDrift({
        name,
        status: 'drifted',
        moves: [{ path: 'settings.agentInstructions', live: 'Be kind.\n'.repeat(lines), effect: 'set back' }],
      });
    const drift = driftOfProduction([long('a', 5), long('b', 5_000), long('c', 10)]);
    const text = renderDriftMarkdown(drift, { limit: 4_000, title: 'Drift of @team' });
    expect(text).toMatch(/^### Drift of @&#8203;team\n/);
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text).toMatch(/\*\*Left out for length:\*\* `Agent\/b` \(5\d,\d{3} characters\)\n$/);
    expect(renderDriftMarkdown(drift, { limit: 40 }).length).toBeLessThanOrEqual(40);
  });
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

  test('Resources that drifted alike are shown once, with their number and names.', () => {
    const text = renderDriftText(driftOfProduction(clinics(12)), plain);
    expect(text.split('\n').slice(2, 7)).toEqual([
      '~ 12 agents  (on service.example.com)',
      '    clinic-1 to clinic-12',
      '    someone edited each of them on the service since the last apply; the service does not tell who',
      '    ~ settings.title: "Desk" → "Lobby"',
      "      ↳ apply reverts it to the manifest's value",
    ]);
  });

  test('Resources that drifted alike are one section in a pull request.', () => {
    const text = renderDriftMarkdown(driftOfProduction(clinics(500)));
    expect(text).toContain('<b>drifted</b> 500 agents: 1 setting drifted <i>(on service.example.com)</i>');
    expect(text).toContain('Agent/clinic-1 to Agent/clinic-500');
    expect(text.length).toBeLessThan(2_000);
  });

  test('Resources that drifted alike but in conflict are shown one by one, each with its commands.', () => {
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

  test('Hostile values never reach the terminal raw, and no line ends in blanks.', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (a, b, c) => {
        const text = renderDriftText(hostile(a, b, c), plain);
        expect(dangerousIn(text)).toEqual([]);
        expect(text).not.toMatch(/ $/m);
      }),
      { numRuns: 100 },
    );
  });

  test('Hostile values leave nothing live in Markdown outside of fences and code spans.', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (a, b, c) => {
        const text = renderDriftMarkdown(hostile(a, b, c), { title: b });
        expect(dangerousIn(text)).toEqual([]);
        const markup = withoutCodeSpans(outsideFences(text));
        expect(markup).not.toMatch(/@\w/);
        expect(markup).not.toMatch(/(?<!&)#\d/);
        expect(markup.replace(/<\/?(?:details|summary|b|code|i|br)>/g, '')).not.toContain('<');
        expect(markup.match(/<details>/g)).toHaveLength(2);
        expect(markup.match(/<\/details>/g)).toHaveLength(2);
        expect(markup).not.toContain('://');
      }),
      { numRuns: 150 },
    );
  });
});

test('Drift as a page says what each choice of a conflict keeps and loses, and its command.', () => {
  const page = renderDriftHtml(richDrift());
  expect(page).toContain('<b>Keep what is live now.</b>');
  expect(page).toContain('<b>Take what is proposed.</b>');
  expect(page).toContain('<code>agentform update front-desk --field settings.welcomeMessage -e production</code>');
});

test('Drift as a page tells whoever applies it, and not its reader, the commands for what only drifted.', () => {
  const text = renderDriftHtml(richDrift()).replace(/<[^>]*>/g, '');
  expect(text.split('Changes')[0]).not.toContain('agentform update');
  expect(text).toMatch(
    /For the person who applies it: agentform update .* keeps what changed on the service, agentform apply .* reverts it\./,
  );
});
