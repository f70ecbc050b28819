import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RecordJournal, StagedRecords, type StagedText } from '../../../src/record/git/journal.ts';

const folder = 'f/';

describe('staged records', () => {
  test('A staged record replaces a shared one, and clashes only if another process replaced it too.', () => {
    const records = shared({ 'f/a': '1', 'f/b': '1', 'f/c': '1', 'f/d': '1' });
    records.stage('f/a', '2');
    records.stage('f/b', '2');
    records.stage('f/c', undefined);
    records.stage('f/e', '2');
    expect(records.files(folder)).toEqual(['f/a', 'f/b', 'f/d', 'f/e']);
    records.setShared(folder, published({ 'f/a': '1', 'f/b': '3', 'f/c': '1', 'f/d': '4', 'f/e': '2' }));
    expect(records.clashes().map(({ file }) => file)).toEqual(['f/b']);
    expect(records.staged().map(({ file }) => file)).toEqual(['f/a', 'f/b', 'f/c']);
    expect(records.text('f/d')).toBe('4');
  });

  test('A text that is staged during a sharing replaces the shared one.', () => {
    const records = shared({ 'f/a': '1' });
    const first = records.stage('f/a', '2');
    records.stage('f/a', '3');
    records.settle([first]);
    expect(records.staged()).toEqual([{ file: 'f/a', before: '2', text: '3' }]);
    expect(records.clashes()).toEqual([]);
  });

  test('A withdrawn text needs no sharing, unless a sharing in progress has sent it.', () => {
    const records = shared({});
    const sent = records.stage('f/a', '1');
    records.stage('f/a', undefined);
    records.settle([sent]);
    expect(records.staged()).toEqual([{ file: 'f/a', before: '1', text: undefined }]);
    records.stage('f/b', '1');
    records.stage('f/b', undefined);
    records.dropSame();
    expect(records.staged().map(({ file }) => file)).toEqual(['f/a']);
    expect(records.text('f/a')).toBeUndefined();
  });

  test('The law holds that all runs see what one run staged and shared.', () => {
    const texts = fc.dictionary(fc.constantFrom('f/a', 'f/b', 'f/c'), fc.constantFrom('1', '2', '3'));
    fc.assert(
      fc.property(texts, texts, texts, (before, ours, theirs) => {
        const records = shared(before);
        for (const [file, text] of Object.entries(ours)) records.stage(file, text);
        const now = { ...before, ...theirs };
        records.setShared(folder, published(now));
        const clashes = new Set(records.clashes().map(({ file }) => file));
        for (const file of ['f/a', 'f/b', 'f/c']) {
          const [was, mine, is] = [before[file], ours[file], now[file]];
          const differs = mine !== undefined && is !== was && is !== mine;
          expect(clashes.has(file)).toBe(differs);
          expect(records.text(file)).toBe(mine ?? is);
        }
      }),
    );
  });
});

function published(texts: Readonly<Record<string, string>>): Map<string, () => string> {
  return new Map(Object.entries(texts).map(([file, text]) => [file, () => text]));
}

function shared(texts: Readonly<Record<string, string>>): StagedRecords {
  const records = new StagedRecords();
  records.setShared(folder, published(texts));
  return records;
}

