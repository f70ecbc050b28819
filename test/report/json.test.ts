import { expect, test } from '@jest/globals';
import { renderPlanJson } from '../../src/report/json.ts';
import { richPlan } from './plan/plan-builders.ts';

test('a plan as JSON is the plan', () => {
  const json = renderPlanJson(richPlan());
  expect(JSON.parse(json)).toEqual(richPlan());
  expect(json.endsWith('}\n')).toBe(true);
});
