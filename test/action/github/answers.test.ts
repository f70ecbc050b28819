import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { GitHub } from '../../../src/action/github/github.ts';
import { type AskedQuestion, formatMarker, type Marker, parseMarker } from '../../../src/action/github/marker.ts';
import {
  type Author,
  type GitHubServer,
  githubToken,
  person,
  type StoredComment,
  startGitHub,
  workflowBot,
} from '../../support/github-server.ts';

// Starts before the client is imported, because the client reads the address of the API when it is loaded.
let server: GitHubServer;
let github: GitHub;
let answersOn: typeof import('../../../src/action/github/answers.ts').answersOn;

beforeAll(async () => {
  server = await startGitHub();
  process.env.GITHUB_API_URL = server.url;
  process.env.GITHUB_REPOSITORY = 'clinic/agents';
  ({ answersOn } = await import('../../../src/action/github/answers.ts'));
});
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  const { GitHub } = await import('../../../src/action/github/github.ts');
  github = new GitHub(githubToken);
  server.comments.splice(0);
  server.permissions.clear();
  server.members.clear();
  server.permissions.set('ada', 'write').set('grace', 'admin');
  server.viewer = workflowBot;
  expect(server.complaints).toEqual([]);
});

const ada: Author = { login: 'ada', id: 21, type: 'User' };
const grace: Author = { login: 'grace', id: 22, type: 'User' };
const otherApp: Author = { login: 'helper[bot]', id: 23, type: 'Bot' };
const place = { environment: 'production', project: '.' };

const question = (number: number, parts: Partial<AskedQuestion> = {}): AskedQuestion => ({
  number,
  id: `Agent/a${number}`,
  digest: `sha256:${number}`,
  codes: ['keep', 'undo'],
  since: '2026-01-01T00:00:00Z',
  ...parts,
});

/** Returns the text of a comment with these questions, as the action writes it. */
function planBody(questions: readonly AskedQuestion[], more: Partial<Marker> = {}, text = ''): string {
  const boxes = questions.map(({ number, codes, answer }) => {
    const lines = codes.map((code, index) => {
      const letter = 'ABC'.charAt(index);
      return `- [${answer?.letter === letter ? 'x' : ' '}] **${letter}** ${code}`;
    });
    return [`<!-- question ${number} -->`, `**${number}. What now?** Edited.`, ...lines, ''].join('\n');
  });
  return [formatMarker({ ...place, commit: 'c', questions, ...more }), '### Plan', ...boxes, text].join('\n');
}

function asks(questions: readonly AskedQuestion[], more: Partial<Marker> = {}, text = ''): StoredComment {
  return server.addComment(7, workflowBot, planBody(questions, more, text));
}

/** Ticks or clears a box of the comment, as GitHub's web page does. */
function tick(
  comment: StoredComment,
  by: Author | null,
  [number, letter, box = 'x']: readonly [number, string, string?],
) {
  const head = comment.body.indexOf(`<!-- question ${number} -->`);
  const before = comment.body.slice(0, head);
  const after = comment.body
    .slice(head)
    .replace(new RegExp(`^- \\[.\\] \\*\\*${letter}`, 'm'), `- [${box}] **${letter}`);
  server.editComment(comment, by, (before + after).replace(/\r?\n/g, '\r\n'));
}

/** Deletes a version of the comment from its history. GitHub still names the editor. */
function hide({ edits }: StoredComment, index: number): void {
  const edit = edits[index];
  if (edit !== undefined) edit.text = null;
}

/** Writes the result of an apply, as the action does. */
async function fails(): Promise<void> {
  const { writeStatus } = await import('../../../src/action/github/comment.ts');
  const run = { inputs: { comment: 'update' as const }, host: { now: () => new Date() }, github, subject: place };
  const status = { commit: 'c', render: () => 'It failed.' };
  await writeStatus({ ...run, redact: (text) => text }, 7, status);
  expect(server.comments.some(({ body }) => body.includes('It failed.'))).toBe(true);
}

