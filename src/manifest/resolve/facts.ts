import { canonicalJson, isJsonObject } from '../../json/json.ts';
import { organization as organizationKind } from '../../kinds/definitions/organization.ts';
import type { Target } from '../../kinds/desired.ts';
import { KnownTexts, PromptChecks, type WantedPromptChecks } from '../../prompts/prompt-checks.ts';
import { isPromptRule } from '../../prompts/prompt-text.ts';
import type { AllowedSecrets } from '../../secrets/secret.ts';
import type { Problem } from '../../yaml/problem.ts';
import type { Heads } from '../fleet/gather-manifests.ts';
import type { ManifestIndex } from '../fleet/manifest-index.ts';
import {
  type DeclaredManifest,
  type GatheredUnit,
  type Head,
  type MergedManifest,
  mergedFor,
  readHead,
  type Unit,
} from '../fleet/units.ts';
import type { Reader } from '../project/layers.ts';
import type { Project } from '../project/project.ts';
import { type ProjectFiles, pathOfInput } from '../project/project-files.ts';
import { digestOf, type FactStore, type Input, Trace, type Traced } from '../project/trace.ts';
import { type VariableUse, variableUse } from '../project/variables.ts';
import { resolveReferences } from './identity/references.ts';
import { type TargetClaim, targetClaims } from './identity/shared-environments.ts';
import { type EnvironmentNode, Targets } from './identity/target.ts';
import type { Declared, ManifestIdentity, ResolveContext, ResolveOptions, Selected } from './resolution.ts';
import { identify, type NamedManifest, resolveLabels, resolveManifest } from './resolve-manifest.ts';
import { type UniqueClaim, uniqueClaim } from './uniqueness.ts';
import { answerOfVariable, answerOfVariables, Scope } from './values/scope.ts';
import { mostCharacters } from './values/value-resolver.ts';

/**
 * Everything that other code may need to know about a manifest, except its values: plain JSON, made only from its
 * inputs.
 */
export interface Facts {
  readonly head: Head;
  readonly variables: VariableUse;
  /** Absent if the environment does not have it. */
  readonly here?: FactsHere;
}

/** Facts in the environment. */
export interface FactsHere {
  readonly identity: ManifestIdentity;
  readonly labelProblems: readonly Problem[];
  readonly unique?: UniqueClaim;
  /** The columns and other variables that it uses. */
  readonly asked: { readonly columns: readonly string[]; readonly others: readonly string[] };
  /** The number of inserted characters. */
  readonly characters: number;
  /** The result of resolving it, with secrets known only by their form; absent if it was not selected. */
  readonly resolved?: ResolvedFacts;
}

export interface ResolvedFacts {
  /** The prompt checks that were made. */
  readonly prompts: WantedPromptChecks;
  readonly problems: readonly Problem[];
  readonly declared: Declared;
  /** Absent if there are errors. */
  readonly selected?: SelectedFacts;
  /** Names of the secrets that it uses. */
  readonly secrets: readonly string[];
  /** The number of values; equal contents of several environments have one variant. */
  readonly values: number;
  readonly variant: string;
}

/** A selected resource without its token. */
interface SelectedFacts extends Omit<Selected, 'target'> {
  readonly target: Omit<Target, 'token' | 'sensitiveQuery'> & { readonly sensitiveQuery: readonly string[] };
}

/** Facts with the unit's targets in every environment, which are kept once for all environments. */
export interface ClaimedFacts extends Facts {
  readonly claims: readonly TargetClaim[];
}

type HereFacts = ClaimedFacts & { readonly here: FactsHere };

/** Everything known about a manifest of the environment. */
export interface Found extends ClaimedFacts, GatheredUnit {
  readonly here: FactsHere;
  readonly isSelected: boolean;
  /** The result of resolving it in this run; absent if it is not selected. */
  readonly resolved: ResolvedResource | undefined;
}

export interface ResolvedResource {
  readonly problems: readonly Problem[];
  readonly declared: Declared;
  readonly selected: Selected | undefined;
}

/** Facts while they are made. Further queries are noted. */
interface Draft {
  readonly trace: Trace;
  readonly manifest: DeclaredManifest;
  readonly head: Head;
}

/** Targets in every environment, with their trace if they are new. */
interface Claimed {
  readonly claims: readonly TargetClaim[];
  readonly trace?: Trace;
}

interface Keeping {
  readonly facts: Facts;
  /** Absent if the facts were known. */
  readonly trace?: Trace | undefined;
  readonly claimed: Claimed;
}

