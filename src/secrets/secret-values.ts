import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { AgentformError, reasonOf } from '../errors.ts';
import { entryOf, referenceName } from './secret.ts';

// Secrets come from process variables or from the file that AGENTFORM_SECRETS_FILE names. A secret that is a JSON
// object of texts has entries, each of which is a separate secret.

type Env = Readonly<Record<string, string | undefined>>;

/** Entries by name, or the reason why there are none. The reason completes a sentence. */
type Entries = ReadonlyMap<string, string> | string;

const maxBytes = 8 * 1024 * 1024;

/**
 * Reads the value of `NAME` or `NAME[entry]`. Returns undefined if the secret is unset or empty. Throws `usage` if the
 * secrets file is unusable.
 */
export function secretValue(env: Env, name: string): string | undefined {
  const entry = entryOf(name);
  if (entry === undefined) return envValue(env, name);
  const entries = entriesOf(env, entry.of);
  return typeof entries === 'string' ? undefined : entries.get(entry.key) || undefined;
}

/** Explains why a secret has no value. The text completes a sentence. */
export function whyUnset(env: Env, name: string): string {
  const entry = entryOf(name);
  if (entry === undefined) return `the process variable ${name} is unset or empty`;
  const entries = entriesOf(env, entry.of);
  return typeof entries === 'string' ? entries : `${name} is not set`;
}

/** Returns the texts to hide for a secret. These are its value and, if it is an object, each of its entries. */
export function textsOfSecret(env: Env, name: string): string[] {
  const entries = entriesOf(env, name);
  const value = envValue(env, name);
  return [...(value === undefined ? [] : [value]), ...(typeof entries === 'string' ? [] : entries.values())];
}

/** Returns the names of the secrets in the secrets file. Throws `usage` if the file is unusable. */
export function namesInFile(env: Env): string[] {
  return [...(secretsInFile(env)?.keys() ?? [])];
}

function envValue(env: Env, name: string): string | undefined {
  return env[name] || secretsInFile(env)?.get(name) || undefined;
}

/** Parsed objects by secret name, cached because a run may read many entries of one object. */
const parsedObjects = new Map<string, { readonly value: string | undefined; readonly entries: Entries }>();

function entriesOf(env: Env, name: string): Entries {
  const value = envValue(env, name);
  const known = parsedObjects.get(name);
  if (known !== undefined && known.value === value) return known.entries;
  const entries = parsedEntries(name, value);
  parsedObjects.set(name, { value, entries });
  return entries;
}

function parsedEntries(name: string, value: string | undefined): Entries {
  if (value === undefined) return `${name} is unset or empty`;
  const parsed = value.length > maxBytes ? undefined : jsonOf(value);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const entries = isObject ? Object.entries(parsed) : [];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (!isObject || texts.length < entries.length) return `${name} is not a JSON object of strings`;
  return new Map(texts);
}

/** Parses JSON. Returns undefined instead of throwing, because the error message would quote the text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const readFiles = new WeakMap<Env, { readonly path: string; readonly secrets: ReadonlyMap<string, string> }>();

/** Reads the secrets file, at most once for the same variables and path. */
function secretsInFile(env: Env): ReadonlyMap<string, string> | undefined {
  const { AGENTFORM_SECRETS_FILE: path } = env;
  if (!path) return undefined;
  const known = readFiles.get(env);
  if (known?.path === path) return known.secrets;
  const secrets = parsedSecrets(readPrivate(path));
  readFiles.set(env, { path, secrets });
  return secrets;
}

/**
 * Reads the secrets file. Checks the file after opening it, so that the file cannot be replaced between the check and
 * the read.
 */
function readPrivate(path: string): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const isLink = cause instanceof Error && 'code' in cause && cause.code === 'ELOOP';
    throw unusable(isLink ? 'it is a symbolic link' : reasonOf(cause));
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw unusable('it is not a regular file');
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      throw unusable('other users can read or change it; run `chmod 600` on it');
    }
    if (stats.size > maxBytes) throw unusable(`it is larger than ${maxBytes / 1024 / 1024} MiB`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    throw cause instanceof AgentformError ? cause : unusable('it is not UTF-8 text');
  } finally {
    closeSync(file);
  }
}

const wholeName = new RegExp(`^${referenceName}$`);

/**
 * Parses a file of secrets: JSON, or lines such as `NAME="value"`. In JSON, a value may be an object of strings, which
 * is a secret with entries.
 */
function parsedSecrets(text: string): ReadonlyMap<string, string> {
  const isJson = text.trimStart().startsWith('{');
  const found: unknown = isJson ? jsonOf(text) : parseEnv(text);
  if (typeof found !== 'object' || found === null)
    throw unusable('it is neither a JSON object nor lines of NAME=value');
  return new Map(
    Object.entries(found).map(([name, value]): [string, string] => {
      if (!wholeName.test(name)) throw unusable('names in it may only contain letters, digits and underscores');
      if (typeof value === 'string') return [name, value];
      if (typeof value !== 'object' || value === null)
        throw unusable(`${name} in it is neither a string nor an object of strings`);
      return [name, JSON.stringify(value)];
    }),
  );
}

function unusable(why: string): AgentformError {
  return new AgentformError('usage', `the file that AGENTFORM_SECRETS_FILE names cannot be used: ${why}`);
}
