import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { LedgerEntry, RunEvent } from '../../../src/apply/events.ts';
import { undecidedReason } from '../../../src/plan/verdicts/new-agents.ts';
import { Phase } from '../../../src/report/progress/phase.ts';
import { plainProgress } from '../../../src/report/progress/progress.ts';
import { terminalProgress } from '../../../src/report/progress/terminal.ts';
import { saying, unread } from '../../support/notices.ts';

const hide = '\u001b[?25l';
const show = '\u001b[?25h';

interface Recorder {
  readonly stream: NodeJS.WriteStream;
  written(): string;
}

/** A stream that imitates a terminal and keeps its output. */
function recorder(): Recorder {
  const chunks: string[] = [];
  const through = new PassThrough();
  through.on('data', (chunk) => chunks.push(String(chunk)));
  const stream = Object.assign(through, { isTTY: true, columns: 80, rows: 40 }) as unknown as NodeJS.WriteStream;
  return { stream, written: () => chunks.join('') };
}

function progress({ interactive = false, color = false }) {
  const { stream, written } = recorder();
  const shown = interactive ? terminalProgress({ stream, color }) : plainProgress({ stream, color });
  return { stream, written, ...shown };
}

function applied(name: string, parts: Partial<LedgerEntry> = {}): RunEvent {
  const fields = [{ path: 'settings.title', result: 'stored' }] as const;
  const entry = {
    kind: 'Agent',
    name,
    action: 'update',
    outcome: 'applied',
    fields,
    warnings: [],
    settings: { changed: 1, sent: 1 },
    sent: true,
  } as const;
  return { type: 'resource-applied', entry: { ...entry, ...parts } };
}

const started = (name: string): RunEvent => ({ type: 'resource-started', phase: 'apply', kind: 'Agent', name });
const read = (name: string, failed = false): RunEvent => ({ type: 'resource-read', kind: 'Agent', name, failed });
const begin = (phase: 'read' | 'apply', total: number): RunEvent => ({ type: 'phase-started', phase, total });
const finish = (phase: 'read' | 'apply'): RunEvent => ({ type: 'phase-finished', phase });

const run: readonly RunEvent[] = [
  begin('read', 3),
  read('a'),
  read('b', true),
  finish('read'),
  begin('apply', 3),
  started('a'),
  applied('a'),
  applied('b', { outcome: 'failed', reasons: [saying('the service refused\u001b[2J it')] }),
  applied('c', { outcome: 'unchanged', sent: false }),
  applied('d', { outcome: 'failed', reasons: [unread('camp_d', 1)] }),
  { type: 'interrupted' },
  finish('apply'),
];

test('A wait for the service is shown on its own line, or in the counting line of a terminal.', async () => {
  const plain = progress({});
  plain.emit({ type: 'throttled', waitMs: 11_200 });
  await plain.stop();
  expect(plain.written()).toBe('waiting 12 s: the service limits requests\n');
  const titles: string[] = [];
  const phase = new Phase({ type: 'phase-started', phase: 'read', total: 3 });
  phase.watch = (title) => titles.push(title);
  phase.note({ type: 'throttled', waitMs: 11_200 });
  phase.note({ type: 'resource-read', kind: 'Agent', name: 'a', failed: false });
  expect(titles).toEqual(['Reading 0 of 3, waiting 12 s: the service limits requests', 'Reading 1 of 3']);
});

describe('progress without a terminal', () => {
  test('Progress has a line for each applied resource and each failure.', async () => {
    const { emit, stop, written } = progress({});
    for (const event of run) emit(event);
    await stop();
    expect(written()).toBe(
      'could not read Agent/b\n' +
        'applied Agent/a (1 setting changed, 1 sent)\n' +
        'failed Agent/b: the service refused\\u001b[2J it\n' +
        'interrupted: finishing requests in flight; press Ctrl-C again to stop immediately\n',
    );
  });

  test('Nothing is shown after the stop.', async () => {
    const { emit, stop, written } = progress({});
    emit(applied('a'));
    await stop();
    emit(applied('b'));
    expect(written()).toBe('applied Agent/a (1 setting changed, 1 sent)\n');
  });
});

