import type { KindName } from '../../schemas/fields.ts';
import { quote } from '../../text/wording.ts';
import { splitText, type TextPiece } from '../../yaml/interpolate.ts';
import { errorAt, hasErrors, type Problem, type Span } from '../../yaml/problem.ts';
import {
  headOf,
  isText,
  keyAt,
  type MapNode,
  mapNode,
  memberOf,
  membersIn,
  type Node,
  type ScalarNode,
  textsIn,
} from '../../yaml/tree.ts';
import { type Chain, followExtends, type Reader, roleProblems } from '../project/layers.ts';
import type { ManifestFile } from '../project/manifest-files.ts';
import { environmentsOf, type FormerName, placeOfName } from '../project/moves.ts';
import { type ProjectFiles, pathMeantBy, yamlLimit } from '../project/project-files.ts';
import { type Input, Trace } from '../project/trace.ts';
import { csvTable, listTable, type MemberTable, type Row, tableLimits } from './member-table.ts';

/** A manifest with its bases, before merging. */
export interface DeclaredManifest {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly root: MapNode;
  readonly chain: Chain;
  readonly labels: LabelNodes;
  readonly row?: Row;
  /** For a member, the location of the fleet's name. */
  readonly fleetAt?: Span;
  /** For a member, whether all environments use the same table. */
  readonly rowIsShared?: boolean;
  /** The override path of a member. The file may not exist yet. Undefined if the member has no override path. */
  readonly ownFile?: string | undefined;
  /** The override paths of a member, whether or not the files exist. */
  readonly overrides?: OverridePaths;
  readonly renamedFrom: readonly FormerName[];
  /** The environments that have the resource. Undefined means all environments. */
  readonly onlyIn?: readonly string[] | undefined;
}

/** The paths of a member's possible overrides for all kinds. The member depends on which of these files exist. */
export interface OverridePaths {
  readonly found: readonly string[];
  /** The override paths at which no file exists. */
  readonly free: readonly string[];
}

/** One resource of a member, before its overrides are read. */
export interface FleetMember {
  readonly kind: KindName;
  readonly row: Row;
  /** The index of the member's table within the fleet. */
  readonly table: number;
  /** For the trace, the inputs from the fleet, the template and the row. */
  readonly inputs: readonly Input[];
  declare(reader: Reader): DeclaredUnit;
}

export interface DeclaredUnit {
  readonly manifest: DeclaredManifest;
  /** The problems in a member's overrides. */
  readonly problems: readonly Problem[];
}

/** Facts about the fleet itself, such as counts, problems and override patterns. */
export interface FleetFacts {
  readonly name?: string;
  /** The location of the name. */
  readonly at: Span;
  /** The number of resources from this environment's table. These resources come first. */
  readonly here: number;
  /** The number of resources from all tables. */
  readonly count: number;
  /** The problems in the fleet and its tables. */
  readonly problems: readonly Problem[];
  /** The patterns for all override paths with placeholders. Empty if the fleet or its tables have errors. */
  readonly overrides: readonly string[];
}

interface ExpandedFleet {
  readonly members: readonly FleetMember[];
  readonly facts: FleetFacts;
}

export interface FleetEnvironment {
  readonly environment: string;
  readonly environments: readonly string[];
}

interface FleetInput extends FleetEnvironment {
  readonly reader: Reader;
  readonly trace: Trace;
}

/**
 * Expands a fleet into manifests, one for each combination of member and template. Each manifest extends its template.
 * The row provides the manifest's variables, and the override provides settings. Later steps treat the result as an
 * ordinary manifest.
 */
