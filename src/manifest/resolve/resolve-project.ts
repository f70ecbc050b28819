import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../../kinds/desired.ts';
import { isLongEnough } from '../../secrets/redact.ts';
import { asToken, emulatorToken, Secret, secretReference } from '../../secrets/secret.ts';
import { applyLevels, type Problem, shownProblems } from '../../yaml/problem.ts';
import { type Gathered, gatherManifests } from '../fleet/gather-manifests.ts';
import { type GatheredUnit, mergedAgain } from '../fleet/units.ts';
import type { Project } from '../project/project.ts';
import { FactFinder } from './fact-finder.ts';
import { FactInputs } from './fact-inputs.ts';
import {
  type ClaimedFacts,
  type ManifestFacts,
  nameManifest,
  type ResolvedFacts,
  type ResolvedResource,
} from './facts.ts';
import { environmentNode } from './identity/target.ts';
import { ManifestValues } from './manifest-values.ts';
import { problemsOfAll } from './project-problems.ts';
import type { ManifestIdentity, Resolution, ResolveContext, ResolveOptions } from './resolution.ts';
import { resolveManifest } from './resolve-manifest.ts';
import type { Scope } from './values/scope.ts';

/**
 * Resolves the manifests of a project in one environment: gathers them, finds the facts about each, and checks all
 * facts together. Checks the files of all manifests. Checks variables, secrets, targets and resolved values only for
 * selected resources.
 */
export async function resolveProject(project: Project, options: ResolveOptions): Promise<Resolution> {
  const environment = environmentNode(project, options.environment);
  const inputs = new FactInputs({ project, environment, options });
  const finder = new FactFinder(inputs);
  try {
    return await resolutionWith(finder, inputs);
  } finally {
    // Keep the results of a cancelled run, so that the next run can reuse them.
    await finder.settle(false);
  }
}

async function resolutionWith(finder: FactFinder, inputs: FactInputs): Promise<Resolution> {
  const { project, options } = inputs;
  const { select, signal } = options;
  const gathered = await gatherManifests(project, options.environment, finder, signal);
  const context = inputs.contextFor(gathered.index, options.secrets);
  const isSelected = (one: ManifestIdentity) => select?.(addressOf(one), one.labels) ?? true;
  const found = await factsOfAll(gathered, { finder, context, isSelected, signal });
  const elsewhere: ClaimedFacts[] = [];
  for (const one of gathered.elsewhere) elsewhere.push(await finder.elsewhere(one));
  const problems: Problem[] = [
    ...applyLevels(problemsOfAll({ project, options, context, gathered, found, elsewhere }), project.lint),
    ...gathered.problems,
    ...found.flatMap(({ here, resolved }) => [...here.labelProblems, ...(resolved?.problems ?? [])]),
  ];
  await finder.settle(true);
  const named = new Map(found.map((one) => [addressOf(one.head), one]));
  const { scope } = context;
  return {
    selected: found.flatMap(({ resolved }) => resolved?.selected ?? []),
    all: found.map(({ here }) => here.identity),
    elsewhere: elsewhere.map(({ head: { kind, name, onlyIn = [] } }) => ({ kind, name, onlyIn })),
    problems: shownProblems(problems),
    secrets: [...scope.secrets.values()],
    secretNames: scope.secretsAsked,
    policies: gathered.policies,
    tests: gathered.tests,
    declaredOf: (address) => named.get(address)?.resolved?.declared,
    work: found.flatMap(({ head, work }) => (work && { address: addressOf(head), ...work }) ?? []),
    ...new ManifestValues({ project, env: options.env, context, found: named }),
  };
}

interface FactsInput {
  readonly finder: FactFinder;
  readonly context: ResolveContext;
  readonly isSelected: (one: ManifestIdentity) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** Finds the facts about each manifest. Yields to other tasks in between, so that the run can be interrupted. */
async function factsOfAll(
  { manifests, index }: Gathered,
  { finder, context, isSelected, signal }: FactsInput,
): Promise<ManifestFacts[]> {
  const found: ManifestFacts[] = [];
  let before = 0;
  let yieldedAt = performance.now();
  for (const one of manifests) {
    const { unit } = one;
    const facts = await finder.here(one, index, { isSelected, before });
    const { head, variables, here, claims, resolved, isSelected: isWanted } = facts;
    const resource = isWanted && resolved !== undefined ? await resolvedNow(one, resolved, context, before) : undefined;
    const work = resolved && { values: resolved.values, variant: resolved.variant };
    found.push({ unit, head, variables, here, claims, isSelected: isWanted, resolved: resource, work });
    before += here.characters;
    if (performance.now() - yieldedAt < maxBusyMs) continue;
    await turn();
    signal?.throwIfAborted();
    yieldedAt = performance.now();
  }
  return found;
}

/** The time in milliseconds after which other tasks get a turn, such as one that interrupts this run. */
const maxBusyMs = 10;

/**
 * The resolved resource for this run. Facts contain secrets only by name. The facts are enough if the run needs no
 * secret values, or if the only secret is a usable token. Otherwise the manifest is resolved again.
 */
async function resolvedNow(
  one: GatheredUnit,
  facts: ResolvedFacts,
  context: ResolveContext,
  inserted: number,
): Promise<ResolvedResource> {
  const { scope } = context;
  for (const name of facts.secrets) scope.secret(name);
  const { selected, problems, declared } = facts;
  if (context.secrets === 'values' && !facts.secrets.every((name) => isGoodToken(name, selected?.target, scope))) {
    return resolvedAgain(one, context, inserted);
  }
  if (selected === undefined) return { problems, declared, selected };
  const { sensitiveQuery, ...target } = selected.target;
  const { tokenName } = target;
  const secret = tokenName === undefined ? undefined : scope.secret(tokenName);
  const unknown = tokenName === undefined ? emulatorToken : new Secret(secretReference(tokenName));
  const token = secret === undefined || secret === 'unknown' ? unknown : secret;
  const withToken = { ...target, token, sensitiveQuery: new Set(sensitiveQuery) };
  return { problems, declared, selected: { ...selected, target: withToken } };
}

/**
 * Resolves a manifest with secret values. `inserted` is the number of characters that earlier manifests inserted, which
 * counts towards the limit on all manifests.
 */
async function resolvedAgain(one: GatheredUnit, context: ResolveContext, inserted: number): Promise<ResolvedResource> {
  const manifest = mergedAgain(one, context.environment.name, context.reader);
  const { size } = context.scope;
  const { characters } = size;
  size.characters = inserted;
  const resolved = await resolveManifest(nameManifest(manifest, context), context);
  size.characters = characters;
  return resolved;
}

type TargetFacts = NonNullable<ResolvedFacts['selected']>['target'];

function isGoodToken(name: string, target: TargetFacts | undefined, scope: Scope): boolean {
  const secret = scope.secret(name);
  if (target?.tokenName !== name || secret === undefined || secret === 'unknown') return false;
  return isLongEnough(secret) && asToken(secret) === secret;
}
