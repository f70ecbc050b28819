import { afterEach, describe, expect, test } from '@jest/globals';
import { createServiceClient } from '../../src/service/client.ts';
import { processorTime } from '../../src/yaml/values.ts';
import { type Answer, connectionTo, failureOf, json, type Loopback, serve, token } from './loopback.ts';

let server: Loopback;
let client = createServiceClient();

afterEach(async () => {
  await client.close();
  await server?.close();
});

async function read(answer: Answer, maxAnswerBytes = 10_000) {
  server = await serve(answer);
  client = createServiceClient({ maxAnswerBytes, retry: { tries: 1 } });
  return failureOf(client.getAgent(connectionTo(server.baseUrl), 'camp_1'));
}

describe('failed reads', () => {
  test.each(['?', '.', '?a', 'token=', ' ', `${encodeURIComponent(token)} `])(
    'A message of 500,000 %p becomes an error in little time.',
    async (part) => {
      const answer = json(400, { message: part.repeat(500_000).slice(0, 4_000_000) });
      const started = processorTime();
      const error = await read(answer, 100_000_000);
      expect(processorTime() - started).toBeLessThan(10_000);
      expect(error.message.length).toBeLessThan(500);
      expect(error.message).not.toContain(encodeURIComponent(token));
    },
  );
});
