import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Approval } from '../../src/commands/apply/approvals.ts';
import { hold, unhold } from '../../src/commands/hold/hold.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import { splitQuestions, subjectOf } from '../../src/plan/questions.ts';
import { sentenceOf } from '../../src/report/notices.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { exitCodeOfLedger, exitCodeOfPlan } from '../../src/session/plans/plan-result.ts';
import { commitAll, initRepository } from '../support/git.ts';
import {
  actions,
  agent,
  applied,
  host,
  ids,
  options,
  outcomes,
  place,
  planned,
  project,
  recordOf,
  resourceOf,
  service,
  setClock,
  titles,
  token,
  twoSteps,
  version,
} from './rollout-project.ts';

test('A changed variable is rolled out in steps, by the clock of the service.', async () => {
  await version('v2');
  const first = await planned();
  expect(actions(first)).toEqual({ ada: 'update', bob: 'waiting', cid: 'waiting', dan: 'waiting' });
  expect(first.summary).toMatchObject({ update: 1, waiting: 3, unchanged: 0 });
  expect(first.rollout).toEqual({
    steps: [
      { step: 1, select: 'ring=canary', resources: 1, done: 0, pending: 1, isOpen: true },
      {
        ...{ step: 2, select: 'ring=early', resources: 2, done: 0, pending: 2, isOpen: false },
        notBefore: '2026-11-27T09:00:00Z',
      },
      { step: 3, share: '100%', resources: 1, done: 0, pending: 1, isOpen: false },
    ],
  });
  expect(resourceOf(first, 'bob')).toMatchObject({
    ...{ action: 'waiting', willBe: 'update', step: 2, notBefore: '2026-11-27T09:00:00Z' },
    changes: [{ path: 'settings.title', from: 'v1', to: 'v2' }],
  });
  expect(resourceOf(first, 'dan')).not.toHaveProperty('notBefore');
  expect(exitCodeOfPlan(first, { pendingCounts: false })).toBe(0);
  expect(exitCodeOfPlan(first, { pendingCounts: true })).toBe(2);

  const { ledger } = await applied();
  expect(exitCodeOfLedger(ledger)).toBe(0);
  expect(titles()).toEqual({ ada: 'v2', bob: 'v1', cid: 'v1', dan: 'v1' });
  setClock('2026-11-27T08:59:59Z');
  expect(await outcomes()).toEqual({ ada: 'unchanged', bob: 'waiting', cid: 'waiting', dan: 'waiting' });
  setClock('2026-11-27T09:00:00Z');
  expect(await outcomes()).toEqual({ ada: 'unchanged', bob: 'applied', cid: 'applied', dan: 'waiting' });
  setClock('2026-11-27T10:00:00Z');
  expect(await outcomes()).toEqual({ ada: 'unchanged', bob: 'unchanged', cid: 'unchanged', dan: 'applied' });
  expect(titles()).toEqual({ ada: 'v2', bob: 'v2', cid: 'v2', dan: 'v2' });
});

test('A result counts only the agents that a waiting agent still awaits after the apply.', async () => {
  const lacking = async () => {
    const { entries } = (await applied()).ledger;
    const counts = entries.map(({ name, reasons = [] }) => {
      return [name, ...reasons.flatMap((one) => (one.code === 'step-closed' ? [one.facts.lacking] : []))];
    });
    return counts.map((each) => each.join(' '));
  };
  await version('v2');
  expect(await lacking()).toEqual(['ada', 'bob 0', 'cid 0', 'dan 2']);
  service.edit(ids.ada ?? '', { title: 'Edited' });
  // The undone edit of ada is no step towards the new content.
  expect(await lacking()).toEqual(['ada', 'bob 0', 'cid 0', 'dan 2']);
  expect(titles()).toMatchObject({ ada: 'v2' });
});