/** Facts of an earlier run whose inputs, apart from other units, are unchanged. */
interface Known {
  /** The inputs that are other units. */
  readonly units: readonly Input[];
  readonly facts: Facts;
}

interface FactsOfInputs {
  readonly inputs: readonly Input[];
  readonly facts: Facts;
}

/** The units to check for an answer about one edited file: more of them if the file had problems. */
const mostChosen = { first: 3, withProblems: 8 } as const;

interface FinderInput {
  readonly project: Project;
  readonly environment: EnvironmentNode;
  readonly options: ResolveOptions;
}

/**
 * Finds the facts of units in an environment. It reuses facts of an earlier run if all inputs are unchanged. Otherwise
 * the functions of this folder make them, with a reader that notes their queries.
 */
export class FactFinder implements Heads {
  readonly reader: Reader;
  readonly #input: FinderInput;
  readonly #basis: string;
  readonly #prompts: PromptChecks;
  readonly #store: FactStore;
  readonly #claims: FactStore;
  readonly #known = new Map<string, Known>();
  readonly #drafts = new Map<string, Draft>();
  /** The keys of all units. */
  readonly #units = new Set<string>();
  /** The units that are checked in a run for one edited file. */
  readonly #chosen = new Set<string>();
  /** Answers of this run, by question. */
  readonly #answers = new Map<string, string>();

  constructor(input: FinderInput) {
    const { project, options } = input;
    this.#input = input;
    this.#basis = basisOf(project, options);
    this.#prompts = promptChecksOf(project, options.prompts ?? 'errors');
    this.#store = factStoreOf(project, input.environment.name, options.allowedSecrets);
    this.#claims = factStoreOf(project, undefined, options.allowedSecrets);
    this.reader = readerOf(project, project.files);
  }

  known(unit: Unit): Head | undefined {
    const stored = this.#store.get(unit.key);
    if (stored === undefined || !isFacts(stored.value)) return undefined;
    const { edited } = this.#input.options;
    const { value, inputs } = stored;
    if (edited !== undefined && !this.#isChosen(unit, { inputs, facts: value }, edited)) {
      const facts = withoutProblemsAt(edited, value);
      this.#known.set(unit.key, { units: [], facts });
      return facts.head;
    }
    if (!this.#holds(stored, unit)) return undefined;
    this.#units.add(unit.key);
    this.#known.set(unit.key, { units: inputs.filter(isOfUnits), facts: value });
    return value.head;
  }

  /** Whether a unit is checked in a run for one edited file: the first few that use it, and some with problems in it. */
  #isChosen({ key }: Unit, { inputs, facts }: FactsOfInputs, edited: string): boolean {
    const isEdited = ([kind, name]: Input) => kind === 'text' && name.endsWith(edited) && pathOfInput(name) === edited;
    if (!inputs.some(isEdited)) return false;
    const hasProblems = problemsIn(facts).some(({ at }) => at?.file === edited);
    const count = this.#chosen.size;
    if (count >= (hasProblems ? mostChosen.withProblems : mostChosen.first)) return false;
    this.#chosen.add(key);
    return true;
  }

  /** Whether a unit is checked in this run. */
  isChecked({ key }: Unit): boolean {
    return this.#input.options.edited === undefined || this.#chosen.has(key) || !this.#known.has(key);
  }

