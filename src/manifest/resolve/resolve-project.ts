import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../../kinds/desired.ts';
import { isInShard } from '../../kinds/shard.ts';
import { desiredView } from '../../policy/views.ts';
import { PromptChecks, type PromptLevels } from '../../prompts/prompt-checks.ts';
import { applyLevels, hasErrors, type Problem, shownProblems } from '../../yaml/problem.ts';
import type { ScalarNode } from '../../yaml/tree.ts';
import {
  byKindAndName,
  type Gathered,
  gatherManifests,
  ManifestIndex,
  type MergedManifest,
} from '../fleet/gather-manifests.ts';
import type { Project } from '../project/project.ts';
import { unmatchedFiles } from '../project/unmatched-files.ts';
import { earlyTarget } from './identity/envelope.ts';
import { namesAnother, type References } from './identity/references.ts';
import { SharedEnvironments } from './identity/shared-environments.ts';
import { type EnvironmentNode, environmentNode, Targets } from './identity/target.ts';
import { type LookedAt, Looks, type NamedManifest } from './look.ts';
import { claimsOfRead, Outlines, outliner } from './outlines.ts';
import type {
  Declared,
  KnownDeclared,
  KnownOutlines,
  Outline,
  Resolution,
  ResolveContext,
  ResolveOptions,
  SelectedShard,
} from './resolution.ts';
import {
  contentsIn,
  declaredIn,
  desiredOf,
  originsIn,
  outlinesIn,
  promptProblemsIn,
  provenancesIn,
  writtenIn,
} from './resolution-queries.ts';
import type { ResolvedManifest } from './resolve-manifest.ts';
import { SharedWork } from './shared-work.ts';
import { duplicateIdentities } from './uniqueness.ts';
import { unmatchedChoices, unusedColumns, unusedProcessVariables } from './unused.ts';
import { resolveLabels } from './values/labels.ts';
import { Scope } from './values/scope.ts';

/**
 * The resolved manifests of a project in one environment.
 *
 * All files are checked as written; variables, secrets, targets and resolved values are checked for the selected
 * resources. All problems are reported together.
 */
export async function resolveProject(project: Project, options: ResolveOptions): Promise<Resolution> {
  const environment = environmentNode(project, options.environment);
  const { select, allowedSecrets, shard } = options;
  // The resources of a shard depend on all of them.
  const isPart = select !== undefined && shard === undefined && allowedSecrets === undefined;
  const outlines = isPart ? (options.outlines ?? Outlines.of({ ...options, project })) : undefined;
  let unread = unreadOf(outlines, select);
  while (unread.size > 0) {
    const found = await resolveRead({
      project,
      options: { ...options, onAim: undefined },
      environment,
      outlines,
      unread,
    });
    if (!('isDoubtful' in found)) return found;
    unread = new Map(found.isDoubtful ? [] : [...unread].filter(([path]) => !found.asked.has(path)));
  }
  const found = await resolveRead({ project, options, environment, outlines, unread });
  if ('isDoubtful' in found) throw new Error('every manifest was read');
  return found;
}

/** Facts of unselected manifests, by path. */
function unreadOf(
  outlines: KnownOutlines | undefined,
  select: ResolveOptions['select'] = () => true,
): ReadonlyMap<string, Outline> {
  const isLeft = ({ identity }: Outline) => !select(addressOf(identity), identity.labels);
  return new Map([...(outlines?.known ?? [])].filter(([, one]) => isLeft(one)));
}

interface Reading {
  readonly project: Project;
  readonly options: ResolveOptions;
  readonly environment: EnvironmentNode;
  readonly outlines: KnownOutlines | undefined;
  /** By path, the manifests that are left unread. */
  readonly unread: ReadonlyMap<string, Outline>;
}

/** Why more manifests must be read: requested ones, or all. */
interface ReadMore {
  readonly isDoubtful: boolean;
  readonly asked: ReadonlySet<string>;
}

/**
 * Resolves with some manifests left unread. Outlines only show that there are no findings: problems, and notices about
 * more than the read manifests, are found again with every manifest read, so that the messages are the same.
 */
