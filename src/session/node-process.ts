import { setFlagsFromString } from 'node:v8';
import { AgentformError } from '../errors.ts';
import { sparing } from '../json/packed.ts';

/** Node's own debug output of HTTP prints whole URLs and headers, and tokens are in them. Every entry asks this first. */
export function refuseLeakyDebugging({ NODE_DEBUG = '' }: Readonly<Record<string, string | undefined>>): void {
  if (!/undici|fetch|http|net|\*/i.test(NODE_DEBUG)) return;
  throw new AgentformError('usage', 'NODE_DEBUG would print tokens with every request; run `unset NODE_DEBUG`');
}

/**
 * For entries, not for the library: a heap that grows to no more than twice what is alive before it is collected. By
 * default V8 lets it grow to four times that: a plan of a thousand takes a quarter less memory this way, in the same
 * time. With thousands, V8 should prefer less memory, for a twelfth more time: its pages are half empty otherwise.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100');
  sparing.begin = () => {
    sparing.begin = undefined;
    setFlagsFromString('--heap-growing-percent=50');
    setFlagsFromString('--optimize-for-size');
  };
}
