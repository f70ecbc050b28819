import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { formatMarker, type Marker } from '../../../src/action/github/marker.ts';
import type { RunOrigin } from '../../../src/action/run.ts';
import { shortDigest } from '../../../src/plan/digests.ts';
import type { ResourcePlan } from '../../../src/schemas/plan-types.ts';
import {
  type Author,
  type GitHubServer,
  githubToken,
  person,
  startGitHub,
  workflowBot,
} from '../../support/github-server.ts';

// Starts before the client is imported, because the client reads the address of the API when it is loaded.
let server: GitHubServer;
let approvalOf: typeof import('../../../src/action/github/approvals.ts').approvalOf;
let writeStatus: typeof import('../../../src/action/github/comment.ts').writeStatus;
let GitHub: typeof import('../../../src/action/github/github.ts').GitHub;

beforeAll(async () => {
  server = await startGitHub();
  process.env.GITHUB_API_URL = server.url;
  process.env.GITHUB_REPOSITORY = 'clinic/agents';
  ({ approvalOf } = await import('../../../src/action/github/approvals.ts'));
  ({ writeStatus } = await import('../../../src/action/github/comment.ts'));
  ({ GitHub } = await import('../../../src/action/github/github.ts'));
});
afterAll(() => server.close());
beforeEach(() => {
  server.comments.splice(0);
  server.forbidden.clear();
});

const subject = { environment: 'production', project: '.' };
const digestOf = (sign: string) => `sha256:${sign.repeat(64)}`;
const approves = { 'Agent/front-desk': digestOf('a') };
const whole: Marker = { ...subject, commit: 'head', approves };

function comment(marker: Partial<Marker> = {}, author: Author = workflowBot): void {
  server.addComment(7, author, `${formatMarker({ ...whole, ...marker })}\n### Plan`);
}

const merged: RunOrigin = {
  pullRequest: { number: 7, head: 'head', title: 'T', author: 'ada', url: 'https://x.example' },
};

const run = (inputs: { readonly approveDigest?: string } = {}, token = githubToken) => ({
  inputs,
  subject,
  github: token === '' ? undefined : new GitHub(token),
  redact: (text: string) => text,
});

function resource(sign: string, name = 'front-desk'): ResourcePlan {
  const parts: Pick<ResourcePlan, 'kind' | 'name' | 'digest'> = { kind: 'Agent', name, digest: digestOf(sign) };
  return parts as ResourcePlan;
}

/** Describes how front-desk differs from its approval, or why nothing is approved. */
async function refusal(origin = merged, of = run()): Promise<string | undefined> {
  const approval = await approvalOf(of, origin);
  return approval.differenceOf(resource('a')) && approval.because;
}

test('The comment on the merged pull request approves what it shows.', async () => {
  comment();
  const { differenceOf } = await approvalOf(run(), merged);
  expect(differenceOf(resource('a'))).toBeUndefined();
  expect(differenceOf(resource('b'))).toBe('shown with other changes');
  expect(differenceOf(resource('a', 'night-desk'))).toBe('not shown');
});

test.each<[string, Partial<Marker>, Author, string]>([
  ['of another commit', { commit: 'other' }, workflowBot, 'shows a plan for a commit other than the merged one'],
  ['that was shortened', { shortened: true }, workflowBot, 'was shortened, so it cannot approve the apply'],
  ['of another environment', { environment: 'staging' }, workflowBot, 'has no comment with a plan for production'],
  ['of another project', { project: 'north' }, workflowBot, 'has no comment with a plan for production'],
  ['with only a result', { isResult: true }, workflowBot, 'has no comment with a plan for production'],
  ['of another account', {}, person, 'was written by mallory, not with the token of this run'],
  ['of another account for another environment', { environment: 'staging' }, person, 'has no comment with a plan'],
])('A comment %s approves nothing.', async (_, marker, author, why) => {
  comment(marker, author);
  expect(await refusal()).toContain(why);
});

