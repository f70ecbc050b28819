import { expect, test } from '@jest/globals';
import { pushProblem } from '../../../src/action/github/proposal.ts';

const remedy = 'give the workflow `permissions: { contents: write }`';

test.each([
  'Permission to clinic/agents.git denied to github-actions[bot]; the requested URL returned error: 403',
  'the branch topic of origin cannot be pushed to: You are not allowed to push code to this project',
  'Resource not accessible by integration',
  'The key you are authenticating with has been marked as read only',
])('A push without the right to push names the remedy: %s', (reason) => {
  expect(pushProblem('topic', reason, remedy)).toBe(`the branch topic could not be pushed (${reason}); ${remedy}`);
});

test.each([
  "protected branch hook declined: GH006: Protected branch update failed. You're not allowed to push",
  'pre-receive hook declined: commits by this account are not allowed',
  'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
  'This repository was archived so it is read-only; the requested URL returned error: 403',
  'CONNECT tunnel failed, response 403',
  "failed to update ref: cannot lock ref 'refs/heads/topic'",
  "the branch topic of origin cannot be pushed to: unable to access 'https://github.com/clinic/denied-403.git/': Could not resolve host: github.com",
])('A push that fails for another reason names only the reason: %s', (reason) => {
  expect(pushProblem('topic', reason, remedy)).toBe(`the branch topic could not be pushed (${reason})`);
});

test.each([
  'the branch fix-403-denied of origin cannot be pushed to: Could not resolve host: github.com',
  "failed to update ref: cannot lock ref 'refs/heads/fix-403-denied'",
])('The name of a branch does not count as the reason: %s', (reason) => {
  expect(pushProblem('fix-403-denied', reason, remedy)).not.toContain(remedy);
});
