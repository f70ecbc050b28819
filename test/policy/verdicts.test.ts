import { describe, expect, test } from '@jest/globals';
import { judge } from '../../src/plan/verdicts/policies.ts';
import { applicableRules, judgedDesired } from '../../src/policy/policy.ts';
import { change, type Judged, judged, policyOf, policyText, updateOf } from '../support/policies.ts';

/** The verdict: `deny`, nothing, or the failure of a rule that could not be judged. */
async function verdictOn(expression: string, about: Judged): Promise<string> {
  const { verdicts } = judged([await policyOf(policyText(expression))], about);
  const [first] = verdicts;
  if (first === undefined) return 'pass';
  return first.message === 'policy p: It is broken' ? 'deny' : first.message.replace('policy p: its rule ', '');
}

const settings = {
  settings: {
    title: 'Front desk',
    agentLang: 'en-US',
    autoRecordingNotification: 'false',
    agentInstructions: 'Call +1 415 555 0100.',
    maxConvoTurns: 12,
    links: ['https://a.example'],
    webhookUrl: null,
  },
  skills: [
    { slug: 'calendar', instructions: 'Books.' },
    { slug: 'billing', instructions: '' },
  ],
  transferRules: { cnamAutoTransferDestination: 'ext:100' },
};

describe('rules about a manifest', () => {
  const cases: readonly (readonly [expression: string, verdict: string])[] = [
    ['desired.settings.autoRecordingNotification == "false"', 'deny'],
    ['desired.settings.autoRecordingNotification == "true"', 'pass'],
    ['desired.settings.title.startsWith("Front")', 'deny'],
    ['size(desired.settings.agentInstructions) > 8000', 'pass'],
    ['desired.settings.agentInstructions.matches("[+][0-9][0-9 ]{8,14}")', 'deny'],
    ['desired.settings.agentLang != "en-US"', 'pass'],
    ['!(desired.settings.agentLang in ["en-US", "es-MX"])', 'pass'],
    ['!desired.settings.agentLang.startsWith("de")', 'deny'],
    ['desired.skills.exists(s, s.instructions == "")', 'deny'],
    ['desired.skills.all(s, s.slug != "billing")', 'pass'],
    ['desired.skills.map(s, s.slug) == ["calendar", "billing"]', 'deny'],
    ['desired.skills.filter(s, s.slug == "calendar").size() == 1', 'deny'],
    ['has(desired.apps)', 'pass'],
    ['has(desired.settings.heartbeatInstructions) && desired.settings.heartbeatInstructions == "x"', 'pass'],
    ['!has(desired.settings.agentLang)', 'pass'],
    ['desired.transferRules.cnamAutoTransferDestination == "ext:100"', 'deny'],
    ['desired.name == "desk" && desired.kind == "Agent"', 'deny'],
    ['desired.environment == "staging"', 'pass'],
    ['desired.settings.title + "!" == "Front desk!"', 'deny'],
    ['desired.settings.title.size() > 3 ? false : true', 'pass'],
    ['desired.settings["title"] == "Front desk"', 'deny'],
    ['desired.settings.links.exists(one, !one.startsWith("https://"))', 'pass'],
  ];

  test.each(cases)('The rule %s about a manifest gives the verdict: %s', async (expression, verdict) => {
    expect(await verdictOn(expression, { desired: settings })).toBe(verdict);
  });
});

describe("rules judged while a resource's values were known", () => {
  const breaking = 'desired.settings.title == "Front desk"';

  async function judgedWith(expression: string, steps?: number) {
    const policies = [await policyOf(policyText(expression))];
    const planned = { ...updateOf([]), action: 'none' as const };
    const now = new Date('2026-11-23T12:00:00Z');
    const found = judgedDesired(applicableRules(policies, now)(planned), () => settings);
    const asked: string[] = [];
    const viewOf = (address: string) => {
      asked.push(address);
      return settings;
    };
    const resource = {
      planned,
      hasManifest: true,
      judged: found && { ...found, ...(steps !== undefined && { steps }) },
    };
    const { verdicts } = judge('production', [resource], { policies, now, viewOf, decisions: [] });
    return { messages: verdicts.map(({ message }) => message), asked };
  }

  test('A plan does not judge a rule that was judged with known values again.', async () => {
    expect(await judgedWith(breaking)).toEqual({ messages: ['policy p: It is broken'], asked: [] });
    expect(await judgedWith('desired.settings.title == "Reception"')).toEqual({ messages: [], asked: [] });
  });

  test('A plan judges a rule again if it took more steps than are left.', async () => {
    const { messages, asked } = await judgedWith(breaking, Number.POSITIVE_INFINITY);
    expect(messages).toEqual(['policy p: It is broken']);
    expect(asked).toEqual(['Agent/desk']);
  });

  test('A plan resolves no values if no rule reads them.', async () => {
    expect(await judgedWith('change.path == "settings.title"')).toEqual({ messages: [], asked: [] });
  });
});

