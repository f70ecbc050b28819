import { addressOf, isEmbedded } from '../../kinds/desired.ts';
import type { Labels } from '../../kinds/labels.ts';
import { newStepBudget, type StepBudget } from '../../policy/expression.ts';
import { type FormerOf, type Policy, policiesIn, withBase } from '../../policy/policy.ts';
import type { WantedPromptChecks } from '../../prompts/prompt-checks.ts';
import { entryVariable, secretNamesIn } from '../../secrets/secret.ts';
import { formatNumber } from '../../text/wording.ts';
import {
  applyLevels,
  errorAt,
  hasErrors,
  identityOf,
  maxProblems,
  type Problem,
  shownProblems,
} from '../../yaml/problem.ts';
import { type MapNode, memberOf, scalarsOf } from '../../yaml/tree.ts';
import type { Project } from '../project/project.ts';
import { sharedAccounts } from './identity/shared-accounts.ts';
import { type EnvironmentNode, environmentNode, Targets } from './identity/target.ts';
import { exceptionProblems, policyProblems, type UnknownPolicies, unmended } from './policies.ts';
import type { ManifestIdentity, Resolution, ResolveOptions } from './resolution.ts';
import { type ProjectFacts, resolveProject } from './resolve-project.ts';
import { Scope } from './values/scope.ts';

interface BasePolicies extends UnknownPolicies {
  readonly policies: readonly Policy[];
  /** Finds the resources of an environment in the base commit. */
  readonly formerIn?: (environment: string, now: readonly ManifestIdentity[]) => FormerOf | undefined;
}

export interface ValidateOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environments to check. Omit this to check all environments. */
  readonly environments?: readonly string[];
  /** Selects resources by address and labels. Omit this to select all resources. */
  readonly select?: (address: string, labels: Labels) => boolean;
  /** Which prompt checks to run. By default, only checks whose findings are errors are run. */
  readonly prompts?: WantedPromptChecks;
  /** Whether to leave out problems in files of unselected manifests. */
  readonly onlySelected?: boolean;
  /** The time and the base commit's policies, for checking policies. If omitted, no policies are checked. */
  readonly judge?: { readonly now: Date; readonly basePolicies?: BasePolicies | undefined };
  /** The edited file (see ResolveOptions). */
  readonly edited?: string;
  readonly signal?: AbortSignal;
  /** Whether to keep the resolutions for later queries. */
  readonly keepsResolutions?: boolean;
  /** The facts of all resources by environment, if this run has already found them. */
  readonly known?: ReadonlyMap<string, ProjectFacts> | undefined;
}

interface Validation {
  /**
   * The problems to report, sorted by location, without duplicates. A problem lists its environments unless all checked
   * environments have it.
   */
  readonly problems: readonly Problem[];
  /** The number of checked resources. A resource in several environments counts once. */
  readonly resources: number;
  /** All resources of the checked environments, whether selected or not. */
  readonly all: readonly ManifestIdentity[];
  /** Resolutions by environment. Empty unless `keepsResolutions` is set. */
  readonly resolutions: ReadonlyMap<string, Resolution>;
}

/**
 * Checks the manifests in the given environments, or in all environments. Stops early if the next environment would
 * probably exceed the value limit. Needs no secrets.
 */
export async function validateProject(project: Project, options: ValidateOptions): Promise<Validation> {
  const progress: CheckProgress = {
    found: new ProblemsByEnvironment(),
    resources: new Set(),
    all: new Map(),
    resolutions: new Map(),
    files: new SelectedFiles(),
    work: new Map(),
    values: 0,
    budget: newStepBudget(),
  };
  const { found, resources, all, files, resolutions } = progress;
  const checked: string[] = [];
  const unchecked = [...(options.environments ?? project.environments)];
  for (let environment = unchecked.shift(); environment !== undefined; environment = unchecked.shift()) {
    const before = progress.values;
    const count = await checkIn(environment, { project, options }, progress);
    checked.push(environment);
    // Assume that the next environment adds as many values as this one.
    if (2 * progress.values - before > maxValues.inAll + maxValues.ofEach * count) break;
  }
  const [next] = unchecked;
  const cut = next === undefined ? [] : [notChecked(environmentNode(project, next), unchecked.length, progress.values)];
  const problems = found.among(checked).filter(({ at }) => at === undefined || files.concern(at.file));
  return {
    problems: shownProblems([...cut, ...problems], (path) => project.files.source(path)),
    resources: resources.size,
    all: [...all.values()],
    resolutions,
  };
}

interface CheckProgress {
  readonly found: ProblemsByEnvironment;
  readonly resources: Set<string>;
  readonly all: Map<string, ManifestIdentity>;
  readonly resolutions: Map<string, Resolution>;
  readonly files: SelectedFiles;
  /** The variants of each resource's values that were checked, keyed by address. */
  readonly work: Map<string, Set<string>>;
  /** The number of values in all checked variants. */
  values: number;
  readonly budget: ReturnType<typeof newStepBudget>;
}

interface Checking {
  readonly project: Project;
  readonly options: ValidateOptions;
}

/** Checks one environment and adds its problems. Returns the number of its manifests. */
async function checkIn(environment: string, { project, options }: Checking, progress: CheckProgress): Promise<number> {
  const { found, resources, all, files, work, budget } = progress;
  const { select = () => true } = options;
  const resolution = await resolveProject(
    project,
    { ...options, environment, secrets: 'names' },
    options.known?.get(environment),
  );
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
  const judged = options.judge === undefined ? [] : judgedIn(resolution, options.judge, environment, budget);
  const shared = sharedAccountsIn(resolution, environment, { project, options });
  for (const problem of [...resolution.problems, ...shared, ...judged]) found.add(problem, environment);
  return resolution.all.length;
}

