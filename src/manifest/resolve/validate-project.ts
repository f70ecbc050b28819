import { addressOf } from '../../kinds/desired.ts';
import type { Labels } from '../../kinds/labels.ts';
import { type Effort, newEffort } from '../../policy/expression.ts';
import { type FormerOf, type Policy, policiesIn, withBase } from '../../policy/policy.ts';
import type { WantedPromptChecks } from '../../prompts/prompt-checks.ts';
import { entryVariable, secretNamesIn } from '../../secrets/secret.ts';
import { formatNumber } from '../../text/wording.ts';
import { errorAt, hasErrors, identityOf, mostProblems, type Problem, shownProblems } from '../../yaml/problem.ts';
import { type MapNode, memberOf, scalarsOf } from '../../yaml/tree.ts';
import type { Project } from '../project/project.ts';
import { type EnvironmentNode, environmentNode, Targets } from './identity/target.ts';
import { exceptionProblems, policyProblems, unmended } from './policies.ts';
import type { ManifestIdentity, Resolution, ResolveOptions } from './resolution.ts';
import { resolveProject } from './resolve-project.ts';
import { Scope } from './values/scope.ts';

/** The policies of the base commit, and the names of those that have errors there. */
interface BasePolicies {
  readonly policies: readonly Policy[];
  readonly broken: readonly string[];
  /** The resources of an environment at the base commit. */
  readonly formerIn?: (environment: string, now: readonly ManifestIdentity[]) => FormerOf | undefined;
}

export interface ValidateOptions {
  /** The process variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environments to check in; all if omitted. */
  readonly environments?: readonly string[];
  /** By `Kind/name` and labels; everything if omitted. */
  readonly select?: (address: string, labels: Labels) => boolean;
  /** Whether all prompt checks are made, or by default only those whose findings are errors. */
  readonly prompts?: WantedPromptChecks;
  /** Leaves out problems in the files of manifests that are not selected. */
  readonly onlySelected?: boolean;
  /** The policies that judge the manifests, those of the base commit included; none if omitted. */
  readonly judge?: { readonly now: Date; readonly basePolicies?: BasePolicies | undefined };
  /** As in ResolveOptions. */
  readonly edited?: string;
  readonly signal?: AbortSignal;
  /** Keeps the resolutions, for later queries. */
  readonly keepsResolutions?: boolean;
}

export interface Validation {
  /** Each once, sorted by place. A problem that only some environments have lists these. */
  readonly problems: readonly Problem[];
  /** The number of checked resources. */
  readonly resources: number;
  /** The selectable resources, in any of the environments. */
  readonly all: readonly ManifestIdentity[];
  /** By environment, if they are kept. */
  readonly resolutions: ReadonlyMap<string, Resolution>;
}

/** Checks every manifest in every environment, or in the given ones. No secret is needed. */
export async function validateProject(project: Project, options: ValidateOptions): Promise<Validation> {
  const progress: Progress = {
    found: new ProblemsByEnvironment(),
    resources: new Set(),
    all: new Map(),
    resolutions: new Map(),
    files: new SelectedFiles(),
    work: new Map(),
    values: 0,
    effort: newEffort(),
  };
  const { found, resources, all, files, resolutions } = progress;
  const checked: string[] = [];
  const unchecked = [...(options.environments ?? project.environments)];
  for (let environment = unchecked.shift(); environment !== undefined; environment = unchecked.shift()) {
    const before = progress.values;
    const count = await checkIn(environment, { project, options }, progress);
    checked.push(environment);
    // The next environment may have as many values as this one.
    if (2 * progress.values - before > mostValues.inAll + mostValues.ofEach * count) break;
  }
  const [next] = unchecked;
  const cut = next === undefined ? [] : [notChecked(environmentNode(project, next), unchecked.length, progress.values)];
  const problems = found.among(checked).filter(({ at }) => at === undefined || files.concern(at.file));
  return {
    problems: shownProblems([...cut, ...problems]),
    resources: resources.size,
    all: [...all.values()],
    resolutions,
  };
}

interface Progress {
  readonly found: ProblemsByEnvironment;
  readonly resources: Set<string>;
  readonly all: Map<string, ManifestIdentity>;
  readonly resolutions: Map<string, Resolution>;
  readonly files: SelectedFiles;
  /** The checked variants of each resource's values, by address. */
  readonly work: Map<string, Set<string>>;
  /** The number of values in all variants. */
  values: number;
  readonly effort: ReturnType<typeof newEffort>;
}

interface Checking {
  readonly project: Project;
  readonly options: ValidateOptions;
}