async function answers(): Promise<string[]> {
  const found = await answersOn(github, 7, place);
  return found.answers.map(
    ({ question: { number }, letter, code, by = 'nobody' }) => `${number}${letter} ${code} by ${by}`,
  );
}

describe('ticks', () => {
  test('A tick of a person with write access counts as an answer with their login.', async () => {
    const comment = asks([question(1), question(2)]);
    tick(comment, ada, [2, 'B']);
    expect(await answers()).toEqual(['2B undo by ada']);
  });

  test.each([
    ['who may only read', person],
    ['that is an app', otherApp],
  ])('A tick of an account %s does not count.', async (_, by) => {
    tick(asks([question(1)]), by, [1, 'A']);
    expect(await answers()).toEqual([]);
  });

  test('A tick of a person who lost access since does not count.', async () => {
    tick(asks([question(1)]), ada, [1, 'A']);
    server.permissions.set('ada', 'gone');
    expect(await answers()).toEqual([]);
  });

  test('A tick of a deleted account counts as an answer without a name.', async () => {
    tick(asks([question(1)]), null, [1, 'A']);
    expect(await answers()).toEqual(['1A keep by nobody']);
  });

  test('Two ticked boxes do not count; the remaining tick counts for the person who cleared the other.', async () => {
    const comment = asks([question(1)]);
    tick(comment, ada, [1, 'A']);
    tick(comment, ada, [1, 'B']);
    expect(await answers()).toEqual([]);
    tick(comment, grace, [1, 'A', ' ']);
    expect(await answers()).toEqual(['1B undo by grace']);
  });

  test('An answer belongs to the person who ticked it, even if others edit the comment later.', async () => {
    const comment = asks([question(1), question(2)]);
    tick(comment, ada, [1, 'A']);
    tick(comment, grace, [2, 'B']);
    server.editComment(comment, person, `${comment.body}\nThank you!`);
    expect(await answers()).toEqual(['1A keep by ada', '2B undo by grace']);
  });

  test('An answer that the action carried over keeps its author, and ends when the box is cleared.', async () => {
    const answer = { letter: 'A', by: 'ada', at: '2026-02-01T00:00:00Z' };
    const comment = asks([question(1, { answer })]);
    expect(await answers()).toEqual(['1A keep by ada']);
    tick(comment, grace, [1, 'A', ' ']);
    expect(await answers()).toEqual([]);
  });

  test('The action remembers an answer to a question that the newest plan no longer asks.', async () => {
    const answer = { letter: 'A', by: 'ada', at: '2026-02-01T00:00:00Z' };
    asks([question(2)], { answered: [question(1, { answer })] });
    expect(await answers()).toEqual(['1A keep by ada']);
  });

  test('The result of an apply above the plan does not hide a tick.', async () => {
    const comment = asks([question(1)]);
    const [marker = '', ...rest] = comment.body.split('\n');
    const status = ['<!-- question 1 -->', '**1. ?**', '- [x] **A** keep', '- [ ] **B** undo'];
    const asked = parseMarker(marker);
    if (asked === undefined) throw new Error('there is no marker');
    server.editComment(
      comment,
      workflowBot,
      [formatMarker({ ...asked, statusLines: 4 }), ...status, ...rest].join('\n'),
    );
    expect(await answers()).toEqual([]);
    server.editComment(comment, ada, comment.body.replace('- [ ] **B** undo\n\n', '- [x] **B** undo\n\n'));
    expect(await answers()).toEqual(['1B undo by ada']);
  });
});

