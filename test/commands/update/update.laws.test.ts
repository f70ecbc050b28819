import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apply } from '../../../src/commands/apply/apply.ts';
import { plan } from '../../../src/commands/plan/plan.ts';
import { update } from '../../../src/commands/update/update.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import type { Host } from '../../../src/session/host.ts';
import { testHost } from '../../support/host.ts';
import { type Remote, startRemote } from '../../support/remote.ts';
import { liveText, type RandomFile, randomFile } from '../../yaml/edit/random-yaml.ts';

let remote: Remote;
let root: string;

beforeAll(async () => {
  remote = await startRemote();
  root = await mkdtemp(join(tmpdir(), 'agentform-update-'));
});
afterAll(async () => {
  await remote.close();
  await rm(root, { recursive: true, force: true });
});

/** Settings that the service returns and that accept any text. */
const settings = [
  'welcomeMessage',
  'agentInstructions',
  'publicInstructions',
  'adminInstructions',
  'agentVoice',
  'agentModel',
];

/** No manifest may contain half of a surrogate pair, so such halves are replaced. */
const encodable = liveText.map((text) => Buffer.from(text).toString());

let runs = 0;

/** Makes a manifest from the random file, with its members as settings. */
function manifestOf({ text }: RandomFile): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const named = settings.reduce(
    (all, name, index) => all.replaceAll(new RegExp(`\\bm${index}\\b(?=: )`, 'g'), name),
    text,
  );
  const head = ['apiVersion: agentform/v1', 'kind: Agent', 'name: desk', 'extends: base.yml'].join(lineEnd);
  return `${head}${lineEnd}${named.replace(/rest: .*/, '# the end')}`;
}

async function newProject(manifest: string): Promise<string> {
  runs += 1;
  const folder = join(root, String(runs));
  await mkdir(join(folder, 'agents'), { recursive: true });
  const environment = `{ baseUrl: "${remote.baseUrl}", token: "\${secret.AGENT_TOKEN}" }`;
  const project = `apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { test: ${environment} }\n`;
  await writeFile(join(folder, 'agentform.yaml'), project);
  await writeFile(
    join(folder, 'agents/base.yml'),
    'apiVersion: agentform/v1\nkind: Agent\nsettings: { title: T, description: d }\n',
  );
  await writeFile(join(folder, 'agents/desk.yaml'), manifest);
  return folder;
}

test('After an update, the plan has no difference, and all other lines are unchanged.', async () => {
  let total = 0;
  await fc.assert(
    fc.asyncProperty(
      randomFile,
      fc.array(fc.option(encodable), { minLength: 6, maxLength: 6 }),
      async (file, texts) => {
        const project = await newProject(manifestOf(file));
        const host = testHost({ AGENT_TOKEN: `token-${runs}` });
        const options = { project, names: ['desk'], concurrency: 4 };
        const { ledger } = await apply(host, {
          ...options,
          decisions: decisionsOf({ new: ['all'] }),
          signal: new AbortController().signal,
          confirm: async () => true,
        });
        const id = ledger.entries[0]?.id ?? '';
        const edits = file.members.flatMap(({ name }, index) =>
          texts[index] == null ? [] : [[settings[index], texts[index], name] as const],
        );
        await remote.dashboard(id, Object.fromEntries(edits));
        const before = await readFile(join(project, 'agents/desk.yaml'), 'utf8');
        const moved = await compared(host, options);
        total += moved.length;
        const result = await update(host, {
          ...options,
          fields: [],
          dryRun: false,
          confirm: async () => false,
        });
        expect(result.resources.flatMap(({ refused }) => refused)).toEqual([]);
        expect(result.resources.flatMap(({ updated }) => updated.map(({ path }) => path))).toEqual(moved);
        expect(await compared(host, options)).toEqual([]);
        const after = await readFile(join(project, 'agents/desk.yaml'), 'utf8');
        expect(linesOfOthers(after, edits)).toEqual(linesOfOthers(before, edits));
      },
    ),
    { numRuns: 20 },
  );
  expect(total).toBeGreaterThan(20);
});

/** Returns the paths of the changes that the plan found by comparing values. */
async function compared(host: Host, options: Parameters<typeof plan>[1]): Promise<string[]> {
  const [resource] = (await plan(host, options)).plan.resources;
  return (resource?.changes ?? []).filter(({ knowledge }) => knowledge === 'compared').map(({ path }) => path);
}

