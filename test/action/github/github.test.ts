import { context } from '@actions/github';
import { expect, jest, test } from '@jest/globals';
import { type Fault, githubToken } from '../../support/github-server.ts';
import { applies, GitHub, production, server } from './planned-comment.ts';

const badGateway: Fault = { status: 502, message: 'Bad Gateway' };

test.each<[string, Fault, 'update' | 'new']>([
  ['a bad gateway', badGateway, 'update'],
  ['a bad gateway after GitHub added it', { ...badGateway, isLate: true }, 'new'],
  ['a lost connection after GitHub added it', { ...badGateway, cutOff: '{"id": 1}', isLate: true }, 'update'],
])('A comment is added once, although its request fails with %s.', async (_, fault, comment) => {
  server.faults.set('issues/create-comment', [fault]);
  await applies([], production, comment);
  expect(server.comments).toHaveLength(1);
});

test('Requests to GitHub are repeated after a 5xx and a secondary limit.', async () => {
  const message = 'You have exceeded a secondary rate limit.';
  server.faults.set('graphql viewer', [badGateway]).set('issues/list-comments', [badGateway]);
  server.faults.set('issues/create-comment', [{ status: 403, message, headers: { 'retry-after': '1' } }]);
  const log = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await applies([]);
    expect(log.mock.calls.join('')).not.toContain('::warning::');
  } finally {
    log.mockRestore();
  }
  expect(server.comments).toHaveLength(1);
});

test('A pull request that GitHub opened before it responded with a bad gateway is found.', async () => {
  server.faults.set('pulls/create', [{ ...badGateway, isLate: true }]);
  const content = { title: 'Edits', body: 'Text', baseBranch: 'main' };
  const number = await new GitHub(githubToken).createPullRequest('edits', content);
  expect(server.opened).toMatchObject([{ number, head: 'edits' }]);
  server.opened.splice(0);
});

test('A request to which GitHub does not respond is repeated.', async () => {
  const limit = jest.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => lateSignal(50));
  server.faults.set('pulls/get', [{ ...badGateway, isSilent: true }]);
  expect(await new GitHub(githubToken).pullRequest(7)).toMatchObject({ number: 7, head: 'c' });
  expect(server.takeRequests()).toEqual(['pulls/get', 'pulls/get']);
  limit.mockRestore();
}, 60_000);

function lateSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

test('A request that GitHub refused for a moment is sent again when its result is needed.', async () => {
  const github = new GitHub(githubToken);
  const refused: Fault = { status: 403, message: 'API rate limit exceeded' };
  server.faults.set('graphql viewer', [refused]).set('repos/get-collaborator-permission-level', [refused]);
  await expect(github.comments(7)).rejects.toThrow('API rate limit exceeded');
  expect(await github.comments(7)).toEqual({ own: [], others: [] });
  await expect(github.mayWrite('ada')).rejects.toThrow('API rate limit exceeded');
  expect(await github.mayWrite('ada')).toBe(true);
});

test('If pull requests with the same head were merged as one commit, all of them are found.', async () => {
  const parts = { head: 'c', mergeCommit: 'm', merged: true };
  server.pulls.push({ number: 7, ...parts }, { number: 8, ...parts }, { number: 9, ...parts, merged: false });
  const found = await new GitHub(githubToken).mergedPullRequests('m');
  expect(found.map(({ number }) => number)).toEqual([7, 8]);
  server.pulls.splice(0);
});

test('If the pull request of a push cannot be found, the reason names a missing permission.', async () => {
  const { startRun } = await import('../../../src/action/run.ts');
  context.sha = 'c'.repeat(40);
  // Other inputs are not read.
  const inputs = { token: githubToken, secrets: [], names: [], project: '.' } as unknown as Parameters<
    typeof startRun
  >[0];
  const originAfter = async (message: string) => {
    server.faults.set('repos/list-pull-requests-associated-with-commit', [{ status: 403, message }]);
    return (await startRun(inputs)).origin();
  };
  expect(await originAfter('Resource not accessible by integration')).toMatchObject({
    because: expect.stringMatching(
      / could not be found \(Resource not .*; give the workflow `permissions: \{ pull-requests: write \}`\)$/,
    ),
    isProblem: true,
  });
  expect(await originAfter('API rate limit exceeded')).toMatchObject({
    because: expect.stringMatching(/ could not be found \(API rate limit exceeded\)$/),
    isProblem: true,
  });
});

const permission = 'Commenting needs `permissions: { pull-requests: write }`';

test.each<[Fault, string, boolean]>([
  [{ status: 403, message: 'Resource not accessible by integration' }, 'Resource not accessible by integration', true],
  [{ status: 404, message: 'Not Found' }, 'Not Found', true],
  [{ status: 403, message: 'API rate limit exceeded' }, 'API rate limit exceeded', false],
  [{ status: 403, message: 'The issue is locked' }, 'The issue is locked', false],
  [{ status: 422, message: 'Validation Failed' }, 'Validation Failed', false],
  [{ status: 410, message: '', page: '<html>A long page</html>' }, 'GitHub responded with HTTP 410', false],
])(
  'The warning about a failed comment advises permissions only if they are missing: %j',
  async (fault, reason, advised) => {
    const log = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      server.faults.set('issues/list-comments', [fault, fault]);
      await applies([]);
      const said = log.mock.calls.map(([text]) => String(text)).find((text) => text.startsWith('::warning::'));
      expect(said).toContain(`could not be written (${reason}). The run summary`);
      expect(said?.includes(permission)).toBe(advised);
    } finally {
      log.mockRestore();
      server.faults.clear();
    }
  },
);
