import { expect, test } from '@jest/globals';
import { type CommentSubject, parseMarker } from '../../../../src/action/github/marker.ts';
import { asking, existing, plans, production, server, tick } from '../../../action/github/planned-comment.ts';

test('An answer outlives a plan without questions, and its number is not used again.', async () => {
  const comment = existing();
  tick(comment);
  expect(await plans([])).toEqual([]);
  expect(await plans([asking('Agent/desk'), asking('Agent/web-chat')])).toEqual([2, 1]);
  expect(comment.body).toContain('**1. What now?**\n- [x] **A** keep');
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
  expect(await plans([asking('Agent/web-chat'), asking('Agent/desk')])).toEqual([1, 3]);
  expect(comment.body).toContain('<!-- question 3 -->');
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

test('The first comment of a step is written even if the answers in other comments cannot be read.', async () => {
  existing({ environment: 'staging', project: '.' });
  server.faults.set('graphql edits', [{ status: 403, message: 'Resource not accessible by integration' }]);
  expect(await plans([asking('Agent/desk')])).toEqual([2]);
  expect(server.comments).toHaveLength(2);
});
