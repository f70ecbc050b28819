import type { ManifestUpdates } from '../../src/commands/update/update.ts';
import { fitting } from './published-schemas.ts';

/** Returns the validated output of `update --format json`. */
export function updatesIn(json: string): ManifestUpdates {
  return fitting('update', JSON.parse(json));
}
