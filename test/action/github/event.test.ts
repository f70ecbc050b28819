import { expect, test } from '@jest/globals';
import { fileUrl, pullRequestOf } from '../../../src/action/github/event.ts';

process.env.GITHUB_REPOSITORY = 'elm/clinic';

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
