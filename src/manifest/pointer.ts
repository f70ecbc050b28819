import { fieldsByKind } from '../schemas/fields.ts';
import type { Span } from './problem.ts';
import { headOf, memberOf, type Node, textOf } from './tree.ts';
import { quote } from './wording.ts';

export { formatPointer, parsePointer } from '../kinds/pointer.ts';

/** The node that the steps lead to. */
export function nodeAt(root: Node, steps: readonly string[]): Node | undefined {
  return steps.reduce<Node | undefined>((node, step) => childAt(node, step), root);
}

function childAt(node: Node | undefined, step: string): Node | undefined {
  return node?.type === 'list' ? node.items[Number(step)] : memberOf(node, step);
}

/** The name before the value that the steps lead to; an item of a list has none, so that its beginning is given. */
export function keyAt(root: Node, steps: readonly string[]): Span {
  const parent = nodeAt(root, steps.slice(0, -1));
  const name = steps.at(-1);
  const key = parent?.type === 'map' && name !== undefined ? parent.members.get(name)?.key : undefined;
  return key ?? headOf(nodeAt(root, steps) ?? root);
}

/** The way as people read it: `settings.title`, `skills[calendar].instructions`, `links[0]`, `variables['']`. */
export function describePath(root: Node, steps: readonly string[]): string {
  let node: Node | undefined = root;
  let text = '';
  for (const step of steps) {
    const child: Node | undefined = childAt(node, step);
    if (node?.type === 'list') text += `[${itemName(child) ?? step}]`;
    else if (!/^[^\s.[\]'"]+$/.test(step)) text += `[${quote(step)}]`;
    else text += text === '' ? step : `.${step}`;
    node = child;
  }
  return text;
}

const listKeys = new Set(Object.values(fieldsByKind).flatMap((fields) => fields.flatMap(({ mapKey }) => mapKey ?? [])));

function itemName(item: Node | undefined): string | undefined {
  return [...listKeys]
    .map((key) => textOf(item, key))
    .find((name) => name !== undefined && /^[\w.-]{1,60}$/.test(name));
}