export function expandFleet(file: ManifestFile, root: MapNode, input: FleetInput): ExpandedFleet {
  const problems = [...file.problems];
  const name = file.other?.name;
  const declared = { ...(name !== undefined && { name }), at: placeOfName({ root }), problems };
  const unusable = { members: [], facts: { ...declared, here: 0, count: 0, overrides: [] } };
  // A member depends on the fleet's files, but only on its own row of the table.
  const trace = new Trace(input.trace);
  const { files, parsed } = input.reader;
  const reader = { ...input.reader, files: files.noting(trace) };
  parsed.parse(file.path, reader.files);
  if (hasErrors(problems)) return unusable;
  const templates = templatesOf(root, { ...input, reader }, problems);
  const tables = tablesOf(root, input, problems);
  const patterns = patternsIn(root, tables, problems);
  const isUsable = !hasErrors(problems);
  // These problems are added after `isUsable` was determined, because a problem in one row does not affect the other
  // rows.
  for (const { table } of tables) for (const problem of table.problems) problems.push(problem);
  if (!isUsable) return unusable;
  const expansion: Expansion = { fleet: root, templates, patterns, environment: input.environment };
  const inputs = trace.inputs;
  const members: FleetMember[] = [];
  const elsewhere: FleetMember[] = [];
  for (const [number, { table, environments, onlyIn }] of tables.entries()) {
    const isHere = environments.includes(input.environment);
    for (const row of table.rows) {
      const own: readonly Input[] = [...inputs, ['row', '', row.digest()]];
      for (const template of templates.values()) {
        const declare = (wanted: Reader) => declaredMember({ row, template, onlyIn }, expansion, wanted);
        (isHere ? members : elsewhere).push({ kind: template.kind, row, table: number, inputs: own, declare });
      }
    }
  }
  const isPattern = ({ pieces }: OverridePath) => pieces.some(({ type }) => type === 'var');
  const overrides = hasErrors(problems)
    ? []
    : patterns.filter(isPattern).flatMap((pattern) => globOf(pattern, files) ?? []);
  const all = [...members, ...elsewhere];
  return { members: all, facts: { ...declared, here: members.length, count: all.length, overrides } };
}

interface Template {
  readonly kind: KindName;
  readonly root: MapNode;
  readonly path: string;
  /** The template with its bases. These files are the bases of all members. */
  readonly chain: Chain;
  readonly labels: LabelNodes;
  readonly at: ScalarNode['at'];
}

function templatesOf(fleet: MapNode, input: FleetInput, problems: Problem[]): ReadonlyMap<KindName, Template> {
  const templates = new Map<KindName, Template>();
  for (const reference of textsIn(memberOf(fleet, 'templates'))) {
    const file = fileOf(reference, 'template', input.reader, problems);
    if (file?.resource === undefined) continue;
    const { kind, root } = file.resource;
    const first = templates.get(kind);
    if (first !== undefined) {
      const message = `two templates have the kind ${quote(kind)}, but a member can have only one resource of each kind`;
      problems.push({ ...errorAt(reference.at, 'template', message), also: { message: 'first here', at: first.at } });
      continue;
    }
    const followed = followExtends(file, input.reader);
    const ofTemplate = [...followed.problems, ...roleProblems(file, 'template')];
    const chain = { ...followed, problems: ofTemplate, extendedCount: followed.files.length };
    const labels = labelsIn(chain, input.environment, new Map(labelsUnder(memberOf(fleet, 'labels'))));
    templates.set(kind, { kind, root, path: file.path, chain, labels, at: reference.at });
  }
  return templates;
}

/**
 * Loads a file that a fleet names. If the file is not suitable for the role, adds problems and returns undefined or a
 * file without a resource.
 */
function fileOf(
  reference: ScalarNode,
  role: 'template' | 'override',
  { files, parsed, isManifest }: Reader,
  problems: Problem[],
): ManifestFile | undefined {
  const text = String(reference.value);
  const unusable = (message: string) => void problems.push(errorAt(reference.at, 'template', message));
  const fileReading = files.readReference(reference.at.file, text, yamlLimit);
  if (fileReading.failure !== undefined) {
    const problem = errorAt(reference.at, 'template', `the ${role} ${quote(text)} ${fileReading.failure}`);
    problems.push({ ...problem, ...pathMeantBy(reference, fileReading) });
    return undefined;
  }
  const { path } = fileReading.source;
  if (isManifest(path)) {
    return unusable(
      `the ${role} ${quote(text)} is itself a manifest: exclude it from the patterns under \`manifests\``,
    );
  }
  const file = parsed.parse(path, files);
  if (file.other !== undefined) {
    return unusable(`the ${role} ${quote(text)} is a ${file.other.kind}, which does not declare a resource`);
  }
  if (file.resource === undefined) problems.push(...(file.problemsAsPart ?? file.problems));
  return file;
}

