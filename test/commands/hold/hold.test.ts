import { expect, test } from '@jest/globals';
import { heldText } from '../../../src/commands/hold/hold.ts';

test.each([
  [{ names: [], selector: 'ring in (canary,late)' }, "`agentform unhold -l 'ring in (canary,late)' -e production`"],
  [{ names: ['recept*', 'c'] }, "`agentform unhold 'recept*' c -e production`"],
])('The command that releases held resources repeats the selection of the hold: %j', (selection, command) => {
  const held = { environment: 'production', resources: ['Agent/a', 'Agent/b'], unchanged: [] };
  expect(heldText(held, selection)).toContain(`To release them, run ${command}`);
});
