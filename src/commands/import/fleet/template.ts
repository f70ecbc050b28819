import { posix } from 'node:path';
import { AgentformError } from '../../../errors.ts';
import { cached, isJsonObject, type Json, type JsonObject, mapTexts } from '../../../json/json.ts';
import { comparable } from '../../../kinds/compare.ts';
import { valueIn } from '../../../kinds/definition.ts';
import { type FieldPath, settingPath } from '../../../kinds/field-path.ts';
import { defaultPaths, manifestPatterns, matchedPaths, type Project } from '../../../manifest/project/project.ts';
import type { FieldSchema, KindName } from '../../../schemas/fields.ts';
import { escapeText, referringTo, splitText } from '../../../yaml/interpolate.ts';
import { tidyText } from '../manifest/text-files.ts';
import { type ManifestDraft, sectionsOfFields, writeFleet, writeManifest } from '../manifest/write-manifest.ts';

/** An agent that becomes a member: its sections, and the cells of its row by column. */
interface TemplateMember {
  readonly sections: JsonObject;
  readonly cells: ReadonlyMap<string, string>;
  /** Whether a text contains a secret and must stay out of the template. */
  readonly isSecret: (text: string) => boolean;
}

/**
 * Returns the sections that most members share, as written in the template. References to columns replace cell values,
 * and any other `${` is escaped. Skips paths for which `without` returns true. A required field without a shared value
 * becomes `${var.name}`.
 */
export function sharedSections(
  kind: KindName,
  members: readonly TemplateMember[],
  without: (path: FieldPath) => boolean,
): JsonObject {
  const columns = tellingColumns(members.map(({ cells }) => cells));
  const writers = members.map(({ cells }) => new MemberTexts(columns, cells));
  const shared = (values: readonly (Json | undefined)[]) => {
    const open = values.map((value, index) =>
      value === undefined || members[index]?.isSecret(JSON.stringify(value)) ? undefined : tidied(value),
    );
    return sharedValue(open, writers);
  };
  const sections = sectionsOfFields(kind, (field) => {
    const { path } = field;
    // Write-only settings cannot be read, so they cannot be shared.
    if (!field.readable) return undefined;
    const isLeftOut = without(path);
    const values = members.map((member) => valueIn(member.sections, field));
    const value = isLeftOut || field.shape === 'map' ? undefined : shared(values);
    if (value !== undefined || field.required) return value ?? reference('name');
    if (isLeftOut || field.shape !== 'map') return undefined;
    return sharedElements(field, values, { shared, without: (key) => without([...path, key]) });
  });
  const extra = sharedExtras(kind, members, { shared, without });
  return extra.length === 0 ? sections : { ...sections, extraSettings: Object.fromEntries(extra) };
}

function sharedExtras(
  kind: KindName,
  members: readonly TemplateMember[],
  { shared, without }: Pick<SharingElements, 'shared'> & { readonly without: (path: FieldPath) => boolean },
): [string, Json][] {
  const extras = members.map(({ sections }) => sections.extraSettings);
  const names = new Set(extras.flatMap((one) => (isJsonObject(one) ? Object.keys(one) : [])));
  return [...names].sort().flatMap((name): [string, Json][] => {
    const value = shared(extras.map((one) => (isJsonObject(one) ? one[name] : undefined)));
    const path = ['extraSettings', name];
    const isLeftOut = without(path) || without(settingPath(kind, path));
    return value === undefined || isLeftOut ? [] : [[name, value]];
  });
}

/** Normalises line endings and trailing white space, because they do not count as differences. */
function tidied(value: Json): Json {
  return typeof value === 'string' ? tidyText(value) : value;
}

/** Returns the columns that have a value in every row, but not the same value in all rows. */
function tellingColumns(rows: readonly ReadonlyMap<string, string>[]): string[] {
  const [first] = rows;
  return [...(first?.keys() ?? [])].filter((column) => {
    const cells = new Set(rows.map((row) => row.get(column)));
    return cells.size > 1 && !cells.has(undefined);
  });
}

interface SharingElements {
  readonly shared: (values: readonly (Json | undefined)[]) => Json | undefined;
  readonly without: (key: string) => boolean;
}

