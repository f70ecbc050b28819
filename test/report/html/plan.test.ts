import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { notice } from '../../../src/notices/notice.ts';
import { planResource } from '../../../src/plan/resource-plan.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import type { Change, Plan } from '../../../src/schemas/plan-types.ts';
import { refusing, saying } from '../../support/notices.ts';
import { desiredAgent } from '../../support/observations.ts';
import { dangerousIn, hostileText } from '../hostile-text.ts';
import { change, plan, resource, richPlan, unchanged } from '../plan/plan-builders.ts';

const prompt = Array.from({ length: 30 }, (_, index) => `Line ${index} of the prompt says something of its own.`);

/** The page of a plan that has only this change, from its first change on. */
function shown(only: Change): string {
  const page = renderPlanHtml(plan([resource({ changes: [only] })]));
  return page.slice(page.indexOf('<article'), page.indexOf('</article>'));
}

/** A create as it is planned where the manifest has no id. */
function planOfCreate() {
  const { agentId: _, ...target } = desiredAgent({}).target;
  const options = { unverified: 'set', secrecy: secrecyOf([]), orphans: [] } as const;
  return planResource({ desired: desiredAgent({ settings: { title: 'T' } }, { target }) }, options).planned;
}

/** The text of a piece of markup, each element apart by a blank. */
function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
    .trim();
}

test('a prompt that loses much is asked about by its plain name, and the page is not green', () => {
  const shrunk = { path: 'settings.agentInstructions', from: prompt.join('\n'), to: 'Be kind.' };
  const loss = "loses the whole section 'Emergencies'";
  const warnings = [
    notice('prompt-section-lost', { path: 'settings.agentInstructions', section: 'Emergencies' }),
    saying('something else'),
  ];
  const page = renderPlanHtml(plan([resource({ name: 'desk', warnings, changes: [change(shrunk)] })]));
  const first = textOf(page.slice(page.indexOf('class="notices"'), page.indexOf('<h2 id="changes"'))).replaceAll(
    '&#39;',
    "'",
  );
  expect(first).toContain(`Should this much text be removed? Agent/desk : “Instructions” ${loss}`);
  expect(first).toContain('something else');
  expect(page).toContain('warning: “Instructions” loses');
  expect(page).toContain('<p class="verdict mind">');
});

