import { relative, resolve, sep } from 'node:path';
import { AgentformError } from '../errors.ts';
import { loadProject } from '../manifest/project/load-project.ts';
import { quote } from '../text/wording.ts';

/**
 * The names of a selection as other tools take them, too: several separated by commas, and the file of a manifest in the place of
 * its name. Paths are relative to the working directory.
 */
export async function namesMeant(names: readonly string[], project: string): Promise<string[]> {
  const single = names.flatMap((name) => name.split(',').filter((part) => part !== ''));
  const found: string[] = [];
  for (const name of single) found.push(/\.ya?ml$/.test(name) ? await addressIn(name, project) : name);
  return found;
}

async function addressIn(path: string, project: string): Promise<string> {
  const { root, parsed } = await loadProject(project);
  const file = relative(root, resolve(path)).split(sep).join('/');
  const { resource, other, problems } = await parsed.load(file);
  const name = resource?.root.members.get('name')?.value;
  if (resource !== undefined && name?.type === 'scalar') return `${resource.kind}/${name.value}`;
  const [problem] = problems;
  if (other === undefined && problem !== undefined)
    throw new AgentformError('selection-empty', `${quote(path)}: ${problem.message}`);
  const why =
    other === undefined
      ? 'does not declare a resource; to select the resources that use it, use `--changed-since`'
      : `is a ${other.kind}; select its resources by name or with -l`;
  throw new AgentformError('selection-empty', `${quote(path)} ${why}`);
}
