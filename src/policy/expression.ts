import type { Environment } from '@marcbachmann/cel-js';
import { cached, isJsonObject } from '../json/json.ts';
import { MaskedText, SecretNeeded } from '../secrets/masked-text.ts';
import { nearest } from '../text/suggest.ts';
import { joinWithOr, lowerFirst, shorten } from '../text/wording.ts';
import { holdsMasked, holdsSecret, maskedOutcome } from './masked-values.ts';

// Only this file uses the CEL engine (decisions/0066). No other file depends on the engine's nodes, errors or types.

/**
 * When a rule is evaluated: after manifests are resolved, for each resource in a plan, for each change, or for a whole
 * plan.
 */
export type Moment = 'desired' | 'resource' | 'change' | 'plan';

/** The variables of an expression, by name. */
export type Bindings = Readonly<Record<string, unknown>>;

/** The result of an evaluation. A failure completes a sentence that begins with the name of the rule. */
type Evaluation = boolean | { readonly failure: string };

/** A compiled expression, which can be evaluated many times. */
export interface Expression {
  readonly moment: Moment;
  /** The member chains that the expression reads, such as `['desired', 'settings', 'title']`. */
  readonly reads: readonly (readonly string[])[];
  readonly evaluate: (variables: Bindings, budget: StepBudget) => Evaluation;
}

/** A problem in an expression, with the offsets of its range. */
export interface ExpressionProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** The text at the end of the range, and the similar text that the author probably meant. */
  readonly found?: string;
  readonly meant?: string;
}

/** The number of steps that remain for all expressions of a run. */
export interface StepBudget {
  steps: number;
}

/** Makes a step budget for all expressions of a run. The budget is enough for about ten seconds. */
export function newStepBudget(): StepBudget {
  return { steps: 100_000_000 };
}

/**
 * The step budget of one evaluation. A rule about a whole plan gets more steps, because the plan may have ten thousand
 * resources.
 */
const maxSteps: Readonly<Record<Moment, number>> = {
  desired: 100_000,
  resource: 100_000,
  change: 100_000,
  plan: 10_000_000,
};

/**
 * An expression that reads `now` is never judged at the moment `desired`, because the result of `validate` must not
 * depend on the time.
 */
const variableNames = ['desired', 'resource', 'change', 'plan', 'now'] as const;

/** The maximum length of an expression, in characters. Expressions up to this length compile quickly. */
const maxCharacters = 4000;
const limits = { maxAstNodes: 1000, maxDepth: 50, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 8 };

interface CompileOptions {
  /** Returns why a regex is invalid or may be slow. Undefined if the regex matches in linear time. */
  readonly regexProblem: (regex: string) => Promise<string | undefined>;
}

/** Compiles an expression, or returns its problems. Loads the engine on first use. */
export async function compileExpression(
  text: string,
  { regexProblem }: CompileOptions,
): Promise<Expression | { readonly problems: readonly ExpressionProblem[] }> {
  const whole = { start: 0, end: text.length };
  const refused = (message: string) => ({ problems: [{ ...whole, message }] });
  if (text.length > maxCharacters)
    return refused(`it has ${text.length} characters; at most ${maxCharacters} are allowed`);
  const engine = await loadEngine();
  let parsed: ReturnType<typeof engine.parse>;
  try {
    parsed = engine.parse(text);
  } catch (error) {
    return { problems: [engineProblem(error, text)] };
  }
  const checked = parsed.check();
  if (!checked.valid) return { problems: [engineProblem(checked.error, text)] };
  if (checked.type !== 'bool' && checked.type !== 'dyn')
    return refused(`it returns ${checked.type}, but must return true or false`);
  const root: unknown = parsed.ast;
  if (!isNode(root)) throw new Error('the nodes of the CEL engine have an unknown form');
  const nodes = nodesOf(root);
  const problems = [...misused(nodes), ...(await regexProblems(nodes, regexProblem))];
  if (problems.length > 0) return { problems };
  const reads = readsOf(root);
  const moment = judgingMoment(reads);
  if (typeof moment !== 'string') return { problems: [{ ...whole, ...moment }] };
  const meter: Meter = { left: 0, isSpent: false, seen: undefined };
  for (const node of nodes) measure(node, meter);
  return {
    moment,
    reads,
    evaluate: (variables, budget) => metered({ parsed, text, moment, meter }, variables, budget),
  };
}

interface Metered {
  readonly parsed: (variables: Bindings) => unknown;
  readonly text: string;
  readonly moment: Moment;
  readonly meter: Meter;
}

