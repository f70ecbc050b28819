import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type AskedQuestion,
  type CommentSubject,
  formatMarker,
  parseMarker,
} from '../../../src/action/github/marker.ts';
import type { PlanQuestion } from '../../../src/action/github/numbered-questions.ts';
import {
  type Author,
  type GitHubServer,
  githubToken,
  type StoredComment,
  startGitHub,
  workflowBot,
} from '../../support/github-server.ts';

// The client waits a second between two writes, so there are few tests.
let server: GitHubServer;
let writePlan: typeof import('../../../src/action/github/comment.ts').writePlan;
let connectGitHub: typeof import('../../../src/action/github/github.ts').connectGitHub;

beforeAll(async () => {
  server = await startGitHub();
  process.env.GITHUB_API_URL = server.url;
  process.env.GITHUB_REPOSITORY = 'clinic/agents';
  ({ writePlan } = await import('../../../src/action/github/comment.ts'));
  ({ connectGitHub } = await import('../../../src/action/github/github.ts'));
});
afterAll(async () => {
  await server.close();
});
beforeEach(() => {
  server.comments.splice(0);
  server.permissions.clear();
  server.permissions.set('ada', 'write');
  server.onRequest = () => undefined;
  server.takeRequests();
});

const ada: Author = { login: 'ada', id: 21, type: 'User' };
const production: CommentSubject = { environment: 'production', project: '.' };

function asking(id: string, digest = 'sha256:1'): PlanQuestion {
  return {
    id,
    digest,
    choices: [
      { letter: 'A', code: 'keep' },
      { letter: 'B', code: 'undo' },
    ],
  };
}

function rendered(asked: readonly AskedQuestion[], text: string): string {
  const boxes = asked.map(({ number, codes, answer }) => {
    const lines = codes.map((code, index) => {
      const letter = 'AB'.charAt(index);
      return `- [${answer?.letter === letter ? 'x' : ' '}] **${letter}** ${code}`;
    });
    return [`<!-- question ${number} -->`, `**${number}. What now?**`, ...lines, ''].join('\n');
  });
  return ['### Plan', text, ...boxes].join('\n');
}

/** Writes a plan as a run does. Returns the numbers of its questions. */
async function plans(
  questions: readonly PlanQuestion[],
  subject = production,
  text = 'Changes',
  comment: 'update' | 'new' = 'update',
): Promise<number[]> {
  const run = {
    inputs: { comment },
    host: { now: () => new Date() },
    github: connectGitHub(githubToken),
    redact: (one: string) => one,
  };
  const render = (asked: readonly AskedQuestion[]) => () => ({
    pages: [rendered(asked, text)],
    shortened: false,
  });
  const parts = { subject, commit: 'c', digest: 'sha256:plan', approves: { approves: { 'Agent/a': 'sha256:a' } } };
  const asked = await writePlan(run, 7, { ...parts, questions, render, footer: '' });
  return asked.map(({ number }) => number);
}

/** A comment with one question, written by an earlier run. */
function existing(subject = production, number = 1, id = 'Agent/web-chat'): StoredComment {
  const question = { number, id, digest: 'sha256:1', codes: ['keep', 'undo'], since: '2026-01-01T00:00:00Z' };
  const marker = JSON.stringify({
    formatVersion: 1,
    ...subject,
    commit: 'b',
    questions: [question],
    lastNumber: number,
  });
  const body = `<!-- agentform ${marker.replaceAll('-', '\\u002d')} -->\n${rendered([question], 'Changes')}`;
  return server.addComment(7, workflowBot, body);
}

function tick(comment: StoredComment, letter = 'A'): void {
  server.editComment(comment, ada, comment.body.replace(`- [ ] **${letter}**`, `- [x] **${letter}**`));
}

test('The next comment carries an answer over, keeps the numbers, and gives a changed question a new number.', async () => {
  const comment = existing();
  tick(comment);
  expect(await plans([asking('Agent/desk'), asking('Agent/web-chat')])).toEqual([2, 1]);
  expect(comment.body).toContain('**1. What now?**\n- [x] **A** keep');
  expect(comment.body).toContain('**2. What now?**\n- [ ] **A** keep');
  const marker = parseMarker(comment.body);
  expect(marker?.questions?.[1]?.answer).toMatchObject({ letter: 'A', by: 'ada' });
  // Ticked boxes do not hide an approval.
  tick(comment, 'B');
  expect(parseMarker(comment.body)?.approves).toEqual({ 'Agent/a': 'sha256:a' });
  expect(await plans([asking('Agent/web-chat', 'sha256:2')])).toEqual([3]);
  expect(comment.body).not.toContain('[x]');
  expect(server.complaints).toEqual([]);
});

