import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;

beforeAll(async () => {
  project = await exampleProject('reseller');
});
afterAll(() => project.remove());

describe('options with an integer', () => {
  test.each([
    ['plan --concurrency x', '--concurrency must be an integer of at least 1, not "x"'],
    ['plan --concurrency 0', '--concurrency must be an integer of at least 1, not 0'],
    ['apply --allow-creates -1', '--allow-creates must be an integer of at least 0, not -1'],
    ['task create --account-id abc', '--account-id must be an integer, not "abc"'],
    ['task create --account-id 1.5', '--account-id must be an integer, not 1.5'],
    [
      'task create --account-id 99999999999999999999',
      '--account-id must be at most 9007199254740991, not 99999999999999999999',
    ],
    ['task upload tasks.csv --batch abc', '--batch must be an integer of at least 1, not "abc"'],
    ['task upload tasks.csv --from-row 9999999999999999999', '--from-row must be at most 9007199254740991, not 99'],
    ['inbox --page x', '--page must be an integer of at least 0, not "x"'],
    ['inbox --page-size=', '--page-size is empty; give it a value, or omit it; see agentform inbox --help'],
    ['record list -e a -e b', '--environment was given more than once'],
    ['plan --project a --project b', '--project was given more than once'],
    ['inbox --page 1 --page 2', '--page was given more than once'],
    ['emulator --port x', '--port must be an integer from 0 to 65535, not "x"'],
    ['emulator --port 65536', '--port must be an integer from 0 to 65535, not 65536'],
  ])('The command line %s is refused with the allowed range.', async (line, message) => {
    const { code, stdout, stderr } = await project.run(...line.split(' '));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('An option with an integer is a number in the help.', async () => {
    expect((await project.run('plan', '--help')).stdout).toMatch(/--concurrency .*\[number\] \[default: 16\]/);
  });
});

test.each([
  ['record', 'missing record command: use list, show, adopt, forget, rename or move; see agentform record --help'],
  ['task', 'missing task command: use create or upload; see agentform task --help'],
  ['record lst', "there is no command record lst; did you mean 'list'? See agentform record --help"],
  ['plan --bogus', 'agentform plan has no option --bogus; see agentform plan --help'],
])('The command line %s leads to the right help.', async (line, message) => {
  expect(await project.run(...line.split(' '))).toMatchObject({ code: 1, stderr: `error: ${message} (usage)\n` });
});

test('The emulator reports a taken port.', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await project.run('emulator', '--port', String(port));
  server.close();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `error: the emulator cannot listen on 127.0.0.1 port ${port}: another program uses this port; stop that program, or use --port 0 for a free port (emulator-unusable)\n`,
  });
});

test('A command group without a command is refused, and prints nothing to stdout.', async () => {
  for (const group of ['record', 'task']) {
    const { code, stdout, stderr } = await project.run(group);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/missing (record|task) command.*\(usage\)/);
  }
});
