import { createHash } from 'node:crypto';
import { readPack, writePack } from '../../files/pack.ts';
import { isJsonObject } from '../../json/json.ts';
import { isKindName } from '../../kinds/kind.ts';
import { type MergedManifest, valuesOf } from '../project/gather-manifests.ts';
import { hasNoProblems } from '../project/layers.ts';
import type { PackPlace } from '../project/parsed-cache.ts';
import type { Project } from '../project/project.ts';
import { yamlLimit } from '../project/project-files.ts';
import type { Problem } from '../syntax/problem.ts';
import type { References } from './references.ts';
import type { ManifestIdentity, ResolveContext, ResolveOptions } from './resolution.ts';
import { identify } from './resolve-manifest.ts';
import { claimedBy, claimedElsewhere } from './shared-environments.ts';
import { isIdentifiedByFile, uniqueKey } from './uniqueness.ts';

/** What others need of a manifest with which nothing is wrong, so that it is read only if it is selected. */
export interface Outline {
  readonly identity: ManifestIdentity;
  /** The files that it came of, relative to the project folder: the manifest, its bases, and those of its owner. */
  readonly files: readonly string[];
  /** How many values it has, with those of its bases. */
  readonly values: number;
  /** Digests of what no other manifest may have, and of what it hits in other environments. */
  readonly claims: readonly string[];
}

/** A file as it was when an outline was made of it. */
interface KnownFile {
  readonly digest: string;
  /** With the same signature it is the same file (`ProjectFiles.signatureOf`). */
  readonly signature: string | null;
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
export class Outlines {
  readonly #project: Project;
  readonly #place: PackPlace;
  readonly #basis: string;
  readonly #were: ReadonlyMap<string, KnownFile>;
  readonly #are = new Map<string, KnownFile | undefined>();
  /** Those that count, by the path of the manifest. */
  readonly known: ReadonlyMap<string, Outline>;
  /** What of the index is no longer so. */
  #moved = 0;

  /** Undefined where nothing is kept. */
  static of({ project, environment, env }: OutlinedEnvironment): Outlines | undefined {
    const place = project.parsed.outlinesOf(environment);
    const source = project.files.source(project.file);
    if (place === undefined || source === undefined) return undefined;
    const variables = Object.entries(env).filter(([name]) => name.startsWith('AGENTFORM_VAR_'));
    return new Outlines(project, place, digestOf(JSON.stringify([place.name, source.text, variables.sort()])));
  }