interface TableInUse {
  readonly table: MemberTable;
  readonly environments: readonly string[];
  /** The environments in which the table's members exist. Undefined means all environments. */
  readonly onlyIn: readonly string[] | undefined;
}

function tablesOf(fleet: MapNode, input: FleetInput, problems: Problem[]): TableInUse[] {
  const own = [...membersIn(memberOf(fleet, 'environments'))];
  const names = own.map(([name]) => name);
  const limit = environmentsOf(fleet) ?? input.environments;
  const uses = [
    { node: memberOf(fleet, 'members'), environments: input.environments.filter((name) => !names.includes(name)) },
    ...own.map(([name, { value }]) => ({ node: memberOf(value, 'members'), environments: [name] })),
  ];
  return uses.flatMap(({ node, environments }) => {
    const limited = environments.filter((name) => limit.includes(name));
    const table = node && tableOf(node, input, problems);
    if (table === undefined) return [];
    return [{ table, environments, onlyIn: limited.length === input.environments.length ? undefined : limited }];
  });
}

function tableOf(node: Node, { reader: { files } }: FleetInput, problems: Problem[]): MemberTable | undefined {
  if (node.type === 'list') return listTable(node);
  const path = memberOf(node, 'file');
  if (path?.type !== 'scalar') return undefined;
  const fileReading = files.readReference(path.at.file, String(path.value), tableLimits.bytes);
  if (fileReading.failure === undefined) return csvTable(fileReading.source);
  const message = `the table ${quote(String(path.value))} ${fileReading.failure}`;
  problems.push({ ...errorAt(fileReading.at ?? path.at, 'file', message), ...pathMeantBy(path, fileReading) });
  return undefined;
}

interface OverridePath {
  readonly node: ScalarNode;
  readonly pieces: readonly TextPiece[];
}

/** Parses the override paths. Each placeholder must name a column that every table has. */
function patternsIn(fleet: MapNode, tables: readonly TableInUse[], problems: Problem[]): readonly OverridePath[] {
  const nodes = textsIn(memberOf(fleet, 'overrides'));
  const patterns = nodes.map((node) => ({ node, pieces: splitText(String(node.value)) }));
  for (const { node, pieces } of patterns) {
    const { at } = node;
    for (const piece of pieces) {
      if (piece.type === 'literal') continue;
      for (const { table } of tables) {
        // A table without a readable header has already been reported.
        if (table.columns.size === 0) continue;
        if (piece.type === 'var' && table.columns.has(piece.name)) table.used.add(piece.name);
        else
          problems.push(
            errorAt(
              at,
              'template',
              `overrides contains ${quote(piece.text)}: a placeholder must name a column of every table`,
            ),
          );
      }
    }
  }
  return patterns;
}

/**
 * A pattern for all files at an override path, including files without a matching row. Undefined if the path leads
 * outside the project.
 */
export function globOf(
  { node, pieces }: { readonly node: Pick<ScalarNode, 'at'>; readonly pieces: readonly TextPiece[] },
  files: ProjectFiles,
): string | undefined {
  const stand = '\u0000';
  const text = pieces.map((piece) => (piece.type === 'var' ? stand : piece.text)).join('');
  return files
    .pathOf(node.at.file, text)
    ?.replace(/[\\*?[\]{}!]/g, '\\$&')
    .replaceAll(stand, '*');
}

interface Expansion {
  readonly fleet: MapNode;
  readonly templates: ReadonlyMap<KindName, Template>;
  readonly patterns: readonly OverridePath[];
  readonly environment: string;
}

interface MemberInput {
  readonly row: Row;
  readonly template: Template;
  readonly onlyIn: readonly string[] | undefined;
}

