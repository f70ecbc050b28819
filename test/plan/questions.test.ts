import { describe, expect, test } from '@jest/globals';
import { notice } from '../../src/notices/notice.ts';
import { asOffline, assemblePlan } from '../../src/plan/plan.ts';
import { questionsOf } from '../../src/plan/questions.ts';
import type { Change, Plan, Question, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { change, resource } from '../report/plan/plan-builders.ts';

const conflict = change({ path: 'settings.welcomeMessage', from: 'Theirs', to: 'Ours', cause: 'conflict' });
const drift = change({ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' });
const resent = change({ path: 'settings.description', to: 'D', cause: 'unverified', knowledge: 'blind' });
const prompt = change({ path: 'settings.agentInstructions', from: 'Long.', to: 'TODO' });
const lost = notice('prompt-section-lost', { path: 'settings.agentInstructions', section: 'Prices' });
const finding = notice('prompt-check', {
  rule: 'prompt-placeholder',
  finding: '"TODO" was left',
  path: 'settings.agentInstructions',
  at: { file: 'prompts/desk.md', line: 3, column: 1 },
});

const named = (name: string, parts: Partial<ResourcePlan>) => resource({ name, digest: `digest of ${name}`, ...parts });
const questions = (resources: ResourcePlan[], requires: Plan['requires'] = []) =>
  questionsOf({ environment: 'production', resources, requires });
const codes = ({ choices }: Question) =>
  choices.map(({ letter, code, isDefault }) => `${letter} ${code}${isDefault ? ' (default)' : ''}`);

describe('the questions of a plan', () => {
  test('Each kind of question has its choices in order, and a default.', () => {
    const found = questions([
      named('a', { changes: [prompt], warnings: [finding] }),
      named('b', { changes: [prompt], warnings: [lost] }),
      named('c', { changes: [resent] }),
      named('d', { action: 'create', mayReplace: true, changes: [change()] }),
      named('e', { changes: [drift, change()] }),
      named('f', { changes: [conflict] }),
    ]);
    expect(found.map((one) => [one.number, one.id, one.kind, one.paths, codes(one)])).toEqual([
      [1, 'Agent/f', 'conflict', ['settings.welcomeMessage'], ['A keep', 'B take', 'C both']],
      [2, 'Agent/e', 'drift', ['settings.agentVoice'], ['A keep', 'B undo (default)']],
      [3, 'Agent/d', 'create-unknown', [], ['A create', 'B leave-out (default)']],
      [4, 'Agent/c', 'write-only', ['settings.description'], ['A send-again (default)', 'B leave']],
      [5, 'Agent/b', 'prompt-loss', ['settings.agentInstructions'], ['A go-on (default)', 'B leave-out']],
      [6, 'Agent/a', 'check', ['settings.agentInstructions'], ['A go-on (default)', 'B leave-out']],
    ]);
  });

  test('A conflict in a value that is not a text cannot be answered with both.', () => {
    const voice = change({ path: 'settings.agentVoice', from: 'a', to: 'b', cause: 'conflict' });
    expect(questions([named('a', { changes: [voice] })]).map(codes)).toEqual([['A keep', 'B take']]);
    expect(questions([named('a', { changes: [conflict, voice] })]).map(codes)).toEqual([['A keep', 'B take']]);
  });

  test('A choice names the equivalent commands, if there are any.', () => {
    const remediesOf = (parts: Partial<ResourcePlan>) =>
      questions([named('a', parts)]).flatMap(({ choices }) => choices.map(({ remedies }) => remedies));
    const update = ['update', 'a', '--field', 'settings.welcomeMessage', '-e', 'production'];
    const overwrite = ['apply', '--overwrite', 'Agent/a', '-e', 'production'];
    expect(remediesOf({ changes: [conflict] })).toEqual([[update], [overwrite], undefined]);
    const mergeable = { ...conflict, mergeable: true } as const;
    expect(remediesOf({ changes: [mergeable] })[2]).toEqual([['update', 'a', '-e', 'production']]);
    const refused = { ...mergeable, updateRefusal: notice('not-copied', { obstacle: { why: 'secret' } }) };
    expect(remediesOf({ changes: [refused] })).toEqual([undefined, [overwrite], undefined]);
    const created = ['apply', '--new', 'Agent/a', '-e', 'production'];
    expect(remediesOf({ action: 'create', mayReplace: true })).toEqual([[created], undefined]);
  });

  test('Keeping several edits suggests an update of those that it can copy.', () => {
    const secret = {
      ...change({ path: 'settings.adminInstructions', from: 'a', to: 'b', cause: 'drift' }),
      updateRefusal: notice('not-copied', { obstacle: { why: 'secret' } }),
    };
    const kept = (...changes: Change[]) => questions([named('a', { changes })])[0]?.choices[0];
    const update = ['update', 'a', '--field', drift.path, '-e', 'production'];
    expect(kept(drift, secret)).toMatchObject({ code: 'keep', remedies: [update] });
    expect(kept(secret)).not.toHaveProperty('remedies');
  });

  test('Resources share a question if one answer fits them: equal edits, creates, resent settings and equal findings.', () => {
    const found = questions([
      named('a', { changes: [resent], warnings: [finding] }),
      named('b', { changes: [resent, drift], warnings: [finding, lost] }),
      named('c', { changes: [drift], warnings: [notice('prompt-check', { rule: 'x', finding: 'other' })] }),
      named('d', { action: 'create', mayReplace: true }),
      named('e', { action: 'create', mayReplace: true, changes: [prompt], warnings: [finding] }),
    ]);
    expect(found.map(({ id, resources }) => [id, resources])).toEqual([
      ['drift', ['Agent/b', 'Agent/c']],
      ['create-unknown', ['Agent/d', 'Agent/e']],
      ['write-only', ['Agent/a', 'Agent/b']],
      ['Agent/b/prompt-loss', ['Agent/b']],
      ['check', ['Agent/a', 'Agent/b', 'Agent/e']],
      ['Agent/c/check', ['Agent/c']],
    ]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const twice = (finding: string) => [notice('prompt-check', { rule: 'x', finding })];
    const groups = ['a', 'b', 'c', 'd'].map((name) => named(name, { warnings: twice(name < 'c' ? '1' : '2') }));
    expect(questions(groups).map(({ id }) => id)).toEqual(['check/Agent/a', 'check/Agent/c']);
  });

  test('Edits with other values, of another kind or with another default get separate questions.', () => {
    const [mine, other] = [
      { ...drift, source: { file: 'a.yaml', line: 3 } },
      { ...drift, from: 'warm-3' },
    ];
    const left = [notice('drift-left', { paths: [drift.path] })];
    const asked = questions([
      named('a', { changes: [drift] }),
      named('b', { changes: [mine, change()] }),
      named('c', { changes: [other] }),
      named('d', { kept: [drift], warnings: left }),
      named('e', { kind: 'PhoneNumber', changes: [drift] }),
    ]);
    expect(asked.map(({ resources }) => resources)).toEqual([
      ['Agent/a', 'Agent/b'],
      ['Agent/c'],
      ['Agent/d'],
      ['PhoneNumber/e'],
    ]);
  });

  test('The commands of a shared question name all its resources.', () => {
    const mergeable = { ...conflict, mergeable: true } as const;
    const [asked] = questions(['a', 'b'].map((name) => named(name, { changes: [mergeable] })));
    expect(asked?.choices.map(({ remedies }) => remedies)).toEqual([
      [['update', 'a', 'b', '--field', 'settings.welcomeMessage', '-e', 'production']],
      [['apply', '--overwrite', 'Agent/a', '--overwrite', 'Agent/b', '-e', 'production']],
      [['update', 'a', 'b', '-e', 'production']],
    ]);
  });

  test('A plan does not ask about resources that no answer would apply.', () => {
    const asking = named('a', { changes: [conflict, drift, resent], warnings: [finding] });
    const unmet = {
      resource: 'Agent/a',
      environment: 'staging',
      level: 'deny',
      notice: notice('requires', { environment: 'staging', why: 'never' } as never),
    } as const;
    expect(questions([asking], [unmet])).toEqual([]);
    expect(questions([asking], [{ ...unmet, skipped: true }])).toHaveLength(4);
    for (const action of ['blocked', 'failed', 'none', 'orphan'] as const) {
      expect(questions([{ ...asking, action }])).toEqual([]);
    }
    const plan = assemblePlan({ environment: 'production', refusals: [], resources: [asking] });
    expect(plan.questions).toHaveLength(4);
    expect(asOffline(plan, 'HEAD').questions).toEqual([]);
    const released = change({ op: 'release', cause: 'drift' });
    expect(questions([named('a', { changes: [released] })])).toEqual([]);
  });
});

describe('the digest of a question', () => {
  const base = named('a', { changes: [drift], warnings: [finding] });
  const digestsOf = (one: ResourcePlan) => questions([one]).map(({ digest }) => digest);

  test('The digest of a question does not depend on other parts of the plan.', () => {
    const [before] = digestsOf(base);
    const others = [
      { ...base, lastApply: { edited: 'yes' as const } },
      { ...base, title: 'T', published: true, labels: { ring: 'late' } },
      { ...base, warnings: [...base.warnings, notice('restriction-lifted', {})] },
      {
        ...base,
        changes: [
          {
            ...drift,
            updateRefusal: notice('not-copied', { obstacle: { why: 'secret' } }),
            source: { file: 'a.yaml', line: 3 },
          },
        ],
      },
    ];
    for (const other of others) expect(digestsOf(other)[0]).toBe(before);
    const among = questions([
      named('0', { changes: [{ ...drift, from: 'warm-9' }] }),
      base,
      named('b', { changes: [conflict] }),
    ]);
    expect(among.find(({ resources }) => resources[0] === 'Agent/a')?.digest).toBe(before);
  });

  test('The digest of a question covers environment, kind, resource, its digest, settings and choices.', () => {
    const digests = [
      digestsOf(base)[0],
      questionsOf({ environment: 'staging', resources: [base] })[0]?.digest,
      digestsOf({ ...base, changes: [{ ...drift, cause: 'conflict' }] })[0],
      digestsOf({ ...base, name: 'b' })[0],
      digestsOf({ ...base, digest: 'other' })[0],
      digestsOf({ ...base, changes: [{ ...drift, from: 'warm-3' }] })[0],
      digestsOf({ ...base, changes: [{ ...drift, to: 'warm-3' }] })[0],
      digestsOf({ ...base, changes: [drift, { ...drift, path: 'settings.agentModel' }] })[0],
      digestsOf({ ...base, changes: [conflict] })[0],
      digestsOf({ ...base, changes: [{ ...conflict, to: 5 }] })[0],
      digestsOf(base)[1],
    ];
    expect(new Set(digests).size).toBe(digests.length);
    const shared = questions([base, named('b', { changes: [prompt], warnings: [finding] })]);
    expect(shared.map(({ digest }) => digest)).not.toContain(digestsOf(base)[1]);
  });
});
