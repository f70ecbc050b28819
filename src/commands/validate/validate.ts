import { loadProject } from '../../manifest/project/load-project.ts';
import { validateProject } from '../../manifest/resolve/validate-project.ts';
import { hasErrors, type Problem } from '../../manifest/syntax/problem.ts';
import { environmentsNamed } from '../../session/environment.ts';
import type { Host } from '../../session/host.ts';

export interface ValidateResult {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
  readonly valid: boolean;
  readonly manifests: number;
  readonly environments: readonly string[];
}

export interface ValidateRunOptions {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  /** A name or a glob, or several of them; all if left out. */
  readonly environment?: string | readonly string[] | undefined;
}

/** Checks every manifest in every environment, or in those that are asked for; needs no network and no secrets. */
export async function validate(
  host: Pick<Host, 'env' | 'readable'>,
  { project: path, environment }: ValidateRunOptions,
): Promise<ValidateResult> {
  const project = await loadProject(path, host);
  const environments =
    environment === undefined ? project.environments : environmentsNamed(project, [environment].flat());
  const { problems } = await validateProject(project, { env: host.env, environments });
  return {
    problems,
    sourceOf: project.sourceOf,
    valid: !hasErrors(problems),
    manifests: project.manifests.length,
    environments,
  };
}
