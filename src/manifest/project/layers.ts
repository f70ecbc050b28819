import { cached } from '../../json/json.ts';
import { fieldAt } from '../../kinds/field-path.ts';
import { mayIncludeFile, mayPatch } from '../../kinds/sensitive.ts';
import type { FieldSchema, KindName } from '../../schemas/fields.ts';
import { quote } from '../../text/wording.ts';
import { errorAt, hasErrors, type Problem } from '../../yaml/problem.ts';
import {
  includedPath,
  keyAt,
  type ListNode,
  type MapNode,
  type Member,
  mapNode,
  memberOf,
  type Node,
  nodesIn,
  type ScalarNode,
  textOf,
} from '../../yaml/tree.ts';
import { keysAt, namesMeant } from '../../yaml/violations.ts';
import type { ManifestFile, ManifestFiles } from './manifest-files.ts';
import { type ProjectFiles, pathMeantBy, startOf, yamlLimit } from './project-files.ts';

const envelope = new Set([
  'apiVersion',
  'kind',
  'name',
  'renamedFrom',
  'onlyIn',
  'extends',
  'variables',
  'labels',
  'environments',
]);

/** A manifest with the bases that it extends. */
export interface Chain {
  /** The files, from the farthest base to the manifest. */
  readonly files: readonly ManifestFile[];
  /** The number of bases among the files. Bases come first. */
  readonly extendedCount: number;
  /** Whether every base could be read. */
  readonly isWhole: boolean;
  readonly problems: readonly Problem[];
}

/** Whether all files could be read and have no errors. */
export function hasNoErrors(chain: Chain): boolean {
  return chain.isWhole && !hasErrors(problemsOf(chain));
}

export function problemsOf({ problems, files }: Chain): Problem[] {
  return [...problems, ...files.flatMap((file) => file.problems)];
}

/** The content of one file, or of one overlay in a file. */
export interface Layer {
  readonly file: string;
  /** The environment of the overlay. Absent for content that is valid in all environments. */
  readonly environment?: string;
  readonly body: MapNode;
}

/**
 * The layers of a manifest in an environment, from the farthest to the nearest. All files come before all overlays.
 * Among the files and among the overlays, the farthest base comes first. An overlay of a base therefore overrides the
 * manifest's value for all environments, and the manifest's overlay overrides all other layers.
 */
export function layersOf(kind: KindName, chain: Chain, environment: string): Layer[] {
  const bodies = rootsOf(chain).map(([file, root]) => ({ file, body: bodyOf(root) }));
  return [...bodies, ...overlaysOf(kind, chain, environment)];
}

/** The overlays of a manifest and its bases for one environment. The overlay of the farthest base comes first. */
export function overlaysOf(kind: KindName, chain: Chain, environment: string): Layer[] {
  return rootsOf(chain).flatMap(([file, root]) => {
    const overlay = memberOf(memberOf(root, 'environments'), environment);
    if (overlay?.type !== 'map') return [];
    return [{ file, environment, body: bodyOf(overlay, keysAt(kind, ['environments', environment])) }];
  });
}

function rootsOf({ files }: Chain): Array<readonly [string, MapNode]> {
  return files.flatMap(({ path, resource }) => (resource === undefined ? [] : [[path, resource.root] as const]));
}

/** A manifest with its bases. `row` is set for a member of a fleet. */
interface Merging {
  readonly kind: KindName;
  readonly chain: Chain;
  readonly row?: unknown;
}

/**
 * Merges the sections, target and references of a manifest and its bases. Without an environment, leaves out all
 * overlays. Fleet members share a chain, so their results are cached. The result without overlays is reused in
 * environments without an overlay.
 */
export function mergedSections({ kind, chain, row }: Merging, environment?: string): MergedSections {
  const overlays = environment === undefined ? [] : overlaysOf(kind, chain, environment).map(({ body }) => body);
  const isMember = row !== undefined;
  const everywhere = isMember ? cached(everywhereOf, chain, () => merged(kind, chain)) : merged(kind, chain);
  if (environment === undefined || overlays.length === 0) return everywhere;
  const known = overlaidOf.get(chain);
  if (known?.environment === environment) return known.sections;
  const overlaid = mergeLayers(kind, [everywhere.merged, ...overlays]);
  const sections = { merged: overlaid, values: nodesIn(overlaid).length * overlays.length, overlaidFor: environment };
  if (isMember) overlaidOf.set(chain, { environment, sections });
  return sections;
}

function merged(kind: KindName, chain: Chain): MergedSections {
  const bodies = rootsOf(chain).map(([, root]) => bodyOf(root));
  const merged = bodies.length === 0 ? mapNode(startOf(''), []) : mergeLayers(kind, bodies);
  return { merged, values: nodesIn(merged).length };
}

export interface MergedSections {
  /** The merged sections, target and references. */
  readonly merged: MapNode;
  /**
   * A measure of the work: the number of merged values. If overlays were merged, this number is multiplied by the
   * number of overlays.
   */
  readonly values: number;
  /** The environment whose overlays were merged. If absent, the result is valid in all environments. */
  readonly overlaidFor?: string;
}