/**
 * Returns the list elements that more than half of the members have. Leaves out an element if all members that have it
 * set a property that cannot be shared.
 */
function sharedElements(
  { mapKey = '' }: FieldSchema,
  lists: readonly (Json | undefined)[],
  { shared, without }: SharingElements,
): Json | undefined {
  const elements = lists.map((list) => {
    const objects = Array.isArray(list) ? list.filter(isJsonObject) : [];
    return new Map(objects.map((element) => [String(element[mapKey]), element]));
  });
  const keys = new Set(elements.flatMap((one) => [...one.keys()]));
  const found = [...keys].flatMap((key): Json[] => {
    const own = elements.map((one) => one.get(key));
    const holders = own.filter((one) => one !== undefined);
    if (without(key) || holders.length * 2 <= own.length) return [];
    const names = [...new Set(holders.flatMap((one) => Object.keys(one)))].filter((name) => name !== mapKey);
    const values = names.map((name) => [name, shared(own.map((one) => one?.[name]))] as const);
    const isWhole = values.every(([name, value]) => value !== undefined || holders.some((one) => !(name in one)));
    return isWhole ? [{ [mapKey]: escapeText(key), ...Object.fromEntries(values.filter(isPresent)) }] : [];
  });
  return found.length === 0 ? undefined : found;
}

function isPresent(entry: readonly [string, Json | undefined]): entry is readonly [string, Json] {
  return entry[1] !== undefined;
}

/** The maximum number of texts with references to try on every member, the most common first. */
const maxCandidates = 5;

/**
 * Returns the value that more than half of the members have. A text with references is chosen only if it matches more
 * members than the most common literal value. If no value is that common, returns the lines that most members have.
 */
function sharedValue(values: readonly (Json | undefined)[], writers: readonly MemberTexts[]): Json | undefined {
  const literals = ranked(values.map((value) => (value === undefined ? undefined : mapTexts(value, escapeText))));
  const [literal] = literals;
  const texts = values.map((value, index) =>
    typeof value === 'string' ? (writers[index]?.withReferences(value) ?? undefined) : undefined,
  );
  const references = ranked(texts)
    .filter(({ value }) => value !== undefined)
    .slice(0, maxCandidates)
    .map(({ value }) => ({ value, count: values.filter((own, index) => writers[index]?.comesTo(value, own)).length }))
    .sort((one, other) => other.count - one.count);
  const [reference] = references;
  const best = reference !== undefined && reference.count > (literal?.count ?? 0) ? reference : literal;
  if (best !== undefined && best.count * 2 > values.length) return best.value;
  return commonLines(texts.map((text, index) => text ?? escapedText(values[index])));
}

