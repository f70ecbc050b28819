import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import type { Inputs } from '../../src/action/inputs.ts';
import {
  type Needs,
  needsOf,
  needsOfLedger,
  remediesFor,
  remediesMarkdown,
  remediesText,
  remedyTexts,
} from '../../src/action/remedies.ts';
import { notice, type Remedy } from '../../src/notices/notice.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';

process.env.GITHUB_REPOSITORY = 'elm/clinic';

const inputs: Inputs = {
  command: 'plan',
  environment: 'production',
  goneEnvironment: undefined,
  decisions: [],
  plan: undefined,
  project: '.',
  names: [],
  concurrency: 16,
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
  pushToken: '',
};

function remedies(needs: Partial<Needs>) {
  const found = remediesFor({ remedies: [], ...needs }, inputs);
  return found && { markdown: remediesMarkdown(remedyTexts(found)), text: remediesText(found) };
}

const commandsFor = (needed: readonly Remedy[], more: Partial<Inputs> = {}) =>
  remediesFor({ remedies: needed }, { ...inputs, ...more })?.commands;
const settings = 'https://github.com/elm/clinic/settings/secrets/actions';

test('The remedy for a refused token names its place in the workflow and the settings page.', () => {
  const failure = notice('read-failed', {
    problem: { code: 'service-refused', text: '401 Unauthorized', secret: 'AGENT_TOKEN' },
  });
  expect(remedies(needsOf([failure, failure]))).toEqual({
    markdown:
      `**To continue:** set \`AGENT_TOKEN\` in the [repository secrets](${settings}), or in the secrets of the environment that the job ` +
      'names, with a value that the service accepts. Then re-run this job.',
    text:
      `Set AGENT_TOKEN in the repository secrets (${settings}), or in the secrets of the environment that the job names, with a value ` +
      'that the service accepts. Then re-run this job.',
  });
});

test('The remedies name all unset secrets in one sentence, beside the commands.', () => {
  const found = remedies({
    unset: ['AGENT_TOKEN', 'NIGHT_TOKEN'],
    remedies: [['record', 'forget', 'Agent/a', '-e', 'production']],
  });
  expect(found?.markdown).toMatch(
    /^\*\*To continue:\*\* set `AGENT_TOKEN` and `NIGHT_TOKEN` in .*, and in `env` of the step\. Then/,
  );
  expect(found?.markdown).toContain(
    '\n\n<details>\n<summary>For people who run commands</summary>\n\n**Without a terminal:** ',
  );
  expect(found?.text).toMatch(/^Set AGENT_TOKEN and NIGHT_TOKEN in .*\nWithout a terminal, .*\n {2}record forget/);
});

test('The remedies only ask for secrets that the workflow names.', () => {
  expect(remedies({ refused: ['GITHUB_TOKEN'], unset: ['HOME'] })).toBeUndefined();
});

test('The remedies for unpromoted content are to apply it elsewhere or to skip the check.', () => {
  expect(commandsFor([['apply', 'Agent/a', '-e', 'staging'], ['--skip-requires']])).toEqual([
    'apply --skip-requires -e production',
    'apply Agent/a -e staging',
  ]);
});

test('A typed command names the environment, because the form offers a choice of environments.', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  expect(commandsFor([['--approve-digest', digest]])).toEqual([`apply --approve-digest ${digest} -e production`]);
  const overwrite = ['apply', '--overwrite', 'Agent/a', '-e', 'production'];
  expect(commandsFor([['--allow-older'], overwrite])).toEqual([
    'apply --allow-older -e production',
    'apply --allow-older --overwrite Agent/a -e production',
  ]);
  expect(
    commandsFor([['--allow-older'], overwrite], {
      decisions: decisionsOf({ overwrite: ['Agent/a'] }),
      approveDigest: digest,
    }),
  ).toEqual([`apply --overwrite Agent/a --approve-digest ${digest} --allow-older -e production`]);
  expect(commandsFor([overwrite], { approveDigest: digest })).toEqual([
    `apply --approve-digest ${digest} --overwrite Agent/a -e production`,
  ]);
  expect(commandsFor([['publish', '--allow-pending']], { environment: undefined })).toEqual([
    'publish --allow-pending',
  ]);
});

