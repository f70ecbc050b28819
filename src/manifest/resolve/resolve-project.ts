import { setImmediate as turn } from 'node:timers/promises';
import { addressOf } from '../../kinds/desired.ts';
import { organization as organizationKind } from '../../kinds/organization.ts';
import { PromptChecks } from '../../prompts/prompt-checks.ts';
import { applyLevels, hasErrors, type Problem, shownProblems } from '../../yaml/problem.ts';
import { type Gathered, gatherManifests } from '../fleet/gather-manifests.ts';
import type { Project } from '../project/project.ts';
import { unmatchedFiles } from '../project/unmatched-files.ts';
import { resolveReferences } from './identity/references.ts';
import { SharedEnvironments } from './identity/shared-environments.ts';
import { type EnvironmentNode, environmentNode, Targets } from './identity/target.ts';
import type { ManifestIdentity, Resolution, ResolveContext, ResolveOptions } from './resolution.ts';
import { queriesOf } from './resolution-queries.ts';
import { identify, type NamedManifest, type ResolvedManifest, resolveManifest } from './resolve-manifest.ts';
import { SharedWork } from './shared-work.ts';
import { duplicateIdentities, type UniqueClaim, uniqueClaim } from './uniqueness.ts';
import { unmatchedChoices, unusedColumns, unusedProcessVariables } from './unused.ts';
import { resolveLabels } from './values/labels.ts';
import { Scope } from './values/scope.ts';

/**
 * The resolved manifests of a project in one environment: gathers the manifests, finds the facts of each, and checks the
 * facts of all.
 *
 * All files are checked as written; variables, secrets, targets and resolved values are checked for the selected
 * resources. All problems are reported together.
 */
export async function resolveProject(project: Project, options: ResolveOptions): Promise<Resolution> {
  const environment = environmentNode(project, options.environment);
  const { env } = options;
  const context = contextOf({ project, options, environment });
  // Unselected manifests may have secrets that are not needed now.
  const byForm = contextOf({ project, options: { ...options, secrets: 'form' }, environment });
  const { scope, shared } = context;
  const gathered = await gatherManifests(project, { environment: environment.name, chains: shared.chains });
  const found = await factsOfAll(gathered, { context, byForm, options });
  const claims = shared.isOfMany ? shared.claims : new Map();
  const between = new SharedEnvironments({ project, env, environment, targets: context.targets, claims });
  for (const { manifest, resolved } of found) between.look(manifest, resolved !== undefined);
  for (const manifest of gathered.elsewhere) between.look(manifest, false);
  const identities = found.map(({ identity }) => identity);
  const ofAll = [
    ...project.problems,
    ...duplicateIdentities(found.flatMap(({ unique }) => unique ?? [])),
    ...between.problems(),
    ...unusedProcessVariables({ project, env, scope, gathered, named: found }),
    ...unmatchedChoices(gathered, {
      agents: identities,
      environment: environment.name,
      isRequired: project.testsRequired.has(environment.name),
    }),
    // An unreadable base may extend others.
    ...(hasErrors(gathered.problems) ? [] : unmatchedFiles(project, gathered)),
    ...unusedColumns({ named: found, scope, environment: environment.name }),
  ];
  const problems: Problem[] = [
    ...applyLevels(ofAll, project.lint),
    ...gathered.problems,
    ...found.flatMap(({ labels, resolved }) => [...labels.problems, ...(resolved?.problems ?? [])]),
  ];
  const named = new Map(
    found.flatMap((one) =>
      one.resolved === undefined ? [] : [[addressOf(one.manifest), { ...one, ...one.resolved }] as const],
    ),
  );
  return {
    selected: found.flatMap(({ resolved }) => resolved?.selected ?? []),
    all: identities,
    elsewhere: gathered.elsewhere.map(({ kind, name, onlyIn = [] }) => ({ kind, name, onlyIn })),
    problems: shownProblems(problems),
    secrets: [...scope.secrets.values()],
    secretNames: scope.secretsAsked,
    policies: gathered.policies,
    tests: gathered.tests,
    declaredOf: (address) => named.get(address)?.declared,
    ...queriesOf({ project, env, context, named, promptChecks: () => promptChecks(project, 'all') }),
  };
}

/** What is known of a manifest of the environment. */
interface Facts extends NamedManifest {
  readonly identity: ManifestIdentity;
  /** What only one manifest may have. */
  readonly unique: UniqueClaim | undefined;
  /** Absent for a manifest that is not selected. */
  readonly resolved: ResolvedManifest | undefined;
}

interface FactsInput {
  readonly context: ResolveContext;
  readonly byForm: ResolveContext;
  readonly options: ResolveOptions;
}

/** The facts of each manifest, each in a turn of its own, so that a run stays interruptible. */
async function factsOfAll(gathered: Gathered, { context, byForm, options }: FactsInput): Promise<Facts[]> {
  const { select = () => true } = options;
  const { index } = gathered;
  const found: Facts[] = [];
  for (const manifest of gathered.manifests) {
    const references = resolveReferences(manifest, { ...context, index });
    const organization =
      references.organization && index.find(organizationKind.name, String(references.organization.value));
    const labels = resolveLabels(manifest, context);
    const named = { manifest, references, organization, labels };
    const isSelected = select(addressOf(manifest), labels.labels);
    const resolved = isSelected ? await resolveManifest(named, context) : undefined;
    const identity = identify(named, (isSelected ? context : byForm).targets);
    const unique = uniqueClaim({ manifest, identity, isSelected }, byForm);
    found.push({ ...named, identity, unique, resolved });
    if (isSelected || found.length % 100 === 0) await turn();
  }
  return found;
}

interface ContextInput {
  readonly project: Project;
  readonly options: ResolveOptions;
  readonly environment: EnvironmentNode;
}

function contextOf({ project, options, environment }: ContextInput): ResolveContext {
  const { env, secrets, allowedSecrets, shared = new SharedWork({ isOfMany: false }) } = options;
  const scope = new Scope({ environment, env, secrets, allowedSecrets });
  const { files, checks, lint, service } = project;
  shared.prompts ??= promptChecks(project, options.prompts ?? 'errors');
  const { prompts } = shared;
  const targets = new Targets({ environment, scope, files });
  const { resellerId: resellerParameter } = service.parameters;
  return { environment, scope, targets, files, checks, lint, prompts, resellerParameter, shared };
}

function promptChecks({ lint, lintMaxima: maxima, baseTexts: base }: Project, wanted: 'all' | 'errors'): PromptChecks {
  return new PromptChecks({ lint, maxima, base, wanted });
}
