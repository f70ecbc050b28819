import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that nobody uses. Systems choose the ports of clients, and of servers that accept any port, from
 * 32768 upwards. A lower port stays free while a test closes a server and opens it again.
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