describe('staged records, file by file', () => {
  test('Staged records replace shared ones file by file, and a removal hides one.', () => {
    const records = shared({ 'f/a': '1', 'f/b': '1' });
    expect(records.text('f/a')).toBe('1');
    expect(records.text('f/x')).toBeUndefined();
    expect(records.stage('f/a', '2')).toEqual({ file: 'f/a', before: '1', text: '2' });
    expect(records.stage('f/b', undefined)).toEqual({ file: 'f/b', before: '1', text: undefined });
    expect([records.text('f/a'), records.text('f/b')]).toEqual(['2', undefined]);
    // The first staged text determines which text it replaces.
    expect(records.stage('f/a', '3')).toEqual({ file: 'f/a', before: '1', text: '3' });
  });

  test('Staged records are listed in the order of their files, below the requested folder.', () => {
    const records = shared({});
    for (const file of ['f/c', 'g/a', 'f/a', 'f/b']) records.stage(file, '1');
    expect(records.files('f/')).toEqual(['f/a', 'f/b', 'f/c']);
    expect(records.files('')).toEqual(['f/a', 'f/b', 'f/c', 'g/a']);
    expect(records.staged().map(({ file }) => file)).toEqual(['f/a', 'f/b', 'f/c', 'g/a']);
  });

  test('Staged records of other folders stay when one folder is fetched.', () => {
    const records = shared({ 'f/a': '1', 'f/gone': '1' });
    records.setShared('g/', published({ 'g/a': '1', 'g/b': '1' }));
    records.stage('g/a', '2');
    records.setShared('f/', published({ 'f/a': '2' }));
    expect(records.files('')).toEqual(['f/a', 'g/a', 'g/b']);
    expect([records.text('f/a'), records.text('g/a')]).toEqual(['2', '2']);
    records.stage('g/gone', undefined);
    records.setShared('f/', new Map());
    expect(records.staged().map(({ file }) => file)).toEqual(['g/a', 'g/gone']);
  });

  test('Staged records of an earlier run are taken over, unless they are already shared.', () => {
    const records = shared({ 'f/a': '2' });
    records.stage('f/a', '3');
    records.restore({ file: 'f/a', before: '1', text: '2' });
    records.restore({ file: 'f/b', before: '1', text: '2' });
    records.restore({ file: 'f/c', before: '1', text: undefined });
    expect(records.staged()).toEqual([{ file: 'f/b', before: '1', text: '2' }]);
  });

  test('Staged records of an earlier run replace what its push shared before it was killed.', () => {
    const records = shared({ 'f/a': '5' });
    for (const text of ['5', '6']) records.restore({ file: 'f/a', before: '4', text });
    expect(records.clashes()).toEqual([]);
    expect(records.staged()).toEqual([{ file: 'f/a', before: '5', text: '6' }]);
  });

  test('Staged records replace what a push with a lost answer shared.', () => {
    const records = shared({ 'f/a': '4' });
    for (const text of ['5', '6']) records.stage('f/a', text);
    records.setShared(folder, published({ 'f/a': '5' }));
    expect(records.clashes()).toEqual([]);
    expect(records.staged()).toEqual([{ file: 'f/a', before: '5', text: '6' }]);
  });

  test('Staged records clash with a shared text of this run that another process restored.', () => {
    const records = shared({ 'f/a': '4' });
    records.settle([records.stage('f/a', '5')]);
    records.settle([records.stage('f/a', '6')]);
    records.stage('f/a', '7');
    records.setShared(folder, published({ 'f/a': '5' }));
    expect(records.clashes().map(({ file }) => file)).toEqual(['f/a']);
  });

  test('Staged records clash with what another process shared, even if they were saved again.', () => {
    const records = shared({ 'f/a': '1' });
    records.stage('f/a', '2');
    records.setShared(folder, published({ 'f/a': 'theirs' }));
    records.stage('f/a', '3');
    expect(records.clashes()).toEqual([{ file: 'f/a', before: '1', text: '3' }]);
  });

  test('Staged records replace an earlier text of this run that a push with a lost answer shared.', () => {
    const records = shared({ 'f/a': '1' });
    const first = records.stage('f/a', '2');
    records.stage('f/a', '3');
    records.settle([first]);
    records.stage('f/a', '4');
    records.setShared(folder, published({ 'f/a': '3' }));
    expect(records.clashes()).toEqual([]);
    expect(records.staged()).toEqual([{ file: 'f/a', before: '3', text: '4' }]);
  });

  test('Withdrawn staged records stay while another folder is fetched, because a push may be in progress.', () => {
    const records = shared({});
    records.setShared('g/', published({ 'g/a': '1' }));
    for (const text of ['2', '1']) records.stage('g/a', text);
    records.setShared(folder, new Map());
    expect(records.staged()).toEqual([{ file: 'g/a', before: '1', text: '1' }]);
  });

  test('Shared staged records and removals leave nothing to share.', () => {
    const records = shared({ 'f/a': '1' });
    const changes = [records.stage('f/a', undefined), records.stage('f/b', '1')];
    records.settle([...changes, { file: 'f/c', before: undefined, text: '7' }]);
    expect(records.staged()).toEqual([]);
    expect(records.files('f/')).toEqual(['f/b', 'f/c']);
    expect(records.clashes()).toEqual([]);
  });

  test('Dropping staged records leaves the shared records unchanged.', () => {
    const records = shared({ 'f/a': '1' });
    records.stage('f/a', '2');
    records.drop('f/a');
    expect(records.text('f/a')).toBe('1');
    expect(records.staged()).toEqual([]);
  });
});

