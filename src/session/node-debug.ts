import { AgentformError } from '../errors.ts';

/** Node's own debug output of HTTP prints whole URLs and headers, and tokens are in them. Every entry asks this first. */
export function refuseLeakyDebugging({ NODE_DEBUG = '' }: Readonly<Record<string, string | undefined>>): void {
  if (!/undici|fetch|http|net|\*/i.test(NODE_DEBUG)) return;
  throw new AgentformError('usage', 'NODE_DEBUG would print tokens with every request; run `unset NODE_DEBUG`');
}
