import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createServiceClient } from '../../src/service/client.ts';
import { type Answer, connectionTo, failureOf, json, type Loopback, serve, text } from './loopback.ts';

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

const page = '<!DOCTYPE html><html><body>Bad gateway</body></html>';

test('Endless interim answers do not keep a run busy.', async () => {
  const flood = (response: ServerResponse) => {
    const more = () =>
      response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000), (error) => !error && more());
    more();
  };
  expect(await read(flood)).toMatchObject({ message: expect.stringContaining('(too many interim responses)') });
});

describe('failed reads', () => {
  test.each<[string, Answer, { code: string; outcome: string; status: number }, string]>([
    [
      '404 with a message',
      json(404, { success: false, message: 'No such agent.' }),
      { code: 'service-refused', outcome: 'clear', status: 404 },
      'the service returned 404 Not Found and said "No such agent"',
    ],
    [
      '401 with plain text',
      text(401, 'bad token\n'),
      { code: 'service-refused', outcome: 'clear', status: 401 },
      'the service returned 401 Unauthorized and said "bad token"',
    ],
    [
      '403 with a page',
      text(403, page),
      { code: 'service-refused', outcome: 'clear', status: 403 },
      'the service returned 403 Forbidden',
    ],
    [
      '500 whose body says success false',
      json(500, { success: false, message: 'boom' }),
      { code: 'service-unclear', outcome: 'unclear', status: 500 },
      'the service returned 500 Internal Server Error and said "boom"',
    ],
    [
      '200 with success false',
      json(200, { success: false, message: 'title is too long' }),
      { code: 'service-refused', outcome: 'clear', status: 200 },
      'the service returned 200 with "success": false and said "title is too long"',
    ],
    [
      'an unknown status',
      text(499, ''),
      { code: 'service-refused', outcome: 'clear', status: 499 },
      'the service returned 499',
    ],
    [
      'a page',
      text(200, page, { 'content-type': 'text/html' }),
      { code: 'service-undecodable', outcome: 'unclear', status: 200 },
      'the service returned 200 with a body that is HTML instead of JSON; check the base URL',
    ],
    [
      'nothing',
      text(204, ''),
      { code: 'service-undecodable', outcome: 'unclear', status: 204 },
      'the service returned 204 with a body that is empty',
    ],
    [
      'half of the JSON',
      text(200, '{"campaign":{"id":'),
      { code: 'service-undecodable', outcome: 'unclear', status: 200 },
      'the service returned 200 with a body that is not JSON, or incomplete',
    ],
    [
      'too much',
      text(200, JSON.stringify('x'.repeat(20_000))),
      { code: 'service-undecodable', outcome: 'unclear', status: 200 },
      'the service returned 200 with a body that is too large',
    ],
    [
      'no UTF-8',
      (response) => response.end(Buffer.from([0x22, 0xff, 0x22])),
      { code: 'service-undecodable', outcome: 'unclear', status: 200 },
      'the service returned 200 with a body that is not UTF-8',
    ],
    [
      'another shape',
      json(200, { campaign: { id: 7, title: [] } }),
      { code: 'service-undecodable', outcome: 'unclear', status: 200 },
      'the service returned 200 with a body that is not as specified: campaign.id is 7: expected a string',
    ],
    [
      'a redirect',
      text(302, '', { location: 'http://127.0.0.1:1/elsewhere?token=t' }),
      { code: 'service-undecodable', outcome: 'unclear', status: 302 },
      'the service returned 302 Found, a redirect, which is not followed; check the base URL',
    ],
    [
      'a redirect without Location',
      text(307, ''),
      { code: 'service-undecodable', outcome: 'unclear', status: 307 },
      'the service returned 307 Temporary Redirect, which is not a response to this request; check the base URL, and any proxy',
    ],
    [
      'a 304 to a request without conditions',
      text(304, ''),
      { code: 'service-undecodable', outcome: 'unclear', status: 304 },
      'the service returned 304 Not Modified, which is not a response to this request; check the base URL, and any proxy',
    ],
  ])('A failed read reports what the service did: %s', async (_, answer, facts, sentence) => {
    const error = await read(answer);
    expect(error).toMatchObject({
      ...facts,
      operation: 'getAgent',
      name: 'ServiceError',
      facts: { status: facts.status, tries: 1 },
    });
    expect(error.message.startsWith(`reading the agent failed: ${sentence}`)).toBe(true);
    expect(error.message).not.toMatch(/[.\n]$/);
    expect(server.received).toHaveLength(1);
  });

  test('A long message or one with control characters is shortened and cleaned.', async () => {
    const error = await read(json(400, { message: `\u001b[31mred\u0000\r\nnext\u202e\tline ${'ä'.repeat(1000)}` }));
    expect(error.message).toContain('said "[31mred next line äää');
    expect(error.message).toContain('ä…"');
    expect(error.message.length).toBeLessThan(400);
  });

  test.each([
    ['nested more than 100 levels deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['nested more than 100 levels deep', `{"campaign":${'{"a":'.repeat(101)}1${'}'.repeat(102)}`],
    ['of more than 50,000 values', `[${'{},'.repeat(50_000)}{}]`],
  ])('A body that is %s is not parsed.', async (problem, body) => {
    const error = await read(text(200, body), 10_000_000);
    expect(error).toMatchObject({
      code: 'service-undecodable',
      message: expect.stringContaining(`a body that is ${problem}`),
    });
  });

  test('A redirect to another server is not followed.', async () => {
    const other = await serve(json(200, { campaign: { id: 'camp_1' } }));
    await read(text(307, '', { location: `${other.baseUrl}/x` }));
    expect(other.connections()).toBe(0);
    await other.close();
  });

  test('An answer that is too large is not read to its end.', async () => {
    let sent = 0;
    const flood: Answer = (response) => {
      response.writeHead(200);
      const pour = () => {
        while (sent < 50_000_000 && response.write('x'.repeat(10_000))) sent += 10_000;
      };
      response.on('drain', pour);
      pour();
    };
    expect((await read(flood)).message).toContain('too large');
    expect(sent).toBeLessThan(20_000_000);
  });
});
