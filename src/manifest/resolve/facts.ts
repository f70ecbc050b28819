import { canonicalJson, isJsonObject } from '../../json/json.ts';
import { organization as organizationKind } from '../../kinds/definitions/organization.ts';
import type { Target } from '../../kinds/desired.ts';
import { KnownTexts, PromptChecks, type WantedPromptChecks } from '../../prompts/prompt-checks.ts';
import { isPromptRule } from '../../prompts/prompt-text.ts';
import type { Problem } from '../../yaml/problem.ts';
import { expandFleet, type FleetEnvironment, type FleetFacts, type FleetMember } from '../fleet/fleet.ts';
import type { Heads, UnchangedFile } from '../fleet/gather-manifests.ts';
import type { ManifestIndex } from '../fleet/manifest-index.ts';
import {
  type DeclaredManifest,
  type FactsEntry,
  fileUnit,
  type GatheredUnit,
  MemberUnit,
  type MergedManifest,
  memberKey,
  readHead,
  type Unit,
  type UnitHead,
} from '../fleet/units.ts';
import { mergedSections, type Reader } from '../project/layers.ts';
import type { Project } from '../project/project.ts';
import { pathOfInput } from '../project/project-files.ts';
import { digestOf, type FactStore, type FileFacts, type Input, Trace } from '../project/trace.ts';
import { type VariableUse, variableUse } from '../project/variables.ts';
import { resolveReferences } from './identity/references.ts';
import { type TargetClaim, targetClaims } from './identity/shared-environments.ts';
import { type EnvironmentNode, Targets } from './identity/target.ts';
import { type AnswerInput, KnownResults } from './known-results.ts';
import type { Declared, ManifestIdentity, ResolveContext, ResolveOptions, Selected } from './resolution.ts';
import { identify, type NamedManifest, resolveLabels, resolveManifest } from './resolve-manifest.ts';
import { type UniqueClaim, uniqueClaim } from './uniqueness.ts';
import { answerOfVariable, answerOfVariables, Scope } from './values/scope.ts';
import { maxCharacters } from './values/value-resolver.ts';

/**
 * Everything that others need to know about a manifest, except its values. Plain JSON that depends only on the inputs
 * in its trace.
 */
export interface Facts {
  readonly head: UnitHead;
  readonly variables: VariableUse;
  /** Facts in this environment. Absent if the resource is not in it. */
  readonly here?: FactsHere;
  /** The result of resolving the manifest with secrets by name. Absent if it was not selected. */
  readonly resolved?: ResolvedFacts;
}

/** The facts of a manifest in one environment. */
interface FactsHere {
  readonly identity: ManifestIdentity;
  readonly labelProblems: readonly Problem[];
  readonly unique?: UniqueClaim;
  /** Variables that were used: table columns, and others. */
  readonly asked: { readonly columns: readonly string[]; readonly others: readonly string[] };
  /** The number of characters that variables and files inserted. */
  readonly characters: number;
}

export interface ResolvedFacts {
  /** Which prompt checks were run. */
  readonly prompts: WantedPromptChecks;
  readonly problems: readonly Problem[];
  readonly declared: Declared;
  /** The resource. Absent if the manifest has errors. */
  readonly selected?: SelectedFacts;
  /** Names of the secrets that the resource uses. */
  readonly secrets: readonly string[];
  /** The number of values. Environments with equal values share a variant. */
  readonly values: number;
  readonly variant: string;
}

/** A selected resource without its target's token. */
interface SelectedFacts extends Omit<Selected, 'target'> {
  readonly target: Omit<Target, 'token' | 'sensitiveQuery'> & { readonly sensitiveQuery: readonly string[] };
}

/** The facts of a unit, with its targets in all environments. The targets are stored once for all environments. */
export interface ClaimedFacts extends Facts {
  readonly claims: readonly TargetClaim[];
}

type HereFacts = Facts & { readonly here: FactsHere; readonly isSelected: boolean };

/** Everything known about a manifest in this environment. */
export interface ManifestFacts extends Omit<ClaimedFacts, 'resolved'>, GatheredUnit {
  readonly here: FactsHere;
  readonly isSelected: boolean;
  /** The result of resolving the manifest in this run. Absent if it was not selected. */
  readonly resolved: ResolvedResource | undefined;
  readonly work: Pick<ResolvedFacts, 'values' | 'variant'> | undefined;
}

