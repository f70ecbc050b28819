import { type AllowedSecrets, Secret } from '../../secrets/secret.ts';
import { didYouMean } from '../../text/suggest.ts';
import { joinWithAnd, quote } from '../../text/wording.ts';
import type { MergedManifest } from '../project/gather-manifests.ts';
import { type ChainVariables, type DeclaredVariables, variablesIn, variablesUnder } from '../project/variables.ts';
import { errorAt, type Problem, type Span } from '../syntax/problem.ts';
import { type MapNode, memberOf } from '../syntax/tree.ts';

export interface Variable {
  readonly value: string | number | boolean;
  /** How it is written: of a number its digits. */
  readonly text: string;
  /** Where a file declares it; absent if a process variable gives it. */
  readonly at?: Span;
}

export interface ScopeInput {
  /** The environment's name, and its part of agentform.yaml. */
  readonly environment: { readonly name: string; readonly definition: MapNode };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: 'form' | 'values';
  /** Every secret if left out. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
}

/** What the scopes of one environment have in common. */
class Shared {
  /** How many characters were put in so far, in all manifests together. */
  characters = 0;
  /** Every secret that was asked for and has a value, by the name of its process variable. */
  readonly secrets = new Map<string, Secret>();
  /** Name of every secret that was asked for, whether it may be used and has a value or not. */
  readonly secretsAsked = new Set<string>();
  readonly input: ScopeInput;
  readonly declared: DeclaredVariables;
  readonly ofManifests = new WeakMap<object, Scope>();

  constructor(input: ScopeInput) {
    this.input = input;
    this.declared = new Map(variablesUnder(memberOf(input.environment.definition, 'variables')));
  }
}

/** The manifest whose variables a scope has beside those of the environment. */
type ScopedManifest = Pick<MergedManifest, 'chain'>;

/** The variables and secrets of one environment, or of one manifest in it. */
export class Scope {
  /** Name of every variable that was asked for. */
  readonly variablesAsked = new Set<string>();
  readonly #shared: Shared;
  readonly #own: ChainVariables | undefined;
  readonly #missing = new Map<string, string>();

  constructor(input: ScopeInput | { readonly shared: Shared; readonly own: ChainVariables }) {
    this.#shared = 'shared' in input ? input.shared : new Shared(input);
    this.#own = 'shared' in input ? input.own : undefined;
  }

  /** The scope of a manifest in this environment. */
  of(manifest: ScopedManifest): Scope {
    const { ofManifests, input } = this.#shared;
    const known = ofManifests.get(manifest);
    if (known !== undefined) return known;
    const scope = new Scope({ shared: this.#shared, own: variablesIn(manifest.chain, input.environment.name) });
    ofManifests.set(manifest, scope);
    return scope;
  }

  get characters(): number {
    return this.#shared.characters;
  }

  /** Counts what was put in. */
  addCharacters(count: number): void {
    this.#shared.characters += count;
  }

  get secrets(): ReadonlyMap<string, Secret> {
    return this.#shared.secrets;
  }

  get secretsAsked(): ReadonlySet<string> {
    return this.#shared.secretsAsked;
  }

  /**
   * The nearest value: the process variable's, which is how a pipeline sets one without editing a file; then the
   * manifest's, the environment's, and the bases'.
   */
  variable(name: string): Variable | undefined {
    this.variablesAsked.add(name);
    const { input, declared } = this.#shared;
    const given = input.env[`AGENTFORM_VAR_${name}`];
    if (given !== undefined) return { value: given, text: given };
    return this.#own?.over.get(name) ?? declared.get(name) ?? this.#own?.under.get(name);
  }

  /** The variable; where there is none, why and what to do. */
  variableOrWhy(name: string): Variable | string {
    return this.variable(name) ?? this.#missingVariable(name);
  }

  /** Whether a variable is what it was, or is missing for the same reason, in the scope that gave it. */
  isStill(name: string, was: Variable | string): boolean {
    const is = this.variableOrWhy(name);
    if (typeof is === 'string' || typeof was === 'string') return is === was;
    return is.value === was.value && is.text === was.text;
  }

  #missingVariable(name: string): string {
    const known = this.#missing.get(name);
    if (known !== undefined) return known;
    const message = this.#describeMissing(name);
    this.#missing.set(name, message);
    return message;
  }

  #describeMissing(name: string): string {
    const { input, declared } = this.#shared;
    const own = this.#own === undefined ? [] : [...this.#own.over.keys(), ...this.#own.under.keys()];
    const prefix = 'AGENTFORM_VAR_';
    const given = Object.keys(input.env).filter((key) => key.startsWith(prefix));
    const hint = didYouMean(name, [...own, ...declared.keys(), ...given.map((key) => key.slice(prefix.length))]);
    const ways = `declare it under variables of the manifest, or of the environment in agentform.yaml, or set ${prefix}${name}`;
    return `the variable ${quote(name)} has no value${hint || `: ${ways}`}`;
  }

  /** Undefined if the process variable is unset, empty or not to be used; `unknown` where secrets are checked by form only. */
  secret(name: string): Secret | 'unknown' | undefined {
    const { secrets, secretsAsked, input } = this.#shared;
    secretsAsked.add(name);
    if (input.allowedSecrets?.names.has(name) === false) return undefined;
    if (input.secrets === 'form') return 'unknown';
    const value = input.env[name];
    if (value === undefined || value === '') return undefined;
    const secret = secrets.get(name) ?? new Secret(value);
    secrets.set(name, secret);
    return secret;
  }

  /** The problem of a place that refers to a secret which is unset, or which it may not use. */
  missingSecret(name: string, at: Span): Problem {
    const { allowedSecrets } = this.#shared.input;
    if (allowedSecrets === undefined || allowedSecrets.names.has(name)) {
      const message = `the secret ${quote(name)} is needed: the process variable ${name} is unset or empty`;
      return { ...errorAt(at, 'secret-unset', message), secret: name };
    }
    const { names, from } = allowedSecrets;
    const allowed = names.size === 0 ? 'none' : `only ${joinWithAnd([...names].map(quote))}`;
    const message = `the secret ${quote(name)} may not be used: ${from} allows ${allowed}; add ${name} to it, and give it a value, if a manifest may send it to the service`;
    return errorAt(at, 'secret-unset', message);
  }
}