describe('a journal', () => {
  const path = '.git/agentform/test.journal';
  const first: StagedText = { file: 'a', before: undefined, text: 'a\nfor all' };
  const second: StagedText = { file: 'b', before: undefined, text: 'b\nfor all' };
  const entries = [first, second];
  let root: string;
  let journal: RecordJournal;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'agentform-journal-'));
    journal = new RecordJournal(root, path);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const again = () => new RecordJournal(root, path).read();

  test('A missing journal has no entries.', async () => {
    expect(await journal.read()).toEqual([]);
  });

  test('A journal restores its entries in order, even several of one file.', async () => {
    await Promise.all(entries.map((entry) => journal.append(entry)));
    expect(await again()).toEqual(entries);
    await journal.append({ file: 'a', before: 'x', text: undefined });
    expect(await again()).toEqual([...entries, { file: 'a', before: 'x', text: undefined }]);
  });

  test('A journal writes waiting entries together, readable only by its owner.', async () => {
    await Promise.all(entries.map((entry) => journal.append(entry)));
    const text = await readFile(journal.path, 'utf8');
    expect(text).toBe('\n{"file":"a","text":"a\\nfor all"}\n{"file":"b","text":"b\\nfor all"}\n');
    expect((await stat(journal.path)).mode & 0o777).toBe(0o600);
    await journal.rewrite([second]);
    expect((await stat(journal.path)).mode & 0o777).toBe(0o600);
  });

  test('A rewritten journal contains only the given entries, and is deleted without any.', async () => {
    await Promise.all([journal.append(first), journal.rewrite([second])]);
    expect(await again()).toEqual([second]);
    await journal.rewrite([]);
    expect(await readdir(dirname(journal.path))).toEqual([]);
    await journal.rewrite([]);
    await journal.append(first);
    expect(await again()).toEqual([first]);
  });

  test('A journal creates its folder for a rewrite too.', async () => {
    await journal.rewrite(entries);
    expect(await again()).toEqual(entries);
  });

  test.each([
    ['the beginning of a line', '{"file":"c","text":"{'],
    ['no object', '[1]\nnull\n7'],
    ['an object without a file', '{"text":"x"}\n{"file":7}'],
  ])('A journal skips %s.', async (_what, garbage) => {
    await journal.append(first);
    await appendFile(journal.path, garbage);
    await new RecordJournal(root, path).append(second);
    expect(await again()).toEqual(entries);
  });

  test('A journal ignores an entry whose text is not a string.', async () => {
    await journal.rewrite([]);
    await mkdir(dirname(journal.path), { recursive: true });
    await writeFile(journal.path, '{"file":"a","before":7,"text":{}}\n');
    expect(await journal.read()).toEqual([{ file: 'a', before: undefined, text: undefined }]);
  });

  test('A journal that cannot be written is named, and works again later.', async () => {
    await writeFile(join(root, '.git'), 'a file');
    const refused = {
      code: 'file-unwritable',
      message: expect.stringMatching(/^the journal .*test\.journal cannot be written: ./),
      cause: expect.anything(),
    };
    await expect(journal.append(first)).rejects.toMatchObject(refused);
    await expect(journal.rewrite(entries)).rejects.toMatchObject(refused);
    await rm(join(root, '.git'));
    await journal.append(second);
    expect(await again()).toEqual([second]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['below a linked folder', () => symlink(tmpdir(), join(root, '.git'))],
    ['that is a folder', () => mkdir(join(root, path), { recursive: true })],
  ])('A journal %s cannot be read.', async (_what, make) => {
    await make();
    const why = {
      code: 'record-unreadable',
      message: expect.stringMatching(/^the journal .*test\.journal cannot be read: ./),
      cause: expect.anything(),
    };
    await expect(journal.read()).rejects.toMatchObject(why);
    await expect(journal.append(first)).rejects.toMatchObject({ code: 'file-unwritable' });
  });
});