test('Nothing is approved without a merged pull request whose comments can be read.', async () => {
  comment();
  const because = 'commit 1 does not belong to a merged pull request that could approve it';
  expect(await refusal({ because, isProblem: false })).toBe(because);
  expect(await refusal(merged, run({}, ''))).toContain('the input token is empty');
  server.forbidden.add('issues/list-comments');
  expect(await refusal()).toContain('the comments on pull request 7 cannot be read (Resource not accessible');
});

test('The input approve-digest approves only the plan with this digest.', async () => {
  comment();
  const approval = await approvalOf(run({ approveDigest: 'sha256:x' }), merged);
  expect(approval.because).toBe('the input approve-digest is not the digest of the current plan');
  expect({ plans: [...approval.plans], front: approval.differenceOf(resource('a')) }).toEqual({
    plans: ['sha256:x'],
    front: 'not shown',
  });
});

const part = { number: 1, of: 2, plan: digestOf('f') };

test('The parts of a plan approve together.', async () => {
  comment({ part });
  comment({ part: { ...part, number: 2 }, approves: undefined });
  expect(await refusal()).toBeUndefined();
});

test.each<[string, Partial<Marker> | undefined]>([
  ['is missing', undefined],
  ['belongs to another plan', { part: { ...part, number: 2, plan: digestOf('0') } }],
  ['belongs to a longer plan', { part: { ...part, number: 2, of: 3 } }],
  ['repeats the first', { part }],
  ['is of another commit', { part: { ...part, number: 2 }, commit: 'other' }],
  ['was shortened', { part: { ...part, number: 2 }, shortened: true }],
])('A plan of two parts approves nothing if the second %s.', async (_, second) => {
  comment({ part });
  if (second !== undefined) comment(second);
  expect(await refusal()).toMatch(/is incomplete, so it cannot approve|was shortened, so it cannot approve/);
});

test('The steps of a job approve together, each with its newest plan.', async () => {
  comment({ names: ['front-desk'], approves: { 'Agent/front-desk': digestOf('b') } });
  comment({ names: ['front-desk'] });
  comment({ names: ['night-desk'], approves: { 'Agent/night-desk': digestOf('c') } });
  const { differenceOf } = await approvalOf(run(), merged);
  expect([resource('a'), resource('b'), resource('c', 'night-desk')].map(differenceOf)).toEqual([
    undefined,
    'shown with other changes',
    undefined,
  ]);
});

test('Shortened digests approve resources without their names, and the digest of a plan only the whole plan.', async () => {
  const approvesPlan = digestOf('e');
  comment({ approves: undefined, approvesShort: shortDigest(digestOf('a')), approvesPlan });
  const short = await approvalOf(run(), merged);
  expect(short.differenceOf(resource('a'))).toBeUndefined();
  expect(short.differenceOf(resource('b'))).toBe('not shown, or shown with other changes');
  server.comments.splice(0);
  comment({ approves: undefined, approvesPlan });
  const planOnly = await approvalOf(run(), merged);
  expect([...planOnly.plans]).toEqual([approvesPlan]);
  expect(planOnly.differenceOf(resource('a'))).toBe('approved only as part of a plan that has changed since');
});

test('A result without a plan has a separate comment, which the next result replaces.', async () => {
  const status = (text: string) => ({ commit: 'head', render: () => text });
  for (const text of ['first', 'second']) await writeStatus({ ...run(), ...updating }, 7, status(text));
  expect(server.comments.map(({ body }) => body.split('\n')[1])).toEqual(['second']);
});

const updating = { inputs: { comment: 'update' as const }, host: { now: () => new Date() } };

test('With comment: new, results are separate comments, and the plan stays approved.', async () => {
  comment();
  const always = { ...run(), ...updating, inputs: { comment: 'new' as const } };
  await writeStatus(always, 7, { commit: 'head', render: () => 'failed' });
  expect(server.comments).toHaveLength(2);
  expect(await refusal()).toBeUndefined();
});
