import { expect, test } from '@jest/globals';
import type { Inputs } from '../../src/action/inputs.ts';
import { remediesIn, remediesMarkdown, remediesText } from '../../src/action/remedies.ts';

process.env.GITHUB_REPOSITORY = 'elm/clinic';

const inputs: Inputs = {
  command: 'plan',
  environment: 'production',
  goneEnvironment: undefined,
  selector: undefined,
  exclude: [],
  overwrite: [],
  new: [],
  plans: [],
  shard: undefined,
  plan: undefined,
  allowOlder: false,
  allowCreates: undefined,
  allowPending: false,
  skipPolicies: false,
  skipRequires: false,
  skipTests: false,
  publish: false,
  approveDigest: undefined,
  fields: [],
  reason: undefined,
  until: undefined,
  force: false,
  favoured: undefined,
  own: false,
  to: undefined,
  importing: undefined,
  project: '.',
  names: [],
  changedSince: undefined,
  comment: 'update',
  token: '',
  allowedHosts: '',
  secrets: ['AGENT_TOKEN', 'NIGHT_TOKEN'],
  failOnChanges: false,
  failOnConflicts: true,
  requireApprovedPlan: false,
  approval: 'all',
  pullRequest: false,
  html: undefined,
  byHandWorkflow: undefined,
};

function remedies(...sentences: string[]) {
  const found = remediesIn(sentences, inputs);
  return found && { markdown: remediesMarkdown(found), text: remediesText(found) };
}

const refused = (name: string) =>
  `reading agent a failed: 401 Unauthorized; check the token in ${name} (agents/a.yaml:5)`;
const settings = 'https://github.com/elm/clinic/settings/secrets/actions';

test('a token that the service refuses is to be set where the workflow has it, with the page of the settings', () => {
  expect(remedies(refused('AGENT_TOKEN'), refused('AGENT_TOKEN'))).toEqual({
    markdown:
      `**To go on:** set \`AGENT_TOKEN\` in the [secrets of the repository](${settings}), or of the environment that the job ` +
      'names, with a value that the service accepts. Then re-run this job.',
    text:
      `Set AGENT_TOKEN in the secrets of the repository (${settings}), or of the environment that the job names, with a value ` +
      'that the service accepts. Then re-run this job.',
  });
});

test('secrets without a value are one sentence, beside commands', () => {
  const unset = (name: string) => `the secret '${name}' is needed: the process variable ${name} is unset or empty`;
  const found = remedies(
    unset('AGENT_TOKEN'),
    unset('NIGHT_TOKEN'),
    'run `agentform record forget Agent/a -e production`',
  );
  expect(found?.markdown).toMatch(
    /^\*\*To go on:\*\* set `AGENT_TOKEN` and `NIGHT_TOKEN` in .*, and in `env` of the step\. Then/,
  );
  expect(found?.markdown).toContain('\n\n**Without a terminal:** ');
  expect(found?.text).toMatch(/^Set AGENT_TOKEN and NIGHT_TOKEN in .*\nWithout a terminal, .*\n {2}record forget/);
});

test('only a secret that the workflow names is one to set, whatever a service says', () => {
  expect(remedies('it said "no; check the token in GITHUB_TOKEN"')).toBeUndefined();
});

test('what has to be applied elsewhere first can be, and can be overruled', () => {
  const message =
    'production requires staging, and different content is applied there; first run `agentform apply Agent/a -e staging`; ' +
    'to overrule it, run again with --skip-requires';
  expect(remediesIn([message], inputs)?.commands).toEqual([
    'apply --skip-requires -e production',
    'apply Agent/a -e staging',
  ]);
});

test('what is typed names the environment, because the form has a choice of them', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  expect(remediesIn([`run again with approve-digest: ${digest}`], inputs)?.commands).toEqual([
    `apply --approve-digest ${digest} -e production`,
  ]);
  const sentences = ['run again with --allow-older', '`agentform apply --overwrite Agent/a -e production` keeps it'];
  expect(remediesIn(sentences, inputs)?.commands).toEqual([
    'apply --allow-older -e production',
    'apply --allow-older --overwrite Agent/a -e production',
  ]);
  const told = { ...inputs, overwrite: ['Agent/a'], approveDigest: digest };
  expect(remediesIn(sentences, told)?.commands).toEqual([
    `apply --overwrite Agent/a --approve-digest ${digest} --allow-older -e production`,
  ]);
  expect(remediesIn(sentences.slice(1), { ...inputs, approveDigest: digest })?.commands).toEqual([
    `apply --approve-digest ${digest} --overwrite Agent/a -e production`,
  ]);
  expect(remediesIn(['run again with --allow-pending'], { ...inputs, environment: undefined })?.commands).toEqual([
    'publish --allow-pending',
  ]);
});

test('agents that may be there already are declared to be new in one command', () => {
  const message =
    'no agent id is known; if it has one, `agentform record adopt Agent/NAME ID -e production` compares them; if it has none, ' +
    '`agentform apply --new Agent/a,Agent/b -e production` creates it';
  const commands = (more = {}) => remediesIn([message], { ...inputs, ...more })?.commands;
  expect(commands()).toEqual(['apply --new Agent/a,Agent/b -e production', 'record adopt Agent/NAME ID -e production']);
  expect(commands({ new: ['Agent/c'], publish: true })).toContain(
    'apply --new Agent/c --publish --new Agent/a,Agent/b -e production',
  );
});
