import { createHash } from 'node:crypto';
import type { PackPlace } from '../../files/pack.ts';
import { type Pack, readPack, writePack } from '../../files/pack.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { isKindName } from '../../kinds/kind.ts';
import type { Problem } from '../../yaml/problem.ts';
import { type MergedManifest, valuesOf } from '../fleet/gather-manifests.ts';
import { hasNoProblems } from '../project/layers.ts';
import type { Project } from '../project/project.ts';
import { textLimit } from '../project/project-files.ts';
import type { References } from './identity/references.ts';
import { claimedBy, claimedElsewhere } from './identity/shared-environments.ts';
import type {
  KnownDeclared,
  KnownOutlines,
  ManifestIdentity,
  Outline,
  ResolveContext,
  ResolveOptions,
} from './resolution.ts';
import { identify } from './resolve-manifest.ts';
import { isIdentifiedByFile, uniqueClaim } from './uniqueness.ts';

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
 * another agentform.yaml, another level of a lint rule or another variable of the process there is no outline.
 */
export class Outlines implements KnownOutlines {
  readonly #project: Project;
  readonly #place: PackPlace | undefined;
  readonly #basis: string;
  readonly #index: IndexReader;
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
    const { lint, lintMaxima, baseTexts } = project;
    this.#basis = digestOf(
      JSON.stringify([format, place?.name, source?.text, lint, lintMaxima, baseTexts?.digest, variables.sort()]),
    );
    this.#index = new IndexReader(place && readPack(place.folder, place.name), this.#basis);
    const { files, outlines } = this.#index;
    this.#were = files;
    const manifests = new Set(project.manifests);
    const isOfNow = ({ files: [path = '', ...others] }: Outline) =>
      manifests.has(path) && this.#isSame(path) && others.every((one) => this.#isSame(one));
    this.known = new Map(outlines.filter(isOfNow).map((one) => [one.identity.file, one]));
    this.#moved += outlines.length - this.known.size;
  }

  /** What the manifest of an outline declares now; undefined where only reading it tells. */
  declaredIn(outline: Outline): KnownDeclared | undefined {
    if (this.#made.has(outline)) return outline.declared;
    const declared = this.#index.declared.get(outline.identity.file);
    return declared?.needed.every((path) => this.#isSame(path)) ? declared : undefined;
  }

  /** Addresses of manifests without problems, as long as none of their files changes. */
  flawless(): ReadonlySet<string> {
    const found = [...this.known.values()].filter((one) => this.declaredIn(one)?.isFlawless);
    return new Set(found.map(({ identity }) => addressOf(identity)));
  }

  /** The id of a blob of git with the text that a file has now; undefined where it cannot be read. */
  blobOf(path: string): string | undefined {
    return this.#isNow(path)?.blob;
  }

  /** Takes what is new, and keeps everything where enough of it is. That it cannot be kept is nobody's trouble. */
  async keep(made: readonly Outline[]): Promise<void> {
    if (made.length > 0) this.#lookAgain();
    const sound = made.filter((one) => filesOf(one).every((path) => this.#isNow(path) !== undefined));
    const isMuch = (news: readonly Outline[]) => (this.#moved + news.length) * 100 > this.known.size * percentMoved;
    // Whether it is kept already takes time to tell.
    const news = isMuch(sound) && this.#place !== undefined ? sound.filter((one) => !this.#isKept(one)) : sound;
    for (const one of sound) {
      this.#made.add(one);
      this.known.set(one.identity.file, one);
    }
    const place = this.#place;
    if (place === undefined || !isMuch(news)) return;
    this.#moved = 0;
    const fileAt = (path: string) => (this.#are.has(path) ? this.#are.get(path)?.file : this.#were.get(path));
    const outlines = [...this.known.values()].flatMap((one) => this.#asKept(one));
    const texts = textsOfIndex(outlines, this.#basis, fileAt);
    await writePack(place.folder, place.name, texts).catch(() => undefined);
  }

  #isKept({ identity, declared }: Outline): boolean {
    const was = this.known.get(identity.file);
    if (was === undefined || declared === undefined) return was !== undefined;
    const { digest, isFlawless } = this.declaredIn(was) ?? {};
    return digest === declared.digest && (isFlawless || !declared.isFlawless);
  }

  /** A file has one entry: what an earlier run made of it while it was another one goes. */
  #asKept(outline: Outline): Outline[] {
    if (this.#made.has(outline)) return [outline];
    const isStill = (path: string) => !this.#are.has(path) || this.#isSame(path);
    if (!outline.files.every(isStill)) return [];
    const declared = this.#index.declared.get(outline.identity.file);
    return [declared?.needed.every(isStill) ? { ...outline, declared } : outline];
  }

  #isSame(path: string): boolean {
    const was = this.#were.get(path);
    return was !== undefined && this.#isNow(path)?.digest === was.digest;
  }

  #isNow(path: string): KnownFile | undefined {
    const known = this.#are.get(path);
    if (known !== undefined) return known.file;
    const { files } = this.#project;
    const file = this.#look(path, files.source(path) !== undefined);
    this.#are.set(path, { file, isRead: files.source(path) !== undefined });
    return file;
  }

  /** What was read since it was looked at may be another text: that is what counts. */
  #lookAgain(): void {
    const { files } = this.#project;
    for (const [path, { isRead }] of this.#are) {
      if (isRead || files.source(path) === undefined) continue;
      this.#are.set(path, { file: this.#look(path, true), isRead: true });
    }
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

function filesOf({ files, declared }: Outline): readonly string[] {
  return declared === undefined ? files : [...files, ...declared.needed];
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
  /** What it declares, if it is selected and has no errors. */
  readonly declared?: KnownDeclared | undefined;
}

/**
 * Makes outlines, in a context that knows secrets by form only. None of a manifest that something is wrong with, nor of what is
 * rare and says more: one that was renamed, is limited to environments, or is a member of a fleet.
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
    const unique = uniqueClaim({ manifest, identity, isSelected: false }, context)?.key;
    const claims = claimDigests(unique, elsewhere(manifest));
    const paths = [...chain.files.toReversed(), ...owner.chain.files].map(({ path }) => path);
    const outline = { identity, files: [...new Set(paths)], values: valuesOf(chain), claims };
    return [declared === undefined ? outline : { ...outline, declared }];
  };
}

/** What a manifest that is read claims in the environment, in the form in which outlines have it. */
export function claimsOfRead({ manifest, references, labels }: OutlinedManifest, context: ResolveContext): string[] {
  const identity = identify(manifest, { references, labels }, context.targets);
  const unique = uniqueClaim({ manifest, identity, isSelected: true }, context)?.key;
  return claimDigests(unique, claimedBy(manifest, context));
}

function claimDigests(unique: string | undefined, shared: readonly string[]): string[] {
  const keys = [...(unique === undefined ? [] : [`unique ${unique}`]), ...shared.map((key) => `shared ${key}`)];
  return keys.map(digestOf);
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
];

/** What the manifest declares, which few runs ask for: a text of its own. */
type DeclaredRow = readonly [file: number, digest: string, needed: readonly number[], isFlawless: boolean];

type Texts = Readonly<Record<string, string>>;

/** What an identity has or does not have. */
const optional = ['token', 'organization', 'agent', 'agentId', 'campaignId'] as const;
const optionalKeys: ReadonlySet<string> = new Set(optional);

/** The texts of the index by their keys. */
function textsOfIndex(
  outlines: readonly Outline[],
  basis: string,
  fileAt: (path: string) => KnownFile | undefined,
): (readonly [string, string])[] {
  const numbers = new Map<string, number>();
  let files: string[] = [];
  const numberOf = (path: string): number => {
    const known = numbers.get(path);
    if (known !== undefined) return known;
    const { digest = '', blob = '', signature = '' } = fileAt(path) ?? {};
    files.push(path, digest, blob, signature);
    numbers.set(path, numbers.size);
    return numbers.size - 1;
  };
  const rows = outlines.map(({ identity, files: from, values, claims }): Row => {
    const { kind, name, at, labels, query } = identity;
    const known = optional.flatMap((key) => (identity[key] === undefined ? [] : [[key, identity[key]] as const]));
    const place = [at.line, at.column, at.offset, at.end] as const;
    return [kind, name, from.map(numberOf), place, labels, query, Object.fromEntries(known), values, claims];
  });
  const text = JSON.stringify({ files, rows });
  files = [];
  const declared = outlines.flatMap(({ identity, declared }): DeclaredRow[] =>
    declared === undefined ? [] : [declaredRow(numberOf(identity.file), declared, numberOf)],
  );
  return [
    [basis, text],
    [declaredKey(basis, text), JSON.stringify({ files, rows: declared })],
  ];
}

function declaredRow(
  file: number,
  { digest, needed, isFlawless = false }: KnownDeclared,
  numberOf: (path: string) => number,
): DeclaredRow {
  return [file, digest, needed.map(numberOf), isFlawless];
}

/** Its numbers of files go on from those of the first text. */
function declaredKey(basis: string, text: string): string {
  return `${basis} ${digestOf(text)}`;
}

/** Reads what an index has; nothing where there is none of ours. Its checksum fits, so that only another program can have written it. */
class IndexReader {
  readonly #pack: Pack | undefined;
  readonly #basis: string;
  readonly #text: string;
  readonly #paths: string[] = [];
  #declared: ReadonlyMap<string, KnownDeclared> | undefined;
  readonly files = new Map<string, KnownFile>();
  readonly outlines: readonly Outline[];

  constructor(pack: Pack | undefined, basis: string) {
    this.#pack = pack;
    this.#basis = basis;
    this.#text = pack?.get(basis) ?? '';
    const rows = this.#rowsIn(this.#text, isRow);
    this.outlines = rows.flatMap((row) => outlineIn(row, this.#paths));
  }

  /** What manifests declared, by their paths; read when it is asked for. */
  get declared(): ReadonlyMap<string, KnownDeclared> {
    this.#declared ??= new Map(
      this.#rowsIn(this.#pack?.get(declaredKey(this.#basis, this.#text)) ?? '', isDeclaredRow).map(
        ([file, digest, needed, isFlawless]) => [
          this.#paths[file] ?? '',
          { digest, needed: needed.map((number) => this.#paths[number] ?? ''), isFlawless },
        ],
      ),
    );
    return this.#declared;
  }

  #rowsIn<Item>(text: string, isItem: (item: unknown) => item is Item): readonly Item[] {
    const { files, rows } = jsonIn(text);
    if (!isListOf(files, isText) || !isListOf(rows, isItem)) return [];
    for (let at = 0; at < files.length; at += 4) {
      const [path = '', digest = '', blob = '', signature = ''] = [
        files[at],
        files[at + 1],
        files[at + 2],
        files[at + 3],
      ];
      this.#paths.push(path);
      this.files.set(path, { digest, blob, signature });
    }
    return rows;
  }
}

function jsonIn(text: string): JsonObject {
  try {
    const json: unknown = JSON.parse(text);
    if (isJsonObject(json)) return json;
  } catch {
    // No JSON is none of ours.
  }
  return {};
}

function outlineIn(row: Row, paths: readonly string[]): Outline[] {
  const [kind, name, numbers, [line, column, offset, end], labels, query, others, values, claims] = row;
  const files = numbers.map((number) => paths[number] ?? '');
  const [file = ''] = files;
  if (!isKindName(kind)) return [];
  const at = { file, line, column, offset, end };
  const identity = { kind, name, file, home: file, at, labels, renamedFrom: [], query, token: undefined, ...others };
  return [{ identity, files, values, claims }];
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value)) return false;
  const [kind, name, files, place, labels, query, known, values, claims]: unknown[] = value;
  return (
    isText(kind) &&
    isText(name) &&
    isListOf(files, isNumber) &&
    isListOf(place, isNumber) &&
    place.length === 4 &&
    isTexts(labels) &&
    isTexts(query) &&
    isTexts(known) &&
    Object.keys(known).every((key) => optionalKeys.has(key)) &&
    isNumber(values) &&
    isListOf(claims, isText)
  );
}

function isDeclaredRow(value: unknown): value is DeclaredRow {
  if (!Array.isArray(value)) return false;
  const [file, digest, needed, isFlawless]: unknown[] = value;
  return isNumber(file) && isText(digest) && isListOf(needed, isNumber) && typeof isFlawless === 'boolean';
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