describe('progress on a terminal', () => {
  const interactive = { interactive: true } as const;

  /** Waits until listr2 was loaded and has drawn the text. */
  async function drawn(written: () => string, text: string): Promise<void> {
    for (let tries = 0; tries < 3000 && !written().includes(text); tries += 1) await sleep(20);
    expect(written()).toContain(text);
  }

  test('A line counts the resources and names the current one, and the cursor is restored.', async () => {
    const { emit, stop, written } = progress(interactive);
    emit(begin('apply', 3));
    emit(started('a'));
    await drawn(written, 'Applying 0 of 3: Agent/a');
    expect(written()).not.toContain('Agent/b');
    emit(started('b'));
    emit(applied('a'));
    emit(applied('b', { outcome: 'failed', reasons: [saying('no')] }));
    await drawn(written, 'Applying 1 of 3, 1 failed');
    emit(finish('apply'));
    await stop();
    expect(written()).toMatch(/Applied 1 of 3, 1 failed in \d+\.\d s\n/);
    expect(written().lastIndexOf(show)).toBeGreaterThan(written().lastIndexOf(hide));
  });

  test('Progress phases follow each other.', async () => {
    const { emit, stop, written } = progress(interactive);
    emit(begin('read', 2));
    await drawn(written, 'Reading 0 of 2');
    for (const event of [read('a'), read('b'), finish('read'), begin('apply', 1)]) emit(event);
    await drawn(written, 'Applying 0 of 1');
    expect(written()).toMatch(/Read 2 of 2 in \d+\.\d s\n/);
    emit(finish('apply'));
    await stop();
  });

  test('A stop in the middle restores the cursor and frees the stream before it returns.', async () => {
    const { stream, emit, stop, written } = progress(interactive);
    emit(begin('apply', 2));
    emit(started('a'));
    await drawn(written, 'Agent/a');
    const stopped = stop();
    stream.write('after\n');
    expect(written().lastIndexOf(show)).toBeGreaterThan(written().lastIndexOf(hide));
    expect(written().endsWith('after\n')).toBe(true);
    await stopped;
    await stop();
    await sleep(250);
    expect(written().endsWith('after\n')).toBe(true);
  });

  test.each<[string, readonly RunEvent[]]>([
    ['before anything', []],
    ['before listr2 is loaded', [begin('read', 5)]],
    ['with nothing to do', [begin('read', 0), finish('read'), begin('apply', 0)]],
    ['after phases that took no time', run],
  ])('A stop %s leaves no trace.', async (_, events) => {
    const { emit, stop, written } = progress(interactive);
    for (const event of events) emit(event);
    await stop();
    emit(begin('read', 1));
    await sleep(150);
    expect(written()).toBe('');
  });

  test('A stop while listr2 is loading leaves the cursor visible.', async () => {
    for (const delay of [0, 1, 2, 5, 10, 20]) {
      const { emit, stop, written } = progress(interactive);
      emit(begin('read', 5));
      await sleep(delay);
      await stop();
      const text = written();
      expect(text.lastIndexOf(show)).toBeGreaterThanOrEqual(text.lastIndexOf(hide));
    }
  });
});

test('Progress has no line for what was not attempted, because the result names all of it with the reasons.', () => {
  const { emit, written } = progress({});
  const parts = { outcome: 'not attempted', refused: true, sent: false } as const;
  for (const name of Array.from({ length: 45 }, (_, index) => `desk-${index}`))
    emit(applied(name, { ...parts, action: 'blocked', reasons: [saying('on hold')] }));
  emit(applied('a', { ...parts, reasons: [saying('conflict: settings.title changed')], conflicts: [] }));
  emit(applied('b', { ...parts, action: 'create', reasons: [undecidedReason('test', [], [])] }));
  emit({
    type: 'resource-published',
    entry: { kind: 'Agent', name: 'c', outcome: 'not attempted', reasons: [saying('it was not applied')] },
  });
  expect(written()).toBe('');
});