/** Returns all lines of a file that do not belong to the edited settings. */
function linesOfOthers(text: string, edits: readonly (readonly [string | undefined, ...unknown[]])[]): string[] {
  let isEdited = false;
  return text.split('\n').filter((line) => {
    const name = /^ {2}(\w+):(?: |\r|$)/.exec(line)?.[1];
    const isStructure = name !== undefined && settings.includes(name);
    if (isStructure) isEdited = edits.some(([edited]) => edited === name);
    else if (/^(?: {2})?#/.test(line)) isEdited = false;
    return !isEdited && line.trim() !== '';
  });
}

/** A text of ten different lines, and the lines to edit on the service and in the manifest. */
const disjointEdits = fc
  .record({
    places: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 6 }),
    isLive: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    form: fc.constantFrom('file', 'block', 'quoted'),
  })
  .map(({ places, isLive, form }) => {
    const sides: (readonly [place: number, isLive: boolean])[] = places.map((place, at) => [
      place,
      isLive[at] ?? false,
    ]);
    return { form, edits: new Map(sides) };
  });

const lineOf = (place: number, value: string) => `Line ${place} at ${value}: ${'abcdefghij'[place]}`;

function textWith(edits: ReadonlyMap<number, boolean>, { value, sides }: { value: string; sides: readonly boolean[] }) {
  return Array.from({ length: 10 }, (_, place) => {
    const side = edits.get(place);
    const line = lineOf(place, value);
    // The lines between edits keep them apart. Adjacent edits would overlap.
    return `${side !== undefined && sides.includes(side) ? `${line} ${side ? 'live' : 'git'}` : line}\n\nkept ${place}\n`;
  }).join('');
}

function manifestWith(text: string, form: string): Record<string, string> {
  const head = 'apiVersion: agentform/v1\nkind: Agent\nname: desk\nextends: base.yml\nsettings:\n  agentInstructions: ';
  const block = `|\n${text.replace(/^(?=.)/gm, '    ')}`;
  const value = form === 'file' ? '{ file: ../p.md }\n' : form === 'block' ? block : `${JSON.stringify(text)}\n`;
  return { 'agents/desk.yaml': head + value, 'p.md': text };
}

test('After an update of different lines, the manifest has all edits and the plan has no conflict.', async () => {
  await fc.assert(
    fc.asyncProperty(disjointEdits, async ({ form, edits }) => {
      const text = (value: string, ...sides: boolean[]) => textWith(edits, { value, sides });
      const files = (...sides: boolean[]) => manifestWith(text('${var.who}', ...sides), form);
      const project = await newProject('');
      const write = async (all: Record<string, string>) => {
        for (const [name, content] of Object.entries(all)) await writeFile(join(project, name), content);
      };
      await write(files());
      const host = testHost({ AGENT_TOKEN: `token-${runs}`, AGENTFORM_VAR_who: 'Elm' });
      const options = { project, names: ['desk'], concurrency: 4 };
      const applying = {
        ...options,
        decisions: decisionsOf({ new: ['all'] }),
        signal: new AbortController().signal,
        confirm: async () => true,
      };
      const { ledger } = await apply(host, applying);
      await remote.dashboard(ledger.entries[0]?.id ?? '', { agentInstructions: text('Elm', true) });
      await write(files(false));
      const updating = { ...options, fields: [], dryRun: false, confirm: async () => false };
      const { resources } = await update(host, updating);
      expect(resources.flatMap(({ refused }) => refused)).toEqual([]);
      // A line that was edited on the service is copied literally, without its variable.
      const both = text('${var.who}', true, false).replaceAll(/\$\{var\.who\}(?=: . live)/g, 'Elm');
      const [name, expected] = Object.entries(manifestWith(both, form))[form === 'file' ? 1 : 0] ?? [];
      expect(await readFile(join(project, name ?? ''), 'utf8')).toBe(expected);
      const causes = (await plan(host, options)).plan.resources.flatMap(({ changes }) =>
        changes.map(({ cause }) => cause),
      );
      expect(causes).not.toContain('conflict');
      await apply(host, applying);
      expect(await compared(host, options)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});
