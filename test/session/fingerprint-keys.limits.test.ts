import { expect, test } from '@jest/globals';
import { Secret } from '../../src/secrets/secret.ts';
import { FingerprintKeys } from '../../src/session/fingerprint-keys.ts';
import { processorTime } from '../../src/yaml/values.ts';

test('The keys of 10,000 agents with separate tokens are derived within two seconds.', async () => {
  const keys = new FingerprintKeys('/elsewhere');
  const own = { baseUrl: 'https://a.example', host: 'https://a.example', query: {}, sensitiveQuery: new Set<string>() };
  const started = processorTime();
  const derived = await Promise.all(
    Array.from({ length: 10_000 }, (_, n) => keys.keyed({ target: { ...own, token: new Secret(`tok-${n}`) } })),
  );
  expect(new Set(derived.map(({ target }) => target.key.id)).size).toBe(10_000);
  expect(processorTime() - started).toBeLessThan(30_000);
});