  private constructor(project: Project, place: PackPlace, basis: string) {
    this.#project = project;
    this.#place = place;
    this.#basis = basis;
    const { files, outlines } = indexIn(readPack(place.folder, place.name).get(basis));
    this.#were = new Map(files.map(([path, digest, signature]) => [path, { digest, signature }]));
    const manifests = new Set(project.manifests);
    const isOfNow = ({ files: [path = '', ...others] }: Outline) =>
      manifests.has(path) && [path, ...others].every((one) => this.#isSame(one));
    this.known = new Map(outlines.filter(isOfNow).map((one) => [one.identity.file, one]));
    this.#moved += outlines.length - this.known.size;
  }

  /** Keeps those that still count and the new ones, where enough of them are new. That they cannot be kept is nobody's trouble. */
  async keep(made: readonly Outline[]): Promise<void> {
    const outlines = [...this.known.values(), ...made];
    if ((this.#moved + made.length) * 100 <= outlines.length * percentMoved) return;
    const paths = [...new Set(outlines.flatMap(({ files }) => files))];
    const files = paths.flatMap((path) => {
      const file = this.#isNow(path);
      return file === undefined ? [] : [[path, file.digest, file.signature]];
    });
    if (files.length < paths.length) return;
    const text = JSON.stringify({ files, outlines });
    await writePack(this.#place.folder, this.#place.name, [[this.#basis, text]]).catch(() => undefined);
  }

  #isSame(path: string): boolean {
    const was = this.#were.get(path);
    return was !== undefined && this.#isNow(path)?.digest === was.digest;
  }

  #isNow(path: string): KnownFile | undefined {
    if (!this.#are.has(path)) this.#are.set(path, this.#look(path));
    return this.#are.get(path);
  }

  #look(path: string): KnownFile | undefined {
    const { files } = this.#project;
    const was = this.#were.get(path);
    const isRead = files.source(path) !== undefined;
    const signature = isRead ? files.signatureAtReading(path) : files.signatureOf(path);
    if (was !== undefined && signature !== undefined && signature === was.signature) return was;
    const reading = files.read(path, yamlLimit);
    if (was !== undefined) this.#moved += 1;
    if (reading.failure !== undefined) return undefined;
    return { digest: digestOf(reading.source.text), signature: files.signatureAtReading(path) ?? null };
  }
}

/** Files and outlines that are new, of a hundred: with fewer, the index is not written again. */
const percentMoved = 1;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A manifest of which everything is known that an outline says. */
export interface OutlinedManifest {
  readonly manifest: MergedManifest;
  readonly references: References;
  readonly labels: ManifestIdentity['labels'];
  readonly labelProblems: readonly Problem[];
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
  return ({ manifest, references, labels, labelProblems }) => {
    const { row, renamedFrom, onlyIn, chain } = manifest;
    const { owner } = references;
    const isPlain = row === undefined && renamedFrom.length === 0 && onlyIn === undefined;
    if (!isPlain || owner === undefined || owner.row !== undefined || !hasNoProblems(chain)) return [];
    if (references.problems.length > 0 || labelProblems.length > 0 || isIdentifiedByFile(manifest)) return [];
    const identity = identify(manifest, { references, labels }, context.targets);
    const unique = uniqueKey({ manifest, identity, isSelected: false }, context);
    const claims = claimDigests(unique, elsewhere(manifest));
    const paths = [...chain.files.toReversed(), ...owner.chain.files].map(({ path }) => path);
    return [{ identity, files: [...new Set(paths)], values: valuesOf(chain), claims }];
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
  readonly files: readonly (readonly [path: string, digest: string, signature: string | null])[];
  readonly outlines: readonly Outline[];
}

/** An empty one where there is none of ours; its checksum fits, so that only another program can have written it. */
function indexIn(text: string | undefined): Index {
  try {
    const index: unknown = JSON.parse(text ?? 'null');
    if (isIndex(index)) return index;
  } catch {
    // No JSON is none of ours.
  }
  return { files: [], outlines: [] };
}

function isIndex(value: unknown): value is Index {
  return isJsonObject(value) && isListOf(value.files, isFile) && isListOf(value.outlines, isOutline);
}

function isFile(value: unknown): value is Index['files'][number] {
  if (!Array.isArray(value)) return false;
  const [path, digest, signature]: unknown[] = value;
  return isText(path) && isText(digest) && (signature === null || isText(signature));
}

function isOutline(value: unknown): value is Outline {
  if (!isJsonObject(value) || !isIdentity(value.identity)) return false;
  const { files, values, claims, identity } = value;
  return isListOf(files, isText) && files[0] === identity.file && isNumber(values) && isListOf(claims, isText);
}

function isIdentity(value: unknown): value is ManifestIdentity {
  if (!isJsonObject(value)) return false;
  const { kind, name, file, home, at, labels, renamedFrom, query, token } = value;
  const { organization, agent, agentId, campaignId } = value;
  return (
    isText(kind) &&
    isKindName(kind) &&
    [name, file, home].every(isText) &&
    isPlace(at) &&
    [labels, query].every(isTexts) &&
    Array.isArray(renamedFrom) &&
    renamedFrom.length === 0 &&
    [token, organization, agent, agentId, campaignId].every((one) => one === undefined || isText(one))
  );
}

function isPlace(value: unknown): boolean {
  return (
    isJsonObject(value) && isText(value.file) && [value.line, value.column, value.offset, value.end].every(isNumber)
  );
}

function isTexts(value: unknown): boolean {
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
