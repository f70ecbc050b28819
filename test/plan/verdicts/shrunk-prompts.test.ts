import { describe, expect, test } from '@jest/globals';
import { PathMap } from '../../../src/kinds/path-map.ts';
import { type Secrecy, secrecyOf } from '../../../src/kinds/sensitive.ts';
import { planResource } from '../../../src/plan/resource-plan.ts';
import { shrunkPrompts } from '../../../src/plan/verdicts/shrunk-prompts.ts';
import { sentencesOf } from '../../../src/report/notices.ts';
import type { Change } from '../../../src/schemas/plan-types.ts';
import { Secret } from '../../../src/secrets/secret.ts';
import { told } from '../../support/notices.ts';
import { agentRecord, campaign, desiredAgent } from '../../support/observations.ts';
import { change } from '../../support/policies.ts';

const rules = Array.from({ length: 20 }, (_, index) => `- Rule number ${index} says what to do.`).join('\n');
const before = `# Desk\n\nBe nice.\n\n## Rules\n\n${rules}\n\n## Emergencies\n\nDial 911.\n`;

interface Planned {
  readonly level?: 'warn' | 'error' | undefined;
  readonly live?: string;
}

function planOf(now: string, { level = 'warn', live = before }: Planned = {}) {
  const observation = {
    desired: desiredAgent({ settings: { agentInstructions: now } }),
    record: agentRecord({ 'settings.agentInstructions': live }),
    reading: { campaign: campaign({ agentInstructions: live }) },
  };
  const options = { unverified: 'set', secrecy: secrecyOf([]), orphans: [], shrunkPrompts: level } as const;
  return told(planResource(observation, options).planned);
}

describe('a prompt that loses text', () => {
  test('A plan warns of a prompt that loses half of its text.', () => {
    expect(planOf('# Desk\n\nBe nice.\n').warnings).toEqual([
      `at least half of settings.agentInstructions is removed: ${before.trim().length} characters become 16; the sections 'Rules' and 'Emergencies' are gone`,
    ]);
  });

  test('A plan warns of a shrunk prompt with the names of a few removed sections.', () => {
    const sections = Array.from({ length: 9 }, (_, index) => `## Part ${index + 1}\n\n${rules} ${index}`);
    const live = ['# Desk\n\nBe nice.', ...sections].join('\n\n');
    const [warning] = planOf('# Desk\n\nBe nice.\n', { live }).warnings;
    expect(warning).toMatch(/; the sections 'Part 1', 'Part 2', .*'Part 6' and 3 more are gone$/);
    const [one] = planOf(`# Desk\n\nBe nice.\n\n## Emergencies\n`).warnings;
    expect(one).toMatch(/characters become \d+; the section 'Rules' is gone$/);
  });

  test('A plan warns of a prompt that loses a whole section.', () => {
    const now = before.replace('## Emergencies\n\nDial 911.\n', 'Bye.\n');
    expect(planOf(now).warnings).toEqual(["the whole section 'Emergencies' of settings.agentInstructions is removed"]);
  });

  test.each([
    ['with another rule', before.replace('number 3', 'number three')],
    ['with a section that has another name', before.replace('## Emergencies', '## In an emergency')],
    [
      'with a section that is elsewhere',
      `## Emergencies\n\nDial 911.\n${before.replace('## Emergencies\n\nDial 911.\n', '')}`,
    ],
    ['with a section that says something else', before.replace('Dial 911.', 'Transfer the call.')],
  ])('A plan does not warn of a prompt %s.', (_name, now) => {
    expect(planOf(now).warnings).toEqual([]);
  });

  test('A plan does not warn of a short prompt.', () => {
    expect(planOf('Hi.', { live: 'Hi, and be nice to everybody.' }).warnings).toEqual([]);
  });
});

test('A project can block resources with a shrunk prompt.', () => {
  const reasons = [
    expect.stringContaining(
      "at least half of settings.agentInstructions is removed: 724 characters become 3; the sections 'Desk', 'Rules' and 'Emergencies' are gone. If this is intended, write `prompt-shrunk: warn` under `lint` in agentform.yaml for this apply",
    ),
  ];
  const prevented = { action: 'update', changes: [{ path: 'settings.agentInstructions', from: before, to: 'Hi.' }] };
  expect(planOf('Hi.', { level: 'error' })).toMatchObject({ action: 'blocked', reasons, changes: [], prevented });
});

test('With the level error, a prompt that loses a whole section blocks its agent.', () => {
  const now = before.replace('## Emergencies\n\nDial 911.\n', 'Bye.\n');
  expect(planOf(now, { level: 'error' })).toMatchObject({
    action: 'blocked',
    reasons: [
      "the whole section 'Emergencies' of settings.agentInstructions is removed. If this is intended, write `prompt-shrunk: warn` under `lint` in agentform.yaml for this apply",
    ],
  });
});