describe('a page', () => {
  const page = renderPlanHtml(richPlan());

  test('A page has the verdict and the counts before everything else.', () => {
    const head = textOf(page.slice(page.indexOf('<header>'), page.indexOf('</header>')));
    expect(head).toBe(
      'agentform Plan for production Refused for 1 reason: nothing will be applied. ' +
        'What to do: There is nothing to approve yet. Pass on what is listed under “Check first” to the person who applies ' +
        'this plan. ' +
        'Plan: 1 to create, 1 in conflict, 1 to send again, 2 unchanged, 1 blocked, 1 failed, 1 orphan. ' +
        '12 settings change as the manifests say; 1 edit on the service is reverted (drift); ' +
        '2 settings are only sent again; 1 conflict to resolve. ' +
        '27 of 49 settings were compared with the service. The service does not show the other 22: ' +
        '4 are sent over whatever is there now and 18 are assumed to be as the last apply left them. ' +
        'There is no live value to compare with for 2 settings of new resources. ' +
        'What was checked',
    );
  });

  test('A page forbids every request and every script, and allows its own style only.', () => {
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    );
    expect(page).not.toMatch(/<script|<link|<img|\ssrc=|\sstyle=|\son\w+=|url\(|@import/i);
    expect([...page.matchAll(/href="([^"]*)"/g)].every(([, href]) => href?.startsWith('#'))).toBe(true);
  });

  test('A page says in plain words what is compared, sent blind and assumed.', () => {
    const text = textOf(page.slice(page.indexOf('id="checked"')));
    expect(text).toContain('compared 27 settings: read from the service and compared with the manifest.');
    expect(text).toContain(
      'sent unseen 4 settings: will be sent without a look at the live value, which the service does not show.',
    );
    expect(text).toContain(
      'assumed 18 settings: not shown by the service, and assumed to be as the last apply left them.',
    );
    expect(textOf(page.slice(page.indexOf('<body>')))).not.toMatch(/\bblind\b/);
  });

  test('A page explains the words that it uses, and no others.', () => {
    const words = textOf(page.slice(page.indexOf('id="words"')));
    expect(words).toContain('orphan It was applied once');
    const quiet = renderPlanHtml(plan([unchanged('a')]));
    expect(quiet).not.toContain('id="words"');
    expect(quiet).toContain('No changes: the agent in production matches its manifest.');
  });

  test.each([
    ['drift', 'mind'],
    ['manifest', 'ready'],
  ] as const)('A page with a change by %s is marked %s.', (cause, state) => {
    const one = plan([resource({ changes: [change({ cause })] })]);
    expect(renderPlanHtml(one)).toContain(`class="verdict ${state}"`);
  });

  test('A page says of a value that cannot be read that it is the one of the last apply.', () => {
    const [from, to] = [15, 20];
    expect(textOf(shown(change({ from, to, knowledge: 'blind' })))).toContain('15 (last applied) → 20');
    expect(textOf(shown(change({ from, to })))).toContain('15 → 20');
  });

  test('A page takes a title and remarks.', () => {
    const given = renderPlanHtml(plan([unchanged('a')]), { title: 'Plan <b>', remarks: ['no `git`'] });
    expect(given).toContain('<h1>Plan &lt;b&gt;</h1>');
    expect(given).toContain('<li>no <code>git</code></li>');
  });

  test('A page keeps ids and hosts for the technical details.', () => {
    const [cards, details = ''] = page.split('<footer>');
    expect(cards).not.toMatch(/camp_1|service\.example\.com/);
    expect(textOf(details)).toMatch(/^Technical details .*Agent\/front-desk : camp_1 on service\.example\.com/);
    expect(textOf(details)).toContain('Agent/night-line : new on service.example.com, targetAccountId=17');
  });

  test('A page asks whether an agent of which nothing was read exists already.', () => {
    const planned = planOfCreate();
    const created = renderPlanHtml(plan([planned]));
    expect(textOf(created.slice(created.indexOf('<body>')))).toContain(
      `Does the account already have an agent? Agent/${planned.name} : no agent id is known`,
    );
    expect(created).toContain('<p class="verdict mind">');
  });

  test('A page has the digest, and the policies that block or refuse.', () => {
    const refusals = [refusing('polite: a prompt is kind')];
    const judged = renderPlanHtml(plan([unchanged('a')], { digest: 'sha256:abc', refusals }));
    expect(judged).toContain('Digest of this plan, for the person who applies it: sha256:abc');
    expect(textOf(judged)).toContain('Refused (policy): polite: a prompt is kind');
  });
});

describe('a change of a text', () => {
  const edited = prompt.with(10, prompt[10]?.replace('something', 'nothing') ?? '');

  test('A change of a text stands side by side, with the words that changed marked and the rest folded.', () => {
    const only = change({
      path: 'settings.agentInstructions',
      from: prompt.join('\n'),
      to: edited.join('\n'),
      source: { file: 'prompts/a.md', line: 11 },
    });
    const markup = shown(only);
    expect(markup).toContain(
      '<div class="row"><del>Line 10 of the prompt says <mark>something</mark> of its own.</del>' +
        '<ins>Line 10 of the prompt says <mark>nothing</mark> of its own.</ins></div>',
    );
    expect(markup).toContain('<details class="fold"><summary>8 unchanged lines</summary>');
    expect(markup).toContain('<details class="fold"><summary>17 unchanged lines</summary>');
    expect(textOf(markup)).toContain('settings.agentInstructions 1 line reworded');
    expect(textOf(markup)).toContain('From prompts/a.md:11');
  });

  test('A change of a text loses no line of the new text.', () => {
    const markup = shown(
      change({ from: prompt.join('\n'), to: edited.toSpliced(20, 1).concat('The end.').join('\n') }),
    );
    for (const line of edited.toSpliced(20, 1)) expect(markup.replaceAll(/<\/?mark>/g, '')).toContain(line);
    expect(markup).toContain('<ins>The end.</ins>');
  });

  test('A change of a text shows a paragraph that stands elsewhere as moved, in both places.', () => {
    const text = textOf(
      shown(change({ from: prompt.join('\n'), to: [...prompt.toSpliced(3, 2), ...prompt.slice(3, 5)].join('\n') })),
    );
    expect(text).toContain('2 lines moved to line 29 Line 3 of the prompt');
    expect(text).toContain('2 lines moved here from line 4 Line 3 of the prompt');
  });

  test('A change of a text says of what it is a change, where the service does not show it.', () => {
    const blind = shown(change({ from: prompt.join('\n'), to: edited.join('\n'), knowledge: 'blind' }));
    expect(textOf(blind)).toContain('(cannot be read back) Before (last applied) Proposed (in the manifest)');
  });

  test('A change of a text in several resources folds nothing, for they may differ there.', () => {
    const resources = ['a', 'b'].map((name) =>
      resource({ name, changes: [change({ from: [name, ...prompt].join('\n'), to: [name, ...edited].join('\n') })] }),
    );
    const page = renderPlanHtml(plan(resources));
    expect(page).toContain('<h3>2 agents</h3>');
    expect(page).not.toContain('class="fold"');
  });

  test('A change of a text counts what did not change without showing it once a page has enough of it.', () => {
    const long = Array.from({ length: 50 }, () => 'x'.repeat(100_000));
    const only = change({ from: [...long, 'The old end.'].join('\n'), to: [...long, 'The new end.'].join('\n') });
    expect(shown(only)).toContain('<p class="gap">48 unchanged lines</p>');
  });
});

describe('a long text', () => {
  const long = Array.from({ length: 1_000 }, (_, index) => `Rule ${index} of a long prompt.`);
  const open = (text: string) => text.replace(/<details class="long rest">[\s\S]*?<\/details>/g, '');

  test.each<[string, Partial<Change>]>([
    ['that is new', { to: long.join('\n') }],
    ['that goes', { op: 'unset', from: long.join('\n') }],
  ])('%s shows how it begins, and folds the rest', (_, sides) => {
    const text = shown(change({ path: 'settings.agentInstructions', ...sides }));
    expect(textOf(open(text))).toContain('Rule 15 of');
    expect(textOf(open(text))).not.toContain('Rule 16 of');
    expect(text).toContain('<summary>Show 984 more lines, ');
    for (const line of long) expect(text).toContain(line);
  });

  test('A long text of a single line is folded whole.', () => {
    const line = 'A prompt without any line break. '.repeat(3_000);
    const text = shown(change({ path: 'settings.agentInstructions', to: line }));
    expect(text).toContain('<summary>Show 1 line, 99,000 characters</summary>');
    expect(textOf(open(text))).not.toContain('A prompt without');
  });

  test('A long text that takes the place of another one folds both sides together.', () => {
    const from = Array.from({ length: 30 }, (_, index) => `Quite other words stand here, ${index}`);
    const text = shown(change({ path: 'settings.agentInstructions', from: from.join('\n'), to: long.join('\n') }));
    expect(textOf(open(text)).match(/Quite other words/g)).toHaveLength(16);
    expect(textOf(open(text)).match(/Rule \d+ of/g)).toHaveLength(16);
    for (const line of [...from, ...long]) expect(text).toContain(line);
  });

  test('A long text that is added to another one is folded in its place.', () => {
    const to = [...prompt.slice(0, 20), ...long.slice(0, 200), ...prompt.slice(20)];
    const text = shown(change({ path: 'settings.agentInstructions', from: prompt.join('\n'), to: to.join('\n') }));
    expect(text).toContain('<summary>Show 184 more lines</summary>');
    for (const line of to) expect(text).toContain(line);
  });

  test('A long text that one side of a conflict has is folded, too.', () => {
    const lastApplied = prompt.join('\n');
    const from = lastApplied.replace('Line 3', 'Line three');
    const to = [...prompt.slice(0, 20), ...long.slice(0, 200), ...prompt.slice(20)].join('\n');
    const text = shown(change({ cause: 'conflict', path: 'settings.agentInstructions', lastApplied, from, to }));
    expect(text).toMatch(/<summary>Show \d+ more lines<\/summary>/);
    expect(textOf(open(text))).not.toContain('Rule 20 of');
    for (const line of long.slice(0, 200)) expect(text).toContain(line);
  });
});

describe('a conflict', () => {
  test('A conflict of short values is in three columns.', () => {
    const text = textOf(shown(change({ cause: 'conflict', lastApplied: 'Old', from: 'Theirs', to: 'Ours' })));
    expect(text).toContain(
      'Before (last applied) Live now (on the service) Proposed (in the manifest) "Old" "Theirs" "Ours"',
    );
  });

  test('A conflict of texts is in three columns line by line, with what each side did.', () => {
    const theirs = prompt.with(4, 'Line 4 is live.').concat('Said live.');
    const ours = prompt.with(4, 'Line 4 is ours.').toSpliced(20, 1);
    const parts = { lastApplied: prompt.join('\n'), from: theirs.join('\n'), to: ours.join('\n') };
    const markup = shown(change({ cause: 'conflict', ...parts }));
    expect(markup).toContain(
      '<div class="row"><span>Line 4 of the prompt says something of its own.</span><span class="moves">Line 4 is live.</span><span class="moves">Line 4 is ours.</span></div>',
    );
    expect(markup).toMatch(
      /<span>Line 20 [^<]*<\/span><span class="kept"[^>]*>Line 20 [^<]*<\/span><span class="none"><\/span>/,
    );
    expect(markup).toContain(
      '<span class="none"></span><span class="moves">Said live.</span><span class="none"></span>',
    );
    expect(textOf(markup)).toContain('Live now (on the service): 1 line added, 1 line replaced');
  });
});

test('what is only sent again stands apart from what changes, with its text, and is no change', () => {
  const again = change({
    path: 'settings.description',
    cause: 'unverified',
    knowledge: 'blind',
    from: 'x',
    to: `${'Long. '.repeat(12)}`,
  });
  const both = [change({ path: 'settings.callerResponseTimeout', from: 13, to: 20 }), again];
  const text = textOf(
    renderPlanHtml(plan([resource({ changes: both }), resource({ name: 'b', changes: [{ ...again, to: 'y' }] })])),
  );
  expect(text).toContain('update Agent/front-desk 1 setting, 1 only sent again : Silence before the agent asks');
  expect(text).toContain('send again Agent/b 1 only sent again');
  expect(text).toContain('settings.callerResponseTimeout 13 seconds → 20 seconds');
  expect(text).toContain('listed here: then it is lost. Description of the agent settings.description Long. Long.');
});

test('a long text that is only sent again is folded, and counted once a page has enough', () => {
  const again = (text: string) => shownAgain(change({ cause: 'unverified', knowledge: 'blind', to: text }));
  expect(again(prompt.join('\n'))).toContain('<summary>Show 30 lines, 1,459 characters</summary>');
  expect(again('x'.repeat(4_000_001))).toContain('1 line, 4,000,001 characters</li>');
});

function shownAgain(only: Change): string {
  const page = renderPlanHtml(plan([resource({ changes: [only] })]));
  return page.slice(page.indexOf('<li>Title of the agent'), page.indexOf('id="checked"'));
}

test('all names of a group can be opened, and resources are counted by what they are', () => {
  const names = Array.from({ length: 30 }, (_, index) => `a${'bcdefghijklmnopqrstuvwxyzabcde'[index]}${index}x`);
  const resources = names.map((name) => resource({ name, changes: [change({ from: 1, to: 2 })] }));
  const others = ['p', 'q'].map((name) => ({ ...unchanged(name), kind: 'PhoneNumber' }));
  const text = textOf(renderPlanHtml(plan([...resources, ...others])));
  expect(text).toContain(`Show all 30 names ${names.join(', ')}`);
  expect(text).toContain('Applying this will change 30 agents.');
  expect(text).toContain('2 phone numbers unchanged');
  expect(text).toContain('Unchanged are 2 phone numbers.');
});

test.each([
  [{ compared: 2, blind: 0, assumed: 0 }, 'All 2 settings were compared with the service.'],
  [
    { compared: 2, blind: 3, assumed: 0 },
    '2 of 5 settings were compared with the service. The service does not show the other 3: they are sent',
  ],
  [
    { compared: 2, blind: 0, assumed: 3 },
    'does not show the other 3: they are assumed to be as the last apply left them.',
  ],
])('Near the verdict a page says what was compared: %j.', (coverage, sentence) => {
  expect(textOf(renderPlanHtml(plan([resource({ coverage, changes: [change()] })])))).toContain(sentence);
});

test('a notice names settings as people do, and a group says what stands for their own values', () => {
  const drifted = [change({ cause: 'drift', from: 'a', to: ['Hi $', 'var.brand}'].join('{') })];
  const text = textOf(renderPlanHtml(plan(['a', 'b'].map((name) => resource({ name, changes: drifted })))));
  expect(text).toContain(`” ("a" → ${JSON.stringify(drifted[0]?.to)}) will be reverted, because it changed`);
  expect(text).toContain('var.…} stands for a value that each of them has for itself.');
});

describe('what to do', () => {
  const lastApply = { at: '2026-11-20T14:03:00Z', edited: 'no' } as const;
  const blind = change({ path: 'settings.callerResponseTimeout', from: 13, to: 20, knowledge: 'blind' });
  const coverage = { compared: 0, blind: 1, assumed: 0 };
  const adviceIn = (shownPlan: Plan) =>
    textOf(/<p class="advice">(.*?)<\/p>/.exec(renderPlanHtml(shownPlan))?.[1] ?? '');

  test('What to do is to approve, where nobody has to answer anything.', () => {
    const one = plan([resource({ coverage, lastApply, changes: [blind] })]);
    expect(adviceIn(one)).toContain(
      'If you want all of them, tell the person who sent you this page that you approve; if not, tell them which ones, or ask.',
    );
    const text = textOf(renderPlanHtml(one));
    expect(text).not.toContain('Check first');
    expect(text).toContain('No one edited it on the service since the apply of 2026-11-20 14:03 UTC.');
    expect(text).toContain('does not show the other 1: it is sent.');
    expect(text).toContain('The service does tell when an agent was last edited: not since the last apply.');
  });

  test('What to do is to answer each question once, whatever it is about.', () => {
    const edited = { ...lastApply, edited: 'yes' } as const;
    const again = change({ path: 'settings.description', cause: 'unverified', knowledge: 'blind', to: 'x' });
    const conflict = change({ cause: 'conflict', lastApplied: 'a', from: 'b', to: 'c' });
    const one = plan([
      resource({ lastApply: edited, coverage, changes: [blind, again, conflict] }),
      resource({ name: 'b', lastApply: edited, changes: [again] }),
    ]);
    expect(adviceIn(one)).toContain('Answer the 2 questions under “Check first”');
    const text = textOf(renderPlanHtml(one));
    expect(text.split('Did someone change one of these settings in the dashboard?')).toHaveLength(2);
    expect(text).toContain('Which version is right?');
    expect(text).toContain(
      'Everything else that is listed for front-desk waits for your choice, and is sent whatever you choose.',
    );
  });

  test.each<[string, Plan, string]>([
    ['nothing, where nothing changes', plan([unchanged('a')]), ''],
    ['to pass on what stands in the way', plan([resource({ action: 'blocked' })]), 'There is nothing to approve yet.'],
    [
      'to read an offline plan',
      plan([resource({ changes: [change()] })], { offline: { base: 'c0ffee' } }),
      'This plan cannot be applied',
    ],
    [
      'to answer one question',
      plan([resource({ changes: [change({ cause: 'drift' })] })]),
      'Answer the question under',
    ],
  ])('What to do is %s.', (_, shownPlan, advice) => {
    expect(adviceIn(shownPlan)).toContain(advice);
  });
});

test('settings that are assumed are named, once for all who have the same', () => {
  const assumed = [{ kind: 'Agent', names: ['a', 'b'], paths: ['settings.description', 'extraSettings.mood'] }];
  const resources = [unchanged('a'), unchanged('b')];
  const text = textOf(renderPlanHtml(plan(resources, { assumed })));
  expect(text).toMatch(
    /Show the \d+ settings that are assumed Agent\/a and Agent\/b : Description of the agent, extraSettings.mood/,
  );
});

test('how what drifted is kept is said for whoever applies the plan', () => {
  const text = textOf(renderPlanHtml(plan([resource({ changes: [change({ cause: 'drift', from: 'a', to: 'b' })] })])));
  expect(text).toContain(
    'For the person who applies it: agentform update front-desk -e production keeps what is on the service',
  );
  const drifted = (name: string, from: string) =>
    resource({ name, changes: [change({ cause: 'drift', from, to: 'b' })] });
  const several = textOf(renderPlanHtml(plan([drifted('x', 'a'), drifted('y', 'a')])));
  expect(several).toContain('“Title of the agent” ("a" → "b") will be reverted, because it changed');
  expect(several).not.toContain('For the person who applies it: agentform update');
  const differing = textOf(renderPlanHtml(plan([drifted('x', 'a'), drifted('y', 'c')])));
  expect(differing).toContain('“Title of the agent” changed on the service since the last apply');
});

const ownElements =
  'a article b body code dd del details div dl dt footer h1 h2 h3 h4 head header html ins li main mark meta nav ol p section span strong style summary title ul';

test('a text that is hostile never becomes an element, nor is a character of it hidden', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const page = renderPlanHtml(hostilePlan(text));
      const elements = new Set([...page.matchAll(/<\/?([a-z]\w*|!--)/gi)].map(([, element = '']) => element));
      expect([...elements].filter((element) => !ownElements.split(' ').includes(element))).toEqual([]);
      expect(dangerousIn(page)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

/** The text wherever a plan may have one from outside. */
function hostilePlan(text: string): Plan {
  const changes = [
    change({ path: `extraSettings.${text}`, from: text, to: `${text}\n${text}`, source: { file: text, line: 1 } }),
    change({ cause: 'conflict', lastApplied: `${text}\n`, from: `a\n${text}`, to: `${text}\nb` }),
  ];
  const target = { host: text, query: { [text]: text } };
  return plan(
    [resource({ name: text, changes, target, reasons: [saying(text)], warnings: [saying(text)], renamedFrom: text })],
    {
      environment: text,
      refusals: [refusing(text)],
    },
  );
}