test('An answer outlives a plan without questions, and its number is not used again.', async () => {
  const comment = existing();
  tick(comment);
  expect(await plans([])).toEqual([]);
  expect(await plans([asking('Agent/desk'), asking('Agent/web-chat')])).toEqual([2, 1]);
  expect(comment.body).toContain('**1. What now?**\n- [x] **A** keep');
});

test('A tick or typed answer that arrives while the plan is written is not lost.', async () => {
  const comment = existing();
  let lists = 0;
  server.onRequest = (operation) => {
    if (operation !== 'issues/list-comments') return;
    lists += 1;
    if (lists === 2) tick(comment);
    if (lists === 4) server.addComment(7, ada, '1B');
  };
  await plans([asking('Agent/web-chat')], production, 'Other changes');
  expect(comment.body).toContain('Other changes');
  expect(comment.body).toContain('- [ ] **A** keep\n- [x] **B** undo');
});

test('Two runs that assign one number at the same moment end with different numbers.', async () => {
  const staging: CommentSubject = { environment: 'staging', project: '.' };
  const comment = existing({ ...production });
  server.onRequest = (operation) => {
    if (operation !== 'issues/update-comment') return;
    server.onRequest = () => undefined;
    // The other run wrote after this one read.
    existing(staging, 2, 'Agent/other');
  };
  expect(await plans([asking('Agent/web-chat'), asking('Agent/desk')])).toEqual([1, 4]);
  expect(comment.body).toContain('<!-- question 4 -->');
});

test('Questions beyond those of the comment use up their numbers, and do not displace one that was asked.', async () => {
  const many = Array.from({ length: 60 }, (_, index) => asking(`Agent/a${index}`));
  expect(await plans(many)).toEqual(many.map((_, index) => index + 1));
  const [comment] = server.comments;
  expect(parseMarker(comment?.body ?? '')?.questions).toHaveLength(50);
  const next = [asking('Agent/new'), ...many.slice(0, 50)];
  expect(await plans(next)).toEqual([61, ...many.slice(0, 50).map((_, index) => index + 1)]);
  const numbers = parseMarker(comment?.body ?? '')?.questions?.map(({ number }) => number);
  expect(numbers).toEqual(many.slice(0, 50).map((_, index) => index + 1));
});

test('An edited first line does not give a question the number or the time of another one.', async () => {
  const comment = existing();
  server.addComment(7, ada, '1A');
  expect(await plans([asking('Agent/web-chat', 'sha256:2')])).toEqual([2]);
  const moved = { digest: 'sha256:2', number: 1, since: '2026-01-01T00:00:00Z' };
  const marker = parseMarker(comment.body);
  const questions = marker?.questions?.map((question) => ({ ...question, ...moved })) ?? [];
  if (marker === undefined) throw new Error('there is no marker');
  const grace: Author = { login: 'grace', id: 22, type: 'User' };
  server.permissions.set('grace', 'write');
  server.editComment(
    comment,
    grace,
    `${formatMarker({ ...marker, questions, answered: [] })}\n${rendered(questions, 'Changes')}`,
  );
  await plans([asking('Agent/web-chat', 'sha256:2')], production, 'Other changes');
  await plans([asking('Agent/web-chat', 'sha256:2')], production, 'More changes');
  expect(parseMarker(comment.body)?.questions?.[0]?.answer).toBeUndefined();
});

test.each(['update', 'new'] as const)(
  'If GitHub does not say who ticked, no comment is written, and the next run keeps the tick (comment: %s).',
  async (comment) => {
    const earlier = existing();
    tick(earlier);
    const { body } = earlier;
    server.faults.set('graphql edits', [{ status: 403, message: 'Resource not accessible by integration' }]);
    expect(await plans([asking('Agent/web-chat')], production, 'Other changes', comment)).toEqual([1]);
    expect(server.comments.map((one) => one.body)).toEqual([body]);
    await plans([asking('Agent/web-chat')], production, 'Other changes', comment);
    const newest = server.comments.at(-1)?.body ?? '';
    expect(newest).toContain('Other changes');
    expect(parseMarker(newest)?.questions?.[0]?.answer).toMatchObject({ letter: 'A', by: 'ada' });
  },
);

test('The first comment of a step is written even if the answers in other comments cannot be read.', async () => {
  existing({ environment: 'staging', project: '.' });
  server.faults.set('graphql edits', [{ status: 403, message: 'Resource not accessible by integration' }]);
  expect(await plans([asking('Agent/desk')])).toEqual([2]);
  expect(server.comments).toHaveLength(2);
});

test('A plan that never asked a question sends no further request.', async () => {
  await plans([]);
  expect(server.takeRequests()).toEqual(['graphql viewer', 'issues/list-comments', 'issues/create-comment']);
});
