import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Finds an unused port of 127.0.0.1. Operating systems assign ports from 32768 upwards to clients, and to servers that
 * accept any port. A lower port therefore stays free while a test closes a server and opens it again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    const probe = createServer().listen(port, '127.0.0.1');
    if (!(await once(probe, 'listening').catch(() => false))) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
