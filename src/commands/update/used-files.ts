import { addressOf } from '../../kinds/desired.ts';
import { editedProject, type Project } from '../../manifest/project/project.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Host } from '../../session/host.ts';
import { hasErrors } from '../../yaml/problem.ts';
import type { EditedTexts } from './edited-texts.ts';

interface Used {
  readonly environment: string;
  readonly env: Host['env'];
  /** The files that the project uses; a file of one resource may also be used by another. */
  readonly resolution?: Pick<Resolution, 'all' | 'declaredOf'>;
}

/** The number of the environment's resources that use each file, including bases and included texts. */
export async function usersOf(
  project: Project,
  { environment, env, resolution }: Used,
): Promise<ReadonlyMap<string, number>> {
  const isWhole = resolution?.all.every((one) => resolution.declaredOf(addressOf(one)) !== undefined);
  const { all, declaredOf } =
    resolution !== undefined && isWhole
      ? resolution
      : await resolveProject(project, { environment, secrets: 'form', env });
  const users = new Map<string, number>();
  const add = (file: string) => users.set(file, (users.get(file) ?? 0) + 1);
  for (const one of all) {
    for (const file of declaredOf(addressOf(one))?.files ?? []) add(file);
    // A template is also used by future rows of the table.
    if (one.ownFile !== one.file) add(one.file);
  }
  return users;
}

/** References to other files in a range of a manifest. */
const reference = /file|patch|extends/;

/**
 * Files that manifests used only before an edit, in any environment, sorted. The manifests are resolved for it only if
 * what is cut out may refer to a file.
 */
export async function unusedFiles(
  project: Project,
  { texts, splices }: EditedTexts,
  env: Host['env'],
): Promise<string[]> {
  const isCut = [...splices].some(([file, cuts]) => {
    const text = project.files.source(file)?.text ?? '';
    return cuts.some(({ start, end }) => reference.test(text.slice(start, end)));
  });
  if (!isCut) return [];
  const used = await filesIn(project, env);
  const still = await filesIn(editedProject(project, texts), env);
  return still === undefined ? [] : [...(used ?? [])].filter((path) => !still.has(path)).sort();
}

/** The files that the manifests have a part in, in all environments together; undefined where errors hide some. */
async function filesIn(project: Project, env: Host['env']): Promise<ReadonlySet<string> | undefined> {
  const files = new Set<string>();
  for (const environment of project.environments) {
    const { all, problems, declaredOf } = await resolveProject(project, { environment, secrets: 'form', env });
    if (hasErrors(problems)) return undefined;
    for (const path of all.flatMap((one) => declaredOf(addressOf(one))?.files ?? [])) files.add(path);
  }
  return files;
}
