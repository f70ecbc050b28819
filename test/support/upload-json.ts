import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv from 'ajv/dist/2020.js';

interface RowRange {
  readonly firstRow: number;
  readonly lastRow: number;
}

/** The parts of `task upload --format json` that tests read. */
interface UploadJson {
  readonly accepted?: RowRange;
  readonly failed?: RowRange;
  readonly unclear?: RowRange;
  readonly notSent?: RowRange;
  readonly reason?: {
    readonly code: string;
    readonly message: string;
    readonly remedies: readonly (readonly string[])[];
  };
}

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../schemas/upload.schema.json'), 'utf8'));
const notices = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../schemas/notices.schema.json'), 'utf8'));
const fitsSchema = new Ajv.Ajv2020({ strict: false, schemas: [notices] }).compile<UploadJson>(schema);

/** Returns the validated output of `task upload --format json`. */
export function uploadIn(json: string): UploadJson {
  const answer: unknown = JSON.parse(json);
  if (!fitsSchema(answer)) throw new Error(JSON.stringify(fitsSchema.errors));
  return answer;
}
