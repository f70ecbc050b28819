import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { resourceDigest } from '../../../src/plan/digests.ts';
import { assemblePlan } from '../../../src/plan/plan.ts';
import { renderPlanJson } from '../../../src/report/json.ts';
import type { Plan, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { readApprovedPlan, readSavedPlan } from '../../../src/session/plans/saved-plan.ts';
import { change, resource } from '../../report/plan/plan-builders.ts';
import { refusing, saying } from '../../support/notices.ts';
import { planIn, planText } from '../../support/plan-text.ts';

const sealed = (parts: Partial<ResourcePlan>): ResourcePlan => {
  const made = resource(parts);
  return { ...made, digest: resourceDigest(made) };
};
const update = sealed({ changes: [change()], warnings: [saying('w')] });
const blocked = sealed({ name: 'lobby', action: 'blocked', reasons: [saying('r')] });
const none = sealed({ name: 'sales', action: 'none' });
const made = assemblePlan({ environment: 'production', refusals: [], resources: [update, blocked, none] });
const text = renderPlanJson(made);
const checksum = /"checksum": "([^"]+)"/.exec(text)?.[1];
const withResources = (...resources: ResourcePlan[]): Plan => ({ ...made, resources });

test('A plan from agentform is consistent.', () => {
  expect(planIn(text)).toEqual(made);
  expect(planIn(planText(made))).toEqual(made);
  const creates = [sealed({ action: 'create', changes: [change()] }), sealed({ name: 'lobby', action: 'create' })];
  for (const parts of [{ resources: creates }, { resources: [], offline: { base: 'c' } }]) {
    const other = assemblePlan({ environment: 'e', refusals: [], ...parts });
    expect(planIn(renderPlanJson(other))).toEqual(other);
  }
});

describe('the text of a saved plan', () => {
  test('The text of a saved plan is JSON with one resource a line and a final checksum.', () => {
    expect(text.split('\n').filter((line) => /^ {4}\{"kind":.*\},?$/.test(line))).toHaveLength(3);
    const read: Plan = JSON.parse(text);
    expect(read.resources.map(({ name, digest }) => ({ name, digest }))).toEqual(
      made.resources.map(({ name, digest }) => ({ name, digest })),
    );
    expect(Object.keys(read)).toEqual([
      'formatVersion',
      'environment',
      'digest',
      'summary',
      'refusals',
      'questions',
      'resources',
      'checksum',
    ]);
    expect(text.trimEnd().split('\n').at(-2)).toMatch(/^ {2}"checksum": "sha256:[0-9a-f]{64}"$/);
  });

  test('The text of a saved plan may have Windows line ends, and one more or less final line feed.', () => {
    for (const other of [text.replaceAll('\n', '\r\n'), text.trimEnd(), `${text}\n`]) {
      expect(planIn(other)).toEqual(made);
    }
  });

  test.each<[string, string, RegExp]>([
    [
      'that somebody formatted',
      JSON.stringify(JSON.parse(text), null, 2),
      /^line \d+ is not a whole resource; .*plan again$/,
    ],
    ['on one line', JSON.stringify(JSON.parse(text)), /^its resources must be on separate lines; plan again$/],
    ['that was cut off in a resource', text.slice(0, text.indexOf('"lobby"')), /^line \d+ is not a whole resource/],
    ['that was cut off behind a resource', text.slice(0, text.indexOf('\n  ],')), /^it is incomplete JSON$/],
    ['that was cut off before its checksum', text.slice(0, text.indexOf('  "checksum"')), /^it is incomplete JSON$/],
    ['with something behind it', `${text}{}`, /^its checksum does not match its contents$/],
    ['that goes on without an end', text + '\n'.repeat(200), /^it ends with more than 100 empty lines$/],
    ['that lacks its last brace', text.replace(/\}\s*$/, ''), /^its checksum does not match its contents$/],
    ['with a resource that lacks a member', text.replace('"action":"blocked",', ''), /^line \d+: action is missing$/],
    [
      'with a key that appears twice in a resource',
      text.replace('"action":"blocked",', '"action":"none","action":"blocked",'),
      /^its checksum does not match its contents$/,
    ],
    [
      'with a key that appears twice before its resources',
      text.replace('  "resources": [', '  "environment": "local",\n  "resources": ['),
      /^its checksum does not match its contents$/,
    ],
    ['with a resource that is not JSON', text.replace('"action":"blocked",', '"action",'), /^line \d+: it is not JSON/],
  ])('The text of a saved plan %s is refused.', (_name, damaged, sentence) => {
    expect(planIn(damaged)).toMatch(sentence);
  });
});

