import { type AllowedSecrets, entryOf, isAllowed, Secret } from '../../../secrets/secret.ts';
import { secretValue, whyUnset } from '../../../secrets/secret-values.ts';
import { nearest } from '../../../text/suggest.ts';
import { formatNumber, joinWithAnd, quote } from '../../../text/wording.ts';
import { errorAt, type Problem, placeKey, type Span } from '../../../yaml/problem.ts';
import { type MapNode, memberOf } from '../../../yaml/tree.ts';
import { type EmptyCells, isOwnColumn, type MemberTable, type Row } from '../../fleet/member-table.ts';
import type { MergedManifest } from '../../fleet/units.ts';
import type { Chain } from '../../project/layers.ts';
import { digestOf, type Trace } from '../../project/trace.ts';
import {
  type ChainVariables,
  type DeclaredVariables,
  variablesIn,
  variablesUnder,
  variableUse,
} from '../../project/variables.ts';

export interface Variable {
  readonly value: string | number | boolean;
  /** The value as text. A number keeps its digits as written. */
  readonly text: string;
  /** The place in a file. Absent for a process variable. */
  readonly at?: Span;
  /** Whether the value is a table cell. */
  readonly isCell?: true;
}

/** Why a variable has no value, with a suggestion. */
export interface MissingVariable {
  readonly message: string;
  /** A similar name of an existing variable. */
  readonly meant?: string;
  /** An unused table column with a similar name. */
  readonly column?: string;
}

export function isMissing(found: Variable | MissingVariable): found is MissingVariable {
  return 'message' in found;
}

export interface ScopeInput {
  /** The name of the environment, and its node in agentform.yaml. */
  readonly environment: { readonly name: string; readonly definition: MapNode };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: 'form' | 'values';
  /** The secrets that may be used. Undefined allows all. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
  /** Notes queries to the process and to tables. */
  readonly trace?: Trace | undefined;
  /** The most characters to insert into all manifests together. Unlimited if omitted. */
  readonly maxCharacters?: number;
}

/** What all scopes of one environment share. */
class Shared {
  /** The number of characters inserted so far, over all manifests. */
  characters = 0;
  /** Used secrets that have a value, by process variable. */
  readonly secrets = new Map<string, Secret>();
  /** Names of all referenced secrets, even if they are not set or not allowed. */
  readonly secretsAsked = new Set<string>();
  readonly input: ScopeInput;
  readonly declared: DeclaredVariables;
  readonly ofManifests = new WeakMap<object, Scope>();

  constructor(input: ScopeInput) {
    this.input = input;
    const { definition } = input.environment;
    // All manifests share the environment's variables, so they are read once.
    this.declared =
      declaredInEnvironments.get(definition) ?? new Map(variablesUnder(memberOf(definition, 'variables')));
    declaredInEnvironments.set(definition, this.declared);
  }
}

const declaredInEnvironments = new WeakMap<MapNode, DeclaredVariables>();

/** The manifest whose variables a scope adds to the environment's. */
type ScopedManifest = Pick<MergedManifest, 'chain' | 'row'>;

interface ScopeOfManifest {
  readonly shared: Shared;
  readonly own: ChainVariables;
  readonly manifest: ScopedManifest;
}

const none: ReadonlySet<string> = new Set();

/** The prefix of process variables that set manifest variables. */
const processPrefix = 'AGENTFORM_VAR_';

/** Names of manifest variables that the process sets. */
export function processVariables(env: ScopeInput['env']): string[] {
  const given = Object.keys(env).filter((key) => key.startsWith(processPrefix) && env[key] !== '');
  return given.map((key) => key.slice(processPrefix.length));
}

/** The state of one process variable, as a trace stores it. */
export function answerOfVariable(env: ScopeInput['env'], name: string): string {
  return digestOf(env[`${processPrefix}${name}`] ?? '');
}

/** The names of all process variables for manifests, as a trace stores them. */
export function answerOfVariables(env: ScopeInput['env']): string {
  return digestOf(JSON.stringify(processVariables(env).sort()));
}

/** Looks up the variables and secrets of one environment, or of one manifest in it. */
export class Scope {
  // Created on first use, because most scopes need none.
  #asked: Set<string> | undefined;
  #missing: Map<string, MissingVariable> | undefined;
  readonly #shared: Shared;
  /** Secrets with a value that the environment's manifests asked for. */
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly secretsAsked: ReadonlySet<string>;
  /** By place of a value, the first table cell that was inserted. Problems of the value are reported at that cell. */
  #cells: Array<readonly [value: Span, cell: Variable]> | undefined;
  readonly #own: ChainVariables | undefined;
  readonly #row: Row | undefined;
  readonly #chain: Chain | undefined;

