import { fitting } from './published-schemas.ts';

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

/** Returns the validated output of `task upload --format json`. */
export function uploadIn(json: string): UploadJson {
  return fitting('upload', JSON.parse(json));
}