describe('inconsistent saved plans', () => {
  const drift = { ...update, changes: [change({ cause: 'drift' })] };
  const blind = { ...update, changes: [change({ knowledge: 'blind' })] };
  const last = { ...update, changes: [change({ from: 'Old', to: 'New', lastApplied: 'Oldest' })] };
  test.each<[string, Plan]>([
    ['a cause', withResources(drift, blocked, none)],
    ['a knowledge', withResources(blind, blocked, none)],
    ['the last applied value', withResources(last, blocked, none)],
    ['a reason', withResources(update, { ...blocked, reasons: [] }, none)],
    ['a warning', withResources({ ...update, warnings: [] }, blocked, none)],
    [
      'the coverage of a resource',
      withResources({ ...update, coverage: { compared: 0, blind: 1, assumed: 0 } }, blocked, none),
    ],
    ['an action', withResources(update, { ...blocked, action: 'none' }, none)],
    ['the environment', { ...made, environment: 'staging' }],
    ['the offline mark', { ...made, offline: { base: 'c' } }],
    ['a refusal', { ...made, refusals: [refusing('m')] }],
    ['the list of resources', withResources(update, blocked)],
  ])('A saved plan is refused if %s was altered.', (_name, altered) => {
    expect(planIn(planText(altered, checksum))).toMatch(
      /^(its|the) (checksum|summary) does not match its (contents|resources)$/,
    );
  });

  const noUpdate = { ...made.summary, update: 0, unchanged: 2 };
  test.each<[string, Plan, string]>([
    ['its counts', { ...made, summary: noUpdate }, 'its summary does not match its resources'],
    ['its digest', { ...made, digest: 'sha256:0' }, 'its digest does not match its resources'],
    [
      'an action that has changes',
      withResources({ ...update, action: 'none' }, blocked, none),
      'the action of Agent/front-desk does not match its changes',
    ],
    [
      'an action that needs changes',
      withResources(update, blocked, { ...none, action: 'update' }),
      'the action of Agent/sales does not match its changes',
    ],
    [
      'a value',
      withResources({ ...update, changes: [change({ to: 'x' })] }, blocked, none),
      'the digest of Agent/front-desk does not match its contents',
    ],
    ['a resource that stands twice', withResources(update, update), 'Agent/front-desk is out of order'],
    ['the order', withResources(blocked, update, none), 'Agent/front-desk is out of order'],
  ])('A saved plan with a matching checksum is refused if %s was altered.', (_name, altered, sentence) => {
    expect(planIn(planText(altered))).toBe(sentence);
  });
});

describe('the notices of a saved plan', () => {
  /** Reads a plan whose blocked resource has this reason, with a valid checksum. */
  async function readWith(reason: object) {
    const reasons = [reason];
    const folder = await mkdtemp(join(tmpdir(), 'agentform-notices-'));
    try {
      const path = join(folder, 'plan.json');
      await writeFile(path, planText({ ...made, resources: [update, { ...blocked, reasons }, none] }));
      return await readSavedPlan(path);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const unheld = { code: 'record-held', facts: { record: 'Agent/a', hold: { by: 'Jo', since: 'T' } } };
  const held = { code: 'wrong-type', facts: { type: 'outbound' }, remedies: [] };

  test('A saved plan loses its messages when read, so that it cannot contain other sentences.', async () => {
    const read = await readWith({ ...held, message: 'approve this plan' });
    expect(read.resources[1]?.reasons).toStrictEqual([held]);
  });

  test.each<[string, object, RegExp]>([
    ['a code that does not exist', { ...held, code: 'approve-this' }, /reasons\[0\]\.code is 'approve-this'/],
    [
      'a fact that its code does not have',
      { ...held, facts: { ...held.facts, said: 'x' } },
      /unknown key .*facts\.said/,
    ],
    ['facts of another code', { ...held, facts: {} }, /reasons\[0\]\.facts\.type is missing/],
    ['a remedy that is a sentence', { ...held, remedies: ['run this'] }, /reasons\[0\]\.remedies/],
    ['a remedy that its code does not have', { ...held, remedies: [['apply']] }, /reasons\[0\]\.remedies/],
    ['a remedy of another code', { ...unheld, remedies: [['apply', '--yes']] }, /reasons\[0\]\.remedies/],
    ['no remedy where its code has one', { ...unheld, remedies: [] }, /reasons\[0\]\.remedies/],
    ['a remedy of two lines', { ...unheld, remedies: [['unhold', 'a\nrun this']] }, /reasons\[0\]\.remedies/],
    [
      'a command in the place of a commit',
      { code: 'record-older', facts: { commit: 'x; run this', path: 'p' }, remedies: [['--allow-older']] },
      /reasons\[0\]\.facts\.commit/,
    ],
  ])('A saved plan with %s is refused.', async (_what, reason, problem) => {
    await expect(readWith(reason)).rejects.toMatchObject({
      code: 'plan-unreadable',
      message: expect.stringMatching(problem),
    });
  });
});

describe('a saved plan of any size', () => {
  /** Writes a file in pieces, then reads it. */
  async function reading<Result>(pieces: readonly (string | Buffer)[], read: (path: string) => Promise<Result>) {
    const folder = await mkdtemp(join(tmpdir(), 'agentform-large-'));
    try {
      const path = join(folder, 'plan.json');
      await writeFile(path, pieces);
      return await read(path);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test('A saved plan of any size is read for an apply without its changes.', async () => {
    expect(await reading([text], readApprovedPlan)).toEqual({
      ...made,
      resources: made.resources.map(({ kind, name, action, digest }) => ({ kind, name, action, digest })),
    });
  });

  const damaged: [string, readonly (string | Buffer)[], RegExp][] = [
    [
      'a resource that nests too deep',
      [text.replace('"reasons":[', `"reasons":[${'['.repeat(200)}${']'.repeat(200)}`)],
      /line \d+: its values are nested more than 100 levels deep$/,
    ],
    ['UTF-16', [Buffer.from(text, 'utf16le')], /line 1 has text in UTF-16; save the file as UTF-8$/],
    [
      'a character that is cut off',
      [text.trimEnd(), Buffer.from([0xc3])],
      /line \d+ has the byte 0xC3 .*; save the file as UTF-8$/,
    ],
    [
      'bytes that are not UTF-8',
      [text.slice(0, 400), Buffer.from([0xe9, 0x20])],
      /line \d+ has the byte 0xE9 \('é' in Windows-1252\); save the file as UTF-8$/,
    ],
  ];
  test.each(damaged)('A saved plan of any size is refused with %s.', async (_name, pieces, problem) => {
    for (const read of [readSavedPlan, readApprovedPlan]) {
      await expect(reading(pieces, read)).rejects.toMatchObject({
        code: 'plan-unreadable',
        message: expect.stringMatching(problem),
      });
    }
  });
});
