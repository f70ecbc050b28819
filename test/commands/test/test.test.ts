import { afterEach, expect, test } from '@jest/globals';
import { renderTestJunit } from '../../../src/commands/test/junit.ts';
import { test as runTest, type TestOptions } from '../../../src/commands/test/test.ts';
import { renderTestText } from '../../../src/commands/test/text.ts';
import { ManifestsInvalid } from '../../../src/session/session.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

const head = 'apiVersion: agentform/v1\n';
const files = {
  'agentform.yaml': `${head}kind: Project
manifests: ["agents/*.yaml", "tests/*.yaml"]
environments:
  staging: { baseUrl: https://staging.example.com, token: "\${secret.TOKEN}" }
  production: { baseUrl: https://service.example.com, token: "\${secret.TOKEN}" }
`,
  'agents/desk.yaml': `${head}kind: Agent
name: desk
labels: { ring: canary }
settings: { title: Desk, description: "Pin \${secret.PIN}", callerResponseTimeout: 10 }
transferRules: { cnamAutoRejectRegex: Spam }
environments: { staging: { settings: { callerResponseTimeout: 5 } } }
`,
  'agents/night.yaml': `${head}kind: Agent
name: night
onlyIn: [production]
target: { query: { account: 2 } }
settings: { title: Night, description: Answers at night. }
`,
  'tests/callers.yaml': `${head}kind: Test
name: callers
agents: [desk]
cases:
  - { name: spam, call: { callerName: Spam }, expect: { reject: 603 } }
  - { name: silence, silence: true, expect: { hangUpAfter: 40s } }
`,
};

let place: Workplace;
afterEach(() => place.remove());

async function tested(changed: Record<string, string> = {}, options: Partial<TestOptions> = {}) {
  place = await workplace({ ...files, ...changed });
  return runTest(place.host, { project: place.root, names: [], coverage: false, ...options });
}

const testFile = (rest: string) => ({ 'tests/callers.yaml': `${head}kind: Test\nname: callers\n${rest}\n` });
const answered = 'cases: [{ name: answered, call: { callerName: Jane }, expect: { answer: true } }]';

test('Cases are run in every environment without secrets, each with the settings that decided it.', async () => {
  const { report, problems } = await tested();
  expect(report.summary).toEqual({ passed: 3, failed: 1, errors: 0 });
  expect(report.cases[1]).toEqual({
    test: 'callers',
    agent: 'desk',
    environment: 'staging',
    case: 'silence',
    outcome: 'failed',
    expected: { hangUpAfter: '40s' },
    got: { asks: 3, hangUpAfter: '20s' },
    at: 'tests/callers.yaml:7:7',
    decidedBy: [{ setting: 'settings.callerResponseTimeout', value: 5, at: 'agents/desk.yaml:7:63' }],
    assumed: [
      'the agent waits another callerResponseTimeout after the last question, then hangs up',
      'settings.callerResponseTimeoutHangupCounter is 3, the default; no manifest declares it',
    ],
  });
  expect(problems.map(({ rule, message, at }) => [rule, message, at?.line])).toEqual([
    [
      'test-failed',
      'the case \'silence\' fails for Agent/desk in staging: expected hangUpAfter: "40s", got asks: 3, hangUpAfter: "20s"',
      7,
    ],
  ]);
});

test.each([
  ['every agent of every environment', '', ['desk staging', 'desk production', 'night production']],
  ['globs', 'agents: ["n*"]', ['night production']],
  ['labels', 'selector: ring=canary', ['desk staging', 'desk production']],
  ['environments', 'onlyIn: [production]', ['desk production', 'night production']],
])('A Test can select %s.', async (_, choice, played) => {
  const { report } = await tested(testFile(`${choice}\n${answered}`), { names: ['desk', 'night'] });
  expect(report.cases.map(({ agent, environment }) => `${agent} ${environment}`)).toEqual(played);
});

test('Selected agents can exist in different environments.', async () => {
  const day = `${head}kind: Agent\nname: day\nonlyIn: [staging]\nsettings: { title: Day, description: Answers by day. }\n`;
  const changed = { ...testFile(`agents: [day, night]\n${answered}`), 'agents/day.yaml': day };
  const { report } = await tested(changed, { names: ['day', 'night'] });
  expect(report.cases.map(({ agent, environment }) => `${agent} ${environment}`)).toEqual([
    'day staging',
    'night production',
  ]);
});

test('Names, environments and labels on the command line select Tests and agents.', async () => {
  const { report } = await tested(testFile(answered), { names: ['night'] });
  expect(report.cases.map(({ environment }) => environment)).toEqual(['production']);
  const other = await runTest(place.host, { project: place.root, names: [], coverage: false, environments: ['stag*'] });
  expect(other.report.cases.map(({ environment }) => environment)).toEqual(['staging']);
  const unknown = runTest(place.host, { project: place.root, names: ['reception'], coverage: false });
  await expect(unknown).rejects.toMatchObject({
    code: 'selection-empty',
    message: 'no resource matches reception; the project has Agent/desk and Agent/night',
  });
});

