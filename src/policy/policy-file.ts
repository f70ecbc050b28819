import { canonicalJson } from '../json/json.ts';
import { kindNames } from '../kinds/kind.ts';
import { parseSelector } from '../kinds/labels.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { PolicyFile } from '../schemas/policy-types.ts';
import { policyFile } from '../schemas/policy-validators.js';
import { nearest } from '../text/suggest.ts';
import { isDay } from '../text/time.ts';
import { joinWithOr, quote } from '../text/wording.ts';
import { renaming } from '../yaml/fix.ts';
import { errorAt, hasErrors, type Problem } from '../yaml/problem.ts';
import { type SourceFile, spanFinderInYaml } from '../yaml/source-file.ts';
import { headOf, keyAt, type MapNode, memberOf, nodeAt, type ScalarNode, toJson } from '../yaml/tree.ts';
import type { ValueChecks } from '../yaml/values.ts';
import { problemsOfViolations } from '../yaml/violations.ts';
import { compileExpression, type ExpressionProblem } from './expression.ts';
import type { Policy, PolicyException, PolicyRule } from './policy.ts';

interface CheckedPolicy {
  /** The policy. Absent if the file has errors. */
  readonly policy?: Policy;
  readonly problems: readonly Problem[];
}

interface AuthoredPolicy {
  readonly root: MapNode;
  readonly source: SourceFile;
  readonly checks: ValueChecks;
}

/** Checks a Policy file and compiles its expressions. If the file has errors, returns no policy. */
export async function checkPolicyFile(authored: AuthoredPolicy): Promise<CheckedPolicy> {
  const { root, source } = authored;
  const json: unknown = toJson(root);
  if (!isPolicyFile(json))
    return { problems: problemsOfViolations({ kind: 'Policy', root, source }, policyFile.errors ?? []) };
  const kinds = json.match?.kinds ?? kindNames;
  const checked: CheckedRule[] = [];
  for (const [index, one] of json.rules.entries()) checked.push(await checkRule(one, { index, kinds }, authored));
  const exceptions = (json.exceptions ?? []).map((exception, index) => checkException(exception, root, index));
  const match = matchOf(json.match ?? {}, root);
  const problems = [...checked, ...exceptions, match].flatMap((one) => one.problems);
  if (hasErrors(problems)) return { problems };
  const policy: Policy = {
    name: json.name,
    match: match.matched,
    rules: checked.flatMap(({ policyRule }) => policyRule ?? []),
    exceptions: exceptions.map(({ exception }) => exception),
    content: canonicalJson(json),
  };
  return { policy, problems };
}

interface CheckedRule {
  readonly policyRule?: PolicyRule;
  readonly problems: readonly Problem[];
}

async function checkRule(
  json: PolicyFile['rules'][number],
  { index, kinds }: { readonly index: number; readonly kinds: readonly KindName[] },
  { root, source, checks }: AuthoredPolicy,
): Promise<CheckedRule> {
  const steps = ['rules', String(index)];
  const level = json.deny === undefined ? 'warn' : 'deny';
  const node = nodeAt(root, [...steps, level]);
  if ((json.deny === undefined) === (json.warn === undefined) || node?.type !== 'scalar') {
    const at = headOf(nodeAt(root, steps) ?? root);
    return { problems: [errorAt(at, 'policy-rule', `rules[${index}] needs either deny or warn, with an expression`)] };
  }
  const expression = await compileExpression(String(node.value), {
    regexProblem: async (regex) => {
      const problem = await checks.regex(regex);
      return problem && `${problem.message}${problem.detail ?? ''}`;
    },
  });
  if ('problems' in expression) {
    return { problems: expression.problems.map((problem) => brokenExpression(problem, node, source)) };
  }
  const unknown = unknownReads(expression.reads, kinds, String(node.value));
  return {
    policyRule: { level, message: json.message, expression, at: node.at },
    problems: unknown.map((problem) => brokenExpression(problem, node, source)),
  };
}

function checkException(
  exception: NonNullable<PolicyFile['exceptions']>[number],
  root: MapNode,
  index: number,
): { readonly exception: PolicyException; readonly problems: readonly Problem[] } {
  const node = nodeAt(root, ['exceptions', String(index)]);
  const at = headOf(node ?? root);
  const { until } = exception;
  if (until === undefined || isDay(until)) return { exception: { ...exception, at }, problems: [] };
  const message = `until is ${quote(until)}: expected a date, such as 2026-12-31`;
  const problem = errorAt(memberOf(node, 'until')?.at ?? at, 'policy-exception', message);
  return { exception: { ...exception, at }, problems: [problem] };
}

