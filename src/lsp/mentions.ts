import { agent } from '../kinds/definitions/agent.ts';
import { organization } from '../kinds/definitions/organization.ts';
import { isKindName, kindNamed, kindNames } from '../kinds/kind.ts';
import { isSpecial, splitText } from '../yaml/interpolate.ts';
import type { Span } from '../yaml/problem.ts';
import type { SourceFile } from '../yaml/source-file.ts';
import {
  childrenOf,
  includedPath,
  type MapNode,
  memberOf,
  membersIn,
  type Node,
  nodesIn,
  scalarsOf,
  type TextNode,
  textOf,
  textsIn,
} from '../yaml/tree.ts';

/** A place in a file that declares or names a resource, a variable or another item of the project. */
export type Mention =
  | {
      readonly type: 'path';
      readonly at: Span;
      /** The path as written, relative to the file. */
      readonly reference: string;
      readonly role: PathRole;
    }
  | { readonly type: 'resource'; readonly at: Span; readonly kind: string | undefined; readonly name: string }
  | { readonly type: 'declaration'; readonly at: Span; readonly kind: string; readonly name: string }
  | { readonly type: 'former'; readonly at: Span; readonly kind: string; readonly name: string }
  | { readonly type: 'variable'; readonly at: Span; readonly name: string }
  | { readonly type: 'secret'; readonly at: Span; readonly name: string }
  | {
      readonly type: 'definition';
      readonly at: Span;
      readonly name: string;
      readonly environment?: string;
      /** The place of the value, if it follows the name. */
      readonly valueAt?: Span;
      /** Whether an earlier row has a column with this name. */
      readonly isRepeated?: true;
    }
  | { readonly type: 'environment'; readonly at: Span; readonly name: string };

/** How a manifest uses the file at a path. */
export type PathRole = 'base' | 'text' | 'template' | 'table' | 'override';

/** Finds references to variables and secrets in a range of any file. */
export function mentionsInText(source: SourceFile, start = 0, end = source.text.length): Mention[] {
  const text = source.text.slice(start, end);
  if (!isSpecial(text)) return [];
  return splitText(text).flatMap((piece): Mention[] => {
    if (piece.type !== 'var' && piece.type !== 'secret') return [];
    const at = start + piece.index + `\${${piece.type}.`.length;
    const whole: Mention = {
      type: piece.type === 'var' ? 'variable' : 'secret',
      name: piece.name,
      at: source.span(at, at + piece.name.length),
    };
    const entry = /\[var\.([^[\]]*)\]$/.exec(piece.name);
    if (entry?.[1] === undefined) return [whole];
    const inner = at + piece.name.length - 1 - entry[1].length;
    return [whole, { type: 'variable', name: entry[1], at: source.span(inner, inner + entry[1].length) }];
  });
}

/** Finds the mentions in a manifest, base, template or override. */
export function mentionsInManifest(source: SourceFile, root: MapNode): Mention[] {
  const kind = textOf(root, 'kind') ?? '';
  return [
    ...namesIn(root, kind),
    ...(kind === 'Fleet' ? ofFleet(root) : ofResource(root, kind)),
    ...(kind === 'Test' ? textsIn(memberOf(root, 'agents')).map(chosenName(agent.name)) : []),
    ...(kind === 'Policy' ? excepted(root) : []),
    ...variablesOf(memberOf(root, 'variables')),
    ...overlaysOf(root).flatMap(([environment, value]) => [...variablesOf(memberOf(value, 'variables'), environment)]),
    ...environmentKeys(root),
    ...textsIn(memberOf(root, 'onlyIn')).map(environmentMention),
    ...scalarMentions(source, root),
  ];
}

/** Finds the mentions in agentform.yaml. */
export function mentionsInProject(source: SourceFile, root: MapNode): Mention[] {
  const byDefault = memberOf(root, 'defaultEnvironment');
  return [
    ...environmentKeys(root),
    ...overlaysOf(root).flatMap(([environment, value]) => [
      ...variablesOf(memberOf(value, 'variables'), environment),
      ...textsIn(memberOf(value, 'requires')).map(environmentMention),
      ...textsIn(memberOf(memberOf(value, 'requires'), 'environment')).map(environmentMention),
    ]),
    ...textsIn(byDefault).map(environmentMention),
    ...textsIn(memberOf(root, 'removed')).map(chosenName()),
    ...scalarMentions(source, root),
  ];
}

function namesIn(root: MapNode, kind: string): Mention[] {
  const name = memberOf(root, 'name');
  const own = textsIn(name).map((node): Mention => ({ type: 'declaration', at: node.at, kind, name: node.value }));
  const former = textsIn(memberOf(root, 'renamedFrom')).map(
    (node): Mention => ({ type: 'former', at: node.at, kind, name: node.value }),
  );
  return [...own, ...former];
}