test('A selection that matches nothing is a warning in an environment of the Test.', async () => {
  const { problems } = await tested(testFile(`agents: [night, "x*"]\nonlyIn: [production]\n${answered}`));
  expect(problems.map(({ rule, at, message }) => [rule, at?.column, message])).toEqual([
    ['test-unmatched', 17, "no Agent in this environment matches 'x*', so the cases of Test/callers do not run"],
  ]);
});

test.each<[string, string, string, string | undefined]>([
  [
    'a name that is misspelt',
    'agents: [dask]',
    "no environment has an Agent 'dask', so the cases of Test/callers do not run",
    'desk',
  ],
  [
    'a name beside one that matches',
    'agents: [desk, clinic]',
    "no environment has an Agent 'clinic', so the cases of Test/callers do not run",
    undefined,
  ],
  [
    'a name that the agent had before',
    'agents: [reception]',
    "no environment has an Agent 'reception', so the cases of Test/callers do not run",
    'desk',
  ],
])('A Test is an error if it has %s.', async (_, choice, message, meant) => {
  const renamed = files['agents/desk.yaml'].replace('name: desk', 'name: desk\nrenamedFrom: reception');
  const all = { ...testFile(`${choice}\n${answered}`), 'agents/desk.yaml': renamed };
  await expect(tested(all)).rejects.toMatchObject({
    problems: expect.arrayContaining([
      expect.objectContaining({
        ...{ severity: 'error', rule: 'test-agent', message },
        ...(meant && { fixes: [expect.objectContaining({ action: 'replace', text: meant })] }),
      }),
    ]),
  });
});

test('A name that only another environment has is a warning.', async () => {
  const { problems } = await tested(testFile(`agents: [night]\n${answered}`), { environments: ['staging'] });
  expect(problems.map(({ severity, rule }) => [severity, rule])).toEqual([['warning', 'test-unmatched']]);
});

test.each([
  ['a glob', 'agents: ["x*"]', "'x*'"],
  ['a selector', 'selector: ring=none', "'ring=none'"],
])('A required Test that selects no agent by %s is an error.', async (_, choice, text) => {
  const required = files['agentform.yaml'].replace('TOKEN}" }\n  prod', 'TOKEN}", tests: required }\n  prod');
  const all = { ...testFile(`${choice}\n${answered}`), 'agentform.yaml': required };
  const only = { ...all, 'agents/night.yaml': files['agents/night.yaml'].replace('onlyIn: [production]\n', '') };
  await expect(tested(only)).rejects.toMatchObject({
    problems: expect.arrayContaining([
      expect.objectContaining({
        rule: 'test-agent',
        message: `no Agent in this environment matches ${text}, so the cases of Test/callers do not run, but all Tests must pass in staging`,
      }),
    ]),
  });
  await place.remove();
  // Other environments have more agents, so the Test may select an agent of another environment.
  const { problems } = await tested(all);
  expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
});

test('A Test file with an error and two Tests with one name are manifest errors.', async () => {
  await expect(tested(testFile('cases: [{ name: odd, expect: { asks: 1 } }]'))).rejects.toThrow(ManifestsInvalid);
  await place.remove();
  const reference = testFile('cases: [{ name: a, text: description, expect: { contains: "in ${var.clinic}" } }]');
  await expect(tested(reference)).rejects.toMatchObject({
    problems: [
      {
        rule: 'test-case',
        message:
          'cases[0] has ${var.clinic}, but a Test cannot use references; write the value, and limit the Test with onlyIn',
      },
    ],
  });
  await place.remove();
  const again = { 'tests/again.yaml': files['tests/callers.yaml'] };
  await expect(tested(again)).rejects.toMatchObject({
    problems: [{ rule: 'duplicate-name', message: 'two manifests declare Test/callers: rename or delete one of them' }],
  });
});

test('A value that contains a secret is not tested.', async () => {
  const { report } = await tested(
    testFile('agents: [desk]\ncases: [{ name: pin, text: description, expect: { contains: Pin } }]'),
  );
  expect(report.cases[0]).toMatchObject({
    outcome: 'error',
    error: 'settings.description contains a secret, which Tests cannot read',
  });
});

test('A setting without a value and without a default is not tested with an invented default.', async () => {
  const { report } = await tested(
    testFile('agents: [night]\ncases: [{ name: zone, expect: { settings: { timezone: Europe/Rome } } }]'),
  );
  expect(report.cases[0]).toMatchObject({
    outcome: 'failed',
    got: { settings: { timezone: null } },
    assumed: ['settings.timezone has no value, because no manifest declares it and no default is documented'],
  });
});