  /** Whether every input, apart from other units, is unchanged. Its files are then not read. */
  #holds({ inputs }: Traced, unit: Unit): boolean {
    if (!inputs.every((input) => isOfUnits(input) || this.#answer(input, unit) === input[2])) return false;
    for (const [kind, name, found] of inputs) {
      if (kind === 'text') this.#input.project.files.spare(pathOfInput(name), found);
    }
    return true;
  }

  async made(unit: Unit): Promise<Head | undefined> {
    const draft = await this.#draftOf(unit);
    if (draft === undefined) return undefined;
    this.#units.add(unit.key);
    this.#drafts.set(unit.key, draft);
    return draft.head;
  }

  /** Facts of a unit that the environment does not have. */
  async elsewhere(unit: Unit): Promise<ClaimedFacts> {
    const claimed = await this.#claimsOf(unit);
    const known = this.#known.get(unit.key)?.facts;
    const draft = this.#drafts.get(unit.key);
    const facts = known ?? (draft === undefined ? notGathered(unit) : this.#factsOf(draft));
    this.#keep(unit, { facts, trace: draft?.trace, claimed });
    return { ...facts, claims: claimed.claims };
  }

  /**
   * Facts of a unit of the environment. `before` is the number of characters that other units inserted, which has a
   * limit.
   */
  async here(unit: Unit, index: ManifestIndex, wanted: Wanted): Promise<HereFacts> {
    const claimed = await this.#claimsOf(unit);
    const { claims } = claimed;
    const known = this.#known.get(unit.key)?.facts;
    const knownHere = this.#knownHere(unit, index, wanted);
    if (known !== undefined && knownHere !== undefined) {
      this.#keep(unit, { facts: known, claimed });
      return { ...known, here: knownHere, claims };
    }
    const draft = this.#drafts.get(unit.key) ?? (await this.#draftOf(unit));
    this.#drafts.delete(unit.key);
    if (draft === undefined) return notGathered(unit);
    const facts = { ...this.#factsOf(draft), here: await this.#hereOf(draft, index, wanted) };
    if (wanted.before + facts.here.characters <= mostCharacters.all)
      this.#keep(unit, { facts, trace: draft.trace, claimed });
    return { ...facts, claims };
  }

  /** The same without a turn, if all facts of the unit are known, as for most of a large project. */
  hereAtOnce(unit: Unit, index: ManifestIndex, wanted: Wanted): HereFacts | undefined {
    const known = this.#known.get(unit.key)?.facts;
    const here = this.#knownHere(unit, index, wanted);
    const claims = here && this.#knownClaims(unit);
    if (known === undefined || here === undefined || claims === undefined) return undefined;
    return { head: known.head, variables: known.variables, here, claims };
  }

  #knownHere(unit: Unit, index: ManifestIndex, wanted: Wanted): FactsHere | undefined {
    const known = this.#known.get(unit.key);
    const here = known?.facts.here;
    if (known === undefined || here === undefined || !this.isChecked(unit)) return here;
    if (wanted.before + here.characters > mostCharacters.all || !areStill(known.units, index)) return undefined;
    const resolved = this.#withWantedChecks(here.resolved);
    if (resolved === undefined && wanted.isSelected(here.identity)) return undefined;
    return resolved === undefined || resolved === here.resolved ? here : { ...here, resolved };
  }

  /** Facts with all prompt checks contain the errors, too. Undefined if checks are missing. */
  #withWantedChecks(resolved: ResolvedFacts | undefined): ResolvedFacts | undefined {
    const { wanted } = this.#prompts;
    if (resolved === undefined || resolved.prompts === wanted) return resolved;
    if (wanted === 'all') return undefined;
    const isWanted = ({ rule, severity }: Problem) => severity === 'error' || !isPromptRule(rule);
    return { ...resolved, problems: resolved.problems.filter(isWanted) };
  }

  /** The context for resolving a manifest; a trace notes every query. */
  context(secrets: ResolveOptions['secrets'], index: ManifestIndex, trace?: Trace): ResolveContext {
    const { project, environment, options } = this.#input;
    const files = trace === undefined ? project.files : project.files.noting(trace);
    const scope = new Scope({
      ...{ environment, env: options.env, secrets, trace },
      allowedSecrets: options.allowedSecrets,
    });
    return {
      ...{ environment, scope, files, project, trace, secrets },
      targets: new Targets({ environment, scope, files }),
      reader: readerOf(project, files, trace),
      index: trace === undefined ? index : index.noting(trace),
      checks: project.checks,
      lint: project.lint,
      prompts: this.#prompts,
      basis: this.#basis,
      resellerParameter: project.service.parameters.resellerId,
    };
  }

  async #draftOf(unit: Unit): Promise<Draft | undefined> {
    const { project } = this.#input;
    const trace = new Trace();
    trace.note('basis', '', this.#basis);
    trace.include(unit.inputs);
    const files = project.files.noting(trace);
    const found = await readHead(unit, readerOf(project, files, trace));
    if (found === undefined) return undefined;
    return { trace, ...found };
  }

  #factsOf({ manifest, head }: Draft): Facts {
    return { head, variables: variableUse(manifest.chain, this.#input.environment.name) };
  }

  /** Found once for all environments: the work would grow with the square of their number. */
  async #claimsOf(unit: Unit): Promise<Claimed> {
    const known = this.#knownClaims(unit);
    if (known !== undefined) return { claims: known };
    const draft = this.#drafts.get(unit.key) ?? (await this.#draftOf(unit));
    if (draft === undefined) return notGathered(unit);
    const { project, options } = this.#input;
    const trace = new Trace();
    // So far only its files were read.
    trace.include(draft.trace.inputs);
    const files = project.files.noting(trace);
    return { claims: targetClaims(draft.manifest, { project, env: options.env, files, trace }), trace };
  }

  #knownClaims(unit: Unit): readonly TargetClaim[] | undefined {
    // A single environment shares no targets.
    if (this.#input.project.environments.length < 2) return [];
    const { value, inputs } = this.#claims.get(unit.key) ?? { value: undefined, inputs: [] };
    if (!this.isChecked(unit)) return areClaims(value) ? value : [];
    return areClaims(value) && this.#holds({ value, inputs }, unit) ? value : undefined;
  }

  async #hereOf({ manifest: declared, trace }: Draft, index: ManifestIndex, wanted: Wanted): Promise<FactsHere> {
    const context = this.context('form', index, trace);
    const manifest = mergedFor(declared, context.environment.name);
    const scope = context.scope.of(manifest);
    scope.addCharacters(wanted.before);
    const named = nameManifest(manifest, context);
    const identity = identify(named, context.targets);
    const resolved = wanted.isSelected(identity) ? await resolvedFacts(named, context) : undefined;
    const unique = uniqueClaim(manifest, identity, context);
    const columns = manifest.row?.table.columns;
    const asked = [...new Set([...scope.variablesAsked, ...context.scope.variablesAsked])];
    return {
      ...{ identity, labelProblems: named.labels.problems, characters: scope.characters - wanted.before },
      ...(unique !== undefined && { unique }),
      asked: {
        columns: asked.filter((name) => columns?.has(name)),
        others: asked.filter((name) => !columns?.has(name)),
      },
      ...(resolved !== undefined && { resolved }),
    };
  }

