import { describe, expect, jest, test } from '@jest/globals';
import { type CommentSubject, formatMarker, parseMarker } from '../../../src/action/github/marker.ts';
import { splitQuestions } from '../../../src/plan/questions.ts';
import { change, plan, resource } from '../../report/plan/plan-builders.ts';
import { type Author, person, type StoredComment, workflowBot } from '../../support/github-server.ts';
import {
  ada,
  applied,
  applies,
  asking,
  existing,
  plans,
  plansBy,
  production,
  rendered,
  server,
  tick,
} from './planned-comment.ts';

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

test('The next comment only asks about resources without an answer, and a withdrawn answer does not come back.', async () => {
  const resent = change({ path: 'settings.description', to: 'D', cause: 'unverified', knowledge: 'blind' });
  const plansFor = (digests: Readonly<Record<string, string>>) => {
    const resources = Object.entries(digests).map(([name, digest]) => resource({ name, digest, changes: [resent] }));
    const made = plan(resources);
    return plansBy((groupOf = () => '') => splitQuestions(made, groupOf));
  };
  const asked = () => parseMarker(comment?.body ?? '')?.questions?.map((one) => [one.number, one.answer?.letter]);
  expect(await plansFor({ a: '1', b: '1', c: '1' })).toEqual([1]);
  const [comment] = server.comments;
  if (comment === undefined) throw new Error('there is no comment');
  tick(comment, 'B');
  // The earlier answer kept an edit of the resource that changed, so the resource's question has no default.
  expect(await plansFor({ a: '1', b: '2', c: '1', d: '1' })).toEqual([2, 3, 4]);
  expect(asked()).toEqual([
    [2, 'B'],
    [3, undefined],
    [4, undefined],
  ]);
  server.editComment(comment, ada, comment.body.replace('- [x] **B**', '- [ ] **B**'));
  expect(await plansFor({ a: '1', b: '2', c: '1', d: '1' })).toEqual([5, 3]);
  expect(asked()).toEqual([
    [5, undefined],
    [3, undefined],
  ]);
  // The answer about the earlier version of this resource was not withdrawn.
  expect(await plansFor({ a: '1', b: '1' })).toEqual([6, 7]);
  expect(asked()).toEqual([
    [6, undefined],
    [7, 'B'],
  ]);
  expect(server.complaints).toEqual([]);
});

test('A typed answer does not come back after its box was cleared and the plan was written again.', async () => {
  expect(await plans([asking('Agent/web-chat')])).toEqual([1]);
  const [comment] = server.comments;
  if (comment === undefined) throw new Error('there is no comment');
  server.addComment(7, ada, '1A');
  await plans([asking('Agent/web-chat')]);
  expect(comment.body).toContain('- [x] **A** keep');
  server.editComment(comment, ada, comment.body.replace('- [x] **A**', '- [ ] **A**'));
  for (const text of ['First', 'Second']) {
    await plans([asking('Agent/web-chat')], production, text);
    expect(comment.body).toContain('- [ ] **A** keep');
  }
  tick(comment, 'B');
  await plans([asking('Agent/web-chat')]);
  expect(comment.body).toContain('- [x] **B** undo');
});

test('The comments of two steps show the same answer to the same question: the newest.', async () => {
  const [one, other] = [['front-desk'], ['web-chat']].map((names) => ({ ...production, names }));
  for (const step of [one, other]) expect(await plans([asking('Agent/web-chat')], step)).toEqual([1]);
  const [first, second] = server.comments;
  if (first === undefined || second === undefined) throw new Error('there are not two comments');
  tick(first, 'A');
  tick(second, 'B');
  for (const step of [one, other]) await plans([asking('Agent/web-chat')], step);
  for (const { body } of server.comments) expect(body).toContain('- [x] **B** undo');
  server.editComment(first, ada, first.body.replace('- [x] **B**', '- [ ] **B**'));
  for (const step of [other, one, other]) await plans([asking('Agent/web-chat')], step);
  for (const { body } of server.comments) expect(body).not.toContain('[x]');
});

