import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PublishEntry } from '../../src/apply/events.ts';
import type { Publishing } from '../../src/plan/publishing.ts';
import { renderPublishLedgerText, renderPublishPlanText, waitingDraftsSentence } from '../../src/report/ledger.ts';
import { saying } from '../support/notices.ts';
import { dangerousIn, hostileText } from './hostile-text.ts';

const plain = { color: false, width: 100 } as const;

function publishing(name: string, action: Publishing['action'], reason?: string): Publishing {
  const target = { host: 'service.example.com', query: {} };
  return {
    kind: 'Agent',
    name,
    id: `camp_${name}`,
    target,
    action,
    reasons: reason === undefined ? [] : [saying(reason)],
  };
}

test('Agents to publish are listed with their reasons, as are the others.', () => {
  const some = [
    publishing('a', 'publish', 'it is not published'),
    publishing('b', 'blocked', 'its draft is not known to be as its manifest says'),
    publishing('c', 'failed', 'no answer'),
    publishing('d', 'published'),
  ];
  expect(renderPublishPlanText({ environment: 'production', publishing: some }, plain)).toBe(`\
To publish (1)
  ~ Agent/a  (camp_a on service.example.com)
      it is not published

Refused (1)
  ! Agent/b  (camp_b on service.example.com)
      its draft is not known to be as its manifest says

Failed (1)
  ✗ Agent/c  (camp_c on service.example.com)
      no answer

Publish in production: 1 to publish, 1 already published, 1 refused, 1 failed.
`);
});

test('Agents that are published for the same reason share it.', () => {
  const some = ['a', 'b', 'c', 'd'].map((name) => publishing(name, 'publish', 'it is not published'));
  expect(renderPublishPlanText({ environment: 'production', publishing: some }, plain)).toBe(`\
To publish (4)
  ~ Agent/a, Agent/b, Agent/c and Agent/d
      it is not published

Publish in production: 4 to publish.
`);
});

test('An apply announces what it will publish.', () => {
  const said = (writes: boolean, ...unchanged: string[]) => waitingDraftsSentence({ writes, unchanged, undecided: [] });
  expect(said(true)).toBe('Will be published after the apply: the agents in this plan.');
  expect(said(false)).toBe('No draft will be published.');
  expect(said(false, 'Agent/a')).toBe('Will be published after the apply: Agent/a (unchanged, but not published yet).');
  expect(said(true, 'Agent/a', 'Agent/b')).toBe(
    'Will be published after the apply: the agents in this plan, and Agent/a and Agent/b (unchanged, but not published yet).',
  );
});

test('An apply announces the drafts that it leaves out until someone decides on their edits.', () => {
  const said = (writes: boolean, ...undecided: string[]) => waitingDraftsSentence({ writes, unchanged: [], undecided });
  expect(said(false, 'Agent/a')).toBe(
    'No draft will be published. Agent/a is left out, because its edits need a decision.',
  );
  expect(said(true, 'Agent/a', 'Agent/b')).toBe(
    'Will be published after the apply: the agents in this plan. ' +
      'Agent/a and Agent/b are left out, because their edits need a decision.',
  );
});

test('The end of publishing reports an interruption.', () => {
  const entries: PublishEntry[] = [
    { kind: 'Agent', name: 'a', outcome: 'not attempted', reasons: [saying('interrupted')] },
  ];
  expect(renderPublishLedgerText({ environment: 'e', publishing: entries, interrupted: true }, plain)).toMatch(
    /\n\nInterrupted\. Publish: 0 published, 1 not attempted\.\n$/,
  );
  expect(renderPublishLedgerText({ environment: 'e', publishing: [] }, plain)).toBe('Publish: 0 published.\n');
});

test('Hostile texts in publishing are escaped in the terminal.', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (a, b) => {
      const target = { host: a, query: { [a]: b } };
      const planned = { kind: 'Agent', name: a, id: b, target, action: 'blocked' as const, reasons: [saying(b)] };
      const entry: PublishEntry = { kind: 'Agent', name: a, id: b, outcome: 'failed', reasons: [saying(b)] };
      const text = [
        renderPublishPlanText({ environment: a, publishing: [planned] }, plain),
        renderPublishLedgerText(
          { environment: b, publishing: [entry, { ...entry, outcome: 'already published' }] },
          plain,
        ),
      ].join('');
      expect(dangerousIn(text)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
