import { addressOf } from '../kinds/desired.ts';
import { notice } from '../notices/notice.ts';
import type { Change, Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { countChanges } from './pending.ts';

/** A check that a decision overrides, or a question that it answers. */
type DecisionRule = 'conflict' | 'new-agent' | 'policies' | 'requires' | 'tests' | 'older-commit' | 'limit-creates';

/** A decision about a run, made by an option or by an answer at the terminal. */
export interface Decision {
  readonly rule: DecisionRule;
  /** The resources that it concerns, or for `limit-creates` the number; empty for all. */
  readonly names: readonly string[];
  readonly by: 'flag' | 'answer';
}

/** The options that decide. Here alone they become decisions; every later step asks the list. */
export interface DecisionFlags {
  /** Overrides limits.creates of the project. */
  readonly allowCreates?: number | undefined;
  /**
   * Whether to write resources that were applied from a commit outside the current history, or whose record is older
   * than a committed version.
   */
  readonly allowOlder?: boolean | undefined;
  /** Denials of policies are reported, and the run continues. */
  readonly skipPolicies?: boolean | undefined;
  /** Failed cases of required Tests are reported, and the run continues. */
  readonly skipTests?: boolean | undefined;
  /** Unmet requirements are reported, and the run continues. */
  readonly skipRequires?: boolean | undefined;
  /** `Kind/name` of the resources whose conflicts the apply overwrites. */
  readonly overwrite?: readonly string[] | undefined;
  /** `Kind/name` of agents declared as new, or `all`. */
  readonly new?: readonly string[] | undefined;
}

/** The name that stands for all new agents. */
export const allNew = 'all';

export function decisionsOf(flags: DecisionFlags): Decision[] {
  const { allowCreates, overwrite = [], new: declared = [] } = flags;
  const decided = (rule: DecisionRule, isDecided: boolean | undefined, names: readonly string[] = []): Decision[] =>
    isDecided ? [{ rule, names, by: 'flag' }] : [];
  return [
    ...decided('conflict', overwrite.length > 0, overwrite),
    ...decided('new-agent', declared.length > 0, declared),
    ...decided('older-commit', flags.allowOlder),
    ...decided('limit-creates', allowCreates !== undefined, [String(allowCreates)]),
    ...decided('policies', flags.skipPolicies),
    ...decided('requires', flags.skipRequires),
    ...decided('tests', flags.skipTests),
  ];
}

export type Decisions = readonly Decision[] | undefined;

export function isDecided(decisions: Decisions, rule: DecisionRule): boolean {
  return decisions?.some((decision) => decision.rule === rule) === true;
}

/** The names of all decisions of a rule. */
export function namesDecided(decisions: Decisions, rule: DecisionRule): string[] {
  return (decisions ?? []).flatMap((decision) => (decision.rule === rule ? decision.names : []));
}

/** The decision that names a resource. */
export function decisionNaming(
  decisions: Decisions,
  rule: 'conflict' | 'new-agent',
  address: string,
): Decision | undefined {
  const isNamed = ({ names }: Decision) => names.includes(address) || (rule === 'new-agent' && names.includes(allNew));
  return decisions?.find((decision) => decision.rule === rule && isNamed(decision));
}

/**
 * The plan as people see it in this run: conflicts that are decided are changes, and creates that are declared to be
 * new are no longer asked about. Only for display: its digest is that of the plan.
 */
export function withDecisions(plan: Plan, decisions: Decisions): Plan {
  const resources = plan.resources.map((resource) => decided(resource, decisions));
  const conflicts = countChanges(resources, ['conflict']);
  return { ...plan, resources, summary: { ...plan.summary, conflicts } };
}

function decided(resource: ResourcePlan, decisions: Decisions): ResourcePlan {
  const address = addressOf(resource);
  const isDeclared = resource.mayReplace && decisionNaming(decisions, 'new-agent', address) !== undefined;
  const isOverwritten = decisionNaming(decisions, 'conflict', address) !== undefined;
  const paths = isOverwritten ? resource.changes.filter(isConflict).map(({ path }) => path) : [];
  if (!isDeclared && paths.length === 0) return resource;
  const warnings = resource.warnings.filter(({ code }) => !isDeclared || code !== 'may-replace-agent');
  return {
    ...resource,
    changes: isOverwritten ? resource.changes.map(overwritten) : resource.changes,
    warnings: [
      ...(isDeclared ? [notice('declared-new', {})] : []),
      ...(paths.length === 0 ? [] : [notice('conflict-overwritten', { paths })]),
      ...warnings,
    ],
  };
}

function isConflict({ cause }: Change): boolean {
  return cause === 'conflict';
}

function overwritten(change: Change): Change {
  if (!isConflict(change)) return change;
  const { mergeable: _, updateRefusal: __, ...rest } = change;
  return { ...rest, cause: 'manifest' };
}

/** The most creates that were decided on; undefined if the project's limit counts. */
export function createsDecided(decisions: Decisions): number | undefined {
  if (!isDecided(decisions, 'limit-creates')) return undefined;
  const [limit] = namesDecided(decisions, 'limit-creates');
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** The options that make the same decisions, each with its value. */
export function flagsOf(decisions: Decisions): string[] {
  const declared = namesDecided(decisions, 'new-agent');
  const limit = createsDecided(decisions);
  const flag = (rule: DecisionRule, option: string) => (isDecided(decisions, rule) ? [option] : []);
  return [
    ...namesDecided(decisions, 'conflict').map((address) => `--overwrite ${address}`),
    ...(declared.length === 0 ? [] : [`--new ${declared.join(',')}`]),
    ...flag('older-commit', '--allow-older'),
    ...(limit === undefined ? [] : [`--allow-creates ${limit}`]),
    ...flag('policies', '--skip-policies'),
    ...flag('requires', '--skip-requires'),
    ...flag('tests', '--skip-tests'),
  ];
}
