import { expect, test } from '@jest/globals';
import type { Notice } from '../../src/notices/notice.ts';
import { planJson, renderEnvironmentsJson, renderJson, renderPlanJson } from '../../src/report/json.ts';
import { sentenceOf } from '../../src/report/notices.ts';
import type { Drift } from '../../src/schemas/drift-types.ts';
import type { ResourcePlan } from '../../src/schemas/plan-types.ts';
import { withoutSentences } from '../support/notices.ts';
import { richPlan } from './plan/plan-builders.ts';

test('The JSON of a plan is the plan with its checksum.', () => {
  const json = renderPlanJson(richPlan());
  const read = JSON.parse(json);
  expect(withoutSentences(read)).toEqual({ ...richPlan(), checksum: expect.stringMatching(/^sha256:/) });
  const notices: Notice[] = [
    ...read.refusals,
    ...read.resources.flatMap((one: ResourcePlan) => [...one.reasons, ...one.warnings]),
  ];
  expect(notices.length).toBeGreaterThan(3);
  for (const one of notices) expect(one).toMatchObject({ message: sentenceOf(one) });
  expect(json.endsWith('}\n')).toBe(true);
});

test('The JSON of a plan is written piece by piece, a resource at a time.', () => {
  const plan = richPlan();
  expect([...planJson(plan)].length).toBeGreaterThan(plan.resources.length);
});

test('The JSON of several environments is indented like one document.', () => {
  const documents = [{ environment: 'a', list: [1] }, { environment: 'b' }];
  const versioned = documents.map((one) => ({ formatVersion: 1, ...one }));
  expect(renderEnvironmentsJson(documents.map(renderJson))).toBe(renderJson({ environments: versioned }));
});

test('A value of a setting is shown as it is, even if it looks like a notice.', () => {
  const value = { code: 'bug', facts: {}, remedies: [], reasons: [{ code: 'x', facts: {}, remedies: [] }] };
  const drift: Drift = {
    formatVersion: 1,
    environment: 'production',
    summary: {
      drifted: 1,
      inDoubt: 0,
      unmoved: 0,
      unapplied: 0,
      unreadable: 0,
      blocked: 0,
      failed: 0,
      orphans: 0,
      moves: 1,
      conflicts: 0,
      doubts: 0,
      compared: 1,
      assumed: 0,
    },
    warnings: [],
    resources: [
      {
        kind: 'Agent',
        name: 'desk',
        status: 'drifted',
        target: { host: 'service.example.com', query: {} },
        compared: 1,
        assumed: 0,
        reasons: [],
        moves: [
          { path: 'extraSettings.own', lastApplied: value, live: value, wanted: { deeper: value }, effect: 'set back' },
        ],
        doubts: [],
      },
    ],
  };
  expect(JSON.parse(renderJson(drift))).toEqual(drift);
});
