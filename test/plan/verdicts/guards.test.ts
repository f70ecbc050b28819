import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Identity } from '../../../src/kinds/shared-targets.ts';
import { makePlan } from '../../../src/plan/plan.ts';
import { planResource } from '../../../src/plan/resource-plan.ts';
import {
  type CommitRelation,
  type FromCommit,
  olderCheckout,
  sharedTargetNotices,
  tooManyCreates,
} from '../../../src/plan/verdicts/guards.ts';
import { Secret } from '../../../src/secrets/secret.ts';
import { toldRefusals } from '../../support/notices.ts';
import { agentRecord, campaign, desiredAgent, planOf } from '../../support/observations.ts';

describe('two manifests on one agent', () => {
  const cases: Record<string, [Partial<Identity>, Partial<Identity>, RegExp | undefined]> = {
    'are the same in token and query': [{}, {}, /base URL, token and query/],
    'have separate tokens': [{}, { tokenReference: '${secret.B}' }, undefined],
    'have separate queries': [{}, { query: { targetAccountId: '1' } }, undefined],
    'have separate base URLs': [{}, { baseUrl: 'http://b' }, undefined],
    'have the same query in another order': [
      { query: { a: '1', b: '2' } },
      { query: { b: '2', a: '1' } },
      /base URL, token and query/,
    ],
    'have two names for one token': [
      { token: new Secret('same') },
      { tokenReference: '${secret.B}', token: new Secret('same') },
      /base URL, token and query/,
    ],
    'have two names for two tokens': [
      { token: new Secret('one') },
      { tokenReference: '${secret.B}', token: new Secret('other') },
      undefined,
    ],
    'have one agent id': [
      { agentId: 'camp_1' },
      { agentId: 'camp_1', tokenReference: '${secret.B}' },
      /agent id camp_1/,
    ],
    'have one agent id on two hosts': [{ agentId: 'camp_1' }, { agentId: 'camp_1', baseUrl: 'http://b' }, undefined],
    'have two agent ids and one target': [{ agentId: 'camp_1' }, { agentId: 'camp_2' }, /base URL, token and query/],
  };

  test.each(Object.entries(cases))('Two manifests that %s are judged correctly.', (_name, [one, other, expected]) => {
    const refusals = toldRefusals(sharedTargetNotices([identity('a', one), identity('b', other)]));
    expect(refusals).toHaveLength(expected === undefined ? 0 : 1);
    if (expected === undefined) return;
    expect(refusals[0]).toMatchObject({ rule: 'shared-target', message: expect.stringMatching(expected) });
    expect(refusals[0]?.message).toMatch(/Agent\/a and Agent\/b/);
    expect(refusals[0]?.message).not.toContain('same"');
  });

  test('Two manifests on one agent are reported in one sentence, with what would separate them.', () => {
    const shared = { agentId: 'camp_1', token: new Secret('same') };
    expect(toldRefusals(sharedTargetNotices([identity('a', shared), identity('b', shared)]))).toStrictEqual([
      {
        rule: 'shared-target',
        message:
          'Agent/a and Agent/b have the same account, so one would overwrite the other. They have the same agent id camp_1; ' +
          'give each a separate agentId',
      },
    ]);
  });

  test('Any number of manifests on one agent are reported together.', () => {
    const names = Array.from({ length: 60 }, (_, index) => `a${index + 10}`);
    const [refusal, ...others] = toldRefusals(sharedTargetNotices(names.map((name) => identity(name))));
    expect(others).toEqual([]);
    expect(refusal?.message).toMatch(
      /^Agent\/a10, Agent\/a11, .* Agent\/a19 and 50 more have the same account, so each would overwrite the others\. They have the same base URL, token and query;/,
    );
  });

  test('A refusal does not depend on the order of the resources.', () => {
    const identities = fc.array(
      fc.record({
        query: fc.constantFrom<Record<string, string>>({}, { t: '1' }, { t: '2' }),
        tokenReference: fc.constantFrom('${secret.A}', '${secret.B}', '${secret.C}'),
        token: fc.constantFrom(new Secret('1'), new Secret('2')),
        agentId: fc.constantFrom('x', 'y', 'z'),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(identities, (made) => {
        const named = made.map((parts, index) => identity(`a${index}`, parts));
        expect(sharedTargetNotices([...named].reverse()).length > 0).toBe(sharedTargetNotices(named).length > 0);
      }),
    );
  });
});

describe('the limit of creates', () => {
  const create = planOf({
    desired: desiredAgent({ settings: { title: 'T' } }, { target: withoutId() }),
  });

  test.each([
    [0, 0, false],
    [1, 0, true],
    [50, 50, false],
    [51, 50, true],
  ])('A plan of %d creates with a limit of %d is refused: %s', (count, creates, refused) => {
    const refusals = toldRefusals(tooManyCreates(Array(count).fill(create), { creates }));
    expect(refusals).toHaveLength(refused ? 1 : 0);
    if (!refused) return;
    expect(refusals[0]).toMatchObject({ rule: 'limit-creates' });
    expect(refusals[0]?.message).toMatch(
      new RegExp(`${count} .* at most ${creates} .*limits\\.creates.*--allow-creates ${count}`),
    );
  });

  test('Updates, blocked and failed resources and orphans do not count as creates.', () => {
    const others = ['update', 'none', 'blocked', 'failed', 'orphan'].map((action) => ({ ...create, action }) as never);
    expect(tooManyCreates([create, ...others], { creates: 1 })).toEqual([]);
  });
});

describe('resources applied from another commit', () => {
  const update = (name: string) =>
    planOf({
      desired: desiredAgent({ settings: { title: 'U' } }, { name }),
      record: agentRecord({ 'settings.title': 'T' }, { name }),
      reading: { campaign: campaign({ title: 'T' }) },
    });
  const source = (relation: CommitRelation, problem?: string): FromCommit => ({
    commit: '0123456789abcdef'.repeat(3).slice(0, 40),
    relation,
    ...(problem !== undefined && { problem }),
  });

  test.each<[CommitRelation, RegExp | undefined]>([
    ['ancestor', undefined],
    [
      'descendant',
      /^Agent\/a was last applied from a newer version, so this plan would undo newer work\. That is commit 0123456789ab\./,
    ],
    ['diverged', /a version with other changes.*squash/],
    ['unknown', /a version that the project no longer has.*rewritten/],
    ['unanswered', /a version that could not be compared/],
  ])('A commit with the relation %s to the checkout is judged.', (relation, message) => {
    const refusals = toldRefusals(olderCheckout([update('a')], new Map([['Agent/a', source(relation)]])));
    expect(refusals).toEqual(
      message === undefined ? [] : [{ rule: 'older-commit', message: expect.stringMatching(message) }],
    );
    if (message !== undefined) expect(refusals[0]?.message).toContain('--allow-older');
  });

  test('Resources of other commits are reported by relation, and only if they would be written.', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const unchanged = { ...update('f'), action: 'none' as const, changes: [] };
    const sources = new Map([...names, 'f'].map((name) => [`Agent/${name}`, source('descendant')] as const));
    sources.set('Agent/e', source('unknown', 'could not fetch more history: no network'));
    const refusals = toldRefusals(olderCheckout([...names.map(update), unchanged], sources));
    expect(refusals.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Agent\/a, Agent\/b, Agent\/c and Agent\/d were last applied from .*That is commit 0123456789ab\./,
      ),
      expect.stringMatching(/^Agent\/e was .*\(could not fetch more history: no network\)/),
    ]);
    expect(olderCheckout([update('a')], new Map())).toEqual([]);
  });

  test('A refusal names at most three resources applied from other commits, with their commits.', () => {
    const commits = ['1', '2'].map((digit) => digit.repeat(40));
    const from = (commit = '', problem?: string): FromCommit => ({ ...source('descendant', problem), commit });
    const sources = new Map([
      ['Agent/a', from(commits[0])],
      ['Agent/b', from(commits[1], 'could not fetch more history: no network')],
      ['Agent/c', from(commits[0], 'no disk')],
    ]);
    expect(toldRefusals(olderCheckout(['a', 'b', 'c', 'd'].map(update), sources))).toStrictEqual([
      {
        rule: 'older-commit',
        message:
          'Agent/a, Agent/b and Agent/c were last applied from a newer version, so this plan would undo newer work. ' +
          'That is commits 111111111111 and 222222222222 (could not fetch more history: no network). ' +
          'Check out or merge that commit, then run again. To apply anyway, run again with --allow-older',
      },
    ]);
    expect(toldRefusals(olderCheckout([update('a')], sources))[0]?.message).toMatch(/run again with --allow-older$/);
  });
});

test('A plan lists the refusals of both guards, and all its changes.', () => {
  const desired = ['a', 'b'].map((name) => desiredAgent({ settings: { title: 'T' } }, { name, target: withoutId() }));
  const secrecy = { holdsSecret: () => false, redact: (text: string) => text };
  const plan = makePlan({
    environment: 'test',
    selected: desired.map((one) => planResource({ desired: one }, { unverified: 'set', secrecy, orphans: [] })),
    identities: [identity('a'), identity('b')],
    orphans: [],
    limits: { creates: 1 },
    sources: new Map(),
  });
  expect(plan.refusals.map(({ code }) => code)).toEqual(['shared-target', 'limit-creates']);
  expect(plan.summary.create).toBe(2);
});

function withoutId() {
  const { agentId: _, ...target } = desiredAgent({}).target;
  return target;
}

function identity(name: string, parts: Partial<Identity> = {}): Identity {
  return { kind: 'Agent', name, baseUrl: 'http://a', tokenReference: '${secret.A}', query: {}, ...parts };
}
