import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { validate } from '../../src/commands/validate/validate.ts';
import { AgentformError } from '../../src/errors.ts';
import { problemsOfFailure } from '../../src/report/problems/error-text.ts';
import { problemsJson } from '../../src/report/problems/machine.ts';
import type { Problems } from '../../src/schemas/problems-types.ts';
import { joined } from '../../src/text/lines.ts';
import { LspClient } from '../support/lsp-client.ts';
import { manyManifests } from '../support/many-manifests.ts';
import { everyInput, Folder } from '../workspace/project.ts';

const examples = resolve(import.meta.dirname, '../../examples');
/** The number of edits for each project. */
const edits = Number(process.env.LSP_EDITS ?? 150);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-edits-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('diagnostics after random edits', () => {
  test.each(['clinic', 'reseller', 'agency'])(
    'The diagnostics of the example %s equal the problems of validate after each of many edits.',
    async (name) => {
      await cp(join(examples, name), join(folder, 'open'), { recursive: true });
      await editAtRandom(folder, seeded(name.length * 7919));
    },
  );

  test('The diagnostics of a project with every kind of input equal the problems of validate.', async () => {
    const every = await Folder.make();
    await every.write({ ...everyInput, env: {} });
    await cp(every.root, join(folder, 'open'), { recursive: true, verbatimSymlinks: true });
    await every.remove();
    await editAtRandom(folder, seeded(4711));
  });

  test('The diagnostics of many manifests equal the problems of validate, even if edits interrupt a check.', async () => {
    const many = await manyManifests(120);
    await rename(many, join(folder, 'open'));
    const isEdited = (path: string) => /^agentform|^shared|agent-1?[0-9]\.yaml$/.test(path);
    await editAtRandom(folder, seeded(1871), { rounds: Math.ceil(edits / 10), together: 3, isEdited });
  });
});

interface Editing {
  readonly rounds?: number;
  /** The number of edits without a pause between them. */
  readonly together?: number;
  readonly isEdited?: (path: string) => boolean;
}

async function editAtRandom(
  top: string,
  random: () => number,
  { rounds = edits, together = 1, isEdited = () => true }: Editing = {},
): Promise<void> {
  const [open, copy] = [join(top, 'open'), join(top, 'copy')];
  await cp(open, copy, { recursive: true, verbatimSymlinks: true });
  const client = await LspClient.inProcess(open);
  await client.settled();
  const texts = await textsOf(open);
  const paths = [...texts.keys()].filter(isEdited);
  const shown = new Set<string>();
  const editOne = async (): Promise<string> => {
    const path = paths[Math.floor(random() * paths.length)] ?? '';
    const before = texts.get(path) ?? '';
    // Sometimes restores the original file, so that earlier mistakes do not hide all later mistakes.
    const text = random() < 0.3 ? await readFile(join(open, path), 'utf8').catch(() => before) : edited(before, random);
    texts.set(path, text);
    if (!shown.has(path)) {
      client.open(path, text);
      shown.add(path);
    } else if (random() < 0.1) {
      client.close(path);
      shown.delete(path);
      await client.write(path, text);
    } else client.edit(path, text);
    await writeFile(join(copy, path), text);
    return path;
  };
  for (let count = 0; count < rounds; count += 1) {
    const changed: string[] = [];
    for (let left = together; left > 0; left -= 1) changed.push(await editOne());
    await client.settled();
    const wanted = await reported(copy);
    expect({ count, changed, found: foundBy(client) }).toEqual({ count, changed, found: wanted });
  }
  await client.request('shutdown', null);
}

/** Returns the problems of each file, with one line for each problem. */
async function reported(root: string): Promise<string[]> {
  const found = await validate({ env: {}, now: () => new Date() }, { project: root }).catch((error: unknown) => {
    if (error instanceof AgentformError) return problemsOfFailure(error);
    throw error;
  });
  const { problems }: Problems = JSON.parse(joined(problemsJson(found, { root, sourceOf: found.sourceOf })));
  return problems
    .map(
      ({ file = 'agentform.yaml', line = 1, column = 1, endLine = 1, endColumn = 1, level, code, message, related }) =>
        JSON.stringify([
          ...[file, line, column, endLine, endColumn, level, code, message],
          related.map((one) => [one.file, one.line, one.column, one.message]),
        ]),
    )
    .sort();
}

function foundBy(client: LspClient): string[] {
  return [...client.published]
    .flatMap(([file, diagnostics]) =>
      diagnostics.map(({ range: { start, end }, severity, code, message, relatedInformation = [] }) =>
        JSON.stringify([
          ...[file, start.line + 1, start.character + 1, end.line + 1, end.character + 1],
          ...[severity === 1 ? 'error' : 'warning', code, message],
          relatedInformation.map(({ location, message: text }) => [
            ...[client.pathOf(location.uri), location.range.start.line + 1],
            ...[location.range.start.character + 1, text],
          ]),
        ]),
      ),
    )
    .sort();
}

async function textsOf(root: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (/\.(ya?ml|md|txt|csv)$/.test(path) && !path.startsWith('.'))
      texts.set(path, await readFile(join(root, path), 'utf8'));
  }
  return texts;
}

/** A random edit: one that people make, or random characters. */
function edited(text: string, random: () => number): string {
  const at = Math.floor(random() * (text.length + 1));
  const lines = text.split('\n');
  const line = Math.floor(random() * lines.length);
  const edits: ReadonlyArray<() => string> = [
    () => text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 5)),
    () =>
      text.slice(0, at) +
      pick(['x', ':', '"', '{', '}', ' - ', '\n', '${var.x}', '😀', '\t', '#', '${'], random) +
      text.slice(at),
    () => lines.toSpliced(line, 1).join('\n'),
    () => lines.toSpliced(line, 0, lines[line] ?? '').join('\n'),
    () => lines.toSpliced(line, 1, `  ${lines[line] ?? ''}`).join('\n'),
    () => text.replaceAll('\n', '\r\n').replaceAll('\r\r', '\r'),
    () => text.replace(/\$\{var\.(\w)/, '${var.$1$1'),
    () => text.replace(/\.\.\//, './'),
    () => text.slice(0, at),
    () => '',
  ];
  return pick(edits, random)();
}

function pick<T>(items: readonly T[], random: () => number): T {
  const found = items[Math.floor(random() * items.length)];
  if (found === undefined) throw new Error('there is none');
  return found;
}

/** Makes a generator of numbers from 0 to 1. Equal seeds give equal numbers. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