async function resolveRead(reading: Reading): Promise<Resolution | ReadMore> {
  const { project, options, environment, outlines, unread } = reading;
  const context = contextOf({ project, options, environment });
  const byForm = contextOf({ project, options: { ...options, secrets: 'form' }, environment });
  const left = [...unread.values()];
  const { targets, shared: work } = context;
  const claims = left.length === 0 && work.isOfMany ? work.claims : new Map();
  const between = new SharedEnvironments({ project, env: options.env, environment, targets, claims });
  const found = await lookAtAll(reading, { context, byForm, between, left });
  if ('isDoubtful' in found) return found;
  const { gathered, named } = found;
  const claimed = new Set(left.length === 0 ? [] : named.flatMap((one) => claimsOfRead(one, byForm)));
  if (left.some((one) => one.claims.some((claim) => claimed.has(claim)))) return readAll;
  const looked = new Map(named.map((one) => [addressOf(one.manifest), one]));
  const identities = [...named, ...left].map(({ identity }) => identity);
  const amongAll = [...duplicateIdentities(named.flatMap(({ unique }) => unique ?? [])), ...between.problems()];
  const { env } = options;
  const unused = left.length > 0 ? [] : unusedProcessVariables({ project, env, scope: context.scope, gathered, named });
  const problems = [
    ...applyLevels(
      [
        ...project.problems,
        ...amongAll,
        ...unused,
        ...unmatchedChoices(gathered, {
          agents: identities,
          environment: options.environment,
          isRequired: project.testsRequired.has(options.environment),
        }),
        ...unmatchedFilesIn(project, gathered, left),
        ...unusedColumns({ named, scope: context.scope, environment: options.environment }),
      ],
      project.lint,
    ),
    ...gathered.problems,
    ...named.flatMap(({ labelProblems }) => labelProblems),
    ...named.flatMap(({ resolved }) => resolved?.problems ?? []),
  ];
  const isSound = !hasErrors(problems);
  if (!isSound && left.length > 0) return readAll;
  const declaredOf = declaredIn(looked, gathered.index);
  if (isSound && outlines?.keep !== undefined) {
    const isChecked = options.prompts === 'all' && amongAll.length + unused.length === 0;
    await outlines.keep(newOutlines({ ...reading, outlines }, { named, byForm, declaredOf, isChecked }));
  }
  const originOf = originsIn(looked);
  let desired: Resolution['desired'] | undefined;
  return {
    get desired() {
      desired ??= named.flatMap(desiredOf);
      return desired;
    },
    all: identities.sort(byKindAndName),
    elsewhere: gathered.elsewhere.map(({ kind, name, onlyIn = [] }) => ({ kind, name, onlyIn })),
    problems: shownProblems(problems),
    secrets: [...context.scope.secrets.values()],
    secretNames: context.scope.secretsAsked,
    originOf,
    policies: gathered.policies,
    tests: gathered.tests,
    policyView: (one) => desiredView(one, (pointer) => originOf(addressOf(one), pointer)?.masked),
    ...writtenIn(looked, context),
    promptProblemsAt: promptProblemsIn(looked, context, () => promptChecks(project, { wanted: 'all' })),
    provenanceOf: provenancesIn(looked, context),
    outlineOf: outlinesIn(looked),
    declaredOf,
    contentOf: contentsIn(looked, { project, env: options.env, environment }),
  };
}

/** Reported only if the read files have no problems: an unreadable base may extend others. */
function unmatchedFilesIn(project: Project, { problems, overrides }: Gathered, left: readonly Outline[]): Problem[] {
  if (hasErrors(problems)) return [];
  const used = new Set(left.flatMap(({ files }) => files));
  return unmatchedFiles(project, { isUsed: (path) => used.has(path), overrides });
}

const readAll: ReadMore = { isDoubtful: true, asked: new Set() };

interface LookingAt {
  readonly context: ResolveContext;
  /** Unselected manifests may have secrets that are not needed now. */
  readonly byForm: ResolveContext;
  readonly between: SharedEnvironments;
  /** Replaces the manifests that are left unread. */
  readonly left: readonly Outline[];
}

/**
 * Gathers the manifests and resolves each once: as soon as it is merged if that is enough, and otherwise when all are
 * known.
 */
