import { addressOf } from '../kinds/desired.ts';
import { type Notice, type NoticeCode, type NoticeOf, notice, remedyIn } from '../notices/notice.ts';
import type { DecisionOptions } from '../schemas/option-types.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import { conflictsOf, isUnclearEdit } from './pending.ts';

/** The option for each rule. Decisions are listed in the order of these rules. */
const optionsOfRules = [
  ['conflict', 'overwrite'],
  ['new-agent', 'new'],
  ['older-commit', 'allowOlder'],
  ['limit-creates', 'allowCreates'],
  ['policies', 'skipPolicies'],
  ['requires', 'skipRequires'],
  ['rollout', 'skipRollout'],
  ['tests', 'skipTests'],
] as const satisfies readonly (readonly [string, keyof DecisionOptions])[];

/** A check that a decision can overrule, or a choice that only an answer can make. */
type DecisionRule = (typeof optionsOfRules)[number][0] | 'leave-out' | 'both';

/** A decision for one run, made by an option or by an answer. */
export interface Decision {
  readonly rule: DecisionRule;
  /** The addresses of the affected resources. An empty list means all resources. For `limit-creates`, the new limit. */
  readonly names: readonly string[];
  readonly by: 'flag' | 'answer';
  /** The person who answered, if known. */
  readonly person?: string;
  /** The reason, if the resources are left out because an answer is no longer valid. */
  readonly reason?: Notice;
}

/** The value of `--new` that declares all creates as new agents. */
export const allNew = 'all';

export function decisionsOf(options: DecisionOptions): Decision[] {
  const decisions: Decision[] = [];
  for (const [rule, option] of optionsOfRules) {
    const value = options[option];
    const isNamed = typeof value === 'object';
    if (value === undefined || value === false || (isNamed && value.length === 0)) continue;
    const names = isNamed ? value : typeof value === 'number' ? [String(value)] : [];
    decisions.push({ rule, names, by: 'flag' });
  }
  return decisions;
}

export type Decisions = readonly Decision[] | undefined;

export function isDecided(decisions: Decisions, rule: DecisionRule): boolean {
  return decisions?.some((decision) => decision.rule === rule) === true;
}

/** The names in all decisions that overrule a rule. */
export function namesDecided(decisions: Decisions, rule: DecisionRule): string[] {
  return (decisions ?? []).flatMap((decision) => (decision.rule === rule ? decision.names : []));
}

/** Finds the decision for a rule that names the resource, or that declares all creates as new. */
export function decisionNaming(
  decisions: Decisions,
  rule: 'conflict' | 'new-agent' | 'leave-out' | 'both',
  address: string,
): Decision | undefined {
  const isNamed = ({ names }: Decision) => names.includes(address) || (rule === 'new-agent' && names.includes(allNew));
  return decisions?.find((decision) => decision.rule === rule && isNamed(decision));
}

/** The limit on creates that a decision sets, or infinity if the decision has no number. */
export function createsDecided(decisions: Decisions): number | undefined {
  if (!isDecided(decisions, 'limit-creates')) return undefined;
  const [limit] = namesDecided(decisions, 'limit-creates');
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** The options and values for a printed command that makes the same decisions, except by answers. */
export function flagsOf(decisions: Decisions): string[] {
  return optionsOfRules.flatMap(([rule, name]) => {
    const names = namesDecided(decisions, rule);
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (rule === 'conflict') return names.map((address) => `${option} ${address}`);
    if (!isDecided(decisions, rule)) return [];
    return names.length === 0 ? [option] : [`${option} ${names.join(',')}`];
  });
}

/** The facts about a conflict that determine its remedies. */
export type Conflict = Pick<Change, 'path' | 'mergeable' | 'updateRefusal'>;

/** Whether `update` can merge all of these conflicts into the manifests. */
export function areMergeable(conflicts: readonly Conflict[]): boolean {
  return conflicts.every(({ mergeable, updateRefusal }) => mergeable && updateRefusal === undefined);
}

/** A resource with its last apply, if known. */
export type Owner = Pick<ResourcePlan, 'kind' | 'name' | 'lastApply'>;

/**
 * The notice about a resource's conflicts, with the possible remedies: merge, overwrite or copy. Overwriting is not
 * offered if every conflict can be merged. Only texts in which the edits do not overlap can be merged. If `update`
 * cannot copy a value, the manifest must be edited by hand.
 */
export function conflictNotice(
  environment: string,
  resource: Owner,
  conflicts: readonly Conflict[],
): NoticeOf<'conflict'> {
  const copied = conflicts.filter(({ updateRefusal }) => updateRefusal === undefined);
  const [first, ...others] = copied.filter(({ mergeable }) => !mergeable);
  const field = first === undefined || others.length > 0 ? 'PATH' : first.path;
  const update = ['update', resource.name] as const;
  const merged = copied.filter(({ mergeable }) => mergeable).length;
  const facts = conflicts.map(({ path, mergeable, updateRefusal }) => ({
    path,
    ...(mergeable && { isMergeable: mergeable }),
    ...(updateRefusal?.code === 'not-copied' && { refusal: updateRefusal.facts.obstacle }),
  }));
  const isUnclear = isUnclearEdit(resource);
  return notice('conflict', { conflicts: facts, ...(isUnclear && { isUnclear }) }, [
    ...(merged > 0 ? [remedyIn(environment, ...update)] : []),
    ...(merged === conflicts.length ? [] : [remedyIn(environment, 'apply', '--overwrite', addressOf(resource))]),
    ...(first === undefined ? [] : [remedyIn(environment, ...update, '--field', field)]),
  ]);
}

/** Makes the `apply` commands in a notice apply the saved plan at `path`, if any. */
export function ofSavedPlan<Code extends NoticeCode>(found: NoticeOf<Code>, path: string | undefined): NoticeOf<Code> {
  if (path === undefined) return found;
  const remedies = found.remedies.map((words) => (words[0] === 'apply' ? [...words, '--plan', path] : words));
  return { ...found, remedies };
}

/**
 * Whether a resource is left out because of a person's answer, given in this run or recorded by an earlier run. The
 * answer may be about a resource that this one depends on.
 */
export function isLeftByAnswer([reason]: readonly Notice[]): boolean {
  if (reason?.code === 'dependency-stopped') return reason.facts.isAnswered === true;
  return reason?.code === 'left-out' || reason?.code === 'settings-kept';
}

/** Whether a plan leaves out a resource because of a person's answer. */
export function isDeclined({ action, reasons }: ResourcePlan): boolean {
  return action === 'blocked' && isLeftByAnswer(reasons);
}

/** Why an answer leaves out a resource, or cannot be carried out. Returns undefined in all other cases. */
export function leavingOut(environment: string, resource: ResourcePlan, decisions: Decisions): Notice[] | undefined {
  const address = addressOf(resource);
  const out = decisionNaming(decisions, 'leave-out', address);
  if (out !== undefined)
    return [out.reason ?? notice('left-out', { ...(out.person !== undefined && { by: out.person }) })];
  const both = decisionNaming(decisions, 'both', address);
  if (both === undefined) return undefined;
  const conflicts = conflictsOf(resource);
  const facts = { paths: conflicts.map(({ path }) => path), ...(both.person !== undefined && { by: both.person }) };
  const merge = areMergeable(conflicts) ? [remedyIn(environment, 'update', resource.name)] : [];
  return [notice('both-chosen', facts, merge)];
}