function matchOf(
  { selector, ...match }: NonNullable<PolicyFile['match']>,
  root: MapNode,
): { readonly matched: Policy['match']; readonly problems: readonly Problem[] } {
  if (selector === undefined) return { matched: match, problems: [] };
  const parsed = parseSelector(selector);
  if (parsed.problem === undefined) return { matched: { ...match, requirements: parsed.requirements }, problems: [] };
  return { matched: match, problems: [errorAt(keyAt(root, ['match', 'selector']), 'policy-rule', parsed.problem)] };
}

function isPolicyFile(json: unknown): json is PolicyFile {
  return policyFile(json);
}

/**
 * If the expression and its YAML source differ only in white space, reports the problem at its range in the file.
 * Otherwise, reports the problem for the whole expression.
 */
function brokenExpression(problem: ExpressionProblem, node: ScalarNode, source: SourceFile): Problem {
  const { message, start, end, found, meant } = problem;
  const text = String(node.value);
  const at = spanFinderInYaml(node.at, text, () => source)(start, Math.max(end, start + 1));
  const broken = errorAt(at, 'policy-expression', `the expression is invalid: ${message}`);
  if (found === undefined || meant === undefined) return broken;
  const last = source.span(Math.max(at.offset, at.end - found.length), at.end);
  const isThere = source.text.slice(last.offset, last.end) === found;
  return { ...broken, found, fixes: [renaming({ at: isThere ? last : undefined, found }, meant)] };
}

/** The members that expressions may read, by variable or path. The fields of kinds are not included. */
export const expressionMembers: Readonly<Record<string, readonly string[]>> = {
  desired: [
    'kind',
    'name',
    'environment',
    'labels',
    'organization',
    'agent',
    'memberId',
    'resellerId',
    'extraSettings',
  ],
  resource: ['kind', 'name', 'id', 'labels', 'action', 'step', 'waiting', 'renamedFrom', 'changes'],
  change: ['op', 'path', 'from', 'to', 'lastApplied', 'cause', 'knowledge'],
  plan: ['environment', 'summary', 'resources'],
  'plan.summary': ['create', 'update', 'unchanged', 'blocked', 'failed', 'orphans', 'forget'],
};

/**
 * Reports each unknown member at the position where the expression reads the member. Without this check, a rule with a
 * typo would fail for every resource.
 */
function unknownReads(
  reads: readonly (readonly string[])[],
  kinds: readonly KindName[],
  text: string,
): ExpressionProblem[] {
  const fields = kinds.flatMap((kind) => fieldsByKind[kind]);
  const sections = [...new Set(fields.map(({ section }) => section))];
  return reads.flatMap(([variable = '', member, name]) => {
    const members = [...(expressionMembers[variable] ?? []), ...(variable === 'desired' ? sections : [])];
    if (member === undefined || members.length === 0) return [];
    if (!members.includes(member)) return [unknownRead(text, [variable, member], members)];
    const setting = variable === 'desired' && member === 'extraSettings' ? name : undefined;
    const declared = fields.find((field) => field.name === setting);
    if (declared !== undefined) return [misplacedRead(text, [variable, member, declared.name], declared)];
    const known = namesBelow(variable, member, fields);
    if (name === undefined || known.length === 0 || known.includes(name)) return [];
    return [unknownRead(text, [variable, member, name], known)];
  });
}

/** The valid names inside a variable's member. Empty if any name is valid. */
function namesBelow(variable: string, member: string, fields: readonly FieldSchema[]): readonly string[] {
  if (variable === 'plan') return expressionMembers[`plan.${member}`] ?? [];
  const own = fields.filter(({ section, isSection }) => variable === 'desired' && section === member && !isSection);
  return own.map(({ name }) => name);
}

/**
 * Reports a known setting that is read under `extraSettings`. In resolved manifests, such a setting is always in its
 * own section, so the expression would never find the setting.
 */
function misplacedRead(text: string, chain: readonly string[], field: FieldSchema): ExpressionProblem {
  const meant = ['desired', ...field.path].join('.');
  const found = chain.join('.');
  return { ...rangeOfRead(text, chain), message: `${found} is never set`, found, meant };
}

function rangeOfRead(text: string, chain: readonly string[]): { readonly start: number; readonly end: number } {
  const readText = chain.join('.');
  const found = text.indexOf(readText);
  return found < 0 ? { start: 0, end: text.length } : { start: found, end: found + readText.length };
}

function unknownRead(text: string, chain: readonly string[], known: readonly string[]): ExpressionProblem {
  const name = chain.at(-1) ?? '';
  const meant = nearest(name, known);
  const problem = { ...rangeOfRead(text, chain), message: `there is no ${chain.join('.')}` };
  if (meant !== undefined) return { ...problem, found: name, meant };
  return known.length > 12 ? problem : { ...problem, message: `${problem.message}; expected ${joinWithOr(known)}` };
}
