import { createHash } from 'node:crypto';
import { readPack, writePack } from '../../files/pack.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { isKindName } from '../../kinds/kind.ts';
import { type MergedManifest, valuesOf } from '../project/gather-manifests.ts';
import { hasNoProblems } from '../project/layers.ts';
import type { PackPlace } from '../project/parsed-cache.ts';
import type { Project } from '../project/project.ts';
import { textLimit } from '../project/project-files.ts';
import type { Problem } from '../syntax/problem.ts';
import type { References } from './references.ts';
import type {
  Declared,
  KnownDeclared,
  KnownOutlines,
  ManifestIdentity,
  Outline,
  ResolveContext,
  ResolveOptions,
} from './resolution.ts';
import { identify } from './resolve-manifest.ts';
import { claimedBy, claimedElsewhere } from './shared-environments.ts';
import { isIdentifiedByFile, uniqueKey } from './uniqueness.ts';

/** A file as it was when an outline was made of it. */
interface KnownFile {
  readonly digest: string;
  /** The id of a blob of git with its text. */
  readonly blob: string;
  /** With the same signature it is the same file (`ProjectFiles.signatureOf`); empty where it has none. */
  readonly signature: string;
}

/** One environment of a project, for whose manifests outlines are kept. */
export interface OutlinedEnvironment {
  readonly project: Project;
  readonly environment: string;
  readonly env: ResolveOptions['env'];
}

/**
 * The outlines of a project's manifests in one environment, in the user's folder for caches. An outline counts while the texts of
 * its files are what they were; a signature only spares reading them. What is not a file goes into the digest of the whole: with
 * another agentform.yaml or another variable of the process there is no outline.
 */
export class Outlines implements KnownOutlines {
  readonly #project: Project;
  readonly #place: PackPlace | undefined;
  readonly #basis: string;
  readonly #were: ReadonlyMap<string, KnownFile>;
  readonly #are = new Map<string, { readonly file: KnownFile | undefined; readonly isRead: boolean }>();
  /** Those of this run. */
  readonly #made = new Set<Outline>();
  /** Those that count, by the path of the manifest. */
  readonly known: Map<string, Outline>;
  /** What of the index is no longer so, or not in it. */
  #moved = 0;

  /** Undefined where nothing is kept. */
  static of(outlined: OutlinedEnvironment): Outlines | undefined {
    const { parsed } = outlined.project;
    return parsed.outlinesOf(outlined.environment) === undefined ? undefined : new Outlines(outlined);
  }