function ofResource(root: MapNode, kind: string): Mention[] {
  const bodies = [root, ...overlaysOf(root).map(([, value]) => value)];
  const extended = textsIn(memberOf(root, 'extends')).map(pathAs('base'));
  const owner = isKindName(kind) ? kindNamed(kind).owner : undefined;
  const references = bodies.flatMap((body) => [
    ...textsIn(memberOf(body, 'organization')).map(resourceNamed(organization.name)),
    ...(owner === undefined ? [] : textsIn(memberOf(body, owner.member)).map(resourceNamed(owner.kind))),
  ]);
  return [...extended, ...references.filter(({ name }) => !name.includes('${')), ...includes(root)];
}

function ofFleet(root: MapNode): Mention[] {
  const tables = [memberOf(root, 'members'), ...overlaysOf(root).map(([, value]) => memberOf(value, 'members'))];
  return [
    ...textsIn(memberOf(root, 'templates')).map(pathAs('template')),
    ...textsIn(memberOf(root, 'overrides')).map(pathAs('override')),
    ...tables.flatMap((table) => {
      const file = table && includedPath(table, 'file');
      return file === undefined ? rowsOf(table) : textsIn(file).map(pathAs('table'));
    }),
  ];
}

/** Finds the mentions in a table. Each column is a variable, and each name declares a resource. */
function rowsOf(table: Node | undefined): Mention[] {
  if (table?.type !== 'list') return [];
  const known = new Set<string>();
  return table.items.flatMap((item): Mention[] => {
    if (item.type !== 'map') return [];
    const columns = [...item.members].flatMap(([name, { key }]): Mention[] => {
      const isFirst = !known.has(name);
      known.add(name);
      return [{ type: 'definition', at: key, name, ...(!isFirst && { isRepeated: true as const }) }];
    });
    return [...columns, ...namesIn(item, '')];
  });
}

function includes(root: MapNode): Mention[] {
  const paths = nodesIn(root).map((node) => includedPath(node, 'file') ?? includedPath(node, 'patch'));
  return paths.flatMap(textsIn).map(pathAs('text'));
}

function excepted(root: MapNode): Mention[] {
  const exceptions = memberOf(root, 'exceptions');
  const items = exceptions?.type === 'list' ? exceptions.items : [];
  const chosen = textsIn(memberOf(memberOf(root, 'match'), 'names')).map(chosenName());
  const limited = textsIn(memberOf(memberOf(root, 'match'), 'environments')).map(environmentMention);
  const named = items.flatMap((item) => textsIn(memberOf(item, 'name')).map(resourceNamed(textOf(item, 'kind'))));
  return [...chosen, ...limited, ...named];
}

function scalarMentions(source: SourceFile, root: Node): Mention[] {
  return scalarsOf(root).flatMap(([, { value, at }]) => {
    return typeof value === 'string' && isSpecial(value) ? mentionsInText(source, at.offset, at.end) : [];
  });
}

function variablesOf(node: Node | undefined, environment?: string): Mention[] {
  return [...membersIn(node)].map(([name, { key, value }]) => ({
    ...{ type: 'definition', at: key, name, valueAt: value.at },
    ...(environment !== undefined && { environment }),
  }));
}

function overlaysOf(root: Node): ReadonlyArray<readonly [string, Node]> {
  const overlays = memberOf(root, 'environments');
  return overlays?.type === 'map' ? childrenOf(overlays) : [];
}

function environmentKeys(root: Node): Mention[] {
  return [...membersIn(memberOf(root, 'environments'))].map(([name, { key }]) => ({
    type: 'environment',
    at: key,
    name,
  }));
}

function pathAs(role: PathRole) {
  return ({ at, value }: TextNode): Mention => ({ type: 'path', at, reference: value, role });
}

function resourceNamed(kind: string | undefined) {
  return ({ at, value }: TextNode) => ({ type: 'resource', at, kind, name: value }) as const;
}

/** Makes a parser for names such as `front-desk` or `Agent/front-desk`. */
function chosenName(usual?: string) {
  return (node: TextNode): Mention => {
    const [kind = '', name] = node.value.split('/');
    if (name === undefined || !kindNames.some((known) => known === kind)) return resourceNamed(usual)(node);
    return { type: 'resource', at: node.at, kind, name };
  };
}

function environmentMention({ at, value }: TextNode): Mention {
  return { type: 'environment', at, name: value };
}

/**
 * Whether two kinds are the same. An unknown kind, as for fleet members and some references, counts as equal to any
 * kind.
 */
export function isSameKind(
  { kind }: { readonly kind: string | undefined },
  other: { readonly kind: string | undefined },
): boolean {
  return !kind || !other.kind || other.kind === kind;
}
