import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { queuedRows, readLedgerLines, unclearBatches } from '../../../../src/commands/task/upload/ledger.ts';

const head = {
  formatVersion: 1,
  environment: 'test',
  host: 'h',
  query: {},
  file: 'tasks.csv',
  hash: 'x',
  rows: 100,
  batchRows: 10,
  startedAt: '',
};

interface Written {
  readonly batch: number;
  readonly state: string;
}

function textOf(lines: readonly Written[]): string {
  const whole = lines.map(({ batch, state }) => ({ batch, firstRow: batch, lastRow: batch, state, at: '' }));
  return [head, ...whole].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Batch after batch, as an upload writes them: the intent, then the outcome. */
const history = fc.array(fc.constantFrom('done', 'failed', 'unclear'), { maxLength: 6 }).map((outcomes) =>
  outcomes.flatMap((state, index): Written[] => [
    { batch: index + 1, state: 'sent' },
    { batch: index + 1, state },
  ]),
);

test('wherever a crash cuts the ledger, a batch whose intent was written counts as queued, failed or unclear', () => {
  fc.assert(
    fc.property(history, fc.nat(), (lines, at) => {
      const text = textOf(lines);
      const kept = text.slice(0, textOf([]).length + (at % (text.length - textOf([]).length + 1)));
      const read = readLedgerLines(kept);
      const whole = kept
        .split('\n')
        .slice(1, -1)
        .map((line): Written => JSON.parse(line));
      expect([...(read?.batches.keys() ?? [])]).toEqual([...new Set(whole.map(({ batch }) => batch))]);
      expect(kept.slice(0, read?.length).endsWith('\n')).toBe(true);
      const last = whole.at(-1);
      const isOpen = last?.state === 'sent';
      if (isOpen && read !== undefined) expect(unclearBatches(read).map(({ batch }) => batch)).toContain(last.batch);
    }),
  );
});

test('only what is done counts as queued', () => {
  const read = readLedgerLines(
    textOf([
      { batch: 1, state: 'done' },
      { batch: 2, state: 'failed' },
      { batch: 3, state: 'unclear' },
      { batch: 4, state: 'sent' },
    ]),
  );
  expect(read && { queued: queuedRows(read), unclear: unclearBatches(read).map(({ batch }) => batch) }).toEqual({
    queued: 1,
    unclear: [3, 4],
  });
});

test.each(['', '{}\n', 'x\n', textOf([{ batch: 1, state: 'dome' }]), textOf([]).replace('"rows":100', '"rows":"100"')])(
  'what is no ledger is not read as one: %j',
  (text) => {
    expect(readLedgerLines(text)).toBeUndefined();
  },
);
