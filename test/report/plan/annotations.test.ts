import { describe, expect, test } from '@jest/globals';
import { notice } from '../../../src/notices/notice.ts';
import { annotationsOfPlan } from '../../../src/report/plan/annotations.ts';
import type { Plan } from '../../../src/schemas/plan-types.ts';
import type { Problem, Span } from '../../../src/yaml/problem.ts';
import { saying } from '../../support/notices.ts';
import { change, plan, resource, richPlan, unchanged } from './plan-builders.ts';

const source = 'name: front-desk\nsettings:\n  title: |\n    New\n    desk\n  agentVoice: warm\n';

function spanOf(needle: string): Span {
  const offset = source.indexOf(needle);
  const before = source.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { file: 'agents/a.yaml', line: before.length, column, offset, end: offset + needle.length };
}

const places: Readonly<Record<string, Span>> = {
  name: spanOf('front-desk'),
  'settings.title': spanOf('|\n    New\n    desk\n'),
  'settings.agentVoice': spanOf('warm'),
};

function annotated(made: Plan, warnings: readonly Problem[] = []) {
  return annotationsOfPlan(
    { plan: made, warnings },
    { folder: 'clinic', sourceOf: () => source, placeOf: (_, path) => places[path ?? 'name'] ?? places.name },
  );
}

describe('annotations of a plan', () => {
  test('An annotation of a single change is on the line of its setting.', () => {
    expect(annotated(plan([resource({ changes: [change({ path: 'settings.agentVoice' })] })]))).toEqual([
      {
        rule: 'plan-update',
        level: 'notice',
        file: 'clinic/agents/a.yaml',
        line: 6,
        endLine: 6,
        column: 15,
        endColumn: 19,
        title: 'Agent/front-desk: update',
        message: 'will change: settings.agentVoice',
      },
    ]);
  });

  test('An annotation of a long text is on its first line.', () => {
    const [annotation] = annotated(plan([resource({ changes: [change()] })]));
    expect(annotation).toMatchObject({ line: 3, endLine: 3 });
    expect(annotation).not.toHaveProperty('column');
  });

  test('An annotation of several changes is on the name, or on the setting in conflict.', () => {
    const voice = change({ path: 'settings.agentVoice' });
    expect(annotated(plan([resource({ changes: [change(), voice] })]))).toMatchObject([{ line: 1, level: 'notice' }]);
    const conflict = { ...voice, cause: 'conflict' as const };
    expect(annotated(plan([resource({ changes: [change(), conflict] })]))).toMatchObject([
      {
        line: 6,
        level: 'warning',
        message:
          'conflict, edited in the dashboard and in the files: settings.agentVoice; will change: settings.title; left out without an answer',
      },
    ]);
  });

  test.each([
    ['blind', change({ knowledge: 'blind' }), 'will change: settings.title; cannot be read back: settings.title'],
    ['drift', change({ cause: 'drift' }), 'drift, edited in the dashboard and will be undone: settings.title'],
    [
      'unverified',
      change({ cause: 'unverified', knowledge: 'blind' }),
      'cannot be read back, may have been edited and will be sent again: settings.title',
    ],
  ])('An annotation of a %s change is a warning.', (_name, one, message) => {
    expect(annotated(plan([resource({ changes: [one] })]))).toMatchObject([{ level: 'warning', message }]);
  });

  test('An annotation reports a release, and not as blind.', () => {
    const release = change({ op: 'release', knowledge: 'blind' });
    expect(annotated(plan([resource({ changes: [release] })]))).toMatchObject([
      { level: 'notice', message: 'will change: settings.title' },
    ]);
  });

  test('An annotation gives the reason of blocked, failed, refused and orphaned resources.', () => {
    const made = plan(
      [
        resource({ name: 'a', action: 'blocked', reasons: [saying('no id')] }),
        resource({ name: 'b', action: 'failed', reasons: [saying('no answer')] }),
        resource({ name: 'c', action: 'orphan', reasons: [saying('no manifest')] }),
        unchanged('d'),
      ],
      { refusals: [notice('limit-creates', { creates: 2, kinds: ['Agent'], limit: 1 }, [['--allow-creates', '2']])] },
    );
    expect(annotated(made).map(({ level, title, message }) => [level, title, message])).toEqual([
      [
        'error',
        'agentform: limit-creates',
        expect.stringContaining(
          'Nothing will be applied: this plan creates 2 agents, but the project allows at most 1 at a time. To change the limit, edit limits.creates. To create them all, run again with --allow-creates 2',
        ),
      ],
      ['error', 'Agent/b: failed', 'no answer'],
      ['warning', 'Agent/a: blocked', 'no id'],
      ['notice', 'Agent/c: not in the files', 'no manifest'],
    ]);
  });

  test('An annotation of a create counts its settings and has its warnings.', () => {
    const create = resource({
      action: 'create',
      changes: [change(), change()],
      warnings: [saying('overwritten unseen')],
    });
    expect(annotated(plan([create]))).toMatchObject([
      { level: 'warning', message: 'will be created; overwritten unseen' },
    ]);
  });

  test('An annotation shortens many paths, and every resource has one.', () => {
    const changes = Array.from({ length: 6 }, (_, index) => change({ path: `settings.s${index}` }));
    expect(annotated(plan([resource({ changes })]))[0]?.message).toBe(
      'will change: settings.s0, settings.s1, settings.s2, settings.s3 and 2 more',
    );
    const many = Array.from({ length: 40 }, (_, index) =>
      resource({ name: `a${index}`, changes: [change({ to: `${index}` })] }),
    );
    expect(annotated(plan(many))).toHaveLength(40);
  });

  test('One annotation covers resources with the same changes, and a different one has its own.', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      resource({ name: `a${index}`, changes: [change()], warnings: index === 7 ? [saying('slow')] : [] }),
    );
    expect(annotated(plan(many)).map(({ level, title, message }) => [level, title, message])).toEqual([
      ['warning', 'Agent/a7: update', 'will change: settings.title; slow'],
      ['notice', '39 agents: update', 'will change: settings.title; a0 to a6 and a8 to a39'],
    ]);
  });

  test('The annotations of manifest lint come first.', () => {
    const warning: Problem = { severity: 'warning', rule: 'regex-slow', message: 'slow', at: spanOf('warm') };
    const blind = resource({ changes: [change({ knowledge: 'blind' })] });
    expect(annotated(plan([blind]), [warning]).map(({ title }) => title)).toEqual([
      'agentform: regex-slow',
      'Agent/front-desk: update',
    ]);
  });

  test('The annotations of a plan contain no value.', () => {
    const made = richPlan();
    const text = JSON.stringify(annotated(made));
    const values = made.resources.flatMap(({ changes }) => changes.flatMap(({ from, to }) => [from, to]));
    const texts = values.filter((value) => typeof value === 'string' && value.length > 6);
    expect(texts.length).toBeGreaterThan(0);
    for (const value of texts) expect(text).not.toContain(value);
  });
});