  /**
   * Keeps new results, except those of texts with a possible credential: each run must check these again to hide it.
   */
  #keep(unit: Unit, { facts, trace, claimed }: Keeping): void {
    // It may come from a cell of a table, or from a variable.
    if (facts.here?.resolved?.problems.some(({ hideSource }) => hideSource)) return;
    if (trace !== undefined) this.#put(this.#store, unit, trace, facts);
    if (claimed.trace !== undefined) this.#put(this.#claims, unit, claimed.trace, claimed.claims);
  }

  #put(store: FactStore, unit: Unit, { inputs }: Trace, value: unknown): void {
    const { files } = this.#input.project;
    const isHiding = inputs.some(([kind, name]) => kind === 'text' && files.source(pathOfInput(name))?.hasHidden);
    if (!isHiding) store.put(unit.key, { inputs, value });
  }

  /** Keeps the facts for the next run, after a run that used all of them. */
  async keep(): Promise<void> {
    if (this.#input.options.edited !== undefined) return;
    const { files } = this.#input.project;
    await this.#store.keep(() => files.known, this.#units);
    await this.#claims.keep(() => files.known, this.#units);
  }

  #answer([kind, name]: Input, { row }: Unit): string {
    if (kind === 'row') return (name === 'table' ? row?.table.digest() : row?.digest()) ?? '';
    const question = `${kind} ${name}`;
    const known = this.#answers.get(question) ?? this.#answerOf(kind, name);
    this.#answers.set(question, known);
    return known;
  }

  #answerOf(kind: Input[0], name: string): string {
    const { project, options } = this.#input;
    if (kind === 'basis') return this.#basis;
    if (kind === 'text') return project.files.answerOf(name, this.#store);
    if (kind === 'exists') return String(project.files.has(name));
    if (kind === 'manifest') return String(this.reader.isManifest(name));
    return kind === 'variable' ? answerOfVariable(options.env, name) : answerOfVariables(options.env);
  }
}

/** The facts of a project in one environment, or about all. Runs under different rules have separate facts. */
export function factStoreOf(
  { facts, baseTexts }: Project,
  environment: string | undefined,
  allowed?: AllowedSecrets,
): FactStore {
  return facts(JSON.stringify([environment ?? null, allowedBy(allowed), baseTexts !== undefined]));
}

function allowedBy(allowed: AllowedSecrets | undefined) {
  return allowed === undefined ? null : [[...allowed.names].sort(), allowed.from];
}

export interface Wanted {
  readonly isSelected: (identity: ManifestIdentity) => boolean;
  readonly before: number;
}

function notGathered({ key }: Unit): never {
  throw new Error(`${key} was not gathered`);
}

function areStill(inputs: readonly Input[], index: ManifestIndex): boolean {
  return inputs.every((input) => {
    const [kind, name, found] = input;
    return (kind !== 'unit' && kind !== 'units') || index.answerOf(kind, name) === found;
  });
}

function isOfUnits([kind]: Input): boolean {
  return kind === 'unit' || kind === 'units';
}

/** Only the same build of the program wrote it, because the name of the cache contains the build. */
function isFacts(value: Traced['value']): value is Facts {
  return isJsonObject(value) && 'head' in value;
}

