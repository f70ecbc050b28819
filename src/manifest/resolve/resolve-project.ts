import { setImmediate as turn } from 'node:timers/promises';
import { addressOf, type Target } from '../../kinds/desired.ts';
import { isLongEnough } from '../../secrets/redact.ts';
import { asToken, emulatorToken, Secret, secretReference } from '../../secrets/secret.ts';
import { applyLevels, hasErrors, type Problem, shownProblems } from '../../yaml/problem.ts';
import { type Gathered, gatherManifests } from '../fleet/gather-manifests.ts';
import { type GatheredUnit, mergedAgain } from '../fleet/units.ts';
import type { Project } from '../project/project.ts';
import { unmatchedFiles } from '../project/unmatched-files.ts';
import {
  type ClaimedFacts,
  FactFinder,
  type Found,
  nameManifest,
  type ResolvedFacts,
  type ResolvedResource,
} from './facts.ts';
import { sharedTargets } from './identity/shared-environments.ts';
import { environmentNode } from './identity/target.ts';
import { ManifestValues } from './manifest-values.ts';
import type { ManifestIdentity, Resolution, ResolveContext, ResolveOptions } from './resolution.ts';
import { resolveManifest } from './resolve-manifest.ts';
import { duplicateIdentities } from './uniqueness.ts';
import { unmatchedChoices, unusedColumns, unusedProcessVariables } from './unused.ts';
import type { Scope } from './values/scope.ts';

/**
 * Resolves the manifests of a project in one environment: gathers them, finds the facts of each, and checks the facts
 * of all.
 *
 * All files are checked as written; variables, secrets, targets and resolved values are checked for the selected
 * resources. All problems are reported together.
 */
export async function resolveProject(project: Project, options: ResolveOptions): Promise<Resolution> {
  const finder = new FactFinder({ project, environment: environmentNode(project, options.environment), options });
  try {
    return await resolutionWith(finder, project, options);
  } finally {
    // A cancelled run keeps what it made, so that the next one continues there.
    finder.settle();
  }
}

async function resolutionWith(finder: FactFinder, project: Project, options: ResolveOptions): Promise<Resolution> {
  const { select = () => true, signal } = options;
  const gathered = await gatherManifests(project, options.environment, finder, signal);
  const context = finder.context(options.secrets, gathered.index);
  const isSelected = (one: ManifestIdentity) => select(addressOf(one), one.labels);
  const found = await factsOfAll(gathered, { finder, context, isSelected, signal });
  const elsewhere: ClaimedFacts[] = [];
  for (const one of gathered.elsewhere) elsewhere.push(await finder.elsewhere(one));
  const problems: Problem[] = [
    ...applyLevels(problemsOfAll({ project, options, context, gathered, found, elsewhere }), project.lint),
    ...gathered.problems,
    ...found.flatMap(({ here, resolved }) => [...here.labelProblems, ...(resolved?.problems ?? [])]),
  ];
  await finder.keep();
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
    ...valuesOf(named, { project, options, context }),
  };
}

interface AllFacts {
  readonly project: Project;
  readonly options: ResolveOptions;
  readonly context: ResolveContext;
  readonly gathered: Gathered;
  readonly found: readonly Found[];
  readonly elsewhere: readonly ClaimedFacts[];
}

/** Problems that only the facts of all manifests together show. */
function problemsOfAll({ project, options, context, gathered, found, elsewhere }: AllFacts): Problem[] {
  const { env, edited } = options;
  const environment = context.environment.name;
  const claimants = [...found, ...elsewhere];
  return [
    ...project.problems,
    ...duplicateIdentities(found),
    ...sharedTargets(claimants, { project, env, environment }),
    ...unusedProcessVariables({ project, env, found, elsewhere }),
    ...unmatchedChoices(gathered, {
      agents: found.map(({ here }) => here.identity),
      environment,
      isRequired: project.testsRequired.has(environment),
    }),
    // An unreadable base may extend other files, and a check of one edited file does not read all files.
    ...(hasErrors(gathered.problems) || edited !== undefined ? [] : unmatchedFiles(project, gathered)),
    ...unusedColumns(found),
  ];
}

