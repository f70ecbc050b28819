import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readAttachment } from '../../../src/commands/task/draft.ts';

test('An attachment that is too large is refused before it is read.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-attachment-'));
  try {
    const path = join(folder, 'film.mp4');
    const file = await open(path, 'w');
    await file.truncate(26 * 1024 * 1024);
    await file.close();
    expect(await readAttachment({ path })).toEqual({
      failure: 'it is 26.0 MiB, but an attachment can be at most 25 MiB',
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