/** Facts for a run in which the problems of one file are found anew. */
function withoutProblemsAt(file: string, facts: Facts): Facts {
  const isElsewhere = ({ at }: Problem) => at?.file !== file;
  const { head, here } = facts;
  if (problemsIn(facts).every(isElsewhere)) return facts;
  return {
    ...facts,
    head: {
      ...head,
      problems: head.problems.filter(isElsewhere),
      ofOverrides: head.ofOverrides.filter(isElsewhere),
    },
    ...(here !== undefined && { here: { ...here, labelProblems: here.labelProblems.filter(isElsewhere) } }),
  };
}

function problemsIn({ head, here }: Facts): readonly Problem[] {
  return [...head.problems, ...head.ofOverrides, ...(here?.labelProblems ?? []), ...(here?.resolved?.problems ?? [])];
}

/** As above. */
function areClaims(value: Traced['value']): value is readonly TargetClaim[] {
  return Array.isArray(value);
}

/**
 * A digest of everything that a run decides for every manifest: agentform.yaml, its rules, and the secrets it may use.
 */
function basisOf(project: Project, { allowedSecrets }: ResolveOptions): string {
  const { files, file, lint, lintMaxima, baseTexts } = project;
  const allowed = allowedBy(allowedSecrets);
  return digestOf(JSON.stringify([files.source(file)?.text, lint, lintMaxima, baseTexts?.digest, allowed]));
}

function readerOf({ parsed, manifests }: Project, files: ProjectFiles, trace?: Trace): Reader {
  const known = manifestSets.get(manifests) ?? new Set(manifests);
  manifestSets.set(manifests, known);
  const isManifest = (path: string): boolean => {
    trace?.note('manifest', path, String(known.has(path)));
    return known.has(path);
  };
  return { files, parsed, isManifest };
}

const manifestSets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** A text that several manifests or environments have is checked once. */
function promptChecksOf(project: Project, wanted: WantedPromptChecks): PromptChecks {
  const known = promptChecksOfProjects[wanted];
  const { lint, lintMaxima: maxima, baseTexts } = project;
  const texts = baseTexts === undefined ? knownTextsOf(project, wanted) : undefined;
  const found = known.get(project) ?? new PromptChecks({ lint, maxima, baseTexts, wanted }, texts);
  known.set(project, found);
  return found;
}

const promptChecksOfProjects = {
  all: new WeakMap<Project, PromptChecks>(),
  errors: new WeakMap<Project, PromptChecks>(),
};

/** Analyses of texts that later checks of a project reuse, by the levels of the rules. */
const knownTexts = new WeakMap<Project['checks'], Map<string, KnownTexts>>();

function knownTextsOf({ checks, lint, lintMaxima }: Project, wanted: WantedPromptChecks): KnownTexts {
  const byLevels = knownTexts.get(checks) ?? new Map<string, KnownTexts>();
  knownTexts.set(checks, byLevels);
  const levels = JSON.stringify([lint, lintMaxima, wanted]);
  const known = byLevels.get(levels) ?? new KnownTexts();
  // Repeated edits of the levels must not fill the memory.
  if (!byLevels.has(levels) && byLevels.size > 3) byLevels.clear();
  byLevels.set(levels, known);
  return known;
}

export function allPromptChecks(project: Project): PromptChecks {
  return promptChecksOf(project, 'all');
}

export function nameManifest(manifest: MergedManifest, context: ResolveContext): NamedManifest {
  const references = resolveReferences(manifest, context);
  const { organization: name } = references;
  const organization = name && context.index.find(organizationKind.name, String(name.value))?.head;
  return { manifest, references, organization, labels: resolveLabels(manifest, context) };
}

async function resolvedFacts(named: NamedManifest, context: ResolveContext): Promise<ResolvedFacts> {
  const { problems, declared, selected } = await resolveManifest(named, context);
  const { manifest } = named;
  const scope = context.scope.of(manifest);
  const values = [...scope.variablesAsked].map((name) => [name, scope.variable(name)?.text ?? null]);
  return {
    ...{
      prompts: context.prompts.wanted,
      problems,
      declared,
      values: manifest.values,
      secrets: [...scope.secretsAsked],
    },
    variant: digestOf(canonicalJson([manifest.overlaidFor ?? null, values])),
    ...(selected !== undefined && { selected: withoutToken(selected) }),
  };
}

function withoutToken({ target, ...selected }: Selected): SelectedFacts {
  const { token: _, sensitiveQuery, ...rest } = target;
  return { ...selected, target: { ...rest, sensitiveQuery: [...sensitiveQuery] } };
}
