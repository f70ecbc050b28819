import type { Policy } from '../../policy/policy.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ProjectTest } from '../../testing/project-test.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { errorAt, type Problem, shownProblems } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import { countValues, type MapNode, textOf } from '../../yaml/tree.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import { authoredProblems, checkEnvelope, isOtherKind, loadValidators, type OtherKind } from '../check/authored.ts';
import { hideCredentialBlocks } from '../check/credentials.ts';
import { type ProjectFiles, startOf, yamlLimit } from './project-files.ts';

/** One manifest or base as written. */
export interface ManifestFile {
  readonly path: string;
  /** The number of its values, including aliases. */
  readonly values: number;
  /** Absent if the file holds no resource of a known kind. */
  readonly resource?: { readonly root: MapNode; readonly kind: KindName; readonly name?: string };
  /** The file if it is a fleet, a policy or a test. */
  readonly other?: OtherFile;
  /** The problems of the file alone, in every environment. */
  readonly problems: readonly Problem[];
}

/** The manifests and bases of a project, each read and checked once. */
export class ManifestFiles {
  readonly #files: ProjectFiles;
  readonly #environments: readonly string[];
  readonly #checks: ValueChecks;
  readonly #known = new Map<string, ManifestFile>();

  constructor(files: ProjectFiles, environments: readonly string[], checks: ValueChecks) {
    this.#files = files;
    this.#environments = environments;
    this.#checks = checks;
  }

  async load(path: string): Promise<ManifestFile> {
    let file = this.#known.get(path);
    if (file === undefined) {
      file = await this.#read(path);
      this.#known.set(path, file);
    }
    return file;
  }

  /** The same manifests, with those at the given paths read again. */
  withFiles(files: ProjectFiles, changed: ReadonlySet<string>): ManifestFiles {
    const manifests = new ManifestFiles(files, this.#environments, this.#checks);
    for (const [path, file] of this.#known) if (!changed.has(path)) manifests.#known.set(path, file);
    return manifests;
  }

  async #read(path: string): Promise<ManifestFile> {
    const reading = this.#files.read(path, yamlLimit);
    if (reading.failure !== undefined) {
      return { path, values: 0, problems: [errorAt(startOf(path), 'file', `the manifest ${reading.failure}`)] };
    }
    return this.#parse(path, reading.source);
  }

  async #parse(path: string, source: SourceFile): Promise<ManifestFile> {
    const { root, problems: found } = parseYaml(source);
    const problems = shownProblems(found);
    const envelope = root === undefined ? undefined : checkEnvelope(root);
    // Parts that are not in the tree, or unknown, may contain credentials too.
    if (problems.length > 0 || envelope?.root === undefined) hideCredentialBlocks(source);
    const values = root === undefined ? 0 : countValues(root);
    if (envelope === undefined) return { path, values, problems };
    const known = [...problems, ...envelope.problems];
    if (envelope.root === undefined) return { path, values, problems: known };
    const { kind } = envelope;
    const authored = { root: envelope.root, source, environments: this.#environments };
    if (isOtherKind(kind)) {
      const { other, problems: all } = await otherFile(kind, { ...authored, checks: this.#checks }, known);
      return { path, values, other, problems: shownProblems(all) };
    }
    await loadValidators(kind);
    const all = shownProblems([...known, ...authoredProblems({ ...authored, kind })]);
    const name = textOf(envelope.root, 'name');
    const resource = { root: envelope.root, kind, ...(name !== undefined && { name }) };
    return { path, values, resource, problems: all };
  }
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

/** The check of a file of each kind, loaded on demand. */
const checks: Readonly<Record<OtherKind, Check>> = {
  async Fleet({ root, environments }) {
    return { problems: (await import('../check/fleet.ts')).fleetProblems(root, environments) };
  },
  async Policy(input) {
    return (await import('../../policy/policy-file.ts')).checkPolicyFile(input);
  },
  async Test(input) {
    return (await import('../../testing/test-file.ts')).checkTestFile(input);
  },
};

/** Checks a file without a resource; `found` has its problems so far. */
async function otherFile(
  kind: OtherKind,
  input: OtherInput,
  found: readonly Problem[],
): Promise<{ readonly other: OtherFile; readonly problems: readonly Problem[] }> {
  const { problems: own, ...sound } = await checks[kind](input);
  const name = textOf(input.root, 'name');
  const problems = [...found, ...own];
  const other = {
    kind,
    root: input.root,
    ...(name !== undefined && { name }),
    ...(problems.length === 0 && { sound }),
  };
  return { other, problems };
}
