import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StagedRecords } from '../../../src/record/git/journal.ts';

const folder = 'f/';

describe('staged records', () => {
  test('replace what is shared, and clash only where somebody else replaced it too', () => {
    const records = shared({ 'f/a': '1', 'f/b': '1', 'f/c': '1', 'f/d': '1' });
    records.stage('f/a', '2');
    records.stage('f/b', '2');
    records.stage('f/c', undefined);
    records.stage('f/e', '2');
    expect(records.places(folder)).toEqual(['f/a', 'f/b', 'f/d', 'f/e']);
    records.setShared(folder, new Map(Object.entries({ 'f/a': '1', 'f/b': '3', 'f/c': '1', 'f/d': '4', 'f/e': '2' })));
    expect(records.clashes().map(({ place }) => place)).toEqual(['f/b']);
    expect(records.staged().map(({ place }) => place)).toEqual(['f/a', 'f/b', 'f/c']);
    expect(records.text('f/d')).toBe('4');
  });

  test('what was staged while a sharing was under way is meant to replace what that shared', () => {
    const records = shared({ 'f/a': '1' });
    const first = records.stage('f/a', '2');
    records.stage('f/a', '3');
    records.settle([first]);
    expect(records.staged()).toEqual([{ place: 'f/a', base: '2', text: '3' }]);
    expect(records.clashes()).toEqual([]);
  });

  test('what is taken back is nothing to share, unless a sharing under way has sent it', () => {
    const records = shared({});
    const sent = records.stage('f/a', '1');
    records.stage('f/a', undefined);
    records.settle([sent]);
    expect(records.staged()).toEqual([{ place: 'f/a', base: '1', text: undefined }]);
    records.stage('f/b', '1');
    records.stage('f/b', undefined);
    records.dropSame();
    expect(records.staged().map(({ place }) => place)).toEqual(['f/a']);
    expect(records.text('f/a')).toBeUndefined();
  });

  test('law: what one run staged and shared is what all see, however others share in between', () => {
    const texts = fc.dictionary(fc.constantFrom('f/a', 'f/b', 'f/c'), fc.constantFrom('1', '2', '3'));
    fc.assert(
      fc.property(texts, texts, texts, (before, ours, theirs) => {
        const records = shared(before);
        for (const [place, text] of Object.entries(ours)) records.stage(place, text);
        const now = { ...before, ...theirs };
        records.setShared(folder, new Map(Object.entries(now)));
        const clashes = new Set(records.clashes().map(({ place }) => place));
        for (const place of ['f/a', 'f/b', 'f/c']) {
          const [was, mine, is] = [before[place], ours[place], now[place]];
          const differs = mine !== undefined && is !== was && is !== mine;
          expect(clashes.has(place)).toBe(differs);
          expect(records.text(place)).toBe(mine ?? is);
        }
      }),
    );
  });
});

function shared(texts: Readonly<Record<string, string>>): StagedRecords {
  const records = new StagedRecords();
  records.setShared(folder, new Map(Object.entries(texts)));
  return records;
}
