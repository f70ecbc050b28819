import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ledgerForm, requireWritable, savedPlanForm, writeOutput } from '../../src/reconcile/output-file.ts';

let folder = '';
const at = (name: string) => join(folder, name);
const planText = JSON.stringify({ formatVersion: 9, digest: 'x', environment: 'local', resources: [] });
const ledgerText = JSON.stringify({ environment: 'local', entries: [] });

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
  ])('%s is written', async (name, before) => {
    const path = at(`${name}.json`);
    if (before !== undefined) await writeFile(path, before);
    await writeOutput(path, savedPlanForm, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  test.each([
    ['a manifest', 'apiVersion: agentform/v1\n', savedPlanForm],
    ['other JSON', '{"resources": []}', savedPlanForm],
    ['a list', '[]', savedPlanForm],
    ['a plan cut short', planText.slice(0, -1), savedPlanForm],
    ['bytes that are no text', '\u0000\u0001', savedPlanForm],
    ['a ledger, for a plan', ledgerText, savedPlanForm],
    ['a plan, for a ledger', planText, ledgerForm],
  ])('that holds %s is kept', async (name, before, form) => {
    const path = at(name);
    await writeFile(path, before);
    const refusal = { code: 'file-taken', exitCode: 3, message: expect.stringMatching(/^\S.* is not overwritten/) };
    await expect(requireWritable(path, form)).rejects.toMatchObject(refusal);
    await expect(writeOutput(path, form, 'new')).rejects.toMatchObject(refusal);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  test('is kept where a link leads to something else, and written through one to a plan', async () => {
    await writeFile(at('target.yaml'), 'kind: Agent\n');
    await symlink(at('target.yaml'), at('to-manifest'));
    await expect(requireWritable(at('to-manifest'), savedPlanForm)).rejects.toMatchObject({ code: 'file-taken' });
    await writeFile(at('target.json'), planText);
    await symlink(at('target.json'), at('to-plan'));
    await writeOutput(at('to-plan'), savedPlanForm, 'new');
    expect(await readFile(at('target.json'), 'utf8')).toBe('new');
  });

  test('that was only looked at is not left behind, and its folders are made', async () => {
    await requireWritable(at('new/folder/plan.json'), savedPlanForm);
    expect(await readdir(at('new/folder'))).toEqual([]);
  });

  test('that is a folder, or lies below a file, is refused in words', async () => {
    await mkdir(at('is-folder'));
    await writeFile(at('is-file'), '');
    const unwritable = (why: string) => ({ code: 'file-unwritable', message: expect.stringContaining(why) });
    await expect(requireWritable(at('is-folder'), ledgerForm)).rejects.toMatchObject(unwritable('it is a folder'));
    await expect(requireWritable(at('is-file/plan.json'), ledgerForm)).rejects.toMatchObject(unwritable('cannot be'));
  });

  test('may be a device', async () => {
    await writeOutput('/dev/null', savedPlanForm, 'new');
  });
});