  constructor(input: ScopeInput | ScopeOfManifest) {
    this.#shared = 'shared' in input ? input.shared : new Shared(input);
    this.secrets = this.#shared.secrets;
    this.secretsAsked = this.#shared.secretsAsked;
    this.#own = 'shared' in input ? input.own : undefined;
    this.#row = 'shared' in input ? input.manifest.row : undefined;
    this.#chain = 'shared' in input ? input.manifest.chain : undefined;
  }

  /** A scope for one manifest in this environment. */
  of(manifest: ScopedManifest): Scope {
    const { ofManifests, input } = this.#shared;
    const known = ofManifests.get(manifest);
    if (known !== undefined) return known;
    const own = variablesIn(manifest.chain, input.environment.name);
    const scope = new Scope({ shared: this.#shared, own, manifest });
    ofManifests.set(manifest, scope);
    return scope;
  }

  get characters(): number {
    return this.#shared.characters;
  }

  /** Names of all variables that were used. */
  get variablesAsked(): ReadonlySet<string> {
    return this.#asked ?? none;
  }

  /** The name of the environment. */
  get environment(): string {
    return this.#shared.input.environment.name;
  }

  get maxCharacters(): number {
    return this.#shared.input.maxCharacters ?? Number.POSITIVE_INFINITY;
  }

  /** Adds to the number of inserted characters. */
  addCharacters(count: number): void {
    this.#shared.characters += count;
  }

  /**
   * Looks up a variable. In order of precedence: process variable, manifest, fleet row, environment, bases. A pipeline
   * can thus set a value without editing a file. Process variables never override a table column, because one would
   * redirect all members. An empty process variable counts as unset, because some pipelines pass those.
   */
  variable(name: string): Variable | undefined {
    const { input, declared } = this.#shared;
    const isColumn = this.#row?.table.columns.has(name) === true;
    const given = isColumn ? '' : (input.env[`${processPrefix}${name}`] ?? '');
    this.#asked ??= new Set();
    if (!isColumn && !this.#asked.has(name)) input.trace?.note('variable', name, answerOfVariable(input.env, name));
    this.#asked.add(name);
    if (given !== '') return { value: given, text: given };
    const own = this.#own?.over.get(name) ?? this.#row?.variable(name);
    return own ?? declared.get(name) ?? this.#own?.under.get(name);
  }

  /** The place in a table that explains a missing variable: the first empty cell, or a similarly named column. */
  placeInTable(name: string): Span | undefined {
    const { table } = this.#row ?? {};
    if (table?.columns.has(name)) return this.#emptyIn(table, name).first?.placeOf(name);
    const misnamed = this.#misnamedColumn(name);
    return misnamed === undefined ? undefined : table?.columns.get(misnamed);
  }

  /** Finds the rows in which a column is empty. Reads the whole table. */
  #emptyIn(table: MemberTable, column: string): EmptyCells {
    this.#shared.input.trace?.note('row', 'table', table.digest());
    return table.emptyIn(column);
  }

  /** Finds an unused column with a name similar to the variable's. */
  #misnamedColumn(name: string): string | undefined {
    const columns = [...(this.#row?.table.columns.keys() ?? [])];
    const column = nearest(name, columns);
    if (column === undefined || this.#chain === undefined || isOwnColumn(column)) return undefined;
    return this.#asked?.has(column) || variableUse(this.#chain, this.environment).referredTo.includes(column)
      ? undefined
      : column;
  }

  /** Notes that a variable was inserted into a value. */
  noteCell(value: Span, variable: Variable): void {
    if (!variable.isCell) return;
    this.#cells ??= [];
    this.#cells.push([value, variable]);
  }

  /** Moves problems of values from a table to their cells. */
  atCells(problems: readonly Problem[]): readonly Problem[] {
    if (problems.length === 0 || this.#cells === undefined) return problems;
    const cells = new Map(this.#cells.toReversed().map(([value, cell]) => [placeKey(value), cell.at]));
    return problems.map((problem) => {
      const cell = cells.get(placeKey(problem.at));
      if (cell === undefined || problem.at === undefined) return problem;
      const { fixes, ...rest } = problem;
      // Without edits, because these would replace the reference, not the cell.
      const texts = fixes?.map((fix) => ({ ...fix, edits: [] }));
      const also = problem.also ?? { message: 'used here', at: problem.at };
      return { ...rest, ...(texts !== undefined && { fixes: texts }), at: cell, also };
    });
  }

  /** The variable. If it has no value, the reason and a suggestion. */
  variableOrWhy(name: string): Variable | MissingVariable {
    return this.variable(name) ?? this.#missingVariable(name);
  }

  /** Whether a variable still has the same value, or is still missing for the same reason. */
  isStill(name: string, was: Variable | MissingVariable): boolean {
    const is = this.variableOrWhy(name);
    if (isMissing(is) || isMissing(was)) return JSON.stringify(is) === JSON.stringify(was);
    return is.value === was.value && is.text === was.text;
  }

  #missingVariable(name: string): MissingVariable {
    const missing = this.#missing?.get(name) ?? this.#describeMissing(name);
    this.#missing ??= new Map();
    this.#missing.set(name, missing);
    return missing;
  }

  #describeMissing(name: string): MissingVariable {
    const { input, declared } = this.#shared;
    const { table } = this.#row ?? {};
    if (table?.columns.has(name)) {
      const { count, first } = this.#emptyIn(table, name);
      const rows = count === 1 ? `the row ${quote(first?.name.value ?? '')}` : `${formatNumber(count)} rows`;
      return {
        message: `the column ${quote(name)} is empty in ${rows}: fill it in, or declare a default under \`variables\` of the template`,
      };
    }
    const misnamed = this.#misnamedColumn(name);
    if (misnamed !== undefined) {
      const message = `no column has the name of \${var.${name}}, and nothing uses the column ${quote(misnamed)}`;
      return { message, column: misnamed };
    }
    const columns = [...(table?.columns.keys() ?? [])];
    const own = this.#own === undefined ? [] : [...this.#own.over.keys(), ...columns, ...this.#own.under.keys()];
    input.trace?.note('variables', '', answerOfVariables(input.env));
    const meant = nearest(name, [...own, ...declared.keys(), ...processVariables(input.env)]);
    const ofProcess = `${processPrefix}${name}`;
    const places = 'under variables of the manifest, or of the environment in agentform.yaml';
    if (input.env[ofProcess] === '')
      return {
        message: `the variable ${quote(name)} has no value, because ${ofProcess} is empty: set that, or declare it ${places}`,
      };
    const message = `the variable ${quote(name)} has no value`;
    if (meant !== undefined) return { message, meant };
    return { message: `${message}: declare it ${places}, or set ${ofProcess}` };
  }

  /**
   * Looks up a secret. Undefined if its process variable is unset, empty or not allowed; `unknown` if secrets are only
   * checked by form.
   */
  secret(name: string): Secret | 'unknown' | undefined {
    const { secrets, secretsAsked, input } = this.#shared;
    secretsAsked.add(name);
    if (!isAllowed(input.allowedSecrets, name)) return undefined;
    if (input.secrets === 'form') return 'unknown';
    const known = secrets.get(name);
    if (known !== undefined) return known;
    const value = secretValue(input.env, name);
    if (value === undefined) return undefined;
    const secret = new Secret(value);
    secrets.set(name, secret);
    // The JSON object around an entry must be redacted as well.
    const object = entryOf(name)?.of;
    const whole = object === undefined ? undefined : secretValue(input.env, object);
    if (object !== undefined && whole !== undefined && !secrets.has(object)) secrets.set(object, new Secret(whole));
    return secret;
  }

  /** The problem of a secret that is not set or not allowed. */
  missingSecret(name: string, at: Span): Problem {
    const { allowedSecrets, env } = this.#shared.input;
    if (allowedSecrets === undefined || isAllowed(allowedSecrets, name)) {
      const message = `the secret ${quote(name)} is needed: ${whyUnset(env, name)}`;
      return { ...errorAt(at, 'secret-unset', message), secret: name };
    }
    const { names, from } = allowedSecrets;
    const allowed = names.size === 0 ? 'none' : `only ${joinWithAnd([...names].map(quote))}`;
    const message = `the secret ${quote(name)} may not be used: ${from} allows ${allowed}; add ${name} to it, and give it a value, if a manifest may send it to the service`;
    return errorAt(at, 'secret-unset', message);
  }
}