export interface ResolvedResource {
  readonly problems: readonly Problem[];
  readonly declared: Declared;
  readonly selected: Selected | undefined;
}

interface Draft {
  readonly trace: Trace;
  readonly manifest: DeclaredManifest;
  readonly head: UnitHead;
}

/**
 * How many units to check for a quick answer about one edited file: some of all, and more of those that had problems.
 */
const maxChosen = { first: 3, withProblems: 8 } as const;

interface FinderInput {
  readonly project: Project;
  readonly environment: EnvironmentNode;
  readonly options: ResolveOptions;
}

/**
 * Finds the facts of units in an environment. Reuses facts of an earlier run if all inputs are unchanged. Otherwise
 * makes them with a reader that notes every query.
 */
export class FactFinder implements Heads {
  readonly #input: FinderInput;
  readonly #basis: string;
  readonly #prompts: PromptChecks;
  readonly #facts: FactStore;
  readonly #claimed: FactStore;
  readonly #results: KnownResults;
  readonly #claims: KnownResults;
  readonly #drafts = new Map<Unit, Draft>();
  /** The units to check when one file was edited. */
  readonly #chosen = new Set<Unit>();
  /** Answers to queries in this run. */
  readonly #answers = new Map<string, string>();
  /** Whether all references to other units are unchanged, by file. */
  readonly #referring = new Map<FileFacts, boolean>();

  constructor(input: FinderInput) {
    const { project, options } = input;
    this.#input = input;
    const { files, file, lint, lintMaxima, baseTexts } = project;
    const { allowedSecrets: limit } = options;
    const allowed = limit && [[...limit.names].sort(), limit.from];
    // Settings of the run that the facts of all manifests depend on.
    const parts = [files.source(file)?.text, lint, lintMaxima, baseTexts?.digest, allowed];
    this.#basis = digestOf(JSON.stringify(parts));
    this.#prompts = promptChecksOf(project, options.prompts ?? 'errors');
    this.#facts = factStoreOf(project, input.environment.name, allowed);
    this.#claimed = factStoreOf(project, undefined, allowed);
    const answer: AnswerInput = (one, unit) => this.#answer(one, unit);
    this.#results = new KnownResults(this.#facts, answer);
    this.#claims = new KnownResults(this.#claimed, answer);
  }

