import { parseBaseUrl } from './base-url.ts';
import { memberOf, type Node } from './tree.ts';
import type { ValueResolver } from './value-resolver.ts';

/** The host of an environment's base URL, of the emulator `emulator`; undefined where the URL is not known. */
export function hostOf(definition: Node, resolver: ValueResolver): string | undefined {
  const node = memberOf(definition, 'baseUrl');
  if (node?.type !== 'scalar') return undefined;
  const filled = resolver.scalar(node, { asText: true, noSecret: 'baseUrl' });
  const base = filled.opaque ? undefined : parseBaseUrl(String(filled.value));
  return base !== undefined && 'host' in base ? base.host : undefined;
}
