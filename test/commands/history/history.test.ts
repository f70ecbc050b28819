import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blame } from '../../../src/commands/history/blame.ts';
import { renderHistoryHtml } from '../../../src/commands/history/document.ts';
import { type HistoryOptions, history } from '../../../src/commands/history/history.ts';
import { historyJson, historyLines, renderHistoryCsv, renderHistoryText } from '../../../src/commands/history/text.ts';
import { recordPath, recordText } from '../../../src/record/record-text.ts';
import { blameFile } from '../../../src/schemas/blame-validators.js';
import { historyEvent, historyFile } from '../../../src/schemas/history-validators.js';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { git, gitEnv } from '../../support/git.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

const credential = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc9x';
const [hello, rules] = ['settings.welcomeMessage', 'settings.agentInstructions'];
const at = (day: number, hour = 9) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;

let place: Workplace;

function record(
  name: string,
  parts: Partial<ResourceRecord>,
  values: Readonly<Record<string, unknown>>,
): ResourceRecord {
  const fields = Object.fromEntries(Object.entries(values).map(([path, value]) => [path, { value }]));
  const about = { environment: 'test', kind: 'Agent', name, host: 'emulator', query: {}, credentials: {} };
  return { formatVersion: 1, ...about, fields, ...parts };
}

const write = (one: ResourceRecord) => place.write(recordPath(one), recordText(one));

async function commit(message: string, author = 'Tess'): Promise<void> {
  await git(place.root, 'add', '--all');
  await git(place.root, 'commit', '--quiet', '-m', message, '--author', `${author} <t@example.com>`);
}

const found = (options: Partial<HistoryOptions> = {}, root = place.root) =>
  history({ ...place.host, env: gitEnv }, { project: root, environment: 'test', names: [], ...options });

const brief = async (options: Partial<HistoryOptions> = {}) =>
  (await found(options)).entries.map(({ name, event }) => `${name} ${event}`);

beforeAll(async () => {
  place = await workplace({
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
record: { store: file }
environments: { test: { baseUrl: emulator, variables: { clinic: Elm Street } } }
`,
    'prompts/desk.md': '# Desk at ${var.clinic}\n\n- Be kind.\n',
    'agents/desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: desk
labels: { ring: early }
settings: { title: Desk, description: D, agentInstructions: { file: ../prompts/desk.md } }
`,
  });
  await place.write(
    'shared/base.yaml',
    'apiVersion: agentform/v1\nkind: Agent\nsettings: { agentInstructions: { file: ../prompts/base.md } }\n',
  );
  await place.write('prompts/base.md', '# Base\n\nBe kind.\n');
  await place.write(
    'agents/own.yaml',
    `apiVersion: agentform/v1
kind: Agent
name: own
extends: ../shared/base.yaml
settings: { title: Own, description: D, agentInstructions: { patch: ../prompts/own.patch } }
`,
  );
  await git(place.root, 'init', '--quiet');
  await commit('manifests', 'Anna');
  await place.write('prompts/own.patch', '--- a\n+++ b\n@@ -1,3 +1,4 @@\n # Base\n \n Be kind.\n+Be brief.\n');
  await commit('patch', 'Bela');
  const from = await git(place.root, 'rev-parse', 'HEAD');
  const first = { event: 'create', appliedAt: at(1), appliedBy: 'mona', commit: from } as const;
  const text = '# Desk at Elm Street\n\n- Be kind.';
  await write(record('desk', first, { [hello]: 'Hello.', [rules]: text }));
  await write(record('own', first, { [rules]: '# Base\n\nBe kind.\nBe brief.' }));
  await write(record('old', first, { [hello]: '=cmd()' }));
  await write(record('gone', first, { [hello]: 'Bye.' }));
  await commit('created');
  const second = { ...first, event: 'apply', appliedAt: at(5), pullRequest: 12, commit: from } as const;
  const overwrote = [{ path: hello, cause: 'drift' as const, value: `Use ${credential}.` }];
  await write(
    record('desk', { ...second, overwrote }, { [hello]: 'Hello.', [rules]: `${text}\n- token ${credential}` }),
  );
  await write(record('new', { ...first, renames: [{ from: 'old', at: at(6), by: 'mona' }] }, { [hello]: '=cmd()' }));
  await rm(join(place.root, recordPath({ environment: 'test', kind: 'Agent', name: 'old' })));
  await rm(join(place.root, recordPath({ environment: 'test', kind: 'Agent', name: 'gone' })));
  await commit('changed', 'Dora');
  await place.write(recordPath({ environment: 'test', kind: 'Agent', name: 'new' }), '{');
  await commit('broken');
  await write(record('new', { ...first, renames: [{ from: 'old', at: at(6), by: 'mona' }] }, { [hello]: '=cmd()' }));
  await commit('repaired');
  const third = { ...second, appliedAt: at(9), pullRequest: 13 };
  await write(record('desk', third, { [hello]: 'Hello!', [rules]: `${text}\n- New.` }));
});
afterAll(() => place.remove());

