import { loadProject } from '../../manifest/project/load-project.ts';
import { validateProject } from '../../manifest/resolve/validate-project.ts';
import type { SelectionOptions, SinceOptions } from '../../schemas/option-types.ts';
import type { ChangedSince } from '../../schemas/plan-types.ts';
import { formerAtBase, restrictedTo, rulesAtCommit } from '../../session/base/base-rules.ts';
import { environmentsNamed } from '../../session/environment.ts';
import type { Host } from '../../session/host.ts';
import { isEverything, requireMatches, selector } from '../../session/selection.ts';
import type { SessionOptions } from '../../session/session.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';

export interface ValidateResult {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
  readonly valid: boolean;
  /**
   * The number of checked manifests. With a selection, the number of checked resources. With `changedSince`, the number
   * of changed resources.
   */
  readonly manifests: number;
  /**
   * The number of declared resources. A fleet declares several resources. The number is 0 if only changes were checked.
   */
  readonly resources: number;
  readonly environments: readonly string[];
  /** Set if only changes since a commit were checked. */
  readonly changedSince?: ChangedSince;
}

interface ValidateRunOptions extends SelectionOptions, SinceOptions, Pick<SessionOptions, 'project' | 'base'> {
  /** Environment names or globs. By default, all environments are selected. */
  readonly environment?: string | readonly string[] | undefined;
}

type ValidateHost = Pick<Host, 'env' | 'readable' | 'cache' | 'now'>;

/** Checks the selected manifests in the selected environments. Needs no network and no secrets. */
export async function validate(host: ValidateHost, options: ValidateRunOptions): Promise<ValidateResult> {
  const { environment, changedSince: ref, names = [], selector: labels, exclude } = options;
  const { env } = host;
  const selection = { names, selector: labels, exclude };
  const loaded = await loadProject(options.project, host);
  const environments =
    environment === undefined ? loaded.environments : environmentsNamed(loaded, [environment].flat());
  const baseRules = await rulesAtCommit(loaded, options.base, { environments, env });
  const project = restrictedTo(loaded, baseRules);
  // Imported on demand, so that other runs start faster.
  const changesSince = async (commit: string) =>
    (await import('../../session/base/changed-since.ts')).changedInAny(project, { ref: commit, environments, env });
  const changed = ref === undefined ? undefined : await changesSince(ref);
  const [isAll, isChosen] = [isEverything(selection), selector(selection)];
  const { problems, resources, all } = await validateProject(project, {
    env,
    environments,
    prompts: 'all',
    known: changed?.facts,
    select: (address, labels) => isChosen(address, labels) && (changed?.includes(address) ?? true),
    onlySelected: !isAll,
    judge: {
      now: host.now(),
      basePolicies: baseRules && { ...baseRules, formerIn: (name, now) => formerAtBase(baseRules, name, now) },
    },
  });
  const valid = !hasErrors(problems);
  // If manifests cannot be read, their names are unknown.
  if (valid)
    requireMatches(selection, { environment: environments.join(', '), all, elsewhere: [], removed: project.removed });
  return {
    problems,
    sourceOf: project.sourceOf,
    valid,
    manifests: changed?.changedSince.changed ?? (isAll ? project.manifests.length : resources),
    resources: changed === undefined ? resources : 0,
    environments,
    ...(changed && { changedSince: changed.changedSince }),
  };
}
