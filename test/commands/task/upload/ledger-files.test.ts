import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findLedgers, lockUpload, UploadLedger } from '../../../../src/commands/task/upload/ledger.ts';

const upload = { environment: 'test', host: 'h', query: {}, file: 'tasks.csv', hash: 'a'.repeat(64) };
const head = { ...upload, formatVersion: 1, rows: 1, batchRows: 1, startedAt: '2026-01-01T00:00:00.000Z' } as const;

let root: string;
let outside: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-root-'));
  outside = await mkdtemp(join(tmpdir(), 'agentform-outside-'));
});
afterEach(() => Promise.all([root, outside].map((folder) => rm(folder, { recursive: true, force: true }))));

test.each(['.agentform', '.agentform/uploads', '.agentform/uploads/test'])(
  'the ledger of an upload is not looked for or written through a link at %s',
  async (folder) => {
    await mkdir(join(root, folder, '..'), { recursive: true });
    await symlink(outside, join(root, folder));
    const refusal = { message: expect.stringMatching(/is a symbolic link, which is not followed/) };
    await expect(findLedgers(root, 'test')).rejects.toMatchObject({ code: 'ledger-unreadable', ...refusal });
    await expect(UploadLedger.begin(root, head)).rejects.toMatchObject({ code: 'file-unwritable', ...refusal });
    if (folder === '.agentform') await expect(lockUpload(root, upload)).rejects.toMatchObject(refusal);
    expect(await readdir(outside)).toEqual([]);
  },
);

test('a ledger that is a link to a device is refused', async () => {
  await mkdir(join(root, '.agentform/uploads/test'), { recursive: true });
  await symlink('/dev/zero', join(root, '.agentform/uploads/test/x.jsonl'));
  await expect(findLedgers(root, 'test')).rejects.toMatchObject({
    code: 'ledger-unreadable',
    message: expect.stringMatching(/x\.jsonl cannot be read: it is a symbolic link, which is not followed/),
  });
});
