import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { writtenPlan } from '../../../src/plan/compact.ts';
import { resourceDigest } from '../../../src/plan/digest.ts';
import { assemblePlan } from '../../../src/plan/plan.ts';
import type { Plan, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { contentsOf, readSavedPlan } from '../../../src/session/plans/saved-plan.ts';
import { change, resource } from '../../report/plan/plan-builders.ts';
import { refusing, saying } from '../../support/notices.ts';

const sealed = (parts: Partial<ResourcePlan>): ResourcePlan => {
  const made = resource(parts);
  return { ...made, digest: resourceDigest(made) };
};
const update = sealed({ changes: [change()], warnings: [saying('w')] });
const blocked = sealed({ name: 'lobby', action: 'blocked', reasons: [saying('r')] });
const none = sealed({ name: 'sales', action: 'none' });
const made = assemblePlan({ environment: 'production', refusals: [], resources: [update, blocked, none] });
const plan = writtenPlan(made);

/** As somebody alters a plan who knows how checksums are made. */
function resealed(altered: Plan): Plan {
  const { checksum: _, ...rest } = altered;
  return writtenPlan(rest);
}
const withResources = (...resources: ResourcePlan[]): Plan => ({ ...plan, resources });

test('a plan that agentform made agrees with itself', () => {
  expect(contentsOf(plan)).toEqual(made);
  const creates = [sealed({ action: 'create', changes: [change()] }), sealed({ name: 'lobby', action: 'create' })];
  for (const parts of [{ resources: creates }, { resources: [], offline: { base: 'c' } }]) {
    const other = assemblePlan({ environment: 'e', refusals: [], ...parts });
    expect(contentsOf(writtenPlan(other))).toEqual(other);
  }
});

describe('a plan does not agree with itself', () => {
  const drift = { ...update, changes: [change({ cause: 'drift' })] };
  const blind = { ...update, changes: [change({ knowledge: 'blind' })] };
  const last = { ...update, changes: [change({ from: 'Old', to: 'New', lastApplied: 'Oldest' })] };
  test.each<[string, Plan]>([
    ['a cause', withResources(drift, blocked, none)],
    ['a knowledge', withResources(blind, blocked, none)],
    ['what was last applied', withResources(last, blocked, none)],
    ['a reason', withResources(update, { ...blocked, reasons: [] }, none)],
    ['a warning', withResources({ ...update, warnings: [] }, blocked, none)],
    [
      'what a resource covers',
      withResources({ ...update, coverage: { compared: 0, blind: 1, assumed: 0 } }, blocked, none),
    ],
    ['an action', withResources(update, { ...blocked, action: 'none' }, none)],
    ['the environment', { ...plan, environment: 'staging' }],
    ['being offline', { ...plan, offline: { base: 'c' } }],
    ['a refusal', { ...plan, refusals: [refusing('m')] }],
    ['a resource left out', withResources(update, blocked)],
  ])('when somebody altered %s', (_name, altered) => {
    expect(contentsOf(altered)).toMatch(/^(its|the) (checksum|summary) does not match its (contents|resources)$/);
  });

  const noUpdate = { ...plan.summary, update: 0, unchanged: 2 };
  test.each<[string, Plan, string]>([
    ['its counts', { ...plan, summary: noUpdate }, 'its summary does not match its resources'],
    ['its digest', { ...plan, digest: 'sha256:0' }, 'its digest does not match its resources'],
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
  ])(
    'A plan does not agree with itself even with a checksum made for it, when somebody altered %s.',
    (_name, altered, sentence) => {
      expect(contentsOf(resealed(altered))).toBe(sentence);
    },
  );
});

describe('the notices of a saved plan', () => {
  /** Reads a plan whose blocked resource has this reason, with a checksum made for it. */
  async function readWith(reason: object) {
    const reasons = [reason] as unknown as ResourcePlan['reasons'];
    const folder = await mkdtemp(join(tmpdir(), 'agentform-notices-'));
    try {
      const path = join(folder, 'plan.json');
      await writeFile(path, JSON.stringify(resealed(withResources(update, { ...blocked, reasons }, none))));
      return await readSavedPlan(path);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const unheld = { code: 'record-held', facts: { record: 'Agent/a', hold: { by: 'Jo', since: 'T' } } };
  const held = { code: 'wrong-type', facts: { type: 'outbound' }, remedies: [] };

  test('A message in a saved plan is dropped, so that it cannot carry a sentence of its own.', async () => {
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
