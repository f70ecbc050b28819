import { type AllowedSecrets, Secret } from '../../secrets/secret.ts';
import { didYouMean } from '../../text/suggest.ts';
import { joinWithAnd, quote } from '../../text/wording.ts';
import { errorAt, type Problem, type Span } from '../syntax/problem.ts';
import { memberOf, type Node, type ScalarNode } from '../syntax/tree.ts';

export interface Variable {
  readonly value: string | number | boolean;
  /** How it is written: of a number its digits. */
  readonly text: string;
}

export interface ScopeInput {
  /** The environment's part of agentform.yaml. */
  readonly definition: Node;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: 'form' | 'values';
  /** Every secret if left out. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
}

/** The variables and secrets of one environment. */
export class Scope {
  /** How many characters were put in so far, in all manifests together. */
  characters = 0;
  /** Every secret that was asked for and has a value, by the name of its process variable. */
  readonly secrets = new Map<string, Secret>();
  /** Name of every secret that was asked for, whether it may be used and has a value or not. */
  readonly secretsAsked = new Set<string>();
  readonly #missing = new Map<string, string>();
  readonly #declared: Node | undefined;
  readonly #env: ScopeInput['env'];
  readonly #mode: ScopeInput['secrets'];
  readonly #allowed: ScopeInput['allowedSecrets'];

  constructor({ definition, env, secrets, allowedSecrets }: ScopeInput) {
    this.#declared = memberOf(definition, 'variables');
    this.#env = env;
    this.#mode = secrets;
    this.#allowed = allowedSecrets;
  }

  /** The process variable wins over agentform.yaml: it is how a pipeline sets one value without editing a file. */
  variable(name: string): Variable | undefined {
    const given = this.#env[`AGENTFORM_VAR_${name}`];
    if (given !== undefined) return { value: given, text: given };
    const declared = memberOf(this.#declared, name);
    return declared?.type === 'scalar' && declared.value !== null ? variableOf(declared, declared.value) : undefined;
  }

  /** Where agentform.yaml says the value of the variable; undefined if it does not, or a process variable wins. */
  placeOfVariable(name: string): Span | undefined {
    const isGiven = this.#env[`AGENTFORM_VAR_${name}`] !== undefined;
    return isGiven ? undefined : memberOf(this.#declared, name)?.at;
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
    const names = this.#declared?.type === 'map' ? [...this.#declared.members.keys()] : [];
    const prefix = 'AGENTFORM_VAR_';
    const given = Object.keys(this.#env).filter((key) => key.startsWith(prefix));
    const hint = didYouMean(name, [...names, ...given.map((key) => key.slice(prefix.length))]);
    const ways = `declare it under the environment's variables in agentform.yaml or set ${prefix}${name}`;
    return `the variable ${quote(name)} has no value${hint || `: ${ways}`}`;
  }

  /** Undefined if the process variable is unset, empty or not to be used; `unknown` where secrets are checked by form only. */
  secret(name: string): Secret | 'unknown' | undefined {
    this.secretsAsked.add(name);
    if (this.#allowed?.names.has(name) === false) return undefined;
    if (this.#mode === 'form') return 'unknown';
    const value = this.#env[name];
    if (value === undefined || value === '') return undefined;
    const secret = this.secrets.get(name) ?? new Secret(value);
    this.secrets.set(name, secret);
    return secret;
  }

  /** The problem of a place that refers to a secret which is unset, or which it may not use. */
  missingSecret(name: string, at: Span): Problem {
    if (this.#allowed === undefined || this.#allowed.names.has(name)) {
      const message = `the secret ${quote(name)} is needed: the process variable ${name} is unset or empty`;
      return { ...errorAt(at, 'secret-unset', message), secret: name };
    }
    const { names, from } = this.#allowed;
    const allowed = names.size === 0 ? 'none' : `only ${joinWithAnd([...names].map(quote))}`;
    const message = `the secret ${quote(name)} may not be used: ${from} allows ${allowed}; add ${name} to it, and give it a value, if a manifest may send it to the service`;
    return errorAt(at, 'secret-unset', message);
  }
}

function variableOf(node: ScalarNode, value: string | number | boolean): Variable {
  return { value, text: typeof value === 'string' ? value : (node.source ?? String(value)) };
}
