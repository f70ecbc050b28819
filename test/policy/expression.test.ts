import { describe, expect, test } from '@jest/globals';
import { type Bindings, compileExpression, type Expression, newStepBudget } from '../../src/policy/expression.ts';
import { createValueChecks, processorTime } from '../../src/yaml/values.ts';

const checks = createValueChecks();

async function regexProblem(regex: string): Promise<string | undefined> {
  const problem = await checks.regex(regex);
  return problem && `${problem.message}${problem.detail ?? ''}`;
}

async function compiled(text: string): Promise<Expression> {
  const expression = await compileExpression(text, { regexProblem });
  if ('problems' in expression) throw new Error(expression.problems.map(({ message }) => message).join('; '));
  return expression;
}

async function problemsOf(text: string): Promise<string[]> {
  const found = await compileExpression(text, { regexProblem });
  return 'problems' in found ? found.problems.map(({ start, end, message }) => `${start}-${end} ${message}`) : [];
}

async function evaluated(text: string, variables: Bindings = {}) {
  return (await compiled(text)).evaluate(variables, newStepBudget());
}

/**
 * The cases from CEL's conformance tests that policies rely on. If a result is not a boolean, the expression compares
 * it with the expected value.
 */
describe('CEL expressions of the conformance tests', () => {
  const holds = [
    '1 < 2 && 2.5 > 1.5',
    'dyn(1) == 1.0',
    'dyn(1.0) in [1, 2]',
    "'b' > 'a'",
    'dyn({"a": 1}) == dyn({"a": 1.0})',
    '[1, [2]] != [1, [3]]',
    '!(false && (1 / 0 > 0))',
    '(1 / 0 > 0) || true',
    'true || (1 / 0 > 0)',
    '![1, 2, 3].exists(x, x > 3)',
    '[1, 2, 3].exists_one(x, x == 2)',
    '[1, 0].exists(x, 2 / x == 2)',
    '![0, 1].all(x, 2 / x == 5)',
    "['a', 'b'].map(x, x + x) == ['aa', 'bb']",
    '[1, 2, 3, 4].filter(x, x % 2 == 0) == [2, 4]',
    '{"a": 1, "b": 2}.exists(k, k == "b")',
    '[{"a": 1}].all(x, has(x.a) && !has(x.b))',
    "size('été') == 3",
    "'hello'.contains('ell') && 'hello'.endsWith('lo')",
    "'hubba'.matches('^h.*a$')",
    "r'a\\b' == 'a\\\\b'",
    '7 / 2 == 3 && -7 % 3 == -1',
    "int('42') == 42 && string(42) == '42' && double('1.5') == 1.5",
    "timestamp('2009-02-13T23:31:30Z') < timestamp('2009-02-13T23:31:31Z')",
    "timestamp('2009-02-13T23:31:30Z') + duration('1h') == timestamp('2009-02-14T00:31:30Z')",
    "timestamp('2009-02-13T23:31:30Z').getHours('Australia/Sydney') == 10",
    "timestamp('2009-02-13T23:31:30Z').getDayOfWeek() == 5",
    'type(1) == int && type("a") == string',
    'null == null && dyn(null) != dyn(0)',
  ];

  test.each(holds.map((text) => [text]))('The expression %s is true.', async (text) => {
    expect(await evaluated(text)).toBe(true);
  });

  const fails = [
    '1 / 0 > 0',
    '{"a": 1}.b == 1',
    '[1][5] == 1',
    '9223372036854775807 + 1 > 0',
    'dyn("a") + dyn(1) == "a1"',
  ];

  test.each(fails.map((text) => [text]))('The expression %s has no value.', async (text) => {
    expect(await evaluated(text)).toHaveProperty('failure');
  });
});