/** Adds the findings of one environment, and returns the number of its manifests. */
async function checkIn(environment: string, { project, options }: Checking, progress: Progress): Promise<number> {
  const { found, resources, all, files, work, effort } = progress;
  const { select = () => true } = options;
  const resolution = await resolveProject(project, { ...options, environment, secrets: 'form' });
  if (options.keepsResolutions) progress.resolutions.set(environment, resolution);
  for (const { address, variant, values } of resolution.work) {
    const known = work.get(address) ?? new Set();
    if (!known.has(variant)) progress.values += values;
    work.set(address, known.add(variant));
  }
  for (const one of resolution.all) {
    const address = addressOf(one);
    all.set(address, one);
    const isSelected = select(address, one.labels);
    if (isSelected) resources.add(address);
    if (options.onlySelected) files.add(one, isSelected ? (resolution.declaredOf(address)?.files ?? []) : undefined);
  }
  const judged = options.judge === undefined ? [] : judgedIn(resolution, options.judge, environment, effort);
  for (const problem of [...resolution.problems, ...judged]) found.add(problem, environment);
  return resolution.all.length;
}

/** Separates files of selected manifests from those of others. */
class SelectedFiles {
  readonly #own = new Set<string>();
  readonly #others = new Set<string>();

  /** `declared` contains the files of a selected resource. */
  add({ file, ownFile }: ManifestIdentity, declared: readonly string[] | undefined): void {
    const files = declared === undefined ? this.#others : this.#own;
    for (const path of [file, ...(ownFile === undefined ? [] : [ownFile]), ...(declared ?? [])]) files.add(path);
  }

  /** A file that belongs to no known manifest concerns all of them. */
  concern(file: string): boolean {
    return this.#own.has(file) || !this.#others.has(file);
  }
}

function judgedIn(
  resolution: Resolution,
  { now, basePolicies }: NonNullable<ValidateOptions['judge']>,
  environment: string,
  effort: Effort,
): Problem[] {
  const all =
    basePolicies === undefined
      ? resolution.policies
      : withBase(resolution.policies, basePolicies.policies, basePolicies.formerIn?.(environment, resolution.all));
  return [
    ...exceptionProblems(resolution.policies, now),
    ...unmended(basePolicies?.broken ?? [], resolution.policies),
    ...policyProblems(resolution, policiesIn(all, environment), { now, effort }),
  ];
}

/**
 * More values than usually differ between the environments of a large project. Parts that are equal in all of them
 * count once.
 */
const mostValues = { inAll: 400_000, ofEach: 1_250 } as const;

function notChecked({ name, at }: EnvironmentNode, count: number, values: number): Problem {
  const what = count === 1 ? 'this environment was' : `${count} environments from here on were`;
  const message = `${what} not checked, because those before have ${formatNumber(values)} values; run \`agentform validate -e ${name}\``;
  return { ...errorAt(at, 'project-size', message), namesEnvironments: true };
}

/** The problems of several environments, each once. It keeps no more for a file than are reported. */
class ProblemsByEnvironment {
  readonly #known = new Map<string, { readonly problem: Problem; readonly environments: Set<string> }>();
  /** The number of problems by file and severity. */
  readonly #counts = new Map<string, number>();

  add(problem: Problem, environment: string): void {
    const known = this.#known.get(identityOf(problem));
    if (known !== undefined) {
      known.environments.add(environment);
      return;
    }
    const kind = `${problem.severity} ${problem.at?.file}`;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    // One more than are reported, to indicate that there are more.
    if (count <= mostProblems + 1)
      this.#known.set(identityOf(problem), { problem, environments: new Set([environment]) });
  }

  /** Problems that only some environments have list these. */
  among(checked: readonly string[]): Problem[] {
    return [...this.#known.values()].map(({ problem, environments }) => {
      if (problem.namesEnvironments || environments.size === checked.length) return problem;
      return { ...problem, environments: [...environments] };
    });
  }
}

/** The secrets of an environment, and their hosts. */
interface SecretUses {
  /** Host and port; `emulator`, or undefined if the base URL is unknown. */
  readonly host: string | undefined;
  /** Names of the secrets in the environment and the selected manifests: in targets, queries and values. */
  readonly secrets: ReadonlySet<string>;
  /** Whether the manifests have no problems, so there can be no further use. */
  readonly isWhole: boolean;
}

/** The secrets and hosts of one environment of the project, found without their values. */
export async function secretUses(
  project: Project,
  { environment, ...options }: Pick<ResolveOptions, 'environment' | 'env' | 'select'>,
): Promise<SecretUses> {
  const node = environmentNode(project, environment);
  const resolution = await resolveProject(project, { ...options, environment, secrets: 'form' });
  const scope = new Scope({ environment: node, env: options.env, secrets: 'form' });
  return {
    host: new Targets({ environment: node, scope, files: project.files }).host,
    secrets: new Set([...resolution.secretNames, ...secretsOf(node.definition)]),
    isWhole: !hasErrors(resolution.problems),
  };
}

/** Used by every manifest without a separate token, and by commands without a manifest. */
function secretsOf(definition: MapNode): string[] {
  const nodes = ['token', 'query'].flatMap((name) => memberOf(definition, name) ?? []);
  const texts = nodes.flatMap((node) => scalarsOf(node).map(([, { value }]) => String(value)));
  // The entry that a variable chooses may differ between manifests, so the manifests report it.
  return texts.flatMap(secretNamesIn).filter((name) => entryVariable(name) === undefined);
}
