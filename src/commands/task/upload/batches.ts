/** Rows that go to the service in one request: a stretch of the file in bytes. */
export interface Batch {
  /** Rows of tasks count from 1; the header is none. */
  readonly firstRow: number;
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/** The number of the last row of the batch. */
export function lastRowOf({ firstRow, rows }: Pick<Batch, 'firstRow' | 'rows'>): number {
  return firstRow + rows - 1;
}

/** Cuts rows, as they come, into batches of at most so many rows; only a single row may have more than the bytes. */
export class BatchCutter {
  readonly #limits: { readonly rows: number; readonly bytes: number };
  readonly #done: Batch[] = [];
  #open: Batch | undefined;

  constructor(limits: { readonly rows: number; readonly bytes: number }) {
    this.#limits = limits;
  }

  /** Takes the next row. Its bytes follow those of the row before. */
  add(start: number, end: number): void {
    const open = this.#open;
    if (open !== undefined && open.rows < this.#limits.rows && end - open.start <= this.#limits.bytes) {
      this.#open = { ...open, rows: open.rows + 1, end };
      return;
    }
    if (open !== undefined) this.#done.push(open);
    const firstRow = open === undefined ? 1 : lastRowOf(open) + 1;
    this.#open = { firstRow, rows: 1, start, end };
  }

  finish(): readonly Batch[] {
    return this.#open === undefined ? this.#done : [...this.#done, this.#open];
  }
}
