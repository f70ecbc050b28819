import { cached } from '../../json/json.ts';
import { isKindName, kindNames } from '../../kinds/kind.ts';
import type { Policy } from '../../policy/policy.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { errorAt, hasErrors, type Problem, shownProblems, withoutPastedSecrets } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import { type MapNode, nodesIn, textOf } from '../../yaml/tree.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import { authoredProblems, checkEnvelope, fleetProblems, type OtherKind } from '../check/authored.ts';
import { checkUrls, hideCredentialBlocks } from '../check/credentials.ts';
import { misreadProblems } from '../check/misread-values.ts';
import { type FileReading, type ProjectFiles, startOf, yamlLimit } from './project-files.ts';

/** A file under `manifests`, or a base, that was parsed and checked separately from other files. */
export interface ManifestFile {
  readonly path: string;
  /** The text of the file. Absent if the file could not be read. */
  readonly source?: SourceFile;
  /** The number of values, with aliases expanded. */
  readonly values: number;
  /** The declared resource. Absent if the file declares no resource or one of an unknown kind. */
  readonly resource?: { readonly root: MapNode; readonly kind: KindName; readonly name?: string };
  /** Set if the file declares a fleet, a policy or a Test. */
  readonly other?: OtherFile;
  /** Problems in this file alone. These problems are the same in all environments. */
  readonly problems: readonly Problem[];
  /** The problems if the file is a base, template or override, which must have the kind of a resource. */
  readonly problemsAsPart?: readonly Problem[];
}

/** Parses and checks each manifest and base of a project once. */
export class ManifestFiles {
  readonly #files: ProjectFiles;
  readonly #environments: readonly string[];
  readonly #checks: ValueChecks;
  /** Parsed files by path. Later runs reuse a parsed file as long as its text is the same. */
  readonly #parsed = new Map<string, ManifestFile>();
  #checked = new WeakMap<ManifestFile, Promise<ManifestFile>>();

  constructor(files: ProjectFiles, environments: readonly string[], checks: ValueChecks) {
    this.#files = files;
    this.#environments = environments;
    this.#checks = checks;
  }

  /** Loads a file with all of its problems. `files` may note the read in a trace. */
  load(path: string, files = this.#files): Promise<ManifestFile> {
    const parsed = this.parse(path, files);
    return cached(this.#checked, parsed, () => this.#check(parsed));
  }

  /** Loads a file without checking its content. Reports only problems with the YAML and the kind. */
  parse(path: string, files = this.#files): ManifestFile {
    const fileReading = files.read(path, yamlLimit);
    const known = this.#parsed.get(path);
    if (known !== undefined && known.source === fileReading.source) return known;
    const parsed = parsedFile(path, fileReading);
    this.#parsed.set(path, parsed);
    return parsed;
  }

  /**
   * Frees the parsed trees of files, by default of all files. Keeps fleets, policies and Tests. A later use parses a file
   * again.
   */
  forget(paths: Iterable<string> = this.#parsed.keys()): void {
    for (const path of paths) if (this.#parsed.get(path)?.other === undefined) this.#parsed.delete(path);
  }

  /**
   * A copy for a project with changed files. Unchanged files are parsed again only if the environments have changed.
   */
  again(files: ProjectFiles, environments = this.#environments): ManifestFiles {
    const manifests = new ManifestFiles(files, environments, this.#checks);
    if (environments.join() !== this.#environments.join()) return manifests;
    for (const [path, file] of this.#parsed) if (file.source !== undefined) manifests.#parsed.set(path, file);
    manifests.#checked = this.#checked;
    return manifests;
  }

  async #check(parsed: ManifestFile): Promise<ManifestFile> {
    const { source, resource, other, problems } = parsed;
    if (source === undefined) return parsed;
    if (other !== undefined) {
      const input = { root: other.root, source, environments: this.#environments, checks: this.#checks };
      const { problems: own, ...sound } = await checks[other.kind](input);
      const misread = misreadProblems({ ...other, source });
      const all = shownProblems([...problems, ...own, ...checkUrls(other.root, source), ...misread], () => source);
      return { ...parsed, other: { ...other, ...(!hasErrors(all) && { sound }) }, problems: all };
    }
    if (resource === undefined) return parsed;
    const authored = await authoredProblems({ ...resource, source, environments: this.#environments });
    const found = [...authored, ...misreadProblems({ ...resource, source })];
    if (found.length === 0) return parsed;
    return { ...parsed, problems: shownProblems([...problems, ...found], () => source) };
  }
}

function parsedFile(path: string, fileReading: FileReading): ManifestFile {
  if (fileReading.failure !== undefined) {
    return { path, values: 0, problems: [errorAt(startOf(path), 'file', `the manifest ${fileReading.failure}`)] };
  }
  const { source } = fileReading;
  const { root, problems: found } = parseYaml(source);
  const syntax = shownProblems(found, () => source);
  const envelope = root === undefined ? undefined : checkEnvelope(root);
  // Parts of the file that were not parsed may contain credentials, so mask values whose keys look like credentials.
  if (syntax.length > 0 || envelope?.root === undefined) hideCredentialBlocks(source);
  const values = root === undefined ? 0 : nodesIn(root).length;
  const problemsOf = (own: readonly Problem[] = []) => [...syntax, ...withoutPastedSecrets(own, () => source)];
  const problems = problemsOf(envelope?.problems);
  if (root === undefined || envelope?.root === undefined) {
    const problemsAsPart = root && problemsOf(checkEnvelope(root, kindNames).problems);
    return { path, source, values, problems, ...(problemsAsPart && { problemsAsPart }) };
  }
  const { kind, root: map } = envelope;
  const name = textOf(map, 'name');
  const declared = { root: map, ...(name !== undefined && { name }) };
  if (isKindName(kind)) return { path, source, values, resource: { kind, ...declared }, problems };
  return { path, source, values, other: { kind, ...declared }, problems };
}

/** The content of a valid Policy or Test. Empty for a fleet. */
interface Sound {
  readonly policy?: Policy;
  readonly test?: ProjectTest;
}

export interface OtherFile {
  readonly kind: OtherKind;
  readonly root: MapNode;
  readonly name?: string;
  /** The content. Absent if the file has errors or was not checked. */
  readonly sound?: Sound;
}

interface OtherInput {
  readonly root: MapNode;
  readonly source: SourceFile;
  /** The environment names in agentform.yaml. */
  readonly environments: readonly string[];
  readonly checks: ValueChecks;
}

type Check = (input: OtherInput) => Promise<Sound & { readonly problems: readonly Problem[] }>;

/** The check for each kind of file. A check that needs an engine is loaded on demand. */
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