test('A comment keeps the answers to its own earlier questions, and not those to the questions of other steps.', async () => {
  const [one, other] = [['front-desk'], ['web-chat']].map((names) => ({ ...production, names }));
  await plans([asking('Agent/web-chat')], one);
  await plans([asking('Agent/desk')], other);
  for (const comment of server.comments) tick(comment);
  for (const step of [one, other]) await plans([], step);
  const kept = server.comments.map(({ body }) => parseMarker(body)?.answered?.map(({ id }) => id));
  expect(kept).toEqual([['Agent/web-chat'], ['Agent/desk']]);
});

test('A withdrawn answer of one step also ends an older answer of another step about the same resource.', async () => {
  const other = { ...production, names: ['a'] };
  const edit = change({ cause: 'drift' });
  const plansFor = (names: readonly string[], step: CommentSubject) => {
    const made = plan(names.map((name) => resource({ name, changes: [edit] })));
    return plansBy((groupOf = () => '') => splitQuestions(made, groupOf), step);
  };
  await plansFor(['a', 'b'], production);
  await plansFor(['a'], other);
  const [first, second] = server.comments;
  if (first === undefined || second === undefined) throw new Error('there are not two comments');
  tick(first);
  tick(second);
  server.editComment(second, ada, second.body.replace('- [x]', '- [ ]'));
  await plansFor(['a', 'b'], production);
  const asked = parseMarker(first.body)?.questions?.map(({ digest, answer }) => [digest, answer?.letter]);
  const ofA = parseMarker(second.body)?.questions?.[0]?.digest;
  expect(asked).toEqual([
    [ofA, ''],
    [expect.any(String), 'A'],
  ]);
});

test('After a change of the token, the new comment uses other numbers, and an answered question has no default.', async () => {
  const old = existing();
  Object.assign(old, { user: { login: 'helper[bot]', id: 23, type: 'Bot' } });
  const undoing = [{ letter: 'A', code: 'keep' } as const, { letter: 'B', code: 'undo', isDefault: true } as const];
  const question = { ...asking('Agent/web-chat'), choices: undoing };
  expect(await plans([question])).toEqual([2]);
  const defaults = () => parseMarker(server.comments.at(-1)?.body ?? '')?.questions?.map((one) => one.voidAnswer);
  expect(defaults()).toEqual([undefined]);
  tick(old);
  await plans([question]);
  expect(defaults()).toEqual([{ why: 'unread' }]);
});

