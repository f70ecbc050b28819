import { createHash, scryptSync } from 'node:crypto';

/** Where a sensitive value stands; equal values in two places have different fingerprints. */
export interface FingerprintPlace {
  readonly environment: string;
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

const known = new Map<string, string>();

/**
 * A fingerprint that tells two values apart without telling the value: scrypt, slow on purpose, salted with the place.
 * Results are kept for the run, because one value is compared several times.
 */
export function fingerprint(place: FingerprintPlace, text: string): string {
  const salt = JSON.stringify([place.environment, place.kind, place.name, place.path]);
  const key = createHash('sha256')
    .update(JSON.stringify([salt, text]))
    .digest('base64');
  const found = known.get(key) ?? `scrypt:${scryptSync(text, salt, 24).toString('base64url')}`;
  known.set(key, found);
  return found;
}
