import { addressOf } from '../../kinds/desired.ts';
import { isKindName } from '../../kinds/kind.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { type FileReading, yamlLimit } from '../../manifest/project/project-files.ts';

/** The completions of a project, from its files as written. */
export interface ProjectWords {
  readonly environments: readonly string[];
  readonly names: readonly string[];
  /** `Kind/name`. */
  readonly addresses: readonly string[];
}

const nothing: ProjectWords = { environments: [], names: [], addresses: [] };

/** The words of a project; empty if it cannot be read: an error would disturb the typing. */
export async function projectWords(path: string): Promise<ProjectWords> {
  try {
    const { files, environments, manifests } = await loadProject(path);
    const found = manifests.map((manifest) => headOf(files.read(manifest, yamlLimit)));
    // Fleets, policies and Tests are not resources, so commands do not accept their names.
    const heads = found.flatMap((head) => (head !== undefined && isKindName(head.kind) ? [head] : []));
    return { environments, names: sorted(heads.map(({ name }) => name)), addresses: sorted(heads.map(addressOf)) };
  } catch {
    return nothing;
  }
}

/** Kind and name at the beginning of lines: the rest of a manifest is not read. */
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
