import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { notice } from '../../../src/notices/notice.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import { renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
import type { Change, Plan, Question, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { refusing, saying } from '../../support/notices.ts';
import { dangerousIn, hostileText } from '../hostile-text.ts';
import { asking, change, plan, resource, richPlan, sensitive, unchanged } from '../plan/plan-builders.ts';

const prompt = Array.from({ length: 30 }, (_, index) => `Line ${index} of the prompt says something of its own.`);
const instructions = 'settings.agentInstructions';

/** The card of a plan with only this change. */
function shown(only: Change): string {
  const page = renderPlanHtml(plan([resource({ changes: [only] })]));
  return page.slice(page.indexOf('<details class="card"'), page.indexOf('<section class="sec" id="rest"'));
}

/** The text of some markup, with a blank between elements. */
function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim();
}

function headOf(page: string): string {
  return textOf(page.slice(page.indexOf('<header'), page.indexOf('</header>')));
}

const from = {
  commit: '3f9c2ab'.padEnd(40, '0'),
  branch: 'longer-hours',
  author: 'octo-dev',
  pullRequest: { number: 148, title: 'Longer hours', url: 'https://git.example.com/agents/pull/148' },
};

describe('the page of a plan', () => {
  const page = renderPlanHtml(richPlan());

  test('A page is named after the pull request, and shows the known origin of the plan.', () => {
    const made = plan([unchanged('a')], {
      project: { name: 'Elm Street', repository: 'https://git.example.com/agents' },
      madeAt: '2026-11-26T11:05:00Z',
      from,
    });
    expect(headOf(renderPlanHtml(made))).toBe(
      'Elm Street / Plan for production Longer hours Up to date Pull request #148 Branch longer-hours Commit 3f9c2ab ' +
        'By octo-dev 26 Nov 2026, 11:05 UTC 1 stays the same',
    );
    const subject = 'Open until 6 pm';
    const run = 'https://git.example.com/agents/actions/runs/7';
    const pushed = plan([resource({ changes: [change()] })], { from: { subject, run } });
    const local = plan([resource({ changes: [change()] })], { from: { subject } });
    expect(headOf(renderPlanHtml(local))).toMatch(/^Plan for production Ready to apply/);
    expect(headOf(renderPlanHtml(pushed))).toMatch(/^Plan for production Open until 6 pm Ready to apply/);
    expect(headOf(renderPlanHtml(plan([unchanged('a')])))).toBe(
      'Plan for production Nothing to do Up to date 1 stays the same',
    );
  });

  test('A page without a pull request or project is named after its environment once.', () => {
    expect(renderPlanHtml(plan([resource({ changes: [change({})] })]))).toContain('<title>Plan for production</title>');
  });

  test('A page has its counts at the top, each with a link to what it counts.', () => {
    expect(headOf(page)).toBe(
      'Plan for production Cannot be applied 1 thing stops this plan 1 agent would change 1 new agent would be created ' +
        '1 dashboard edit would be undone 1 agent would be sent again 1 agent cannot be applied 1 agent could not be read 1 not in the files ' +
        '2 stay the same 2 warnings',
    );
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    for (const [, target = ''] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
    expect(ids.size).toBe([...page.matchAll(/ id="/g)].length);
  });

  const moved = change({ path: 'settings.timezone', from: 'UTC', to: 'Europe/Rome' });

  test('The table of contents names the changes of each group of agents.', () => {
    const named = (names: string[], only: Change) => names.map((name) => resource({ name, changes: [only] }));
    const contents = renderPlanHtml(plan([...named(['a', 'b', 'c', 'd'], change()), ...named(['e', 'f'], moved)]));
    expect(textOf(contents.slice(contents.indexOf('<nav'), contents.indexOf('</nav>')))).toContain(
      'Changes Title 4 E and F',
    );
  });

  test('The table of contents names each entry once, and joins groups that wait for a rollout step.', () => {
    const waiting = (name: string, changes: Change[]) =>
      resource({ name, action: 'waiting', willBe: 'update', step: 3, changes });
    const names = (letter: string) => Array.from({ length: 4 }, (_, index) => `${letter}-${index}`);
    const warnings = [notice('not-validated', { names: ['futureSetting'] })];
    const page = renderPlanHtml(
      plan([
        ...names('a').map((name) => waiting(name, [change()])),
        ...names('b').map((name) => waiting(name, [moved])),
        ...['c', 'd'].map((name) => resource({ name, warnings, changes: [change({ to: name })] })),
      ]),
    );
    expect(textOf(page.slice(page.indexOf('<nav'), page.indexOf('</nav>')))).toMatch(
      /Good to know 1 Changes C D Waiting 8 Everything else For people who run commands$/,
    );
    expect(page.slice(0, page.indexOf('</nav>')).match(/Good to know/g)).toHaveLength(1);
  });

  test('The ids of groups and holds are numbered from the second one.', () => {
    const held = (name: string, reason: string) =>
      resource({ name, action: 'blocked', held: { by: 'octo-dev', since: '2026-11-20T10:00:00Z', reason } });
    const both = (path: string) =>
      ['a', 'b'].map((name) => resource({ name: name + path, changes: [change({ path })] }));
    const shown = renderPlanHtml(
      plan([held('c', 'x'), held('d', 'y'), ...both('settings.description'), ...both('settings.title')]),
    );
    const ids = [...shown.matchAll(/<details class="card" id="(.*?)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['card-group', 'card-group-2', 'card-hold', 'card-hold-2', 'technical']);
  });

  test('Cards are sorted by title, and a terminal sorts them by name.', () => {
    const titled = [
      ['a', 'Desk 10'],
      ['b', 'Desk 9'],
      ['c', 'Answers'],
    ] as const;
    const made = plan(titled.map(([name, title]) => resource({ name, title, changes: [change({ to: title })] })));
    expect([...renderPlanHtml(made).matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title).slice(0, 3)).toEqual([
      'Answers',
      'Desk 9',
      'Desk 10',
    ]);
    const text = renderPlanText(made, { color: false, width: 100 });
    expect(text.match(/Agent\/./g)).toEqual(['Agent/a', 'Agent/b', 'Agent/c']);
  });

  test('Many different holds are folded, and the list beside the page counts them together.', () => {
    const pageOf = (count: number) => {
      const held = (index: number) => ({ by: 'octo-dev', since: '2026-11-20T10:00:00Z', reason: `reason ${index}` });
      const one = (index: number) => resource({ name: `agent-${index}`, action: 'blocked', held: held(index) });
      return renderPlanHtml(plan(Array.from({ length: count }, (_, index) => one(index))));
    };
    expect(pageOf(8).match(/id="card-[^"]*" open>/g)).toHaveLength(8);
    expect(pageOf(9)).not.toMatch(/id="card-[^"]*" open>/);
    const [list = ''] = /<nav class="side".*?<\/nav>/s.exec(pageOf(9)) ?? [];
    expect(list.match(/<span>On hold<\/span><small>9<\/small>/g)).toHaveLength(1);
    expect(list.match(/<li>/g)).toHaveLength(2);
  });

  test('A card of several holds names the label that they share.', () => {
    const held = { by: 'octo-dev', since: '2026-11-20T10:00:00Z', reason: 'callers complained' };
    const holds = ['a', 'b'].map((name) => resource({ name, action: 'blocked', labels: { ring: 'late' }, held }));
    const whatOf = (others: ResourcePlan[]) => textOf(renderPlanHtml(plan([...holds, ...others])));
    const created = resource({ name: 'n', action: 'create', labels: { ring: 'late' }, changes: [change()] });
    const prevented = { action: 'create' as const, changes: [change()] };
    for (const others of [
      [],
      [created],
      [resource({ name: 'n', action: 'blocked', labels: { ring: 'late' }, prevented })],
    ])
      expect(whatOf(others)).toContain('A and B on hold, ring “late”: callers complained');
    expect(whatOf([resource({ name: 'c', labels: { ring: 'late' } })])).toContain(
      'A and B on hold: callers complained',
    );
  });

  test('A card lists the names of its agents once.', () => {
    const named = (names: string[]) => names.map((name) => resource({ name, changes: [change()] }));
    const foldsOf = (names: string[]) => {
      const shown = renderPlanHtml(plan([...named(names), unchanged('y'), unchanged('z')]));
      // Title and names are in one inline box, so that the names wrap below the title on a phone.
      const folds = shown.matchAll(/<summary><span><b>(.*?)<\/b> (.*?)<\/span><\/summary>/g);
      return [...folds].map(([, title, range]) => [title, range]);
    };
    expect(foldsOf(['a', 'b', 'c'])).toEqual([]);
    expect(foldsOf(['a', 'b', 'c', 'd'])).toEqual([['The 4 agents', 'A, B, C and 1 more']]);
    expect(renderPlanHtml(plan([unchanged('z')]))).toContain(
      '<div class="body"><div class="set"><ul class="names"><li>Z</li></ul></div></div>',
    );
  });

  test('A conflict without a question shows both versions, and no loss of a choice.', () => {
    const both = change({ cause: 'conflict', lastApplied: 'Old', from: 'Live', to: 'New' });
    const page = renderPlanHtml(plan([resource({ changes: [both, moved] })], { questions: [] }));
    expect(page).toContain('<b>Live</b>');
    expect(page).not.toMatch(/You lose|until you choose/);
  });

  test('A page forbids every request and script, and only allows its own style.', () => {
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    );
    expect(page).not.toMatch(/<script|<link|<img|\ssrc=|\sstyle=|\son\w+=|url\(|@import/i);
  });

  test('A page shows what stops a plan first, and what to do about it.', () => {
    const stops = textOf(page.slice(page.indexOf('id="stops"'), page.indexOf('id="changes"')));
    expect(stops).toContain(
      'More new agents than allowed This plan creates 51 agents, but the project allows at most 50 at a time',
    );
    expect(stops).toContain('Nothing has changed. Resolve this first, then make a new plan.');
  });

  test('A page shows ids, hosts and paths only under technical details.', () => {
    const outside = page.replace(/<pre>[\s\S]*?<\/pre>/g, '');
    expect(outside).not.toMatch(/camp_1|service\.example\.com|settings\./);
    expect(page).toContain('<b>Agent</b>  camp_1 on service.example.com');
    expect(page).toContain('<b>Title</b>  settings.title, compared');
  });

  test('A page has the digest and the coverage for the person who applies it.', () => {
    const end = textOf(page.slice(page.indexOf('id="technical"')));
    expect(end).toContain('Compared Checked 27 of 51 settings. Not checked: ');
    expect(end).toContain('Plan d');
  });

  test('A page accepts a title and remarks.', () => {
    const given = renderPlanHtml(plan([unchanged('a')]), { title: 'Plan <b>', remarks: ['no git'] });
    expect(given).toContain('<h1>Plan &lt;b&gt;</h1>');
    expect(given).toContain('<p class="note">no git</p>');
  });

  test('A page without changes is one friendly sentence.', () => {
    const quiet = textOf(renderPlanHtml(plan([unchanged('a'), unchanged('b')])));
    expect(quiet).toContain('Both agents in production match the files.');
  });

  test('A page of more than eight cards opens only those with a question or a warning.', () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      resource({
        name: `a${index}`,
        changes: [change({ to: `New ${index}` })],
        warnings: index === 3 ? [saying('mind')] : [],
      }),
    );
    const cards = [...renderPlanHtml(plan(many)).matchAll(/<details class="card" id="([^"]*)"( open)?>/g)];
    expect(cards.filter(([, , open]) => open !== undefined).map(([, id]) => id)).toEqual(['card-a3']);
  });
});

describe('questions on a page', () => {
  const conflict = change({
    path: 'settings.welcomeMessage',
    cause: 'conflict',
    lastApplied: 'We are closed right now.',
    from: 'We are closed until Monday.',
    to: 'Our office is closed right now.',
  });
  const keepOrTake: Question['choices'] = [
    { letter: 'A', code: 'keep', remedies: [['update', 'front-desk', '-e', 'production']] },
    { letter: 'B', code: 'take' },
    { letter: 'C', code: 'both' },
  ];
  const ofConflict = plan([resource({ changes: [conflict, change()] })], {
    from,
    questions: [asking(1, 'conflict', ['Agent/front-desk'], keepOrTake)],
  });

  test('A question has a number, answers with letters, and a link to its change and back.', () => {
    const page = renderPlanHtml(ofConflict);
    const asked = textOf(page.slice(page.indexOf('id="questions"'), page.indexOf('id="changes"')));
    expect(asked).toContain(
      'Question 1: Which greeting should Front desk have? Edited in the dashboard and in this pull request. ' +
        'Nothing changes in Front desk until you answer. Compare',
    );
    expect(asked).toContain(
      'A Keep the live one : “We are closed until Monday.” B Take the proposed one : “Our office is closed right now.” C Use both',
    );
    expect(asked).toContain('Answer on the pull request');
    expect(page).toContain('<a href="#q1-change">Compare</a>');
    expect(page).toContain('<div class="set" id="q1-change">');
  });

  test('Equal edits of many agents are one question and one card, and every link has its target.', () => {
    const drift = change({ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' });
    const both = change({ path: 'settings.welcomeMessage', from: 'A', to: 'B', lastApplied: 'C', cause: 'conflict' });
    const found = notice('prompt-check', { rule: 'x', finding: 'a finding', path: 'settings.agentInstructions' });
    const text = change({ path: 'settings.agentInstructions', from: 'One.', to: 'TODO' });
    const many = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [
      resource({ name: `drift-${name}`, changes: [drift] }),
      resource({ name: `conflict-${name}`, changes: [both] }),
    ]);
    const alone = [
      resource({ name: 'alone', changes: [{ ...drift, from: 'warm-9' }, change()] }),
      resource({ name: 'text', changes: [text], warnings: [found] }),
    ];
    const made = plan([...many, ...alone]);
    expect(made.questions.map(({ resources }) => resources.length)).toEqual([5, 5, 1, 1]);
    const page = renderPlanHtml(made);
    const comment = renderPlanMarkdown(made);
    expect(page.match(/class="card/g)).toHaveLength(5);
    for (const said of ['Keep what was edited in these 5 agents?', 'should these 5 agents have?']) {
      expect(textOf(page)).toContain(said);
      expect(comment).toContain(said);
    }
    expect(textOf(page)).toContain('Keep the edit: Voice stays warm-2');
    for (const [links, targets] of [
      [page.matchAll(/href="#([^"]*)"/g), page.matchAll(/ id="([^"]*)"/g)],
      [comment.matchAll(/\]\(#([^)]*)\)/g), comment.matchAll(/<a id="([^"]*)"/g)],
    ] as const) {
      const ids = new Set([...targets].map(([, id]) => id));
      expect([...links].map(([, id]) => id).filter((id) => !ids.has(id))).toEqual([]);
    }
    // Every question has a link back.

    for (const { number } of made.questions) expect(page).toContain(`href="#q${number}"`);
  });

  test('A question about a conflict shows both versions with their changes, and what each choice loses.', () => {
    const page = renderPlanHtml(ofConflict);
    expect(page).toContain('We are closed <mark>until Monday</mark>.');
    expect(page).toContain('<p class="quote">');
    expect(textOf(page)).toContain('Before the two edits: “We are closed right now.”');
    expect(textOf(page)).toContain('The other changes wait until you choose.');
    expect(page).toContain('<b>Answer 1A</b>  agentform update front-desk -e production');
  });

  test('A question names its default, and shows an edit in one direction.', () => {
    const edit = change({ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' });
    const made = plan([resource({ changes: [edit] })], {
      questions: [
        asking(
          2,
          'drift',
          ['Agent/front-desk'],
          [
            { letter: 'A', code: 'keep' },
            { letter: 'B', code: 'undo', isDefault: true },
          ],
          ['settings.agentVoice'],
        ),
      ],
    });
    const text = textOf(renderPlanHtml(made));
    expect(text).toContain('Keep what was edited in Front desk? Voice was edited in the dashboard.');
    expect(text).toContain(
      'A Keep the edit: Voice stays warm-2 B Undo the edit: Voice back to warm-1 if nobody answers',
    );
    expect(text).toContain('Voice live now: warm-2 → becomes if undone: warm-1');
    expect(text).toContain('Reply with your choices, for example 2A .');
  });

  test('The card of a dashboard edit shows what each answer does and loses, however long that is.', () => {
    const long = (end: string) => `You have reached Elm Street Dental. How can we help you today, ${end}?`;
    const edit = change({ path: 'settings.welcomeMessage', from: long('sir'), to: long('madam'), cause: 'drift' });
    const page = renderPlanHtml(plan([resource({ changes: [edit] })]));
    const card = textOf(page.slice(page.indexOf('<div class="pick'), page.indexOf('<section class="sec" id="rest"')));
    expect(card).toContain(
      `A Keep the edit Greeting stays “${long('sir')}” Later applies keep it until someone changes it in the files.`,
    );
    expect(card).toContain(
      `B Undo the edit if nobody answers Greeting back to “${long('madam')}” You lose the edit made in the dashboard.`,
    );
    const left = notice('drift-left', { paths: [edit.path] });
    const stays = renderPlanHtml(plan([resource({ action: 'none', kept: [edit], warnings: [left] })]));
    expect(stays).toContain('<i>A</i><span><b>Keep</b> the edit <span class="dflt">if nobody answers</span></span>');
  });

  test('A question says which other answers it depends on, and which it makes pointless.', () => {
    const long = 'You have reached Elm Street Dental. How can we help you today, please?';
    const changes = [
      change({ path: 'settings.agentVoice', from: 'b', to: 'c', lastApplied: 'a', cause: 'conflict' }),
      change({ path: 'settings.welcomeMessage', from: 'Hi.', to: long, cause: 'drift' }),
    ];
    const choices = [{ letter: 'A', code: 'keep' } as const, { letter: 'B', code: 'undo', isDefault: true } as const];
    const loss = [
      { letter: 'A', code: 'go-on', isDefault: true } as const,
      { letter: 'B', code: 'leave-out' } as const,
    ];
    const made = plan([resource({ changes }), resource({ name: 'spa', changes: changes.slice(1) })], {
      questions: [
        asking(1, 'conflict', ['Agent/front-desk'], keepOrTake, ['settings.agentVoice']),
        asking(2, 'drift', ['Agent/front-desk'], choices, ['settings.welcomeMessage']),
        asking(3, 'prompt-loss', ['Agent/front-desk'], loss),
        asking(4, 'drift', ['Agent/spa'], choices, ['settings.welcomeMessage']),
        asking(5, 'check', ['Agent/other'], loss),
      ],
    });
    const comment = renderPlanMarkdown(made);
    expect(comment).toContain(
      `**B** Undo the edit: Greeting back to “${long}” <sub>if you answer only question 1</sub>`,
    );
    expect(comment).toContain('**A** Yes, go on <sub>if you answer only question 1</sub>');
    expect(comment).toContain(
      '**B** No, change nothing in Front desk (this includes Voice), whatever you answer to 1 and 2\n',
    );
    expect(comment).toContain(`**B** Undo the edit: Greeting back to “${long}” <sub>if nobody answers</sub>`);
    expect(comment).toContain('1 dashboard edit undone');
    expect(textOf(renderPlanHtml(made))).toContain('B Undo the edit if you answer only question 1');
    expect(renderPlanText(made, { color: false, width: 300 })).toContain('(if you answer only question 1)');
  });

  test('A question about a new agent names its account only if the plan shows the account id.', () => {
    const askedOf = (query: Record<string, string>) => {
      const created = resource({ name: 'billing', action: 'create', mayReplace: true, target: { host: 'h', query } });
      const choices = [{ letter: 'A', code: 'create' as const }];
      return textOf(
        renderPlanHtml(plan([created], { questions: [asking(1, 'create-unknown', ['Agent/billing'], choices, [])] })),
      );
    };
    expect(askedOf({ targetAccountId: '104' })).toContain('Does account 104 already have an agent?');
    for (const query of [{}, { region: 'eu' }, { targetAccountId: 'hmac:7ywcqfi0:jg6f9SOo' }]) {
      expect(askedOf(query)).toContain('Does the account of Billing already have an agent?');
    }
  });

  test('A page asks about a new agent that may already exist, and about settings that cannot be read back.', () => {
    const created = resource({
      name: 'billing',
      action: 'create',
      mayReplace: true,
      target: { host: 'h', query: { region: 'eu', targetAccountId: '104' } },
      warnings: [notice('may-replace-agent', {})],
      changes: [change({ to: 'Billing' })],
    });
    const again = resource({
      changes: [change({ path: 'settings.callerResponseTimeout', to: 15, cause: 'unverified', knowledge: 'blind' })],
    });
    const made = plan([created, again], {
      questions: [
        asking(
          1,
          'create-unknown',
          ['Agent/billing'],
          [
            { letter: 'A', code: 'create' },
            { letter: 'B', code: 'leave-out', isDefault: true },
          ],
          [],
        ),
        asking(
          2,
          'write-only',
          ['Agent/front-desk'],
          [
            { letter: 'A', code: 'send-again', isDefault: true },
            { letter: 'B', code: 'leave' },
          ],
          ['settings.callerResponseTimeout'],
        ),
      ],
    });
    const text = textOf(renderPlanHtml(made));
    expect(text).toContain(
      'Does account 104 already have an agent? Billing is new. An existing agent would be overwritten.',
    );
    expect(text).toContain('A No, create Billing B Yes, or not sure: do not create Billing if nobody answers');
    expect(text).toContain(
      'Send 1 possibly edited setting of Front desk again? The service does not show whether it was edited.',
    );
    expect(text).toContain('Show the value Silence before asking again 15 seconds');
    expect(text).not.toContain('no agent id is known');
  });

  test('A question asks about a prompt that loses a section.', () => {
    const warnings = [notice('prompt-section-lost', { path: instructions, section: 'Emergencies' })];
    const lost = resource({
      warnings,
      changes: [change({ path: instructions, from: prompt.join('\n'), to: 'Be kind.' })],
    });
    const page = renderPlanHtml(
      plan([lost], {
        questions: [
          asking(
            1,
            'prompt-loss',
            ['Agent/front-desk'],
            [
              { letter: 'A', code: 'go-on', isDefault: true },
              { letter: 'B', code: 'leave-out' },
            ],
            [instructions],
          ),
        ],
      }),
    );
    const text = textOf(page);
    expect(text).toContain(
      "Should Front desk lose this much text? The whole section 'Emergencies' of Instructions is removed",
    );
    // The link is above the changes, as for other kinds of questions.
    const link = text.indexOf('A text of this card needs an answer: Question 1');
    expect(link).toBeGreaterThan(0);
    expect(text.indexOf('Line 10 of the prompt', link)).toBeGreaterThan(0);
  });

  test('A page folds its questions if there are more than seven.', () => {
    const names = Array.from({ length: 9 }, (_, index) => `a${index}`);
    const questions = names.map((name, index) => asking(index + 1, 'conflict', [`Agent/${name}`], keepOrTake));
    const page = renderPlanHtml(
      plan(
        names.map((name) => resource({ name, changes: [conflict] })),
        { questions },
      ),
    );
    expect(textOf(page)).toContain('and 2 more');
    expect(page.match(/<li class="q" id="q\d"/g)).toHaveLength(9);
  });
});

describe('text changes on a page', () => {
  const edited = prompt.with(10, 'Line 10 of the prompt says something else.').join('\n');
  const markup = shown(change({ path: instructions, from: prompt.join('\n'), to: edited }));

  test('A text change marks the changed words, with two lines around them and the others folded.', () => {
    expect(markup).toContain('<del>Line 10 of the prompt says something <mark>of its own</mark>.</del>');
    expect(markup).toContain('<ins>Line 10 of the prompt says something <mark>else</mark>.</ins>');
    expect(textOf(markup)).toContain('8 unchanged lines');
    expect(textOf(markup)).toContain('17 unchanged lines');
    expect(markup).toMatch(/<p>Line 9 of[^<]*<\/p>\s*<del>/);
  });

  test('A text change shows every line of the new text.', () => {
    for (const line of prompt.filter((_, index) => index !== 10)) expect(markup).toContain(line);
  });

  test('A text change shows the nearest heading, and renders Markdown.', () => {
    const text = [
      '# Desk',
      '',
      'Be kind.',
      'Be brief.',
      'Be calm.',
      '',
      '## Rules',
      '',
      ...prompt.slice(0, 5),
      '- Ask for **the day** of the visit.',
    ];
    const page = shown(
      change({
        path: instructions,
        from: text.join('\n'),
        to: [...text.slice(0, -1), '- Ask for **the hour** of the visit.'].join('\n'),
      }),
    );
    expect(page).toContain('<p class="h">Rules</p>');
    expect(page).toContain('<ins class="l">Ask for ');
    expect(page).not.toContain('## Rules');
  });

  test('A text change that rendering would hide is shown as source.', () => {
    const page = shown(change({ path: instructions, from: 'Rules:\n- Be kind.', to: 'Rules:\n* Be kind.' }));
    expect(page).toContain('<del class="mono">- Be kind.</del>');
    expect(page).toContain('<ins class="mono">* Be kind.</ins>');
  });

  test('A text change shows a moved line on both sides.', () => {
    const moved = [...prompt.slice(1), prompt[0]].join('\n');
    const page = shown(change({ path: instructions, from: prompt.join('\n'), to: moved }));
    expect(page.match(/class="m"[^>]*>Line 0 of the prompt[^<]*<small>moved<\/small>/g)).toHaveLength(2);
  });

  test('A text change has the finding of a check below its line.', () => {
    const warnings = [
      notice('prompt-check', {
        rule: 'prompt-placeholder',
        finding: '“TODO” was left in the text',
        at: { file: 'prompts/a.md', line: 2 },
      }),
    ];
    const to = change({
      path: instructions,
      from: 'One\nTwo',
      to: 'One\nTODO: two',
      source: { file: 'prompts/a.md', line: 2 },
    });
    const page = renderPlanHtml(plan([resource({ warnings, changes: [to] })]));
    expect(page).toMatch(
      /TODO<\/mark>: <mark>two<\/mark><\/ins><p class="w">.*“TODO” was left in the text<\/p>|TODO: two.*<\/ins><p class="w">/,
    );
    expect(page.match(/<p class="w">/g)).toHaveLength(1);
    expect(page).toContain('Question 1</span>');
  });

  test('A text change only counts unchanged lines once a page has many of them.', () => {
    const long = Array.from({ length: 4_000 }, (_, index) => `${index}${' word'.repeat(40)}`);
    const resources = ['a', 'b'].map((name, index) =>
      resource({
        name,
        changes: [
          change({ path: instructions, from: long.join('\n'), to: long.with(2_000, `new ${index}`).join('\n') }),
        ],
      }),
    );
    const page = renderPlanHtml(plan(resources));
    expect(page.length).toBeLessThan(800_000);
    expect(page).toContain('unchanged lines');
  });

  test('A new or removed text is shown from its beginning, and the rest is folded.', () => {
    const long = Array.from({ length: 200 }, (_, index) => `Line ${index} is here.`).join('\n');
    const page = shown(change({ path: instructions, to: long }));
    expect(textOf(page)).toContain('Show 160 more lines');
    expect(page).toContain('Line 199 is here.');
  });
});

test('A page shows values in words, and shows that a hidden value changes.', () => {
  const text = textOf(
    renderPlanHtml(
      plan([
        resource({
          changes: [
            change({ path: 'settings.heartbeatEvery', from: '30m', to: '15m' }),
            change({ path: 'settings.noConvoHistory', to: true }),
            change({ path: 'settings.postAnswerDtmf', from: sensitive('a'), to: sensitive('b') }),
          ],
        }),
      ]),
    ),
  );
  expect(text).toContain('Regular checks every 30 minutes → becomes every 15 minutes');
  expect(text).toContain('Hide earlier calls of the caller on');
  expect(text).toContain('hidden value → becomes another hidden value');
});

test('Settings from the same line show their source once.', () => {
  const changes = ['gain', 'volume', 'loop'].map((name, index) =>
    change({ path: `backgroundAudio.${name}`, from: 1, to: 2, source: { file: 'a.yaml', line: index === 2 ? 5 : 4 } }),
  );
  const page = renderPlanHtml(plan([resource({ changes })]));
  expect(page.match(/class="src mono">[^<]*/g)).toEqual(['class="src mono">a.yaml:4', 'class="src mono">a.yaml:5']);
});

test('A page folds the text that replaces a hidden value, and never calls the hidden value a text.', () => {
  const pageOf = (sides: object) =>
    textOf(renderPlanHtml(plan([resource({ changes: [change({ path: 'settings.agentInstructions', ...sides })] })])));
  const text = '# Front desk\n\nBe kind.';
  expect(pageOf({ from: sensitive('a'), to: text })).toMatch(/the earlier value is hidden\W+“Front desk”, 3 lines/);
  expect(pageOf({ from: text, to: sensitive('a') })).not.toContain('sensitive');
  const bold = resource({
    action: 'create',
    changes: [change({ path: 'settings.agentInstructions', to: '**Billing**\n\n- Be kind.' })],
  });
  expect(textOf(renderPlanHtml(plan([bold])))).toContain('“Billing”, 3 lines');
});

test('A conflict shows the removed lines of a version without its blank lines and line numbers.', () => {
  const lines = [...Array.from({ length: 40 }, (_, index) => `Rule ${index}.`), '', 'Say goodbye.'];
  const conflict = {
    cause: 'conflict',
    path: 'settings.agentInstructions',
    lastApplied: lines.join('\n'),
    from: lines.with(0, 'Zero.').join('\n'),
    to: lines.with(0, 'Uno.').slice(0, 40).join('\n'),
  } as const;
  const page = renderPlanHtml(plan([resource({ changes: [change(conflict)] })]));
  expect(page).toContain('<p>…</p>');
  expect(page).not.toMatch(/<p>line \d|<del> ?<\/del>|Before the two edits/);
});

test('A text of several cards is in one of them, and the others link to it.', () => {
  const shared = change({
    path: 'settings.publicInstructions',
    from: 'Be brief.\nBe calm.',
    to: 'Be brief.\nBe kind.',
  });
  const group = ['b', 'c'].map((name) => resource({ name, labels: { role: 'desk' }, changes: [shared] }));
  const created = resource({
    name: 'd',
    action: 'create',
    changes: [change({ path: 'settings.publicInstructions', to: 'Be brief.\nBe kind.' })],
  });
  const page = renderPlanHtml(plan([resource({ name: 'a', changes: [change(), shared] }), ...group, created]));
  expect(page.match(/class="diff/g)).toHaveLength(1);
  expect(page.match(/<a href="#card-group">B and C<\/a>/g)).toHaveLength(2);
  expect(page).toContain('<b>Plan them alone</b>  agentform plan -l role=desk -e production');
});

test('A notice about many resources appears once.', () => {
  const held = { by: 'octo-dev', since: '2026-11-20T10:00:00Z', reason: 'callers complained', fields: [instructions] };
  const holds = Array.from({ length: 90 }, (_, index) =>
    resource({
      name: `line-${index}`,
      action: 'blocked',
      held,
      reasons: [notice('held', { hold: { by: held.by, since: held.since } }, [['unhold', `line-${index}`]])],
      changes: [change()],
    }),
  );
  const blocked = Array.from({ length: 30 }, (_, index) =>
    resource({
      name: `clinic-${index}`,
      labels: { tier: 'gold' },
      action: 'blocked',
      reasons: [
        notice(
          'requires',
          { environment: 'production', required: 'staging', why: 'not-applied', resource: `Agent/clinic-${index}` },
          [
            ['apply', `clinic-${index}`, '-e', 'staging'],
            ['--skip-requires', `Agent/clinic-${index}`],
          ],
        ),
      ],
    }),
  );
  const warned = ['x', 'y'].map((name) =>
    resource({ name, warnings: [saying('the voice is retired')], changes: [change({ to: name })] }),
  );
  const page = renderPlanHtml(plan([...holds, ...blocked, ...warned]));
  const text = textOf(page);
  expect(page.match(/class="card"/g)).toHaveLength(5);
  expect(text.match(/callers complained/g)).toHaveLength(1);
  expect(text).toContain('Ends when the files change Instructions, or when the hold is released');
  expect(text).toContain('First run agentform apply -l tier=gold -e staging');
  expect(text).toContain('X and Y: The voice is retired.');
  expect(text.match(/The voice is retired/g)).toHaveLength(1);
});

test('A hostile text never becomes an element, and all its characters are visible.', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (a, b, c) => {
      const changes = [
        change({ path: a, from: b, to: c, source: { file: c, line: 1 } }),
        change({ path: b, to: `${c}\n${a}`, knowledge: 'blind' }),
        change({ path: c, op: 'unset', from: { [a]: [b, c] }, cause: 'drift' }),
        change({ path: b, from: a, to: c, lastApplied: b, cause: 'conflict' }),
        change({ path: a, from: `${b}\n${a}`, to: `${c}\n${b}`, lastApplied: `${a}\n${c}`, cause: 'conflict' }),
        change({ path: instructions, from: `${a}\n${b}\n${c}`, to: `${a}\nx\n${b}${c}` }),
        change({ path: instructions, to: b, cause: 'unverified' }),
      ];
      const hostile = resource({
        kind: c,
        name: a,
        title: b,
        id: b,
        labels: { [a]: c },
        target: { host: c, query: { [a]: b } },
        reasons: [saying(b)],
        warnings: [saying(c)],
        changes,
      });
      const created = resource({
        name: b,
        title: a,
        action: 'create',
        changes: [change({ to: `${a}\n${b}` }), change({ path: a, to: c })],
      });
      const held = resource({ name: c, action: 'blocked', held: { by: a, since: b, reason: c, fields: [a] } });
      const made: Plan = plan([hostile, created, held], {
        environment: a,
        project: { name: b, repository: c },
        madeAt: b,
        from: { branch: a, author: b, commit: c, pullRequest: { number: 1, title: c, url: a }, run: b },
        refusals: [refusing(c)],
      });
      const asked = {
        ...made,
        refusals: [],
        questions: [asking(1, 'drift', [`${c}/${a}`], [{ letter: 'A', code: 'keep' }], [c])],
      };
      for (const page of [renderPlanHtml(made, { remarks: [a] }), renderPlanHtml(asked)]) {
        const body = page.slice(page.indexOf('<a class="skip"'));
        expect(dangerousIn(body)).toEqual([]);
        expect(body).not.toMatch(/<(?:script|img|style|iframe|object)/i);
        expect(body).not.toMatch(/ on\w+="|href="(?!#|https?:\/\/)/i);
        const tags = body.match(/<[^>]*>/g) ?? [];
        expect(tags.length).toBeGreaterThan(0);
        expect(tags.filter((tag) => !/^<\/?[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"<>]*")?)*\/?>$/i.test(tag))).toEqual([]);
      }
    }),
    { numRuns: 30 },
  );
});

test('A conflict in a text renders its Markdown, except for an edit that rendering would hide.', () => {
  const lastApplied = '# Desk\n\n- Be brief.\n- Be kind.';
  const torn = (from: string) =>
    change({ cause: 'conflict', lastApplied, from, to: `${lastApplied}\n- Offer parking.` });
  const page = renderPlanHtml(plan([resource({ changes: [torn(`${lastApplied}\n- Ask for the day.`)] })]));
  expect(page).toContain('<p class="h">Desk</p>');
  expect(page).toContain('<p class="l">Be brief.</p>');
  expect(page).toContain('<ins class="l">Offer parking.</ins>');
  const marks = renderPlanHtml(plan([resource({ changes: [torn(lastApplied.replace('- Be kind', '* Be kind'))] })]));
  expect(marks).toContain('<ins class="mono">* Be kind.</ins>');
});
