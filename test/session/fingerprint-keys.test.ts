import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Target } from '../../src/kinds/desired.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { FingerprintKeys } from '../../src/session/fingerprint-keys.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';

let root: string;
let path: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-keys-'));
  path = join(root, '.agentform', 'emulator.key');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function target(baseUrl: string, token: string): Target {
  return { baseUrl, host: baseUrl, token: new Secret(token), query: {}, sensitiveQuery: new Set() };
}

async function idOf(baseUrl: string, token: string, keys = new FingerprintKeys(root)): Promise<string> {
  return (await keys.keyed({ target: target(baseUrl, token) })).target.key.id;
}

async function putKey(text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

describe('the key of a token', () => {
  test('The key of a token is the same in every run and project, and differs by token.', async () => {
    const id = await idOf('https://a.example', 'tok-1');
    expect(await idOf('https://b.example', 'tok-1', new FingerprintKeys('/elsewhere'))).toBe(id);
    expect(await idOf('https://a.example', 'tok-2')).not.toBe(id);
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('A token that the run may not use gives no key, although the process has it.', async () => {
  const keys = new FingerprintKeys(root);
  const named = { ...target('https://a.example', ''), tokenName: 'TOKEN' };
  const keyWith = (...names: string[]) =>
    keys.atHand(named, { env: { TOKEN: 'tok-1' }, allowedSecrets: { names: new Set(names), from: 'a test' } });
  expect(await keyWith('OTHER')).toBeUndefined();
  expect((await keyWith('TOKEN'))?.id).toBe(await idOf('https://a.example', 'tok-1'));
});

describe('the key of the embedded emulator', () => {
  test('The key of the embedded emulator is random, independent of the token, and in a file of its owner.', async () => {
    const id = await idOf('emulator', 'emulator');
    expect(await idOf('emulator', 'tok-1')).toBe(id);
    const { mode, size } = await stat(path);
    expect({ mode: mode & 0o777, size }).toEqual({ mode: 0o600, size: 32 });
    await rm(path);
    expect(await idOf('emulator', 'emulator')).not.toBe(id);
  });

  test('The key of the embedded emulator is created once by any number of concurrent runs.', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => idOf('emulator', 'emulator')));
    expect(new Set(ids).size).toBe(1);
  });

  test.each([
    ['is empty', () => putKey('')],
    ['is too short', () => putKey('short')],
    ['is too long', () => putKey('x'.repeat(33))],
  ])('The key of the embedded emulator is refused with a remedy if the file %s.', async (_what, put) => {
    await put();
    await expect(idOf('emulator', 'emulator')).rejects.toMatchObject({
      code: 'emulator-unusable',
      message: expect.stringContaining(`${path} is not a key made by agentform; delete the file`),
    });
  });

  test('The key of the embedded emulator is read even from a folder that the user cannot write to.', async () => {
    await putKey('x'.repeat(32));
    await chmod(root, 0o755);
    await chmod(dirname(path), 0o555);
    const key = await asOrdinaryUser(() => idOf('emulator', 'emulator'));
    expect(key).toBe(await idOf('emulator', 'emulator'));
    await rm(path);
    await expect(asOrdinaryUser(() => idOf('emulator', 'emulator'))).rejects.toThrow(
      `${path}, cannot be created: permission is denied (EACCES)`,
    );
  });

  test('The key of the embedded emulator is not read from a link, a device or a folder.', async () => {
    await putKey('x'.repeat(32));
    const elsewhere = join(root, 'elsewhere');
    await writeFile(elsewhere, await readFile(path));
    for (const linked of [elsewhere, '/dev/zero', join(root, 'nothing')]) {
      await rm(path);
      await symlink(linked, path);
      await expect(idOf('emulator', 'emulator')).rejects.toMatchObject({ code: 'emulator-unusable' });
    }
    await rm(path);
    await mkdir(path);
    await expect(idOf('emulator', 'emulator')).rejects.toThrow(`${path}, cannot be read: it is a folder`);
    await expect(stat(join(root, 'nothing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