function metered({ parsed, text, moment, meter }: Metered, variables: Bindings, budget: StepBudget): Evaluation {
  const allowed = Math.min(maxSteps[moment], budget.steps);
  meter.left = allowed;
  meter.isSpent = false;
  meter.seen = seesSecrets(variables.desired) ? new Map() : undefined;
  const outcome = outcomeOf(() => parsed(variables), text);
  budget.steps -= Math.max(1, allowed - meter.left);
  return meter.isSpent || budget.steps <= 0 ? { failure: 'takes too many steps' } : outcome;
}

async function loadEngine(): Promise<InstanceType<typeof Environment>> {
  const cel = await import('@marcbachmann/cel-js');
  const engine = new cel.Environment({ limits, homogeneousAggregateLiterals: false });
  engine.registerType('SecretText', MaskedText);
  engine.registerFunction(`${holdsSecret}(dyn): bool`, holdsMasked);
  mixNumbers(engine);
  for (const name of variableNames) engine.registerVariable(name, name === 'now' ? 'google.protobuf.Timestamp' : 'dyn');
  return engine;
}

/**
 * The arithmetic operators for mixed numbers. In CEL, both operands must have the same type, but JSON has only one
 * number type.
 */
const mixed: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '%': (one, other) => one % other,
};

/**
 * Allows arithmetic with mixed numbers. Plans and manifests contain doubles, but expressions contain mostly integers.
 */
function mixNumbers(engine: InstanceType<typeof Environment>): void {
  for (const [operator, calculate] of Object.entries(mixed)) {
    const both = (one: number | bigint, other: number | bigint) => calculate(Number(one), Number(other));
    engine.registerOperator(`double ${operator} int: double`, both);
    engine.registerOperator(`int ${operator} double: double`, both);
  }
  engine.registerOperator('double % double: double', (one: number, other: number) => one % other);
  engine.registerOperator('double == int', (one: number, other: bigint) => one === Number(other));
}

/** A node of the engine's syntax tree, including members that the engine's published type lacks. */
interface EngineNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  readonly meta: { readonly alternate?: unknown; readonly evaluate: Evaluate };
  setMeta(key: 'evaluate', evaluate: Evaluate): void;
}

type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

function isNode(value: unknown): value is EngineNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'setMeta' in value && 'meta' in value;
}

/** The node and all nodes below it, including expansions of macros. */
function nodesOf(root: EngineNode): ReadonlySet<EngineNode> {
  const found = new Set([root]);
  for (const { args, meta } of found) {
    for (const child of [...nodesIn(args), ...nodesIn(meta.alternate)]) found.add(child);
  }
  return found;
}