/** The values of one manifest at a time, made on request. */
function valuesOf(
  named: ReadonlyMap<string, Found>,
  { project, options: { env }, context }: Pick<AllFacts, 'project' | 'options' | 'context'>,
): ManifestValues {
  return new ManifestValues({
    ...{ project, env, context },
    selectedAt: (address) => named.get(address)?.resolved?.selected,
    namedAt(address) {
      const one = named.get(address);
      if (one?.resolved === undefined) return undefined;
      return nameManifest(mergedAgain(one, context.environment.name, context.reader), context);
    },
  });
}

interface FactsInput {
  readonly finder: FactFinder;
  readonly context: ResolveContext;
  readonly isSelected: (one: ManifestIdentity) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** The facts of each manifest, in turns, so that the run stays interruptible. */
async function factsOfAll(
  { manifests, index }: Gathered,
  { finder, context, isSelected, signal }: FactsInput,
): Promise<Found[]> {
  const found: Found[] = [];
  let before = 0;
  for (const one of manifests) {
    const wanted = { isSelected, before };
    const facts = finder.here(one, index, wanted);
    const isKnown = !(facts instanceof Promise);
    const { head, variables, here, claims, resolved, isSelected: isWanted } = isKnown ? facts : await facts;
    const inserted = before;
    before += here.characters;
    const now = isWanted && resolved !== undefined ? resolvedNow(one, resolved, context, inserted) : undefined;
    const resource = now instanceof Promise ? await now : now;
    const { unit } = one;
    const work = resolved && { values: resolved.values, variant: resolved.variant };
    found.push({ unit, head, variables, here, claims, isSelected: isWanted, resolved: resource, work });
    if (found.length % (isKnown ? 1000 : 20) !== 0) continue;
    await turn();
    signal?.throwIfAborted();
  }
  return found;
}

/**
 * Facts only know secrets by their form. With secret values, facts are still valid if the only secret is a usable
 * token. Other manifests are resolved again.
 */
function resolvedNow(
  one: GatheredUnit,
  facts: ResolvedFacts,
  context: ResolveContext,
  inserted: number,
): ResolvedResource | Promise<ResolvedResource> {
  const { scope } = context;
  for (const name of facts.secrets) scope.secret(name);
  const { selected, problems, declared } = facts;
  if (context.secrets === 'values' && !facts.secrets.every((name) => isGoodToken(name, selected?.target, scope))) {
    return resolvedAgain(one, context, inserted);
  }
  return { problems, declared, selected: selected && { ...selected, target: withToken(selected.target, scope) } };
}

/** The limit of characters also counts the manifests before it, although most of them are not resolved again. */
async function resolvedAgain(one: GatheredUnit, context: ResolveContext, inserted: number): Promise<ResolvedResource> {
  const manifest = mergedAgain(one, context.environment.name, context.reader);
  const { scope } = context;
  const { characters } = scope;
  scope.addCharacters(inserted - characters);
  const resolved = await resolveManifest(nameManifest(manifest, context), context);
  scope.addCharacters(characters - scope.characters);
  return resolved;
}

type TargetFacts = NonNullable<ResolvedFacts['selected']>['target'];

function isGoodToken(name: string, target: TargetFacts | undefined, scope: Scope): boolean {
  const secret = scope.secret(name);
  if (target?.tokenName !== name || secret === undefined || secret === 'unknown') return false;
  return isLongEnough(secret) && asToken(secret) === secret;
}

function withToken({ sensitiveQuery, ...target }: TargetFacts, scope: Scope): Target {
  const { tokenName } = target;
  const known = tokenName === undefined ? undefined : scope.secret(tokenName);
  const unknown = tokenName === undefined ? emulatorToken : new Secret(secretReference(tokenName));
  return {
    ...target,
    token: known === undefined || known === 'unknown' ? unknown : known,
    sensitiveQuery: new Set(sensitiveQuery),
  };
}
