import { hash } from 'node:crypto';
import { canonicalJson, type Json } from '../../json/json.ts';
import { isEmbedded, type Target } from '../../kinds/desired.ts';
import { mayIncludeFile, mayPatch } from '../../kinds/sensitive.ts';
import type { KindName } from '../../schemas/fields.ts';
import { textInFile } from '../../text/lines.ts';
import { present } from '../../text/wording.ts';
import { includedPath, type MapNode, mapNode, type Node, type ScalarNode, scalarsOf, toJson } from '../../yaml/tree.ts';
import { isOwnColumn } from '../fleet/member-table.ts';
import type { MergedManifest, UnitHead } from '../fleet/units.ts';
import { hasNoErrors, mergedSections, overlaysOf } from '../project/layers.ts';
import { type ProjectFiles, textLimit } from '../project/project-files.ts';
import { variablesOf } from '../project/variables.ts';
import type { References } from './identity/references.ts';
import type { Declared, ManifestContent } from './resolution.ts';
import type { Scope } from './values/scope.ts';
import { ValueResolver } from './values/value-resolver.ts';

interface DeclaredBy extends Pick<References, 'owner'> {
  /** The resolved sections, target and references. */
  readonly tree: MapNode;
  /** The target. Undefined if it has errors. */
  readonly target: Target | undefined;
  /** The manifest of the resource's organization, if the resource has an organization. */
  readonly organization: UnitHead | undefined;
}

type Origins = { readonly [Name in 'fleetAt' | 'overrides' | 'table']?: UnitHead[Name] | undefined };

/** Computes the digest and files of a resolved manifest's declaration. */
export function declaredBy(manifest: MergedManifest, { tree, target, owner, organization }: DeclaredBy): Declared {
  const manifests = new Set(present(manifest, owner));
  const paths = new Set([...manifests].flatMap(({ chain }) => chain.files.map(({ path }) => path)));
  for (const [, { from, patched }] of scalarsOf(tree)) {
    for (const path of patched?.files ?? []) paths.add(path);
    if (from !== undefined && patched === undefined) paths.add(from.path);
  }
  if (manifest.row !== undefined) paths.add(manifest.row.name.at.file);
  const files = [...paths].sort();
  const needed = new Set(files);
  for (const { row, fleetAt, overrides } of manifests) {
    for (const path of comesOf({ table: row?.name.at.file, fleetAt, overrides })) needed.add(path);
  }
  for (const path of organization === undefined ? [] : [...comesOf(organization), organization.path]) needed.add(path);
  const from = { files, needed: [...needed] };
  if (target === undefined || !hasNoErrors(manifest.chain)) return { digest: undefined, ...from };
  const declared = toJson(isEmbedded(target) ? withoutToken(tree) : tree, comparedValue);
  const digest = `sha256:${hash('sha256', canonicalJson({ baseUrl: target.baseUrl, declared }))}`;
  return { digest, ...from };
}

/** The files that declare a fleet member, except its template. */
function comesOf({ table, fleetAt, overrides }: Origins): string[] {
  if (table === undefined || fleetAt === undefined) return [];
  return [fleetAt.file, table, ...(overrides?.found ?? [])];
}

/**
 * Represents a value in a digest. The first character distinguishes values from references, which could otherwise look
 * alike. A text with a secret is represented by its reference, with variables inserted.
 */
function comparedValue({ value, raw, sensitive, opaque, masked }: ScalarNode) {
  if (sensitive || opaque) return `$${raw ?? ''}${masked === undefined ? '' : `\n${masked.shown}`}`;
  return typeof value === 'string' ? `=${value}` : value;
}

/** Removes the token, because the embedded emulator accepts any token. */
function withoutToken(tree: MapNode): MapNode {
  const target = tree.members.get('target');
  if (target?.value.type !== 'map') return tree;
  const kept = [...target.value.members].filter(([name]) => name !== 'token');
  return mapNode(tree.at, [...tree.members, ['target', { ...target, value: mapNode(target.value.at, kept) }]]);
}

interface ContentContext {
  readonly files: ProjectFiles;
  readonly scope: Scope;
}