describe('selection', () => {
  test('Events are sorted newest first, and include earlier names and dropped records.', async () => {
    const all = await brief();
    expect(all[0]).toBe('gone forget');
    expect(all.slice(1).sort()).toEqual(
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
    expect(await brief({ names: ['new'] })).toEqual(['new rename', 'old create']);
    expect(await brief({ names: ['old'] })).toEqual(['new rename', 'old create']);
    expect(await brief({ selector: 'ring=early' })).toEqual([
      'desk apply',
      'desk edit-undone',
      'desk apply',
      'desk create',
    ]);
  });

  test('A setting selects its changes with or without its section, also as the last of the names.', async () => {
    for (const names of [
      ['desk', hello],
      ['desk', 'welcomeMessage'],
    ]) {
      expect(await brief({ names })).toEqual(['desk apply', 'desk edit-undone', 'desk create']);
    }
    const unknown = { code: 'field-unknown' };
    await expect(found({ names: ['desk'], path: 'nothing' })).rejects.toMatchObject(unknown);
    await expect(found({ names: ['desk', 'settings.nothing'] })).rejects.toMatchObject(unknown);
  });

  test('A name that matches nothing is refused, and so is an invalid time.', async () => {
    await expect(found({ names: ['nope'] })).rejects.toMatchObject({ code: 'selection-empty', exitCode: 1 });
    await expect(found({ since: 'yesterday' })).rejects.toMatchObject({ code: 'usage' });
    await expect(found({ since: '2026-11-05', until: '2026-11-04' })).rejects.toMatchObject({ code: 'usage' });
  });

  test('A period accepts days and times, and includes its last day.', async () => {
    const desk = { names: ['desk'] };
    expect(await brief({ ...desk, since: '2026-11-05' })).toHaveLength(3);
    expect(await brief({ ...desk, since: '2026-11-02', until: '2026-11-05' })).toEqual([
      'desk edit-undone',
      'desk apply',
    ]);
    expect(await brief({ ...desk, until: at(5) })).toHaveLength(3);
    expect(await brief({ ...desk, until: '2026-11-05T08:59Z' })).toEqual(['desk create']);
  });
});

describe('limits of the history', () => {
  test('The history names versions that are not committed or cannot be read.', async () => {
    expect((await found()).warnings).toMatchObject([
      { code: 'history-uncommitted', facts: { records: ['Agent/desk'] } },
      { code: 'history-unreadable', facts: { count: 1, address: 'Agent/new' } },
    ]);
  });

  test('The history names a shallow clone, and has no changes for its first commit.', async () => {
    const root = join(tmpdir(), `agentform-shallow-${process.pid}`);
    await git(place.root, 'clone', '--quiet', '--depth=2', `file://${place.root}`, root);
    try {
      const { entries, warnings } = await found({ names: ['desk'] }, root);
      expect(warnings).toMatchObject([{ code: 'history-cut', facts: { limit: 'shallow' } }]);
      expect(entries).toMatchObject([{ event: 'edit-undone' }]);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
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
  test('No format of the history shows credentials, and both JSON formats fit their schemas.', async () => {
    const all = await found();
    const lines = [...historyLines(all)];
    const texts = [
      [...historyJson(all)].join(''),
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
    expect(historyFile(JSON.parse(texts[0] ?? ''))).toBe(true);
    expect(lines.map((line) => JSON.parse(line)).every((one) => historyEvent(one))).toBe(true);
    expect(lines.map((line) => JSON.parse(line).at).toSorted()).toEqual(lines.map((line) => JSON.parse(line).at));
    const [undone] = (await found({ names: ['desk', hello] })).entries.filter(({ event }) => event === 'edit-undone');
    expect(undone?.changes).toMatchObject([{ from: { sensitive: true }, to: 'Hello.' }]);
  });

  test('The CSV of the history guards against formulas, and has a row for each change.', async () => {
    const csv = renderHistoryCsv(await found({ names: ['new'] }));
    expect(csv).toContain(",'=cmd()");
    expect(csv).not.toMatch(/,=cmd/);
    expect(csv.split('\r\n')[0]).toMatch(/^at,kind,name,event,by,commit,.*path,op,summary,from,to$/);
  });

  test('The page of the history is small and self-contained, and shows each text on one line.', async () => {
    const page = renderHistoryHtml(await found());
    expect(page).not.toMatch(/<script|src=|@import|url\(http/);
    expect(page.length).toBeLessThan(100_000);
    const [header, newest = ''] = renderHistoryText(await found({ names: ['desk'] }), {
      color: false,
      width: 200,
    }).split('\n');
    expect(header).toMatch(/^WHEN \(UTC\) +RESOURCE +WHO +FROM +VERSION +WHAT$/);
    expect(newest).toMatch(
      /^2026-11-09 09:00 +Agent\/desk +mona +[0-9a-f]{12} #13 +- +Instructions: hidden value → 4 lines, Greeting: 1 line reworded$/,
    );
  });
});

describe('blame', () => {
  test('Blame shows the time, author and commit of each line in its file, also through variables.', async () => {
    const options = { project: place.root, environment: 'test', name: 'desk', path: 'agentInstructions' };
    const result = await blame({ ...place.host, env: gitEnv }, options);
    expect(blameFile(result)).toBe(true);
    expect(result).toMatchObject({ kind: 'Agent', name: 'desk', path: rules });
    expect(result.lines.map(({ line, text, at, event, by }) => [line, text, at.slice(8, 10), event, by])).toEqual([
      [1, '# Desk at Elm Street', '01', 'create', 'Anna'],
      [2, '', '01', 'create', 'Anna'],
      [3, '- Be kind.', '01', 'create', 'Anna'],
      [4, '- New.', '09', 'apply', 'mona'],
    ]);
  });

  test('Blame shows the authors of lines in a patch and in the text below it.', async () => {
    const options = { project: place.root, environment: 'test', name: 'own', path: rules };
    const { lines } = await blame({ ...place.host, env: gitEnv }, options);
    expect(lines.map(({ by }) => by)).toEqual(['Anna', 'Anna', 'Anna', 'Bela']);
  });

  test('Blame of a setting that only agents have ignores a phone number of the same name.', async () => {
    const line = recordPath({ environment: 'test', kind: 'PhoneNumber', name: 'desk' });
    await write({
      ...record('desk', { event: 'create', appliedAt: at(2) }, { 'settings.number': '+1' }),
      kind: 'PhoneNumber',
    });
    const asked = (path: string) =>
      blame({ ...place.host, env: gitEnv }, { project: place.root, environment: 'test', name: 'desk', path });
    expect(await asked('welcomeMessage')).toMatchObject({ kind: 'Agent', path: hello });
    expect(await asked('number')).toMatchObject({ kind: 'PhoneNumber' });
    await expect(asked('nothing')).rejects.toMatchObject({ code: 'usage' });
    await rm(join(place.root, line));
  });

  test('Blame refuses a setting without an applied value and a resource without a record.', async () => {
    const asked = (name: string, path: string) =>
      blame({ ...place.host, env: gitEnv }, { project: place.root, environment: 'test', name, path });
    await expect(asked('desk', 'settings.agentVoice')).rejects.toMatchObject({ code: 'field-unknown' });
    await expect(asked('gone', hello)).rejects.toMatchObject({ code: 'record-unknown' });
    await expect(asked('*', hello)).rejects.toMatchObject({ code: 'usage' });
  });
});
