import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, expect, test } from '@jest/globals';
import { adoptRecord, renameRecord } from '../../../src/index.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { project, remote, token, useRemote } from './clones.ts';

shareProcess();

useRemote('a0');

const encoded = Buffer.from(token).toString('base64');

beforeEach(async () => {
  const hook = join(remote.path, 'hooks/pre-receive');
  await writeFile(hook, `#!/bin/sh\necho "rejected, because of ${token} and ${encoded}" >&2\nexit 1\n`);
  await chmod(hook, 0o755);
});

test('No command that changes records shows a secret that a git remote quotes.', async () => {
  for (const args of [
    ['adopt', 'Agent/a0'],
    ['rename', 'Agent/a0', 'Agent/a1'],
  ]) {
    const { code, stdout, stderr } = await project.run('record', ...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('rejected, because of (sensitive)') });
    expectNoToken(stdout + stderr);
  }
});

test('A failure of the library has no secret in its message, stack, facts or cause.', async () => {
  const env = { ...process.env, AGENT_TOKEN: token };
  const options = { project: project.root, env };
  const failures = [
    await adoptRecord({ ...options, address: 'Agent/a0' }).catch((error: unknown) => error),
    await renameRecord({ ...options, from: 'Agent/a0', to: 'Agent/a1' }).catch((error: unknown) => error),
  ];
  for (const failure of failures) {
    expect(failure).toMatchObject({ message: expect.stringContaining('rejected, because of (sensitive)') });
    expectNoToken(inspect(failure, { depth: Number.POSITIVE_INFINITY, showHidden: true }));
  }
});

function expectNoToken(text: string): void {
  expect(text).not.toContain(token);
  expect(text).not.toContain(encoded.slice(0, 12));
}
