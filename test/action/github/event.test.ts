import { context } from '@actions/github';
import { afterEach, expect, test } from '@jest/globals';
import { eventOfRun, fileUrl, pullRequestOf } from '../../../src/action/github/event.ts';

process.env.GITHUB_REPOSITORY = 'elm/clinic';

const before = { eventName: context.eventName, payload: context.payload };

afterEach(() => {
  Object.assign(context, before);
});

test.each([
  ['clinic/agents/front-desk.yaml', 12, 12, 'clinic/agents/front-desk.yaml#L12'],
  ['agents/a.yaml', 3, 9, 'agents/a.yaml#L3-L9'],
  ["a b/(c)[d]/e'f!*.md", 1, 1, 'a%20b/%28c%29%5Bd%5D/e%27f%21%2A.md#L1'],
  ['wie/geht?#.md', 1, 1, 'wie/geht%3F%23.md#L1'],
])('The link to %s covers lines %d to %d.', (path, first, last, end) => {
  expect(fileUrl('c0ffee', path, { first, last })).toBe(`https://github.com/elm/clinic/blob/c0ffee/${end}`);
});

test('The branch of a fork is named with its owner, so it is never confused with a branch of the repository.', () => {
  const sideOf = (full_name: string, label: string) => ({ sha: 'c', ref: 'main', label, repo: { full_name } });
  const base = sideOf('elm/clinic', 'elm:main');
  const branchOf = (head: object) => pullRequestOf({ number: 7, base, head })?.branch;
  expect(branchOf(sideOf('mallory/clinic', 'mallory:main'))).toBe('mallory:main');
  expect(branchOf(base)).toBe('main');
});

test.each([
  'pull_request',
  'pull_request_target',
  'pull_request_review',
  'merge_group',
  'issue_comment',
  'workflow_run',
])('A run for the event %s is refused without the data of the event.', async (eventName) => {
  Object.assign(context, { eventName, payload: {} });
  const unused = () => Promise.reject(new Error('not read'));
  await expect(eventOfRun(unused)).rejects.toMatchObject({
    code: 'run-refused',
    message: expect.stringContaining(`the file in GITHUB_EVENT_PATH does not describe the event ${eventName}, so`),
  });
});
