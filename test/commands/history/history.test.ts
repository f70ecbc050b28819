import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { renderHistoryHtml } from '../../../src/commands/history/document.ts';
import { historyLines, renderHistoryCsv, renderHistoryText } from '../../../src/commands/history/text.ts';
import { recordPath, recordText } from '../../../src/record/record-text.ts';
import { jsonDocument } from '../../../src/report/json.ts';
import { workplace } from '../../support/in-process.ts';
import { fitting } from '../../support/published-schemas.ts';
import { at, blamed, brief, credential, found, hello, place, record, rules, usePlace, write } from './place.ts';

usePlace();

let all: Awaited<ReturnType<typeof found>>;

beforeAll(async () => {
  all = await found();
});

describe('selection', () => {
  test('Events are sorted newest first, and include earlier names and dropped records.', async () => {
    const named = all.entries.map(({ name, event }) => `${name} ${event}`);
    expect(named[0]).toBe('gone forget');
    expect(named.slice(1).sort()).toEqual(
      [
        'desk apply',
        'desk create',
        'desk edit-undone',
        'desk apply',
        'gone create',
        'new rename',
        'old create',
        'own create',
      ].sort(),
    );
    expect(await brief({ names: ['old'] })).toEqual(['new rename', 'old create']);
    expect(await brief({ selector: 'ring=early' })).toEqual([
      'desk apply',
      'desk edit-undone',
      'desk apply',
      'desk create',
    ]);
  });

  test('A setting selects its changes, also without its section and as the last of the names.', async () => {
    const changes = ['desk apply', 'desk edit-undone', 'desk create'];
    expect(await brief({ names: ['desk', 'welcomeMessage'] })).toEqual(changes);
    const unknown = found({ names: ['desk', 'settings.nothing'] });
    await expect(unknown).rejects.toMatchObject({ code: 'field-unknown' });
  });

  test('The last name is a resource rather than a setting if a resource has this name.', async () => {
    const one = record('title', { event: 'create', appliedAt: at(1) }, { [hello]: 'Hello.' });
    await write(one);
    expect(await brief({ names: ['title'] })).toEqual(['title create']);
    await rm(join(place.root, recordPath(one)));
  });

  test('A name that matches nothing is refused, and so is an invalid time.', async () => {
    await expect(found({ names: ['nope'] })).rejects.toMatchObject({ code: 'selection-empty', exitCode: 1 });
    await expect(found({ since: 'yesterday' })).rejects.toMatchObject({ code: 'usage' });
    await expect(found({ since: '2026-11-05', until: '2026-11-04' })).rejects.toMatchObject({ code: 'usage' });
  });

  test('A period includes its last day.', async () => {
    const period = { names: ['desk'], since: '2026-11-02', until: '2026-11-05' };
    expect(await brief(period)).toEqual(['desk edit-undone', 'desk apply']);
  });
});

test('The history names versions that are not committed or cannot be read.', () => {
  expect(all.warnings).toMatchObject([
    { code: 'history-uncommitted', facts: { records: ['Agent/desk'] } },
    { code: 'history-unreadable', facts: { count: 1, address: 'Agent/new' } },
  ]);
});

test('The history of files outside git has the present records, and does not suggest committing them.', async () => {
  const outside = await workplace({ 'agentform.yaml': await place.read('agentform.yaml') });
  try {
    const one = record('desk', { event: 'create', appliedAt: at(1) }, { [hello]: 'Hello.' });
    await outside.write(recordPath(one), recordText(one));
    expect(await found({}, outside.root)).toMatchObject({
      entries: [{ event: 'create', changes: [{ to: 'Hello.' }] }],
      warnings: [{ code: 'history-cut', facts: { limit: 'no-repository' } }],
    });
  } finally {
    await outside.remove();
  }
});