describe('rules that cannot be judged', () => {
  const cases: readonly (readonly [expression: string, said: string])[] = [
    [
      'desired.settings.heartbeatInstructions == "x"',
      'reads desired.settings.heartbeatInstructions, which is not declared; test for it with has(desired.settings.heartbeatInstructions)',
    ],
    ['desired.apps.size() > 1', 'reads desired.apps, which is not declared; test for it with has(desired.apps)'],
    [
      'desired.settings["heartbeatInstructions"] == "x"',
      'reads desired.settings["heartbeatInstructions"], which is not declared',
    ],
    ['desired.settings.title > 3', 'cannot be evaluated: no such overload: dyn<string> > int'],
    ['desired.settings.title', 'returns neither true nor false'],
  ];

  test.each(cases)('The rule %s counts as broken: %s', async (expression, said) => {
    expect(await verdictOn(expression, { desired: settings })).toBe(said);
  });
});

describe('rules about a change or a resource', () => {
  const blind = change('transferRules.cnamAutoTransferDestination', { knowledge: 'blind', to: 'ext:200' });
  const drift = change('settings.title', { cause: 'drift', from: 'Old', to: 'New' });
  const cases: readonly (readonly [expression: string, resource: ReturnType<typeof updateOf>, verdict: string])[] = [
    ['change.knowledge == "blind" && change.path.startsWith("transferRules.")', updateOf([drift, blind]), 'deny'],
    ['change.knowledge == "blind" && change.path.startsWith("transferRules.")', updateOf([drift]), 'pass'],
    ['change.cause == "drift" && change.from == "Old"', updateOf([drift]), 'deny'],
    ['change.op == "unset"', updateOf([drift]), 'pass'],
    ['has(change.to) && change.to == "ext:200"', updateOf([blind]), 'deny'],
    ['resource.action == "create"', updateOf([drift]), 'pass'],
    ['resource.changes.size() > 1', updateOf([drift, blind]), 'deny'],
    ['resource.name == "desk" && desired.settings.title == "Front desk"', updateOf([drift]), 'deny'],
    ['resource.action == "forget"', updateOf([], { action: 'forget' }), 'deny'],
    ['resource.action == "none"', updateOf([], { action: 'none' }), 'pass'],
  ];

  test.each(cases)('The rule %s is judged for a change or a resource.', async (expression, resource, verdict) => {
    expect(await verdictOn(expression, { resources: [resource], desired: settings })).toBe(verdict);
  });
});

describe('rules about a plan', () => {
  const twenty = Array.from({ length: 21 }, (_, index) => updateOf([change('settings.title')], { name: `a-${index}` }));
  const friday = '2026-11-27T12:00:00Z';
  const cases: readonly (readonly [expression: string, about: Judged, verdict: string])[] = [
    ['plan.summary.update > 20', { resources: twenty }, 'deny'],
    ['plan.summary.update > 20', { resources: twenty.slice(1) }, 'pass'],
    ['plan.resources.exists(r, r.changes.exists(c, c.cause == "drift"))', { resources: twenty }, 'pass'],
    ['now >= timestamp("2026-12-20T00:00:00Z") && now < timestamp("2027-01-02T00:00:00Z")', {}, 'pass'],
    ['now >= timestamp("2026-11-20T00:00:00Z") && plan.summary.update > 0', {}, 'deny'],
    ['now.getDayOfWeek("Europe/Berlin") == 5', { now: friday }, 'deny'],
    ['now.getDayOfWeek() == 5 && now.getHours() >= 13', { now: friday }, 'pass'],
    ['plan.environment == "production" && plan.summary.create == 0', {}, 'deny'],
  ];

  test.each(cases)('The rule %s is judged for a whole plan.', async (expression, about, verdict) => {
    expect(await verdictOn(expression, about)).toBe(verdict);
  });
});
