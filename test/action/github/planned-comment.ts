import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { NewApply } from '../../../src/action/github/applied.ts';
import type { Approvals, AskedQuestion, CommentSubject } from '../../../src/action/github/marker.ts';
import { shortDigest, textDigest } from '../../../src/plan/digests.ts';
import type { GroupOf } from '../../../src/plan/questions.ts';
import type { Question } from '../../../src/schemas/plan-types.ts';
import {
  type Author,
  type GitHubServer,
  githubToken,
  type StoredComment,
  startGitHub,
  workflowBot,
} from '../../support/github-server.ts';

export let server: GitHubServer;
let writePlan: typeof import('../../../src/action/github/comment.ts').writePlan;
let writeResult: typeof import('../../../src/action/github/comment.ts').writeResult;
export let GitHub: typeof import('../../../src/action/github/github.ts').GitHub;

beforeAll(async () => {
  server = await startGitHub();
  process.env.GITHUB_API_URL = server.url;
  process.env.GITHUB_REPOSITORY = 'clinic/agents';
  ({ writePlan, writeResult } = await import('../../../src/action/github/comment.ts'));
  ({ GitHub } = await import('../../../src/action/github/github.ts'));
});
afterAll(async () => {
  await server.close();
});
beforeEach(() => {
  server.comments.splice(0);
  server.current.splice(0, 1, { number: 7, base: 'b', head: 'c' });
  server.permissions.clear();
  server.permissions.set('ada', 'write');
  server.onRequest = () => undefined;
  server.takeRequests();
});

export const ada: Author = { login: 'ada', id: 21, type: 'User' };
export const production: CommentSubject = { environment: 'production', project: '.' };

export function asking(id: string, digest = `digest of ${id}`): Question {
  return {
    id,
    digest,
    number: 1,
    kind: 'drift',
    resources: [id],
    paths: ['settings.title'],
    digests: [`part${shortDigest(textDigest(digest))}`],
    choices: [
      { letter: 'A', code: 'keep' },
      { letter: 'B', code: 'undo' },
    ],
  };
}

export function rendered(asked: readonly AskedQuestion[], text: string): string {
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
export function plans(
  questions: readonly Question[],
  ...how: [subject?: CommentSubject, text?: string | readonly string[], comment?: 'update' | 'new']
): Promise<number[]> {
  return plansBy(() => questions, ...how);
}

/** Writes the result of an apply that left out the resources of these questions. */
export function applies(
  questions: readonly Question[],
  subject = production,
  comment: 'update' | 'new' = 'update',
  applied?: NewApply,
): Promise<void> {
  const render = (asked: readonly AskedQuestion[]) => () =>
    ['Result, questions', ...asked.map(({ number, answer }) => `${number}${answer?.letter ?? ''}`)].join(' ');
  return writeResult(runOf(subject, comment), 7, { commit: 'c', questionsBy: () => questions, render, applied });
}

/** Returns an apply that changed one agent. `changes` is the text that describes the changes. */
export function applied(day: number, changes: string): NewApply {
  const apply = { at: `2026-11-0${day}T10:00:00Z`, commit: `c${day}`, what: '1 agent', run: { id: day, number: day } };
  return { apply, render: (limit) => changes.slice(0, limit) };
}

function runOf(subject: CommentSubject, comment: 'update' | 'new') {
  return {
    subject,
    inputs: { comment },
    host: { now: () => new Date() },
    github: new GitHub(githubToken),
    redact: (one: string) => one,
  };
}

/** Writes a plan whose questions are split by earlier answers. `text` is the text of each comment. */
export async function plansBy(
  questionsBy: (groupOf?: GroupOf) => readonly Question[],
  subject = production,
  text: string | readonly string[] = 'Changes',
  comment: 'update' | 'new' = 'update',
  approves: Approvals = { approves: { 'Agent/a': 'sha256:a' } },
): Promise<number[]> {
  const run = runOf(subject, comment);
  const [first = '', ...others] = [text].flat();
  const render: Parameters<typeof writePlan>[2]['render'] = (written) => () => ({
    pages: [rendered(written.questions, first), ...others],
    shortened: false,
  });
  const parts = { commit: 'c', digest: 'sha256:plan', approves };
  const { questions } = await writePlan(run, 7, { ...parts, questionsBy, render, footer: '' });
  return questions.map(({ number }) => number);
}

/** A comment with one question, written by an earlier run. */
export function existing(subject = production, number = 1, id = 'Agent/web-chat'): StoredComment {
  const question = { number, id, digest: `digest of ${id}`, codes: ['keep', 'undo'], since: '2026-01-01T00:00:00Z' };
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

export function tick(comment: StoredComment, letter = 'A'): void {
  server.editComment(comment, ada, comment.body.replace(`- [ ] **${letter}**`, `- [x] **${letter}**`));
}
