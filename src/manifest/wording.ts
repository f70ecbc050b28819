import type { Node } from './tree.ts';

/** A text in quotes, on one line and shortened. */
export function quote(text: string): string {
  const line = JSON.stringify(shorten(text, 60)).slice(1, -1).replaceAll('\\"', '"');
  return `'${line}'`;
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The value as a complaint names it; a secret is never named. */
export function showNode(node: Node): string {
  if (node.type === 'map') return node.members.size === 0 ? 'an empty map' : 'a map';
  if (node.type === 'list') return node.items.length === 0 ? 'an empty list' : 'a list';
  if (node.sensitive) return 'a sensitive value';
  const shown = typeof node.value === 'string' ? quote(node.value) : shorten(node.source || String(node.value), 60);
  return node.raw === undefined || node.from !== undefined ? shown : `${shown} (from ${quote(node.raw)})`;
}

/** `a`, `a or b`, `a, b or c`. */
export function listOf(words: readonly string[], last = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
