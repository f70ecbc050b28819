import { addressOf } from '../kinds/desired.ts';
import { type Notice, notice } from '../notices/notice.ts';
import type { Change, Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { conflictCommands, type Decisions, decisionNaming } from './decisions.ts';
import { conflictsOf, isPlanned } from './pending.ts';
import { summaryOf } from './plan.ts';
import { preventedBy } from './resource-plan.ts';

/**
 * Makes the plan to show: decided conflicts become changes, creates declared as new get a different warning, and
 * resources that an answer leaves out are blocked. The digest stays the same.
 */
export function withDecisions(plan: Plan, decisions: Decisions): Plan {
  const resources = plan.resources.map((resource) => decided(plan, resource, decisions));
  return { ...plan, resources, summary: summaryOf(resources) };
}

function decided({ environment }: Plan, resource: ResourcePlan, decisions: Decisions): ResourcePlan {
  const address = addressOf(resource);
  const reasons = isPlanned(resource) ? leavingOut(environment, resource, decisions) : undefined;
  if (reasons !== undefined) return leftOut(resource, reasons);
  const isDeclared = resource.mayReplace && decisionNaming(decisions, 'new-agent', address) !== undefined;
  const isOverwritten = decisionNaming(decisions, 'conflict', address) !== undefined;
  const paths = isOverwritten ? conflictsOf(resource).map(({ path }) => path) : [];
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

function leftOut({ willBe, ...resource }: ResourcePlan, reasons: Notice[]): ResourcePlan {
  const action = willBe ?? resource.action;
  const { mayReplace: _, ...rest } = resource;
  return { ...rest, action: 'blocked', reasons, warnings: [], changes: [], ...preventedBy(action, resource.changes) };
}

function overwritten(change: Change): Change {
  if (change.cause !== 'conflict') return change;
  const { mergeable: _, updateRefusal: __, ...rest } = change;
  return { ...rest, cause: 'manifest' };
}

/** Why an answer leaves out a resource, or cannot be carried out. Undefined if no answer does. */
export function leavingOut(environment: string, resource: ResourcePlan, decisions: Decisions): Notice[] | undefined {
  const address = addressOf(resource);
  const out = decisionNaming(decisions, 'leave-out', address);
  if (out !== undefined) return [notice('left-out', { ...(out.person !== undefined && { by: out.person }) })];
  const both = decisionNaming(decisions, 'both', address);
  if (both === undefined) return undefined;
  const conflicts = conflictsOf(resource);
  const { merge } = conflictCommands(environment, resource, '');
  const isMergeable = conflicts.every(({ mergeable, updateRefusal }) => mergeable && updateRefusal === undefined);
  const facts = { paths: conflicts.map(({ path }) => path), ...(both.person !== undefined && { by: both.person }) };
  return [notice('both-chosen', facts, isMergeable ? [merge] : [])];
}
