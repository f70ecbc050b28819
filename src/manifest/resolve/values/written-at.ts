import { depthOf, type FieldPath, fieldAt } from '../../../kinds/field-path.ts';
import type { KindName } from '../../../schemas/fields.ts';
import type { ChangeSource } from '../../../schemas/plan-types.ts';
import { splitText } from '../../../yaml/interpolate.ts';
import { type MapNode, type Node, type ScalarNode, scalarsOf, toJson } from '../../../yaml/tree.ts';
import { nodeOnPath } from './provenance.ts';
import type { Scope } from './scope.ts';

export interface WrittenResource {
  readonly kind: KindName;
  /** What the manifest was resolved to. */
  readonly tree: MapNode;
  readonly scope: Scope;
}

/**
 * The file and line that the value of a field comes from.
 *
 * A text that is included is written in the file that it is in, and a value that is one variable and nothing else
 * where the variable has it. Every other value is written where the nearest manifest, base or overlay has it.
 */
export function writtenAt(
  { kind, tree, scope }: WrittenResource,
  path: FieldPath,
  before?: string,
): ChangeSource | undefined {
  const node = nearestNode(kind, tree, path);
  if (node === undefined) return undefined;
  if (node.type === 'scalar' && node.from !== undefined) {
    return { file: node.from.path, line: changedLine(node, before) };
  }
  if (node.type === 'scalar' && node.patched !== undefined) return { file: node.patched.by.path, line: 1 };
  const { file, line } = (node.type === 'scalar' && placeOfVariable(node, scope)) || node.at;
  return { file, line };
}

/** The value of a field before variables and secrets were put in. */
export function writtenValueAt({ kind, tree }: Pick<WrittenResource, 'kind' | 'tree'>, path: FieldPath) {
  const node = nodeOnPath(kind, tree, path);
  return node && toJson(node, ({ value, raw }) => raw ?? value);
}

/** The variables that were put into the value of a field, or the nearest thing around it within the field. */
export function variablesAt({ kind, tree, scope }: WrittenResource, path: FieldPath): ReadonlyMap<string, string> {
  const node = nearestNode(kind, tree, path);
  const raws =
    node === undefined ? [] : [...scalarsOf(node)].flatMap(([, { raw, sensitive }]) => (sensitive ? [] : (raw ?? [])));
  const names = raws.flatMap((raw) => splitText(raw).flatMap((piece) => (piece.type === 'var' ? [piece.name] : [])));
  return new Map([...new Set(names)].map((name) => [name, scope.variable(name)?.text ?? '']));
}

/** An element that is gone was written in its list; what is not a field's own is looked up no farther. */
function nearestNode(kind: KindName, tree: MapNode, path: FieldPath): Node | undefined {
  const field = fieldAt(kind, path);
  const least = field === undefined ? path.length : depthOf(field);
  for (let length = path.length; length >= least; length -= 1) {
    const node = nodeOnPath(kind, tree, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return undefined;
}

function placeOfVariable({ raw }: ScalarNode, scope: Scope) {
  const [piece, ...others] = raw === undefined ? [] : splitText(raw);
  return piece?.type === 'var' && others.length === 0 ? scope.variable(piece.name)?.at : undefined;
}

/** The first line of an included text that differs from the text before; without one, its first line. */
function changedLine({ value, raw }: ScalarNode, before: string | undefined): number {
  if (before === undefined || typeof value !== 'string') return 1;
  const [now, then] = [linesOf(value), linesOf(before)];
  const differing = now.findIndex((line, index) => line !== then[index]);
  const changed = differing < 0 ? Math.max(now.length, 1) : differing + 1;
  if (raw === undefined) return changed;
  const written = linesOf(raw);
  // Below a reference to several lines, the lines of the file are no longer those of the text.
  const firstReference = written.findIndex((line) => splitText(line).some(({ type }) => type !== 'literal')) + 1;
  return written.length === now.length ? changed : Math.min(changed, firstReference || changed);
}

/** Neither line ends nor blanks at the end of a line or of the text make a change. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
