import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createConsole } from '../../src/cli/console.ts';
import { consentToPlan } from '../../src/cli/plan-consent.ts';
import { notice } from '../../src/notices/notice.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { change, plan, resource } from '../report/plan/plan-builders.ts';

/** Shows a plan on a terminal on which a person types these lines. */
async function consented(made: Plan, lines: readonly string[]) {
  const stream = () => Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  const terminal = { stdin, stdout, stderr, env: { TERM: 'dumb' } } as unknown as NodeJS.Process;
  let said = '';
  let typed = 0;
  stderr.on('data', (text) => {
    said += text;
    if (/: $/.test(String(text)) && typed < lines.length) stdin.write(`${lines[typed++]}\n`);
  });
  const planned = { plan: made, shown: made, open: made.questions, warnings: [], sourceOf: () => '' };
  const options = { given: false, question: 'Apply this plan', otherwise: 'no terminal' };
  const consent = await consentToPlan(planned, options, createConsole(terminal, [], '0'));
  return { consent, said };
}

const agent = resource({ name: 'new', action: 'create', mayReplace: true, changes: [change()] });
const phone = resource({ kind: 'PhoneNumber', name: 'main', dependsOn: ['Agent/new'], changes: [change()] });

test('A terminal asks for no confirmation if every change depends on an agent that was left out.', async () => {
  const { consent, said } = await consented(plan([agent, phone]), ['']);
  expect(consent).toEqual({ answers: [], approvesNothing: true });
  expect(said).not.toContain('Apply this plan');
});

test('A terminal asks for no confirmation if another environment must have every change first.', async () => {
  const facts = { environment: 'production', required: 'staging', why: 'not-applied' } as const;
  const unmet = {
    resource: 'Agent/desk',
    environment: 'staging',
    level: 'deny',
    notice: notice('requires', facts),
  } as const;
  const { consent } = await consented(plan([resource({ name: 'desk' })], { requires: [unmet] }), []);
  expect(consent).toEqual({ answers: [], approvesNothing: true });
});

test('A terminal asks at most seven questions, and names the others.', async () => {
  const agents = Array.from({ length: 9 }, (_, index) =>
    resource({ name: `desk-${index}`, changes: [change({ to: `Desk ${index}`, cause: 'conflict' })] }),
  );
  const { said } = await consented(plan(agents), Array(7).fill(''));
  expect(said).toContain(
    'Not asked, because there are more than 7 questions: Agent/desk-7 and Agent/desk-8. Answer these questions with --answer.',
  );
});

test('A terminal asks for confirmation if an answer creates the agent that others depend on.', async () => {
  const { consent, said } = await consented(plan([agent, phone]), ['A', 'yes']);
  expect(consent).toMatchObject({ answers: [{ question: 'Agent/new', choice: 'create' }] });
  expect(said).toContain('Apply this plan to production?');
});