describe('the result of an apply', () => {
  const desk = () => asking('Agent/desk');
  const planned = async () => {
    await plans([asking('Agent/web-chat'), desk()]);
    const [comment] = server.comments;
    if (comment === undefined) throw new Error('there is no comment');
    tick(comment, 'A');
    return comment;
  };
  const texts = () => server.comments.map(({ body }) => body.split('\n').slice(1).join('\n'));

  test('The result replaces the plan and its boxes, and keeps numbers, answers and approvals.', async () => {
    const comment = await planned();
    await applies([desk()]);
    expect(texts()).toEqual(['Result, questions 2']);
    const { approves, questions, answered, isApplied } = parseMarker(comment.body) ?? {};
    expect({ approves, isApplied }).toEqual({ approves: { 'Agent/a': 'sha256:a' }, isApplied: true });
    expect(questions?.map(({ number, answer }) => [number, answer])).toEqual([[2, undefined]]);
    expect(answered?.map(({ number, answer }) => [number, answer?.letter])).toEqual([[1, 'A']]);
    // An edit of the comment adds no answer, but a new comment does.
    const box = '<!-- question 2 -->\n**2. What now?**\n- [x] **A** keep\n- [ ] **B** undo\n';
    server.editComment(comment, ada, `${comment.body}\n${box}`);
    await applies([desk()]);
    expect(texts()).toEqual(['Result, questions 2']);
    server.addComment(7, ada, '2B');
    await applies([desk()]);
    expect(texts()[0]).toBe('Result, questions 2B');
  });

  test('The result of an environment also replaces the plans of its steps, but not those of other environments.', async () => {
    const steps = [['front-desk'], ['web-chat']].map((names) => ({ ...production, names }));
    for (const step of steps) await plans([desk()], step);
    await plans([asking('Agent/other')], { ...production, environment: 'staging' });
    await applies([desk()]);
    const [first] = server.comments;
    expect(texts()).toEqual([
      'Result, questions 1',
      `The result of the apply is in [another comment](https://github.com/clinic/agents/pull/7#issuecomment-${first?.id}).\n`,
      expect.stringContaining('- [ ] **A** keep'),
    ]);
    const edits = server.comments[1]?.edits.length;
    await applies([desk()]);
    expect(server.comments[1]?.edits).toHaveLength(edits ?? 0);
  });

  test("The result appears in the environment's own comment, even if those of its steps are older.", async () => {
    await plans([desk()], { ...production, names: ['front-desk'] });
    await plans([desk()]);
    await applies([desk()]);
    expect(texts()).toEqual([expect.stringContaining('in [another comment]'), 'Result, questions 1']);
  });

  test('The result does not replace an earlier result that is another comment.', async () => {
    await planned();
    await applies([desk()], production, 'new');
    await applies([desk()]);
    expect(texts()).toEqual(['Result, questions 2', 'Result, questions\n']);
  });

  test('The result of one step leaves the plan of the whole environment and of other steps as they are.', async () => {
    await plans([desk()]);
    await applies([desk()], { ...production, names: ['front-desk'] });
    expect(texts()[0]).toMatch(/^Result, questions\n\n---\n\n### Plan\n/);
    expect(texts()[0]).toContain('- [ ] **A** keep');
  });

  test('If the answers cannot be read, the result appears above the plan, so that no tick is lost.', async () => {
    await planned();
    server.faults.set('graphql edits', [{ status: 403, message: 'Forbidden' }]);
    await applies([desk()]);
    expect(texts()[0]).toMatch(/^Result, questions\n\n---\n\n### Plan\n/);
    expect(texts()[0]).toContain('- [x] **A** keep');
  });

  test('An answer that arrives while the result is written is not lost.', async () => {
    await plans([desk()]);
    const [comment] = server.comments;
    if (comment === undefined) throw new Error('there is no comment');
    let lists = 0;
    server.onRequest = (operation) => {
      if (operation !== 'issues/list-comments') return;
      lists += 1;
      if (lists === 2) tick(comment);
      if (lists === 4) server.addComment(7, ada, '1B');
    };
    await applies([desk()]);
    expect(texts()[0]).toBe('Result, questions 1B');
  });

  test('A tick that arrives while a result is written above the plan is not lost.', async () => {
    await plans([desk()]);
    const [comment] = server.comments;
    let reads = 0;
    server.onRequest = (operation) => {
      if (operation !== 'graphql edits' || comment === undefined) return;
      reads += 1;
      if (reads === 2) tick(comment);
    };
    await applies([desk()], { ...production, names: ['front-desk'] });
    expect(texts()[0]).toMatch(/^Result, questions\n\n---\n\n### Plan\n/);
    expect(texts()[0]).toContain('- [x] **A** keep');
  });

  test('A new question in the result gets another number if a run in another environment took its number.', async () => {
    existing();
    server.onRequest = (operation) => {
      if (operation !== 'issues/update-comment') return;
      server.onRequest = () => undefined;
      existing({ ...production, environment: 'staging' }, 2, 'Agent/other');
    };
    await applies([asking('Agent/web-chat'), desk()], production, 'update', applied(1, 'One.'));
    expect(texts()[0]).toMatch(/^Result, questions 1 3\n/);
    // The second attempt does not treat the changes in the first attempt as the changes of another apply.
    expect(texts()[0]?.match(/One\./g)).toHaveLength(1);
  });

  test('A new question also gets another number if the answers can then not be read, and keeps the answers read before.', async () => {
    tick(existing());
    const other = takesNumber(2);
    await applies([asking('Agent/web-chat'), desk()]);
    expect(texts()).toEqual(['Result, questions 1A 3', other().body.split('\n').slice(1).join('\n')]);
  });

  test('With comment: new, the result is another comment.', async () => {
    await planned();
    await applies([desk()], production, 'new');
    expect(texts()).toEqual([expect.stringContaining('- [x] **A** keep'), 'Result, questions\n']);
  });
});

describe('what earlier applies changed', () => {
  const texts = () => server.comments.map(({ body }) => body.split('\n').slice(1).join('\n'));
  const first = () => applies([], production, 'update', applied(1, 'First change.'));
  const line = (day: number) =>
    `Applied before: 1 agent. Commit c${day}, [run ${day}](https://github.com/clinic/agents/actions/runs/${day}).`;
  const fold = (day: number, changes: string) =>
    [
      `<details>\n<summary>Applied before: 1 agent (commit c${day})</summary>\n`,
      line(day).replace('Applied before: 1 agent. ', ''),
      `\n<!-- applied 2026-11-0${day}T10:00:00Z -->\n\n${changes}\n\n<!-- end of 2026-11-0${day}T10:00:00Z -->\n`,
      '</details>',
    ].join('\n');

  test('Each result keeps the changes of earlier applies in folds, the newest first.', async () => {
    await plans([]);
    await first();
    expect(texts()[0]).toMatch(/^Result, questions\n\n<details>\n<summary>What was applied<\/summary>\n/);
    await applies([], production, 'update', applied(2, 'Second change.'));
    expect(texts()[0]).toMatch(/What was applied[\s\S]*\nSecond change\.\n/);
    expect(texts()[0]?.endsWith(`</details>\n\n${fold(1, 'First change.')}`)).toBe(true);
    // A repeated apply makes no changes.
    for (const _ of ['once', 'twice']) {
      await applies([]);
      expect(texts()).toEqual([
        ['Result, questions', fold(2, 'Second change.'), fold(1, 'First change.')].join('\n\n'),
      ]);
    }
  });

  test('Changes that do not fit the comment become a line with a link to their run.', async () => {
    await plans([]);
    await applies([], production, 'update', applied(1, 'First '.repeat(9_000)));
    await applies([], production, 'update', applied(2, 'Second '.repeat(5_000)));
    await applies([], production, 'update', applied(3, 'Third.'));
    expect(texts()[0]).toContain('\nThird.\n');
    expect(texts()[0]).toContain(`\n\n${fold(2, 'Second '.repeat(5_000).trim())}\n\n${line(1)}`);
    expect(server.comments[0]?.body.length).toBeLessThan(65_536);
  });

  test('A plan after an apply lists it, and so does the result of the next one.', async () => {
    await plans([]);
    await first();
    await plans([], production, 'Next changes');
    expect(texts()[0]).toContain(`Next changes\n\n${line(1)}\n`);
    // A status above the plan does not repeat the list of applies, and a later plan does not lose the list.
    await applies([], { ...production, names: ['front-desk'] });
    expect(texts()[0]?.match(/Applied before/g)).toHaveLength(1);
    await plans([], production, 'Next changes');
    await applies([]);
    expect(texts()[0]).toBe(`Result, questions\n\n${line(1)}`);
  });

  test('The result of an environment takes over what its steps applied.', async () => {
    const steps = [['front-desk'], ['web-chat']].map((names) => ({ ...production, names }));
    for (const [index, step] of steps.entries()) {
      await plans([], step);
      await applies([], step, 'update', applied(index + 1, `Change ${index + 1}.`));
    }
    for (const _ of ['once', 'twice']) await applies([]);
    expect(texts()[0]).toBe(['Result, questions', fold(2, 'Change 2.'), fold(1, 'Change 1.')].join('\n\n'));
    expect(texts()[1]).toMatch(/^The result of the apply is in \[another comment\]\(.*\)\.\n$/);
  });

  test('A result without a plan comment keeps them too.', async () => {
    await first();
    await applies([]);
    expect(texts()).toEqual([`Result, questions\n\n${fold(1, 'First change.')}\n`]);
  });

  test('A result above a plan keeps the boxes, and the ticks of its questions count as before.', async () => {
    await plans([asking('Agent/desk')]);
    const [comment] = server.comments;
    if (comment === undefined) throw new Error('there is no comment');
    tick(comment);
    const step = { ...production, names: ['front-desk'] };
    await applies([], step, 'update', applied(1, 'First change.'));
    await applies([], step);
    expect(texts()[0]).toMatch(/^Result, questions\n\n<details>\n<summary>Applied before[\s\S]*\n---\n\n### Plan\n/);
    await plans([asking('Agent/desk')]);
    expect(parseMarker(comment.body)?.questions?.[0]?.answer).toMatchObject({ letter: 'A', by: 'ada' });
  });
});

test('An answer about thousands of resources only counts while its whole question stays the same.', async () => {
  const many = Array.from({ length: 4_000 }, (_, index) =>
    resource({ name: `a${index}`, action: 'create', mayReplace: true }),
  );
  const made = plan(many);
  await plansBy((groupOf = () => '') => splitQuestions(made, groupOf));
  const [comment] = server.comments;
  if (comment === undefined) throw new Error('there is no comment');
  expect(comment.body.length).toBeLessThan(65_536);
  expect(parseMarker(comment.body)?.questions).toMatchObject([{ number: 1, digest: made.questions[0]?.digest }]);
  expect(parseMarker(comment.body)?.questions?.[0]).not.toHaveProperty('parts');
  server.editComment(comment, ada, comment.body.replace('- [ ] **A**', '- [x] **A**'));
  await plansBy((groupOf = () => '') => splitQuestions(made, groupOf), production, 'Other changes');
  expect(parseMarker(comment.body)?.questions?.[0]?.answer).toMatchObject({ letter: 'A', by: 'ada' });
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

test.each([
  [0, 'issues/update-comment'],
  [1, 'issues/delete-comment'],
])(
  'If someone deletes comment %d of a plan during a run, the next plan is still written.',
  async (index, operation) => {
    await plans([asking('Agent/web-chat')], production, ['Changes', 'More changes']);
    server.onRequest = (requested) => {
      if (requested !== operation) return;
      server.onRequest = () => undefined;
      server.comments.splice(index, 1);
    };
    await plans([asking('Agent/web-chat')], production, 'Other changes');
    expect(server.comments.map(({ body }) => body)).toEqual([expect.stringContaining('Other changes')]);
  },
);

/** Another run asks a question with this number while a comment is written. Then answers can no longer be read. */
function takesNumber(number: number): () => StoredComment {
  let other: StoredComment | undefined;
  server.onRequest = (operation) => {
    if (operation !== 'issues/update-comment' && operation !== 'issues/create-comment') return;
    server.onRequest = () => undefined;
    other = existing({ ...production, environment: 'staging' }, number, 'Agent/other');
    server.faults.set('graphql edits', [{ status: 403, message: 'Forbidden' }]);
  };
  return () => {
    if (other === undefined) throw new Error('the other run did not write');
    return other;
  };
}

test('No number is used twice if two runs take it at the same moment, and the answers can then not be read.', async () => {
  takesNumber(1);
  expect(await plans([asking('Agent/desk')])).toEqual([3]);
  expect(server.comments.map(({ body }) => parseMarker(body)?.questions?.map((one) => one.number))).toEqual([[1], [3]]);
});

test.each(['update', 'new'] as const)(
  'Several runs that ask at the same moment end with different numbers and one comment each (comment: %s).',
  async (comment) => {
    const steps = ['front', 'back', 'night'].map((name) => ({ ...production, names: [name] }));
    const writeAll = () =>
      steps.map((step, run) => {
        const subject = comment === 'new' ? production : step;
        return plans([asking(`Agent/a${run}`), asking(`Agent/b${run}`)], subject, 'Changes', comment);
      });
    const numbers = (await Promise.all(writeAll())).flat();
    expect(new Set(numbers).size).toBe(6);
    const shown = server.comments.flatMap(({ body }) => parseMarker(body)?.questions?.map((one) => one.number) ?? []);
    expect(shown.toSorted()).toEqual(numbers.toSorted());
    expect(server.comments).toHaveLength(3);
  },
);

test.each([0, 2])(
  'Two runs that add the first comment at the same moment leave one comment (questions: %d).',
  async (count) => {
    const questions = Array.from({ length: count }, (_, index) => asking(`Agent/a${index}`));
    const text = ['Part 1', 'Part 2'];
    const write = () => plans(questions, production, text);
    const numbers = await Promise.all([write(), write()]);
    const added = server.takeRequests().filter((request) => request === 'issues/create-comment');
    expect(added.length).toBeGreaterThan(2);
    expect(server.comments.map(({ body }) => parseMarker(body)?.part?.number)).toEqual([1, 2]);
    expect(numbers).toEqual([questions.map((_, index) => index + 1), questions.map((_, index) => index + 1)]);
    expect(server.complaints).toEqual([]);
  },
);

test('A run that added a second first comment writes its plan and the answers given there into the first one.', async () => {
  let first: StoredComment | undefined;
  server.onRequest = (operation) => {
    if (operation === 'issues/create-comment') first ??= existing();
    const second = server.comments.find((one) => one !== first);
    if (operation !== 'issues/list-comments' || second === undefined) return;
    server.onRequest = () => undefined;
    tick(second, 'B');
  };
  expect(await plans([asking('Agent/web-chat')], production, 'The newer plan')).toEqual([1]);
  expect(server.comments).toEqual([first]);
  expect(first?.body).toContain('The newer plan');
  expect(first?.body).toContain('- [x] **B** undo');
});

test('A marker that another account wrote is ignored, even with the login of the bot.', async () => {
  const own = existing();
  server.comments.splice(0);
  const authors: readonly Author[] = [
    person,
    { login: 'helper[bot]', id: 8, type: 'Bot' },
    { login: 'github-actions[bot]', id: 9, type: 'User' },
  ];
  for (const author of authors) server.addComment(7, author, own.body);
  // The numbers of another token's questions are not used again.
  expect(await plans([asking('Agent/web-chat')])).toEqual([2]);
  expect(server.comments.map(({ user }) => user.id)).toEqual([person.id, 8, 9, workflowBot.id]);
  expect(server.comments.slice(0, 3).map(({ body }) => body)).toEqual([own.body, own.body, own.body]);
});

test('A workflow run of an older commit does not change the comment.', async () => {
  await plans([asking('Agent/desk')]);
  const before = structuredClone(server.comments);
  server.current.splice(0, 1, { number: 7, base: 'b', head: 'd' });
  expect(await plans([], production, 'Older changes')).toEqual([]);
  await plans([], production, 'Older changes', 'new');
  expect(server.comments).toEqual(before);
});

test('A workflow run that is repeated after the merge keeps the result of the apply, but can add a missing plan.', async () => {
  server.current.splice(0, 1, { number: 7, base: 'b', head: 'c', state: 'closed', merged: true });
  await plans([]);
  expect(server.comments).toHaveLength(1);
  await applies([], production, 'update', applied(1, 'One.'));
  const before = structuredClone(server.comments);
  await plans([], production, 'Repeated changes');
  expect(server.comments).toEqual(before);
});

test('A tick between two attempts is not lost if the answers can then not be read.', async () => {
  const comment = existing();
  takesNumber(2);
  const take = server.onRequest;
  server.onRequest = (operation) => {
    take(operation);
    if (operation !== 'issues/update-comment') return;
    server.onRequest = () => {
      server.onRequest = () => undefined;
      tick(comment);
    };
  };
  expect(await plans([asking('Agent/web-chat'), asking('Agent/desk')])).toEqual([1, 2]);
  expect(comment.body).toContain('- [x] **A** keep');
});

test('A plan has the numbers of its comment if another run takes a number, and the second write fails.', async () => {
  const comment = existing();
  server.onRequest = (operation) => {
    if (operation !== 'issues/update-comment') return;
    server.onRequest = () => server.faults.set('issues/update-comment', [{ status: 403, message: 'Forbidden' }]);
    existing({ ...production, environment: 'staging' }, 2, 'Agent/other');
  };
  expect(await plans([asking('Agent/web-chat'), asking('Agent/desk')])).toEqual([1, 2]);
  expect(comment.body).toContain('<!-- question 2 -->');
});

test('An edited first line does not give a question the number or the time of another one.', async () => {
  const comment = existing();
  server.addComment(7, ada, '1A');
  expect(await plans([asking('Agent/web-chat', 'digest 2')])).toEqual([2]);
  const moved = { digest: 'digest 2', number: 1, since: '2026-01-01T00:00:00Z' };
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
  await plans([asking('Agent/web-chat', 'digest 2')], production, 'Other changes');
  await plans([asking('Agent/web-chat', 'digest 2')], production, 'More changes');
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

test('A plan that never asked a question only looks for a comment that another run added.', async () => {
  await plans([]);
  expect(server.takeRequests()).toEqual([
    'pulls/get',
    'graphql viewer',
    'issues/list-comments',
    'issues/create-comment',
    'issues/list-comments',
  ]);
});

test('A changed question has no default in the comment while an earlier answer protects its resource.', async () => {
  const edit = change({ cause: 'drift' });
  const plansFor = (digests: Readonly<Record<string, string>>) => {
    const made = plan(Object.entries(digests).map(([name, digest]) => resource({ name, digest, changes: [edit] })));
    return plansBy((groupOf = () => '') => splitQuestions(made, groupOf));
  };
  await plansFor({ a: '1' });
  const [comment] = server.comments;
  if (comment === undefined) throw new Error('there is no comment');
  const asked = () =>
    parseMarker(comment.body)?.questions?.map(({ number, voidAnswer, answer }) => [number, voidAnswer, answer?.letter]);
  tick(comment, 'A');
  // The other resource has the same edit, but no earlier answer.
  expect(await plansFor({ a: '2', b: '2' })).toEqual([2, 3]);
  expect(asked()).toEqual([
    [2, { why: 'changed', by: 'ada' }, undefined],
    [3, undefined, undefined],
  ]);
  server.addComment(7, ada, '2B');
  await plansFor({ a: '2', b: '2' });
  expect(asked()?.[0]).toEqual([2, undefined, 'B']);
  // The newest answer was to undo the edit, which is also the default.
  await plansFor({ a: '3', b: '2' });
  expect(asked()?.map(([, voidAnswer]) => voidAnswer)).toEqual([undefined, undefined]);
});

test('A result without room for all approvals keeps the answers and the approval of the whole plan.', async () => {
  const approves = { approvesShort: 'x'.repeat(40_000), approvesPlan: 'sha256:plan' };
  const asked = Array.from({ length: 10 }, (_, index) => asking(`Agent/${'a'.repeat(200)}${index}`));
  await plansBy(() => asked.slice(0, 2), production, 'Changes', 'update', approves);
  expect(parseMarker(server.comments[0]?.body ?? '')?.approvesShort).toHaveLength(40_000);
  server.addComment(7, ada, '1A 2A');
  await applies(asked.slice(2));
  const marker = parseMarker(server.comments[0]?.body ?? '');
  expect([marker?.answered?.length, marker?.approvesShort, marker?.approvesPlan]).toEqual([
    2,
    undefined,
    'sha256:plan',
  ]);
});

test('A comment without room for earlier answers says that they must be given again, and so does the log.', async () => {
  const asked = Array.from({ length: 10 }, (_, index) => asking(`Agent/${'a'.repeat(2_400)}${index}`));
  await plans(asked);
  server.addComment(7, ada, asked.map((_, index) => `${index + 1}A`).join(' '));
  const log = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const isLost = ([text]: readonly unknown[]) => String(text).includes('earlier answers');
  try {
    for (const write of [plans, applies]) {
      log.mockClear();
      let lists = 0;
      server.onRequest = (operation) => {
        if (operation === 'issues/list-comments') lists += 1;
        // The first attempt is not written, because of another answer.
        if (lists === 2) server.addComment(7, ada, '90A');
        if (lists === 2) server.onRequest = () => undefined;
      };
      await write([]);
      expect(log.mock.calls.filter(isLost)).toHaveLength(1);
      const [body = ''] = server.comments.map(({ body }) => body);
      expect(parseMarker(body)).not.toHaveProperty('answered');
      const lost = 'has no room for 10 earlier answers. If a later plan asks their questions again, answer again.';
      expect(body).toContain(lost);
      expect(log.mock.calls.join()).toContain(lost);
      await plans(asked);
      server.addComment(7, ada, asked.map((_, index) => `${index + 11}A`).join(' '));
    }
  } finally {
    log.mockRestore();
  }
});

test('A comment with too many digests keeps those of its questions if only those of approvals must go.', async () => {
  const resources = Array.from({ length: 20 }, (_, index) =>
    resource({ name: `a${index}`, changes: [change({ from: `Edit ${index}`, cause: 'drift' })] }),
  );
  const made = plan(resources);
  const approves = { approvesShort: 'x'.repeat(40_000), approvesPlan: 'sha256:plan' };
  await plansBy((groupOf = () => '') => splitQuestions(made, groupOf), production, 'Changes', 'update', approves);
  const marker = parseMarker(server.comments[0]?.body ?? '');
  expect(marker?.questions?.map(({ parts }) => parts)).toEqual(made.questions.map(({ digests }) => digests.join('')));
  expect([marker?.approvesShort, marker?.approvesPlan]).toEqual([undefined, 'sha256:plan']);
});
