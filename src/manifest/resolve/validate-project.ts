import { addressOf } from '../../kinds/desired.ts';
import { joinWithAnd } from '../../text/wording.ts';
import type { Project } from '../project/project.ts';
import { identityOf, type Problem, shownProblems } from '../syntax/problem.ts';
import { resolveProject } from './resolve-project.ts';
import type { SharedClaims } from './shared-environments.ts';

export interface ValidateOptions {
  /** The process variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environments to check in; all if left out. */
  readonly environments?: readonly string[];
  /** By `Kind/name`; everything if left out. */
  readonly select?: (address: string) => boolean;
}

export interface Validation {
  /** Each once, by place. One that not every environment has says which ones do. */
  readonly problems: readonly Problem[];
  /** How many resources were looked at. */
  readonly resources: number;
}

/** Checks every manifest in every environment, or in those that are given. No secret is needed. */
export async function validateProject(project: Project, options: ValidateOptions): Promise<Validation> {
  const found = new Map<string, { readonly problem: Problem; readonly environments: string[] }>();
  const resources = new Set<string>();
  const checked = options.environments ?? project.environments;
  const claims: SharedClaims = new Map();
  for (const environment of checked) {
    const resolution = await resolveProject(project, { ...options, environment, secrets: 'form', claims });
    const { select } = options;
    for (const address of resolution.all.map(addressOf)) {
      if (select === undefined || select(address)) resources.add(address);
    }
    for (const problem of resolution.problems) {
      const known = found.get(identityOf(problem));
      if (known === undefined) found.set(identityOf(problem), { problem, environments: [environment] });
      else known.environments.push(environment);
    }
  }
  const problems = [...found.values()].map(({ problem, environments }) =>
    inEnvironments(problem, environments, checked),
  );
  return { problems: shownProblems(problems), resources: resources.size };
}

function inEnvironments(problem: Problem, environments: readonly string[], checked: readonly string[]): Problem {
  if (problem.namesEnvironments || environments.length === checked.length) return problem;
  const noun = environments.length === 1 ? 'environment' : 'environments';
  return { ...problem, message: `${problem.message} (in the ${noun} ${joinWithAnd(environments)})` };
}
