import { cached } from '../../../json/json.ts';
import { type AllowedSecrets, entryOf, isAllowed, mayBePastedSecret, Secret } from '../../../secrets/secret.ts';
import { secretValue, whyUnset } from '../../../secrets/secret-values.ts';
import { nearest } from '../../../text/suggest.ts';
import { formatNumber, joinWithAnd, quote } from '../../../text/wording.ts';
import { errorAt, type Problem, placeKey, type Span } from '../../../yaml/problem.ts';
import { type MapNode, memberOf } from '../../../yaml/tree.ts';
import { pastedSecret } from '../../check/credentials.ts';
import { type EmptyCells, isOwnColumn, type MemberTable } from '../../fleet/member-table.ts';
import type { MergedManifest } from '../../fleet/units.ts';
import { digestOf, type Trace } from '../../project/trace.ts';
import {
  type ChainVariables,
  type DeclaredVariable,
  type DeclaredVariables,
  variablesIn,
  variablesUnder,
  variableUse,
} from '../../project/variables.ts';

export interface Variable extends Omit<DeclaredVariable, 'at'> {
  /** The location of the value in a file. Absent for a process variable. */
  readonly at?: Span;
}

/** Explains why a variable has no value, and may contain a suggestion. */
export interface MissingVariable {
  readonly message: string;
  /** The name of an existing variable, if it is similar. */
  readonly meant?: string;
  /** The name of an unused table column, if it is similar. */
  readonly column?: string;
}

export function isMissing(found: Variable | MissingVariable): found is MissingVariable {
  return 'message' in found;
}

export interface ScopeInput {
  /** The name of the environment, and its node in agentform.yaml. */
  readonly environment: { readonly name: string; readonly definition: MapNode };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: 'names' | 'values';
  /** The secrets that may be used. Undefined means all secrets. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
  /** The trace that notes queries about process variables and tables. */
  readonly trace?: Trace | undefined;
  /** The maximum number of characters to insert into all manifests together. Unlimited if omitted. */
  readonly maxCharacters?: number;
}

/** The variables of environments. The variables are read only once, because all scopes of an environment share them. */
const declaredInEnvironments = new WeakMap<MapNode, DeclaredVariables>();

/** The manifest whose variables are added to those of the environment. */
type ScopedManifest = Pick<MergedManifest, 'chain' | 'row'>;

const processPrefix = 'AGENTFORM_VAR_';

/** The names of manifest variables that the process sets. */
export function processVariableNames(env: ScopeInput['env']): string[] {
  const given = Object.keys(env).filter((key) => key.startsWith(processPrefix) && env[key] !== '');
  return given.map((key) => key.slice(processPrefix.length));
}

/** A digest of one process variable, in the form that a trace stores. */
export function answerOfVariable(env: ScopeInput['env'], name: string): string {
  return digestOf(env[`${processPrefix}${name}`] ?? '');
}

/** A digest of the names of all process variables for manifests, in the form that a trace stores. */
export function answerOfVariables(env: ScopeInput['env']): string {
  return digestOf(JSON.stringify(processVariableNames(env).sort()));
}

/** Looks up the variables and secrets of one environment, or of one manifest in that environment. */
export class Scope {
  /** The names of all variables that were used. */
  readonly variablesAsked = new Set<string>();
  // Created on first use, because few scopes need it.
  #missing: Map<string, MissingVariable> | undefined;
  /**
   * The locations of values, with the table cells that were inserted into them. Problems with a value are reported at
   * its first cell.
   */
  #cells: Array<readonly [value: Span, cell: Variable]> | undefined;
  readonly #input: ScopeInput;
  readonly #declared: DeclaredVariables;
  readonly #own: ChainVariables | undefined;
  readonly #manifest: ScopedManifest | undefined;
  readonly #ofManifests: WeakMap<object, Scope>;
  readonly environment: string;
  /** The number of characters inserted into the environment's manifests so far, and the limit. */
  readonly size: { characters: number; readonly max: number };
  /** The secrets that the environment's manifests use and that are set, by name. */
  readonly secrets: Map<string, Secret>;
  /** The names of all referenced secrets, even if they are not set or not allowed. */
  readonly secretsAsked: Set<string>;

