import { cached } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import { globOf } from '../manifest/fleet/fleet.ts';
import { csvTable, tableLimits } from '../manifest/fleet/member-table.ts';
import { Glob } from '../manifest/project/glob.ts';
import { matchedPaths, type Project } from '../manifest/project/project.ts';
import { textLimit, yamlLimit } from '../manifest/project/project-files.ts';
import type { Resolution } from '../manifest/resolve/resolution.ts';
import { isLiteral, splitText } from '../yaml/interpolate.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { SourceFile } from '../yaml/source-file.ts';
import { type MapNode, memberOf, membersIn, textOf } from '../yaml/tree.ts';
import { type Mention, mentionsInManifest, mentionsInProject, mentionsInText, type PathRole } from './mentions.ts';

type PathMention = Extract<Mention, { type: 'path' }>;

type FileRole = 'project' | 'manifest' | PathRole;

export interface IndexedFile {
  readonly path: string;
  readonly role: FileRole;
  readonly source: SourceFile;
  readonly mentions: readonly Mention[];
  /** The declared kind and name, if any. */
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly labels: ReadonlyArray<readonly [key: string, value: string]>;
  /** The slugs of the agent's skills. */
  readonly slugs: readonly string[];
}

interface FileUse {
  readonly file: IndexedFile;
  readonly mention: PathMention;
  /** The mentioned file, relative to the project folder. */
  readonly path: string;
}

/** Indexes of files, kept because most files stay the same when the project changes. */
const indexedFiles = new WeakMap<SourceFile, IndexedFile>();

interface WholeIndex {
  readonly files: ReadonlyMap<string, IndexedFile>;
  readonly usesOf: ReadonlyMap<string, readonly FileUse[]>;
}

/** All files that agentform.yaml refers to, directly or indirectly, with their mentions. */
export class ProjectIndex {
  readonly #project: Project;
  #whole: WholeIndex | undefined;

  constructor(project: Project) {
    this.#project = project;
  }

  get files(): ReadonlyMap<string, IndexedFile> {
    this.#whole ??= this.#makeWhole();
    return this.#whole.files;
  }

  /** Finds a file that belongs to the project or may become part of it. */
  file(path: string): IndexedFile | undefined {
    const found = this.#whole?.files.get(path);
    if (found !== undefined) return found;
    if (path === this.#project.file) return this.#indexed(path, 'project');
    if (matchedPaths(this.#project, [path]).has(path)) return this.#indexed(path, 'manifest');
    return this.#indexed(path, /\.ya?ml$/i.test(path) ? 'base' : /\.csv$/i.test(path) ? 'table' : 'text');
  }

  /** Whether the project uses a file, or will use the file after it is saved. */
  isPart(path: string): boolean {
    return this.files.has(path) || matchedPaths(this.#project, [path]).has(path);
  }

  usesOf(path: string): readonly FileUse[] {
    this.#whole ??= this.#makeWhole();
    return this.#whole.usesOf.get(path) ?? [];
  }

  #makeWhole(): WholeIndex {
    const { file: projectFile, manifests } = this.#project;
    const files = new Map<string, IndexedFile>();
    const usesOf = new Map<string, FileUse[]>();
    const left: Array<readonly [path: string, role: FileRole]> = [
      [projectFile, 'project'],
      ...manifests.map((path) => [path, 'manifest'] as const),
    ];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [path, role] = next;
      const file = files.has(path) ? undefined : this.#indexed(path, role);
      if (file === undefined) continue;
      files.set(path, file);
      for (const use of this.#usesIn(file)) {
        cached(usesOf, use.path, () => []).push(use);
        left.push([use.path, use.mention.role]);
      }
    }
    return { files, usesOf };
  }

  /**
   * Returns the files that use a file, directly or indirectly. Each file is returned with its mentions that lead to the
   * used file.
   */
  usersOf(path: string): ReadonlyMap<string, readonly FileUse[]> {
    const users = new Map<string, FileUse[]>();
    const left = [path];
    const seen = new Set(left);
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      for (const use of this.usesOf(next)) {
        cached(users, use.file.path, () => []).push(use);
        if (seen.has(use.file.path)) continue;
        seen.add(use.file.path);
        left.push(use.file.path);
      }
    }
    return users;
  }

  /** Returns the file that a path names, or undefined if the path has variables or leads outside the project. */
  targetOf({ at, reference }: PathMention): string | undefined {
    return isLiteral(reference) ? this.#project.files.pathOf(at.file, reference) : undefined;
  }

  /** Returns the files that a path names. A path of fleet overrides names all matching files. */
  targetsOf(mention: PathMention): readonly string[] {
    if (mention.role === 'override') return this.#overridesOf(mention);
    const path = this.targetOf(mention);
    return path === undefined ? [] : [path];
  }

  *mentions(): Generator<readonly [IndexedFile, Mention]> {
    for (const file of this.files.values()) for (const mention of file.mentions) yield [file, mention];
  }

  namesOf(type: 'variable' | 'secret'): ReadonlySet<string> {
    return new Set([...this.mentions()].flatMap(([, one]) => (one.type === type ? [one.name] : [])));
  }

  #usesIn(file: IndexedFile): FileUse[] {
    return file.mentions.flatMap((mention): FileUse[] => {
      if (mention.type !== 'path') return [];
      return this.targetsOf(mention).map((path) => ({ file, mention, path }));
    });
  }

