import type { ManifestFile, ManifestFiles } from './manifest-files.ts';
import { keyAt } from './pointer.ts';
import type { Problem, Span } from './problem.ts';
import { errorAt, hasErrors } from './problem-list.ts';
import { type ProjectFiles, yamlLimit } from './project-files.ts';
import { memberOf, type ScalarNode } from './tree.ts';
import { quote } from './wording.ts';

/** A manifest and the bases it extends. */
export interface Chain {
  /** The farthest base first, the manifest last. */
  readonly files: readonly ManifestFile[];
  /** Whether every base could be read. */
  readonly isWhole: boolean;
  readonly problems: readonly Problem[];
}

/** Whether what the files come to is what they are meant to say. */
export function isSound({ files, isWhole, problems }: Chain): boolean {
  return isWhole && !hasErrors([...problems, ...files.flatMap((file) => file.problems)]);
}

export interface ChainInput {
  readonly files: ProjectFiles;
  readonly parsed: ManifestFiles;
  readonly manifests: ReadonlySet<string>;
}

/** So many bases may follow each other. */
const maxBases = 20;

function tooMany(reference: ScalarNode): Base {
  return { problem: errorAt(reference.at, 'extends', `more than ${maxBases} bases follow each other`) };
}

/** Follows `extends` from a manifest to its farthest base. */
export async function followBases(manifest: ManifestFile, input: ChainInput): Promise<Chain> {
  const files = [manifest];
  const problems: Problem[] = [];
  for (let next = extendsOf(manifest); next !== undefined; next = extendsOf(files[0])) {
    const base = files.length > maxBases ? tooMany(next) : await baseOf(next, files, input);
    if ('problem' in base) return { files, isWhole: false, problems: [...problems, base.problem] };
    problems.push(...roleProblems(base.file));
    files.unshift(base.file);
  }
  return { files, isWhole: files.every(({ resource }) => resource !== undefined), problems };
}

function extendsOf(file: ManifestFile | undefined): ScalarNode | undefined {
  const reference = file?.resource === undefined ? undefined : memberOf(file.resource.root, 'extends');
  return reference?.type === 'scalar' && typeof reference.value === 'string' && reference.value !== ''
    ? reference
    : undefined;
}

type Base = { readonly file: ManifestFile } | { readonly problem: Problem };

async function baseOf(reference: ScalarNode, chain: readonly ManifestFile[], input: ChainInput): Promise<Base> {
  const text = String(reference.value);
  const complain = (message: string): Base => ({ problem: errorAt(reference.at, 'extends', message) });
  const reading = input.files.readReference(reference.at.file, text, yamlLimit);
  if (reading.failure !== undefined) return complain(`the base ${quote(text)} ${reading.failure}`);
  const { path } = reading.source;
  const paths = [...chain.map((file) => file.path)].reverse();
  if (paths.includes(path)) {
    const circle = [...paths.slice(paths.indexOf(path)), path].join(' → ');
    return complain(`the bases go round in a circle: ${circle}`);
  }
  if (input.manifests.has(path)) {
    return complain(`the base ${quote(text)} is itself a manifest: move it out of the patterns under \`manifests\``);
  }
  const file = await input.parsed.load(path);
  const kind = chain[0]?.resource?.kind;
  return file.resource === undefined || file.resource.kind === kind
    ? { file }
    : complain(`the base ${quote(text)} is of the kind ${quote(file.resource.kind)}, not ${quote(String(kind))}`);
}

function roleProblems({ resource }: ManifestFile): Problem[] {
  if (resource === undefined || !resource.root.members.has('name')) return [];
  const at = keyAt(resource.root, ['name']);
  return [errorAt(at, 'base-name', 'a base has no name, because it declares no resource of its own')];
}

/** A manifest needs a name. */
export function nameProblems({ resource }: ManifestFile): Problem[] {
  if (resource === undefined || resource.root.members.has('name')) return [];
  return [
    errorAt(kindPlace(resource), 'missing', 'name is missing: a manifest has a name, which is unique for its kind'),
  ];
}

function kindPlace({ root }: NonNullable<ManifestFile['resource']>): Span {
  return keyAt(root, ['kind']);
}
