import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const memory = '/dev/shm';
const roomNeeded = 3 * 2 ** 30;

/**
 * Creates the folder for all files of tests, and starts the pool of shared processes. Both end with jest, even if jest
 * is killed.
 */
export default async function setUp() {
  const folder = (await folderIn(memory)) ?? (await mkdtemp(join(tmpdir(), 'agentform-tests-')));
  // A database process runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const socket = join(folder, 'pool.sock');
  const pool = fork(resolve(import.meta.dirname, 'support/pool/server.mjs'), [socket]);
  await once(pool, 'message');
  pool.unref();
  pool.channel.unref();
  process.env.TMPDIR = folder;
  process.env.AGENTFORM_TEST_POOL = socket;
}

/**
 * A folder in memory, which saves a tenth of the processor time. Undefined if the file system has little room, or if
 * programs cannot run from the folder.
 */
async function folderIn(place) {
  const room = await statfs(place).catch(() => undefined);
  if (room === undefined || room.bavail * room.bsize < roomNeeded) return undefined;
  const folder = await mkdtemp(join(place, 'agentform-tests-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  const program = join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  if (spawnSync(program).status === 0) return folder;
  await rm(folder, { recursive: true });
  return undefined;
}
