// Does the minimum work of a client: sends GETs concurrently and parses the responses. Usage: node bare-gets.mjs ORIGIN
// FILE CONCURRENCY, where FILE is a JSON list of paths.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';

const [origin, file, concurrency] = process.argv.slice(2);
const paths = JSON.parse(readFileSync(file, 'utf8'));
const dispatcher = new Agent({ connections: Number(concurrency) });
let next = 0;

async function work() {
  while (next < paths.length) {
    const { statusCode, body } = await request(`${origin}${paths[next++]}`, { dispatcher });
    const { success } = await body.json();
    if (statusCode !== 200 || success !== true) throw new Error(`answered ${statusCode}`);
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, work));
await dispatcher.close();
