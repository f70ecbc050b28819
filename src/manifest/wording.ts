import { referredSecret, secretsIn } from '../kinds/reference.ts';
import { quote, shorten } from '../kinds/wording.ts';
import type { Node } from './tree.ts';

export { listOf, quote, shorten } from '../kinds/wording.ts';

/** The value as a complaint names it; a secret is never named. */
export function showNode(node: Node): string {
  if (node.type === 'map') return node.members.size === 0 ? 'an empty map' : 'a map';
  if (node.type === 'list') return node.items.length === 0 ? 'an empty list' : 'a list';
  if (node.sensitive) return showSecret(node.raw);
  const shown = typeof node.value === 'string' ? quote(node.value) : shorten(node.source || String(node.value), 60);
  return node.raw === undefined || node.from !== undefined ? shown : `${shown} (from ${quote(node.raw)})`;
}

/** By the reference that is written, where there is one. */
function showSecret(raw = ''): string {
  if (referredSecret(raw) !== undefined) return `the value of ${raw}`;
  const [first] = secretsIn(raw);
  return first === undefined ? 'a sensitive value' : `a text with the value of ${first} in it`;
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
