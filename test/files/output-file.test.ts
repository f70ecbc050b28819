import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ledgerSignature,
  readLines,
  requireWritable,
  savedPlanSignature,
  writeOutput,
} from '../../src/files/output-file.ts';

let folder = '';
const at = (name: string) => join(folder, name);
const planText = JSON.stringify({ formatVersion: 9, digest: 'x', environment: 'local', resources: [] });
const ledgerText = JSON.stringify({ formatVersion: 1, environment: 'local', entries: [] });
const severalText = JSON.stringify({
  environments: [
    { environment: 'local', entries: [] },
    { environment: 'staging', error: { message: 'no token' } },
    { environment: 'production', notAttempted: true },
  ],
});
const plansText = JSON.stringify({ environments: [JSON.parse(planText)] });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-output-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an output file', () => {
  test.each([
    ['that is absent', undefined],
    ['that is empty', ''],
    ['that holds blanks', ' \n'],
    ['that is a saved plan, even a newer one', planText],
    ['that is a ledger', ledgerText, ledgerSignature],
    ['that is the ledger of several environments', severalText, ledgerSignature],
  ])('An output file %s is written.', async (name, before, form = savedPlanSignature) => {
    const path = at(`${name}.json`);
    if (before !== undefined) await writeFile(path, before);
    await writeOutput(path, form, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  test.each([
    ['a manifest', 'apiVersion: agentform/v1\n', savedPlanSignature],
    ['other JSON', '{"resources": []}', savedPlanSignature],
    ['a list', '[]', savedPlanSignature],
    ['a plan cut short', planText.slice(0, -1), savedPlanSignature],
    ['bytes that are no text', '\u0000\u0001', savedPlanSignature],
    ['a ledger, for a plan', ledgerText, savedPlanSignature],
    ['a plan, for a ledger', planText, ledgerSignature],
    ['plans of several environments, for a ledger', plansText, ledgerSignature],
  ])('An output file that contains %s is kept.', async (name, before, form) => {
    const path = at(name);
    await writeFile(path, before);
    const refusal = {
      code: 'file-taken',
      exitCode: 3,
      message: expect.stringMatching(/^\S.* already exists and is not /),
    };
    await expect(requireWritable(path, form)).rejects.toMatchObject(refusal);
    await expect(writeOutput(path, form, 'new')).rejects.toMatchObject(refusal);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  test('An output file behind a link is written if it is a plan, and otherwise kept.', async () => {
    await writeFile(at('target.yaml'), 'kind: Agent\n');
    await symlink(at('target.yaml'), at('to-manifest'));
    await expect(requireWritable(at('to-manifest'), savedPlanSignature)).rejects.toMatchObject({ code: 'file-taken' });
    await writeFile(at('target.json'), planText);
    await symlink(at('target.json'), at('to-plan'));
    await writeOutput(at('to-plan'), savedPlanSignature, 'new');
    expect(await readFile(at('target.json'), 'utf8')).toBe('new');
  });

  test('An output file replaces a dangling link.', async () => {
    await symlink(at('elsewhere.json'), at('dangling.json'));
    await requireWritable(at('dangling.json'), savedPlanSignature);
    expect((await lstat(at('dangling.json'))).isSymbolicLink()).toBe(true);
    await writeOutput(at('dangling.json'), savedPlanSignature, 'new');
    expect((await lstat(at('dangling.json'))).isFile()).toBe(true);
    expect(await readFile(at('dangling.json'), 'utf8')).toBe('new');
    await expect(lstat(at('elsewhere.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('An output file with a plan is readable by its owner only, but a ledger keeps its mode.', async () => {
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    await writeOutput(at('own.json'), savedPlanSignature, planText);
    expect(await modeOf(at('own.json'))).toBe(0o600);
    await writeFile(at('open.json'), planText);
    await chmod(at('open.json'), 0o644);
    await writeOutput(at('open.json'), savedPlanSignature, planText);
    expect(await modeOf(at('open.json'))).toBe(0o600);
    await writeFile(at('ledger.json'), ledgerText);
    await chmod(at('ledger.json'), 0o640);
    await writeOutput(at('ledger.json'), ledgerSignature, ledgerText);
    expect(await modeOf(at('ledger.json'))).toBe(0o640);
  });

  test('A reader that has the old output file open still sees all of it.', async () => {
    await writeFile(at('read.json'), planText);
    const reader = await open(at('read.json'));
    await writeOutput(at('read.json'), savedPlanSignature, 'new');
    expect(await reader.readFile('utf8')).toBe(planText);
    await reader.close();
  });

  test('A check of an output file creates no file, and no folder for a mistyped path.', async () => {
    await mkdir(at('folder'));
    await requireWritable(at('folder/plan.json'), savedPlanSignature);
    expect(await readdir(at('folder'))).toEqual([]);
    await expect(requireWritable(at('foldre/plan.json'), savedPlanSignature)).rejects.toMatchObject({
      code: 'file-unwritable',
      message: expect.stringContaining(`the folder ${at('foldre')} does not exist`),
    });
    await expect(readdir(at('foldre'))).rejects.toThrow('ENOENT');
  });

  test('An output path that is a folder, or below a file, is refused with a sentence.', async () => {
    await mkdir(at('is-folder'));
    await writeFile(at('is-file'), '');
    const unwritable = (why: string) => ({ code: 'file-unwritable', message: expect.stringContaining(why) });
    await expect(requireWritable(at('is-folder'), ledgerSignature)).rejects.toMatchObject(unwritable('it is a folder'));
    await expect(requireWritable(at('is-file/plan.json'), ledgerSignature)).rejects.toMatchObject(
      unwritable('cannot be'),
    );
  });

  const large = ' '.repeat(2 ** 20);
  test.each([
    ['a plan', `{\n  "formatVersion": 1,\n  "environment": "local",\n  "digest": "x",${large}`, savedPlanSignature],
    [
      'a plan since a commit',
      `{\n  "formatVersion": 1,\n  "environment": "local",\n  "changedSince": {\n    "ref": "x"\n  },\n  "digest": "x",${large}`,
      savedPlanSignature,
    ],
    ['a ledger', `{"formatVersion": 1, "environment": "local", "entries": [${large}`, ledgerSignature],
    [
      'a ledger of several',
      `{"formatVersion": 1, "environments": [{"formatVersion": 1, "environment": "local", "error": {${large}`,
      ledgerSignature,
    ],
  ])('A large output file is written if it begins as %s.', async (name, before, form) => {
    const path = at(`large ${name}.json`);
    await writeFile(path, before);
    await writeOutput(path, form, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  test.each([
    ['text', `apiVersion: agentform/v1\n${large}`, savedPlanSignature],
    ['a plan, for a ledger', `{"formatVersion": 1, "environment": "local", "digest": "x"${large}`, ledgerSignature],
    [
      'a list of environments',
      `{"formatVersion": 1, "environments": [{"environment": "local", "name": "x"${large}`,
      ledgerSignature,
    ],
    ['nothing', `${large} apiVersion: agentform/v1\n`, savedPlanSignature],
    [
      'a report of drift',
      `{\n  "formatVersion": 1,\n  "environment": "local",\n  "agents": {\n    "digest": "x"${large}`,
      savedPlanSignature,
    ],
    ['a plan inside', `[{"formatVersion": 1, "environment": "local"${large}`, savedPlanSignature],
  ])('A large output file is kept if it begins as %s.', async (name, before, form) => {
    const path = at(`large ${name}`);
    await writeFile(path, before);
    await expect(writeOutput(path, form, 'new')).rejects.toMatchObject({ code: 'file-taken' });
    expect((await readFile(path, 'utf8')).length).toBe(before.length);
  });

  test('An output file may be a device.', async () => {
    await writeOutput('/dev/null', savedPlanSignature, 'new');
  });

  test('An output file that is a socket is refused before other work.', async () => {
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    await expect(requireWritable(at('socket'), ledgerSignature)).rejects.toMatchObject({ code: 'file-unwritable' });
    server.close();
  });

  test('An output file may be a pipe, which the check does not end.', async () => {
    await promisify(execFile)('mkfifo', [at('pipe')]);
    const reading = readFile(at('pipe'), 'utf8');
    await requireWritable(at('pipe'), savedPlanSignature);
    await writeOutput(at('pipe'), savedPlanSignature, planText);
    expect(await reading).toBe(planText);
  });
});

test('The limit of a line counts bytes, without the line feed.', async () => {
  const linesOf = async (text: string) => {
    await writeFile(at('lines'), text);
    const lines: string[] = [];
    for await (const line of readLines(at('lines'), 8)) lines.push(line);
    return lines;
  };
  expect(await linesOf('12345678\néééé\n')).toEqual(['12345678', 'éééé', '']);
  await expect(linesOf('12345678\nééééé\n')).rejects.toThrow('line 2 is too long');
});