  readerFor(trace?: Trace): Reader {
    const { files, parsed, manifests } = this.#input.project;
    trace?.note('basis', '', this.#basis);
    const known = manifestSets.get(manifests) ?? new Set(manifests);
    manifestSets.set(manifests, known);
    const isManifest = (path: string): boolean => {
      trace?.note('manifest', path, String(known.has(path)));
      return known.has(path);
    };
    return { files: trace === undefined ? files : files.noting(trace), parsed, isManifest };
  }

  knownFile(path: string, environment: FleetEnvironment): UnchangedFile | undefined {
    const file = this.#results.kept(path);
    const fleet = file?.own;
    if (file === undefined) return undefined;
    if (fleet === undefined) {
      const unit = fileUnit(path, environment.environment);
      const one = file.keys[0] === unit.key ? this.known(unit) : undefined;
      return one && { fleet: undefined, units: [one] };
    }
    const { edited } = this.#input.options;
    if (!isFleet(fleet) || fleet.count !== file.keys.length) return undefined;
    if (edited === undefined ? !this.#results.holds(path) : file.inputs.some(isTextOf(edited))) return undefined;
    this.#spare(file.inputs);
    let members: ReadonlyMap<string, FleetMember> | undefined;
    const memberOf = (key: string) => {
      members ??= this.#membersOf(path, environment);
      return members.get(key) ?? notGathered(key);
    };
    const units: GatheredUnit[] = [];
    for (const [index, key] of file.keys.entries()) {
      const one = this.#takenOver(new MemberUnit(path, key, memberOf), { file, index });
      if (one === undefined) return undefined;
      units.push(one);
    }
    return { fleet, units };
  }

  /** The members of a fleet with known facts. The fleet's files are only read if a member's values are needed. */
  #membersOf(path: string, environment: FleetEnvironment): ReadonlyMap<string, FleetMember> {
    const trace = new Trace();
    const reader = this.readerFor(trace);
    const file = reader.parsed.parse(path, reader.files);
    const { members } =
      file.other === undefined
        ? notGathered(path)
        : expandFleet(file, file.other.root, { ...environment, reader, trace });
    return new Map(members.map((member) => [memberKey(member), member]));
  }

  declared(path: string, { inputs }: Trace, fleet: FleetFacts): void {
    this.#results.putOwn(path, { inputs, value: fleet });
    if (this.#input.project.environments.length > 1) this.#claims.putOwn(path, { inputs, value: fleet });
  }

  known(unit: Unit): GatheredUnit | undefined {
    const { edited } = this.#input.options;
    this.#results.meet(unit);
    if (this.#input.project.environments.length > 1) this.#claims.meet(unit);
    if (edited !== undefined) {
      const entry = this.#results.entryOf(unit);
      return entry === undefined || this.#isChosen(unit, entry, edited) ? undefined : this.#takenOver(unit, entry);
    }
    const entry = this.#results.find(unit);
    if (entry === undefined) return undefined;
    this.#spare(entry.file.inputsOf(entry.index) ?? []);
    return this.#takenOver(unit, entry);
  }

  #takenOver(unit: Unit, entry: FactsEntry): GatheredUnit | undefined {
    const head = entry.file.partOf(entry.index, 'head');
    if (!isHead(head)) return undefined;
    const { edited } = this.#input.options;
    return { unit, entry, head: edited === undefined ? head : headWithout(head, edited) };
  }

  /**
   * Whether to check a unit after one file was edited. Includes the first few that use the file, and some that had
   * problems in it.
   */
  #isChosen(unit: Unit, { file, index }: FactsEntry, edited: string): boolean {
    if (!(file.inputsOf(index) ?? []).some(isTextOf(edited))) return false;
    const facts = file.resultOf(index);
    const hasProblems = isFacts(facts) && problemsIn(facts).some(({ at }) => at?.file === edited);
    const count = this.#chosen.size;
    if (count >= (hasProblems ? maxChosen.withProblems : maxChosen.first)) return false;
    this.#chosen.add(unit);
    return true;
  }

  /** Whether a unit is checked in this run. */
  #isChecked({ unit, entry }: GatheredUnit): boolean {
    return this.#input.options.edited === undefined || this.#chosen.has(unit) || entry === undefined;
  }

