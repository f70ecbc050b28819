import { addressOf } from '../../kinds/desired.ts';
import { isKindName } from '../../kinds/kind.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { type FileReading, yamlLimit } from '../../manifest/project/project-files.ts';

/** Words from a project for completions. They come from the files alone, without resolving. */
export interface ProjectWords {
  readonly environments: readonly string[];
  readonly names: readonly string[];
  /** Addresses such as `Agent/front-desk`. */
  readonly addresses: readonly string[];
}

const nothing: ProjectWords = { environments: [], names: [], addresses: [] };

/** Reads the words of a project. Empty if it cannot be read, because an error would disturb typing. */
export async function projectWords(path: string): Promise<ProjectWords> {
  try {
    const { files, environments, manifests } = await loadProject(path);
    const found = manifests.map((manifest) => headOf(files.read(manifest, yamlLimit)));
    // Commands accept only names of resources, not of fleets, policies or Tests.
    const heads = found.flatMap((head) => (head !== undefined && isKindName(head.kind) ? [head] : []));
    return { environments, names: sorted(heads.map(({ name }) => name)), addresses: sorted(heads.map(addressOf)) };
  } catch {
    return nothing;
  }
}

/** Finds kind and name at line beginnings. The rest of a manifest is not parsed. */
function headOf(reading: FileReading): { readonly kind: string; readonly name: string } | undefined {
  if (reading.failure !== undefined) return undefined;
  const lines = reading.source.text.split(/\r?\n/);
  const wordBehind = (key: string) => {
    const line = lines.find((one) => one.startsWith(key))?.slice(key.length) ?? '';
    return /^[ \t]*['"]?([\w-]+)['"]?[ \t]*(?:#|$)/.exec(line)?.[1];
  };
  const [kind, name] = [wordBehind('kind:'), wordBehind('name:')];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

function sorted(words: readonly string[]): string[] {
  return [...new Set(words)].sort();
}
