import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { progressBar, progressLines } from '../../../../src/commands/task/upload/text.ts';

/** A display on a stream, with a clock that the test sets. */
function display({ interactive }: { readonly interactive: boolean }) {
  let now = 0;
  let written = '';
  const stream = Object.assign(new PassThrough(), { isTTY: interactive }) as unknown as NodeJS.WriteStream;
  stream.write = (text: string | Uint8Array) => {
    written += String(text);
    return true;
  };
  const progress = (interactive ? progressBar : progressLines)(stream, () => now);
  const wait = (ms: number) => {
    now += ms;
  };
  return { progress, wait, text: () => written };
}

const rows = (firstRow: number, lastRow: number) =>
  ({ phase: 'send', dryRun: false, firstRow, lastRow, rows: 10_000 }) as const;

describe('upload progress on a terminal', () => {
  test('A terminal shows the progress of a check on one line, at most ten times a second, and clears it.', () => {
    const { progress, wait, text } = display({ interactive: true });
    progress.show({ phase: 'check', done: 0, total: 10_000 });
    progress.show({ phase: 'check', done: 1_000, total: 10_000 });
    wait(100);
    progress.show({ phase: 'check', done: 5_000, total: 10_000 });
    progress.clear();
    progress.clear();
    expect(text()).toBe(
      `\r\u001b[2K${'░'.repeat(24)} checking 0 %\r\u001b[2K${'█'.repeat(12)}${'░'.repeat(12)} checking 50 %\r\u001b[2K`,
    );
  });

  test('A terminal always shows the end of a check.', () => {
    const { progress, text } = display({ interactive: true });
    progress.show({ phase: 'check', done: 1, total: 2 });
    progress.show({ phase: 'check', done: 2, total: 2 });
    expect(text()).toContain('checking 100 %');
  });

  test('A terminal shows the rows of each request, and leaves them there if the run fails.', () => {
    const { progress, text } = display({ interactive: true });
    progress.show(rows(1, 5_000));
    progress.show(rows(5_001, 5_001));
    progress.leave();
    progress.clear();
    expect(text()).toBe(
      `\r\u001b[2K${'░'.repeat(24)} sending rows 1 to 5,000 of 10,000\r\u001b[2K${'█'.repeat(12)}${'░'.repeat(12)} sending row 5,001 of 10,000\n`,
    );
  });
});

describe('upload progress without a terminal', () => {
  test('Without a terminal, a short check is not mentioned.', () => {
    const { progress, wait, text } = display({ interactive: false });
    progress.show({ phase: 'check', done: 0, total: 2 });
    wait(1_999);
    progress.show({ phase: 'check', done: 2, total: 2 });
    expect(text()).toBe('');
  });

  test('Without a terminal, a long check has a line at each tenth.', () => {
    const { progress, wait, text } = display({ interactive: false });
    wait(2_000);
    for (let done = 0; done <= 100; done += 4) progress.show({ phase: 'check', done, total: 100 });
    expect(text().split('\n')).toHaveLength(12);
    expect(text()).not.toContain('\u001b');
  });

  test('Without a terminal, each request has a line.', () => {
    const { progress, text } = display({ interactive: false });
    progress.show(rows(1, 100));
    progress.show(rows(101, 200));
    progress.clear();
    expect(text()).toBe('sending rows 1 to 100 of 10,000\nsending rows 101 to 200 of 10,000\n');
  });
});
