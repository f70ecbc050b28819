import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { AgentformError, errorCodeOf, reasonOf } from '../errors.ts';
import { readPlainBytes } from '../files/plain-file.ts';
import { createFile, makeFolder } from '../files/whole-file.ts';
import { cached } from '../json/json.ts';
import { addressOf, isEmbedded, type KeyedTarget, type Target } from '../kinds/desired.ts';
import type { Resolution, Selected } from '../manifest/resolve/resolution.ts';
import { type FingerprintKey, fingerprintKey, keyLength, keyOfToken } from '../secrets/fingerprint.ts';
import { isAllowed, Secret } from '../secrets/secret.ts';
import { secretValue } from '../secrets/secret-values.ts';
import type { Host } from './host.ts';

/** The path of the embedded emulator's key in the project folder. */
const keyFile = join('.agentform', 'emulator.key');
/** The maximum size of this file, in bytes. Any size other than that of a key is an error. */
const maxFileBytes = 1024 * 1024;

/** A value whose target includes its fingerprint key. */
type Keyed<Part extends { readonly target: Target }> = Omit<Part, 'target'> & { readonly target: KeyedTarget };

/**
 * Finds and caches fingerprint keys. A key is derived from the target's token. For the embedded emulator, it is read
 * from a key file.
 */
export class FingerprintKeys {
  readonly #root: string;
  readonly #keys = new Map<string, Promise<FingerprintKey>>();

  /** `root` is the project folder, which contains the emulator's key file. */
  constructor(root: string) {
    this.#root = root;
  }

  async keyed<Part extends { readonly target: Target }>(part: Part): Promise<Keyed<Part>> {
    const { target } = part;
    const name = isEmbedded(target) ? '' : target.token.reveal();
    const key = cached(this.#keys, name, () =>
      isEmbedded(target) ? keyOfEmulator(join(this.#root, keyFile)) : keyOfToken(target.token),
    );
    return { ...part, target: { ...target, key: await key } };
  }

  /**
   * Returns the key of a target whose secrets are known only by name. Returns undefined if the process lacks the token
   * or must not use it.
   */
  async atHand(
    target: Target,
    { env, allowedSecrets }: Pick<Host, 'env' | 'allowedSecrets'>,
  ): Promise<FingerprintKey | undefined> {
    const { tokenName } = target;
    if (tokenName === undefined || isEmbedded(target)) return (await this.keyed({ target })).target.key;
    const token = isAllowed(allowedSecrets, tokenName) ? secretValue(env, tokenName) : undefined;
    if (token === undefined) return undefined;
    return (await this.keyed({ target: { ...target, token: new Secret(token) } })).target.key;
  }

  /**
   * Makes a function that finds the key of a manifest whose secrets are known only by name. The function returns
   * undefined if there is no such manifest, or if the process lacks its token.
   */
  finder({ selected }: Pick<Resolution, 'selected'>, host: Pick<Host, 'env' | 'allowedSecrets'>) {
    const targets = new Map(selected.map((one) => [addressOf(one), one.target]));
    return async (address: string): Promise<FingerprintKey | undefined> => {
      const target = targets.get(address);
      return target && this.atHand(target, host);
    };
  }

  /** Adds fingerprint keys to the selected resources of a resolution. */
  async resolution(resolution: Resolution): Promise<KeyedResolution> {
    return { ...resolution, selected: await Promise.all(resolution.selected.map((one) => this.keyed(one))) };
  }
}

export type SelectedResource = Keyed<Selected>;

/** A resolution whose selected resources have fingerprint keys in their targets. */
export interface KeyedResolution extends Resolution {
  readonly selected: readonly SelectedResource[];
}

/** Adds a fixed key for comparing manifests offline. Needs no token, because secrets remain references. */
export async function keyedOffline(resolution: Resolution): Promise<KeyedResolution> {
  const key = await keyOfToken(new Secret('offline'));
  return { ...resolution, selected: resolution.selected.map((one) => ({ ...one, target: { ...one.target, key } })) };
}

/**
 * Reads or creates the emulator's key. The emulator accepts any token, so its key is random and never leaves the
 * machine. Throws `emulator-unusable` if the file cannot be read or is not a key.
 */
async function keyOfEmulator(path: string): Promise<FingerprintKey> {
  let step = 'read';
  try {
    const read = () => readPlainBytes(path, maxFileBytes)?.bytes;
    let bytes = read();
    if (bytes === undefined) {
      step = 'created';
      await createKeyFile(path);
      bytes = read();
    }
    if (bytes?.length === keyLength) return fingerprintKey(bytes);
  } catch (cause) {
    const message = `the embedded emulator's fingerprint key, ${path}, cannot be ${step}: ${reasonOf(cause)}`;
    throw new AgentformError('emulator-unusable', message, { cause });
  }
  throw new AgentformError(
    'emulator-unusable',
    `${path} is not a key made by agentform; delete the file, and sensitive settings will be resent to the emulator`,
  );
}

/** Creates the key file. If two runs create the file, the first run wins. */
async function createKeyFile(path: string): Promise<void> {
  await makeFolder(dirname(path));
  try {
    await createFile(path, randomBytes(keyLength), { mode: 0o600 });
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  }
}
