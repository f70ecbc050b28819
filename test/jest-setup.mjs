import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Starts the pool of processes that the test files share. It ends with jest, however that ends. */
export default async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-pool-'));
  const path = join(folder, 'pool.sock');
  const pool = fork(resolve(import.meta.dirname, 'support/pool/server.mjs'), [path]);
  await once(pool, 'message');
  pool.unref();
  pool.channel.unref();
  process.env.AGENTFORM_TEST_POOL = path;
}