const everywhereOf = new WeakMap<Chain, MergedSections>();

/** Caches the result for the last environment, because fleet members without overrides share one chain. */
const overlaidOf = new WeakMap<Chain, { readonly environment: string; readonly sections: MergedSections }>();

/** The sections, target and references of a file or overlay, without members that such a file must not have. */
function bodyOf(node: MapNode, allowed?: readonly string[]): MapNode {
  return cached(bodies, node, () =>
    mapNode(
      node.at,
      [...node.members].filter(([name]) => !envelope.has(name) && allowed?.includes(name) !== false),
    ),
  );
}

/** Caches the bodies of files, because many manifests and environments share a base. */
const bodies = new WeakMap<MapNode, MapNode>();

/**
 * Merges the layers of a kind's sections, ordered from the farthest to the nearest. The value in the nearer layer takes
 * precedence. Maps are merged. Keyed lists are merged by key: the result keeps the order of the farther list, with new
 * elements at the end. All other lists are replaced. `null` and `{ file: ... }` are ordinary values. `{ patch: ... }`
 * keeps the value that it changes. A text that abbreviates an object is expanded only if a nearer layer has an object
 * at the same path.
 */
export function mergeLayers(kind: KindName, layers: readonly MapNode[]): MapNode {
  const merged = layers.reduce<Node | undefined>(
    (far, near) => (far === undefined ? near : merge(kind, far, near, [])),
    undefined,
  );
  if (merged?.type !== 'map') throw new RangeError('expected at least one layer, and only maps');
  return merged;
}

function merge(kind: KindName, far: Node, near: Node, path: readonly string[]): Node {
  const field = fieldWith(kind, path);
  const over = [far.at, ...(far.over ?? [])];
  const farther = near.type === 'map' && field?.shorthand !== undefined ? longhand(far, field.shorthand) : far;
  if (near.type === 'map' && isPatch(near, kind, path)) return { ...near, over, under: farther };
  const areMaps = near.type === 'map' && farther.type === 'map';
  if (areMaps && !isText(near, kind, path) && !isText(farther, kind, path)) {
    return { ...near, members: mergeMembers(kind, farther, near, path), over };
  }
  if (near.type === 'list' && farther.type === 'list' && field?.mapKey !== undefined) {
    return { ...near, items: mergeItems(kind, farther, near, [...path, field.mapKey]), over };
  }
  return { ...near, over };
}

function isPatch(node: Node, kind: KindName, path: readonly string[]): boolean {
  return includedPath(node, 'patch') !== undefined && mayPatch(kind, path);
}

/** Whether a map represents a text: `{ file: ... }` or `{ patch: ... }`. */
function isText(node: Node, kind: KindName, path: readonly string[]): boolean {
  return isPatch(node, kind, path) || (includedPath(node, 'file') !== undefined && mayIncludeFile(kind, path));
}

function mergeMembers(kind: KindName, far: MapNode, near: MapNode, path: readonly string[]): Map<string, Member> {
  const members = new Map(far.members);
  for (const [name, member] of near.members) {
    const under = far.members.get(name);
    const value = under === undefined ? member.value : merge(kind, under.value, member.value, [...path, name]);
    members.set(name, { key: member.key, value });
  }
  return members;
}

function mergeItems(kind: KindName, far: ListNode, near: ListNode, path: readonly string[]): Node[] {
  const keyName = path.at(-1) ?? '';
  const nearer = new Map(near.items.map((item) => [textOf(item, keyName), item]));
  const kept = far.items.map((item) => {
    const key = textOf(item, keyName);
    const over = key === undefined ? undefined : nearer.get(key);
    return over === undefined ? item : merge(kind, item, over, path);
  });
  const known = new Set(far.items.map((item) => textOf(item, keyName)));
  const added = near.items.filter((item) => {
    const key = textOf(item, keyName);
    return key === undefined || !known.has(key);
  });
  return [...kept, ...added];
}

/** The schema's field at this exact path. Undefined for paths above or inside a field. */
function fieldWith(kind: KindName, path: readonly string[]): FieldSchema | undefined {
  const field = fieldAt(kind, path);
  return field !== undefined && field.path.length === path.length ? field : undefined;
}

function longhand(node: Node, shorthand: string): Node {
  if (node.type !== 'scalar' || typeof node.value !== 'string') return node;
  return { type: 'map', at: node.at, members: new Map([[shorthand, { key: node.at, value: node }]]) };
}

/** Provides the files for reading a manifest. */
export interface Reader {
  readonly files: ProjectFiles;
  readonly parsed: ManifestFiles;
  /** Whether a path matches `manifests` in agentform.yaml. Such a file cannot be a base. */
  readonly isManifest: (path: string) => boolean;
}

