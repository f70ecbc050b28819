import {
  type CodeLens,
  type DocumentSymbol,
  type Range,
  SymbolKind,
  type WorkspaceSymbol,
} from 'vscode-languageserver/node';
import { addressOf } from '../../kinds/desired.ts';
import { isKindName } from '../../kinds/kind.ts';
import type { Span } from '../../yaml/problem.ts';
import { headOf, type MapNode, type Member, type Node, textOf } from '../../yaml/tree.ts';
import type { Snapshot } from '../live-project.ts';
import type { Mention } from '../mentions.ts';
import { locationIn, rangeIn, startOfFile, uriIn } from '../positions.ts';
import { resourcesUsing } from '../project-index.ts';
import { usersText } from './hover.ts';
import { type OpenFile, usesOf } from './navigation.ts';

/** The maximum depth of an outline: sections, settings or elements, and their members. */
const maxLevels = 3;

/**
 * Returns the outline of a YAML file. List elements are named by their slug, app id, name or type. Elements without any
 * of these are left out.
 */
export function outlineOf({ snapshot, path }: OpenFile): DocumentSymbol[] {
  const indexed = snapshot.index.file(path);
  const root = indexed && snapshot.index.rootOf(indexed);
  return root === undefined ? [] : membersOf(snapshot, root, maxLevels);
}

function membersOf(snapshot: Snapshot, map: MapNode, levels: number): DocumentSymbol[] {
  return [...map.members].flatMap(([name, member]) => symbolOf(snapshot, name, { member, levels }) ?? []);
}

function symbolOf(
  snapshot: Snapshot,
  name: string,
  { member: { key, value }, levels }: { readonly member: Member; readonly levels: number },
): DocumentSymbol | undefined {
  // A value that YAML merges from another map is not at this key.
  if (name === '' || value.at.offset < key.offset) return undefined;
  const detail = value.type === 'scalar' ? String(value.value).split('\n', 1)[0]?.slice(0, 80) : undefined;
  return {
    ...{ name, kind: symbolKind(value), selectionRange: rangeIn(snapshot, key) },
    range: { start: rangeIn(snapshot, key).start, end: rangeIn(snapshot, { ...value.at }).end },
    ...(detail && { detail }),
    children: levels > 1 ? symbolsUnder(snapshot, value, levels - 1) : [],
  };
}

function symbolsUnder(snapshot: Snapshot, node: Node, levels: number): DocumentSymbol[] {
  if (node.type === 'map') return membersOf(snapshot, node, levels);
  if (node.type === 'scalar') return [];
  return node.items.flatMap((item): DocumentSymbol[] => {
    const name = ['slug', 'appId', 'name', 'type'].flatMap((key) => textOf(item, key) ?? [])[0];
    if (name === undefined || name === '') return [];
    const range = rangeIn(snapshot, item.at);
    const selectionRange = rangeIn(snapshot, headOf(item));
    return [{ name, kind: SymbolKind.Object, range, selectionRange, children: [] }];
  });
}

function symbolKind(node: Node): SymbolKind {
  if (node.type === 'map') return SymbolKind.Module;
  return node.type === 'list' ? SymbolKind.Array : SymbolKind.Property;
}

const maxSymbols = 500;

/** Finds the resources, fleet members, policies, Tests and variables whose names contain a text. */
export function workspaceSymbols(snapshot: Snapshot, query: string): WorkspaceSymbol[] {
  const wanted = query.toLowerCase();
  const found = new Map<string, WorkspaceSymbol>();
  for (const [file, mention] of snapshot.index.mentions()) {
    if (mention.type !== 'declaration' && mention.type !== 'definition') continue;
    if (mention.type === 'definition' && mention.isRepeated) continue;
    if (!mention.name.toLowerCase().includes(wanted) || found.size >= maxSymbols) continue;
    const { at, name } = mention;
    const location = locationIn(snapshot, at);
    found.set(JSON.stringify(location), {
      name,
      kind: symbolKindOf(mention),
      location,
      containerName: mention.type === 'declaration' && mention.kind !== '' ? mention.kind : file.path,
    });
  }
  return [...found.values()];
}

function symbolKindOf(mention: Extract<Mention, { type: 'declaration' | 'definition' }>): SymbolKind {
  if (mention.type === 'definition') return SymbolKind.Variable;
  return isKindName(mention.kind) || mention.kind === '' ? SymbolKind.Class : SymbolKind.Interface;
}

/** Returns the code lenses: the plan of a manifest, or the number of resources that use another file. */
export async function lensesOf(file: OpenFile): Promise<CodeLens[]> {
  const { snapshot, path } = file;
  const indexed = snapshot.index.files.get(path);
  if (indexed === undefined || indexed.role === 'project') return [];
  if (indexed.role === 'manifest') {
    const { kind = '', name } = indexed;
    if (name === undefined || !isKindName(kind)) return [];
    const args = [snapshot.root, addressOf({ kind, name })];
    return [lensAt(startOfFile, 'Show plan', 'agentform.showPlan', args)];
  }
  const users = [...resourcesUsing(snapshot.index, path, (await snapshot.resolutions()).values())];
  const locations = usesOf(file).map((at: Span) => locationIn(snapshot, at));
  const args = [uriIn(snapshot, path), startOfFile.start, locations];
  return [lensAt(startOfFile, `used by ${usersText(users)}`, 'agentform.showReferences', args)];
}

function lensAt(range: Range, title: string, command: string, args: unknown[]): CodeLens {
  return { range, command: { title, command, arguments: args } };
}
