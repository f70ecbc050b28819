import { expect, test } from '@jest/globals';
import { applied, expectSettled, fullManifest, oneAgent, writesOf } from '../e2e/independent/runs.ts';
import type { Quirks } from '../support/independent-server.ts';
import { server, useIndependentServer } from '../support/independent-suite.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

useIndependentServer();

/** Forms that `e2e/independent/life.test.ts` combines. */
const quirks: Record<string, Quirks> = {
  'returns lists in another order': { listsReversed: true },
  'returns null for unset settings': { unset: 'null' },
  'returns unknown fields': { unknownFields: true },
  'turns line ends into CRLF': { text: 'crlf' },
  'shows apps as another shape': { appsWithoutId: true },
};
const messy = fullManifest.replace('title: Front desk', 'title: "  Front desk "');

test.each(Object.entries(quirks))('A second plan is empty if the service %s.', async (_, odd) => {
  server.quirks = odd;
  const project = await applied(await oneAgent(messy));
  await expectSettled(project);
  expect(await writesOf(project)).toEqual([]);
});
