import { canonicalJson } from '../../json/json.ts';
import { nounOf } from '../../kinds/kind.ts';
import { keyOfNotices, type Notice } from '../../notices/notice.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { listNames } from '../../text/ranges.ts';
import { counted, formatNumber, listSome, shorten } from '../../text/wording.ts';
import { appearanceOf } from './change-view.ts';
import { type Group, groupResources, keyOfText } from './groups.ts';
import { inlineValue } from './value-text.ts';
import { locationOf } from './wording.ts';

/** One section of a plan: a resource, or resources whose changes look the same. */
export interface PlanSection {
  /** The resource; of a group, its first member with what all members share, and nothing else. */
  readonly common: ResourcePlan;
  /** In a group, every member with its own changes; empty for a single resource. */
  readonly members: readonly ResourcePlan[];
  /** The resources as the plan has them. */
  readonly resources: readonly ResourcePlan[];
}

/** The sections of these resources of a plan, in its order. A conflict is decided for each resource, so it is shown at each. */
export function sectionsOf(resources: readonly ResourcePlan[]): PlanSection[] {
  const looks = rememberedLooks();
  const keyOf = (change: Change, { name }: ResourcePlan) => {
    const { op, path, cause, knowledge } = change;
    return canonicalJson({ op, path, cause, knowledge, ...(cause === 'conflict' && { name }) }) + looks(change).key;
  };
  const groups = groupResources(resources, keyOf).flatMap((group) => alikeOf(group, looks));
  const grouped = new Set(groups.flatMap(({ members }) => members.map(({ resource }) => resource)));
  const alone = resources.filter((resource) => !grouped.has(resource));
  const sections = [
    ...groups.map(groupSection),
    ...alone.map((resource) => ({ common: resource, members: [], resources: [resource] })),
  ];
  const places = new Map(resources.map((resource, index) => [resource, index]));
  const placeOf = ({ resources: [first] }: PlanSection) => (first === undefined ? 0 : (places.get(first) ?? 0));
  return sections.sort((one, other) => placeOf(one) - placeOf(other));
}

/** A resource with many other changes is shown alone: otherwise a reader would have to combine two places. */
function alikeOf({ changes, members }: Group, looks: LooksOf): Group[] {
  const linesOf = (shown: readonly Change[]) => shown.reduce((sum, change) => sum + looks(change).count, 0);
  const most = linesOf(changes) / 2;
  const alike = members.filter(({ own }) => linesOf(own) <= most);
  return alike.length > 1 ? [{ changes, members: alike }] : [];
}

function groupSection({ changes, members }: Group): PlanSection {
  const resources = members.map(({ resource }) => resource);
  const [first] = resources;
  if (first === undefined) throw new RangeError('a group has members');
  const { id: _, renamedFrom: __, ...common } = first;
  const reasons = sharedNotices(resources.map((resource) => resource.reasons));
  const warnings = sharedNotices(resources.map((resource) => resource.warnings));
  return {
    common: { ...common, reasons, warnings, changes: [...changes] },
    members: members.map(({ resource, own }) => ({
      ...resource,
      reasons: noticesBesides(reasons, resource.reasons),
      warnings: noticesBesides(warnings, resource.warnings),
      changes: [...own],
    })),
    resources,
  };
}

/** The notices that each of the lists has. */
function sharedNotices([first = [], ...rest]: readonly (readonly Notice[])[]): Notice[] {
  const keys = rest.map((notices) => new Set(notices.map((one) => keyOfNotices([one]))));
  return first.filter((one) => keys.every((known) => known.has(keyOfNotices([one]))));
}

function noticesBesides(shared: readonly Notice[], all: readonly Notice[]): Notice[] {
  const known = new Set(shared.map((one) => keyOfNotices([one])));
  return all.filter((one) => !known.has(keyOfNotices([one])));
}

type LooksOf = (change: Change) => { readonly key: string; readonly count: number };

/** Most of 10,000 changes look the same; otherwise their output would be as large as the plan. */
function rememberedLooks(): LooksOf {
  const looks = new Map<string, ReturnType<LooksOf>>();
  return ({ from, to }) => {
    const value = keyOfText(canonicalJson({ from, to }));
    const known = looks.get(value);
    if (known !== undefined) return known;
    const { text, count } = appearanceOf({ from, to });
    const made = { key: keyOfText(text), count };
    looks.set(value, made);
    return made;
  };
}

