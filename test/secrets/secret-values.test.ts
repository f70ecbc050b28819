import { chmodSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { secretValue, textsOfSecret, whyUnset } from '../../src/secrets/secret-values.ts';

const folder = mkdtempSync(join(tmpdir(), 'agentform-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** A process that has only a file with secrets. */
function withFile(text: string | Uint8Array, mode = 0o600): { readonly AGENTFORM_SECRETS_FILE: string } {
  const path = join(folder, `secrets-${count++}`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return { AGENTFORM_SECRETS_FILE: path };
}

const tokens = JSON.stringify({ elm: 'token-of-elm', 'oak.2': 'token-of-oak', empty: '' });

describe('entries of a secret value', () => {
  test('An entry of a secret is a string of the JSON object.', () => {
    const env = { TOKENS: tokens };
    expect(['elm', 'oak.2', 'empty', 'ash'].map((key) => secretValue(env, `TOKENS[${key}]`))).toEqual([
      'token-of-elm',
      'token-of-oak',
      undefined,
      undefined,
    ]);
    expect(secretValue(env, 'TOKENS')).toBe(tokens);
    expect(textsOfSecret(env, 'TOKENS')).toEqual([tokens, 'token-of-elm', 'token-of-oak', '']);
  });

  test.each([
    ['ash', tokens, 'TOKENS[ash] is not set'],
    ['elm', '', 'TOKENS is unset or empty'],
    ['elm', 'no JSON', 'TOKENS is not a JSON object of strings'],
    ['elm', '["a"]', 'TOKENS is not a JSON object of strings'],
    ['elm', '{"elm":1}', 'TOKENS is not a JSON object of strings'],
    ['elm', 'null', 'TOKENS is not a JSON object of strings'],
    ['__proto__', tokens, 'TOKENS[__proto__] is not set'],
  ])('The entry %s of %s has no value, with the reason.', (key, value, why) => {
    expect(secretValue({ TOKENS: value }, `TOKENS[${key}]`)).toBeUndefined();
    expect(whyUnset({ TOKENS: value }, `TOKENS[${key}]`)).toBe(why);
  });
});

describe('a file with secrets', () => {
  test.each([
    ['JSON', '{ "A": "secret-a", "TOKENS": { "elm": "token-of-elm" } }'],
    ['lines', '# from the vault\nA="secret-a"\nexport TOKENS=\'{"elm":"token-of-elm"}\'\n'],
  ])('A file with secrets is %s.', (_form, text) => {
    const env = withFile(text);
    expect([secretValue(env, 'A'), secretValue(env, 'TOKENS[elm]'), secretValue(env, 'B')]).toEqual([
      'secret-a',
      'token-of-elm',
      undefined,
    ]);
  });

  test('A process variable wins over a file with secrets, which provides no other variable.', () => {
    const env = { ...withFile('A=file\nAGENTFORM_VAR_x=file'), A: 'process' };
    expect([secretValue(env, 'A'), env].map(String)).toEqual(['process', '[object Object]']);
    expect(Object.keys(env)).toEqual(['AGENTFORM_SECRETS_FILE', 'A']);
  });

  test.each([
    ['others may read it', () => withFile('A=b', 0o644), 'other users can read or change it; run `chmod 600` on it'],
    ['its group may write it', () => withFile('A=b', 0o620), 'other users can read or change it'],
    ['it is JSON of a number', () => withFile('{"A": 5}'), 'A in it is neither a string nor an object of strings'],
    ['it is broken JSON', () => withFile('{"A": "secret-a"'), 'it is neither a JSON object nor lines of NAME=value'],
    ['it has a strange name', () => withFile('{"A-b": "secret-a"}'), 'names in it may only contain letters'],
    ['it is no text', () => withFile(new Uint8Array([0xff, 0xfe])), 'it is not UTF-8 text'],
    ['it is not there', () => ({ AGENTFORM_SECRETS_FILE: join(folder, 'none') }), 'the file does not exist'],
    ['it is a folder', () => ({ AGENTFORM_SECRETS_FILE: folder }), 'it is not a regular file'],
  ])('A file with secrets is refused if %s.', (_case, env, why) => {
    const failure = `the file that AGENTFORM_SECRETS_FILE names cannot be used: `;
    expect(() => secretValue(env(), 'A')).toThrow(failure);
    expect(() => secretValue(env(), 'A')).toThrow(why);
    expect(() => secretValue(env(), 'A')).not.toThrow('secret-a');
  });

  test('A file with secrets is refused if it is a link or too large.', () => {
    const { AGENTFORM_SECRETS_FILE: path } = withFile('A=b');
    symlinkSync(path, join(folder, 'link'));
    expect(() => secretValue({ AGENTFORM_SECRETS_FILE: join(folder, 'link') }, 'A')).toThrow('it is a symbolic link');
    truncateSync(path, 8 * 1024 * 1024 + 1);
    expect(() => secretValue({ AGENTFORM_SECRETS_FILE: path }, 'A')).toThrow('it is larger than 8 MiB');
  });
});
