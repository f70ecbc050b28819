import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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

test('The language server exits with 1 without shutdown, also when its input ends.', async () => {
  const client = server.on(root);
  await client.initialize();
  client.notify('exit', undefined);
  expect(await server.ended).toBe(1);
  server = startServer();
  await server.on(root).initialize();
  server.child.stdin.end();
  expect(await server.ended).toBe(1);
});

test('The language server survives invalid input, writes nothing into the project, and exits with 0 after shutdown.', async () => {
  const client = server.on(root);
  expect(await client.initialize()).toMatchObject({ serverInfo: { name: 'agentform' } });
  await client.until((published) => published.has('agentform.yaml'));
  client.frame('{');
  client.frame('[]');
  client.frame('null');
  client.frame('{"jsonrpc":"2.0"}');
  client.frame('{"jsonrpc":"2.0","method":5}');
  client.frame('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":null}');
  client.frame('{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"nonsense"}}}');
  client.frame('{"jsonrpc":"2.0","id":"x","method":"textDocument/hover"}');
  client.frame('{"jsonrpc":"2.0","id":1001,"method":"textDocument/hover","params":{"textDocument":{"uri":5}}}');
  client.frame('{"jsonrpc":"2.0","id":1002,"method":"no/such","params":{}}');
  client.frame('{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":"x:"}]}}');
  const gone = client.hover('gone.yaml', { line: 900, character: 900 });
  client.notify('$/cancelRequest', { id: 2 });
  expect(await gone.catch(() => null)).toBeNull();
  expect(await client.hover('agentform.yaml', { line: -1, character: 1e9 }).catch(() => null)).toBeDefined();
  expect(server.child.exitCode).toBeNull();
  await client.request('shutdown', null);
  client.notify('exit', undefined);
  expect(await server.ended).toBe(0);
  expect(await readdir(root)).toEqual(['agentform.yaml']);
});
