import { cached } from '../../json/json.ts';
import { isPromptRule } from '../../prompts/prompt-text.ts';
import type { Problem } from '../../yaml/problem.ts';
import {
  type DeclaredManifest,
  expandFleet,
  type FleetEnvironment,
  type FleetFacts,
  type FleetMember,
} from '../fleet/fleet.ts';
import type { Heads, UnchangedFile } from '../fleet/gather-manifests.ts';
import type { ManifestIndex } from '../fleet/manifest-index.ts';
import {
  type FactsEntry,
  type GatheredUnit,
  ManifestUnit,
  MemberUnit,
  memberKey,
  readHead,
  type Unit,
  type UnitHead,
} from '../fleet/units.ts';
import { pathOfInput } from '../project/project-files.ts';
import { type FileFacts, type Input, Trace } from '../project/trace.ts';
import { variableUse } from '../project/variables.ts';
import { type FactInputs, maxCharactersOf } from './fact-inputs.ts';
import {
  areClaims,
  type ClaimedFacts,
  type Facts,
  type FactsHere,
  isFacts,
  isFleet,
  isHead,
  isHere,
  isResolved,
  isVariables,
  makeFacts,
  type ResolvedFacts,
  type WantedUnits,
} from './facts.ts';
import { type TargetClaim, targetClaims } from './identity/shared-environments.ts';
import { KnownResults } from './known-results.ts';

/** A unit whose files were read in this run, with the trace of further queries. */
interface Draft {
  readonly trace: Trace;
  readonly manifest: DeclaredManifest;
  readonly head: UnitHead;
}

interface FoundHere extends Facts {
  readonly here: FactsHere;
  readonly isSelected: boolean;
}

/** The facts about a unit in the environment of a run. */
export type FoundFacts = FoundHere & ClaimedFacts;

/**
 * Finds the facts about units in an environment in two passes. In the first pass, it finds the head of each unit while
 * manifests are gathered. In the second pass, `here` and `elsewhere` find the other facts. Facts from an earlier run
 * are reused only if all their inputs are unchanged, except in a quick check of an edited file.
 */
export class FactFinder implements Heads {
  readonly readerFor: FactInputs['readerFor'];
  readonly #inputs: FactInputs;
  readonly #results: KnownResults;
  /**
   * The targets of units in all environments. Undefined if no target can be shared because the project has only one
   * environment, or if the run does not compare targets.
   */
  readonly #claims: KnownResults | undefined;
  readonly #drafts = new Map<Unit, Draft>();
  readonly #edited: EditedFile | undefined;
  /** Whether all references to other units are unchanged, by file. */
  readonly #referring = new Map<FileFacts, boolean>();

  constructor(inputs: FactInputs) {
    const { project, options, store, claimStore, answer } = inputs;
    this.#inputs = inputs;
    this.readerFor = inputs.readerFor;
    this.#results = new KnownResults(store, answer);
    const claimsTargets = project.environments.length > 1 && options.claims !== 'none';
    this.#claims = claimsTargets ? new KnownResults(claimStore, answer) : undefined;
    this.#edited = options.edited === undefined ? undefined : new EditedFile(options.edited);
  }

  knownFile(path: string, environment: FleetEnvironment): UnchangedFile | undefined {
    const file = this.#results.kept(path);
    if (file === undefined) return undefined;
    if (file.own !== undefined) return this.#knownFleet(path, file, environment);
    const unit = new ManifestUnit(path, environment.environment);
    const one = file.keys[0] === unit.key ? this.#kept(unit) : undefined;
    return one && { fleet: undefined, units: [one] };
  }