describe('text that is not a tick', () => {
  test('A prompt that imitates a question with a ticked box does not answer it.', async () => {
    const fake = ['```diff', '<!-- question 1 -->', '**1. ?**', '- [x] **A** keep', '- [ ] **B** undo', '```'].join(
      '\n',
    );
    asks([question(1)], {}, fake);
    expect(await answers()).toEqual([]);
  });

  test.each([
    ['without one of the boxes', (body: string) => body.replace('- [ ] **B** undo\n', '')],
    ['with a box too many', (body: string) => body.replace('- [ ] **B** undo', '- [ ] **B** undo\n- [ ] **C** both')],
    ['with boxes in another order', (body: string) => body.replace('**B** undo', '**A** undo')],
    ['with a text before its boxes', (body: string) => body.replace('**1.', 'Hello\nWorld\n\n**1.')],
  ])('A question %s has no answer.', async (_, broken) => {
    const comment = asks([question(1)]);
    tick(comment, ada, [1, 'A']);
    server.editComment(comment, ada, broken(comment.body.replaceAll('\r', '')));
    expect(await answers()).toEqual([]);
  });

  test('An edited first line of a comment answers no question.', async () => {
    const answer = { letter: 'A', by: 'grace', at: '2026-02-01T00:00:00Z' };
    const comment = asks([question(1)]);
    server.editComment(comment, ada, planBody([question(1, { answer })]));
    expect(await answers()).toEqual([]);
    server.editComment(comment, workflowBot, planBody([question(1)]));
    tick(comment, ada, [1, 'B']);
    expect(await answers()).toEqual(['1B undo by ada']);
  });

  test('An edited first line stays void below the result of an apply.', async () => {
    const answer = { letter: 'A', by: 'grace', at: '2026-02-01T00:00:00Z' };
    const comment = asks([question(1)]);
    server.editComment(comment, ada, planBody([question(1, { answer })]));
    await fails();
    expect(await answers()).toEqual([]);
  });

  test('A comment of another account does not ask a question.', async () => {
    const answer = { letter: 'A' };
    server.addComment(7, ada, planBody([question(1, { answer })]));
    expect(await answers()).toEqual([]);
  });

  test('A tick does not count if the version that ticked it was deleted, because someone else may have ticked it.', async () => {
    const comment = asks([question(1)]);
    tick(comment, ada, [1, 'A']);
    server.editComment(comment, grace, `${comment.body}\nThank you!`);
    expect(await answers()).toEqual(['1A keep by ada']);
    hide(comment, 1);
    expect(await answers()).toEqual([]);
    server.permissions.set('ada', 'gone');
    for (const index of comment.edits.keys()) hide(comment, index);
    expect(await answers()).toEqual([]);
  });

  test('A tick that is older than the newest hundred versions is not attributed to a later editor.', async () => {
    const comment = asks([question(1)]);
    tick(comment, ada, [1, 'A']);
    for (let count = 0; count < 60; count += 1) server.editComment(comment, grace, `${comment.body}!`);
    expect(await answers()).toEqual(['1A keep by ada']);
    await fails();
    for (let count = 0; count < 90; count += 1) server.editComment(comment, grace, `${comment.body}!`);
    expect(await answers()).toEqual([]);
  });

  test('An edited first line stays void after its versions were deleted.', async () => {
    const answer = { letter: 'A', by: 'grace', at: '2026-02-01T00:00:00Z' };
    const comment = asks([question(1)]);
    server.editComment(comment, ada, planBody([question(1, { answer })]));
    await fails();
    hide(comment, 1);
    expect(await answers()).toEqual([]);
  });

  test('An earlier first line of the action answers no question after a person restored it.', async () => {
    const answer = { letter: 'A', by: 'grace', at: '2026-02-01T00:00:00Z' };
    const comment = asks([question(1, { answer })]);
    server.editComment(comment, workflowBot, planBody([question(1)]));
    server.editComment(comment, ada, planBody([question(1, { answer })]));
    hide(comment, 1);
    expect(await answers()).toEqual([]);
  });

  test.each(['graphql edits', 'repos/get-collaborator-permission-level', 'issues/list-comments'])(
    'If GitHub refuses %s, no answer counts and the failure is reported.',
    async (operation) => {
      tick(asks([question(1)]), ada, [1, 'A']);
      server.faults.set(operation, [{ status: 403, message: 'Resource not accessible by integration' }]);
      await expect(answers()).rejects.toThrow('Resource not accessible by integration');
    },
  );
});

