import { describe, expect, test } from '@jest/globals';
import { notice } from '../../src/notices/notice.ts';
import {
  answersTo,
  decisionsOfAnswers,
  type GivenAnswer,
  openQuestions,
  refuseContradictions,
  typedAnswer,
} from '../../src/plan/answers.ts';
import type { Decision } from '../../src/plan/decisions.ts';
import type { Question, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { change, plan, resource } from '../report/plan/plan-builders.ts';

const question = (number: number, kind: Question['kind'], codes: Question['choices'][number]['code'][]): Question => ({
  id: `Agent/a${number}`,
  digest: `digest ${number}`,
  number,
  kind,
  resources: [`Agent/a${number}`],
  digests: [`part ${number}`],
  paths: [],
  choices: codes.map((code, index) => ({ letter: 'ABC'.charAt(index), code })),
});

const conflict = question(1, 'conflict', ['keep', 'take', 'both']);
const drift = question(2, 'drift', ['keep', 'undo']);
const created = question(3, 'create-unknown', ['create', 'leave-out']);
const finding = question(4, 'check', ['go-on', 'leave-out']);
const all = [conflict, drift, created, finding];

const codesOf = (given: readonly GivenAnswer[], saved?: readonly Question[]) =>
  answersTo(all, given, { saved }).answers.map((one) => [one.question.id, one.code]);

describe('an answer', () => {
  test.each([
    ['Agent/desk=keep', { question: 'Agent/desk', choice: 'keep' }],
    [' create-unknown = create ', { question: 'create-unknown', choice: 'create' }],
    ['1=C', { question: '1', choice: 'C' }],
    ['12b', { question: '12', choice: 'b' }],
  ])('The option %j is parsed as an answer.', (text, answer) => {
    expect(typedAnswer(text)).toEqual(answer);
  });

  test.each(['', '=', 'Agent/desk', 'Agent/desk=', '=keep', 'a=b=c', '1CC', 'C1'])(
    'The option %j is refused.',
    (text) => {
      expect(() => typedAnswer(text)).toThrow(/must be a question and a choice, such as Agent\/front-desk=keep/);
    },
  );

  test('An answer names its question by id, with or without its kind, or by its resource.', () => {
    const answers = [typedAnswer('Agent/a1=take'), typedAnswer('Agent/a2/drift=keep')];
    expect(codesOf([...answers, { question: 'x', choice: 'go-on', digests: ['digest 4'] }])).toEqual([
      ['Agent/a1', 'take'],
      ['Agent/a2', 'keep'],
      ['Agent/a4', 'go-on'],
    ]);
    expect(codesOf([typedAnswer('Agent/a1=take'), typedAnswer('Agent/a1/conflict=take')])).toHaveLength(1);
  });

  test('A number and a letter answer a saved plan, as long as its question is the same.', () => {
    expect(codesOf([typedAnswer('1c'), typedAnswer('2=B'), typedAnswer('Agent/a3=A')], all)).toEqual([
      ['Agent/a1', 'both'],
      ['Agent/a2', 'undo'],
      ['Agent/a3', 'create'],
    ]);
    const saved = [{ ...drift, number: 1, digests: ['earlier'] }];
    expect(answersTo(all, [typedAnswer('1A')], { saved })).toMatchObject({
      answers: [],
      outdated: [{ code: 'answer-void', facts: { question: '1', choice: 'A' } }],
    });
  });

  test.each<[string, readonly Question[] | undefined, RegExp]>([
    ['Agent/a9=keep', undefined, /^there is no question 'Agent\/a9'; the plan asks Agent\/a1, Agent\/a2/],
    ['Agent/a1=undo', undefined, /^the answer to Agent\/a1 is 'undo': expected keep, take or both$/],
    ['Agent/a1=A', undefined, /expected keep, take or both; letters work only with a saved plan \(--plan FILE\)$/],
    ['1=keep', undefined, /^a number such as 1 works only with a saved plan/],
    ['5A', all, /^there is no question '5'/],
    ['2C', all, /^the answer to Agent\/a2 is 'C': expected A \(keep\) or B \(undo\)$/],
  ])('The answer %s is refused in one sentence.', (text, saved, why) => {
    expect(() => answersTo(all, [typedAnswer(text)], { saved })).toThrow(why);
  });

  test('An answer may name a resource if only one of its questions has the choice.', () => {
    const about = { resources: ['Agent/desk'] };
    const asked = [
      { ...drift, ...about, id: 'Agent/desk/drift' },
      { ...finding, ...about, id: 'Agent/desk/check' },
      {
        ...question(5, 'write-only', ['send-again', 'leave']),
        resources: ['Agent/desk', 'Agent/b'],
        digests: ['part 5', 'part 6'],
        id: 'write-only',
      },
    ];
    const codeOf = (text: string) => answersTo(asked, [typedAnswer(text)]).answers.map((one) => one.question.id);
    expect(codeOf('Agent/desk=keep')).toEqual(['Agent/desk/drift']);
    expect(codeOf('Agent/desk=go-on')).toEqual(['Agent/desk/check']);
    expect(codeOf('Agent/desk=leave')).toEqual(['write-only']);
    expect(() => codeOf('Agent/desk=take')).toThrow(
      /^the answer Agent\/desk=take matches no question; expected Agent\/desk\/drift=keep, .*, write-only=send-again or write-only=leave$/,
    );
    const twice = [...asked, { ...conflict, ...about, id: 'Agent/desk/conflict' }];
    expect(() => answersTo(twice, [typedAnswer('Agent/desk=keep')])).toThrow(
      'the answer Agent/desk=keep matches several questions; give Agent/desk/drift=keep or Agent/desk/conflict=keep, or an answer to each',
    );
    expect(answersTo(asked, [typedAnswer('Agent/desk=undo')], { saved: asked }).answers).toHaveLength(1);
  });

  test('A plan without questions accepts no answer.', () => {
    expect(() => answersTo([], [typedAnswer('Agent/a=keep')])).toThrow(/the plan has no questions/);
    expect(answersTo([], [])).toEqual({ answers: [], outdated: [], leftOut: [], voided: new Map() });
  });

  test('Two answers to one question are refused, as is an option that decides otherwise.', () => {
    expect(() => answersTo(all, [typedAnswer('Agent/a1=take'), typedAnswer('Agent/a1=keep')])).toThrow(
      'the question Agent/a1 has two answers, take and keep; give one',
    );
    const given = (text: string) => answersTo(all, [typedAnswer(text)]).answers;
    const overwrite = [{ rule: 'conflict', names: ['Agent/a1'], by: 'flag' }] as const;
    expect(() => refuseContradictions(given('Agent/a1=keep'), overwrite)).toThrow(/two answers, --overwrite and keep/);
    expect(() => refuseContradictions(given('Agent/a1=take'), overwrite)).not.toThrow();
    expect(() => refuseContradictions(given('Agent/a2=keep'), overwrite)).not.toThrow();
    const declared = [{ rule: 'new-agent', names: ['all'], by: 'flag' }] as const;
    expect(() => refuseContradictions(given('Agent/a3=leave-out'), declared)).toThrow(/--new and leave-out/);
  });

  test('An answer decides like an option, and names the person.', () => {
    const texts = ['Agent/a1=take', 'Agent/a2=undo', 'Agent/a3=create', 'Agent/a4=leave-out'];
    const given = texts.map((text) => ({ ...typedAnswer(text), by: 'octo' }));
    const who = { by: 'answer', person: 'octo' };
    expect(decisionsOfAnswers(answersTo(all, given).answers)).toEqual([
      { rule: 'conflict', names: ['Agent/a1'], ...who },
      { rule: 'new-agent', names: ['Agent/a3'], ...who },
      { rule: 'leave-out', names: ['Agent/a4'], ...who },
    ]);
    const others = ['Agent/a1=both', 'Agent/a3=leave-out', 'Agent/a4=go-on'].map(typedAnswer);
    expect(decisionsOfAnswers(answersTo(all, others).answers)).toEqual([
      { rule: 'both', names: ['Agent/a1'], by: 'answer' },
      { rule: 'leave-out', names: ['Agent/a3'], by: 'answer' },
    ]);
  });

  test('A question stays open for the resources that neither an answer nor an option settles.', () => {
    const text = change({ path: 'settings.welcomeMessage', from: 'Theirs', to: 'Ours', cause: 'conflict' });
    const made = plan([
      resource({ name: 'a1', changes: [text] }),
      resource({ name: 'a2', changes: [{ ...text, cause: 'drift' }] }),
      resource({ name: 'a3', action: 'create', mayReplace: true }),
      resource({ name: 'a4', action: 'create', mayReplace: true }),
    ]);
    const openIn = (answers: readonly string[], decisions: readonly Decision[]) => {
      const given = answersTo(made.questions, answers.map(typedAnswer));
      return openQuestions(made, given, decisions).map(({ id, resources }) => [id, resources.length]);
    };
    const [conflicting, creating] = [
      ['Agent/a1', 1],
      ['create-unknown', 2],
    ];
    expect(openIn(['Agent/a2=undo'], [])).toEqual([conflicting, creating]);
    expect(openIn([], [{ rule: 'conflict', names: ['Agent/a1'], by: 'flag' }])).toEqual([['Agent/a2', 1], creating]);
    expect(openIn(['Agent/a2=undo'], [{ rule: 'new-agent', names: ['all'], by: 'flag' }])).toEqual([conflicting]);
    const one = { rule: 'new-agent', names: ['Agent/a3'], by: 'flag' } as const;
    expect(openIn(['Agent/a1=keep', 'Agent/a2=undo'], [one])).toEqual([['Agent/a4', 1]]);
  });
});

describe('an answer to a question about several resources', () => {
  const created = (name: string, digest = `digest of ${name}`) =>
    resource({ name, digest, action: 'create', mayReplace: true });
  const digestsIn = (resources: readonly ResourcePlan[]) => plan(resources).questions.flatMap(({ digests }) => digests);
  const counted = (resources: readonly ResourcePlan[], given: readonly GivenAnswer[]) => {
    const made = plan(resources);
    const found = answersTo(made.questions, given);
    const { answers, outdated, leftOut } = found;
    return {
      answers: answers.map((one) => [one.code, ...one.resources]),
      leftOut: leftOut.map(({ names, reason }) => [reason?.code, ...names]),
      outdated: outdated.map(({ facts }) => facts),
      open: openQuestions(made, found, []).map((one) => [one.id, ...one.resources]),
    };
  };

  test('An answer does not count for a resource that was not part of its question, and still counts for the others.', () => {
    const create = { question: 'Agent/dawn', choice: 'create', digests: digestsIn([created('dawn')]) };
    expect(counted([created('dawn'), created('night')], [create])).toEqual({
      answers: [['create', 'Agent/dawn']],
      leftOut: [],
      outdated: [],
      open: [['Agent/night', 'Agent/night']],
    });
  });

  test('An answer does not count for a resource that has changed since, and still counts for the others.', () => {
    const digests = digestsIn(['a', 'b', 'c'].map((name) => created(name)));
    const create = { question: 'create-unknown', choice: 'create', digests };
    expect(counted([created('a'), created('b', 'changed'), created('c')], [create])).toEqual({
      answers: [['create', 'Agent/a', 'Agent/c']],
      leftOut: [],
      outdated: [{ question: 'create-unknown', choice: 'create', resources: ['Agent/a', 'Agent/c'] }],
      open: [['Agent/b', 'Agent/b']],
    });
    // The other resources of the question were applied in the meantime.
    expect(counted([created('a'), created('c')], [create]).outdated).toEqual([]);
    expect(counted([created('a', 'changed')], [create])).toMatchObject({
      answers: [],
      outdated: [{ question: 'create-unknown', choice: 'create' }],
    });
  });

  const edit = change({ cause: 'drift' });
  const resent = change({ path: 'settings.description', cause: 'unverified' });
  const found = [notice('prompt-check', { rule: 'x', finding: 'y' })];
  const lost = [notice('prompt-shrunk', { path: 'settings.agentInstructions', before: 10, after: 4, sections: [] })];
  test.each<[string, string, Partial<ResourcePlan>, Partial<ResourcePlan>, boolean]>([
    ['keep', 'an edit', { changes: [edit] }, { changes: [edit] }, true],
    ['keep', 'a conflict', { changes: [{ ...edit, cause: 'conflict' }] }, { changes: [edit] }, true],
    ['both', 'a conflict', { changes: [{ ...edit, cause: 'conflict' }] }, { changes: [edit] }, true],
    ['leave', 'write-only settings', { changes: [resent] }, { changes: [resent] }, true],
    ['leave-out', 'a finding', { warnings: found }, { warnings: found }, true],
    ['leave-out', 'a lost text', { warnings: lost }, { warnings: lost }, true],
    // These changes and warnings have the same result without an answer.
    ['keep', 'an edit', { changes: [edit] }, { changes: [{ ...edit, cause: 'conflict' }] }, false],
    ['keep', 'an edit', { changes: [edit] }, { changes: [resent] }, false],
    ['undo', 'an edit', { changes: [edit] }, { changes: [edit] }, false],
    ['send-again', 'write-only settings', { changes: [resent] }, { changes: [resent] }, false],
    ['go-on', 'a finding', { warnings: found }, { warnings: found }, false],
    ['create', 'a create', { action: 'create', mayReplace: true }, { action: 'create', mayReplace: true }, false],
    ['leave-out', 'a create', { action: 'create', mayReplace: true }, { action: 'create', mayReplace: true }, false],
  ])('The outdated answer %s about %s never leads to its opposite.', (choice, _, before, after, isLeftOut) => {
    const others = ['b', 'c'].map((name) => resource({ name, ...after, digest: `digest of ${name}` }));
    const [asked] = plan([resource({ name: 'a', ...before, digest: 'before' })]).questions;
    const now = [resource({ name: 'a', ...after, digest: 'after' }), ...others];
    const given = { question: 'Agent/a', choice, by: 'kim' };
    for (const digests of [asked?.digests ?? [], [asked?.digest ?? '']]) {
      const { answers, leftOut, outdated } = counted(now, [{ ...given, digests }]);
      expect(answers).toEqual([]);
      expect(leftOut).toEqual(isLeftOut ? [['answer-void', 'Agent/a']] : []);
      expect(outdated).toEqual(isLeftOut ? [] : [{ question: 'Agent/a', choice }]);
    }
    // Another answer to the current question replaces the outdated answer.
    const [current] = plan(now.slice(0, 1)).questions;
    const settled = { ...given, choice: current?.choices.at(-1)?.code ?? '', digests: current?.digests };
    expect(counted(now, [{ ...given, digests: asked?.digests }, settled]).leftOut).toEqual([]);
  });

  test('An outdated answer to a shared question leaves out the resources that changed, or all without their digests.', () => {
    const edited = (name: string, digest: string) => resource({ name, digest, changes: [resent] });
    const before = plan(['a', 'b'].map((name) => edited(name, 'before'))).questions[0];
    const now = [edited('a', 'before'), edited('b', 'after'), edited('c', 'new')];
    const leave = { question: 'write-only', choice: 'leave' };
    expect(counted(now, [{ ...leave, digests: before?.digests }])).toMatchObject({
      answers: [['leave', 'Agent/a']],
      leftOut: [['answer-void', 'Agent/b']],
      outdated: [],
    });
    expect(counted(now, [{ ...leave, digests: [before?.digest ?? ''] }])).toMatchObject({
      answers: [],
      leftOut: [['answer-void', 'Agent/a', 'Agent/b', 'Agent/c']],
    });
    const drifted = resource({ name: 'd', digest: 'new', changes: [edit] });
    for (const question of ['write-only', 'write-only/Agent/a', 'Agent/e']) {
      const { leftOut } = counted([edited('b', 'after'), drifted], [{ ...leave, question, digests: ['sha256:x'] }]);
      expect(leftOut).toEqual(question === 'Agent/e' ? [] : [['answer-void', 'Agent/b']]);
    }
  });

  test('A resource is left out if people disagree and one of them wants to keep something.', () => {
    const made = [resource({ name: 'a', changes: [edit] })];
    const on = (pullRequest: string, choice: string) => ({
      question: 'Agent/a',
      choice,
      digests: digestsIn(made),
      in: pullRequest,
    });
    expect(counted(made, [on('#7', 'keep'), on('#8', 'undo')])).toMatchObject({
      answers: [],
      leftOut: [['answers-differ', 'Agent/a']],
      outdated: [],
    });
  });

  test('If answers could not be read, resources are left out unless another answer or the default protects them.', () => {
    const edited = (name: string) => resource({ name, changes: [edit, change({ path: 'settings.title' })] });
    const conflicting = resource({ name: 'c', changes: [change({ cause: 'conflict' })] });
    const { questions } = plan([edited('a'), edited('b'), conflicting]);
    const unread = notice('answers-unread', { problem: '403', pullRequest: 7 });
    const found = answersTo(questions, [typedAnswer('Agent/a=undo')], { unread });
    expect(found.leftOut).toMatchObject([{ rule: 'leave-out', names: ['Agent/b'], reason: unread }]);
    expect([...found.voided.values()]).toEqual([{ why: 'unread' }]);
    expect(answersTo(questions, [], {}).leftOut).toEqual([]);
  });

  test('The question that replaces an outdated protective answer stays open without a default, apart from others.', () => {
    const edited = (name: string, digest: string) => resource({ name, digest, changes: [edit] });
    const before = plan([edited('a', 'before')]).questions[0];
    const made = plan([edited('a', 'after'), edited('b', 'after')]);
    const keep = { question: 'Agent/a', choice: 'keep', digests: before?.digests, by: 'kim' };
    const open = openQuestions(made, answersTo(made.questions, [keep]), []);
    expect(open.map(({ resources, voidAnswer, choices }) => [resources, voidAnswer, choices[1]?.isDefault])).toEqual([
      [['Agent/a'], { why: 'changed', by: 'kim' }, undefined],
      [['Agent/b'], undefined, true],
    ]);
    // An answer to that question replaces the outdated answer.
    const undo = { question: 'Agent/a', choice: 'undo', digests: open[0]?.digests };
    const after = answersTo(made.questions, [keep, undo]);
    expect([after.leftOut, openQuestions(made, after, []).map(({ resources }) => resources)]).toEqual([
      [],
      [['Agent/b']],
    ]);
  });

  test('An answer that a newer comment no longer asks is only mentioned if it leaves out a resource.', () => {
    const [asked] = plan([resource({ name: 'a', digest: 'before', changes: [edit] })]).questions;
    const now = [resource({ name: 'a', digest: 'after', changes: [edit] })];
    const given = { question: 'Agent/a', digests: asked?.digests, in: '#7', isReplaced: true } as const;
    expect(counted(now, [{ ...given, choice: 'keep' }])).toMatchObject({
      leftOut: [['answer-void', 'Agent/a']],
      outdated: [],
    });
    expect(counted(now, [{ ...given, choice: 'undo' }])).toMatchObject({ leftOut: [], outdated: [] });
    expect(counted([], [{ ...given, choice: 'keep' }])).toMatchObject({ leftOut: [], outdated: [] });
  });

  test('An answer to another kind of question about the resource does not count.', () => {
    const both = resource({
      changes: [change({ cause: 'drift' })],
      warnings: [notice('prompt-check', { rule: 'x', finding: 'y' })],
    });
    const made = plan([both]);
    const [drift, check] = made.questions;
    const { answers } = answersTo(made.questions, [
      { question: 'a', choice: 'leave-out', digests: check?.digests },
      { question: 'b', choice: 'undo', digests: drift?.digests },
    ]);
    expect(answers.map(({ question, code }) => [question.kind, code])).toEqual([
      ['check', 'leave-out'],
      ['drift', 'undo'],
    ]);
  });

  test('Resources of one question can have different answers, by address.', () => {
    const resources = ['a', 'b', 'c'].map((name) => created(name));
    const given = ['Agent/a=create', 'Agent/b/create-unknown=leave-out'].map(typedAnswer);
    expect(counted(resources, given)).toMatchObject({
      answers: [
        ['create', 'Agent/a'],
        ['leave-out', 'Agent/b'],
      ],
      open: [['Agent/c', 'Agent/c']],
    });
    expect(() => counted(resources, ['create-unknown=create', 'Agent/b=leave-out'].map(typedAnswer))).toThrow(
      'the question create-unknown has two answers, create and leave-out; give one',
    );
  });

  test('An answer given with the command takes precedence over one from a pull request, and two of those exclude each other.', () => {
    const resources = [created('a'), created('b')];
    const on = (pullRequest: string, choice: string) => ({
      question: 'create-unknown',
      choice,
      digests: digestsIn(resources),
      in: pullRequest,
    });
    const typed = typedAnswer('Agent/a=leave-out');
    for (const given of [
      [typed, on('#7', 'create')],
      [on('#7', 'create'), typed],
    ]) {
      expect(counted(resources, given)).toMatchObject({
        answers: expect.arrayContaining([
          ['leave-out', 'Agent/a'],
          ['create', 'Agent/b'],
        ]),
        outdated: [],
      });
    }
    const differing = [on('#7', 'create'), on('#8', 'leave-out')];
    for (const given of [
      [...differing, typed],
      [typed, ...differing],
    ])
      expect(counted(resources, given)).toMatchObject({ answers: [['leave-out', 'Agent/a']] });
    expect(counted(resources, differing)).toMatchObject({
      answers: [],
      outdated: [{ question: 'create-unknown', choices: ['create', 'leave-out'] }],
    });
  });
});