test('Values of extraSettings decide a case, as in the request.', async () => {
  const { report } = await tested({
    ...testFile('agents: [night]\ncases: [{ name: fast, silence: true, expect: { hangUpAfter: 8s } }]'),
    'agents/night.yaml': `${files['agents/night.yaml']}extraSettings: { callerResponseTimeout: 2 }\n`,
  });
  expect(report.cases[0]).toMatchObject({
    outcome: 'passed',
    decidedBy: [{ setting: 'settings.callerResponseTimeout', value: 2 }],
  });
});

test('The coverage lists declared settings that affect callers and that no case tested.', async () => {
  const { report } = await tested(testFile(`agents: [desk]\n${answered}`), { coverage: true });
  expect(report.uncovered).toEqual([
    { agent: 'desk', environment: 'staging', settings: ['settings.callerResponseTimeout'] },
    { agent: 'desk', environment: 'production', settings: ['settings.callerResponseTimeout'] },
  ]);
  expect(renderTestText(report, { color: false })).toContain(
    'desk in production: no case checks settings.callerResponseTimeout\n',
  );
});

test('The text report has each case, what was expected and got, and the settings that decided it.', async () => {
  const { report } = await tested({}, { environments: ['staging'] });
  expect(renderTestText(report, { color: false })).toBe(`callers  desk in staging
  ✔ spam
  ✖ silence
      expected hangUpAfter: "40s"
      got      asks: 3, hangUpAfter: "20s"
      decided by settings.callerResponseTimeout: 5  (agents/desk.yaml:7:63)
      at tests/callers.yaml:7:7
      assumed: the agent waits another callerResponseTimeout after the last question, then hangs up
      assumed: settings.callerResponseTimeoutHangupCounter is 3, the default; no manifest declares it

Passed cases assume:
  transferRules.cnamAutoRejectCode is 603, the default; no manifest declares it

Cases: 1 passed, 1 failed.
`);
});

test('Assumptions of passed cases are listed once, up to a limit.', async () => {
  const cases = Array.from({ length: 12 }, (_, index) => `{ name: c${index}, silence: true, expect: { asks: 3 } }`);
  const { report } = await tested(testFile(`cases: [${cases}]`));
  const text = renderTestText(report, { color: false });
  expect(text.split('settings.callerResponseTimeoutHangupCounter is 3, the default')).toHaveLength(2);
  const many = report.cases.map((one, index) => ({ ...one, assumed: [`fact ${index}`] }));
  const shown = renderTestText({ ...report, cases: many }, { color: false });
  expect(shown).toContain(`  and ${many.length - 10} more; --format json lists all\n`);
});

test('A case can forbid a phrase in a text.', async () => {
  const { report } = await tested(
    testFile(
      'agents: [desk]\nonlyIn: [staging]\ncases: [{ name: no, text: title, expect: { notContains: guarantee } }]',
    ),
  );
  expect(report.cases[0]).toMatchObject({ outcome: 'passed', got: { notContains: 'guarantee' } });
});

test('The JUnit report has a suite for each Test and environment, and escapes markup.', async () => {
  const hostile = '"</testcase><!-- \\u0007 ]]>"';
  const { report } = await tested(
    testFile(`agents: [desk]\nonlyIn: [staging]\ncases: [{ name: ${hostile}, call: {}, expect: { answer: true } }]`),
  );
  expect(renderTestJunit(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="agentform test" tests="1" failures="0" errors="1">
  <testsuite name="callers in staging" tests="1" failures="0" errors="1">
    <testcase classname="staging.callers.desk" name="&lt;/testcase&gt;&lt;!-- \\u0007 ]]&gt;" file="tests/callers.yaml">
      <error message="the effect of cnamAutoRejectRegex on a caller without a name is not documented">decided by transferRules.cnamAutoRejectRegex (agents/desk.yaml:6:39)
at tests/callers.yaml:6:11</error>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('A time in fractions is an error that shows how times are written.', async () => {
  const silence = '{ name: silence, silence: true, expect: { hangUpAfter: 2.5s } }';
  const callers = `${head}kind: Test\nname: callers\nagents: [desk]\ncases:\n  - ${silence}\n`;
  const failure = await tested({ 'tests/callers.yaml': callers }).catch((error: unknown) => error);
  if (!(failure instanceof ManifestsInvalid)) throw new Error('the time is taken');
  expect(failure.problems.map(({ message }) => message)).toEqual([
    "cases[0].expect.hangUpAfter is '2.5s': expected an integer with its unit, such as 500ms, 5s or 2m",
  ]);
});
