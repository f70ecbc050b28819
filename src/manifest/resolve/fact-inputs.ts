import { cached } from '../../json/json.ts';
import { KnownTexts, PromptChecks, type WantedPromptChecks } from '../../prompts/prompt-checks.ts';
import type { ManifestIndex } from '../fleet/manifest-index.ts';
import type { Unit } from '../fleet/units.ts';
import type { Reader } from '../project/layers.ts';
import type { Project } from '../project/project.ts';
import { pathOfInput } from '../project/project-files.ts';
import { digestOf, type FactStore, type Input, type InputKind, type Trace } from '../project/trace.ts';
import { type EnvironmentNode, Targets } from './identity/target.ts';
import type { ResolveContext, ResolveOptions } from './resolution.ts';
import { answerOfVariable, answerOfVariables, Scope } from './values/scope.ts';
import { maxCharacters } from './values/value-resolver.ts';

interface RunInput {
  readonly project: Project;
  readonly environment: EnvironmentNode;
  readonly options: ResolveOptions;
}

/**
 * The inputs that facts may depend on in a run. The code that makes facts sends its queries to `readerFor` and
 * `contextFor`, which note each query in a trace. `answer` answers a noted query again.
 */
export class FactInputs {
  readonly project: Project;
  readonly environment: EnvironmentNode;
  readonly options: ResolveOptions;
  readonly prompts: PromptChecks;
  /** The kept facts about units in this environment. */
  readonly store: FactStore;
  /** The kept targets of units in all environments. */
  readonly claimStore: FactStore;
  /** A digest of the run settings that the facts about all manifests depend on. */
  readonly #basis: string;
  readonly #manifests: ReadonlySet<string>;
  /** Answers to queries in this run, by kind and name. */
  readonly #answers = new Map<InputKind, Map<string, string>>();

  constructor({ project, environment, options }: RunInput) {
    this.project = project;
    this.environment = environment;
    this.options = options;
    const { files, file, lint, lintMaxima, baseTexts, manifests } = project;
    const { allowedSecrets: limit } = options;
    const allowed = limit && [[...limit.names].sort(), limit.from];
    const settings = [files.source(file)?.text, lint, lintMaxima, baseTexts?.digest, allowed];
    this.#basis = digestOf(JSON.stringify(settings));
    this.#manifests = new Set(manifests);
    this.prompts = promptChecksOf(project, options.prompts ?? 'errors');
    this.store = factStoreOf(project, environment.name, allowed);
    this.claimStore = factStoreOf(project, undefined, allowed);
  }

  /** Makes a reader for the files of manifests. Notes every query in the trace, if one is given. */
  readonly readerFor = (trace?: Trace): Reader => {
    const { files, parsed } = this.project;
    trace?.note('basis', '', this.#basis);
    const isManifest = (path: string): boolean => {
      trace?.note('manifest', path, String(this.#manifests.has(path)));
      return this.#manifests.has(path);
    };
    return { files: trace === undefined ? files : files.noting(trace), parsed, isManifest };
  };

  /** Makes the context for resolving a manifest. Notes every query in the trace, if one is given. */
  contextFor(index: ManifestIndex, secrets: ResolveOptions['secrets'], trace?: Trace): ResolveContext {
    const { project, environment, options, prompts } = this;
    const reader = this.readerFor(trace);
    const { files } = reader;
    const scope = new Scope({
      ...{ environment, env: options.env, secrets, trace },
      allowedSecrets: options.allowedSecrets,
      maxCharacters: maxCharactersOf(index),
    });
    return {
      ...{ environment, scope, files, project, trace, secrets, reader, index, prompts },
      targets: new Targets({ environment, scope, files }),
      checks: project.checks,
      lint: project.lint,
      basis: this.#basis,
      resellerParameter: project.service.parameters.resellerId,
    };
  }

  /** Answers a query again. `unit` is needed only for queries about a row. */
  readonly answer = (input: Input, unit?: Unit): string => {
    const [kind, name] = [input[0], input[1]];
    if (kind === 'row') {
      const row = unit?.member?.().row;
      return (name === 'table' ? row?.table.digest() : row?.digest()) ?? '';
    }
    const answers = cached(this.#answers, kind, () => new Map<string, string>());
    return cached(answers, name, () => this.#answerOf(kind, name));
  };

  #answerOf(kind: InputKind, name: string): string {
    const { project, options } = this;
    if (kind === 'basis') return this.#basis;
    if (kind === 'text') return project.files.answerOf(name, this.store);
    if (kind === 'exists') return String(project.files.has(name));
    if (kind === 'manifest') return String(this.#manifests.has(name));
    return kind === 'variable' ? answerOfVariable(options.env, name) : answerOfVariables(options.env);
  }

  /** Marks the files among these unchanged inputs as used, but does not read them. */
  markUsed(inputs: readonly Input[]): void {
    const { files } = this.project;
    for (const [kind, name, found] of inputs) if (kind === 'text') files.spare(pathOfInput(name), found);
  }
}

/**
 * Opens the kept facts about a project for one environment, or for all environments together. Runs that allow other
 * secrets, or that have texts from a base commit, have separate facts. `allowed` lists the secrets that the run may
 * use.
 */
export function factStoreOf(
  { facts, baseTexts }: Project,
  environment: string | undefined,
  allowed?: readonly unknown[],
): FactStore {
  return facts(JSON.stringify([environment ?? null, allowed ?? null, baseTexts !== undefined]));
}

/** The number of characters that variables and files may insert into all manifests together. */
export function maxCharactersOf({ size }: ManifestIndex): number {
  return Math.max(maxCharacters.all, maxCharacters.ofEach * size);
}

/**
 * Makes the prompt checks for a project. If there are no texts from a base commit, each shared text is analysed only
 * once.
 */
export function promptChecksOf(project: Project, wanted: WantedPromptChecks): PromptChecks {
  const known = promptChecksOfProjects[wanted].get(project);
  if (known !== undefined) return known;
  const { checks, lint, lintMaxima: maxima, baseTexts } = project;
  const texts = cached(knownTexts, checks, () => new Map<string, KnownTexts>());
  const levels = JSON.stringify([lint, maxima, wanted]);
  const shared = baseTexts === undefined ? (texts.get(levels) ?? new KnownTexts()) : undefined;
  // Limit the cache, because the levels may be edited repeatedly.
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

/** Analysed texts by rule levels. The texts are kept for later checks of a project. */
const knownTexts = new WeakMap<Project['checks'], Map<string, KnownTexts>>();
