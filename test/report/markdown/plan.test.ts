import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import markdownIt from 'markdown-it';
import { notice } from '../../../src/notices/notice.ts';
import { changeParts } from '../../../src/report/changes.ts';
import { listItems } from '../../../src/report/markdown/comment.ts';
import { questionsInWords } from '../../../src/report/plan/questions.ts';
import { planPages, renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
import type { Plan, Question, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { refusing, saying } from '../../support/notices.ts';
import { dangerousIn, hostileText } from '../hostile-text.ts';
import { asking, change, plan, resource, richPlan, unchanged } from '../plan/plan-builders.ts';
import { ourTags, outsideFences, withoutCodeSpans } from './markdown-reader.ts';

/** The parts of the Markdown that GitHub interprets. */
function live(markdown: string): string {
  return withoutCodeSpans(outsideFences(markdown));
}

/** Returns the only page, and whether content was omitted. */
function planMarkdown(made: Plan, options: { readonly limit?: number } = {}) {
  const { pages, shortened } = planPages(made, { ...options, maxPages: 1 });
  return { text: pages[0] ?? '', shortened };
}

/** Table rows whose number of cells differs from the head. GitHub would drop cells, or show no table. */
function brokenRows(markdown: string): string[] {
  const cells = (row: string) => row.match(/(?<!\\)\|/g)?.length;
  let head = '';
  return markdown.split('\n').filter((line, index, lines) => {
    if (!line.startsWith('|')) return false;
    if (lines[index - 1]?.startsWith('|') !== true) head = line;
    return cells(line) !== cells(head);
  });
}

const linkTo = (file: string, { first, last }: { readonly first: number; readonly last: number }) =>
  `https://example.com/${file}#${first}-${last}`;
const source = (file: string, line: number) => ({ source: { file, line } });

const conflict = change({
  path: 'settings.welcomeMessage',
  cause: 'conflict',
  lastApplied: 'Hello.',
  from: 'Hello from Elm Street.',
  to: 'Good day.',
});
const choices: Question['choices'] = [
  { letter: 'A', code: 'keep' },
  { letter: 'B', code: 'take' },
];

describe('the comment of a plan', () => {
  test('A comment has the verdict first, then a table of changes, then a fold for each agent.', () => {
    const made = plan([resource({ changes: [change({ ...source('agents/a.yaml', 9) })] }), unchanged('a')]);
    expect(renderPlanMarkdown(made, { linkTo, page: 'https://example.com/page' })).toBe(`\
### Plan for \`production\`: ready to apply

**1 agent changes, 1 stays the same.**<br>
[**Open the page**](https://example.com/page) with everything side by side

#### Changes

| Agent | What changes |
| :-- | :-- |
| [**Front desk**](#production_card-front-desk) | Title |

<sub>Nothing changes until this plan is applied. Callers hear the change once it is published. **Live now** shows the settings in the dashboard when this plan was made. **Will be** shows the settings after this plan is applied.</sub>

<details open>
<summary><a id="production_card-front-desk"></a><b>Front desk</b>: Title: Old → New</summary>
<br>

| Setting | Live now | Will be |
| :-- | :-- | :-- |
| **Title** | Old | New |

<sub>[\`agents/a.yaml:9\`](https://example.com/agents/a.yaml#9-9) · \`Agent/front-desk\` · camp\\_1 on service.example.com</sub>

</details>

<a id="production_unchanged"></a>**1 agent**: stays the same: A

<details>
<summary><a id="production_technical"></a>For people who run commands</summary>
<br>

| About | Details |
| :-- | :-- |
| Apply | agentform apply -e production |
| Compared | Checked 5 of 10 settings. Not checked: 5 write-only (assumed unchanged). |
| Plan | d |

</details>
`);
  });

  test('A comment has a checkbox for each answer, below a hidden line with the number of the question.', () => {
    const made = plan([resource({ changes: [conflict] })], {
      questions: [asking(3, 'conflict', ['Agent/front-desk'], choices)],
    });
    const text = renderPlanMarkdown(made, { answers: new Map([[3, 'B']]) });
    expect(text).toContain(`\
#### Answer first

<!-- question 3 -->
<a id="production_q3"></a>**3. Which greeting should Front desk have?** Edited in the dashboard and in the files. Nothing changes in Front desk until you answer. [Compare](#production_q3-change)
- [ ] **A** Keep the live one: “Hello from Elm Street.”
- [x] **B** Take the proposed one: “Good day.”

`);
    expect(text.indexOf('#### Answer first')).toBeLessThan(text.indexOf('#### Changes'));
    expect(text).toContain('Tick a box, or write a comment such as <kbd>3A</kbd>.');
    expect(text).toContain(
      '| [**Front desk**](#production_card-front-desk) | only after an answer: Greeting (question 3) |',
    );
  });

  test('A comment shows the versions of a conflict in words, with the differences marked.', () => {
    const text = renderPlanMarkdown(plan([resource({ changes: [conflict] })]));
    expect(text).toContain('| Before the two edits | Hello. |');
    expect(text).toContain('| **B** Take the proposed one | Good day. |');
    const [lastApplied, from] = [
      'We are closed now, and I take messages.',
      'We are closed today, and I take messages.',
    ];
    const alike = renderPlanMarkdown(plan([resource({ changes: [{ ...conflict, lastApplied, from }] })]));
    expect(alike).toContain(
      '| **A** Keep the live one | We are closed <del>now</del> <ins><b>today</b></ins>, and I take messages. |',
    );
  });

  test('A comment shows a short text in a conflict whole, and of a long one the lines around the edits.', () => {
    const steps = Array.from({ length: 10 }, (_, index) => `Step ${index}.`);
    const lines = [...steps, 'Listen.', 'Wait.', 'Say the price.', 'Write it down.'];
    const textOf = (edited: readonly string[]) => `${edited.join('\n')}\n`;
    const edits = {
      lastApplied: textOf(lines),
      from: textOf(lines.with(12, 'Never say a price.')),
      to: textOf(lines.toSpliced(12, 1)),
    };
    const text = renderPlanMarkdown(plan([resource({ changes: [{ ...conflict, ...edits }] })]));
    const [before, after] = ['| …<br>Listen.<br>Wait.<br><del>Say the price.</del>', '<br>Write it down. |'];
    expect(text).toContain(`${before}<br><ins><b>Never say a price.</b></ins>${after}`);
    expect(text).toContain(`${before}${after}`);
    const short = { lastApplied: 'Greet.\nListen.\nWait.\n', from: 'Be kind.\n', to: 'Greet.\nListen.\nWait.\nAsk.\n' };
    const whole = renderPlanMarkdown(plan([resource({ changes: [{ ...conflict, ...short }] })]));
    expect(whole).toContain('| **A** Keep the live one | Be kind. |');
    expect(whole).toContain('| **B** Take the proposed one | Greet.<br>Listen.<br>Wait.<br><ins><b>Ask.</b></ins> |');
  });

  test('A comment has plain names of settings in warnings, and paths in commands.', () => {
    const left = notice('drift-left', { paths: ['settings.title', 'skills[a].instructions'] }, [
      ['update', 'settings.title'],
    ]);
    const shared = notice('prompt-section-lost', { path: 'settings.agentInstructions', section: 'Prices' });
    const both = ['a', 'b'].map((name) => resource({ name, changes: [change({ to: name })], warnings: [shared] }));
    const text = renderPlanMarkdown(plan([resource({ reasons: [left], action: 'blocked' }), ...both]));
    expect(text).toContain('Title and Skill a instructions were edited in the dashboard');
    expect(text).toContain('run `agentform update settings.title`');
    expect(text.match(/The whole section 'Prices' of Instructions is removed/gi)).toHaveLength(1);
    expect(text).not.toContain('Good to know');
  });

  test('A comment says in words who kept settings and when, and shows commands only in small print.', () => {
    const hold = { by: 'Robin', since: '2026-11-27T01:56:04.123Z', reason: 'answered' };
    const kept = notice('settings-kept', { hold, paths: ['settings.agentVoice'] }, [['unhold', 'front-desk']]);
    const doubt = notice('unverified-kept', { paths: ['settings.agentInstructions'] });
    const text = renderPlanMarkdown(plan([resource({ changes: [change()], warnings: [kept, doubt] })]));
    expect(text).toContain(
      'Voice stays as it is in the dashboard until the files change it. Kept by Robin since 27 Nov 2026, 01:56 UTC: answered.',
    );
    expect(text).toContain('Instructions cannot be read back and may have been edited in the dashboard');
    expect(text).not.toMatch(/settings\.|2026-11|unverified/);
    expect(text.split('\n').filter((line) => line.includes('unhold'))).toEqual([
      expect.stringMatching(/^<sub>.* · To apply the files, run `agentform unhold front-desk`<\/sub>$/),
    ]);
  });

  test('A comment shows the live value of a kept setting beside the one in the files.', () => {
    const hold = { by: 'Robin', since: '2026-11-27T01:56:04.123Z', reason: 'answered' };
    const warnings = [notice('settings-kept', { hold, paths: ['settings.title'] }, [['unhold', 'front-desk']])];
    const made = plan([resource({ action: 'none', kept: [change({ cause: 'drift' })], warnings })]);
    const text = renderPlanMarkdown(made);
    expect(text).toContain('\n| Setting | Live now | In the files |\n| :-- | :-- | :-- |\n| **Title** | Old | New |\n');
    expect(text).toContain('| [**Front desk**](#production_card-front-desk) | kept: Title |');
    // A decision to keep edits is not shown as a warning.
    expect(text).not.toMatch(/warning/i);
    const voice = change({ path: 'settings.agentVoice', from: 'warm-1', to: 'warm-2' });
    const both = plan([resource({ changes: [voice], kept: [change({ cause: 'drift' })], warnings })]);
    expect(renderPlanMarkdown(both)).toMatch(
      /Live now \| Will be \|\n.*\n\| \*\*Voice.*\|\n(?:.*\n)+.*Live now \| In the files \|\n.*\n\| \*\*Title/,
    );
  });

  test('A comment does not claim that an agent stays the same if its state is unknown.', () => {
    const lost = resource({ action: 'blocked', changes: [], reasons: [saying('an earlier run may have created it')] });
    const text = renderPlanMarkdown(plan([lost]));
    expect(text).toContain('| nothing is sent (cannot be applied) |');
    expect(text).not.toContain('the same');
  });

  test('A comment names the earlier name of a renamed agent in words.', () => {
    const renamed = resource({ name: 'night-line', renamedFrom: 'after-hours', action: 'update', changes: [] });
    const text = renderPlanMarkdown(plan([renamed]));
    expect(text).toContain('\nRenamed in the files from After hours; nothing is sent.\n');
  });

  test('A comment shows a skill by the titles of its members, and a list without quotes.', () => {
    const instructions = 'Offer the next two free appointments.\nThen say goodbye to the caller in a friendly way.';
    const skill = change({ path: 'skills[calendar]', to: { instructions } });
    const made = renderPlanMarkdown(plan([resource({ action: 'create', changes: [skill] })]));
    const added = renderPlanMarkdown(plan([resource({ changes: [skill] })]));
    for (const text of [made, added]) {
      expect(text).toContain('Skill calendar instructions');
      expect(text).toContain('Offer the next two free appointments.');
      expect(text).not.toContain('"Offer');
    }
    const sounds = { items: [{ name: 'a '.repeat(25) }, { name: 'b '.repeat(25) }] };
    const list = renderPlanMarkdown(plan([resource({ changes: [change({ path: 'extraSettings.x', to: sounds })] })]));
    expect(list).toContain(`name: ${'a '.repeat(25).trim()}`);
  });

  test('A fold of several agents has their names once, and their number never as a code name.', () => {
    const foldOf = (names: string[]) => {
      const text = renderPlanMarkdown(plan(names.map((name) => resource({ name, changes: [change()] }))));
      return text.slice(text.indexOf('<details'), text.indexOf('</details>'));
    };
    expect(foldOf(['a', 'b'])).toContain('<b>A and B</b>');
    expect(foldOf(['a', 'b'])).not.toContain('A, B');
    expect(foldOf(['a', 'b', 'c', 'd'])).toContain('\n\nA, B, C and D.\n\n<sub>on service.example.com</sub>');
  });

  test('A comment links the run by its number, and breaks out of no link.', () => {
    const rowOf = (run: string) => {
      const text = renderPlanMarkdown(plan([resource({ changes: [change()] })], { from: { run } }));
      return text.split('\n').find((line) => line.startsWith('| Run'));
    };
    expect(rowOf('https://example.com/actions/runs/991')).toBe(
      '| Run | [No. 991](<https://example.com/actions/runs/991>) |',
    );
    expect(rowOf('https://example.com/runs/991/attempts/2')).toContain(
      '[No. 991](<https://example.com/runs/991/attempts/2>)',
    );
    expect(rowOf('https://example.com/a)|`b`')).toContain('](<https://example.com/a)%7C%60b%60>) |');
    expect(rowOf('https://example.com/a>b')).not.toContain('](');
    expect(rowOf('javascript:alert(1)')).not.toContain('](');
  });

  test('The names distinguish agents with the same title.', () => {
    const edited = (name: string, from: string) => {
      return resource({ name, title: 'Front desk', changes: [change({ cause: 'drift', from })] });
    };
    const made = plan([edited('elm-street', 'Elm'), edited('main-street', 'Main')]);
    const text = renderPlanMarkdown(made);
    for (const title of ['Front desk (elm-street)', 'Front desk (main-street)']) {
      expect(text).toContain(`Keep what was edited in ${title}?`);
      expect(text).toContain(`| [**${title}**](#`);
      expect(made.questions.map(questionsInWords(made.questions, made)).map((one) => one.title)).toContain(
        `Keep what was edited in ${title}?`,
      );
    }
  });

  test('Every link of a comment has its target in the comment.', () => {
    const text = renderPlanMarkdown(
      plan([
        resource({
          changes: [conflict, change({ path: 'settings.agentInstructions', from: 'Ask.\n', to: 'TODO\n' })],
          warnings: [notice('prompt-check', { rule: 'prompt-placeholder', finding: "'TODO' is never filled in" })],
        }),
        resource({ name: 'web', changes: [change({ cause: 'drift' })] }),
        resource({
          name: 'left',
          action: 'none',
          kept: [change({ cause: 'drift' })],
          warnings: [notice('drift-left', { paths: ['settings.title'] }, [['update', 'left']])],
        }),
        resource({ name: 'new', action: 'create', changes: [change({})] }),
      ]),
    );
    const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
    const targets = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(9);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    expect(text).toContain('Keep what was edited in Left?** Title was edited in the dashboard.');
    expect(text).toContain('| [**Left**](#production_card-left) | kept unless undone: Title (question 3) |');
    expect(text).toContain("Is the text of Front desk ready for callers?** 'TODO' is never filled in.");
  });

  describe('findings in a text that several agents share', () => {
    const warnings = [
      notice('prompt-check', {
        rule: 'prompt-placeholder',
        finding: "'TODO' is left",
        at: { file: 'rules.md', line: 9 },
      }),
    ];
    const around = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const edit = (...start: readonly string[]) =>
      change({
        path: 'settings.agentInstructions',
        from: [...start, 'Ask the caller.', 'Say goodbye.'].join('\n'),
        to: [...start, 'Ask TODO.', 'Say goodbye.'].join('\n'),
        source: { file: 'rules.md', line: 9 },
      });
    const agents = (...changes: readonly ReturnType<typeof edit>[]) =>
      plan(changes.map((one, index) => resource({ name: `a${index}`, warnings, changes: [one] })));

    test('A finding is beside its line if all agents have the same text.', () => {
      const made = agents(edit(...around), edit(...around));
      expect(renderPlanMarkdown(made)).toContain("| added | Ask TODO.<br>**Warning:** 'TODO' is left |");
      expect(renderPlanText(made, { color: false, width: 100 })).toContain('@ line 7\n');
    });

    test('A finding is a note if the agents have different texts, because the line would be another.', () => {
      const text = renderPlanMarkdown(agents(edit(...around), edit('Only here.', ...around)));
      expect(text).not.toContain('<br>**Warning:**');
      expect(text).toContain("**Warning:** 'TODO' is left");
    });
  });

  test('A comment shows a text by its changed lines, with both words in one.', () => {
    const text = renderPlanMarkdown(richPlan());
    expect(text).toContain(`\
**Instructions**: 1 line added, 1 line reworded

| Change | Instructions |
| :-- | :-- |
| reworded | Greet the caller <del>politely</del> <ins><b>warmly</b></ins> and ask for their name. |
| added | Say goodbye by name. |
`);
  });

  test('A comment counts the spaces that changed.', () => {
    const spaces = change({
      path: 'settings.agentInstructions',
      from: 'Ask for the name.\nBye.',
      to: 'Ask  for the name.\nBye.',
    });
    const text = renderPlanMarkdown(plan([resource({ changes: [spaces] })]));
    expect(text).toContain('| reworded | Ask <del>␣</del> <ins><b>␣␣</b></ins>for the name. |');
  });

  test('A comment shows the values of a new agent in words, and its whole texts.', () => {
    const text = renderPlanMarkdown(
      plan([
        resource({
          action: 'create',
          changes: [
            change({ path: 'settings.callerResponseTimeout', to: 15, knowledge: 'blind' }),
            change({ path: 'settings.agentInstructions', to: '# Desk\n\n- Be *kind*.' }),
          ],
        }),
      ]),
    );
    expect(text).toContain('| Silence before asking again | 15 seconds |\n| Instructions | below |\n');
    expect(text).toContain('> <b>Desk</b><br>\n>\n> • Be \\*kind\\*.<br>\n');
  });

  test('A removed word has no blank between it and a mark.', () => {
    const [from, to] = ['Say your name.\nAre you there now, sir?', 'Say your name.\nAre you there, sir?'];
    const text = renderPlanMarkdown(
      plan([resource({ changes: [change({ path: 'settings.agentInstructions', from, to })] })]),
    );
    expect(text).toContain('| Are you there <del>now</del>, sir? |');
  });

  test('A comment shows a text that several agents share once.', () => {
    const shared = change({
      path: 'settings.publicInstructions',
      from: 'Be brief.\nBe calm and quick.',
      to: 'Be brief.\nBe kind and quick.',
    });
    const others = ['b', 'c'].map((name) => resource({ name, changes: [shared] }));
    const own = resource({ name: 'a', changes: [change(), shared] });
    const text = renderPlanMarkdown(plan([own, ...others]));
    expect(text.match(/\| reworded \|/g)).toHaveLength(1);
    expect(text).toContain('**Public instructions**: the same change as in [B and C](#production_card-group)');
    expect(text).toContain('(also in 1 other agent)');
    const created = (name: string) =>
      resource({
        name,
        action: 'create',
        changes: [change({ path: shared.path, to: shared.to }), change({ to: name })],
      });
    const alsoIn = (resources: readonly ResourcePlan[]) =>
      renderPlanMarkdown(plan(resources)).match(/(?<= \()[^(]* agents?[^)]*(?=\))/g);
    expect(alsoIn([own, ...others, created('d')])).toEqual(['also in 1 other agent; 1 new agent has this text']);
    expect(alsoIn([own, created('d'), created('e')])).toEqual(['2 new agents have this text']);
    // An agent with another old text shows its own difference.
    const other = resource({ name: 'f', changes: [{ ...shared, from: 'Be slow.' }] });
    expect(alsoIn([own, created('d'), other])).toEqual(['1 new agent has this text']);
  });

  test('A comment gives the reason of many holds once, with one command for all.', () => {
    const held = { by: 'octo-dev', since: '2026-11-20T10:00:00Z', reason: 'callers complained' };
    const many = Array.from({ length: 90 }, (_, index) =>
      resource({
        name: `line-${index}`,
        action: 'blocked',
        held,
        labels: { ring: 'late' },
        reasons: [notice('held', { hold: held }, [['unhold', `Agent/line-${index}`, '-e', 'production']])],
        prevented: { action: 'update', changes: [change()] },
      }),
    );
    const text = renderPlanMarkdown(plan(many));
    expect(text.match(/callers complained/g)).toHaveLength(1);
    expect(text).toContain('Release the hold: `agentform unhold -l ring=late -e production`');
  });

  test.each<[string, Plan, string]>([
    ['nothing to do', plan([unchanged('a'), unchanged('b')]), 'No changes: both agents in production match the files.'],
    ['nothing possible', plan([resource({ action: 'failed' })]), '1 agent could not be read.**'],
    ['refusals', richPlan(), '1 agent would change, 1 new agent would be created, 1 dashboard edit would be undone, '],
    [
      'obstacles',
      { ...richPlan(), refusals: [] },
      '1 new agent, 1 agent sent again, 1 agent left out without an answer, 1 agent cannot be applied, ',
    ],
  ])('A comment begins with the verdict for: %s', (_, some, sentence) => {
    expect(renderPlanMarkdown(some).split('\n')[2]).toContain(`**${sentence}`);
  });

  test('A comment accepts a title, a preface and a consequence.', () => {
    const text = renderPlanMarkdown(plan([]), {
      title: 'Drift <b> of @team',
      preface: 'Offline.',
      consequence: 'It fails.',
    });
    expect(text).toMatch(/^### Drift &lt;b&gt; of @&#8203;team: up to date\n\nOffline\.\n\n\*\*.*\*\* It fails\./);
  });
});

describe('the size limit of a comment', () => {
  test('A program without types can leave the limit undefined.', () => {
    const undefinedLimit: object = { limit: undefined };
    expect(renderPlanMarkdown(plan([resource()]), undefinedLimit)).toBe(renderPlanMarkdown(plan([resource()])));
  });

  const prompt = (lines: number) =>
    change({ path: 'settings.agentInstructions', to: 'Be kind.\n'.repeat(lines), from: 'x' });
  const sizes = [100, 4_000, 10, 2_000, 50];
  const big = plan(sizes.map((lines, index) => resource({ name: `agent-${index}`, changes: [prompt(lines)] })));

  test('A comment over the limit drops texts before the table and the questions, and says so.', () => {
    const { text, shortened } = planMarkdown(big, { limit: 10_000 });
    expect(shortened).toBe(true);
    expect(text.length).toBeLessThanOrEqual(10_000);
    for (const index of sizes.keys()) expect(text).toContain(`[**Agent ${index}**](#production_card-agent-${index})`);
    expect(text).toContain('**Note:** This comment has no room for the longest texts. To see them, run');
    const own = (index: number) => change({ ...prompt(1), to: `Be kind to ${index}.\n`.repeat(40) });
    const agents = Array.from({ length: 20 }, (_, index) => resource({ name: `a-${index}`, changes: [own(index)] }));
    const short = planMarkdown(plan(agents), { limit: 10_000 }).text;
    expect(short).not.toContain('Be kind to');
    expect(short).toContain(
      '**Note:** This comment has no room for changed texts. To see them, run `agentform plan --full -e production`.\n',
    );
    const values = resource({ name: 'new', action: 'create', changes: [prompt(9_000)] });
    const page = renderPlanMarkdown(plan([values]), { limit: 10_000, page: 'https://ci.example/run' });
    expect(page.match(/\*\*Note:\*\*.*/g)).toEqual([
      '**Note:** This comment has no room for the values of new agents. [The page](https://ci.example/run) shows them.',
    ]);
    expect(planMarkdown(plan([resource({ changes: [change()] })])).text).not.toContain('no room');
  });

  test('A text that is longer than a comment does not take the texts of other agents with it.', () => {
    const [from, to] = ['so '.repeat(40_000), `NOW ${'so '.repeat(40_000)}`];
    const long = resource({ name: 'long', changes: [change({ path: 'settings.agentInstructions', from, to })] });
    const created = resource({ name: 'new', action: 'create', changes: [change({ to: 'Billing' })] });
    const made = plan([long, resource({ name: 'short', changes: [prompt(3)] }), created]);
    for (const maxPages of [1, 10]) {
      const { pages, shortened } = planPages(made, { limit: 60_000, maxPages });
      expect(shortened).toBe(true);
      expect(pages).toHaveLength(1);
      expect(pages[0]).toContain('| added | Be kind. |');
      expect(pages[0]).toContain('**Instructions**: 1 line replaced\n');
      expect(pages[0]).toContain('| Title | Billing |');
      expect(pages[0]).toContain('This comment has no room for the longest texts.');
    }
  });

  test('A comment that leaves out cards says where to read them, also after an apply.', () => {
    const many = Array.from({ length: 30 }, (_, index) => {
      const changes = Array.from({ length: 20 }, (_, at) => change({ path: `settings.x${at}`, to: `${index} ${at}` }));
      return resource({ name: `agent-${index}`, changes });
    });
    const lineIn = (options: object) =>
      /\*\*Left out for length:.*/.exec(renderPlanMarkdown(plan(many), { limit: 12_000, ...options }))?.[0];
    expect(lineIn({})).toMatch(/ more\. To see them, run `agentform plan --full -e production`\.$/);
    expect(lineIn({ page: 'https://ci.example/run' })).toMatch(/ more\. \[The page\]\(.*\) shows them\.$/);
    expect(lineIn({ isApplied: true })).toMatch(/ more\. The log of the run shows them\.$/);
  });

  test('A comment stays within any limit for any plan.', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 8 }), fc.nat(4_000), (texts, limit) => {
        const resources = texts.map((text, index) =>
          resource({
            name: text,
            warnings: [saying(text)],
            reasons: [saying(text)],
            changes: [change({ path: text, to: text.repeat(index) })],
          }),
        );
        const { text } = planMarkdown(plan(resources), { limit });
        expect(text.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 20 },
    );
  });
});