function nodesIn(value: unknown): EngineNode[] {
  if (isNode(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null || !('iterable' in value)) return [];
  const { iterable, step, init } = { step: undefined, init: undefined, ...value };
  return [iterable, step, init].filter(isNode);
}

interface Meter {
  left: number;
  isSpent: boolean;
  /** The results of the evaluated nodes. Undefined if no value contains a secret. */
  seen: Map<EngineNode, unknown> | undefined;
}

/**
 * The error for an exceeded step budget. The error is created once, because creating an error for each node would slow
 * down the end of an evaluation.
 */
const spent = new Error('takes too many steps');

/**
 * Charges steps for each evaluation of the node. A long string or list costs more steps, because a parent node reads
 * it. The engine continues comparisons and quantifiers after an error, but these fail immediately if no steps are left.
 */
function measure(node: EngineNode, meter: Meter): void {
  const { evaluate } = node.meta;
  const own = node.op === 'call' || node.op === 'rcall' ? 10 : 1;
  const operands = isNode(node.meta.alternate) ? [] : nodesIn(node.args);
  node.setMeta('evaluate', (evaluator, self, context) => {
    if (meter.left <= 0) throw stop(meter);
    // Reserves steps for a possible engine error. Creating such an error takes as long as a hundred steps, because the
    // error quotes the expression.
    meter.left -= 100;
    const value = maskedValue({ node, operands, meter }, () => evaluate(evaluator, self, context));
    meter.left += 100;
    meter.left -= own + (typeof value === 'string' ? value.length >> 6 : Array.isArray(value) ? value.length >> 3 : 0);
    if (meter.left <= 0) throw stop(meter);
    return value;
  });
}

interface Measured {
  readonly node: EngineNode;
  readonly operands: readonly EngineNode[];
  readonly meter: Meter;
}

/**
 * Evaluates a node. The engine does not support masked texts, so its result is used only if `maskedOutcome` returns
 * undefined.
 */
function maskedValue({ node, operands, meter }: Measured, evaluate: () => unknown): unknown {
  const { seen } = meter;
  if (seen === undefined) return evaluate();
  for (const operand of operands) seen.delete(evaluatedFor(operand));
  const outcome = outcomeOrError(evaluate);
  const values = operands.map(evaluatedFor).map((one) => (one.op === 'value' ? one.args : seen.get(one)));
  const name = nameOfCall(node);
  const value = maskedOutcome({ op: node.op, name, values }, (steps) => {
    meter.left -= steps;
    if (meter.left <= 0) throw stop(meter);
  });
  if (value === undefined && 'error' in outcome) throw outcome.error;
  const settled = value ?? ('value' in outcome ? outcome.value : undefined);
  seen.set(node, settled);
  return settled;
}

/** The node that the engine evaluates in place of the given node. For a macro, this is its expansion. */
function evaluatedFor(node: EngineNode): EngineNode {
  const { alternate } = node.meta;
  return isNode(alternate) ? evaluatedFor(alternate) : node;
}

function outcomeOrError(evaluate: () => unknown): { readonly value: unknown } | { readonly error: unknown } {
  try {
    return { value: evaluate() };
  } catch (error) {
    return { error };
  }
}

function nameOfCall({ op, args }: EngineNode): string | undefined {
  const isCall = op === 'call' || op === 'rcall';
  const name: unknown = isCall && Array.isArray(args) ? args[0] : undefined;
  return typeof name === 'string' ? name : undefined;
}

const viewsWithSecrets = new WeakMap<object, boolean>();

/** Whether a view contains secrets. Caches the results, because many rules evaluate the same view. */
function seesSecrets(view: unknown): boolean {
  if (typeof view !== 'object' || view === null) return false;
  return cached(viewsWithSecrets, view, () => holdsMasked(view));
}

function stop(meter: Meter): Error {
  meter.isSpent = true;
  return spent;
}

/** Refuses `cel.bind`, because the names that it binds would hide which members an expression reads. */
function misused(nodes: ReadonlySet<EngineNode>): ExpressionProblem[] {
  return [...nodes].flatMap(({ op, args, start, end }) => {
    if (op !== 'rcall' || !Array.isArray(args) || args[0] !== 'bind') return [];
    return [{ start, end, message: 'policies do not support cel.bind; repeat the expression instead' }];
  });
}

/**
 * Checks the regexes in an expression. JavaScript's regex engine backtracks, so only regexes that are proven fast are
 * allowed. CEL is specified with RE2, so a rule with RE2 syntax that JavaScript lacks would silently never match.
 */
async function regexProblems(
  nodes: ReadonlySet<EngineNode>,
  regexProblem: CompileOptions['regexProblem'],
): Promise<ExpressionProblem[]> {
  const problems: ExpressionProblem[] = [];
  for (const { op, args, start, end } of nodes) {
    if (!Array.isArray(args) || args[0] !== 'matches' || (op !== 'rcall' && op !== 'call')) continue;
    const given: unknown = args.at(-1);
    const regex: unknown = Array.isArray(given) ? given.at(-1) : undefined;
    if (!isNode(regex) || regex.op !== 'value' || typeof regex.args !== 'string') {
      problems.push({ start, end, message: 'the regex of matches() must be a string literal' });
      continue;
    }
    const problem = await regexProblem(regex.args);
    if (problem !== undefined)
      problems.push({
        start: regex.start,
        end: regex.end,
        message: `the regex of matches() is not allowed: ${problem}`,
      });
  }
  return problems;
}

/**
 * The member chains that an expression reads, each beginning with a variable. Leaves out chains that begin with a name
 * bound by a quantifier.
 */
function readsOf(root: EngineNode): string[][] {
  const found = new Map<string, string[]>();
  const open: { readonly node: EngineNode; readonly hidden: ReadonlySet<string> }[] = [
    { node: root, hidden: new Set() },
  ];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { node, hidden } = next;
    const chain = chainOf(node);
    if (chain !== undefined) {
      if (!hidden.has(chain[0] ?? '')) found.set(chain.join('\0'), chain);
      continue;
    }
    const { alternate } = node.meta;
    if (isNode(alternate) && alternate.op === 'comprehension' && typeof alternate.args === 'object') {
      const { iterable, step, iterVarName } = { iterable: 0, step: 0, iterVarName: '', ...alternate.args };
      const inside = new Set([...hidden, String(iterVarName)]);
      open.unshift(
        ...nodesIn(iterable).map((one) => ({ node: one, hidden })),
        ...nodesIn(step).map((one) => ({ node: one, hidden: inside })),
      );
      continue;
    }
    open.unshift(...nodesIn(node.args).map((one) => ({ node: one, hidden })));
  }
  return [...found.values()];
}

