import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { LedgerEntry, RunEvent } from '../../../src/apply/events.ts';
import { undecidedReason } from '../../../src/plan/verdicts/new-agents.ts';
import { plainProgress } from '../../../src/report/progress/progress.ts';
import { terminalProgress } from '../../../src/report/progress/terminal.ts';
import { saying, unread } from '../../support/notices.ts';

const hide = '\u001b[?25l';

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

test('A wait for the service is shown on its own line without a terminal.', () => {
  const { emit, stop, written } = progress({});
  emit({ type: 'throttled', waitMs: 11_200 });
  stop();
  expect(written()).toBe('waiting 12 s: the service limits requests\n');
});

describe('progress without a terminal', () => {
  test('Progress has a line for each applied resource and each failure.', () => {
    const { emit, stop, written } = progress({});
    for (const event of run) emit(event);
    stop();
    expect(written()).toBe(
      'could not read Agent/b\n' +
        'applied Agent/a (1 setting changed, 1 sent)\n' +
        'failed Agent/b: the service refused\\u001b[2J it\n' +
        'interrupted: finishing requests in flight; press Ctrl-C again to stop immediately\n',
    );
  });

  test('Nothing is shown after the stop.', () => {
    const { emit, stop, written } = progress({});
    emit(applied('a'));
    stop();
    emit(applied('b'));
    expect(written()).toBe('applied Agent/a (1 setting changed, 1 sent)\n');
  });
});

describe('progress on a terminal', () => {
  const interactive = { interactive: true } as const;

  async function drawn(written: () => string, text: string): Promise<void> {
    for (let tries = 0; tries < 3000 && !written().includes(text); tries += 1) await sleep(20);
    expect(written()).toContain(text);
  }

  test('A line counts the resources, names the current one, and never hides the cursor.', async () => {
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
    stop();
    expect(written()).toMatch(/K✗ Applied 1 of 3, 1 failed in \d+\.\d s\n$/);
    expect(written()).not.toContain(hide);
  });

  test('Progress phases follow each other.', async () => {
    const { emit, stop, written } = progress(interactive);
    emit(begin('read', 2));
    await drawn(written, 'Reading 0 of 2');
    for (const event of [read('a'), read('b'), finish('read'), begin('apply', 1)]) emit(event);
    await drawn(written, 'Applying 0 of 1');
    expect(written()).toMatch(/✓ Read 2 of 2 in \d+\.\d s\n/);
    emit(finish('apply'));
    stop();
  });

  test('The line of a terminal shows a wait for the service until something else happens.', async () => {
    const { emit, stop, written } = progress(interactive);
    emit(begin('read', 3));
    emit({ type: 'throttled', waitMs: 11_200 });
    await drawn(written, 'Reading 0 of 3, waiting 12 s: the service limits requests');
    emit(read('a'));
    await drawn(written, '\r\u001b[2KReading 1 of 3');
    expect(written().endsWith('Reading 1 of 3')).toBe(true);
    stop();
  });

  test('The notice about an interruption keeps a separate line, so that a narrow terminal shows all of it.', async () => {
    const { stream, emit, stop, written } = progress(interactive);
    stream.columns = 30;
    emit(begin('apply', 3));
    emit(started('a-clinic-with-a-long-name'));
    await drawn(written, '\u001b[2KApplying 0 of 3: Agent/a-cli…');
    emit({ type: 'interrupted' });
    expect(written()).toMatch(/Kinterrupted: .* press Ctrl-C again to stop immediately\n$/);
    await drawn(written, '\u001b[2KApplying 0 of 3');
    stop();
  });

  test('A stop in the middle ends the line before it returns, and does not say that the phase ended.', async () => {
    const { stream, emit, stop, written } = progress(interactive);
    emit(begin('apply', 2));
    emit(started('a'));
    await drawn(written, 'Agent/a');
    stop();
    stream.write('after\n');
    expect(written()).toMatch(/Applying 0 of 2: Agent\/a\nafter\n$/);
    stop();
    emit(read('a'));
    await sleep(250);
    expect(written().endsWith('after\n')).toBe(true);
  });

  test.each<[string, readonly RunEvent[]]>([
    ['before anything', []],
    ['at the start of a phase', [begin('read', 5)]],
    ['with nothing to do', [begin('read', 0), finish('read'), begin('apply', 0)]],
    ['after phases that took no time', run.filter(({ type }) => type !== 'interrupted')],
  ])('A stop %s leaves no trace.', async (_, events) => {
    const { emit, stop, written } = progress(interactive);
    for (const event of events) emit(event);
    stop();
    emit(begin('read', 1));
    await sleep(150);
    expect(written()).toBe('');
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
