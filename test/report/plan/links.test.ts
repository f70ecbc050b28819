import { describe, expect, test } from '@jest/globals';
import { notice } from '../../../src/notices/notice.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import { renderPlanMarkdown } from '../../../src/report/plan.ts';
import type { Change, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { change, plan, resource, sensitive } from './plan-builders.ts';

const voice = change({ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' });
const hidden = (name: string) => ({ ...voice, from: sensitive(name), to: sensitive(`new ${name}`) }) as Change;
const conflict = change({ path: 'settings.welcomeMessage', from: 'A', to: 'B', lastApplied: 'C', cause: 'conflict' });
const resent = change({ path: 'settings.description', to: 'D', cause: 'unverified', knowledge: 'blind' });
const text = (to: string) => change({ path: 'settings.agentInstructions', from: 'One.\n\n## Prices\nTwo.', to });
const warnings = [
  notice('prompt-section-lost', { path: 'settings.agentInstructions', section: 'Prices' }),
  notice('prompt-check', {
    rule: 'prompt-placeholder',
    finding: '“TODO” was left',
    path: 'settings.agentInstructions',
  }),
];
const left = (name: string) => ({
  name,
  action: 'none' as const,
  kept: [voice],
  warnings: [notice('drift-left', { paths: [voice.path] })],
});

/** A plan with each kind of question, about single agents and about groups. */
const made = plan(
  [
    ...['a1', 'a2', 'a3'].map((name) => ({ name, changes: [voice] })),
    { name: 'b', changes: [{ ...voice, from: 'calm-3' }] },
    ...['c1', 'c2'].map((name) => ({ name, changes: [hidden(name)] })),
    ...['d1', 'd2', 'd3'].map((name) => ({ name, changes: [conflict] })),
    { name: 'e', changes: [conflict, change()] },
    { name: 'f', changes: [{ ...conflict, to: 'Else' }] },
    ...['g1', 'g2'].map((name) => ({ name, changes: [resent] })),
    ...['h1', 'h2'].map((name) => ({ name, changes: [text('TODO')], warnings })),
    { name: 'i', changes: [text('TODO: i'), resent], warnings: warnings.map((one) => ({ ...one })) },
    ...['j1', 'j2'].map((name) => ({ name, action: 'create' as const, mayReplace: true, changes: [change()] })),
    left('k1'),
    left('k2'),
    ...['l1', 'l2'].map((name, index) => ({
      name,
      step: index + 1,
      variables: { brand: name },
      ...(index > 0 && { action: 'waiting' as const }),
      changes: [{ ...voice, from: `Voice of ${name}`, to: `Old voice of ${name}` }],
    })),
  ].map((parts: Partial<ResourcePlan>) => resource({ ...parts, digest: `digest of ${parts.name}` })),
);

const matches = (markup: string, pattern: RegExp) => [...markup.matchAll(pattern)].map(([, found = '']) => found);

describe('the links of a plan with questions about groups', () => {
  const prefix = 'production_';
  const page = renderPlanHtml(made);
  const comment = renderPlanMarkdown(made).replaceAll(prefix, '');
  const links = { page: /href="#([^"]*)"/g, comment: /\]\(#([^)]*)\)/g };
  const card = {
    page: /<details class="card" id="[^"]*"[\s\S]*?(?=<details class="card"|$)/g,
    comment: /<summary><a id=[\s\S]*?(?=<summary>|$)/g,
  };

  test.each([
    ['page', page],
    ['comment', comment],
  ] as const)('Each link of a %s has one target.', (medium, markup) => {
    const ids = matches(markup, / id="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const found = matches(markup, links[medium]);
    expect(found.filter((to) => !ids.includes(to))).toEqual([]);
    expect(found).toContain('q2-change');
  });

  test.each([
    ['page', page],
    ['comment', comment],
  ] as const)('Each card of a %s links to all its questions.', (medium, markup) => {
    const cards = markup.match(card[medium]) ?? [];
    const asked = cards.filter((one) => /uestions? \d/.test(one));
    expect(asked.length).toBeGreaterThan(10);
    for (const one of asked) {
      const [, named = ''] = /uestions? ([\d, and]+)/.exec(one) ?? [];
      for (const number of named.match(/\d+/g) ?? []) expect(matches(one, links[medium])).toContain(`q${number}`);
    }
  });

  test('Each question links to its cards.', () => {
    for (const { number } of made.questions) {
      const [block = ''] = new RegExp(`<li class="q" id="q${number}">[\\s\\S]*?</li>\\s`).exec(page) ?? [];
      expect(matches(block, links.page).length).toBeGreaterThan(0);
    }
  });
});

test('No name of an agent clashes with another id of the document.', () => {
  const names = ['main', 'q1', 'q1-change', 's1', 'changes', 'changes-h', 'technical', 'unchanged', 'group', 'group-2'];
  const same = [voice, conflict].flatMap((one) =>
    [1, 2].map((number) => ({ name: `x${number}${one.cause}`, changes: [one] })),
  );
  const held = { by: 'octo-dev', since: '2026-11-20T10:00:00Z' };
  const some = [
    ...names.map((name) => ({ name, changes: [change({ to: name })] })),
    ...same,
    { name: 'hold', changes: [conflict, voice, resent] },
    { name: 'held', action: 'blocked' as const, held },
    { name: 'still', action: 'none' as const },
  ].map((parts: Partial<ResourcePlan>) => resource(parts));
  const named = plan(some);
  const refused = plan(some, { refusals: [notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 })] });
  const markups = [named, refused].flatMap((one) => [renderPlanHtml(one), renderPlanMarkdown(one)]);
  for (const markup of markups) {
    const ids = matches(markup, / id="([^"]*)"/g);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => /card-(q1|changes-h|group|group-2|hold)$/.test(id))).toHaveLength(5);
  }
});

test('Comments about two environments have no id in common.', () => {
  const comments = ['eu', 'eu-card'].map((environment) =>
    renderPlanMarkdown(plan([resource({ name: 'q1', changes: [voice] })], { environment })),
  );
  const ids = comments.flatMap((comment) => matches(comment, /<a id="([^"]*)"/g));
  expect(new Set(ids).size).toBe(ids.length);
});