test('A hold in an earlier step stops the rollout until it is released or within the allowed number.', async () => {
  await version('v2');
  await hold(host(), { ...options(), names: ['ada'], reason: 'later' });
  const stopped = await planned();
  expect(actions(stopped)).toEqual({ ada: 'blocked', bob: 'waiting', cid: 'waiting', dan: 'waiting' });
  expect(stopped.rollout?.stopped).toEqual({ failed: [], held: ['Agent/ada'] });
  expect(resourceOf(stopped, 'bob')).not.toHaveProperty('notBefore');
  await project(twoSteps, ', stop: { held: 1 }');
  await version('v2');
  expect(actions(await planned())).toEqual({ ada: 'blocked', bob: 'update', cid: 'update', dan: 'waiting' });
  await unhold(host(), { ...options(), names: ['ada'] });
  expect(actions(await planned())).toMatchObject({ ada: 'update', bob: 'waiting' });
});

test('A record that no apply wrote counts as pending, and the next apply of the agent rewrites it.', async () => {
  await version('v2');
  await outcomes();
  setClock('2026-11-28T09:00:00Z');
  const path = '.agentform/records/production/Agent/ada.json';
  const text = await place.read(path);
  await place.write(path, text.replace(/,\n *"hmac": "[^"]*"/, ''));
  expect(JSON.parse(await place.read(path))).not.toHaveProperty('hmac');
  expect(await outcomes()).toMatchObject({ ada: 'unchanged', bob: 'waiting' });
  expect((await recordOf('ada')).declared.since).toBe('2026-11-28T09:00:00.000Z');
  setClock('2026-11-29T09:00:00Z');
  expect(await outcomes()).toMatchObject({ ada: 'unchanged', bob: 'applied' });
});

test('The option --skip-rollout does not wait, and the record and the ledger keep the decision.', async () => {
  await version('v2');
  const { ledger } = await applied({ decisions: decisionsOf({ skipRollout: true }) });
  expect(ledger.entries.map(({ outcome }) => outcome)).toEqual(Array(4).fill('applied'));
  expect((await recordOf('ada')).overruled).toBeUndefined();
  expect((await recordOf('bob')).overruled).toEqual([{ rule: 'rollout', names: ['step 2'], by: 'flag' }]);
});

/** The approval by a comment with a plan. */
function commentOn({ resources }: Plan): Approval {
  const shown = new Map(resources.map(({ name, digest }) => [name, digest]));
  return {
    plans: new Set(),
    differenceOf: ({ name, digest }) => (shown.get(name) === digest ? undefined : 'not shown'),
    because: 'the comment shows another plan',
  };
}

const nothing: Approval = { plans: new Set(), differenceOf: () => 'not shown', because: 'there is no comment' };

const withApproval = (approval: Approval, pullRequest?: number) => ({
  approvedEach: approval,
  approvedBy: approval,
  ...(pullRequest !== undefined && { pullRequest }),
});

test('The approval of a waiting agent is recorded, and is valid until its declared settings change.', async () => {
  await version('v2');
  const made = await planned();
  expect(await outcomes(withApproval(commentOn(made), 7))).toMatchObject({ ada: 'applied', bob: 'waiting' });
  expect((await recordOf('bob')).approval).toMatchObject({ digest: resourceOf(made, 'bob').digest, pullRequest: 7 });
  setClock('2026-11-27T09:00:00Z');
  await agent('cid', 'Cid ${var.version}');
  expect(await outcomes(withApproval(nothing))).toMatchObject({ bob: 'applied', cid: 'not attempted', dan: 'waiting' });
  expect(await recordOf('bob')).not.toHaveProperty('approval');
  expect((await recordOf('dan')).approval).toMatchObject({ pullRequest: 7 });
});

/** Renames the manifest of bob to bobby, and leaves the agent's id to the record. */
async function renameBob(): Promise<void> {
  const text = await place.read('agents/bob.yaml');
  const renamed = text.replace('name: bob', 'name: bobby\nrenamedFrom: bob').replace(/agentId: \w+, /, '');
  await place.write('agents/bobby.yaml', renamed);
  await rm(join(place.root, 'agents/bob.yaml'));
}

test('A waiting agent that was renamed keeps its record, its approval and its answers until its step opens.', async () => {
  await instructedAndEdited();
  await renameBob();
  await version('v2');
  const made = await planned();
  expect(resourceOf(made, 'bobby')).toMatchObject({ action: 'waiting', renamedFrom: 'bob' });
  const answers = [{ question: 'Agent/bobby/drift', choice: 'keep', by: 'ada', in: '#7' }];
  expect(await outcomes({ ...withApproval(commentOn(made), 7), answers })).toMatchObject({ bobby: 'waiting' });
  expect(await recordOf('bob')).toMatchObject({ id: ids.bob, approval: { pullRequest: 7 } });
  await expect(recordOf('bobby')).rejects.toThrow('ENOENT');
  expect(actions(await planned())).toMatchObject({ bobby: 'waiting' });

  setClock('2026-11-28T09:00:00Z');
  expect(await outcomes(withApproval(nothing))).toMatchObject({ bobby: 'applied', dan: 'waiting' });
  expect([titles().bob, instructions()]).toEqual(['v2', 'Hi.']);
  expect(await recordOf('bobby')).toMatchObject({ id: ids.bob, renames: [{ from: 'bob' }] });
  await expect(recordOf('bob')).rejects.toThrow('ENOENT');
});

/** Gives bob instructions in the files and on the service, in any step. */
async function instruct(text: string): Promise<void> {
  await agent('bob');
  const instructions = `agentInstructions: ${JSON.stringify(text)}, description`;
  await place.write('agents/bob.yaml', (await place.read('agents/bob.yaml')).replace('description', instructions));
}

const instructions = () => service.agentOf(token, 'bob')?.settings.agentInstructions;

/** Applies a plan of the version v2 with this answer and an approval. Later runs have neither. */
async function answeredOnce(question: string, choice: string) {
  await version('v2');
  const comment = commentOn(await planned());
  return outcomes({ ...withApproval(comment), answers: [{ question, choice, by: 'ada', in: '#7' }] });
}

async function instructedAndEdited(): Promise<void> {
  await instruct('Hello.');
  await applied({ decisions: decisionsOf({ skipRollout: true }) });
  service.edit(ids.bob ?? '', { agentInstructions: 'Hi.' });
}

test('The approval of a waiting agent stays valid if an answer keeps one of its dashboard edits.', async () => {
  await instructedAndEdited();
  expect(await answeredOnce('Agent/bob/drift', 'keep')).toMatchObject({ ada: 'applied', bob: 'waiting' });
  setClock('2026-11-28T09:00:00Z');
  expect(await outcomes(withApproval(nothing))).toMatchObject({ bob: 'applied', dan: 'waiting' });
  expect([titles().bob, instructions()]).toEqual(['v2', 'Hi.']);
});

test('If an answer undoes an edit of a waiting agent, a later run undoes the edit.', async () => {
  await instructedAndEdited();
  const file = await place.read('agentform.yaml');
  await place.write('agentform.yaml', file.replace('    variables', '    unanswered: leave\n    variables'));
  expect(await answeredOnce('Agent/bob/drift', 'undo')).toMatchObject({ ada: 'applied', bob: 'waiting' });
  setClock('2026-11-28T09:00:00Z');
  const { plan: made, shown } = await plan(host(), options());
  expect(resourceOf(shown, 'bob').changes).toContainEqual(expect.objectContaining({ from: 'Hi.', to: 'Hello.' }));
  expect(shown.questions.map(({ kind }) => kind)).toEqual(['write-only']);
  // A comment asks the open questions of the plan before answers, because later answers are bound to its digests.
  const asked = splitQuestions({ ...made, questions: shown.questions }, () => '');
  expect(asked.map(({ digest }) => digest)).toEqual(shown.questions.map(({ digest }) => digest));
  expect(await outcomes(withApproval(nothing))).toMatchObject({ bob: 'applied', dan: 'waiting' });
  expect([titles().bob, instructions()]).toEqual(['v2', 'Hello.']);
});

test('If an answer leaves out a waiting agent, later runs leave it out until someone answers again.', async () => {
  const rules = '# Rules\nBe kind.\n';
  await instruct(`${rules}# Emergencies\nCall 911.\n`);
  await applied({ decisions: decisionsOf({ skipRollout: true }) });
  await instruct(rules);
  expect(await answeredOnce('Agent/bob', 'leave-out')).toMatchObject({ ada: 'applied', bob: 'left out' });
  setClock('2026-11-28T09:00:00Z');
  const preview = await plan(host(), options());
  expect(resourceOf(preview.shown, 'bob').reasons).toMatchObject([{ code: 'left-out', facts: { by: 'ada' } }]);
  expect([preview.shown.questions, preview.shown.digest]).toEqual([[], preview.plan.digest]);
  // Approvals and saved plans are compared with the plan before answers.
  expect(resourceOf(preview.plan, 'bob').action).toBe('update');
  const { entries } = (await applied(withApproval(nothing))).ledger;
  expect(Object.fromEntries(entries.map(({ name, outcome }) => [name, outcome]))).toMatchObject({
    ...{ bob: 'left out', cid: 'applied', dan: 'waiting' },
  });
  // Time alone does not open the step of dan.
  const closed = entries.find(({ name }) => name === 'dan')?.reasons?.[0];
  expect(closed?.facts).toEqual({ step: 3, of: 3, lacking: 1, failed: 0, held: 0, leftOut: 1 });
  expect(closed && sentenceOf(closed)).toContain(
    'waits for step 3 of 3: 1 agent in earlier steps still needs the change, but an answer leaves it out',
  );
  expect(titles()).toMatchObject({ bob: 'v1', cid: 'v2' });
  const goOn = { question: 'Agent/bob', choice: 'go-on' };
  expect(await outcomes({ ...withApproval(nothing), answers: [goOn] })).toMatchObject({ bob: 'applied' });
  expect(instructions()).toBe(rules);
});

test('An answer that is no longer valid, but protects a waiting agent, leads to no approval.', async () => {
  await instructedAndEdited();
  await version('v2');
  const plan = await planned();
  const [digest = ''] = plan.questions.find(({ kind }) => kind === 'drift')?.digests ?? [];
  // The digest of an earlier edit of the same agent.
  const earlier = subjectOf(digest).padEnd(digest.length, 'A');
  const answers = [{ question: 'Agent/bob/drift', choice: 'keep', digests: [earlier], in: '#7' }];
  expect(await outcomes({ ...withApproval(commentOn(plan)), answers })).toMatchObject({ bob: 'waiting' });
  expect((await recordOf('bob')).approval).toBeUndefined();
  expect((await recordOf('cid')).approval).toBeDefined();
});

test('A plan with a base commit first reports a changed rollout and the labels that move agents to an earlier step.', async () => {
  initRepository(place.root);
  await commitAll(place.root, 'First');
  expect((await planned({ base: 'HEAD' })).rollout).not.toHaveProperty('notices');
  await project('{ select: ring=canary }, { share: 100%, after: 1h }');
  const manifest = await place.read('agents/dan.yaml');
  await place.write('agents/dan.yaml', manifest.replace('ring: late', 'ring: canary'));
  expect((await planned({ base: 'HEAD' })).rollout?.notices).toMatchObject([
    { code: 'rollout-changed', facts: { now: ['ring=canary', '100% after 1h'] } },
    { code: 'step-earlier', facts: { resources: ['Agent/dan'], from: 2, to: 1 } },
  ]);
  await project();
  expect((await planned({ base: 'HEAD' })).rollout).toMatchObject({
    steps: [],
    notices: [{ code: 'rollout-changed', facts: { now: [] } }],
  });
});
