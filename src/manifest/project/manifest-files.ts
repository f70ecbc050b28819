import type { Policy } from '../../policy/policy.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { errorAt, type Problem, shownProblems } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import { countValues, type MapNode, textOf } from '../../yaml/tree.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import {
  authoredProblems,
  checkEnvelope,
  fleetProblems,
  isOtherKind,
  loadValidators,
  type OtherKind,
} from '../check/authored.ts';
import { hideCredentialBlocks } from '../check/credentials.ts';
import { type FileReading, type ProjectFiles, startOf, yamlLimit } from './project-files.ts';

/** One manifest or base as written. */
export interface ManifestFile {
  readonly path: string;
  /** The number of its values, including aliases. */
  readonly values: number;
  /** Absent if the file does not declare a resource of a known kind. */
  readonly resource?: { readonly root: MapNode; readonly kind: KindName; readonly name?: string };
  /** The file if it is a fleet, a policy or a test. */
  readonly other?: OtherFile;
  /** The problems of the file alone, in every environment. */
  readonly problems: readonly Problem[];
}

/** The results for one text. */
interface OfSource {
  parsed?: ManifestFile;
  checked?: Promise<ManifestFile>;
}

/** The manifests and bases of a project, each parsed and checked once. */
export class ManifestFiles {
  readonly #files: ProjectFiles;
  readonly #environments: readonly string[];
  readonly #checks: ValueChecks;
  readonly #parsed = new Map<string, ManifestFile>();
  readonly #checked = new Map<string, Promise<ManifestFile>>();
  /** Results by text, which stay valid in later runs. */
  #ofSources = new WeakMap<SourceFile, OfSource>();

  constructor(files: ProjectFiles, environments: readonly string[], checks: ValueChecks) {
    this.#files = files;
    this.#environments = environments;
    this.#checks = checks;
  }

  /** The file with all its problems; `files` notes that it was read. */
  load(path: string, files = this.#files): Promise<ManifestFile> {
    const parsed = this.parse(path, files);
    const ofSource = this.#ofSource(path);
    const known = this.#checked.get(path) ?? ofSource?.checked ?? this.#check(parsed);
    if (ofSource !== undefined && parsed.other !== undefined) ofSource.checked = known;
    this.#checked.set(path, known);
    return known;
  }

  /** The file without its checks: its problems only concern the YAML and the kind. */
  parse(path: string, files = this.#files): ManifestFile {
    const fileReading = files.read(path, yamlLimit);
    const known = this.#parsed.get(path);
    if (known !== undefined) return known;
    const ofSource = this.#ofSource(path);
    const parsed = ofSource?.parsed ?? parsedFile(path, fileReading);
    // The trees of other files would take much memory, and their facts are kept.
    if (ofSource !== undefined && parsed.other !== undefined) ofSource.parsed = parsed;
    this.#parsed.set(path, parsed);
    return parsed;
  }

  #ofSource(path: string): OfSource | undefined {
    const source = this.#files.source(path);
    if (source === undefined) return undefined;
    const known = this.#ofSources.get(source) ?? {};
    this.#ofSources.set(source, known);
    return known;
  }

  /** Frees the trees. They are made again for the few manifests that are needed later. */
  forget(): void {
    this.#parsed.clear();
    this.#checked.clear();
  }

  /** The files for a later check of the same project, which reuses results by text. */
  again(files: ProjectFiles, environments: readonly string[]): ManifestFiles {
    const manifests = new ManifestFiles(files, environments, this.#checks);
    if (environments.join() === this.#environments.join()) manifests.#ofSources = this.#ofSources;
    return manifests;
  }

  /** The same manifests, with those at the given paths read again. */
  withFiles(files: ProjectFiles, changed: ReadonlySet<string>): ManifestFiles {
    const manifests = new ManifestFiles(files, this.#environments, this.#checks);
    for (const [path, file] of this.#parsed) if (!changed.has(path)) manifests.#parsed.set(path, file);
    for (const [path, file] of this.#checked) if (!changed.has(path)) manifests.#checked.set(path, file);
    return manifests;
  }

  async #check(parsed: ManifestFile): Promise<ManifestFile> {
    const { path, resource, other, problems } = parsed;
    const source = this.#files.source(path);
    if (source === undefined) return parsed;
    if (other !== undefined) {
      const input = { root: other.root, source, environments: this.#environments, checks: this.#checks };
      return { ...parsed, ...(await otherFile(other, input, problems)) };
    }
    if (resource === undefined) return parsed;
    await loadValidators(resource.kind);
    const authored = authoredProblems({ ...resource, source, environments: this.#environments });
    return authored.length === 0 ? parsed : { ...parsed, problems: shownProblems([...problems, ...authored]) };
  }
}

function parsedFile(path: string, fileReading: FileReading): ManifestFile {
  if (fileReading.failure !== undefined) {
    return { path, values: 0, problems: [errorAt(startOf(path), 'file', `the manifest ${fileReading.failure}`)] };
  }
  const { source } = fileReading;
  const { root, problems: found } = parseYaml(source);
  const syntax = shownProblems(found);
  const envelope = root === undefined ? undefined : checkEnvelope(root);
  // Parts that are not in the tree, or unknown, may contain credentials too.
  if (syntax.length > 0 || envelope?.root === undefined) hideCredentialBlocks(source);
  const values = root === undefined ? 0 : countValues(root);
  const problems = [...syntax, ...(envelope?.problems ?? [])];
  if (envelope?.root === undefined) return { path, values, problems };
  const { kind, root: map } = envelope;
  const name = textOf(map, 'name');
  const declared = { root: map, ...(name !== undefined && { name }) };
  if (isOtherKind(kind)) return { path, values, other: { kind, ...declared }, problems };
  return { path, values, resource: { kind, ...declared }, problems };
}

/** The result for a valid file without a resource. */
interface Sound {
  readonly policy?: Policy;
  readonly test?: ProjectTest;
}

/** A file under `manifests` without a resource. */
export interface OtherFile {
  readonly kind: OtherKind;
  readonly root: MapNode;
  readonly name?: string;
  /** Absent if it has problems. */
  readonly sound?: Sound;
}

interface OtherInput {
  readonly root: MapNode;
  readonly source: SourceFile;
  /** Names in agentform.yaml. */
  readonly environments: readonly string[];
  readonly checks: ValueChecks;
}

type Check = (input: OtherInput) => Promise<Sound & { readonly problems: readonly Problem[] }>;

/** The check of a file of each kind; those with an engine are loaded on demand. */
const checks: Readonly<Record<OtherKind, Check>> = {
  async Fleet({ root, environments }) {
    return { problems: fleetProblems(root, environments) };
  },
  async Policy(input) {
    return (await import('../../policy/policy-file.ts')).checkPolicyFile(input);
  },
  async Test(input) {
    return (await import('../../testing/project-test.ts')).checkTestFile(input);
  },
};

/** Checks a file without a resource. `found` contains its problems so far. */
async function otherFile(
  other: OtherFile,
  input: OtherInput,
  found: readonly Problem[],
): Promise<{ readonly other: OtherFile; readonly problems: readonly Problem[] }> {
  const { problems: own, ...sound } = await checks[other.kind](input);
  const problems = [...found, ...own];
  return { other: { ...other, ...(problems.length === 0 && { sound }) }, problems: shownProblems(problems) };
}
