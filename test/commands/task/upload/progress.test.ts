import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createUploadProgress } from '../../../../src/commands/task/upload/progress.ts';

/** A display on a stream that is no terminal of ours, with a clock that the test turns. */
function display({ interactive }: { readonly interactive: boolean }) {
  let now = 0;
  let written = '';
  const stream = Object.assign(new PassThrough(), { isTTY: interactive }) as unknown as NodeJS.WriteStream;
  stream.write = (text: string | Uint8Array) => {
    written += String(text);
    return true;
  };
  const progress = createUploadProgress({ stream, interactive, clock: () => now });
  const wait = (ms: number) => {
    now += ms;
  };
  return { progress, wait, text: () => written };
}

describe('on a terminal', () => {
  test('one line is written over, at most ten times a second, and taken away in the end', () => {
    const { progress, wait, text } = display({ interactive: true });
    progress.show({ phase: 'upload', done: 0, total: 10_000 });
    progress.show({ phase: 'upload', done: 1_000, total: 10_000 });
    wait(100);
    progress.show({ phase: 'upload', done: 5_000, total: 10_000 });
    progress.clear();
    progress.clear();
    expect(text()).toBe(
      `\r\u001b[2K${'░'.repeat(24)} uploading 0 %, 0 of 10,000 rows\r\u001b[2K${'█'.repeat(12)}${'░'.repeat(12)} uploading 50 %, 5,000 of 10,000 rows\r\u001b[2K`,
    );
  });

  test('the end is always shown', () => {
    const { progress, text } = display({ interactive: true });
    progress.show({ phase: 'check', done: 1, total: 2 });
    progress.show({ phase: 'check', done: 2, total: 2 });
    expect(text()).toContain('checking 100 %');
  });
});

describe('elsewhere', () => {
  test('nothing is said of what takes no time', () => {
    const { progress, wait, text } = display({ interactive: false });
    progress.show({ phase: 'check', done: 1, total: 1 });
    wait(1_999);
    progress.show({ phase: 'upload', done: 1, total: 1 });
    expect(text()).toBe('');
  });

  test('what takes long has a line at each tenth', () => {
    const { progress, wait, text } = display({ interactive: false });
    wait(2_000);
    for (let done = 0; done <= 100; done += 4) progress.show({ phase: 'upload', done, total: 100 });
    expect(text().split('\n')).toHaveLength(12);
    expect(text()).not.toContain('\u001b');
  });
});
