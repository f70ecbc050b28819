import { setImmediate as turn } from 'node:timers/promises';
import { addressOf, isEmbedded } from '../../kinds/desired.ts';
import { isLongEnough } from '../../secrets/redact.ts';
import { asToken, Secret, secretReference, tokenOnEmulator } from '../../secrets/secret.ts';
import { applyLevels, type Problem, shownProblems, withoutPastedSecrets } from '../../yaml/problem.ts';
import { type Gathered, gatherManifests } from '../fleet/gather-manifests.ts';
import { type GatheredUnit, mergedAgain } from '../fleet/units.ts';
import type { Project } from '../project/project.ts';
import { FactFinder, type FoundFacts } from './fact-finder.ts';
import { FactInputs } from './fact-inputs.ts';
import { type ClaimedFacts, type ManifestFacts, nameManifest, type ResolvedFacts } from './facts.ts';
import { environmentNode } from './identity/target.ts';
import { ManifestValues } from './manifest-values.ts';
import { problemsOfAll } from './project-problems.ts';
import type { ManifestIdentity, Resolution, ResolveContext, ResolveOptions } from './resolution.ts';
import { type ResolvedManifest, resolveManifest } from './resolve-manifest.ts';
import type { Scope } from './values/scope.ts';

/** The manifests of a project in one environment, with their facts. */
export interface ProjectFacts extends Pick<Resolution, 'all' | 'declaredOf'> {
  readonly gathered: Gathered;
  readonly found: readonly FoundUnit[];
  readonly elsewhere: readonly ClaimedFacts[];
}

interface FoundUnit extends FoundFacts {
  readonly one: GatheredUnit;
}

/** Gathers the manifests of a project in one environment, and finds the facts of each. */
export async function findFacts(project: Project, options: ResolveOptions): Promise<ProjectFacts> {
  return factsFrom(new FactInputs({ project, environment: environmentNode(project, options.environment), options }));
}

async function factsFrom(inputs: FactInputs): Promise<ProjectFacts> {
  const { project, options } = inputs;
  const finder = new FactFinder(inputs);
  try {
    const gathered = await gatherManifests(project, options.environment, finder, options.signal);
    const found = await factsOfAll(gathered, finder, options);
    const elsewhere: ClaimedFacts[] = [];
    for (const one of gathered.elsewhere) elsewhere.push(await finder.elsewhere(one));
    await finder.settle(true);
    const named = new Map(found.map((one) => [addressOf(one.head), one]));
    return {
      ...{ gathered, found, elsewhere },
      all: found.map(({ here }) => here.identity),
      declaredOf: (address) => named.get(address)?.resolved?.declared,
    };
  } finally {
    // Keep the results even if the run is cancelled, so that the next run can reuse them.
    await finder.settle(false);
  }
}

/**
 * Resolves the manifests of a project in one environment: finds the facts of each, and checks all facts together.
 * Checks the files of all manifests. Checks variables, secrets, targets and resolved values only for selected
 * resources. If this run already found the facts of all resources, `known` contains them. These facts may come from a
 * run that could use all secrets, because each secret value is looked up again.
 */
export async function resolveProject(
  project: Project,
  options: ResolveOptions,
  known?: ProjectFacts,
): Promise<Resolution> {
  const environment = environmentNode(project, options.environment);
  const inputs = new FactInputs({ project, environment, options });
  const { gathered, found: facts, elsewhere } = known ?? (await factsFrom(inputs));
  const context = inputs.contextFor(gathered.index, options.secrets);
  const found = await resolvedUnits(facts, context, options);
  const { files } = project;
  const ofAll = problemsOfAll({ project, options, context, gathered, found, elsewhere });
  const problems: Problem[] = [
    ...applyLevels(
      withoutPastedSecrets(ofAll, (path) => files.usedSource(path)),
      project.lint,
    ),
    ...gathered.problems,
    ...found.flatMap(({ here, resolved }) => [...here.labelProblems, ...(resolved?.problems ?? [])]),
  ];
  const named = new Map(found.map((one) => [addressOf(one.head), one]));
  const { scope } = context;
  return {
    selected: found.flatMap(({ resolved }) => resolved?.selected ?? []),
    all: found.map(({ here }) => here.identity),
    elsewhere: elsewhere.map(({ head: { kind, name, onlyIn = [], renamedFrom } }) => {
      return { kind, name, onlyIn, renamedFrom };
    }),
    problems: shownProblems(problems, (path) => files.source(path)),
    secrets: [...scope.secrets.values()],
    secretNames: scope.secretsAsked,
    policies: gathered.policies,
    tests: gathered.tests,
    declaredOf: (address) => named.get(address)?.resolved?.declared,
    work: found.flatMap(({ head, work }) => (work && { address: addressOf(head), ...work }) ?? []),
    ...new ManifestValues({ project, env: options.env, context, found: named }),
  };
}

