import { expect, test } from '@jest/globals';
import { agent } from './agent.ts';
import { applied, isWrite, methods, server, useApplying } from './applying.ts';

/** Tests what happens to a write whose response is lost, if a request may be tried twice. */
useApplying({ client: { retry: { tries: 2, backoffMs: 1 } } });

function loseOneAnswer(): void {
  let isLost = false;
  server.after = (call) => {
    if (isLost || !isWrite(call)) return undefined;
    isLost = true;
    return 'reset';
  };
}

test('An update is repeated after a lost response, because it sends the same body to the same agent.', async () => {
  await applied(agent());
  loseOneAnswer();
  server.takeLog();
  expect(await applied(agent({ title: 'New' }))).toMatchObject({ action: 'update', outcome: 'applied' });
  expect(methods().filter((method) => method === 'POST')).toHaveLength(2);
});

test('A create is not repeated after a lost response, because it may have created an agent.', async () => {
  loseOneAnswer();
  expect(await applied(agent())).toMatchObject({ action: 'create', outcome: 'unknown' });
  expect(methods()).toEqual(['POST']);
});
