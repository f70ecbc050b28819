import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planMarkdown, renderPlanMarkdown } from '../../../src/report/markdown/plan.ts';
import type { Plan, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { refusing, saying } from '../../support/notices.ts';
import { dangerousIn, hostileText } from '../hostile-text.ts';
import { change, plan, resource, richPlan, unchanged } from '../plan/plan-builders.ts';
import { outsideFences, withoutCodeSpans } from './markdown-reader.ts';

/** The Markdown that GitHub would give a meaning to. */
function live(markdown: string): string {
  return withoutCodeSpans(outsideFences(markdown));
}

const ourTags = /<details open>|<\/?(?:details|summary|b|i|code)>|<br>/g;

const linkTo = (file: string, { first, last }: { readonly first: number; readonly last: number }) =>
  `https://example.com/${file}#${first}-${last}`;
const source = (file: string, line: number) => ({ source: { file, line } });
const ofTwoFiles = [
  change({ path: 'settings.title', ...source('agents/a.yaml', 9) }),
  change({ path: 'settings.agentVoice', knowledge: 'blind', ...source('shared/base.yaml', 3) }),
  change({ path: 'settings.agentLang', ...source('agents/a.yaml', 6) }),
  change({ path: 'settings.timezone' }),
];
const ofText = change({ path: 'settings.agentInstructions', from: 'a\nb', to: 'a\nc', ...source('prompts/p`1.md', 2) });

describe('where a change comes from', () => {
  const shown = (changes: ResourcePlan['changes'], options = {}) =>
    renderPlanMarkdown(plan([resource({ changes })]), options);

  test('Where a change comes from stands behind short values, and below their fence as one link for each file.', () => {
    expect(shown(ofTwoFiles)).toContain('+ settings.title: "New"  (agents/a.yaml:9)\n');
    expect(shown(ofTwoFiles)).not.toContain('From ');
    expect(shown(ofTwoFiles, { linkTo })).toContain(
      '+ settings.timezone: "New"\n```\n\n' +
        'From [`agents/a.yaml:6-9`](https://example.com/agents/a.yaml#6-9), ' +
        '[`shared/base.yaml:3`](https://example.com/shared/base.yaml#3-3)\n',
    );
  });

  test('Where a change comes from stands in the heading of a text.', () => {
    expect(shown([ofText])).toContain('`settings.agentInstructions` (``prompts/p`1.md:2``): 1 line replaced');
    expect(shown([ofText], { linkTo })).toContain(
      '`settings.agentInstructions` ([``prompts/p`1.md:2``](https://example.com/prompts/p`1.md#2-2)): 1 line replaced',
    );
  });

  test('Where a change comes from stands beside the path of a conflict, short or long.', () => {
    const conflict = { cause: 'conflict', lastApplied: 'x', ...source('agents/a.yaml', 9) } as const;
    const [short, long] = [change(conflict), change({ ...conflict, from: 'y'.repeat(200), to: 'z'.repeat(200) })];
    expect(shown([short])).toContain('! settings.title  (agents/a.yaml:9)\n');
    expect(shown([long], { linkTo })).toContain(
      '`settings.title` ([`agents/a.yaml:9`](https://example.com/agents/a.yaml#9-9)): conflict',
    );
  });
});

describe('a whole plan', () => {
  test('A whole plan says first what it comes to.', () => {
    const text = renderPlanMarkdown(plan([resource({ changes: [change()] }), unchanged('a')]));
    expect(text).toBe(`\
### agentform plan for \`production\`

**Applying this will change 1 agent.**

Plan: 0 to create, 1 to update, 1 unchanged.<br>
Compared 5 of 10 managed settings with the service; 5 cannot be read back (assumed unchanged).

<details open>
<summary><b>update</b> <code>Agent/front-desk</code>: 1 change <i>(camp_1 on service.example.com)</i></summary>

\`\`\`diff
- settings.title: "Old"
+ settings.title: "New"
\`\`\`

</details>

1 agent unchanged.
`);
  });

  test('A whole plan lists what a reviewer must not miss, the gravest first.', () => {
    const text = renderPlanMarkdown(richPlan());
    const [, notices = ''] = /\*\*Check first\*\*\n\n([\s\S]*?)\n\n/.exec(text) ?? [];
    expect(notices.split('\n')).toEqual([
      '- **Refused** (limit-creates): the plan creates 51 resources, but limits.creates is 50; to create them all, run again with --allow-creates 51',
      '- `Agent/support`: **blocked**; the record belongs to a different agent (camp\\_9): run `record adopt Agent/support camp_3` or `record forget Agent/support`',
      '- `Agent/lobby`: **failed**; the service did not answer within 30 s',
      '- `Agent/front-desk`: **conflict**: `settings.publicInstructions` changed on the service and in the manifest',
      '- `Agent/front-desk`: skill "calendar" is not usable: it is not installed',
      '- `Agent/night-line`: no id is known: an agent already under this token would be overwritten unseen',
      '- `Agent/front-desk`: drift: `settings.timezone` ("Europe/Berlin" → "America/New\\_York") will be reverted, because it changed on the service since the last apply',
      '- `Agent/front-desk`: `settings.agentLang` will be unset, because the manifest no longer declares it',
      '- `Agent/front-desk`: 2 settings will be sent but cannot be read back: `settings.description` and `settings.postAnswerDtmf`',
      '- `Agent/sales`: unverified: 2 settings cannot be read back, and someone else edited the agent since the last apply, so they are sent again',
      '- `Agent/old-desk`: **orphan**; there is a record and no manifest; nothing is sent',
    ]);
  });

  test('A whole plan says once what is to be minded of several.', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      resource({ name: `a${index}`, action: 'blocked', reasons: [saying('no id')] }),
    );
    expect(renderPlanMarkdown(plan(many))).toContain('\n- Agent/a0 to Agent/a39: **blocked**; no id\n');
  });

  test('A whole plan shows a text as a difference, and a new one whole.', () => {
    const text = renderPlanMarkdown(richPlan());
    expect(text).toContain(`\
\`settings.agentInstructions\`: 1 line added, 1 line reworded

\`\`\`diff
  You are the front desk of the Elm Street clinic.

- Greet the caller [-politely-] and ask for their name.
+ Greet the caller {+warmly+} and ask for their name.
  Never give medical advice.

@@ line 10 @@

  When the caller is in pain, transfer to the nurse.
+ Say goodbye by name.
\`\`\`
`);
    expect(text).not.toContain('more line');
  });

  test('A whole plan shows what is only sent again as no addition, and its texts by their size.', () => {
    const again = { cause: 'unverified', knowledge: 'blind' } as const;
    const prompt = change({
      path: 'settings.agentInstructions',
      to: 'One\nTwo',
      ...source('prompts/p.md', 1),
      ...again,
    });
    const title = change({ to: 'New', ...again });
    const several = renderPlanMarkdown(plan([resource({ changes: [prompt, title] })]));
    expect(several).toContain(
      '```diff\n  settings.agentInstructions: 2 lines, 7 characters  (prompts/p.md:1)\n  settings.title: "New"\n```\n',
    );
    const one = renderPlanMarkdown(plan([resource({ changes: [title] })]));
    expect(one).toContain('```diff\n  settings.title: "New"\n    unverified: cannot be read back, and');
  });

  describe('of a conflict', () => {
    const lines = ['Be kind.', 'Be brief.'];
    const text = renderPlanMarkdown(
      plan([
        resource({
          changes: [
            change({ from: 'Theirs', to: 'Ours', lastApplied: 'Old', cause: 'conflict' }),
            change({
              path: 'settings.agentInstructions',
              lastApplied: lines.join('\n'),
              from: lines.concat('Theirs.').join('\n'),
              to: lines.with(0, 'Be ours.').join('\n'),
              cause: 'conflict',
            }),
          ],
        }),
      ]),
    );

    test('A whole plan of a conflict shows the three values.', () => {
      expect(text).toContain(`\
\`\`\`diff
! settings.title
  last applied     "Old"
- on the service   "Theirs"
+ in the manifest  "Ours"
    conflict: changed on the service and in the manifest
\`\`\`
`);
    });

    test('A whole plan of a conflict shows what each side did to a longer text.', () => {
      expect(text).toContain(`\
\`settings.agentInstructions\`: conflict: changed on the service and in the manifest

on the service: 1 line added

\`\`\`diff
  Be kind.
  Be brief.
+ Theirs.
\`\`\`

in the manifest: 1 line replaced

\`\`\`diff
- Be kind.
+ Be ours.
  Be brief.
\`\`\`
`);
    });

    test('A whole plan of a conflict says how to resolve it.', () => {
      expect(text).toContain(
        "- 2 conflicts to resolve, and nothing is applied to front-desk until you choose: `agentform apply --overwrite Agent/front-desk -e production` keeps the manifest's value",
      );
    });
  });

  test.each<[string, Plan, string]>([
    ['nothing to do', plan([unchanged('a'), unchanged('b')]), 'No changes: both agents match their manifests.'],
    ['nothing possible', plan([resource({ action: 'failed' })]), 'Nothing can be applied. 1 agent could not be read.'],
    ['refusals', richPlan(), 'Refused for 1 reason: nothing will be applied.'],
    [
      'obstacles',
      { ...richPlan(), refusals: [] },
      'Applying this will create 1 agent and send 1 agent again without a change. Nothing is applied to front-desk until you choose; the other 2 are applied. 1 agent is blocked and left out. 1 agent could not be read.',
    ],
  ])('verdict on %s', (_, some, sentence) => {
    expect(renderPlanMarkdown(some).split('\n')[2]).toBe(`**${sentence}**`);
  });

  test('A whole plan takes a title.', () => {
    expect(renderPlanMarkdown(plan([]), { title: 'Drift <b> of @team' })).toMatch(
      /^### Drift &lt;b&gt; of @&#8203;team\n/,
    );
  });
});