describe('a typed answer', () => {
  const quoted = `> **1. Keep what was edited?** ${'Voice. '.repeat(400)}\r\n> - [ ] **A** Keep: 2A\r\n\r\n1A\r\n 2B`;

  test.each(['1A 2B', '1a, 2b', '1A\n2B\n', ' 1. A; 2: B ', '1A2B', '`1A 2B`', quoted])(
    'The comment %j answers two questions.',
    async (text) => {
      asks([question(1), question(2)]);
      server.addComment(7, ada, text);
      expect(await answers()).toEqual(['1A keep by ada', '2B undo by ada']);
    },
  );

  test.each([
    '1A please',
    'I would say 1A',
    '1 2A',
    'A1',
    '1Z',
    '1',
    '3A',
    '1A 1B',
    '> 1A',
    '> 1A\n\nNo',
    '1A?',
    '~~1A~~',
    `1A${' '.repeat(3000)}`,
  ])('The comment %j does not answer a question.', async (text) => {
    asks([question(1), question(2)]);
    server.addComment(7, ada, text);
    expect(await answers()).toEqual([]);
  });

  test('A comment does not count if its author has read access, is an app, or wrote it before the question.', async () => {
    asks([question(1, { since: '2026-03-01T00:00:00Z' })]);
    server.addComment(7, person, '1A');
    server.addComment(7, otherApp, '1A');
    server.addComment(7, ada, '1A', '2026-02-28T23:59:59Z');
    expect(await answers()).toEqual([]);
  });

  test('A comment that another person edited does not count; one that its author corrected counts from then on.', async () => {
    asks([question(1)]);
    const comment = server.addComment(7, ada, '1A');
    server.editComment(comment, grace, '1B');
    expect(await answers()).toEqual([]);
    server.editComment(comment, ada, '1A');
    expect(await answers()).toEqual(['1A keep by ada']);
  });

  test('A comment that an app edited within a second of its creation does not count.', async () => {
    asks([question(1)]);
    const comment = server.addComment(7, ada, 'Keep it?');
    server.editComment(comment, otherApp, '1A', comment.createdAt);
    expect(await answers()).toEqual([]);
  });

  test('Many edited comments of people with read access do not displace an answer.', async () => {
    asks([question(1)]);
    for (let count = 0; count < 51; count += 1) {
      server.editComment(server.addComment(7, person, '1A'), person, '1B');
    }
    server.editComment(server.addComment(7, ada, '1B'), ada, '1A');
    expect(await answers()).toEqual(['1A keep by ada']);
  });

  test('GitHub is asked once about each person, about 50 people at most, and first about members.', async () => {
    asks([question(1)]);
    server.members.add('ada');
    const fan = (id: number) => ({ login: `fan-${id}`, id, type: 'User' as const });
    for (let id = 100; id < 130; id += 1) server.addComment(7, fan(id), '1B');
    server.editComment(server.addComment(7, ada, '1B'), ada, '1A');
    for (let id = 100; id < 160; id += 1) server.addComment(7, fan(id), '1B');
    server.takeRequests();
    expect(await answers()).toEqual(['1A keep by ada']);
    const asked = server.takeRequests().filter((id) => id === 'repos/get-collaborator-permission-level');
    expect(asked).toHaveLength(50);
  });

  test('The newest answer of a person with write access counts, ticked or typed.', async () => {
    const comment = asks([question(1)]);
    server.addComment(7, ada, '1A');
    tick(comment, grace, [1, 'B']);
    expect(await answers()).toEqual(['1B undo by grace']);
    server.addComment(7, ada, '1A');
    server.addComment(7, person, '1B');
    expect(await answers()).toEqual(['1A keep by ada']);
    server.addComment(7, grace, '1A 1B');
    expect(await answers()).toEqual([]);
  });

  test('A person who lost access since the last reading no longer answers, and each reading asks once.', async () => {
    const comment = asks([question(1), question(2)]);
    tick(comment, ada, [1, 'A']);
    server.addComment(7, ada, '2B');
    server.takeRequests();
    expect(await answers()).toEqual(['1A keep by ada', '2B undo by ada']);
    const asked = server.takeRequests().filter((id) => id === 'repos/get-collaborator-permission-level');
    expect(asked).toHaveLength(1);
    server.permissions.set('ada', 'read');
    expect(await answers()).toEqual([]);
  });

  test('A typed number that two comments use for different questions does not count, but a tick does.', async () => {
    const comment = asks([question(1)]);
    asks([question(1, { id: 'Agent/other', digest: 'sha256:other' })], { environment: 'staging' });
    server.addComment(7, ada, '1A');
    expect(await answers()).toEqual([]);
    tick(comment, ada, [1, 'B']);
    expect(await answers()).toEqual(['1B undo by ada']);
  });

  test("With a person's token, their own ticks and comments count too.", async () => {
    server.viewer = ada;
    const comment = server.addComment(7, ada, planBody([question(1), question(2)]));
    tick(comment, ada, [1, 'A']);
    server.addComment(7, ada, '2B');
    expect(await answers()).toEqual(['1A keep by ada', '2B undo by ada']);
  });
});

