import { createHmac, createSecretKey, hkdf, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Secret } from './secret.ts';

/** The field to which a fingerprint belongs. Equal values in two fields have different fingerprints. */
export interface FingerprintContext {
  readonly environment: string;
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

/** The key for fingerprints. Without the key, a fingerprint reveals nothing about the value. */
export interface FingerprintKey {
  /** An id that distinguishes keys without revealing them. */
  readonly id: string;
  readonly secret: KeyObject;
}

export const keyLength = 32;

/** Makes a key, and derives its id from the bytes. */
export function fingerprintKey(bytes: Uint8Array): FingerprintKey {
  const secret = createSecretKey(bytes);
  const id = createHmac('sha256', secret).update('key id').digest().subarray(0, 6).toString('base64url');
  return { id, secret };
}

/** Derives the key from a token (HKDF-SHA-256), in the thread pool. */
export async function keyOfToken(token: Secret): Promise<FingerprintKey> {
  const bytes = await promisify(hkdf)('sha256', token.reveal(), '', 'agentform fingerprints', keyLength);
  return fingerprintKey(new Uint8Array(bytes));
}

/**
 * Makes a fingerprint. The fingerprint distinguishes the values of a field without revealing them, and contains the key
 * id.
 */
export function fingerprintOf(key: FingerprintKey, context: FingerprintContext, text: string): string {
  const { environment, kind, name, path } = context;
  const hash = createHmac('sha256', key.secret).update(JSON.stringify([environment, kind, name, path, text]));
  return `${prefix}${key.id}:${hash.digest('base64url')}`;
}

/**
 * Returns whether a fingerprint is marked as foreign or was made with another key, such as one derived from a token
 * before its rotation. No value can be compared with such a fingerprint.
 */
export function isForeign(fingerprint: string, key: FingerprintKey): boolean {
  return isFingerprint(fingerprint) && !fingerprint.startsWith(`${prefix}${key.id}:`);
}

/**
 * Returns whether two fingerprints can be compared. Fingerprints can be compared if they were made with the same key
 * and neither is marked as foreign. Texts that are not fingerprints have no key, so they cannot be compared.
 */
export function areOfOneKey(one: string, other: string): boolean {
  const id = keyIdOf(one);
  return id !== undefined && id !== moved && id === keyIdOf(other);
}

function keyIdOf(fingerprint: string): string | undefined {
  const [start, id, hash] = fingerprint.split(':');
  return `${start}:` === prefix && hash !== undefined ? id : undefined;
}

/** Whether a text is the fingerprint of a hidden value. */
export function isFingerprint(text: string): boolean {
  return text.startsWith(prefix);
}

/** Marks a fingerprint as no longer comparable. Other texts stay unchanged. */
export function asForeign(fingerprint: string): string {
  return isFingerprint(fingerprint)
    ? `${prefix}${moved}:${fingerprint.slice(fingerprint.lastIndexOf(':') + 1)}`
    : fingerprint;
}

const prefix = 'hmac:';
/** Replaces the key id in a fingerprint that is marked as foreign. */
const moved = 'moved';