describe('formats', () => {
  test('No format of the history shows credentials, and both JSON formats fit their schemas.', () => {
    const lines = [...historyLines(all)];
    const texts = [
      [...jsonDocument(all)].join(''),
      lines.join(''),
      renderHistoryCsv(all),
      renderHistoryHtml(all),
      renderHistoryText(all, { color: false, width: 100 }),
      renderHistoryText(all, { color: false, width: 100, patch: true, full: true }),
    ];
    for (const text of texts) {
      expect(text).toContain('desk');
      expect(text).not.toContain(credential);
    }
    fitting('history', JSON.parse(texts[0] ?? ''));
    const times = lines.map((line) => fitting<{ at: string }>('history-event', JSON.parse(line)).at);
    expect(times.toSorted()).toEqual(times);
    const undone = all.entries.find(({ event }) => event === 'edit-undone');
    expect(undone?.changes).toMatchObject([{ from: { sensitive: true }, to: 'Hello.' }]);
  });

  test('The CSV of the history guards against formulas, and has a row for each change.', () => {
    const csv = renderHistoryCsv(all);
    expect(csv).toContain(",'=cmd()");
    expect(csv).not.toMatch(/,=cmd/);
    expect(csv.split('\r\n')[0]).toMatch(/^at,kind,name,event,by,commit,.*path,op,summary,from,to$/);
  });

  test('The page of the history is small and self-contained, and shows each text on one line.', () => {
    const page = renderHistoryHtml(all);
    expect(page).not.toMatch(/<script|src=|@import|url\(http/);
    expect(page.length).toBeLessThan(100_000);
    const [header, ...lines] = renderHistoryText(all, { color: false, width: 200 }).split('\n');
    const newest = lines.find((line) => line.startsWith('2026-11-09'));
    expect(header).toMatch(/^WHEN \(UTC\) +RESOURCE +WHO +FROM +VERSION +WHAT$/);
    expect(newest).toMatch(
      /^2026-11-09 09:00 +Agent\/desk +mona +[0-9a-f]{12} #13 +- +Instructions: hidden value → 4 lines, Greeting: 1 line reworded$/,
    );
  });
});

test('The page of a history names resources by their newest titles, apart from resources with the same title.', async () => {
  const applied = (name: string, day: number, title: unknown) =>
    record(name, { event: 'create', appliedAt: at(day) }, { 'settings.title': title });
  const records = [
    applied('reception', 1, 'Front desk'),
    applied('billing-1', 2, 'Billing'),
    applied('billing-2', 3, 'Billing'),
    applied('leaked', 4, credential),
  ];
  for (const one of records) await write(one);
  const names = records.map(({ name }) => name);
  const { entries, ...history } = await found({ names });
  expect(entries.map(({ title }) => title)).toEqual([undefined, 'Billing', 'Billing', 'Front desk']);
  const [entry] = entries.slice(-1);
  const earlier = entry && { ...entry, title: 'Reception', at: '2026-10-01T00:00:00.000Z' };
  const page = renderHistoryHtml({ ...history, entries: [...entries, ...(earlier === undefined ? [] : [earlier])] });
  const titles = [...page.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, text]) => text);
  expect(titles).toEqual(['Leaked', 'Billing (billing-2)', 'Billing (billing-1)', 'Front desk', 'Front desk']);
  for (const one of records) await rm(join(place.root, recordPath(one)));
});

test('The page of a long history names the number of older events that it leaves out.', () => {
  const [entry] = all.entries;
  if (entry === undefined) throw new Error('the history has no event');
  const html = renderHistoryHtml({ ...all, entries: Array.from({ length: 2_001 }, () => entry) });
  expect(html).toContain('1 older event is not on this page; narrow the history with --since or resource names.');
});

describe('blame', () => {
  test('Blame shows the time, author and commit of each line in its file, also through variables.', async () => {
    const result = await blamed('desk', 'agentInstructions');
    fitting('blame', result);
    expect(result).toMatchObject({ kind: 'Agent', name: 'desk', path: rules });
    expect(result.lines.map(({ line, text, at, event, by }) => [line, text, at.slice(8, 10), event, by])).toEqual([
      [1, '# Desk at Elm Street', '01', 'create', 'Anna'],
      [2, '', '01', 'create', 'Anna'],
      [3, '- Be kind.', '01', 'create', 'Anna'],
      [4, '- New.', '09', 'apply', 'mona'],
    ]);
  });

  test('Blame shows the authors of lines in a patch and in the text below it.', async () => {
    const { lines } = await blamed('own', rules);
    expect(lines.map(({ by }) => by)).toEqual(['Anna', 'Anna', 'Anna', 'Bela']);
  });

  test('Blame refuses a setting without an applied value, and a pattern as the name.', async () => {
    await expect(blamed('desk', 'settings.agentVoice')).rejects.toMatchObject({ code: 'field-unknown' });
    await expect(blamed('*', hello)).rejects.toMatchObject({ code: 'usage' });
  });

  test('Blame refuses a text with a credential, and a resource whose record has no applied values.', async () => {
    const secret = record('secret', { event: 'create', appliedAt: at(1) }, { [hello]: `Use ${credential}.` });
    const adopted = record('adopted', {}, {});
    for (const one of [secret, adopted]) await write(one);
    try {
      await expect(blamed('secret', 'welcomeMessage')).rejects.toMatchObject({
        code: 'usage',
        message: 'settings.welcomeMessage of Agent/secret contains a secret, so its lines are not shown',
      });
      for (const name of ['adopted', 'gone', 'nobody']) {
        await expect(blamed(name, hello)).rejects.toMatchObject({
          code: 'record-unknown',
          message: `no record of ${name} in the environment test has applied values, so there are no lines to show`,
        });
      }
    } finally {
      for (const one of [secret, adopted]) await rm(join(place.root, recordPath(one)));
    }
  });
});
