import { expect, test } from '@jest/globals';
import { compileExpression, newStepBudget } from '../../src/policy/expression.ts';
import { MaskedText } from '../../src/secrets/masked-text.ts';

const pin = { reference: '${secret.PIN}' };
const greeting = new MaskedText(['Call 555 pin ', pin, ' now']);
const desired = { greeting, token: new MaskedText([pin]), list: [greeting], count: 5 };

async function verdictOn(text: string): Promise<string | boolean> {
  const expression = await compileExpression(text, { regexProblem: async () => undefined });
  if ('problems' in expression) throw new Error(JSON.stringify(expression.problems));
  const outcome = expression.evaluate({ desired }, newStepBudget());
  return typeof outcome === 'boolean' ? outcome : outcome.failure;
}

test.each<[expression: string, outcome: boolean]>([
  ['desired.greeting.contains("555")', true],
  ['desired.greeting.startsWith("Call 5")', true],
  ['desired.greeting.startsWith("Bye")', false],
  ['desired.greeting.endsWith("now")', true],
  ['desired.greeting.endsWith("later")', false],
  ['desired.greeting.matches("[0-9]{3}")', true],
  ['desired.greeting.matches("^Call")', true],
  ['desired.greeting.matches("now$")', true],
  ['desired.greeting == "Bye"', false],
  ['desired.greeting != "Bye"', true],
  ['desired.greeting in ["Bye", "Hello"]', false],
  ['desired.greeting == desired.greeting', true],
  ['desired.greeting == null', false],
  ['desired.list == ["Bye"]', false],
  ['desired.list.exists(one, one.contains("555"))', true],
  ['has(desired.greeting) && !has(desired.other)', true],
  ['desired.token == "x" || desired.count == 5', true],
  ['holdsSecret(desired.greeting) && holdsSecret(desired) && !holdsSecret(desired.count)', true],
  ['!holdsSecret(desired.token) && desired.token == "x"', false],
])('The rule %s is judged, because it holds for any secret.', async (expression, outcome) => {
  expect(await verdictOn(expression)).toBe(outcome);
});

test.each([
  'desired.token == "x"',
  'desired.token != "x"',
  'desired.token == 5',
  'desired.greeting == "Call 555 pin 1234 now"',
  '"x" in [desired.token]',
  'desired.token in {"x": true}',
  'desired.list == ["Call 555 pin 1234 now"]',
  'desired.list.map(one, one) == ["Call 555 pin 1234 now"]',
  'desired == {"token": "x", "greeting": "Call 555 pin 1 now", "list": ["Call 555 pin 1 now"], "count": 5}',
  'desired.greeting.contains("1234")',
  'desired.list.exists(one, one.contains("1234"))',
  'desired.greeting.matches("[0-9]{4}")',
  'desired.greeting.matches("^[0-9]|now$")',
  'desired.greeting.matches("pin $")',
  'desired.token.startsWith("+1900")',
  '"+1900".contains(desired.token)',
  'size(desired.greeting) > 8',
  'desired.greeting.size() > 8',
  'desired.greeting + "!" == "x"',
  'desired.greeting < "x"',
  'type(desired.greeting) == string',
  'string(desired.greeting) == "x"',
  '"x" in {desired.token: 1}',
  'dyn(desired.token) == "x"',
])('The rule %s is broken, because it needs the secret.', async (expression) => {
  expect(await verdictOn(expression)).toBe(
    'needs the value of ${secret.PIN}, which rules cannot read; guard it with !holdsSecret(...)',
  );
});
