import { AgentformError, reasonOf } from '../../errors.ts';
import { firstParentOf } from '../../git/objects.ts';
import { canonicalJson } from '../../json/json.ts';
import { addressOf, byAddress } from '../../kinds/desired.ts';
import { ProjectError } from '../../manifest/project/load-project.ts';
import type { ManifestFile } from '../../manifest/project/manifest-files.ts';
import { type EnvironmentDefinition, type Project, patternCovering } from '../../manifest/project/project.ts';
import { type FileReading, textLimit } from '../../manifest/project/project-files.ts';
import {
  exceptionProblems,
  type UnknownPolicies,
  unmended,
  unmendedTests,
  vacatedTests,
} from '../../manifest/resolve/policies.ts';
import type { ManifestIdentity, Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { waitOf } from '../../plan/verdicts/requires.ts';
import { type Policy, policiesIn, withBase } from '../../policy/policy.ts';
import { isPromptRule } from '../../prompts/prompt-text.ts';
import type { Rollout } from '../../schemas/project-types.ts';
import { type ProjectTest, testsFor } from '../../testing/project-test.ts';
import { BaseTexts, mayAllow } from '../../yaml/allow-comments.ts';
import { textsAtTop } from '../../yaml/parse-yaml.ts';
import type { Problem } from '../../yaml/problem.ts';
import { type LintLevel, usualLevel } from '../../yaml/rules.ts';
import type { Host } from '../host.ts';
import type { ChangesOptions } from './changed-since.ts';
import { type CommittedProject, type OpenCommit, openCommit, withProjectAt } from './committed-project.ts';
import { filesChangedSince } from './committed-tree.ts';

/** The project's rules in the base commit. A change cannot weaken them. */
export interface BaseRules
  extends UnknownPolicies,
    Pick<Project, 'limits' | 'lint' | 'lintMaxima' | 'requires' | 'testsRequired'> {
  readonly policies: readonly Policy[];
  /**
   * The texts in the base commit, which limit the findings that comments may allow. Undefined if no prompt check is an
   * error in the base.
   */
  readonly texts: BaseTexts | undefined;
  readonly tests: readonly ProjectTest[];
  readonly brokenTests: readonly string[];
  /** The treatment of unanswered questions about edits, by environment. */
  readonly unanswered: ReadonlyMap<string, EnvironmentDefinition['unanswered']>;
  /** The base's rollout and resources, for each environment with a rollout in the base or the checkout. */
  readonly rollouts: ReadonlyMap<string, FormerRollout>;
  /** The resources in the base, by environment. Undefined if no rule needs them. */
  readonly identities: ReadonlyMap<string, readonly ManifestIdentity[]> | undefined;
}

interface FormerRollout {
  readonly rollout: Rollout | undefined;
  readonly resources: readonly ManifestIdentity[];
}

/** The maximum number of commits with a broken project file to skip. Each may need a fetch. */
const maxBroken = 20;

/**
 * Loads the rules of the project at a commit, or of the newest earlier commit whose project file has no errors. Nothing
 * was applied with the broken file, so the rules before it are still in force. Returns undefined if there is no base
 * commit, or if no rules were ever in force.
 *
 * Git does not know which commits were pushed together. After a merge by rebase, the earlier commit can therefore be one
 * that the branch never ended with.
 */
export async function rulesAtCommit(
  project: Project,
  commit: string | undefined,
  asking: AskingForRules,
): Promise<BaseRules | undefined> {
  if (commit === undefined) return undefined;
  const opened = await openCommit(project.root, commit, asking.openedBase);
  return withValidProjectAt(project, opened, (baseProject) => rulesOf(baseProject, project, asking));
}

/**
 * Runs `work`, which calls `rulesOf`, with the project at a commit. If the project file has errors there, uses the first
 * parent, and so on. Returns undefined if the project file has errors in all earlier commits.
 */
export async function withValidProjectAt<Result>(
  project: Project,
  commit: OpenCommit,
  work: (baseProject: CommittedProject) => Promise<Result>,
): Promise<Result | undefined> {
  let at = commit;
  let problem: AgentformError | undefined;
  for (let skipped = 0; skipped <= maxBroken; skipped += 1) {
    const found = await withProjectAt(project, at, work).catch(ifBroken);
    if (!(found instanceof AgentformError)) return found;
    problem ??= found;
    const parent = await firstParentOf(project.root, at.id);
    if (parent === undefined) return undefined;
    at = await openCommit(project.root, parent);
  }
  const where = `The same is true of the ${maxBroken} commits before it`;
  const remedy = 'Run the command without a base commit. On GitHub, start it by hand with workflow_dispatch';
  throw new AgentformError('base-unreadable', `${problem?.message}. ${where}. ${remedy}`, { cause: problem });
}

/**
 * Returns the error if the project file at a commit has errors. Any other error is rethrown. A filter such as Git LFS may
 * make an unreadable file readable in the work tree, and its rules are then in force.
 */
function ifBroken(error: unknown): AgentformError {
  if (error instanceof AgentformError && error.cause instanceof ProjectError && error.cause.problems.length > 0)
    return error;
  throw error;
}

type AskingForRules = Pick<ChangesOptions, 'environments' | 'env' | 'openedBase'>;

/**
 * Extracts the rules of a committed project. Returns undefined if the commit does not contain the project. Throws
 * `base-unreadable` if the committed project has errors.
 */
export async function rulesOf(
  baseProject: CommittedProject,
  now: Project,
  asking: AskingForRules,
): Promise<BaseRules | undefined> {
  const { file } = now;
  const project = await baseProject.load().catch((cause: unknown) => {
    const message = `${file} at the base commit cannot be used (${reasonOf(cause)}), so its policies are unknown`;
    throw new AgentformError('base-unreadable', message, { cause });
  });
  if (project === undefined) return undefined;
  const { limits, lint, lintMaxima, requires, testsRequired, definitions } = project;
  const unanswered = new Map([...definitions].map(([name, one]) => [name, one.unanswered]));
  const judges = await judgesIn(project, now, baseProject);
  const rolling = asking.environments.filter((name) =>
    [project, now].some((one) => one.definitions.get(name)?.rollout),
  );
  const judgesAsk =
    judges.tests.some(({ choices }) => choices.length > 0) ||
    judges.policies.some(({ exceptions }) => exceptions.length > 0);
  const identities = judgesAsk || rolling.length > 0 ? await identitiesIn(project, asking) : undefined;
  const rollouts = new Map(
    rolling.map((name) => {
      const { rollout } = definitions.get(name) ?? {};
      return [name, { rollout, resources: identities?.get(name) ?? [] }];
    }),
  );
  const texts = baseTexts(project, baseProject.paths());
  return { ...judges, limits, lint, texts, lintMaxima, requires, testsRequired, unanswered, rollouts, identities };
}

/**
 * The rules that judge a run, from both the checkout and the base. The problems prevent judging, or are warnings about
 * policy exceptions.
 */
type JudgingRules = Pick<Resolution, 'policies' | 'tests' | 'problems'>;

interface JudgedProject {
  readonly project: Pick<Project, 'testsRequired'>;
  readonly environment: string;
  readonly resolution: Pick<Resolution, 'all' | 'policies' | 'tests'>;
}

/** Combines the rules of the checkout and the base. */
export function judgingRules(
  baseRules: BaseRules | undefined,
  { project, environment, resolution }: JudgedProject,
  now: Date,
): JudgingRules {
  const problems = exceptionProblems(resolution.policies, now);
  if (baseRules === undefined) {
    return { policies: policiesIn(resolution.policies, environment), tests: resolution.tests, problems };
  }
  const formerOf = formerAtBase(baseRules, environment, resolution.all);
  const tests = withBase(resolution.tests, baseRules.tests, formerOf);
  return {
    policies: policiesIn(withBase(resolution.policies, baseRules.policies, formerOf), environment),
    tests,
    problems: [
      ...problems,
      ...unmended(baseRules, resolution.policies),
      ...(project.testsRequired.has(environment) ? testProblems(baseRules, { environment, resolution }, tests) : []),
    ],
  };
}

function testProblems(
  { brokenTests, tests: ofBase, identities }: BaseRules,
  { environment, resolution }: Pick<JudgedProject, 'environment' | 'resolution'>,
  tests: readonly ProjectTest[],
): Problem[] {
  const contents = new Set(ofBase.map(({ content }) => content));
  const played = testsFor(tests, environment).filter(({ content }) => contents.has(content));
  const before = identities?.get(environment) ?? [];
  return [...unmendedTests(brokenTests, resolution.tests), ...vacatedTests(played, { before, now: resolution.all })];
}

/**
 * Returns a function that finds the identity that a resource had in the base. Returns undefined if no rule needs this
 * function.
 */
export function formerAtBase(
  { identities }: BaseRules,
  environment: string,
  now: readonly ManifestIdentity[],
): FormerOf | undefined {
  return identities && formerIn(identities.get(environment) ?? [], now);
}

type Judges = Pick<BaseRules, 'policies' | 'broken' | 'lost' | 'lostSubmodules' | 'tests' | 'brokenTests'>;

/**
 * Loads policies and Tests. Parses only files that may contain a policy or Test, because there may be thousands of
 * other files. A manifest that cannot be read may also contain a policy. Such a manifest therefore counts as lost
 * unless the checkout has the same file.
 */
async function judgesIn(project: Project, now: Project, { commit, missing }: CommittedProject): Promise<Judges> {
  const policies: Policy[] = [];
  const tests: ProjectTest[] = [];
  const broken = { Policy: [] as string[], Test: [] as string[] };
  const unread: string[] = [];
  for (const path of project.manifests) {
    // Uses the size limit for texts, because a manifest that exceeds the limit for manifests may still be a policy.
    const reading = project.files.read(path, textLimit);
    // An escape sequence may hide the kind of a policy or Test.
    if (reading.failure === undefined && !/Policy|Test|\\/.test(reading.source.text)) continue;
    const manifest = await project.parsed.load(path);
    const { other } = manifest;
    const { policy, test } = { ...other?.sound };
    if (policy !== undefined) policies.push(policy);
    else if (test !== undefined) tests.push(test);
    else {
      const kinds = kindsOf(manifest, reading);
      const kind = (['Policy', 'Test'] as const).find((one) => kinds?.includes(one));
      if (kind !== undefined) broken[kind].push(other?.name ?? path);
      else if (kinds === undefined) unread.push(path);
    }
  }
  const lost = unread.length === 0 ? unread : await changedAmong(unread, now, commit);
  const submodules = missing.filter((path) => patternCovering(project, path) !== undefined);
  const lostSubmodules = submodules.length > 0 && (await changesAnyOf(missing, now, commit)) ? submodules : [];
  return { policies, tests, broken: broken.Policy, brokenTests: broken.Test, lost, lostSubmodules };
}

/**
 * Returns whether the checkout has another commit of a submodule, or none. A submodule may be inside another one. For a
 * link into a submodule, the list also contains this submodule.
 */
async function changesAnyOf(submodules: readonly string[], { root }: Project, commit: string): Promise<boolean> {
  const changed = await filesChangedSince(root, commit);
  if (changed === undefined) return true;
  return submodules.some((path) => [...changed].some((one) => path === one || path.startsWith(`${one}/`)));
}

/**
 * Returns the kinds that a file declares. Returns undefined if the file cannot be parsed, and neither its parts nor its
 * lines show a kind.
 */
function kindsOf(
  { resource, other, values, problems }: ManifestFile,
  reading: FileReading,
): readonly string[] | undefined {
  const declared = resource?.kind ?? other?.kind;
  if (declared !== undefined) return [declared];
  if (values > 0 || problems.some(({ rule }) => rule === 'file-empty')) return [];
  const text = reading.failure === undefined ? reading.source.text : (reading.rough ?? '');
  const parsed = textsAtTop(text, 'kind');
  if (parsed.length > 0) return parsed;
  const [, kind] = /^["']?kind["']?[ \t]*:[ \t]*["']?(\w+)["']?[ \t\r]*(?:#.*)?$/m.exec(text) ?? [];
  return kind === undefined ? undefined : [kind];
}

/**
 * Returns the manifests that are missing from the checkout or differ there. Compares blobs, because a filter such as
 * Git LFS may make a file readable in the work tree.
 */
async function changedAmong(paths: readonly string[], { root, manifests }: Project, commit: string): Promise<string[]> {
  const changed = await filesChangedSince(root, commit);
  return paths.filter((path) => changed === undefined || changed.has(path) || !manifests.includes(path));
}

/**
 * Restricts the project to the stricter settings of the checkout and the base. `unanswered` comes from the base if the
 * base has the environment.
 */
export function restrictedTo(project: Project, baseRules: BaseRules | undefined): Project {
  if (baseRules === undefined) return project;
  const creates = Math.min(project.limits.creates, baseRules.limits.creates);
  const maxima = Object.entries(baseRules.lintMaxima).map(
    ([name, max]) => [name, Math.min(max, project.lintMaxima[name] ?? max)] as const,
  );
  return {
    ...project,
    limits: { ...project.limits, creates },
    lint: stricterOf(project.lint, baseRules.lint),
    lintMaxima: { ...project.lintMaxima, ...Object.fromEntries(maxima) },
    baseTexts: baseRules.texts,
    requires: requiredByBoth(project.requires, baseRules.requires),
    definitions: new Map(
      [...project.definitions].map(([name, one]) => [
        name,
        { ...one, unanswered: baseRules.unanswered.get(name) ?? one.unanswered },
      ]),
    ),
    testsRequired: new Set([...project.testsRequired, ...baseRules.testsRequired]),
  };
}

/** Merges `requires` of the checkout and the base. If both require an environment, the longer time counts. */
function requiredByBoth(head: Project['requires'], atBase: Project['requires']): Project['requires'] {
  const names = new Set([...head.keys(), ...atBase.keys()]);
  return new Map(
    [...names].map((name) => {
      const all = [...(head.get(name) ?? []), ...(atBase.get(name) ?? [])];
      const byWait = all.sort((one, other) => waitOf(one) - waitOf(other));
      return [name, [...new Map(byWait.map((one) => [one.environment, one])).values()]];
    }),
  );
}

const order: readonly LintLevel[] = ['off', 'warn', 'error'];

/**
 * Merges the lint levels of the checkout and the base. The stricter level wins. A missing level counts as the default.
 */
function stricterOf(head: Project['lint'], atBase: Project['lint']): Project['lint'] {
  const names = new Set([...Object.keys(head), ...Object.keys(atBase)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [own, other] = [head[name] ?? usualLevel, atBase[name] ?? usualLevel];
      return [name, order.indexOf(own) > order.indexOf(other) ? own : other];
    }),
  );
}

/**
 * Reads the texts in the base commit, which limit the findings that comments may allow. Returns undefined if no prompt
 * check is an error in the base.
 */
function baseTexts({ lint, files }: Project, paths: Iterable<string>): BaseTexts | undefined {
  const rules = Object.keys(lint).filter((name) => isPromptRule(name) && lint[name] === 'error');
  if (rules.length === 0) return undefined;
  const texts = new Map<string, string>();
  for (const path of paths) {
    const { source } = files.read(path, textLimit);
    if (source !== undefined && (mayAllow(source.text) || source.text.includes('\n@@ '))) texts.set(path, source.text);
  }
  return new BaseTexts(rules, texts);
}

/** Finds the identity that a resource had in the base commit. Undefined if the resource is new or has a new target. */
type FormerOf = (resource: { readonly kind: string; readonly name: string }) => ManifestIdentity | undefined;

/** Lists the resources of a project by environment, without their desired values. */
async function identitiesIn(
  project: Project,
  { environments, env }: { readonly environments: readonly string[]; readonly env: Host['env'] },
): Promise<ReadonlyMap<string, readonly ManifestIdentity[]>> {
  const found = new Map<string, readonly ManifestIdentity[]>();
  for (const environment of environments) {
    if (!project.environments.includes(environment)) continue;
    const options = { environment, env, secrets: 'names', select: () => false } as const;
    found.set(environment, (await resolveProject(project, options)).all);
  }
  return found;
}

/**
 * Returns a function that finds the earlier identity of a resource. The first match counts: the agent with the declared
 * id, a resource with a former name, or the resource with its name. A name alone proves nothing, so the target must be
 * the same too.
 */
function formerIn(before: readonly ManifestIdentity[], now: readonly ManifestIdentity[]): FormerOf {
  const named = byAddress(before);
  const byId = new Map(before.flatMap((one) => (one.agentId === undefined ? [] : [[agentKey(one), one] as const])));
  const former = new Map(
    now.map((one) => {
      const { kind, renamedFrom } = one;
      const names = [...renamedFrom, one].map(({ name }) => addressOf({ kind, name }));
      const known = names.map((address) => named.get(address)).find((found) => found !== undefined);
      const found = one.agentId === undefined ? undefined : byId.get(agentKey(one));
      return [addressOf(one), found ?? (known && targetJson(known) === targetJson(one) ? known : undefined)] as const;
    }),
  );
  return (resource) => former.get(addressOf(resource));
}

function agentKey({ kind, agentId }: ManifestIdentity): string {
  return `${kind} ${agentId}`;
}

function targetJson({ agentId = '', query, token = '' }: ManifestIdentity): string {
  return canonicalJson({ agentId, query, token });
}