test('The remedies omit commands that the action cannot run, and quote words for a shell.', () => {
  expect(commandsFor([['plan', '-e', 'production']])).toBeUndefined();
  expect(commandsFor([['update', 'desk', '--field', 'skills[calendar]', '-e', 'production']])).toEqual([
    "update desk --field 'skills[calendar]' -e production",
  ]);
});

test('A sentence that quotes the service offers no remedy, even if the quote contains a command.', () => {
  const quoting = notice('read-failed', {
    problem: { code: 'service-refused', text: 'it said "run `agentform record forget Agent/a` --skip-policies"' },
  });
  expect(remedies(needsOf([quoting]))).toBeUndefined();
});

test('One command declares all agents that may already exist as new.', () => {
  const undecided: Remedy[] = [
    ['import', 'ID', '--name', 'NAME', '--force', '-e', 'production'],
    ['record', 'adopt', 'Agent/NAME', 'ID', '-e', 'production'],
    ['apply', '--new', 'Agent/a,Agent/b', '-e', 'production'],
  ];
  const commands = (more = {}) => commandsFor(undecided, more);
  expect(commands()).toEqual(['apply --new Agent/a,Agent/b -e production', 'record adopt Agent/NAME ID -e production']);
  expect(commands({ decisions: decisionsOf({ new: ['Agent/c'] }), publish: true })).toContain(
    'apply --new Agent/c --publish --new Agent/a,Agent/b -e production',
  );
});

test('A project without the workflow for typed commands learns where to copy it from.', () => {
  const example = 'https://github.com/agentform/agentform/blob/main/examples/github/by-hand.yml';
  const elsewhere = { ...inputs, project: tmpdir() };
  const found = remediesFor({ remedies: [['--allow-creates', '1']] }, elsewhere);
  expect(found && remediesMarkdown(remedyTexts(found))).toContain(
    `copy [by-hand.yml](${example}) to \`.github/workflows/\`, run it and enter`,
  );
  expect(found && remediesText(found)).toContain(`copy ${example} to .github/workflows/`);
});

test('The remedy for equal holds is one command that releases all of them.', () => {
  const entries = ['one', 'two', 'other'].map((name) => {
    const labels = { ring: name === 'other' ? 'early' : 'late' };
    const hold = { by: 'ada', since: '2026-11-20T10:00:00Z', reason: labels.ring };
    const reasons = [notice('held', { hold }, [['unhold', `Agent/${name}`, '-e', 'production']])];
    return { kind: 'Agent', name, labels, reasons };
  });
  const { remedies: found } = needsOfLedger({ entries: entries as never });
  expect(commandsFor(found)).toEqual(['unhold -l ring=late -e production', 'unhold Agent/other -e production']);
});

test('A command that overrules a check says so.', () => {
  const skips: Remedy[] = [['--skip-policies'], ['--skip-tests']];
  const alone = remedies({ remedies: skips });
  expect(alone?.markdown).toMatch(
    /`apply --skip-policies --skip-tests -e production`\. \*\*This overrules the team rule and the failed tests\.\*\*\n\n<\/details>$/,
  );
  expect(alone?.text).toMatch(/--skip-tests -e production {2}\(overrules the team rule and the failed tests\)$/);
  const several = remedies({ remedies: [['--skip-requires'], ['apply', 'Agent/a', '-e', 'staging']] });
  expect(several?.markdown).toContain('`apply --skip-requires -e production` (overrules the required environment)\n');
  expect(several?.markdown).toMatch(/`apply Agent\/a -e staging`\n\n<\/details>$/);
});
