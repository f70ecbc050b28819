import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findRepository } from '../../../src/git/repository.ts';
import {
  type CommittedRecords,
  commitMessage,
  type MessageParts,
  recordHistory,
  recordsOfVersions,
} from '../../../src/record/git/history.ts';
import { recordKeyAt, recordPath, recordText } from '../../../src/record/record-text.ts';
import { commitAll, git } from '../../support/git.ts';
import { agentRecord } from '../../support/observations.ts';

const keyOf = (name: string, environment = 'test') => ({ environment, kind: 'Agent', name });
const saved = (name: string, parts: Parameters<typeof agentRecord>[1] = {}) =>
  recordText(agentRecord({}, { ...keyOf(name), ...parts }));

describe('commit messages of records', () => {
  const change = (name: string, texts: { readonly before?: string; readonly text?: string }) => ({
    file: recordPath(keyOf(name)),
    before: texts.before,
    text: texts.text,
  });
  const message = (changes: MessageParts['changes'], parts: Partial<MessageParts> = {}) =>
    commitMessage({ what: 'Apply to test', changes, project: '', from: undefined, by: 'Tess', ...parts });
  const deeds = (changes: MessageParts['changes']) =>
    message(changes)
      .split('\n')
      .slice(2, 2 + changes.length);
  const intent = { operation: 'create', startedAt: '2026-01-01T00:00:00.000Z', runId: 'r' } as const;

  test('A commit message has the action, the records, the commit, the project and the person.', () => {
    const live = { file: recordPath(keyOf('b', 'live')), before: undefined, text: saved('b') };
    const changes = [change('a', { text: saved('a') }), live, { ...live, file: 'elsewhere.json' }];
    expect(message(changes, { project: 'agents/', from: 'abc' })).toBe(
      [
        'Apply to test: a and b',
        '',
        'Agent/a: recorded (camp_1)',
        'Agent/b: recorded (camp_1)',
        '',
        'Environment: test, live',
        'Project: agents/',
        'Applied-from: abc',
        'Applied-by: Tess',
        '',
      ].join('\n'),
    );
  });

  test('A commit message omits a project at the top and an unknown commit.', () => {
    expect(
      message([change('a', { text: saved('a') })])
        .split('\n')
        .slice(-3),
    ).toEqual(['Environment: test', 'Applied-by: Tess', '']);
  });

  test.each([
    [3, 'Apply to test: a0, a1 and a2'],
    [5, 'Apply to test: a0, a1, a2 and 2 more'],
    [6, 'Apply to test: a0, a1, a2 and 3 more'],
  ])(
    'A commit message names up to three of %d records in its first line, and the environment once.',
    (count, subject) => {
      const changes = Array.from({ length: count }, (_, index) => change(`a${index}`, { text: saved('a') }));
      const lines = message(changes).split('\n');
      expect(lines[0]).toBe(subject);
      expect(lines.filter((line) => line.startsWith('Agent/'))).toHaveLength(count);
      expect(lines).toContain('Environment: test');
    },
  );

  test('A commit message names the result for each record.', () => {
    const { id: _, ...withoutId } = agentRecord({}, keyOf('a'));
    const begun = recordText({ ...withoutId, intent });
    expect(
      deeds([
        change('a', { before: saved('a') }),
        change('b', { text: begun }),
        change('c', { before: begun, text: saved('c', { id: 'camp_7' }) }),
        change('d', { before: saved('d'), text: recordText(withoutId) }),
        change('e', { before: 'no JSON', text: saved('e') }),
        change('f', { before: 'null', text: '[7]' }),
      ]),
    ).toEqual([
      'Agent/a: record removed',
      'Agent/b: create started',
      'Agent/c: created (camp_7)',
      'Agent/d: recorded',
      'Agent/e: recorded (camp_1)',
      'Agent/f: recorded',
    ]);
  });
});