  /** A manifest's scope shares secrets and `size` with the scope of its environment. */
  constructor(input: ScopeInput, ofEnvironment?: Scope, manifest?: ScopedManifest) {
    const { name, definition } = input.environment;
    this.#input = input;
    this.environment = name;
    this.#declared = cached(
      declaredInEnvironments,
      definition,
      () => new Map(variablesUnder(memberOf(definition, 'variables'))),
    );
    this.#own = manifest && variablesIn(manifest.chain, name);
    this.#manifest = manifest;
    this.#ofManifests = ofEnvironment === undefined ? new WeakMap() : ofEnvironment.#ofManifests;
    this.size = ofEnvironment?.size ?? { characters: 0, max: input.maxCharacters ?? Number.POSITIVE_INFINITY };
    this.secrets = ofEnvironment?.secrets ?? new Map();
    this.secretsAsked = ofEnvironment?.secretsAsked ?? new Set();
  }

  of(manifest: ScopedManifest): Scope {
    return cached(this.#ofManifests, manifest, () => new Scope(this.#input, this, manifest));
  }

  /**
   * Looks up a variable. The order of precedence is: process variable, manifest, fleet row, environment, bases. This
   * order lets a pipeline set a value without editing a file. However, process variables never override a table column,
   * because a single variable would redirect all members. An empty process variable counts as not set, because some
   * pipelines pass empty variables.
   */
  variable(name: string): Variable | undefined {
    const { env, trace } = this.#input;
    const row = this.#manifest?.row;
    const isColumn = row?.table.columns.has(name) === true;
    const given = isColumn ? '' : (env[`${processPrefix}${name}`] ?? '');
    if (!isColumn && !this.variablesAsked.has(name)) trace?.note('variable', name, answerOfVariable(env, name));
    this.variablesAsked.add(name);
    if (given !== '') return { value: given, text: given };
    const own = this.#own?.over.get(name) ?? row?.variable(name);
    return own ?? this.#declared.get(name) ?? this.#own?.under.get(name);
  }

  /**
   * The location in a table that explains a missing variable: the first empty cell, or a column with a similar name.
   */
  placeInTable(name: string): Span | undefined {
    const table = this.#manifest?.row?.table;
    if (table?.columns.has(name)) return this.#emptyIn(table, name).first?.placeOf(name);
    const misnamed = this.#misnamedColumn(name);
    return misnamed === undefined ? undefined : table?.columns.get(misnamed);
  }

  /** Finds the rows in which a column is empty. Reads the whole table. */
  #emptyIn(table: MemberTable, column: string): EmptyCells {
    this.#input.trace?.note('row', 'table', table.digest());
    return table.emptyIn(column);
  }

  /** Finds an unused column whose name is similar to that of the variable. */
  #misnamedColumn(name: string): string | undefined {
    const { chain, row } = this.#manifest ?? {};
    const column = nearest(name, row?.table.columns.keys() ?? []);
    if (column === undefined || chain === undefined || isOwnColumn(column)) return undefined;
    return this.variablesAsked.has(column) || variableUse(chain, this.environment).referredTo.includes(column)
      ? undefined
      : column;
  }

  /** Notes that a table cell was inserted into a value. Ignores variables that are not table cells. */
  noteCell(value: Span, variable: Variable): void {
    if (!variable.isCell) return;
    this.#cells ??= [];
    this.#cells.push([value, variable]);
  }

  /** Moves problems with values that come from table cells to these cells. */
  atCells(problems: readonly Problem[]): readonly Problem[] {
    if (problems.length === 0 || this.#cells === undefined) return problems;
    const cells = new Map(this.#cells.toReversed().map(([value, cell]) => [placeKey(value), cell.at]));
    return problems.map((problem) => {
      const cell = cells.get(placeKey(problem.at));
      if (cell === undefined || problem.at === undefined) return problem;
      const { fixes, ...rest } = problem;
      // Remove edits, because an edit would replace the reference instead of the cell.
      const texts = fixes?.map((fix) => ({ ...fix, edits: [] }));
      const also = problem.also ?? { message: 'used here', at: problem.at };
      return { ...rest, ...(texts !== undefined && { fixes: texts }), at: cell, also };
    });
  }

  /** Returns the variable, or the reason why it has no value, with a suggestion. */
  variableOrWhy(name: string): Variable | MissingVariable {
    this.#missing ??= new Map();
    return this.variable(name) ?? cached(this.#missing, name, () => this.#missingVariable(name));
  }

  /** Whether a variable still has the same value, or is missing for the same reason. */
  isStill(name: string, was: Variable | MissingVariable): boolean {
    const is = this.variableOrWhy(name);
    if (isMissing(is) || isMissing(was)) return JSON.stringify(is) === JSON.stringify(was);
    return is.value === was.value && is.text === was.text;
  }

  #missingVariable(name: string): MissingVariable {
    const { env, trace } = this.#input;
    const table = this.#manifest?.row?.table;
    if (table?.columns.has(name)) {
      const { count, first } = this.#emptyIn(table, name);
      const rows = count === 1 ? `the row ${quote(first?.name.value ?? '')}` : `${formatNumber(count)} rows`;
      return {
        message: `the column ${quote(name)} is empty in ${rows}: fill it in, or declare a default under \`variables\` in the template`,
      };
    }
    const misnamed = this.#misnamedColumn(name);
    if (misnamed !== undefined && !mayBePastedSecret(misnamed)) {
      const message = `no column matches \${var.${name}}, and nothing uses the column ${quote(misnamed)}`;
      return { message, column: misnamed };
    }
    const columns = [...(table?.columns.keys() ?? [])];
    const own = this.#own === undefined ? [] : [...this.#own.over.keys(), ...columns, ...this.#own.under.keys()];
    trace?.note('variables', '', answerOfVariables(env));
    const meant = nearest(name, [...own, ...this.#declared.keys(), ...processVariableNames(env)]);
    const ofProcess = `${processPrefix}${name}`;
    const where = 'under `variables`, in the manifest or in the environment in agentform.yaml';
    if (env[ofProcess] === '')
      return {
        message: `the variable ${quote(name)} has no value, because ${ofProcess} is empty: set ${ofProcess}, or declare the variable ${where}`,
      };
    const message = `the variable ${quote(name)} has no value`;
    if (meant !== undefined) return { message, meant };
    return { message: `${message}: declare it ${where}, or set ${ofProcess}` };
  }

  /**
   * Looks up a secret. Undefined if its process variable is not set, empty or not allowed. `unknown` if secrets are
   * resolved only by name.
   */
  secret(name: string): Secret | 'unknown' | undefined {
    const { env, allowedSecrets, secrets } = this.#input;
    this.secretsAsked.add(name);
    if (!isAllowed(allowedSecrets, name)) return undefined;
    if (secrets === 'names') return 'unknown';
    const known = this.secrets.get(name);
    if (known !== undefined) return known;
    const value = secretValue(env, name);
    if (value === undefined) return undefined;
    const secret = new Secret(value);
    this.secrets.set(name, secret);
    // The JSON object that contains the entry must be redacted too.
    const object = entryOf(name)?.of;
    const whole = object === undefined ? undefined : secretValue(env, object);
    if (object !== undefined && whole !== undefined && !this.secrets.has(object)) {
      this.secrets.set(object, new Secret(whole));
    }
    return secret;
  }

  /** Explains whether a missing secret is not set or not allowed. */
  missingSecret(name: string, at: Span): Problem {
    const { allowedSecrets, env } = this.#input;
    if (mayBePastedSecret(name)) return pastedSecret(at);
    if (allowedSecrets === undefined || isAllowed(allowedSecrets, name)) {
      const message = `the secret ${quote(name)} has no value: ${whyUnset(env, name)}`;
      return { ...errorAt(at, 'secret-unset', message), secret: name };
    }
    const { names, from } = allowedSecrets;
    const allowed = names.size === 0 ? 'none' : `only ${joinWithAnd([...names].map(quote))}`;
    const message = `the secret ${quote(name)} is not allowed, because ${from} allows ${allowed}. If a manifest may send this secret to the service, add ${name} to ${from} and set its value`;
    return errorAt(at, 'secret-unset', message);
  }
}