test('A comment shows headings and bold texts of a prompt as GitHub does, also around changed words.', () => {
  const before = '# Desk\n\n**Open** at 8.\n- **Never** advise.';
  const sides = { lastApplied: before, from: `${before}\n**Closed** today.`, to: before.replace('Never', 'Rarely') };
  const conflict = change({ path: 'settings.agentInstructions', cause: 'conflict', ...sides });
  const html = markdownIt({ html: true }).render(renderPlanMarkdown(plan([resource({ changes: [conflict] })])));
  expect(html).toContain(
    '<b>Desk</b><br><b>Open</b> at 8.<br><b>Never</b> advise.<br><ins><b><b>Closed</b> today.</b></ins>',
  );
  expect(html).toContain('<b><del>Never</del> </b><b><ins><b>Rarely</b></ins></b> advise.');
  expect(html).not.toContain('*');
});

describe('hostile values in a comment', () => {
  test.each(['```', '````', `${'`'.repeat(40)}`, ' ```', '```\n</details>\n@everyone', '~~~'])(
    'Hostile values cannot end a fence: %j',
    (value) => {
      const text = renderPlanMarkdown(
        plan([resource({ changes: [change({ from: `a\n${value}\nb`, to: `a\n${value}\nc` })] })]),
      );
      expect(live(text)).not.toContain('@everyone');
      expect(live(text).match(/<details(?: open)?>/g)).toHaveLength(live(text).match(/<\/details>/g)?.length ?? 0);
      expect(live(text).trimEnd().endsWith('</details>')).toBe(true);
    },
  );

  test('Hostile values of 200 KB are left out as a whole.', () => {
    const prompt = `@everyone <!-- agentform \`\`\` </details> 🎉\n`.repeat(5_000);
    const { text, shortened } = planMarkdown(plan([resource({ changes: [change({ to: prompt })] })]));
    expect(shortened).toBe(true);
    expect(text.length).toBeLessThan(2_000);
  });

  test('Hostile values become neither mentions, links, references nor markup.', () => {
    const warning = 'ask @team at https://x.example or www.x.example, see #12 and GH-3 <img src=x> **now** `@all`';
    const text = renderPlanMarkdown(plan([resource({ warnings: [saying(warning)], changes: [change()] })]));
    expect(text).toContain(
      'Ask @&#8203;team at https:&#8203;//x.example or www&#8203;.x.example, see #&#8203;12 and GH-&#8203;3 &lt;img src=x&gt; \\*\\*now\\*\\* `@all`',
    );
  });

  test('Hostile values in code do not end a table cell, which would hide the rest of a line.', () => {
    const line = 'Say `a | b`, `c\\|d`, and hang up.';
    const changes = [
      change({ path: 'settings.agentInstructions', from: 'Hello.\nBye.', to: `Hello.\n${line}\nBye.` }),
      change({ from: 'Old `|`', to: line }),
    ];
    const text = renderPlanMarkdown(plan([resource({ changes })]));
    expect(brokenRows(text)).toEqual([]);
    expect(text).toContain('| added | Say <code>a \\| b</code>, <code>c\\\\\\|d</code>, and hang up. |');
    const regex = change({ path: 'transferRules.cnamAutoRejectRegex', from: '^a(b|c)+', to: '^a(b|d)+' });
    expect(renderPlanMarkdown(plan([resource({ changes: [regex] })]))).toContain(
      '| <code>^a(b\\|c)+</code> | <code>^a(b\\|d)+</code> |',
    );
    const items = changeParts(regex, { kind: 'Agent' }).flatMap(listItems);
    expect(items).toEqual(['- **Rejected caller names**: <code>^a(b\\|c)+</code> → <code>^a(b\\|d)+</code>']);
  });

  test('Hostile titles in the condition of a default are no markup.', () => {
    const doubt = change({ path: 'settings.description', cause: 'unverified', knowledge: 'blind', to: 'x' });
    const text = renderPlanMarkdown(
      plan([
        resource({ title: '@all <img src=x> ![a](b)', changes: [conflict, doubt] }),
        resource({ name: 'other', changes: [doubt] }),
      ]),
    );
    expect(text).toContain(
      '<sub>if nobody answers; @&#8203;all &lt;img src=x&gt; !\\[a\\](b) waits for question 1</sub>',
    );
  });

  test('Hostile values do not act as Markdown outside fences and code spans.', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (a, b, c) => {
        const changes = [
          change({ path: a, from: b, to: c, ...source(c, 1) }),
          change({ path: b, to: `${c}\n${a}`, knowledge: 'blind', ...source(a, 1) }),
          change({ path: c, op: 'unset', from: { [a]: [b, c] }, cause: 'drift' }),
          change({ path: a, op: 'release', from: `${b}\n`, cause: 'conflict' }),
          change({ path: b, from: a, to: c, lastApplied: b, cause: 'conflict' }),
          change({ path: c, from: `${b}\n${a}`, to: c, lastApplied: { [a]: b }, cause: 'conflict' }),
          change({ path: 'settings.agentInstructions', from: `${a}\n${b}\n${c}`, to: `${a}\nx\n${b}${c}` }),
        ];
        const hostile = resource({
          kind: c,
          name: a,
          title: b,
          id: b,
          target: { host: c, query: { [a]: b } },
          reasons: [saying(b)],
          warnings: [saying(c)],
          changes,
        });
        const created = resource({
          name: c,
          title: a,
          action: 'create',
          changes: [change({ to: `${a}\n${b}` }), change({ path: a, to: c })],
        });
        const blocked = resource({ name: b, action: 'blocked', reasons: [saying(`${a} \`${c}\` ${b}`)] });
        const held = resource({ name: c, action: 'blocked', held: { by: a, since: b, reason: c, fields: [a] } });
        const some = plan([hostile, created, blocked, held], {
          environment: a,
          project: { name: b },
          from: { branch: a, author: b, pullRequest: { number: 1, title: c, url: a } },
          refusals: [refusing(c)],
          questions: [],
        });
        const asked = { ...some, refusals: [], questions: [asking(1, 'drift', [`${c}/${a}`], choices)] };
        for (const one of [some, asked]) {
          const text = renderPlanMarkdown(one, { title: b, linkTo: () => 'LINK' });
          expect(dangerousIn(text)).toEqual([]);
          const markup = live(text);
          expect(markup).not.toMatch(/@\w/);
          expect(markup).not.toMatch(/(?<![&(])#\d/);
          expect(markup.replace(ourTags, '')).not.toContain('<');
          expect(markup.match(/<details(?: open)?>/g)).toHaveLength(markup.match(/<\/details>/g)?.length ?? 0);
          expect(markup).not.toContain('://');
          expect(brokenRows(text)).toEqual([]);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('a plan over several pages', () => {
  const prompt = (characters: number) => `${'word '.repeat(19)}word\n`.repeat(characters / 100);
  const long = (name: string, characters = 3_000) =>
    resource({
      name,
      changes: [change({ path: 'settings.agentInstructions', from: '', to: `${name}\n${prompt(characters)}` })],
    });

  /** The agents whose folds begin on each page. */
  const shownOn = (pages: ReturnType<typeof planPages>['pages']) =>
    pages.map((text) =>
      [...text.matchAll(/<summary><a id="[^"]*"><\/a><b>([^<]*)<\/b>/g)].map(([, name = '']) => name),
    );

  test('A long plan fills its pages in order, and each names its number.', () => {
    const made = plan(['a', 'b', 'c', 'd', 'e'].map((name) => long(name)));
    const { pages, shortened } = planPages(made, { limit: 9_000, maxPages: 10 });
    expect(shortened).toBe(false);
    expect(shownOn(pages).flat()).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(pages[0]).toContain('**5 agents change.**');
    expect(pages.at(-1)).toMatch(/^### Plan for `production`: ready to apply \(part \d of \d\)\n/);
  });

  test('A long plan leaves room on the first page for other text.', () => {
    const made = plan(['a', 'b', 'c', 'd', 'e'].map((name) => long(name)));
    const { pages } = planPages(made, { limit: 10_000, maxPages: 10, taken: 6_000 });
    expect(pages[0]?.length).toBeLessThan(4_000);
  });

  test('A long plan breaks an agent longer than a page between its changes.', () => {
    const paths = ['settings.a', 'settings.b', 'settings.c', 'settings.d'];
    const changes = paths.map((path) => change({ path, from: '', to: prompt(4_000) }));
    const { pages, shortened } = planPages(plan([resource({ name: 'long', changes })]), {
      limit: 10_000,
      maxPages: 10,
    });
    expect(shortened).toBe(false);
    expect(pages.join('').match(/<a id="production_card-long"><\/a>/g)).toHaveLength(1);
    for (const path of paths) expect(pages.join('\n')).toContain(path);
    for (const text of pages) {
      expect(text.length).toBeLessThanOrEqual(10_000);
      expect(text.match(/<details(?: open)?>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
    }
  });
});
