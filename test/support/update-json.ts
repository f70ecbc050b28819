import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import type { ManifestUpdates } from '../../src/commands/update/update.ts';

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../schemas/update.schema.json'), 'utf8'));
const notices = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../schemas/notices.schema.json'), 'utf8'));
const fitsSchema = new Ajv.Ajv2020({ strict: false }).addSchema(notices).compile<ManifestUpdates>(schema);

/** Returns the validated output of `update --format json`. */
export function updatesIn(json: string): ManifestUpdates {
  const answer: unknown = JSON.parse(json);
  if (!fitsSchema(answer)) throw new Error(JSON.stringify(fitsSchema.errors));
  return answer;
}