function declaredMember({ row, template, onlyIn }: MemberInput, expansion: Expansion, reader: Reader): DeclaredUnit {
  const { fleet, environment } = expansion;
  const { kind, root, path } = template;
  const { own, problems, ...overrides } = overridesOf(row, kind, expansion, reader);
  const fleetAt = memberOf(fleet, 'name')?.at ?? headOf(fleet);
  const members = ['apiVersion', 'kind'].flatMap((name) => {
    const member = root.members.get(name);
    return member === undefined ? [] : [[name, member] as const];
  });
  const named = [...members, ['name', { key: row.name.at, value: row.name }] as const];
  const { renamedFrom } = row;
  const ownFile = own.at(-1)?.path ?? overrides.free[0];
  const rowIsShared = memberOf(fleet, 'environments') === undefined;
  const lasting = { row, fleetAt, rowIsShared, ownFile, overrides, renamedFrom, onlyIn };
  const shared = { kind, path, ...lasting, name: row.name.value, root: mapNode(row.name.at, named) };
  if (own.length === 0) return { manifest: { ...shared, chain: template.chain, labels: template.labels }, problems };
  const { files, extendedCount, isWhole, problems: ofChain } = template.chain;
  const roles = own.flatMap((file) => roleProblems(file, 'override'));
  const chain = { files: [...files, ...own], extendedCount, isWhole, problems: [...ofChain, ...roles] };
  const labels = labelsIn(chain, environment, new Map(labelsUnder(memberOf(fleet, 'labels'))));
  return { manifest: { ...shared, chain, labels }, problems };
}

interface Overrides extends OverridePaths {
  /** The overrides for the resource's kind. */
  readonly own: readonly ManifestFile[];
  readonly problems: readonly Problem[];
}

/** Finds a member's overrides for the given kind, and its override paths for all kinds. */
function overridesOf(row: Row, wanted: KindName, { patterns, templates }: Expansion, reader: Reader): Overrides {
  const { files } = reader;
  const own: ManifestFile[] = [];
  const problems: Problem[] = [];
  const [found, free]: [string[], string[]] = [[], []];
  for (const { node, pieces } of patterns) {
    const text = filled(pieces, row);
    if (text === undefined) continue;
    const path = files.pathOf(node.at.file, text);
    // A path outside the project is reported when the file is read.
    if (path !== undefined && !files.has(path)) {
      free.push(path);
      continue;
    }
    if (path !== undefined) found.push(path);
    const file = fileOf({ ...node, value: text }, 'override', reader, problems);
    if (file?.resource === undefined) continue;
    const { kind, root } = file.resource;
    if (kind === wanted) own.push(file);
    else if (!templates.has(kind)) {
      const message = `the fleet has no template for the kind ${quote(kind)}, so nothing uses this override`;
      problems.push(errorAt(keyAt(root, ['kind']), 'template', message));
    }
  }
  return { own, problems, found, free };
}

/** Inserts a row's values into a path. Undefined if a cell is empty, because the member then has no override. */
function filled(pieces: readonly TextPiece[], row: Row): string | undefined {
  let text = '';
  for (const piece of pieces) {
    const part = piece.type === 'var' ? row.variable(piece.name)?.text : piece.text;
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

type LabelNodes = ReadonlyMap<string, ScalarNode>;

/**
 * Merges the labels of a manifest in an environment: first those of its files, then those of its overlays. A fleet's
 * labels override those that its templates declare for all environments. A member's overrides and all overlays take
 * precedence over both.
 */
export function labelsIn(chain: Chain, environment: string, ofFleet: LabelNodes = new Map()): LabelNodes {
  const bodies = chain.files.map(({ resource }) => resource?.root);
  const overlays = bodies.map((root) => memberOf(memberOf(root, 'environments'), environment));
  const own = [...bodies, ...overlays].map((node) => labelsUnder(memberOf(node, 'labels')));
  const labels = [...own.slice(0, chain.extendedCount).flat(), ...ofFleet, ...own.slice(chain.extendedCount).flat()];
  return labels.length === 0 ? noLabels : new Map(labels);
}

const noLabels: LabelNodes = new Map();

/** The labels in one map. Skips values that are not texts, because the schema reports them. */
function labelsUnder(node: Node | undefined): Array<[string, ScalarNode]> {
  return [...membersIn(node)].flatMap(
    ([key, { value }]): Array<[string, ScalarNode]> => (isText(value) ? [[key, value]] : []),
  );
}