/** Returns the names in a member chain such as `desired.settings["title"]`. Undefined for any other node. */
function chainOf(node: EngineNode): string[] | undefined {
  const members: string[] = [];
  for (let at = node; ; ) {
    if (at.op === 'id' && typeof at.args === 'string') return [at.args, ...members.reverse()];
    if ((at.op !== '.' && at.op !== '[]') || !Array.isArray(at.args)) return undefined;
    const [left, right]: unknown[] = at.args;
    const name = isNode(right) && right.op === 'value' ? right.args : right;
    if (!isNode(left) || typeof name !== 'string') return undefined;
    members.push(name);
    at = left;
  }
}

/**
 * Finds the moment of an expression. An expression can read either the plan, or a single resource or change, because a
 * plan has many resources and changes.
 */
function judgingMoment(reads: readonly (readonly string[])[]): Moment | { readonly message: string } {
  const names = new Set(reads.map(([name]) => name));
  const inner = (['change', 'resource', 'desired'] as const).find((name) => names.has(name));
  if (!names.has('plan')) {
    if (names.has('now') && (inner === undefined || inner === 'desired'))
      return inner === undefined ? 'plan' : 'resource';
    return inner ?? 'desired';
  }
  if (inner === undefined) return 'plan';
  return {
    message: `it reads both plan and ${inner}, but a rule can read only one of them; split it into two rules`,
  };
}

/** Evaluates an expression, and turns an engine error into a failure. */
function outcomeOf(evaluate: () => unknown, text: string): Evaluation {
  try {
    const value = evaluate();
    if (typeof value === 'boolean') return value;
    return { failure: 'returns neither true nor false' };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { failure: evaluationProblem(error, text) };
  }
}

function evaluationProblem(error: Error, text: string): string {
  if (error instanceof SecretNeeded)
    return `${error.message}, which rules cannot read; guard it with !${holdsSecret}(...)`;
  const { code, summary, node } = engineError(error);
  if (code !== 'no_such_key' || node === undefined) return `cannot be evaluated: ${shorten(summary, 200)}`;
  const read = text.slice(node.start, node.end);
  const chain = chainOf(node);
  const isTestable = node.op === '.' && chain !== undefined;
  return `reads ${shorten(read, 80)}, which is not declared${isTestable ? `; test for it with has(${shorten(read, 80)})` : ''}`;
}

interface EngineError {
  readonly code: string | undefined;
  readonly summary: string;
  readonly node: EngineNode | undefined;
  readonly range: { readonly start: number; readonly end: number } | undefined;
}

function engineError(error: Error): EngineError {
  // Each member is read by name, because spreading would skip the accessors of the engine's error class.
  const [code, summary, node, range] = ['code', 'summary', 'node', 'range'].map((name): unknown =>
    Reflect.get(error, name),
  );
  return {
    code: typeof code === 'string' ? code : undefined,
    summary: typeof summary === 'string' ? summary : error.message,
    node: isNode(node) ? node : undefined,
    range: isRange(range) ? range : undefined,
  };
}

function isRange(value: unknown): value is { readonly start: number; readonly end: number } {
  return isJsonObject(value) && typeof value.start === 'number' && typeof value.end === 'number';
}

function engineProblem(error: unknown, text: string): ExpressionProblem {
  if (!(error instanceof Error)) throw error;
  const { code, summary, range } = engineError(error);
  const { start, end } = range ?? { start: 0, end: text.length };
  const message = shorten(lowerFirst(summary), 200);
  const problem = { start, end: Math.max(end, start + 1), message };
  const found = text.slice(start, end);
  if (code === 'unexpected_character' && found === '=')
    return { ...problem, message: `${message}; write == to compare two values` };
  if (code !== 'unknown_variable') return problem;
  const meant = nearest(found, variableNames);
  if (meant !== undefined) return { ...problem, found, meant };
  return { ...problem, message: `${message}; a rule can read ${joinWithOr(variableNames)}` };
}
