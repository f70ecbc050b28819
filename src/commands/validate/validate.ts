import { loadProject } from '../../manifest/project/load-project.ts';
import { validateProject } from '../../manifest/resolve/validate-project.ts';
import { hasErrors, type Problem } from '../../manifest/syntax/problem.ts';
import { environmentNamed } from '../../session/environment.ts';
import type { Host } from '../../session/host.ts';

export interface ValidateResult {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
  readonly valid: boolean;
  readonly manifests: number;
  readonly environments: readonly string[];
}

/** Checks every manifest in every environment, or in one; needs no network and no secrets. */
export async function validate(
  host: Pick<Host, 'env' | 'readable'>,
  options: { readonly project: string; readonly environment?: string | undefined },
): Promise<ValidateResult> {
  const project = await loadProject(options.project, host);
  const environments =
    options.environment === undefined ? project.environments : [environmentNamed(project, options.environment)];
  const { problems } = await validateProject(project, { env: host.env, environments });
  return {
    problems,
    sourceOf: project.sourceOf,
    valid: !hasErrors(problems),
    manifests: project.manifests.length,
    environments,
  };
}