describe('a typed answer without effect', () => {
  const ignored = async () => {
    const found = await answersOn(github, 7, place);
    return found.ignored.map(({ facts: { answers: named, by, why, earlier } }) =>
      [...named, by, why, ...(earlier === undefined ? [] : [earlier])].join(' '),
    );
  };

  test.each([
    ['a person who may only read', person, '1A 2B', '1A 2B mallory no-access'],
    ['a number that no question has', ada, '7A', '7A ada unknown'],
    ['a number whose question is no longer asked', ada, '3B', '3B ada closed'],
    ['a letter that the question does not have', ada, '1F', '1F ada no-choice'],
    ['two letters', ada, '1A 1B', '1A 1B ada several'],
  ])('The answer of or with %s is reported.', async (_, by, text, expected) => {
    asks([question(1), question(2)], { lastNumber: 4 });
    server.addComment(7, by, text);
    expect(await ignored()).toEqual([expected]);
  });

  test('An answer that is older than its question, or that another account edited, is reported.', async () => {
    asks([question(1, { since: '2026-03-01T00:00:00Z' })]);
    server.addComment(7, ada, '1A', '2026-02-28T23:59:59Z');
    server.editComment(server.addComment(7, ada, '1A'), grace, '1B');
    expect(await ignored()).toEqual(['1A ada early', '1B ada edited']);
    server.addComment(7, ada, '1A');
    expect(await ignored()).toEqual([]);
  });

  test('A number that two comments use is reported, and a number of another environment is not.', async () => {
    asks([question(1)]);
    asks([question(1, { digest: 'sha256:other' }), question(2)], { environment: 'staging' });
    server.addComment(7, ada, '1A 2A');
    expect(await ignored()).toEqual(['1A ada ambiguous']);
  });

  test('An answer with effect, a replaced answer, other text and an app are not reported.', async () => {
    const comment = asks([question(1), question(2)]);
    server.addComment(7, ada, '1A');
    server.addComment(7, ada, '1B 2A');
    tick(comment, grace, [2, 'B']);
    for (const text of ['7A please', 'Is it 7A?']) server.addComment(7, ada, text);
    server.addComment(7, otherApp, '7A');
    expect(await ignored()).toEqual([]);
  });

  test('An answer to a question that the newest comment no longer asks does not replace the earlier answer.', async () => {
    const answer = { letter: 'A', by: 'grace', at: '2026-02-01T00:00:00Z' };
    asks([question(2)], { answered: [question(1, { answer })] });
    server.addComment(7, ada, '1B');
    expect([await answers(), await ignored()]).toEqual([['1A keep by grace'], ['1B ada closed']]);
  });

  test('A typed answer to a question that is no longer asked counts if it is older than the comment that ended it.', async () => {
    const answer = { letter: 'A', by: 'grace', at: '2026-02-01T00:00:00Z' };
    const comment = asks([question(1), question(2), question(3)]);
    server.addComment(7, ada, '1B');
    const answered = [question(1, { answer }), question(2, { answer })];
    server.editComment(comment, workflowBot, planBody([question(3)], { answered }));
    server.addComment(7, ada, '2B');
    // A later edit of the comment does not move its end.
    tick(comment, ada, [3, 'B']);
    expect(await answers()).toEqual(['3B undo by ada', '1B undo by ada', '2A keep by grace']);
    expect(await ignored()).toEqual(['2B ada closed']);
  });

  test('Only the newest five comments are named, with five answers each, and the others are counted.', async () => {
    asks([question(1)]);
    for (let count = 0; count < 8; count += 1) server.addComment(7, person, '1A2A3A4A5A6A7A');
    const named = '1A 2A 3A 4A 5A mallory no-access';
    expect(await ignored()).toEqual([`${named} 3`, named, named, named, named]);
  });

  test('An answer on a pull request whose plan asks nothing is reported.', async () => {
    asks([]);
    server.addComment(7, ada, '1A');
    expect(await ignored()).toEqual(['1A ada unknown']);
  });
});

