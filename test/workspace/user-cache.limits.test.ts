import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FoundFileFacts, type Input, manifestKey } from '../../src/manifest/project/trace.ts';
import { readPack, UserCache, writePack } from '../../src/workspace/user-cache.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentform-cache-'));
  await mkdir(join(home, 'project'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test('Facts of many manifests are found again after some were edited, removed or became a fleet.', async () => {
  const storeNow = () => {
    const store = new UserCache(join(home, 'cache'), 'a').factsOf({
      root: join(home, 'project'),
      file: 'agentform.yaml',
    })?.('live');
    if (store === undefined) throw new Error('the folder is no cache');
    return store;
  };
  const inputs = (found: string): Input[] => [['text', '1 shared/base.yaml', found]];
  const factsOf = (title: string, size: number, key = manifestKey) => {
    const value = { head: { title, ...(size > 1 && { problems: Array.from({ length: size }, () => 'p') }) } };
    const own = key === manifestKey ? undefined : { inputs: inputs('own'), value: { count: 1 } };
    return new FoundFileFacts(own, new Map([[key, { inputs: inputs(title), value }]]));
  };
  const known = new Map(
    Array.from({ length: 2_500 }, (_, index) => [`agents/${index}.yaml`, factsOf(`A ${index}`, index % 4)]),
  );
  const first = storeNow();
  for (const [path, facts] of known) first.put(path, facts, 1);
  await first.keep(() => new Map(), new Set(known.keys()));

  const second = storeNow();
  for (let index = 0; index < 50; index += 1) known.set(`agents/${index}.yaml`, factsOf('edited', 3));
  known.set('agents/51.yaml', factsOf('a fleet', 0, 'tables/a.csv Agent/a'));
  for (const [path, facts] of [...known].slice(0, 52)) second.put(path, facts, 1);
  known.delete('agents/2400.yaml');
  await second.keep(() => new Map(), new Set(known.keys()));

  const third = storeNow();
  for (const [path, facts] of known) {
    const found = third.get(path);
    expect([path, found?.keys, found?.own]).toEqual([path, facts.keys, facts.own]);
    expect(found?.inputsOf(0)).toEqual(facts.inputsOf(0));
    expect(found?.resultOf(0)).toEqual(facts.resultOf(0));
  }
  expect(third.get('agents/2400.yaml')).toBeUndefined();
});

test('A large pack has several files, and a smaller one leaves none of them behind.', async () => {
  const folder = join(home, 'cache');
  const texts = Array.from({ length: 40 }, (_, index): [string, string] => [
    `key ${index}`,
    `${index} `.repeat(2 ** 20 / 3),
  ]);
  await writePack(folder, 'facts', texts);
  expect((await readdir(folder)).sort()).toEqual(['facts-1.pack', 'facts.pack']);
  const pack = readPack(folder, 'facts');
  expect(texts.every(([key, text]) => pack.get(key) === text)).toBe(true);
  await writeFile(join(folder, 'facts.pack'), 'cut off', { mode: 0o600 });
  const rest = readPack(folder, 'facts');
  const found = texts.filter(([key, text]) => rest.get(key) === text);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(texts.length);
  await writePack(folder, 'facts', texts.slice(0, 2));
  expect(await readdir(folder)).toEqual(['facts.pack']);
});
