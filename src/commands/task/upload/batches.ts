/** A part of a file, in bytes. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Rows that go to the service in one request. */
export interface Batch {
  /** Tasks count from 1; the header and empty rows do not count. */
  readonly firstRow: number;
  readonly rows: number;
  /** In the order of the file; empty rows are between them. */
  readonly stretches: readonly Stretch[];
}

/** The number of the last row of the batch. */
export function lastRowOf({ firstRow, rows }: Pick<Batch, 'firstRow' | 'rows'>): number {
  return firstRow + rows - 1;
}

/** Cuts rows, as they come, into batches of at most so many rows; only a single row may have more than the bytes. */
export class BatchCutter {
  readonly #limits: { readonly rows: number; readonly bytes: number };
  readonly #done: Batch[] = [];
  #open: OpenBatch | undefined;

  constructor(limits: { readonly rows: number; readonly bytes: number }) {
    this.#limits = limits;
  }

  /** Takes the next row that is sent. */
  add(start: number, end: number): void {
    const open = this.#open;
    const last = open?.stretches.at(-1);
    const fits = open !== undefined && open.rows < this.#limits.rows && end - open.start <= this.#limits.bytes;
    if (!fits) {
      if (open !== undefined) this.#done.push(open);
      const firstRow = open === undefined ? 1 : lastRowOf(open) + 1;
      this.#open = { firstRow, rows: 1, start, stretches: [{ start, end }] };
      return;
    }
    open.rows += 1;
    if (last?.end === start) last.end = end;
    else open.stretches.push({ start, end });
  }

  finish(): readonly Batch[] {
    return this.#open === undefined ? this.#done : [...this.#done, this.#open];
  }
}

/** The batch that rows are still added to. */
interface OpenBatch extends Batch {
  rows: number;
  /** Of the first stretch. */
  readonly start: number;
  readonly stretches: Array<{ readonly start: number; end: number }>;
}