function selectionIn({ select }: Pick<ResolveOptions, 'select'>): (one: ManifestIdentity) => boolean {
  return (one) => select?.(addressOf(one), one.labels) ?? true;
}

async function factsOfAll(
  { manifests, index }: Gathered,
  finder: FactFinder,
  options: ResolveOptions,
): Promise<FoundUnit[]> {
  const isSelected = selectionIn(options);
  const found: FoundUnit[] = [];
  let before = 0;
  for await (const one of inTurns(manifests, options.signal)) {
    const facts = await finder.here(one, index, { isSelected, before });
    found.push({ ...facts, one });
    before += facts.here.characters;
  }
  return found;
}

async function resolvedUnits(
  facts: readonly FoundUnit[],
  context: ResolveContext,
  options: ResolveOptions,
): Promise<ManifestFacts[]> {
  const isSelected = selectionIn(options);
  const found: ManifestFacts[] = [];
  let before = 0;
  for await (const { one, head, variables, here, claims, ...rest } of inTurns(facts, options.signal)) {
    const isIncluded = isSelected(here.identity);
    const isWanted = isIncluded && rest.isSelected;
    const known = isIncluded ? rest.resolved : undefined;
    const resolved = isWanted && known !== undefined ? await resolvedNow(one, known, context, before) : undefined;
    const work = known && { values: known.values, variant: known.variant };
    found.push({ unit: one.unit, head, variables, here, claims, isSelected: isWanted, resolved, work });
    before += here.characters;
  }
  return found;
}

/** The time in milliseconds after which other tasks get a turn, such as a task that interrupts this run. */
const maxBusyMs = 10;

/** Yields each item, and gives other tasks a turn from time to time, so that a run can be interrupted. */
async function* inTurns<Item>(items: Iterable<Item>, signal: AbortSignal | undefined): AsyncGenerator<Item> {
  let lastTurn = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - lastTurn < maxBusyMs) continue;
    await turn();
    signal?.throwIfAborted();
    lastTurn = performance.now();
  }
}

/**
 * The resolved resource for this run. Resolves the manifest again if the facts lack prompt checks. Because facts
 * contain secrets only by name, also resolves the manifest again if the run needs any secret value other than a usable
 * token.
 */
async function resolvedNow(
  one: GatheredUnit,
  facts: ResolvedFacts,
  context: ResolveContext,
  inserted: number,
): Promise<ResolvedManifest> {
  const { scope } = context;
  for (const name of facts.secrets) scope.secret(name);
  const { selected, problems, declared, prompts } = facts;
  const lacksValues =
    context.secrets === 'values' && !facts.secrets.every((name) => isGoodToken(name, selected?.target, scope));
  if (lacksValues || prompts !== context.prompts.wanted) return resolvedAgain(one, context, inserted);
  if (selected === undefined) return { problems, declared, selected };
  const { sensitiveQuery, ...target } = selected.target;
  const withToken = { ...target, token: tokenOf(target, scope), sensitiveQuery: new Set(sensitiveQuery) };
  return { problems, declared, selected: { ...selected, target: withToken } };
}

/**
 * Resolves a manifest with secret values. `inserted` is the number of characters that earlier manifests inserted. These
 * characters count towards the limit for all manifests.
 */
async function resolvedAgain(one: GatheredUnit, context: ResolveContext, inserted: number): Promise<ResolvedManifest> {
  const manifest = mergedAgain(one, context.environment.name, context.reader);
  const { size } = context.scope;
  const { characters } = size;
  size.characters = inserted;
  const resolved = await resolveManifest(nameManifest(manifest, context), context);
  size.characters = characters;
  return resolved;
}

type TargetFacts = NonNullable<ResolvedFacts['selected']>['target'];

function tokenOf(target: Pick<TargetFacts, 'baseUrl' | 'tokenName'>, scope: Scope): Secret {
  const { tokenName } = target;
  // Only the embedded emulator accepts a target without a token.
  if (tokenName === undefined || isEmbedded(target)) return tokenOnEmulator(tokenName);
  const secret = scope.secret(tokenName);
  return secret === undefined || secret === 'unknown' ? new Secret(secretReference(tokenName)) : secret;
}

function isGoodToken(name: string, target: TargetFacts | undefined, scope: Scope): boolean {
  if (target?.tokenName !== name) return false;
  if (isEmbedded(target)) return true;
  const secret = scope.secret(name);
  if (secret === undefined || secret === 'unknown') return false;
  return isLongEnough(secret) && asToken(secret) === secret;
}