test('A comment that is deleted after it was listed does not hide the other answers.', async () => {
  tick(asks([question(1), question(2)]), ada, [1, 'A']);
  const typed = server.addComment(7, ada, '2B');
  server.onRequest = (operation) => {
    if (operation !== 'graphql edits') return;
    server.comments.splice(server.comments.indexOf(typed), 1);
    server.onRequest = () => undefined;
  };
  expect(await answers()).toEqual(['1A keep by ada']);
  server.faults.set('graphql edits', [{ status: 403, message: 'Forbidden' }]);
  await expect(answers()).rejects.toThrow('Forbidden');
});

describe('a plan comment that was written with another token', () => {
  const elsewhere = async () => (await answersOn(github, 7, place)).elsewhere?.facts;
  const comments = (body: string, by = otherApp) => server.addComment(7, by, body);

  test('Its questions and ticks are reported, with or without a comment of this token.', async () => {
    const comment = comments(planBody([question(1)]));
    expect(await elsewhere()).toEqual({ by: 'helper[bot]', isAnswered: false });
    asks([question(2)]);
    expect(await elsewhere()).toEqual({ by: 'helper[bot]', isAnswered: false });
    tick(comment, ada, [1, 'A']);
    expect(await elsewhere()).toEqual({ by: 'helper[bot]', isAnswered: true });
    expect(await answers()).toEqual([]);
  });

  test('A typed answer belongs to it if no comment of this token asks questions, and if the answer is by an insider.', async () => {
    comments(planBody([question(1)]));
    server.addComment(7, person, '1A');
    expect(await elsewhere()).toEqual({ by: 'helper[bot]', isAnswered: false });
    server.addComment(7, ada, '1A');
    expect(await elsewhere()).toEqual({ by: 'helper[bot]', isAnswered: true });
  });

  test.each([
    ['an outsider wrote it', planBody([question(1)]), person],
    ['it asks nothing', planBody([]), otherApp],
    ['it was applied', planBody([question(1)], { isApplied: true }), otherApp],
    ['it is about another environment', planBody([question(1)], { environment: 'staging' }), otherApp],
    ['a newer agentform wrote it', planBody([question(1)]).replace('"formatVersion":1', '"formatVersion":9'), otherApp],
  ])('It is not reported if %s.', async (_why, body, by) => {
    comments(body, by);
    asks([question(2)]);
    expect(await elsewhere()).toBeUndefined();
  });
});

