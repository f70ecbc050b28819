import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { UserCache } from '../../src/workspace/user-cache.ts';
import { edited, edits, startingFiles } from '../session/base/random-edits.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { everyInput, Folder, learnt, type Surroundings } from './project.ts';

let folder: Folder;
let cacheFolder: string;

beforeEach(async () => {
  folder = await Folder.make();
  cacheFolder = `${folder.root}-cache/agentform`;
  // Makes files look old, because recently written files are always read.
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all([folder.remove(), rm(`${folder.root}-cache`, { recursive: true, force: true })]);
});

/** A cache that has not been opened yet, as in a new process. */
function cache(build = 'a'): UserCache {
  return new UserCache(cacheFolder, build);
}

/** Damages each file: replaces a byte, cuts the file, or swaps files. */
async function damage(place: number): Promise<void> {
  const names = (await readdir(cacheFolder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(cacheFolder, name))));
  for (const [index, name] of names.entries()) {
    const bytes = texts[place > 0.9 ? (index + 1) % names.length : index] ?? Buffer.alloc(0);
    const at = Math.floor(bytes.length * place);
    if (place <= 0.9) bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(join(cacheFolder, name), place > 0.6 && place <= 0.9 ? bytes.subarray(0, at) : bytes);
  }
}

const ownEdits: readonly (readonly [path: string, change: (text: string) => string])[] = [
  ['clients.csv', (text) => text.replace(',2', ',3')],
  ['clients.csv', (text) => text.replace('fir,', 'ash,Ash,15,4\nfir,')],
  ['clients.csv', (text) => text.replace('13,', '13,9')],
  ['templates/agent.yaml', (text) => text.replace('title', 'agentVoice')],
  ['overrides/oak.yaml', (text) => text.replace('Oak Dental', 'Oak ${var.street}')],
  ['overrides/elm.yaml', () => 'apiVersion: agentform/v1\nkind: Agent\nsettings: { title: E, token: x }\n'],
  ['prompts/a.md', (text) => `${text}Call 312 555 0142.\n`],
  ['prompts/hours.md', () => 'Nine to five.\n'],
  ['shared/base.yaml', (text) => `# Another line.\n${text}`],
  ['agents/clinic.yaml', (text) => text.replace('name: clinic\n', 'name: clinic\nonlyIn: [staging]\n')],
  ['agents/a.yaml', (text) => text.replace('name: a', 'token: hunter2-hunter2\nname: a')],
  ['agents/a.yaml', (text) => text.replace('title: A', 'title: "${secret.NOTHING}"')],
  ['agents/new.yaml', (text) => `${text}kind: Agent\n`],
];

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('file' as const), which: fc.nat(ownEdits.length - 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), edit: edits }) },
  fc.record({
    kind: fc.constant('variable' as const),
    name: fc.constantFrom('AGENTFORM_VAR_street', 'AGENTFORM_VAR_stret', 'AGENTFORM_VAR_strett', 'TOKEN', 'CODE'),
    value: fc.constantFrom('', 'Oak Street', ' with blanks around it ', '12'),
  }),
  fc.record({ kind: fc.constant('damage' as const), place: fc.nat(1000) }),
  fc.constant({ kind: 'program' as const }),
);

test(
  'A resolution is the same with and without a cache, whatever was edited, damaged or swapped since.',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
        let surroundings: Surroundings = { ...everyInput, files: { ...startingFiles, ...everyInput.files } };
        let build = 'a';
        await folder.write(surroundings);
        await learnt(folder, surroundings.env, cache());
        for (const one of steps) {
          const { files, env } = surroundings;
          if (one.kind === 'variable') surroundings = { ...surroundings, env: { ...env, [one.name]: one.value } };
          if (one.kind === 'edit') surroundings = { ...surroundings, files: edited(files, one.edit) };
          if (one.kind === 'program') build = build === 'a' ? 'b' : 'a';
          if (one.kind === 'damage') await damage(one.place / 1000);
          if (one.kind === 'file') {
            const [path, change] = ownEdits[one.which] ?? ['', String];
            surroundings = { ...surroundings, files: { ...files, [path]: change(files[path] ?? '') } };
          }
          await folder.write(surroundings);
          const warm = await learnt(folder, surroundings.env, cache(build), true);
          expect(warm).toEqual(await learnt(folder, surroundings.env, undefined, true));
        }
      }),
      fuzzing(8),
    );
  },
  fuzzTimeout,
);
