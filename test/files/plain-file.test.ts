import { mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesBelow } from '../../src/files/plain-file.ts';
import { makeFolder } from '../manifest/temp-project.ts';

test('Links below a folder are listed as files and not followed, even if they form cycles.', () => {
  const folder = makeFolder({ 'a.yaml': '', 'agents/b.yaml': '', 'agents/night/c.yaml': '' });
  mkdirSync(join(folder, 'empty'));
  for (const name of ['one', 'two', 'agents/up']) symlinkSync(folder, join(folder, name));
  symlinkSync(tmpdir(), join(folder, 'agents/night/out'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  const links = ['agents/night/out', 'agents/up', 'dangling', 'one', 'two'];
  const files = ['a.yaml', 'agentform.yaml', 'agents/b.yaml', 'agents/night/c.yaml'];
  expect(filesBelow(folder).sort()).toEqual([...files, ...links].sort());
});