/** How a file whose path contains variables is included in a digest: by its text, or by the path as written. */
type VariablePaths = 'followed' | 'as written';

/**
 * Computes the digests of a manifest's content, revision and overlays. The content covers the sections as written,
 * included files, the declared variables and the row of a table that all environments share. The content excludes the
 * environment's variables and the target. The revision covers this environment's sections, including overlays. The
 * revision excludes variable values and the row, so that members of a fleet share a revision.
 */
export function contentOf(manifest: MergedManifest, context: ContentContext): ManifestContent {
  const { kind, chain, merged, row, rowIsShared, onlyIn } = manifest;
  const limited = onlyIn === undefined ? {} : { onlyIn };
  if (!hasNoErrors(chain)) return limited;
  const writer = new ContentWriter(kind, context, 'followed');
  const sections = writer.sections(mergedSections(manifest).merged);
  const variables = Object.fromEntries([...variablesOf(chain.files)].map(([name, { value }]) => [name, value]));
  const columns = row === undefined || !rowIsShared ? [] : [...row.table.columns.keys()];
  const cells = columns.flatMap((name) => (isOwnColumn(name) ? [] : [[name, row?.variable(name)?.value ?? null]]));
  const overlays = overlaysOf(kind, chain, writer.environment).map(({ body }) => writer.sections(body));
  if (writer.isIncomplete) return limited;
  const said = overlays.filter((overlay) => Object.keys(overlay).length > 0);
  return {
    ...limited,
    digest: digestOfJson({ kind, sections, variables, row: Object.fromEntries(cells) }),
    revision: digestOfJson({ kind, sections: new ContentWriter(kind, context, 'as written').sections(merged) }),
    ...(said.length > 0 && { overlay: digestOfJson(said) }),
  };
}

function digestOfJson(value: Json): string {
  return `sha256:${hash('sha256', canonicalJson(value))}`;
}

/** The members that identify the target or resource, and therefore do not count as content. */
const identityMembers: ReadonlySet<string> = new Set(['target', 'memberId', 'resellerId']);

class ContentWriter {
  /** Set if a file could not be read, so that the content is unknown. */
  isIncomplete = false;
  readonly environment: string;
  readonly #kind: KindName;
  readonly #files: ProjectFiles;
  readonly #resolver: ValueResolver;
  readonly #variablePaths: VariablePaths;

  constructor(kind: KindName, { files, scope }: ContentContext, variablePaths: VariablePaths) {
    this.#kind = kind;
    this.#files = files;
    this.environment = scope.environment;
    this.#resolver = new ValueResolver({ kind, files, scope });
    this.#variablePaths = variablePaths;
  }

  sections({ members }: MapNode): { [name: string]: Json } {
    const said = [...members].filter(([name]) => !identityMembers.has(name));
    return Object.fromEntries(said.map(([name, { value }]) => [name, this.#written(value, [name])]));
  }

  #written(node: Node, steps: readonly string[]): Json {
    if (node.type === 'scalar') return node.value;
    if (node.type === 'list') return node.items.map((item, index) => this.#written(item, [...steps, String(index)]));
    const included = includedPath(node, 'file');
    if (included !== undefined && mayIncludeFile(this.#kind, steps)) return textInFile(this.#text(included));
    const patch = includedPath(node, 'patch');
    if (patch !== undefined && mayPatch(this.#kind, steps)) {
      const under = node.under === undefined ? null : this.#written(node.under, steps);
      return { patch: this.#text(patch), under };
    }
    return Object.fromEntries(
      [...node.members].map(([name, { value }]) => [name, this.#written(value, [...steps, name])]),
    );
  }

  /** The text of an included file. In `as written` mode, a path with variables is returned unresolved instead. */
  #text(path: ScalarNode): string {
    const { value, opaque } = this.#resolver.scalar(path, { noSecret: 'the path of a file' });
    if (this.#variablePaths === 'as written' && value !== path.value) return String(path.value);
    const source = opaque ? undefined : this.#files.readReference(path.at.file, String(value), textLimit).source;
    if (source !== undefined) return source.text;
    this.isIncomplete = true;
    return '';
  }
}