/** Sorts values by frequency, then by first occurrence. */
function ranked(values: readonly (Json | undefined)[]) {
  const counts = new Map<string, { value: Json | undefined; count: number }>();
  for (const value of values) {
    const key = value === undefined ? '' : comparable(value, undefined);
    cached(counts, key, () => ({ value, count: 0 })).count += 1;
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}

function escapedText(value: Json | undefined): string {
  return typeof value === 'string' ? escapeText(value) : '';
}

/**
 * Returns the lines that most members have, ordered as in the text that contains the most such lines. This is the
 * fallback if no whole text is common enough. Returns undefined if there is at most one such line.
 */
function commonLines(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  const split = texts.map((text) => text.split('\n'));
  for (const lines of split) for (const line of new Set(lines)) counts.set(line, (counts.get(line) ?? 0) + 1);
  const isCommon = (line: string) => (counts.get(line) ?? 0) * 2 > texts.length;
  const common = split.map((lines) => lines.filter(isCommon));
  const longest = common.reduce<readonly string[]>((best, one) => (one.length > best.length ? one : best), []);
  const text = longest.join('\n').trimEnd();
  return text.includes('\n') ? text : undefined;
}

/** The maximum length of a text in which to look for cell values, in characters. */
const maxSearched = 256 * 1024;

/**
 * The length of cell values to look for inside a text. Shorter values can occur by chance, and longer values are
 * usually whole texts.
 */
const lengthInside = { min: 3, max: 100 } as const;
const maxInside = 20;

/** Replaces cell values in one member's texts with references. */
class MemberTexts {
  /** Maps each value to its column. If several columns of a row have the same value, the first column is used. */
  readonly #columns: ReadonlyMap<string, string>;
  readonly #cells: ReadonlyMap<string, string>;
  readonly #write: (text: string) => string;

  constructor(columns: readonly string[], cells: ReadonlyMap<string, string>) {
    this.#cells = cells;
    this.#columns = new Map([...columns].reverse().map((column) => [cells.get(column) ?? '', column]));
    const inside = [...this.#columns].filter(
      ([{ length }]) => length >= lengthInside.min && length <= lengthInside.max,
    );
    const references = inside.slice(0, maxInside).map(([cell, column]) => [cell, reference(column)] as const);
    this.#write = referringTo(new Map(references), { wholeWords: true });
  }

  /**
   * Replaces cell values with references. Returns undefined if the text contains no cell value, or is too long to
   * search.
   */
  withReferences(text: string): string | undefined {
    const whole = this.#columns.get(text);
    if (whole !== undefined) return reference(whole);
    const written = text.length > maxSearched ? undefined : this.#write(text);
    return written === escapeText(text) ? undefined : written;
  }

  /** Whether a text with references resolves to this value for the member. */
  comesTo(text: Json | undefined, value: Json | undefined): boolean {
    if (typeof text !== 'string') return false;
    const pieces = splitText(text).map((piece) => (piece.type === 'var' ? this.#cells.get(piece.name) : piece.text));
    return pieces.join('') === value;
  }
}

function reference(column: string): string {
  return `\${var.${column}}`;
}

/** The paths for the files of a new fleet, relative to the project folder. */
export interface FleetLayout {
  readonly name: string;
  readonly fleet: string;
  readonly template: string;
  /** The pattern of the overrides, or undefined for a fleet without overrides. */
  readonly overrides: string | undefined;
  readonly table: string;
}

/** Returns the path of the template that an import writes for a new fleet. */
export function templatePath(fleet: string): string {
  return `templates/${fleet}.yaml`;
}

/**
 * Chooses paths for a new fleet. Throws `import-refused` if `manifests` matches the template or an override, or does
 * not match the fleet.
 */
export function newLayout(project: Project, name: string, table: string): FleetLayout {
  const candidates = [`fleets/${name}.yaml`, ...defaultPaths(project, name)];
  const fleet = candidates.find((path) => matchedPaths(project, [path]).has(path));
  const patterns = manifestPatterns(project).join(', ');
  if (fleet === undefined) {
    throw new AgentformError(
      'import-refused',
      `a fleet at ${candidates[0]} would not be found, because \`manifests\` in ${project.file} is ${patterns}; add the pattern fleets/*.yaml`,
    );
  }
  const template = templatePath(name);
  const [taken] = matchedPaths(project, [template, 'clients/name.yaml']);
  if (taken !== undefined) {
    throw new AgentformError(
      'import-refused',
      `templates/ and clients/ must not contain manifests, but \`manifests\` in ${project.file} is ${patterns}; leave them out with the patterns "!templates/**" and "!clients/**"`,
    );
  }
  return { name, fleet, template, overrides: 'clients/${var.name}.yaml', table };
}

/**
 * Returns the files of a new fleet. The fleet file is last, because the other files have no effect without the fleet
 * file.
 */
export function fleetFiles(
  { name, fleet, template, overrides, table }: FleetLayout,
  parts: Pick<ManifestDraft, 'sections' | 'target' | 'overlay' | 'comments'>,
): ReadonlyMap<string, string> {
  const { files } = writeManifest({
    ...parts,
    kind: 'Agent',
    name,
    isTemplate: true,
    path: template,
    // An empty id means that the client has no agent yet.
    variables: { id: '' },
    write: (text) => text,
  });
  const seen = (path: string) => posix.relative(posix.dirname(fleet), path);
  const members = { name, templates: [seen(template)], members: { file: seen(table) } };
  const fleetText = writeFleet(fleet, { ...members, ...(overrides !== undefined && { overrides: seen(overrides) }) });
  return new Map([...files, [fleet, fleetText]]);
}