  /** Marks the unchanged files among these inputs as used, without reading them. */
  #spare(inputs: readonly Input[]): void {
    const { files } = this.#input.project;
    for (const [kind, name, found] of inputs) if (kind === 'text') files.spare(pathOfInput(name), found);
  }

  async made(unit: Unit): Promise<GatheredUnit | undefined> {
    const trace = new Trace();
    trace.include(unit.inputs());
    const found = await readHead(unit, this.readerFor(trace));
    if (found === undefined) return undefined;
    this.#drafts.set(unit, { trace, ...found });
    return { unit, head: found.head };
  }

  async #draftOf(unit: Unit): Promise<Draft> {
    if (!this.#drafts.has(unit)) await this.made(unit);
    return this.#drafts.get(unit) ?? notGathered(unit.file);
  }

  /** Facts of a unit that is not in this environment. */
  async elsewhere(one: GatheredUnit): Promise<ClaimedFacts> {
    const claims = this.knownClaims(one) ?? (await this.madeClaims(one));
    const { unit, entry } = one;
    const variables = entry?.file.partOf(entry.index, 'variables');
    if (isVariables(variables)) return { head: one.head, variables, claims };
    const { trace, manifest, head } = await this.#draftOf(unit);
    const facts = { head, variables: variableUse(manifest.chain, this.#input.environment.name) };
    this.#results.put(unit, { inputs: trace.inputs, value: facts });
    return { ...facts, claims };
  }

  /** Makes the facts of a unit in this environment, and keeps them for later runs. */
  async madeHere(one: GatheredUnit, index: ManifestIndex, wanted: WantedUnits): Promise<HereFacts> {
    const { unit } = one;
    const { trace, head, manifest: declared } = await this.#draftOf(unit);
    this.#drafts.delete(unit);
    const { kind, chain, row } = declared;
    const { name } = this.#input.environment;
    const context = this.context('names', index, trace);
    const manifest = { ...declared, ...mergedSections(kind, chain, name) };
    const scope = context.scope.of(manifest);
    scope.size.characters += wanted.before;
    const named = nameManifest(manifest, context);
    const identity = identify(named, context.targets);
    const isWanted = wanted.isSelected(identity);
    const resolved = isWanted ? await resolvedFacts(named, context) : undefined;
    const unique = uniqueClaim(manifest, identity, context);
    const columns = row?.table.columns;
    const asked = [...new Set([...scope.variablesAsked, ...context.scope.variablesAsked])];
    const here: FactsHere = {
      ...{ identity, labelProblems: named.labels.problems, characters: scope.size.characters - wanted.before },
      ...(unique !== undefined && { unique }),
      asked: {
        columns: asked.filter((column) => columns?.has(column)),
        others: asked.filter((column) => !columns?.has(column)),
      },
    };
    const facts = { head, variables: variableUse(chain, name), here, ...(resolved !== undefined && { resolved }) };
    // A cell or variable may contain a credential, which each run must mask again.
    const mayKeep = !resolved?.problems.some(({ hideSource }) => hideSource);
    if (mayKeep && wanted.before + here.characters <= maxCharactersOf(index)) {
      this.#results.put(unit, { inputs: trace.inputs, value: facts });
    }
    return { ...facts, isSelected: isWanted && this.#isChecked(one) };
  }

  /** The kept facts of a unit in this environment. Undefined if they are out of date. */
  knownHere(one: GatheredUnit, index: ManifestIndex, wanted: WantedUnits): HereFacts | undefined {
    const { head, entry } = one;
    if (entry === undefined) return undefined;
    const variables = entry.file.partOf(entry.index, 'variables');
    const found = entry.file.partOf(entry.index, 'here');
    if (!isVariables(variables) || !isHere(found)) return undefined;
    const here = this.#hereWithout(found);
    if (!this.#isChecked(one)) return { head, variables, here, isSelected: false };
    if (wanted.before + here.characters > maxCharactersOf(index) || !this.#areUnitsStill(entry, index))
      return undefined;
    if (!wanted.isSelected(here.identity)) return { head, variables, here, isSelected: false };
    const resolved = this.#withWantedChecks(entry.file.partOf(entry.index, 'resolved'));
    return resolved && { head, variables, here, resolved, isSelected: true };
  }

  #hereWithout(here: FactsHere): FactsHere {
    const { edited } = this.#input.options;
    if (edited === undefined || here.labelProblems.every(({ at }) => at?.file !== edited)) return here;
    return { ...here, labelProblems: here.labelProblems.filter(({ at }) => at?.file !== edited) };
  }

  #areUnitsStill({ file, index: entry }: FactsEntry, index: ManifestIndex): boolean {
    const known = this.#referring.get(file) ?? areStill(file.inputs, index);
    this.#referring.set(file, known);
    return known || areStill(file.inputsOf(entry) ?? [], index);
  }

  /**
   * The facts, if they include the requested prompt checks; otherwise undefined. Facts from all checks also serve if
   * only errors are requested.
   */
  #withWantedChecks(resolved: unknown): ResolvedFacts | undefined {
    const { wanted } = this.#prompts;
    if (!isResolved(resolved)) return undefined;
    if (resolved.prompts === wanted) return resolved;
    if (wanted === 'all') return undefined;
    const isWanted = ({ rule, severity }: Problem) => severity === 'error' || !isPromptRule(rule);
    return { ...resolved, problems: resolved.problems.filter(isWanted) };
  }

  /** The context for resolving a manifest. With a trace, every query is noted. */
  context(secrets: ResolveOptions['secrets'], index: ManifestIndex, trace?: Trace): ResolveContext {
    const { project, environment, options } = this.#input;
    const reader = this.readerFor(trace);
    const { files } = reader;
    const scope = new Scope({
      ...{ environment, env: options.env, secrets, trace },
      allowedSecrets: options.allowedSecrets,
      maxCharacters: maxCharactersOf(index),
    });
    return {
      ...{ environment, scope, files, project, trace, secrets, reader, index },
      targets: new Targets({ environment, scope, files }),
      checks: project.checks,
      lint: project.lint,
      prompts: this.#prompts,
      basis: this.#basis,
      resellerParameter: project.service.parameters.resellerId,
    };
  }

  /**
   * The targets of a unit in all environments. Computed once, because the work would otherwise grow with the square of
   * the number of environments.
   */
  async madeClaims({ unit }: GatheredUnit): Promise<readonly TargetClaim[]> {
    const draft = await this.#draftOf(unit);
    const { project, options } = this.#input;
    const trace = new Trace();
    // Up to here, only the files of the unit were read.
    trace.include(draft.trace.inputs);
    const files = project.files.noting(trace);
    const claims = targetClaims(draft.manifest, { project, env: options.env, files, trace });
    this.#claims.put(unit, { inputs: trace.inputs, value: { claims } });
    return claims;
  }

  /** The kept targets of a unit. Undefined if they are out of date. */
  knownClaims(one: GatheredUnit): readonly TargetClaim[] | undefined {
    // With one environment, no target can be shared.
    if (this.#input.project.environments.length < 2) return [];
    const isChecked = this.#isChecked(one);
    const probable = one.entry?.index;
    const entry = isChecked ? this.#claims.find(one.unit, probable) : this.#claims.entryOf(one.unit, probable);
    const claims = entry?.file.partOf(entry.index, 'claims');
    if (areClaims(claims)) return claims;
    return isChecked ? undefined : [];
  }

  /** Passes all results to the stores. Only a complete run saves them for the next one. */
  async settle(isComplete: boolean): Promise<void> {
    const { files, manifests } = this.#input.project;
    for (const results of [this.#results, this.#claims]) {
      results.settle(
        (inputs) => !inputs.some(([kind, name]) => kind === 'text' && files.source(pathOfInput(name))?.hasHidden),
        isComplete,
      );
    }
    if (!isComplete || this.#input.options.edited !== undefined) return;
    for (const store of [this.#facts, this.#claimed]) await store.keep(() => files.known, new Set(manifests));
  }

  #answer([kind, name]: Input, unit?: Unit): string {
    if (kind === 'row') {
      const row = unit?.row();
      return (name === 'table' ? row?.table.digest() : row?.digest()) ?? '';
    }
    const question = `${kind} ${name}`;
    const known = this.#answers.get(question) ?? this.#answerOf(kind, name);
    this.#answers.set(question, known);
    return known;
  }

  #answerOf(kind: Input[0], name: string): string {
    const { project, options } = this.#input;
    if (kind === 'basis') return this.#basis;
    if (kind === 'text') return project.files.answerOf(name, this.#facts);
    if (kind === 'exists') return String(project.files.has(name));
    if (kind === 'manifest') return String(this.readerFor().isManifest(name));
    return kind === 'variable' ? answerOfVariable(options.env, name) : answerOfVariables(options.env);
  }
}

/**
 * Opens the facts of a project in one environment, or about all environments. Runs with different rules have separate
 * facts. `allowed` limits the secrets of the run.
 */
export function factStoreOf(
  { facts, baseTexts }: Project,
  environment: string | undefined,
  allowed?: readonly unknown[],
): FactStore {
  return facts(JSON.stringify([environment ?? null, allowed ?? null, baseTexts !== undefined]));
}

function maxCharactersOf({ size }: ManifestIndex): number {
  return Math.max(maxCharacters.all, maxCharacters.ofEach * size);
}

interface WantedUnits {
  /** Whether a unit is selected. Only called for units that this run checks. */
  readonly isSelected: (identity: ManifestIdentity) => boolean;
  /** How many characters earlier units inserted, because the total is limited. */
  readonly before: number;
}

function notGathered(what: string): never {
  throw new Error(`${what} was not gathered`);
}

function areStill(inputs: readonly Input[], index: ManifestIndex): boolean {
  return inputs.every((input) => {
    const [kind, name, found] = input;
    return (kind !== 'unit' && kind !== 'units') || index.answerOf(kind, name) === found;
  });
}

function isTextOf(path: string): (input: Input) => boolean {
  return ([kind, name]) => kind === 'text' && name.endsWith(path) && pathOfInput(name) === path;
}

// Checking the shape is enough: the cache's name contains the build, so the same code wrote the value.

function isWith<Part>(member: string & keyof Part) {
  return (value: unknown): value is Part => isJsonObject(value) && member in value;
}

const isFleet = isWith<FleetFacts>('count');
const isFacts = isWith<Facts>('head');
const isHead = isWith<UnitHead>('values');
const isVariables = isWith<VariableUse>('referredTo');
const isHere = isWith<FactsHere>('identity');
const isResolved = isWith<ResolvedFacts>('declared');

/** Removes one file's problems from a head, because this run finds them again. */
function headWithout(head: UnitHead, file: string): UnitHead {
  const isElsewhere = ({ at }: Problem) => at?.file !== file;
  if (head.problems.every(isElsewhere) && head.ofOverrides.every(isElsewhere)) return head;
  return { ...head, problems: head.problems.filter(isElsewhere), ofOverrides: head.ofOverrides.filter(isElsewhere) };
}

function problemsIn({ head, here, resolved }: Facts): readonly Problem[] {
  return [...head.problems, ...head.ofOverrides, ...(here?.labelProblems ?? []), ...(resolved?.problems ?? [])];
}

function areClaims(value: unknown): value is readonly TargetClaim[] {
  return Array.isArray(value);
}

const manifestSets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Makes the prompt checks of a project. A text that several manifests or environments share is checked once. */
export function promptChecksOf(project: Project, wanted: WantedPromptChecks): PromptChecks {
  const known = promptChecksOfProjects[wanted].get(project);
  if (known !== undefined) return known;
  const { checks, lint, lintMaxima: maxima, baseTexts } = project;
  const texts = knownTexts.get(checks) ?? new Map<string, KnownTexts>();
  knownTexts.set(checks, texts);
  const levels = JSON.stringify([lint, maxima, wanted]);
  const shared = baseTexts === undefined ? (texts.get(levels) ?? new KnownTexts()) : undefined;
  // Limits the cache, because levels may be edited repeatedly.
  if (!texts.has(levels) && texts.size > 3) texts.clear();
  if (shared !== undefined) texts.set(levels, shared);
  const made = new PromptChecks({ lint, maxima, baseTexts, wanted }, shared);
  promptChecksOfProjects[wanted].set(project, made);
  return made;
}

const promptChecksOfProjects = {
  all: new WeakMap<Project, PromptChecks>(),
  errors: new WeakMap<Project, PromptChecks>(),
};

/** Analysed texts by rule levels, which later checks of a project reuse. */
const knownTexts = new WeakMap<Project['checks'], Map<string, KnownTexts>>();

export function nameManifest(manifest: MergedManifest, context: ResolveContext): NamedManifest {
  const references = resolveReferences(manifest, context);
  const { organization: name } = references;
  const organization = name && context.index.find(organizationKind.name, String(name.value), context.trace)?.head;
  return { manifest, references, organization, labels: resolveLabels(manifest, context) };
}

async function resolvedFacts(named: NamedManifest, context: ResolveContext): Promise<ResolvedFacts> {
  const { problems, declared, selected } = await resolveManifest(named, context);
  const { manifest } = named;
  const scope = context.scope.of(manifest);
  const values = [...scope.variablesAsked].map((name) => [name, scope.variable(name)?.text ?? null]);
  const facts = {
    ...{ prompts: context.prompts.wanted, problems, declared },
    ...{ values: manifest.values, secrets: [...scope.secretsAsked] },
    variant: digestOf(canonicalJson([manifest.overlaidFor ?? null, values])),
  };
  if (selected === undefined) return facts;
  const { token: _, sensitiveQuery, ...target } = selected.target;
  return { ...facts, selected: { ...selected, target: { ...target, sensitiveQuery: [...sensitiveQuery] } } };
}
