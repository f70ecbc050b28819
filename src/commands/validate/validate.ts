import { addressOf } from '../../kinds/desired.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import type { Project } from '../../manifest/project/project.ts';
import { validateProject } from '../../manifest/resolve/validate-project.ts';
import type { SelectionOptions, SinceOptions } from '../../schemas/option-types.ts';
import type { ChangedSince } from '../../schemas/plan-types.ts';
import { formerAtBase, restrictedTo, rulesAtCommit } from '../../session/base/base-rules.ts';
import { environmentsNamed } from '../../session/environment.ts';
import type { Host } from '../../session/host.ts';
import { isEverything, requireMatches, selector } from '../../session/selection.ts';
import { hasErrors, type Problem } from '../../yaml/problem.ts';

export interface ValidateResult {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
  readonly valid: boolean;
  /** The number of manifests that were checked fully. */
  readonly manifests: number;
  /** The number of declared resources: fleets have many. */
  readonly resources: number;
  readonly environments: readonly string[];
  /** Where only what changed since a commit was checked: the sentence about it. */
  readonly changedSince?: ChangedSince;
}

export interface ValidateRunOptions extends SelectionOptions, SinceOptions {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  /** A name or a glob, or several of them; all if left out. */
  readonly environment?: string | readonly string[] | undefined;
  /** A commit whose policies and lint levels hold as well. */
  readonly base?: string | undefined;
}

type ValidateHost = Pick<Host, 'env' | 'readable' | 'cache' | 'now'>;

/** Checks every manifest in every environment, or in those that are asked for; needs no network and no secrets. */
export async function validate(host: ValidateHost, options: ValidateRunOptions): Promise<ValidateResult> {
  const { environment, changedSince: ref, names = [], selector: labels, exclude } = options;
  const selection = { names, selector: labels, exclude };
  const loaded = await loadProject(options.project, host);
  const environments =
    environment === undefined ? loaded.environments : environmentsNamed(loaded, [environment].flat());
  const baseRules = await rulesAtCommit(loaded, options.base, { environments, env: host.env });
  const project = restrictedTo(loaded, baseRules);
  const changed = ref === undefined ? undefined : await changedIn(host, { project, ref, environments });
  const isAll = isEverything(selection);
  const isChosen = selector(selection);
  const { problems, resources, all } = await validateProject(project, {
    env: host.env,
    environments,
    prompts: 'all',
    select: (address, labels) => isChosen(address, labels) && (changed?.includes(address) ?? true),
    onlySelected: !isAll,
    judge: {
      now: host.now(),
      basePolicies: { ...baseRules, formerIn: (name, now) => formerAtBase(baseRules, name, now) },
    },
  });
  const valid = !hasErrors(problems);
  const { removed, sourceOf, manifests } = project;
  // If manifests cannot be read, the names in them are unknown.
  if (valid) requireMatches(selection, { environment: environments.join(', '), all, elsewhere: [], removed });
  return {
    problems,
    sourceOf,
    valid,
    manifests: changed?.changedSince.changed ?? (isAll ? manifests.length : resources),
    resources: changed === undefined ? resources : 0,
    environments,
    ...(changed && { changedSince: changed.changedSince }),
  };
}

interface Comparing {
  readonly project: Project;
  readonly ref: string;
  readonly environments: readonly string[];
}

/** Changes in any of the environments. */
async function changedIn({ env }: ValidateHost, { project, ref, environments }: Comparing) {
  const { changesSince, statementOf } = await import('../../session/base/changed-since.ts');
  const found = [...(await changesSince(project, { ref, environments, env })).values()];
  const changed = merged(found.map((one) => one.changed));
  const deleted = merged(found.map((one) => one.deleted));
  const reasons = found.flatMap(({ reason }) => reason ?? []);
  const all = [...new Map(found.flatMap(({ now }) => now.all.map((one) => [addressOf(one), one] as const))).values()];
  const [reason] = reasons.length === found.length ? reasons : [];
  const changedSince = statementOf(ref, { commit: found[0]?.commit ?? ref, reason, all, changed, deleted });
  return { includes: (address: string) => changed.has(address), changedSince };
}

function merged(maps: readonly ReadonlyMap<string, readonly string[]>[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const [address, files] of maps.flatMap((map) => [...map]))
    all.set(address, [...(all.get(address) ?? []), ...files]);
  return all;
}
