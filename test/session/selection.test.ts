import { expect, test } from '@jest/globals';
import { selector } from '../../src/session/selection.ts';
import { processorMs } from '../support/processor.ts';

test.each([
  ['front-desk', 'Agent/front-desk', true],
  ['front', 'Agent/front-desk', false],
  ['Agent/front-*', 'Agent/front-desk', true],
  ['*', 'Agent/front-desk', true],
  ['*-desk', 'Agent/front-desk', true],
  ['f*t-*sk', 'Agent/front-desk', true],
  ['f*t-*s', 'Agent/front-desk', false],
  ['front?desk', 'Agent/front-desk', true],
  ['front??desk', 'Agent/front-desk', false],
  ['front.desk', 'Agent/front-desk', false],
  ['Member/*', 'Agent/front-desk', false],
])('%s selects %s: %p', (name, address, isSelected) => {
  expect(selector([name])(address)).toBe(isSelected);
});

test('many stars take no longer than few', () => {
  const started = processorMs();
  expect(selector([`${'*a'.repeat(30)}b`])(`Agent/${'a'.repeat(63)}`)).toBe(false);
  expect(processorMs() - started).toBeLessThan(1_000);
});
