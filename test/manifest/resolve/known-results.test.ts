import { expect, test } from '@jest/globals';
import {
  FoundFileFacts,
  factsInMemory,
  type Input,
  manifestKey,
  type Traced,
} from '../../../src/manifest/project/trace.ts';
import { KnownResults } from '../../../src/manifest/resolve/known-results.ts';

const file = 'agents/fleet.yaml';

function unit(name: string) {
  return { file, key: name, row: () => undefined, inputs: () => [], declare: () => undefined };
}

/** Simulates runs. Answers describe a table and its rows: `a1` is the first version of row `a`. */
function runs() {
  const store = factsInMemory()('facts');
  return (rows: Readonly<Record<string, string>>) => {
    const table = Object.values(rows).join();
    const answer = ([kind]: Input, of?: { readonly key: string }) =>
      kind === 'text' ? table : (rows[of?.key ?? ''] ?? '');
    const results = new KnownResults(store, answer);
    for (const name of Object.keys(rows)) results.meet(unit(name));
    const own: Traced = { inputs: [['text', 'clients.csv', table]], value: { count: Object.keys(rows).length } };
    const made = (name: string): Traced => ({ inputs: [['row', '', rows[name] ?? '']], value: { title: rows[name] } });
    return { results, own, made };
  };
}

function titleIn(results: KnownResults, name: string): unknown {
  const place = results.find(unit(name));
  return place?.file.partOf(place.index, 'title');
}

test('An unchanged table checks no row again, and an edited one checks every row.', () => {
  const run = runs();
  const { results, own, made } = run({ a: 'a1', b: 'b1' });
  results.putOwn(file, own);
  for (const name of ['a', 'b']) results.put(unit(name), made(name));
  results.settle(() => true, true);
  expect(run({ a: 'a1', b: 'b1' }).results.holds(file)).toBe(true);
  const { results: edited } = run({ a: 'a1', b: 'b2' });
  expect(edited.holds(file)).toBe(false);
  expect(['a', 'b'].map((name) => titleIn(edited, name))).toEqual(['a1', undefined]);
});

test.each<[string, boolean]>([
  ['that was not reached', false],
  ['of which no new result was kept', true],
])('The old result of a member %s does not count for the new table.', (_name, isComplete) => {
  const run = runs();
  const before = run({ a: 'a1', b: 'b1' });
  before.results.putOwn(file, before.own);
  for (const name of ['a', 'b']) before.results.put(unit(name), before.made(name));
  before.results.settle(() => true, true);
  const rows = { a: 'a2', b: 'b2' };
  const { results, own, made } = run(rows);
  results.putOwn(file, own);
  results.put(unit('a'), made('a'));
  results.settle(() => true, isComplete);
  const { results: after } = run(rows);
  expect(after.holds(file)).toBe(false);
  expect(['a', 'b'].map((name) => titleIn(after, name))).toEqual(['a2', undefined]);
});

test('An edit to a file that several manifests use is noticed for each of them.', () => {
  const store = factsInMemory()('facts');
  const paths = ['agents/a.yaml', 'agents/b.yaml', 'agents/c.yaml'];
  const base: Input = ['text', 'base.yaml', 'base'];
  for (const path of paths) {
    const inputs: Input[] = [['text', path, 'own'], base];
    store.put(path, new FoundFileFacts(undefined, new Map([[manifestKey, { inputs, value: {} }]])), 1);
  }
  const unchanged = (texts: Readonly<Record<string, string>>) => {
    const results = new KnownResults(store, ([, name, found]) => texts[name] ?? found);
    return paths.filter((path) => results.holds(path));
  };
  expect(unchanged({})).toEqual(paths);
  expect(unchanged({ 'base.yaml': 'edited' })).toEqual([]);
  expect(unchanged({ 'agents/b.yaml': 'edited' })).toEqual(['agents/a.yaml', 'agents/c.yaml']);
});

test('A new result of a manifest is kept, even if the store has no earlier result.', () => {
  const store = factsInMemory()('facts');
  const results = new KnownResults(store, ([, , found]) => found);
  const manifest = { ...unit(manifestKey), file: 'agents/a.yaml' };
  expect(results.holds(manifest.file)).toBe(false);
  results.put(manifest, { inputs: [], value: { title: 'Front desk' } });
  results.settle(() => true, true);
  expect(store.get(manifest.file)?.partOf(0, 'title')).toBe('Front desk');
});