  #overridesOf({ at, reference }: PathMention): readonly string[] {
    const { files } = this.#project;
    const pieces = splitText(reference);
    const pattern = globOf({ node: { at }, pieces }, files);
    if (pattern === undefined) return [];
    if (!pieces.some(({ type }) => type === 'var')) return [files.pathOf(at.file, reference) ?? ''];
    return [...files.find([new Glob(pattern)]).paths.values()].flat();
  }

  #indexed(path: string, role: FileRole): IndexedFile | undefined {
    const limit = role === 'table' ? tableLimits.bytes : role === 'text' ? textLimit : yamlLimit;
    const { source } = this.#project.files.read(path, limit);
    if (source === undefined) return undefined;
    const found = indexedFiles.get(source);
    if (found?.role === role) return found;
    const root = this.rootOf({ source, role });
    const file: IndexedFile = {
      ...{ path, role, source, mentions: mentionsIn(source, role, root) },
      ...{ kind: textOf(root, 'kind'), name: textOf(root, 'name'), slugs: slugsIn(root) },
      labels: [...membersIn(memberOf(root, 'labels'))].map(([key, { value }]) => [
        key,
        value.type === 'scalar' ? String(value.value) : '',
      ]),
    };
    indexedFiles.set(source, file);
    return file;
  }

  /**
   * Returns the tree of a YAML file. Except for agentform.yaml, the file is parsed again, because keeping all trees
   * would take a lot of memory.
   */
  rootOf({ source, role }: Pick<IndexedFile, 'source' | 'role'>): MapNode | undefined {
    if (role === 'table' || role === 'text') return undefined;
    if (role === 'project') return this.#project.tree;
    const { root } = parseYaml(source);
    return root?.type === 'map' ? root : undefined;
  }
}

function slugsIn(root: MapNode | undefined): string[] {
  const skills = memberOf(root, 'skills');
  return skills?.type === 'list' ? skills.items.flatMap((item) => textOf(item, 'slug') ?? []) : [];
}

function mentionsIn(source: SourceFile, role: FileRole, root: MapNode | undefined): readonly Mention[] {
  if (role === 'text') return mentionsInText(source);
  if (role === 'table') return mentionsInTable(source);
  if (root === undefined) return mentionsInText(source);
  return role === 'project' ? mentionsInProject(source, root) : mentionsInManifest(source, root);
}

function mentionsInTable(source: SourceFile): Mention[] {
  const { columns, rows } = csvTable(source);
  const defined = [...columns].map(([name, at]): Mention => ({ type: 'definition', at, name }));
  return [
    ...defined,
    ...rows.map(({ name }): Mention => ({ type: 'declaration', at: name.at, kind: '', name: name.value })),
    ...rows.flatMap(({ renamedFrom }) => renamedFrom.map((one): Mention => ({ type: 'former', kind: '', ...one }))),
  ];
}

/** Returns the addresses of resources that use a file: directly, through bases, or as fleet members. */
export function resourcesUsing(
  index: ProjectIndex,
  path: string,
  resolutions: Iterable<Resolution>,
): ReadonlySet<string> {
  const users = index.usersOf(path);
  const isUser = (file: string | undefined) => file !== undefined && (file === path || users.has(file));
  const found = new Set<string>();
  for (const { all } of resolutions) {
    for (const one of all) {
      if (isUser(one.file) || isUser(one.ownFile) || one.at.file === path) found.add(addressOf(one));
    }
  }
  return found;
}