/** A group by its number and noun: `3 agents`. */
export function groupTitle(resources: readonly Pick<ResourcePlan, 'kind'>[]): string {
  return counted(resources.length, nounOf(resources));
}

/** The exceptions are named instead of the members, if they are few and the members many. */
const mostOthers = 3;
const leastForOthers = 10;

/** The members of a group: by name, or by exception, as far as the plan goes. */
export function groupNames({ common: { kind }, resources }: PlanSection, plan: Plan): string {
  const names = resources.map(({ name }) => name);
  const inside = new Set(names);
  const peers = plan.resources.filter((resource) => resource.kind === kind && !isRecordOnly(resource));
  const others = peers.map(({ name }) => name).filter((name) => !inside.has(name));
  if (names.length < leastForOthers || others.length > mostOthers) return listNames(names);
  const all = `all ${counted(peers.length, nounOf([{ kind }]))} of this plan`;
  return others.length === 0 ? all : `${all} but ${listNames(others, mostOthers)}`;
}

function isRecordOnly({ action }: ResourcePlan): boolean {
  return action === 'orphan' || action === 'forget';
}

/** The maximum number of members to name with a variable's value. */
const mostValues = 5;

/** The values of variables in a group's changes: `${var.brand} is "Acme" in acme and "Bolt" in bolt`. */
export function valueSentences({ common, members }: PlanSection): string[] {
  const names = new Set(members.flatMap(({ variables: values = {} }) => Object.keys(values)));
  // Only what is shown needs them: a text may have others further off.
  const text = names.size === 0 ? '' : common.changes.map((change) => appearanceOf(change).text).join('\n');
  return (
    [...names]
      .filter((name) => text.includes(`\${var.${name}}`))
      // Its name is above already.
      .filter((name) => members.some(({ name: member, variables: values = {} }) => values[name] !== member))
      .map((name) => {
        const [first] = members.map(({ variables: values = {} }) => values[name] ?? '');
        if (first !== undefined && members.every(({ variables: values = {} }) => (values[name] ?? '') === first)) {
          return `\${var.${name}} is ${inlineValue(shorten(first, 60))} in all of them`;
        }
        const shown = members.map(
          ({ name: member, variables: values = {} }) => `${inlineValue(shorten(values[name] ?? '', 60))} in ${member}`,
        );
        return `\${var.${name}} is ${listSome(shown, mostValues)}`;
      })
  );
}

/** The summary of a section in numbers: `2 changes`, `1 conflict`. Each change counts once. */
export function countsOf(
  { common: { action, changes, renamedFrom } }: Pick<PlanSection, 'common'>,
  noun: 'change' | 'setting' = 'change',
): string[] {
  const count = (cause: Change['cause']) => changes.filter((change) => change.cause === cause).length;
  const [conflicts, drifted, resent] = [count('conflict'), count('drift'), count('unverified')];
  const own = changes.length - conflicts - drifted - resent;
  return [
    ...(action === 'forget' ? ['its record is dropped'] : []),
    ...(renamedFrom === undefined ? [] : [`renamed from ${renamedFrom}`]),
    ...(own === 0 ? [] : [counted(own, noun)]),
    ...(conflicts === 0 ? [] : [counted(conflicts, 'conflict')]),
    ...(drifted === 0 ? [] : [counted(drifted, 'drifted setting')]),
    ...(resent === 0 ? [] : [`${formatNumber(resent)} only sent again`]),
  ];
}

/** Whether a member has something that the group has not. */
export function hasOwn({ changes, reasons, warnings, renamedFrom }: ResourcePlan): boolean {
  return changes.length + reasons.length + warnings.length > 0 || renamedFrom !== undefined;
}

/** The shared location of a group's members: `on service.example.com`. */
export function groupLocation(resources: readonly Pick<ResourcePlan, 'target'>[]): string | undefined {
  const [first, ...rest] = resources.map(({ target }) => target);
  if (first === undefined || rest.some(({ host }) => host !== first.host)) return undefined;
  const query = Object.entries(first.query).filter(([name, value]) =>
    rest.every((other) => other.query[name] === value),
  );
  return locationOf({ target: { host: first.host, query: Object.fromEntries(query) } });
}
