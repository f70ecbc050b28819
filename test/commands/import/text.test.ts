import { expect, test } from '@jest/globals';
import type { ImportEntry } from '../../../src/apply/events.ts';
import { importSentences, renderImportText } from '../../../src/commands/import/text.ts';
import { notice } from '../../../src/notices/notice.ts';
import { unread } from '../../support/notices.ts';

const agent = (name: string, parts: Partial<ImportEntry>): ImportEntry => {
  return { kind: 'Agent', name, id: `camp_${name}`, outcome: 'failed', ...parts };
};
const textOf = (entries: readonly ImportEntry[]) => {
  const ledger = { environment: 'production', entries, files: [], general: [] };
  return renderImportText(ledger, { color: false, width: 100 });
};
const desks = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const name = `desk-${index + 1}`;
    return agent(name, { reasons: [unread(`camp_${name}`, index + 1, 'no agent')] });
  });

test('An import shows agents that failed for the same reason together.', () => {
  const text = textOf([...desks(40), agent('late', { outcome: 'imported', file: 'agents/late.yaml' })]);
  expect(text.match(/the service returned 404/g)).toHaveLength(1);
  expect(text).toContain('Failed (40)\n  ✗ Agent/desk-1 to Agent/desk-40\n      ');
  expect(text).toContain('✓ Agent/late  (camp_late): agents/late.yaml');
  expect(textOf(desks(3)).match(/the service returned 404/g)).toHaveLength(3);
});

test('An import keeps failures apart if their commands differ.', () => {
  const taken = (index: number) => {
    const id = `camp_${index}`;
    return agent(`desk-${index}`, {
      id,
      reasons: [notice('import-conflict', { why: 'imported', id }, [['import', id, '--force', '-e', 'production']])],
    });
  };
  const text = textOf([1, 2, 3, 4, 5].map(taken));
  for (const index of [1, 2, 3, 4, 5]) expect(text).toContain(`(camp_${index})`);
});

test('The sentences about several agents name none of their ids.', () => {
  const [first, ...others] = desks(5);
  if (first === undefined) throw new Error('there are no agents');
  expect(importSentences([first, ...others]).join()).not.toContain('camp_desk-1');
});
