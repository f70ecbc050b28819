import { expect, test } from '@jest/globals';
import { asJson, planJson, renderEnvironmentsJson, renderPlanJson } from '../../src/report/json.ts';
import { richPlan } from './plan/plan-builders.ts';

test.each([{ expand: true }, { expand: false }])('a plan as JSON is the plan with its checksum (%j)', (options) => {
  const json = renderPlanJson(richPlan(), options);
  expect(JSON.parse(json)).toEqual({ ...richPlan(), checksum: expect.stringMatching(/^sha256:/) });
  expect(json.endsWith('}\n')).toBe(true);
});

test('what is written piece by piece is what would be written at once', () => {
  const plan = { ...richPlan(), refusals: [] };
  expect(renderPlanJson(plan, { expand: true })).toBe(asJson(JSON.parse(renderPlanJson(plan, { expand: true }))));
  expect([...planJson(plan)].length).toBeGreaterThan(plan.resources.length);
});

test('the documents of several environments are indented like one', () => {
  const documents = [{ environment: 'a', list: [1] }, { environment: 'b' }];
  expect(renderEnvironmentsJson(documents.map(asJson))).toBe(asJson({ environments: documents }));
});