describe('invalid expressions', () => {
  const cases: readonly (readonly [text: string, problem: string])[] = [
    ['1 +', '3-4 unexpected token: EOF'],
    ['desired.settings.title ==', '25-26 unexpected token: EOF'],
    ['foo == 1', '0-3 unknown variable: foo; a rule can read desired, resource, change, plan or now'],
    ['desired.settings.title = "x"', '23-24 unexpected character: =; write == to compare two values'],
    ['size(1) > 2', "0-7 found no matching overload for 'size(int)'"],
    ['"a" + "b"', '0-9 it returns string, but must return true or false'],
    ['"a".matches("(a+)+$")', '12-20 the regex of matches() is not allowed: it backtracks'],
    [
      'desired.name.matches("^\\\\p{Lu}")',
      "21-31 the regex of matches() is not allowed: the regex has syntax that JavaScript lacks. '\\p' matches only the letter p; write a class such as '[A-Za-z]'",
    ],
    [
      'desired.name.matches("[[:alpha:]]")',
      "21-34 the regex of matches() is not allowed: the regex has syntax that JavaScript lacks. '[:alpha:]' is not a class; write 'A-Za-z'",
    ],
    [
      'desired.name.matches(r"\\Aclient-[0-9]{3}\\z")',
      "the regex of matches() is not allowed: the regex has syntax that JavaScript lacks. '\\A' matches only the letter A; write '^'",
    ],
    ['"a".matches(desired.name)', '0-25 the regex of matches() must be a string literal'],
    ['cel.bind(a, 1, a == 1)', '0-22 policies do not support cel.bind; repeat the expression instead'],
    ['plan.summary.create > 0 && change.op == "set"', 'reads both plan and change'],
  ];

  test.each(cases)('The invalid expression %j is reported with its place.', async (text, problem) => {
    expect((await problemsOf(text)).join('; ')).toContain(problem);
  });

  test('Escapes that mean the same in RE2 and JavaScript are allowed.', async () => {
    expect(await problemsOf(String.raw`desired.name.matches(r"\\p[\w\-.]\x41\[[:]\.\d\n\b")`)).toEqual([]);
  });

  test('A misspelled variable is reported with the similar name.', async () => {
    expect(await compileExpression('desird.name == "x"', { regexProblem })).toEqual({
      problems: [{ start: 0, end: 6, message: 'unknown variable: desird', found: 'desird', meant: 'desired' }],
    });
  });

  test('An expression that is too long or too deep is reported with its place.', async () => {
    expect(await problemsOf(`true${' || true'.repeat(1000)}`)).toEqual([expect.stringContaining('8004 characters')]);
    expect(await problemsOf(`${'('.repeat(200)}true${')'.repeat(200)}`)).toHaveLength(1);
    expect(await problemsOf(`${'!'.repeat(1500)}true`)).toHaveLength(1);
  });
});

describe('the subject of an expression', () => {
  const cases: readonly (readonly [text: string, moment: string, reads: string])[] = [
    ['desired.settings.title == "x"', 'desired', 'desired.settings.title'],
    ['has(desired.skills) && desired.skills.exists(s, s.slug == "x")', 'desired', 'desired.skills'],
    ['resource.action == "create" && desired.name == "a"', 'resource', 'resource.action desired.name'],
    ['change.op == "set" && resource.name == "a"', 'change', 'change.op resource.name'],
    ['plan.summary.update > 20', 'plan', 'plan.summary.update'],
    ['now > timestamp("2026-01-01T00:00:00Z")', 'plan', 'now'],
    ['now > timestamp("2026-01-01T00:00:00Z") && desired.name == "a"', 'resource', 'now desired.name'],
    ['plan.resources.exists(change, change.name == "a")', 'plan', 'plan.resources'],
    ['true', 'desired', ''],
  ];

  test.each(cases)('The subject of the expression %s follows from its variables.', async (text, moment, reads) => {
    const expression = await compiled(text);
    expect(expression.moment).toBe(moment);
    expect(expression.reads.map((chain) => chain.join('.')).join(' ')).toBe(reads);
  });
});

describe('hostile expressions', () => {
  const list = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]';
  const nested = (body: string, depth: number): string =>
    depth === 0 ? body : `${list}.all(x${depth}, ${nested(body, depth - 1)})`;
  const expressions = {
    'quantifiers in quantifiers': nested('true', 7),
    'a condition that goes on after errors': nested('1 / 0 == 1 || true', 7),
    'a text that doubles': `["aaaaaaaaaaaaaaaa"]${'.map(x, x + x)'.repeat(35)}.size() == 1`,
    'a list that doubles': `[[1, 2]]${'.map(x, x + x)'.repeat(35)}.size() == 1`,
    'a list of lists that grows': `[desired.big].map(x, ${'x.map(y, '.repeat(5)}x${')'.repeat(5)}).size() == 1`,
    'a text that is split again and again': `desired.text.split("").map(x, desired.text.split("")).size() == 1`,
    'an escape through ||': `true || ${nested('true', 7)} == false`,
  };
  const desired = { big: Array.from({ length: 300 }, (_, index) => index), text: 'x'.repeat(20_000) };

  test.each(Object.entries(expressions))(
    'A hostile expression with %s ends soon with little memory, and counts as broken.',
    async (name, text) => {
      const expression = await compiled(text);
      const before = { time: processorTime(), memory: process.memoryUsage().heapTotal };
      const outcome = expression.evaluate({ desired }, newStepBudget());
      expect(outcome).toEqual(name === 'an escape through ||' ? true : { failure: 'takes too many steps' });
      expect(processorTime() - before.time).toBeLessThan(15_000);
      expect(process.memoryUsage().heapTotal - before.memory).toBeLessThan(200 * 1024 * 1024);
    },
  );

  test('All hostile expressions of one run share a step limit.', async () => {
    const expression = await compiled(nested('true', 7));
    const budget = { steps: 250_000 };
    const outcomes = Array.from({ length: 5 }, () => expression.evaluate({ desired }, budget));
    expect(outcomes.every((outcome) => typeof outcome === 'object')).toBe(true);
    expect((await compiled('true')).evaluate({ desired }, budget)).toEqual({ failure: 'takes too many steps' });
  });

  test('An expression cannot read inherited members of a value.', async () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(await evaluated(`desired["${name}"] == 1`, { desired: {} })).toHaveProperty('failure');
    }
  });
});