describe('the limit', () => {
  const prompt = (lines: number) => change({ path: 'settings.agentInstructions', to: 'Be kind.\n'.repeat(lines) });
  const sizes = [100, 4_000, 10, 2_000, 50];
  const big = plan(sizes.map((lines, index) => resource({ name: `agent-${index}`, changes: [prompt(lines)] })));

  test('The limit leaves out whole sections, the largest first, and names them.', () => {
    const { text, shortened } = planMarkdown(big, { limit: 10_000 });
    expect(shortened).toBe(true);
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(text.match(/<summary>.*?<code>(.*?)<\/code>/g)).toHaveLength(3);
    expect(text).toMatch(
      /\*\*Left out for length:\*\* `Agent\/agent-1` \(44,\d{3} characters\), `Agent\/agent-3` \(22,\d{3} characters\)\n$/,
    );
  });

  test('The limit is not reached by a plan that fits.', () => {
    const all = planMarkdown(big, { limit: 100_000 });
    expect(all.shortened).toBe(false);
    expect(planMarkdown(big, { limit: all.text.length }).shortened).toBe(false);
    expect(planMarkdown(big, { limit: all.text.length - 1 }).shortened).toBe(true);
  });

  test('The limit holds with thousands of agents that all have something to say.', () => {
    const loud = (index: number): ResourcePlan =>
      resource({
        name: `agent-${index}`,
        action: index % 2 === 0 ? 'blocked' : 'update',
        reasons: [saying('@everyone '.repeat(200))],
        warnings: [saying('<b>'.repeat(400))],
        changes: [change({ cause: 'conflict' }), prompt(30)],
      });
    const { text, shortened } = planMarkdown(plan(Array.from({ length: 3_000 }, (_, index) => loud(index))));
    expect(shortened).toBe(true);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toContain('Plan: 0 to create, 0 to update, 1,500 in conflict, 1,500 blocked.');
  });

  test('The limit holds for every plan and every limit.', () => {
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
        const whole = planMarkdown(plan(resources), { limit: 1_000_000 });
        const { text, shortened } = planMarkdown(plan(resources), { limit });
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(shortened).toBe(text !== whole.text);
      }),
      { numRuns: 300 },
    );
  });
});