describe('a masked prompt that loses text', () => {
  const key = 'a1B2c3D4e5F6g7H8';
  const whole = `# Key ${key}\n\nUse the api key ${key}.\n\n${before}`;

  test.each<readonly [string, string, Known]>([
    ['secret', 'Be nice.', secrecyOf([new Secret(key)])],
    ['typed credential', 'Be nice.', { credentials: [key] }],
  ])('A plan warns of a prompt with a %s that loses half of its text, without its headings.', (_case, now, known) => {
    const { warnings } = hiddenPlanOf(now, whole, known);
    expect(warnings).toContain(
      `at least half of settings.agentInstructions is removed: ${whole.trim().length} characters become 8`,
    );
    expect(JSON.stringify(warnings)).not.toContain(key);
  });

  test('A plan warns once of a prompt with a typed credential that loses sections, without their headings.', () => {
    const { warnings } = hiddenPlanOf(before.replace('## Emergencies\n\nDial 911.\n', 'Bye.\n'), whole, {
      credentials: [key],
    });
    expect(warnings).toContain("the whole section '(sensitive)' of settings.agentInstructions is removed");
    expect(warnings.filter((one) => one.includes('section'))).toHaveLength(1);
  });
});

type Known = Partial<Secrecy & { readonly credentials: readonly string[] }>;

function hiddenPlanOf(now: string, live: string, { credentials, ...known }: Known) {
  const observation = {
    desired: desiredAgent({ settings: { agentInstructions: now } }),
    record: agentRecord({ 'settings.agentInstructions': now }),
    reading: { campaign: campaign({ agentInstructions: live }) },
    ...(credentials && { credentials }),
  };
  const secrecy = { ...secrecyOf([]), ...known };
  return told(planResource(observation, { unverified: 'set', secrecy, orphans: [], shrunkPrompts: 'warn' }).planned);
}

function lossesOf(sides: Pick<Change, 'from' | 'to'>, field = 'agentInstructions'): string[] {
  const changes = [{ path: ['settings', field], change: change(`settings.${field}`, sides) }];
  return sentencesOf(shrunkPrompts({ kind: 'Agent', byPath: new PathMap() }, changes));
}

const [from200, from400] = ['x'.repeat(200), 'x'.repeat(400)];

test.each<[string, Pick<Change, 'from' | 'to'>, string[]]>([
  ['199 characters that become 10', { from: 'x'.repeat(199), to: 'x'.repeat(10) }, []],
  ['200 that become 101', { from: from200, to: 'x'.repeat(101) }, []],
  ['200 that become 100', { from: from200, to: 'x'.repeat(100) }, ['200 characters become 100']],
  ['400 that are gone', { from: from400 }, ['400 characters become 0']],
  ['none that become some', { to: 'x' }, []],
  ['what was no text', { from: 5, to: 'x' }, []],
  ['what is no text any more', { from: from400, to: null }, []],
])('The loss of text is judged by size: %s', (_what, sides, losses) => {
  const sentences = losses.map((loss) => `at least half of settings.agentInstructions is removed: ${loss}`);
  expect(lossesOf(sides)).toEqual(sentences);
  expect(lossesOf(sides, 'title')).toEqual([]);
});

test.each([
  ['a heading without lines is no section', '# A\nkeep\n# B', '# A\nkeep', []],
  ['a section is there while any of its lines is', '# A\nkeep\n# B\none\ntwo', '# A\nkeep\ntwo', []],
  ['a heading in a fence is no section', '# A\nkeep\n```\n# B\nrun\n```\n', '# A\nkeep', []],
  ['a heading in the other kind of fence is no section', '# A\nkeep\n~~~\n# B\nrun\n~~~\n', '# A\nkeep', []],
  ['after a fence there are headings again', '# A\n```\nrun\n```\n# B\nbye', '# A\n```\nrun\n```', ['# B']],
  ['a fence begins a line', '# A\nsay ```\n# B\nbye', '# A\nsay ```', ['# B']],
  ['a heading begins a line', '# A\nkeep\nsee # B\nbye', '# A\nkeep', []],
  ['blank lines are nothing that is left', '# A\nkeep\n \n# B\nbye\n \n', '# A\nkeep\n \n', ['# B']],
  ['spaces around a line do not count', '# A\nkeep\n# B  \n bye', '# A\nkeep\n# B\nother', []],
])('The removed sections of a text are found: %s', (_what, from, to, titles) => {
  const named = titles.map((title) => `the whole section '${title.slice(2)}' of settings.agentInstructions is removed`);
  expect(lossesOf({ from, to })).toEqual(named);
});