describe.each(['', 'agents/'])('the history of a project at %j', (prefix) => {
  let folder: string;
  let files: CommittedRecords;
  const commits: string[] = [];

  /** The history is created once, because tests only read it. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentform-history-'));
    await git(folder, 'init', '--quiet', '--initial-branch=main');
    commits.length = 0;
    await committed('Apply to test: a', { a: saved('a') }, '\n\nApplied-from: abc');
    await committed('Apply to test: a', { a: saved('a', { lastUpdate: 7 }), b: saved('b') });
    await committed('Elsewhere', { '../../live/Agent/c': saved('c'), '../notes': '{}' });
    await committed('Forget a: "é"', { a: undefined });
    const found = await findRepository(join(folder, prefix));
    if ('problem' in found) throw new Error(found.problem);
    files = { repository: found, pathOf: recordPath, keyAt: recordKeyAt };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const log = (of: Parameters<typeof recordHistory>[2]) => recordHistory(files, commits.at(-1) ?? '', of);

  test('The history of an environment has the commits that changed its records, the newest first.', async () => {
    const entries = await log({ environment: 'test' });
    expect(entries.map(({ commit }) => commit)).toEqual([...commits].reverse());
    expect(entries.map(({ what, by }) => `${what} by ${by}`)).toEqual([
      'Forget a: "é" by Tess',
      'Elsewhere by Tess',
      'Apply to test: a by Tess',
      'Apply to test: a by Tess',
    ]);
    expect(entries.map(({ records }) => records)).toEqual([
      [{ ...keyOf('a'), change: 'removed' }],
      [],
      [
        { ...keyOf('a'), change: 'changed' },
        { ...keyOf('b'), change: 'added' },
      ],
      [{ ...keyOf('a'), change: 'added' }],
    ]);
  });

  test('The history of a project has the time, and the commit if the message names one.', async () => {
    const [last, ...others] = (await log({ environment: 'test' })).reverse();
    const seconds = await git(folder, 'log', '-1', '--format=%ct', commits[0] ?? '');
    expect(last).toMatchObject({ from: 'abc', date: new Date(Number(seconds) * 1000).toISOString() });
    for (const other of others) expect(other).not.toHaveProperty('from');
  });

  test('The history of one record has its own commits.', async () => {
    expect((await log({ environment: 'test', records: [keyOf('b')] })).map(({ commit }) => commit)).toEqual([
      commits[1],
    ]);
    expect(await log({ environment: 'test', records: [keyOf('nobody')] })).toEqual([]);
    expect(await log({ environment: 'nowhere' })).toEqual([]);
  });

  test('The history of a project has a record as each commit had it.', async () => {
    const at = async (index: number) =>
      (await recordsOfVersions(files, [{ ...keyOf('a'), commit: commits[index] ?? '' }]))[0];
    expect(await at(0)).toEqual(agentRecord({}, keyOf('a')));
    expect(await at(1)).toEqual(agentRecord({}, { ...keyOf('a'), lastUpdate: 7 }));
    expect(await at(3)).toBeUndefined();
    const commit = (commits[0] ?? '').slice(0, 4).toUpperCase();
    expect(await recordsOfVersions(files, [{ ...keyOf('a'), commit }])).toEqual([expect.anything()]);
  });

  test.each([
    ['a name', 'main', 'it is not a commit id'],
    ['an option', '--all', 'it is not a commit id'],
    ['too short an id', 'abc', 'it is not a commit id'],
    ['an id with more behind it', 'abcd:x', 'it is not a commit id'],
    ['an id with more before it', '^abcd', 'it is not a commit id'],
    ['an id that nothing has', '0'.repeat(40), 'the repository does not have this commit'],
  ])('The history of a project refuses %s as a commit.', async (_what, commit, why) => {
    await expect(recordsOfVersions(files, [{ ...keyOf('a'), commit }])).rejects.toMatchObject({
      code: 'record-unknown',
      message: `no record at ${JSON.stringify(commit)}: ${why}; run \`agentform history Agent/a -e test\` to list the commits`,
    });
  });

  test('The history of a project names a record that is too large.', async () => {
    const huge = await committed('Huge', { huge: 'x'.repeat(17 * 2 ** 20) });
    commits.pop();
    await expect(recordsOfVersions(files, [{ ...keyOf('huge'), commit: huge }])).rejects.toMatchObject({
      code: 'record-unreadable',
      message: expect.stringMatching(/^the record \.agentform\/records\/test\/Agent\/huge\.json cannot be read: ./),
    });
  });

  /** Commits texts of records by name. Undefined removes a record. */
  async function committed(subject: string, texts: Readonly<Record<string, string | undefined>>, rest = '') {
    for (const [name, text] of Object.entries(texts)) {
      const path = join(folder, prefix, recordPath(keyOf(name)));
      await mkdir(dirname(path), { recursive: true });
      await (text === undefined ? rm(path) : writeFile(path, text));
    }
    const commit = await commitAll(folder, `${subject}${rest}`);
    commits.push(commit);
    return commit;
  }
});
