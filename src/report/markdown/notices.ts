import { addressOf } from '../../kinds/desired.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { listNames } from '../../text/ranges.ts';
import { counted, formatNumber, listSome } from '../../text/wording.ts';
import { alike } from '../alike.ts';
import { codeSpan, escapeProse } from './escape.ts';

/** Thousands of agents must not push the counts out of sight. */
const most = { notices: 20, characters: 500, paths: 4, pathCharacters: 80 } as const;

/** What a reviewer must not miss, the worstExitCode first; how many there are if not all are shown. */
export function noticeLines(plan: Plan): string[] {
  const notices = [
    ...plan.refusals.map(
      ({ rule, message }) => `**Refused** (${escapeProse(rule)}): ${escapeProse(shortened(message))}`,
    ),
    ...each(plan, (resource) => (['blocked', 'failed'].includes(resource.action) ? reasonNotice(resource) : undefined)),
    ...each(plan, conflictNotice),
    ...each(plan, warningNotice),
    ...each(plan, driftNotice),
    ...each(plan, unsetNotice),
    ...each(plan, blindNotice),
    ...each(plan, (resource) => (resource.action === 'forget' ? reasonNotice(resource) : undefined)),
    ...each(plan, (resource) => (resource.action === 'orphan' ? reasonNotice(resource) : undefined)),
  ];
  const shown = notices.slice(0, most.notices).map((notice) => `- ${notice}`);
  const hidden = notices.length - shown.length;
  return hidden === 0 ? shown : [...shown, `- and ${formatNumber(hidden)} more`];
}

/** The name of a resource as a code span of bounded length. */
export function nameSpan(resource: Pick<ResourcePlan, 'kind' | 'name'>): string {
  return codeSpan(shortened(addressOf(resource), most.pathCharacters));
}

/** The name of a resource, or a list of several names. */
export function namesSpan(resources: readonly Pick<ResourcePlan, 'kind' | 'name'>[]): string {
  const [first] = resources;
  if (first !== undefined && resources.length === 1) return nameSpan(first);
  const names = resources.map((resource) => shortened(addressOf(resource), most.pathCharacters));
  return escapeProse(listNames(names));
}

/** The text, cut with an ellipsis where it is too long for a list. */
export function shortened(text: string, characters: number = most.characters): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** What is to be said of several resources is said once. */
function each({ resources }: Plan, noticeOf: (resource: ResourcePlan) => string | undefined): string[] {
  const noticed = resources.flatMap((resource) => {
    const notice = noticeOf(resource);
    return notice === undefined ? [] : [{ resource, notice }];
  });
  return alike(noticed, ({ notice }) => notice).map(
    (group) => `${namesSpan(group.map(({ resource }) => resource))}: ${group[0]?.notice ?? ''}`,
  );
}

function reasonNotice({ action, reasons }: ResourcePlan): string {
  return `**${action}**; ${escapeProse(shortened(reasons.join('; ')))}`.replace(/; $/, '');
}

function warningNotice({ warnings }: ResourcePlan): string | undefined {
  return warnings.length === 0 ? undefined : escapeProse(shortened(warnings.join('; ')));
}

function conflictNotice({ changes }: ResourcePlan): string | undefined {
  const conflicts = changes.filter(({ cause }) => cause === 'conflict');
  if (conflicts.length === 0) return undefined;
  return `**conflict**: ${paths(conflicts)} changed on the service and in the manifest`;
}

function driftNotice({ changes }: ResourcePlan): string | undefined {
  const drifted = changes.filter(({ cause }) => cause === 'drift');
  if (drifted.length === 0) return undefined;
  return `drift: ${paths(drifted)} changed on the service since the last apply and will be reverted`;
}

function unsetNotice({ changes }: ResourcePlan): string | undefined {
  const taken = changes.filter(({ op, cause }) => op === 'unset' && cause === 'manifest');
  return taken.length === 0 ? undefined : `${paths(taken)} will be unset`;
}

/** A create sends everything without having read anything; that goes without saying. */
function blindNotice({ action, changes }: ResourcePlan): string | undefined {
  const blind = changes.filter(({ op, knowledge }) => op !== 'release' && knowledge === 'blind');
  if (action === 'create' || blind.length === 0) return undefined;
  return `${counted(blind.length, 'setting')} will be sent but cannot be read back: ${paths(blind)}`;
}

function paths(changes: readonly Change[]): string {
  return listSome(
    changes.map(({ path }) => codeSpan(shortened(path, most.pathCharacters))),
    most.paths,
  );
}