  #knownFleet(path: string, file: FileFacts, environment: FleetEnvironment): UnchangedFile | undefined {
    const { own: fleet, inputs } = file;
    if (!isFleet(fleet) || fleet.count !== file.keys.length) return undefined;
    const isUnchanged = this.#edited === undefined ? this.#results.holds(path) : !this.#edited.isAmong(inputs);
    if (!isUnchanged) return undefined;
    this.#inputs.markUsed(inputs);
    let members: ReadonlyMap<string, FleetMember> | undefined;
    const memberOf = (key: string) => {
      members ??= this.#membersOf(path, environment);
      return members.get(key) ?? notGathered(key);
    };
    const units: GatheredUnit[] = [];
    for (const [index, key] of file.keys.entries()) {
      const one = this.#withHead(new MemberUnit(path, key, memberOf), { file, index });
      if (one === undefined) return undefined;
      units.push(one);
    }
    return { fleet, units };
  }

  /** The members of a fleet with known facts. Reads the fleet's files only if a member's values are needed. */
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
    this.#claims?.putOwn(path, { inputs, value: fleet });
  }

  known(unit: Unit): GatheredUnit | undefined {
    this.#results.meet(unit);
    this.#claims?.meet(unit);
    return this.#kept(unit);
  }

  /** A unit with its kept head. Undefined if its facts are not kept or must be made again. */
  #kept(unit: Unit): GatheredUnit | undefined {
    if (this.#edited !== undefined) {
      const entry = this.#results.entryOf(unit);
      return entry === undefined || this.#edited.checks(unit, entry) ? undefined : this.#withHead(unit, entry);
    }
    const entry = this.#results.find(unit);
    if (entry === undefined) return undefined;
    this.#inputs.markUsed(entry.file.inputsOf(entry.index) ?? []);
    return this.#withHead(unit, entry);
  }

  /** A unit with its kept head. Undefined if the head was lost. */
  #withHead(unit: Unit, entry: FactsEntry): GatheredUnit | undefined {
    const head = entry.file.partOf(entry.index, 'head');
    if (!isHead(head)) return undefined;
    return { unit, entry, head: this.#edited === undefined ? head : this.#edited.headWithout(head) };
  }

  async made(unit: Unit): Promise<GatheredUnit | undefined> {
    const trace = new Trace();
    trace.include(unit.member?.().inputs ?? []);
    const found = await readHead(unit, this.readerFor(trace));
    if (found === undefined) return undefined;
    this.#drafts.set(unit, { trace, ...found });
    return { unit, head: found.head };
  }

  async #draftOf(unit: Unit): Promise<Draft> {
    if (!this.#drafts.has(unit)) await this.made(unit);
    return this.#drafts.get(unit) ?? notGathered(unit.file);
  }

  /** Finds the facts about a unit that is not in this environment. */
  async elsewhere(one: GatheredUnit): Promise<ClaimedFacts> {
    const claims = await this.#claimsOf(one);
    const { unit, entry } = one;
    const variables = entry?.file.partOf(entry.index, 'variables');
    if (isVariables(variables)) return { head: one.head, variables, claims };
    const { trace, manifest, head } = await this.#draftOf(unit);
    const facts = { head, variables: variableUse(manifest.chain, this.#inputs.environment.name) };
    this.#results.put(unit, { inputs: trace.inputs, value: facts });
    return { ...facts, claims };
  }

  /** Finds the facts about a unit in this environment. */
  async here(one: GatheredUnit, index: ManifestIndex, wanted: WantedUnits): Promise<FoundFacts> {
    const claims = await this.#claimsOf(one);
    const facts = this.#keptHere(one, index, wanted) ?? (await this.#madeHere(one, index, wanted));
    return { ...facts, claims };
  }

  /** The kept facts about a unit in this environment. Undefined if the facts must be made again. */
  #keptHere({ unit, head, entry }: GatheredUnit, index: ManifestIndex, wanted: WantedUnits): FoundHere | undefined {
    if (entry === undefined) return undefined;
    const variables = entry.file.partOf(entry.index, 'variables');
    const found = entry.file.partOf(entry.index, 'here');
    if (!isVariables(variables) || !isHere(found)) return undefined;
    const here = this.#edited === undefined ? found : this.#edited.labelsWithout(found);
    const unselected = { head, variables, here, isSelected: false };
    if (this.#edited !== undefined && !this.#edited.isChecked(unit, entry)) return unselected;
    if (wanted.before + here.characters > maxCharactersOf(index)) return undefined;
    if (!this.#areReferencesUnchanged(entry, index)) return undefined;
    if (!wanted.isSelected(here.identity)) return unselected;
    const resolved = this.#withWantedChecks(entry.file.partOf(entry.index, 'resolved'));
    return resolved && { head, variables, here, resolved, isSelected: true };
  }

  /** Whether all queries of a unit about other units still have the same answers. */
  #areReferencesUnchanged({ file, index: entry }: FactsEntry, index: ManifestIndex): boolean {
    const known = cached(this.#referring, file, () => areReferencesUnchanged(file.inputs, index));
    return known || areReferencesUnchanged(file.inputsOf(entry) ?? [], index);
  }

  /**
   * Returns the facts with the results of exactly the requested prompt checks. If only errors are requested, facts from
   * all checks can be used too. Undefined if results are missing.
   */
  #withWantedChecks(resolved: unknown): ResolvedFacts | undefined {
    const { wanted } = this.#inputs.prompts;
    if (!isResolved(resolved)) return undefined;
    if (resolved.prompts === wanted) return resolved;
    if (wanted === 'all') return undefined;
    const isWanted = ({ rule, severity }: Problem) => severity === 'error' || !isPromptRule(rule);
    return { ...resolved, prompts: wanted, problems: resolved.problems.filter(isWanted) };
  }

  /**
   * Makes the facts about a unit in this environment. Keeps the facts for later runs, unless the facts may contain a
   * credential or exceed the character limit.
   */
  async #madeHere({ unit, entry }: GatheredUnit, index: ManifestIndex, wanted: WantedUnits): Promise<FoundHere> {
    const draft = await this.#draftOf(unit);
    this.#drafts.delete(unit);
    const { trace } = draft;
    const facts = await makeFacts(draft, this.#inputs.contextFor(index, 'names', trace), wanted);
    const { here, resolved } = facts;
    // If a problem hides a possible credential, do not keep the facts. The credential may come from a cell or variable,
    // so each run must find and mask it again.
    const mayKeep = !resolved?.problems.some(({ hideSource }) => hideSource);
    if (mayKeep && wanted.before + here.characters <= maxCharactersOf(index)) {
      this.#results.put(unit, { inputs: trace.inputs, value: facts });
    }
    const isChecked = this.#edited === undefined || this.#edited.isChecked(unit, entry);
    return { ...facts, isSelected: resolved !== undefined && isChecked };
  }

  /**
   * The targets of a unit in all environments. Computes the targets once for all environments, because the time would
   * otherwise grow with the square of the number of environments.
   */
  async #claimsOf({ unit, entry: own }: GatheredUnit): Promise<readonly TargetClaim[]> {
    if (this.#claims === undefined) return [];
    const isChecked = this.#edited === undefined || this.#edited.isChecked(unit, own);
    const entry = isChecked ? this.#claims.find(unit, own?.index) : this.#claims.entryOf(unit, own?.index);
    const kept = entry?.file.partOf(entry.index, 'claims');
    if (areClaims(kept)) return kept;
    if (!isChecked) return [];
    const draft = await this.#draftOf(unit);
    const { project, options } = this.#inputs;
    const trace = new Trace();
    // At this point, only the files of the unit have been read.
    trace.include(draft.trace.inputs);
    const files = project.files.noting(trace);
    const claims = targetClaims(draft.manifest, { project, env: options.env, files, trace });
    this.#claims.put(unit, { inputs: trace.inputs, value: { claims } });
    return claims;
  }

  /**
   * Passes the results that exist so far to the stores. After a complete run that is not a quick check, also saves
   * these results for the next run.
   */
  async settle(isComplete: boolean): Promise<void> {
    const { project, store, claimStore } = this.#inputs;
    const { files, manifests } = project;
    for (const results of [this.#results, this.#claims]) {
      results?.settle(
        (inputs) => !inputs.some(([kind, name]) => kind === 'text' && files.source(pathOfInput(name))?.hasHidden),
        isComplete,
      );
    }
    if (!isComplete || this.#edited !== undefined) return;
    const paths = new Set(manifests);
    await store.keep(() => files.known, paths);
    // The other store already contains the known files, so `claimStore` does not store them again.
    await claimStore.keep(() => new Map(), paths);
  }
}

function notGathered(what: string): never {
  throw new Error(`${what} was not gathered`);
}

function areReferencesUnchanged(inputs: readonly Input[], index: ManifestIndex): boolean {
  return inputs.every((input) => {
    const [kind, name, found] = input;
    return (kind !== 'unit' && kind !== 'units') || index.answerOf(kind, name) === found;
  });
}

/**
 * The maximum number of units to check for a quick answer about one edited file. `withProblems` is the limit for units
 * that had problems in the file, and `first` is the limit for other units.
 */
const maxChecked = { first: 3, withProblems: 8 } as const;

/**
 * A file that was edited in an editor and is checked quickly. Only a few units that use the file are checked. Other
 * units keep their facts, except for problems in this file.
 */
class EditedFile {
  readonly #path: string;
  readonly #checked = new Set<Unit>();

  constructor(path: string) {
    this.#path = path;
  }

  isAmong(inputs: readonly Input[]): boolean {
    const path = this.#path;
    return inputs.some(([kind, name]) => kind === 'text' && name.endsWith(path) && pathOfInput(name) === path);
  }

  /** Decides whether to check a unit with kept facts. */
  checks(unit: Unit, { file, index }: FactsEntry): boolean {
    if (!this.isAmong(file.inputsOf(index) ?? [])) return false;
    const facts = file.resultOf(index);
    const isHere = ({ at }: Problem) => at?.file === this.#path;
    const hasProblems =
      isFacts(facts) &&
      [facts.head.problems, facts.head.ofOverrides, facts.here?.labelProblems, facts.resolved?.problems].some(
        (problems) => problems?.some(isHere),
      );
    if (this.#checked.size >= (hasProblems ? maxChecked.withProblems : maxChecked.first)) return false;
    this.#checked.add(unit);
    return true;
  }

  /** Whether a unit is checked in this run. A unit without kept facts is always checked. */
  isChecked(unit: Unit, entry: FactsEntry | undefined): boolean {
    return this.#checked.has(unit) || entry === undefined;
  }

  headWithout(head: UnitHead): UnitHead {
    const { problems, ofOverrides } = head;
    return { ...head, problems: this.#withoutOwn(problems), ofOverrides: this.#withoutOwn(ofOverrides) };
  }

  labelsWithout(here: FactsHere): FactsHere {
    return { ...here, labelProblems: this.#withoutOwn(here.labelProblems) };
  }

  #withoutOwn(problems: readonly Problem[]): readonly Problem[] {
    return problems.filter(({ at }) => at?.file !== this.#path);
  }
}
