import { chmod, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { testProject } from '../support/cli.ts';
import { cliCommand } from '../support/node.ts';
import { blocksOf, runShell } from '../support/shell.ts';

const repository = resolve(import.meta.dirname, '../..');

test('The walk "Adopt your existing agents" of the README works as written.', async () => {
  const readme = await readFile(`${repository}/README.md`, 'utf8');
  const [, section = ''] = /^## Adopt your existing agents\n([\s\S]*?)^## /m.exec(readme) ?? [];
  const blocks = blocksOf(section, 'sh');
  expect(blocks).toHaveLength(4);
  const command = `#!/bin/sh\nexec ${cliCommand.join(' ')} "$@"\n`;
  const project = await testProject({ 'bin/agentform': command });
  await chmod(join(project.root, 'bin/agentform'), 0o755);
  const walk = blocks.join('').replaceAll('4010', String(await freePort()));
  const script = `PATH="$PWD/bin:$PATH"\ntrap 'kill $(jobs -p)' EXIT\n${walk}`;
  try {
    const { code, stdout } = await runShell(script, { cwd: project.root });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 imported, 1 already imported'),
    });
    expect(stdout.match(/settings\.description/g)).toHaveLength(2);
    expect(await project.read('prompts/front-desk.md')).toBe('# Front desk\nBe kind.\nBe short.\n\n');
    expect(await project.read('agents/front-desk.yaml')).toContain('agentLang: es-US');
  } finally {
    await project.remove();
  }
});

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
