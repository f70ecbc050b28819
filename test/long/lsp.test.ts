import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startServer } from '../support/lsp-client.ts';

let root: string;
let server: ReturnType<typeof startServer>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-test-'));
  await writeFile(
    join(root, 'agentform.yaml'),
    'apiVersion: agentform/v1\nkind: Project\nmanifests: []\nenvironments: { local: { baseUrl: emulator } }\nlimts: 1\n',
  );
  server = startServer();
});
afterEach(async () => {
  server.child.kill('SIGKILL');
  await rm(root, { recursive: true });
});

test('The language server ends with the process that the editor names.', async () => {
  const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await server.on(root).initialize({ processId: parent.pid ?? null });
  const gone = once(parent, 'exit');
  parent.kill('SIGKILL');
  await gone;
  expect(await server.ended).toBe(1);
});