/** Follows `extends` from a manifest to its farthest base, without checking the content of the files. */
export function followExtends(manifest: ManifestFile, input: Reader): Chain {
  let files = [manifest];
  const problems: Problem[] = [];
  for (;;) {
    const next = memberOf(files[0]?.resource?.root, 'extends');
    if (next?.type !== 'scalar' || typeof next.value !== 'string' || next.value === '') break;
    const extended = extendedFile(next, files, input);
    if ('problems' in extended) {
      return { files, extendedCount: files.length - 1, isWhole: false, problems: [...problems, ...extended.problems] };
    }
    problems.push(...roleProblems(extended.file));
    files = [extended.file, ...files];
  }
  const isWhole = files.every(({ resource }) => resource !== undefined);
  return inEveryEnvironment({ files, extendedCount: files.length - 1, isWhole, problems });
}

/**
 * If `extends` causes no problems, returns the same chain object in all environments, so that caches can use it as
 * their key.
 */
function inEveryEnvironment(chain: Chain): Chain {
  const manifest = chain.files.at(-1);
  if (manifest === undefined || chain.problems.length > 0) return chain;
  const known = chains.get(manifest);
  if (known?.files.length === chain.files.length && known.files.every((file, index) => file === chain.files[index]))
    return known;
  chains.set(manifest, chain);
  return chain;
}

const chains = new WeakMap<ManifestFile, Chain>();

/**
 * Adds all problems in each file to a chain. Checks a fleet's template only once, even if several units need it at the
 * same time.
 */
export function checkedChain(chain: Chain, { files, parsed }: Reader): Promise<Chain> {
  return cached(checkedOf, chain, async () => {
    const found = await Promise.all(chain.files.map(({ path }) => parsed.load(path, files)));
    const isSame = found.every((file, index) => file === chain.files[index]);
    return isSame ? chain : inEveryEnvironment({ ...chain, files: found });
  });
}

const checkedOf = new WeakMap<Chain, Promise<Chain>>();

const maxExtended = 20;

type ExtendedFile = { readonly file: ManifestFile } | { readonly problems: readonly Problem[] };

function extendedFile(reference: ScalarNode, chain: readonly ManifestFile[], input: Reader): ExtendedFile {
  const text = String(reference.value);
  const unusable = (message: string): ExtendedFile => ({ problems: [errorAt(reference.at, 'extends', message)] });
  if (chain.length > maxExtended) return unusable(`the chain of bases has more than ${maxExtended} files`);
  const fileReading = input.files.readReference(reference.at.file, text, yamlLimit);
  if (fileReading.failure !== undefined) {
    const problem = errorAt(reference.at, 'extends', `the base ${quote(text)} ${fileReading.failure}`);
    return { problems: [{ ...problem, ...pathMeantBy(reference, fileReading) }] };
  }
  const { path } = fileReading.source;
  const paths = [...chain.map((file) => file.path)].reverse();
  if (paths.includes(path)) {
    const circle = [...paths.slice(paths.indexOf(path)), path].join(' → ');
    return unusable(`the bases extend one another in a cycle: ${circle}; remove one \`extends\``);
  }
  if (input.isManifest(path)) {
    return unusable(`the base ${quote(text)} is itself a manifest: exclude it from the patterns under \`manifests\``);
  }
  const file = input.parsed.parse(path, input.files);
  if (file.other !== undefined) {
    return unusable(`the base ${quote(text)} is a ${file.other.kind}, which cannot be extended`);
  }
  if (file.problemsAsPart !== undefined) return { problems: file.problemsAsPart };
  const kind = chain[0]?.resource?.kind;
  return file.resource === undefined || file.resource.kind === kind
    ? { file }
    : unusable(`the base ${quote(text)} has the kind ${quote(file.resource.kind)}: expected ${quote(String(kind))}`);
}

/** Reports members that are allowed in a manifest, but not in a base, template or override. */
export function roleProblems({ resource }: ManifestFile, role: 'base' | 'template' | 'override' = 'base'): Problem[] {
  if (resource === undefined) return [];
  const { root } = resource;
  const keys = ['name', 'renamedFrom', 'onlyIn', ...(role === 'override' ? ['extends'] : [])];
  return keys
    .filter((key) => root.members.has(key))
    .map((key) => {
      const message = `${role === 'override' ? 'an' : 'a'} ${role} must not set ${key}, because ${whyNot(role, key)}`;
      return errorAt(keyAt(root, [key]), 'base-name', message);
    });
}

function whyNot(role: string, key: string): string {
  if (key === 'extends') return 'it is merged over its template';
  if (role === 'base') return 'it does not declare a resource';
  return key === 'onlyIn' ? 'the fleet sets onlyIn for all its members' : 'each member of the fleet has its own';
}

/** Reports a manifest without a name, unless another problem already explains where the name is. */
export function nameProblems({ resource, problems }: ManifestFile): Problem[] {
  if (resource === undefined || resource.root.members.has('name')) return [];
  const isExplained = namesMeant(problems).has('name') || memberOf(resource.root, 'metadata') !== undefined;
  if (isExplained) return [];
  const message = 'name is missing: a manifest needs a name that is unique for its kind';
  return [errorAt(keyAt(resource.root, ['kind']), 'missing', message)];
}