async function lookAtAll(
  { project, options, environment }: Reading,
  { context, byForm, between, left }: LookingAt,
): Promise<{ readonly gathered: Gathered; readonly named: readonly LookedAt[] } | ReadMore> {
  const { select = () => true, onAim, onResolved, shard } = options;
  const looks = new Looks({ context, byForm, between, select });
  const lookAt = async (one: NamedManifest, isSelected: boolean): Promise<LookedAt> => {
    const looked = await looks.at(one, isSelected);
    if (onResolved !== undefined) {
      const written = writtenIn(new Map([[addressOf(looked.manifest), looked]]), context);
      for (const desired of desiredOf(looked)) await onResolved(desired, written);
    }
    return looked;
  };
  // The contents of a shard, and which manifests stay unread, depend on all manifests together.
  const isAhead = shard === undefined && left.length === 0;
  const ahead = new Map<MergedManifest, LookedAt>();
  const noOthers = new ManifestIndex({
    environment: environment.name,
    manifests: [],
    elsewhere: [],
    nameless: [],
    unread: new Map(),
  });
  const onMerged = async (manifest: MergedManifest): Promise<void> => {
    const { labels } = resolveLabels(manifest, context);
    const isSelected = select(addressOf(manifest), labels);
    const aim = isSelected && onAim !== undefined ? earlyTarget(manifest, context) : undefined;
    if (aim !== undefined && (shard === undefined || isInShard(aim, shard))) onAim?.(aim);
    if (!isAhead || namesAnother(manifest)) return;
    await turn();
    ahead.set(manifest, await lookAt(looks.named(manifest, noOthers), isSelected));
  };
  const gathered = await gatherManifests(project, {
    environment: options.environment,
    onMerged: isAhead || onAim !== undefined ? onMerged : undefined,
    chains: context.shared.chains,
    unread: new Map(left.map(({ identity, values }) => [identity.file, { address: addressOf(identity), values }])),
  });
  const more = { isDoubtful: gathered.isDoubtful, asked: gathered.index.asked };
  if (more.isDoubtful) return more;
  const isOfShard = shardFilter(gathered.manifests, shard);
  const named: LookedAt[] = [];
  for (const manifest of gathered.manifests) {
    let looked = ahead.get(manifest);
    if (looked === undefined) {
      const one = looks.named(manifest, gathered.index);
      if (more.asked.size > 0) continue;
      const isSelected = looks.isSelected(one) && isOfShard(manifest, one.references);
      looked = await lookAt(one, isSelected);
      if (isSelected || named.length % 100 === 0) await turn();
    }
    named.push(looked);
  }
  if (more.asked.size > 0) return more;
  for (const [index, manifest] of gathered.elsewhere.entries()) {
    between.look(manifest, false);
    if (index % 100 === 99) await turn();
  }
  return { gathered, named };
}

interface Outlining {
  readonly named: readonly LookedAt[];
  readonly byForm: ResolveContext;
  readonly declaredOf: Resolution['declaredOf'];
  /** All checks were complete, and no notice concerns several manifests. */
  readonly isChecked: boolean;
}

/** The outlines of what was read, but for those that are known already. */
function newOutlines(
  { project, options, outlines }: Reading & { readonly outlines: KnownOutlines },
  { named, byForm, declaredOf, isChecked }: Outlining,
): Outline[] {
  const outlinesOf = outliner({ ...options, project }, byForm);
  return named.flatMap(({ manifest, resolved, ...known }) => {
    const declared = knownDeclared(resolved, declaredOf(addressOf(manifest)), { lint: project.lint, isChecked });
    const isKnown = declared === undefined && outlines.known.has(manifest.path);
    return isKnown ? [] : outlinesOf({ manifest, ...known, declared });
  });
}

function shardFilter(
  manifests: readonly MergedManifest[],
  shard: SelectedShard | undefined,
): (manifest: MergedManifest, references: References) => boolean {
  if (shard === undefined) return () => true;
  const { recorded } = shard;
  const addresses = new Set(manifests.map(addressOf));
  const isAnyOrphan = [...recorded].some((address) => !addresses.has(address));
  return (manifest, { organization, agent }) => {
    const names = {
      name: manifest.name,
      organization: organization && textIn(organization),
      agent: agent && textIn(agent),
    };
    return isInShard(names, shard) || (isAnyOrphan && !recorded.has(addressOf(manifest)));
  };
}

function textIn({ value }: ScalarNode): string {
  return String(value);
}

interface ContextInput {
  readonly project: Project;
  readonly options: ResolveOptions;
  readonly environment: EnvironmentNode;
}

function contextOf({ project, options, environment }: ContextInput): ResolveContext {
  const { env, secrets, allowedSecrets, shared = new SharedWork({ isOfMany: false }) } = options;
  const scope = new Scope({ environment, env, secrets, allowedSecrets });
  const { files, checks, lint, keptFindings: kept, service } = project;
  shared.prompts ??= promptChecks(project, { wanted: options.prompts ?? 'errors', kept });
  const { prompts } = shared;
  const targets = new Targets({ environment, scope, files });
  const { resellerId: resellerParameter } = service.parameters;
  return { environment, scope, targets, files, checks, lint, prompts, resellerParameter, shared };
}

function promptChecks(project: Project, rest: Pick<PromptLevels, 'wanted' | 'kept'>) {
  const { lint, lintMaxima: maxima, baseTexts: base } = project;
  return new PromptChecks({ lint, maxima, base, ...rest });
}

interface Checking {
  readonly lint: Project['lint'];
  /** All checks ran, without problems between manifests. */
  readonly isChecked: boolean;
}

/**
 * The declaration to keep of a manifest: files that a prompt links to are unknown, and a missing one may be a problem.
 */
function knownDeclared(
  resolved: ResolvedManifest | undefined,
  declared: Declared | undefined,
  { lint, isChecked }: Checking,
): KnownDeclared | undefined {
  if (resolved === undefined || declared?.digest === undefined) return undefined;
  const { digest, needed } = declared;
  const { problems, asksFiles } = resolved;
  if (asksFiles) return lint['prompt-markdown'] === 'error' ? undefined : { digest, needed };
  return { digest, needed, isFlawless: isChecked && problems.length === 0 };
}