  /** Where nothing is kept, none is known but those of this run. */
  constructor({ project, environment, env }: OutlinedEnvironment) {
    const { parsed, files: all, file } = project;
    this.#project = project;
    const source = all.source(file);
    const place = source && parsed.outlinesOf(environment);
    this.#place = place;
    const variables = Object.entries(env).filter(([name]) => name.startsWith('AGENTFORM_VAR_'));
    this.#basis = digestOf(JSON.stringify([format, place?.name, source?.text, variables.sort()]));
    const { files, outlines } = indexIn(place && readPack(place.folder, place.name).get(this.#basis));
    this.#were = files;
    const manifests = new Set(project.manifests);
    const isOfNow = ({ files: [path = '', ...others] }: Outline) =>
      manifests.has(path) && this.#isSame(path) && others.every((one) => this.#isSame(one));
    this.known = new Map(outlines.filter(isOfNow).map((one) => [one.identity.file, one]));
    this.#moved += outlines.length - this.known.size;
  }

  /** What the manifest of an outline declares now; undefined where only reading it tells. */
  declaredIn(outline: Outline): KnownDeclared | undefined {
    const { declared } = outline;
    return this.#made.has(outline) || declared?.needed.every((path) => this.#isSame(path)) ? declared : undefined;
  }

  /** The id of a blob of git with the text that a file has now; undefined where it cannot be read. */
  blobOf(path: string): string | undefined {
    return this.#isNow(path)?.blob;
  }

  /** Takes what is new, and keeps everything where enough of it is. That it cannot be kept is nobody's trouble. */
  async keep(made: readonly Outline[]): Promise<void> {
    for (const one of made) {
      if (![...one.files, ...(one.declared?.needed ?? [])].every((path) => this.#isNow(path) !== undefined)) continue;
      this.#made.add(one);
      this.known.set(one.identity.file, one);
    }
    this.#moved += made.length;
    const place = this.#place;
    if (place === undefined || this.#moved * 100 <= this.known.size * percentMoved) return;
    this.#moved = 0;
    const text = textOfIndex(
      [...this.known.values()].flatMap((one) => this.#asKept(one)),
      (path) => (this.#are.has(path) ? this.#are.get(path)?.file : this.#were.get(path)),
    );
    await writePack(place.folder, place.name, [[this.#basis, text]]).catch(() => undefined);
  }

  /** A file has one entry: what an earlier run made of it while it was another one goes. */
  #asKept(outline: Outline): Outline[] {
    const isStill = (path: string) => !this.#are.has(path) || this.#isSame(path);
    if (this.#made.has(outline)) return [outline];
    if (!outline.files.every(isStill)) return [];
    const { declared, ...others } = outline;
    return [declared?.needed.every(isStill) ? outline : others];
  }

  #isSame(path: string): boolean {
    const was = this.#were.get(path);
    return was !== undefined && this.#isNow(path)?.digest === was.digest;
  }

  /** Once a file is read, its text counts. */
  #isNow(path: string): KnownFile | undefined {
    const { files } = this.#project;
    const known = this.#are.get(path);
    const isRead = files.source(path) !== undefined;
    if (known !== undefined && (known.isRead || !isRead)) return known.file;
    const file = this.#look(path, isRead);
    this.#are.set(path, { file, isRead: files.source(path) !== undefined });
    return file;
  }

  #look(path: string, isRead: boolean): KnownFile | undefined {
    const { files } = this.#project;
    const was = this.#were.get(path);
    const signature = isRead ? files.signatureAtReading(path) : files.signatureOf(path);
    if (was !== undefined && signature !== undefined && signature === was.signature) return was;
    const reading = files.read(path, textLimit);
    if (was !== undefined) this.#moved += 1;
    if (reading.failure !== undefined) return undefined;
    const { text } = reading.source;
    return { digest: digestOf(text), blob: blobOf(text), signature: files.signatureAtReading(path) ?? '' };
  }
}

/** Files and outlines that are new, of a hundred: with fewer, the index is not written again. */
const percentMoved = 1;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function blobOf(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** A manifest of which everything is known that an outline says. */
export interface OutlinedManifest {
  readonly manifest: MergedManifest;
  readonly references: References;
  readonly labels: ManifestIdentity['labels'];
  readonly labelProblems: readonly Problem[];
  /** What it declares, if it is selected. */
  readonly declared?: Declared | undefined;
}

/**
 * Makes outlines, in a context that knows secrets by form only. None of a manifest that something is wrong with, nor of what is
 * rare and says more: one that was renamed, is limited to environments, or is a member of a fleet. Which files a prompt links to
 * is not known, so that where a dead link is an error nobody knows what is declared.
 */
export function outliner(
  { project, env }: OutlinedEnvironment,
  context: ResolveContext,
): (one: OutlinedManifest) => Outline[] {
  const elsewhere = claimedElsewhere({ ...context, project, env });
  return ({ manifest, references, labels, labelProblems, declared }) => {
    const { row, renamedFrom, onlyIn, chain } = manifest;
    const { owner } = references;
    const isPlain = row === undefined && renamedFrom.length === 0 && onlyIn === undefined;
    if (!isPlain || owner === undefined || owner.row !== undefined || !hasNoProblems(chain)) return [];
    if (references.problems.length > 0 || labelProblems.length > 0 || isIdentifiedByFile(manifest)) return [];
    const identity = identify(manifest, { references, labels }, context.targets);
    const unique = uniqueKey({ manifest, identity, isSelected: false }, context);
    const claims = claimDigests(unique, elsewhere(manifest));
    const paths = [...chain.files.toReversed(), ...owner.chain.files].map(({ path }) => path);
    const outline = { identity, files: [...new Set(paths)], values: valuesOf(chain), claims };
    const digest = project.lint['prompt-markdown'] === 'error' ? undefined : declared?.digest;
    return [digest === undefined ? outline : { ...outline, declared: { digest, needed: declared?.needed ?? [] } }];
  };
}

/** What a manifest that is read claims in the environment, in the form in which outlines have it. */
export function claimsOfRead({ manifest, references, labels }: OutlinedManifest, context: ResolveContext): string[] {
  const identity = identify(manifest, { references, labels }, context.targets);
  const unique = uniqueKey({ manifest, identity, isSelected: true }, context);
  return claimDigests(unique, claimedBy(manifest, context));
}

function claimDigests(unique: string | undefined, shared: readonly string[]): string[] {
  const keys = [...(unique === undefined ? [] : [`unique ${unique}`]), ...shared.map((key) => `shared ${key}`)];
  return keys.map(digestOf);
}

interface Index {
  readonly files: ReadonlyMap<string, KnownFile>;
  readonly outlines: readonly Outline[];
}

/** Of the rows below. */
const format = 2;

/** What the index has of an outline, files by their numbers: a row of ten thousand is read in each run. */
type Row = readonly [
  kind: string,
  name: string,
  files: readonly number[],
  place: readonly [line: number, column: number, offset: number, end: number],
  labels: Texts,
  query: Texts,
  known: Texts,
  values: number,
  claims: readonly string[],
  digest: string,
  declared: readonly number[],
];

type Texts = Readonly<Record<string, string>>;

/** What an identity has or does not have. */
const optional = ['token', 'organization', 'agent', 'agentId', 'campaignId'] as const;

function textOfIndex(outlines: readonly Outline[], fileAt: (path: string) => KnownFile | undefined): string {
  const numbers = new Map<string, number>();
  const files: string[] = [];
  const numberOf = (path: string): number => {
    const known = numbers.get(path);
    if (known !== undefined) return known;
    const { digest = '', blob = '', signature = '' } = fileAt(path) ?? {};
    files.push(path, digest, blob, signature);
    numbers.set(path, numbers.size);
    return numbers.size - 1;
  };
  const rows = outlines.map(({ identity, files, values, claims, declared }): Row => {
    const { kind, name, at, labels, query } = identity;
    const known = optional.flatMap((key) => (identity[key] === undefined ? [] : [[key, identity[key]] as const]));
    const place = [at.line, at.column, at.offset, at.end] as const;
    const needed = (declared?.needed ?? []).map(numberOf);
    const others = [values, claims, declared?.digest ?? '', needed] as const;
    return [kind, name, files.map(numberOf), place, labels, query, Object.fromEntries(known), ...others];
  });
  return JSON.stringify({ files, rows });
}

/** An empty one where there is none of ours; its checksum fits, so that only another program can have written it. */
function indexIn(text: string | undefined): Index {
  try {
    const index: unknown = JSON.parse(text ?? 'null');
    if (isJsonObject(index)) return readIndex(index);
  } catch {
    // No JSON is none of ours.
  }
  return { files: new Map(), outlines: [] };
}

function readIndex({ files, rows }: JsonObject): Index {
  if (!isListOf(files, isText) || !isListOf(rows, isRow)) return { files: new Map(), outlines: [] };
  const paths: string[] = [];
  const known = new Map<string, KnownFile>();
  for (let at = 0; at < files.length; at += 4) {
    const [path = '', digest = '', blob = '', signature = ''] = files.slice(at, at + 4);
    paths.push(path);
    known.set(path, { digest, blob, signature });
  }
  return { files: known, outlines: rows.flatMap((row) => outlineIn(row, paths)) };
}

function outlineIn(row: Row, paths: readonly string[]): Outline[] {
  const [kind, name, numbers, [line, column, offset, end], labels, query, others, values, claims, digest, needed] = row;
  const [files, declared] = [numbers, needed].map((some) => some.flatMap((number) => paths[number] ?? []));
  const file = files?.[0];
  if (file === undefined || files === undefined || declared === undefined || !isKindName(kind)) return [];
  const { token, ...known } = others;
  const identity = {
    ...known,
    ...{ kind, name, file, home: file, at: { file, line, column, offset, end }, labels, renamedFrom: [], query, token },
  };
  const outline = { identity, files, values, claims };
  return [digest === '' ? outline : { ...outline, declared: { digest, needed: declared } }];
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value)) return false;
  const [kind, name, files, place, labels, query, known, values, claims, digest, declared]: unknown[] = value;
  return (
    isText(kind) &&
    isText(name) &&
    isListOf(files, isNumber) &&
    isListOf(place, isNumber) &&
    place.length === 4 &&
    isTexts(labels) &&
    isTexts(query) &&
    isTexts(known) &&
    Object.keys(known).every((key) => optional.some((one) => one === key)) &&
    isNumber(values) &&
    isListOf(claims, isText) &&
    isText(digest) &&
    isListOf(declared, isNumber)
  );
}

function isTexts(value: unknown): value is Texts {
  return isJsonObject(value) && Object.values(value).every(isText);
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