describe('two comments', () => {
  test('Only the newest comment of a step asks questions; a tick in an older one does not count.', async () => {
    const old = asks([question(1)]);
    asks([question(1)]);
    tick(old, ada, [1, 'A']);
    expect(await answers()).toEqual([]);
  });

  test('Two steps ask separately, and a question of both accepts answers in either comment.', async () => {
    const one = asks([question(1)], { names: ['front-desk'] });
    const other = asks([question(1), question(2)], { names: ['web-chat'] });
    tick(one, ada, [1, 'A']);
    tick(other, ada, [2, 'B']);
    expect(await answers()).toEqual(['1A keep by ada', '2B undo by ada']);
    tick(other, grace, [1, 'B']);
    expect(await answers()).toEqual(['1B undo by grace', '2B undo by ada']);
    tick(other, grace, [1, 'B', ' ']);
    expect(await answers()).toEqual(['2B undo by ada']);
    tick(one, ada, [1, 'A', ' ']);
    tick(one, ada, [1, 'A']);
    expect(await answers()).toEqual(['1A keep by ada', '2B undo by ada']);
  });

  test('If only one of two comments has the digests of a question, an answer in the other is about its resources too.', async () => {
    const web = 'aaaa1'.padEnd(20, 'x');
    const one = asks([question(1)], { names: ['front-desk'] });
    asks([question(1, { parts: web })], { names: ['web-chat'] });
    tick(one, ada, [1, 'A']);
    const { givenAnswers } = await import('../../../src/action/github/newest-answers.ts');
    expect(givenAnswers(await answersOn(github, 7, place), 7)).toMatchObject([{ choice: 'keep', digests: [web] }]);
  });

  test('If the questions of two steps share a resource, the newest answer about it counts.', async () => {
    const [web, desk] = ['aaaa1'.padEnd(20, 'x'), 'bbbb1'.padEnd(20, 'x')];
    const one = asks([question(1, { parts: `${web}${desk}` })], { names: ['*'] });
    const other = asks([question(2, { parts: web })], { names: ['web-chat'] });
    tick(one, ada, [1, 'A']);
    tick(other, grace, [2, 'B']);
    const { givenAnswers } = await import('../../../src/action/github/newest-answers.ts');
    const given = async () =>
      givenAnswers(await answersOn(github, 7, place), 7).map(({ choice, digests }) => [choice, digests]);
    expect(await given()).toEqual([
      ['keep', [desk]],
      ['undo', [web]],
    ]);
    // The withdrawal is newer than the answer about both resources, so the answer no longer counts for this resource.
    tick(other, grace, [2, 'B', ' ']);
    expect(await given()).toEqual([['keep', [desk]]]);
    tick(one, ada, [1, 'A', ' ']);
    tick(one, ada, [1, 'A']);
    expect(await given()).toEqual([['keep', [web, desk]]]);
  });
});

describe('an answer to a question that a newer comment no longer asks', () => {
  const at = (day: number) => `2026-02-0${day}T00:00:00Z`;
  const part = (subject: string, rest: string) => `${subject}${rest.padEnd(16, 'x')}`;
  const earlier = (number: number, letter: string, parts: string) =>
    question(number, { parts, answer: { letter, by: 'ada', at: at(number) } });
  const given = async () => {
    const { givenAnswers } = await import('../../../src/action/github/newest-answers.ts');
    const found = await answersOn(github, 7, place);
    return givenAnswers(found, 7).map(({ choice, digests, isReplaced = false }) => [choice, digests, isReplaced]);
  };

  test('It still protects its resource until a newer answer about the same subject replaces it.', async () => {
    const [old, newer, other] = [part('aaaa', '1'), part('aaaa', '2'), part('bbbb', '1')];
    asks([question(4, { parts: part('aaaa', '3') })], {
      answered: [earlier(2, 'B', newer), earlier(1, 'A', old + other)],
    });
    expect(await given()).toEqual([
      ['keep', [other], true],
      ['undo', [newer], true],
    ]);
    server.addComment(7, ada, '4A');
    expect(await given()).toEqual([
      ['keep', [part('aaaa', '3')], false],
      ['keep', [other], true],
    ]);
  });
});

test('A response is parsed equally often after one request and after many requests.', async () => {
  const parse = jest.spyOn(JSON, 'parse');
  const counts: number[] = [];
  for (let number = 0; number < 5; number += 1) {
    parse.mockClear();
    await github.comments(7);
    counts.push(parse.mock.calls.length);
  }
  parse.mockRestore();
  expect(counts.at(-1)).toBe(counts[1]);
});