describe('hostile values', () => {
  test.each(['```', '````', `${'`'.repeat(40)}`, ' ```', '```\n</details>\n@everyone', '~~~'])(
    'Hostile values cannot end a fence: %j.',
    (value) => {
      const text = renderPlanMarkdown(
        plan([resource({ changes: [change({ from: `a\n${value}\nb`, to: `a\n${value}\nc` })] })]),
      );
      expect(live(text)).not.toContain('everyone');
      expect(live(text).match(/<\/details>/g)).toHaveLength(1);
      expect(live(text).trimEnd().endsWith('</details>')).toBe(true);
    },
  );

  test('Hostile values of 200 KB are left out, not cut.', () => {
    const prompt = `@everyone <!-- agentform \`\`\` </details> 🎉\n`.repeat(5_000);
    const { text, shortened } = planMarkdown(plan([resource({ changes: [change({ to: prompt })] })]));
    expect(shortened).toBe(true);
    expect(text).toMatch(/\*\*Left out for length:\*\* `Agent\/front-desk` \(2\d\d,\d{3} characters\)/);
    expect(text.length).toBeLessThan(1_000);
  });

  test('Hostile values become neither mentions, links, references nor markup.', () => {
    const warning = 'ask @team at https://x.example or www.x.example, see #12 and GH-3 <img src=x> **now** `@all`';
    const text = renderPlanMarkdown(plan([resource({ warnings: [saying(warning)], changes: [change()] })]));
    expect(text).toContain(
      'ask @&#8203;team at https:&#8203;//x.example or www&#8203;.x.example, see #&#8203;12 and GH-&#8203;3 &lt;img src=x&gt; \\*\\*now\\*\\* `@all`',
    );
  });

  test('Hostile values leave nothing live outside of fences and code spans, in any place.', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (a, b, c) => {
        const changes = [
          change({ path: a, from: b, to: c, ...source(c, 1) }),
          change({ path: b, to: `${c}\n${a}`, knowledge: 'blind', ...source(a, 1) }),
          change({ path: c, op: 'unset', from: { [a]: [b, c] }, cause: 'drift' }),
          change({ path: a, op: 'release', from: `${b}\n`, cause: 'conflict' }),
          change({ path: b, from: a, to: c, lastApplied: b, cause: 'conflict' }),
          change({ path: c, from: `${b}\n${a}`, to: c, lastApplied: { [a]: b }, cause: 'conflict' }),
        ];
        const hostile = resource({
          kind: c,
          name: a,
          id: b,
          target: { host: c, query: { [a]: b } },
          reasons: [saying(b)],
          warnings: [saying(c)],
          changes,
        });
        const blocked = resource({ name: b, action: 'blocked', reasons: [saying(`${a} \`${c}\` ${b}`)] });
        const some = plan([hostile, blocked], { environment: a, refusals: [refusing(c)] });
        const text = renderPlanMarkdown(some, { title: b, linkTo: () => 'LINK' });
        expect(dangerousIn(text)).toEqual([]);
        const markup = live(text);
        expect(markup).not.toMatch(/@\w/);
        expect(markup).not.toMatch(/(?<!&)#\d/);
        expect(markup.replace(ourTags, '')).not.toContain('<');
        expect(markup.match(/<details(?: open)?>/g)).toHaveLength(1);
        expect(markup.match(/<\/details>/g)).toHaveLength(1);
        expect(markup).not.toContain('://');
      }),
      { numRuns: 500 },
    );
  });
});
