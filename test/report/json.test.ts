import { expect, test } from '@jest/globals';
import type { Notice } from '../../src/notices/notice.ts';
import { asJson, planJson, renderEnvironmentsJson, renderPlanJson } from '../../src/report/json.ts';
import { sentenceOf } from '../../src/report/notices.ts';
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
  expect(renderEnvironmentsJson(documents.map(asJson))).toBe(asJson({ environments: documents }));
});