/** Skips manifests with errors, such as an unset variable, because their targets are not known. */
function sharedAccountsIn(
  resolution: Resolution,
  environment: string,
  { project, options: { select = () => true, edited } }: Checking,
): Problem[] {
  const sound = new Set(resolution.selected.map(addressOf));
  const isSelected = (one: ManifestIdentity) => select(addressOf(one), one.labels);
  const shared = sharedAccounts({
    // The check of an edited file resolves only the manifests in this file.
    identities: resolution.all.filter((one) => edited !== undefined || sound.has(addressOf(one)) || !isSelected(one)),
    isSelected,
    isEmulated: isEmbedded({ baseUrl: project.definitions.get(environment)?.baseUrl ?? '' }),
  });
  return applyLevels(shared, project.lint);
}

/** Distinguishes the files of selected manifests from all other files. */
class SelectedFiles {
  readonly #own = new Set<string>();
  readonly #others = new Set<string>();

  /** Adds the files of a manifest. For a selected manifest, `declared` contains all its files. */
  add({ file, ownFile }: ManifestIdentity, declared: readonly string[] | undefined): void {
    const files = declared === undefined ? this.#others : this.#own;
    for (const path of [file, ...(ownFile === undefined ? [] : [ownFile]), ...(declared ?? [])]) files.add(path);
  }

  /**
   * Whether problems in a file are reported. Problems in a file that belongs to no known manifest are always reported.
   */
  concern(file: string): boolean {
    return this.#own.has(file) || !this.#others.has(file);
  }
}

function judgedIn(
  resolution: Resolution,
  { now, basePolicies }: NonNullable<ValidateOptions['judge']>,
  environment: string,
  budget: StepBudget,
): Problem[] {
  const all =
    basePolicies === undefined
      ? resolution.policies
      : withBase(resolution.policies, basePolicies.policies, basePolicies.formerIn?.(environment, resolution.all));
  return [
    ...exceptionProblems(resolution.policies, now),
    ...(basePolicies === undefined ? [] : unmended(basePolicies, resolution.policies)),
    ...policyProblems(resolution, policiesIn(all, environment), { now, budget }),
  ];
}

/**
 * The maximum number of values in all environments together: `inAll`, plus `ofEach` for each manifest. Values that are
 * equal in several environments count once.
 */
const maxValues = { inAll: 400_000, ofEach: 1_250 } as const;

function notChecked({ name, at }: EnvironmentNode, count: number, values: number): Problem {
  const what = count === 1 ? 'this environment was' : `${count} environments from here on were`;
  const message = `${what} not checked, because the preceding environments have ${formatNumber(values)} values; run \`agentform validate -e ${name}\``;
  return { ...errorAt(at, 'project-size', message), namesEnvironments: true };
}

/** Collects the problems in several environments without duplicates. Drops problems that would not be reported. */
class ProblemsByEnvironment {
  readonly #known = new Map<string, { readonly problem: Problem; readonly environments: Set<string> }>();
  /** The number of problems, by file and severity. */
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
    // Keep one more problem than is reported, so that the report can say that there are more.
    if (count <= maxProblems + 1)
      this.#known.set(identityOf(problem), { problem, environments: new Set([environment]) });
  }

  /** Adds environment names to problems that only some of the checked environments have. */
  among(checked: readonly string[]): Problem[] {
    return [...this.#known.values()].map(({ problem, environments }) => {
      if (problem.namesEnvironments || environments.size === checked.length) return problem;
      return { ...problem, environments: [...environments] };
    });
  }
}

/** The secrets that an environment uses, with the host that receives them. */
interface SecretUses {
  /** The host and port, or `emulator`. Undefined if the base URL is unknown. */
  readonly host: string | undefined;
  /** The names of the secrets in targets, queries and values, for the environment and the selected manifests. */
  readonly secrets: ReadonlySet<string>;
  /** Whether `secrets` is complete. If the manifests have errors, secrets may be missing. */
  readonly isWhole: boolean;
}

/** Finds the secrets and host of one environment. Needs no secret values. */
export async function secretUses(
  project: Project,
  { environment, ...options }: Pick<ResolveOptions, 'environment' | 'env' | 'select'>,
): Promise<SecretUses> {
  const node = environmentNode(project, environment);
  const resolution = await resolveProject(project, { ...options, environment, secrets: 'names' });
  const scope = new Scope({ environment: node, env: options.env, secrets: 'names' });
  return {
    host: new Targets({ environment: node, scope, files: project.files }).host,
    secrets: new Set([...resolution.secretNames, ...secretsOf(node.definition)]),
    isWhole: !hasErrors(resolution.problems),
  };
}

/**
 * The secrets in an environment's definition. Manifests without a token and commands without a manifest use these
 * secrets.
 */
function secretsOf(definition: MapNode): string[] {
  const nodes = ['token', 'query'].flatMap((name) => memberOf(definition, name) ?? []);
  const texts = nodes.flatMap((node) => scalarsOf(node).map(([, { value }]) => String(value)));
  // If a variable chooses an entry of a secret, each manifest may use a different entry. The manifest's own secrets
  // include that entry.
  return texts.flatMap(secretNamesIn).filter((name) => entryVariable(name) === undefined);
}
