import { expect, test } from '@jest/globals';
import { databaseSettings } from '../../../src/record/postgres/address.ts';

test('The records are in the schema agentform unless agentform.yaml names another.', () => {
  expect(databaseSettings({ store: 'postgres' })).toEqual({ url: '', schema: 'agentform' });
  const named = { store: 'postgres', url: '${secret.U}', schema: 'south' } as const;
  expect(databaseSettings(named)).toEqual({ url: '${secret.U}', schema: 'south' });
});
