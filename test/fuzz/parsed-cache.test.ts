import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadProject } from '../../src/manifest/project/load-project.ts';
import { resolveProject } from '../../src/manifest/resolve/resolve-project.ts';
import { shownProblems } from '../../src/yaml/problem.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { manyManifests } from '../support/many-manifests.ts';

let folder: string;
let root: string;
let expected: string;
let pack: { readonly path: string; readonly bytes: Buffer };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-cache-'));
  root = await manyManifests();
  expected = await outcome(undefined);
  expect(await outcome(folder)).toBe(expected);
  expect(await outcome(folder)).toBe(expected);
  const [name = ''] = await readdir(folder);
  const path = join(folder, name);
  pack = { path, bytes: await readFile(path) };
});
afterAll(() => Promise.all([folder, root].map((path) => rm(path, { recursive: true }))));

/** All that a command could tell of the manifests, places included. */
async function outcome(cache: string | undefined): Promise<string> {
  const project = await loadProject(root, cache === undefined ? {} : { cache: { folder: cache, build: 'a' } });
  const found = await resolveProject(project, { environment: 'production', secrets: 'form', env: {} });
  const places = found.desired.map(({ kind, name }) => {
    const address = `${kind}/${name}`;
    const paths = [
      ['settings', 'title'],
      ['skills', 'calendar', 'instructions'],
      ['settings', 'links'],
    ];
    return [
      found.declaredOf(address),
      found.outlineOf(address),
      paths.map((path) => [found.provenanceOf(address, path), found.writtenAt(address, path)]),
    ];
  });
  const frames = project.manifests.map((path) => project.sourceOf(path));
  const { all, desired, elsewhere } = found;
  return JSON.stringify([shownProblems(found.problems), all, desired, elsewhere, places, frames]);
}

type Damage = (bytes: Buffer) => Buffer;

const anywhere = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const truncated = anywhere.map(
  (at): Damage =>
    (bytes) =>
      bytes.subarray(0, Math.floor(at * bytes.length)),
);

const flipped = fc.tuple(anywhere, fc.nat(7)).map(
  ([at, bit]): Damage =>
    (bytes) => {
      const damaged = Buffer.from(bytes);
      const index = Math.floor(at * bytes.length);
      damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
      return damaged;
    },
);

/** One stretch over another. */
const copied = fc.tuple(anywhere, anywhere, fc.nat(4_000)).map(
  ([from, to, length]): Damage =>
    (bytes) => {
      const damaged = Buffer.from(bytes);
      const start = Math.floor(from * bytes.length);
      bytes.copy(damaged, Math.floor(to * bytes.length), start, Math.min(bytes.length, start + length));
      return damaged;
    },
);

/** Two entries with each other's keys, lengths or checksums; nothing else was damaged before. */
const swapped = fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(0, 1, 2)).map(
  ([one, other, what]): Damage =>
    () => {
      const { bytes } = pack;
      const end = bytes.indexOf('\n');
      const [format, ...rows] = JSON.parse(bytes.subarray(0, end).toString());
      const [first, second] = [rows[one % rows.length], rows[other % rows.length]];
      [first[what], second[what]] = [second[what], first[what]];
      return Buffer.concat([Buffer.from(JSON.stringify([format, ...rows])), bytes.subarray(end)]);
    },
);

const replaced = fc
  .oneof(fc.string(), fc.json(), fc.constant('["agentform-pack-1",["x",-5,"y"],["x",1e9,"y"]]\nabc'))
  .map(
    (text): Damage =>
      () =>
        Buffer.from(text),
  );

test(
  'a damaged cache changes nothing of what is said of the manifests',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(truncated, flipped, copied, swapped, replaced), { minLength: 1, maxLength: 3 }),
        async (damages) => {
          await writeFile(
            pack.path,
            damages.reduce((bytes, damage) => damage(bytes), pack.bytes),
          );
          expect(await outcome(folder)).toBe(expected);
        },
      ),
      fuzzing<[Damage[]]>(40),
    ),
  fuzzTimeout,
);
