import { describe, expect, test } from '@jest/globals';
import {
  answersTo,
  decisionsOfAnswers,
  type GivenAnswer,
  openQuestions,
  refuseContradictions,
  typedAnswer,
} from '../../src/plan/answers.ts';
import type { Question } from '../../src/schemas/plan-types.ts';

const question = (number: number, kind: Question['kind'], codes: Question['choices'][number]['code'][]): Question => ({
  id: `Agent/a${number}`,
  digest: `digest ${number}`,
  number,
  kind,
  resources: [`Agent/a${number}`],
  paths: [],
  choices: codes.map((code, index) => ({ letter: 'ABC'.charAt(index), code })),
});

const conflict = question(1, 'conflict', ['keep', 'take', 'both']);
const drift = question(2, 'drift', ['keep', 'undo']);
const created = question(3, 'create-unknown', ['create', 'leave-out']);
const finding = question(4, 'check', ['go-on', 'leave-out']);
const all = [conflict, drift, created, finding];

const codesOf = (given: readonly GivenAnswer[], saved?: readonly Question[]) =>
  answersTo(all, given, saved).answers.map((one) => [one.question.id, one.code]);

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
    expect(codesOf([...answers, { question: 'x', choice: 'go-on', digest: 'digest 4' }])).toEqual([
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
    const saved = [{ ...drift, number: 1, digest: 'earlier' }];
    expect(answersTo(all, [typedAnswer('1A')], saved)).toMatchObject({
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
    expect(() => answersTo(all, [typedAnswer(text)], saved)).toThrow(why);
  });

  test('An answer may name a resource if only one of its questions has the choice.', () => {
    const about = { resources: ['Agent/desk'] };
    const asked = [
      { ...drift, ...about, id: 'Agent/desk/drift' },
      { ...finding, ...about, id: 'Agent/desk/check' },
      { ...question(5, 'write-only', ['send-again', 'leave']), resources: ['Agent/desk', 'Agent/b'], id: 'write-only' },
    ];
    const codeOf = (text: string) => answersTo(asked, [typedAnswer(text)]).answers.map((one) => one.question.id);
    expect(codeOf('Agent/desk=keep')).toEqual(['Agent/desk/drift']);
    expect(codeOf('Agent/desk=go-on')).toEqual(['Agent/desk/check']);
    expect(() => codeOf('Agent/desk=leave')).toThrow(
      /^the answer Agent\/desk=leave matches no question; expected Agent\/desk\/drift=keep, .*, write-only=send-again or write-only=leave$/,
    );
    const twice = [...asked, { ...conflict, ...about, id: 'Agent/desk/conflict' }];
    expect(() => answersTo(twice, [typedAnswer('Agent/desk=keep')])).toThrow(
      'the answer Agent/desk=keep matches several questions; give Agent/desk/drift=keep or Agent/desk/conflict=keep, or an answer to each',
    );
    expect(answersTo(asked, [typedAnswer('Agent/desk=undo')], asked).answers).toHaveLength(1);
  });

  test('A plan without questions accepts no answer.', () => {
    expect(() => answersTo([], [typedAnswer('Agent/a=keep')])).toThrow(/the plan has no questions/);
    expect(answersTo([], [])).toEqual({ answers: [], outdated: [] });
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
    ]);
  });

  test('A question is open until an answer or an option settles it for all its resources.', () => {
    const { answers } = answersTo(all, [typedAnswer('Agent/a2=undo')]);
    const idsOf = (questions: readonly Question[]) => questions.map(({ id }) => id);
    expect(idsOf(openQuestions(all, answers, []))).toEqual(['Agent/a1', 'Agent/a3', 'Agent/a4']);
    const decided = [
      { rule: 'conflict', names: ['Agent/a1'], by: 'flag' },
      { rule: 'new-agent', names: ['all'], by: 'flag' },
    ] as const;
    expect(idsOf(openQuestions(all, [], decided))).toEqual(['Agent/a2', 'Agent/a4']);
    const both = { ...created, resources: ['Agent/a3', 'Agent/b'] };
    const one = [{ rule: 'new-agent', names: ['Agent/a3'], by: 'flag' }] as const;
    expect(openQuestions([both], [], one)).toEqual([both]);
  });
});
