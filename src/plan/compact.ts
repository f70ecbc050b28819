import { canonicalJson } from '../json/json.ts';
import { lazily, withMembers, withoutMember } from '../json/packed.ts';
import { addressOf } from '../kinds/desired.ts';
import { parsePath } from '../kinds/field-path.ts';
import { isKindName } from '../kinds/kind.ts';
import type * as Written from '../schemas/plan-types.ts';
import type { Change, GroupedResource, LastApply, Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { formatNumber } from '../text/wording.ts';
import { planChecksum, textDigest } from './digest.ts';
import { inSchemaOrder } from './fields/field-changes.ts';
import { charactersOfValues, type Group, groupResources, type Member, withOwnChanges, withValues } from './groups.ts';
import { partOf } from './plan.ts';

/** A plan as it is printed and saved: what resources share may stand in groups. */
export type WrittenPlan = PlanOf<(ResourcePlan & { readonly group?: never }) | GroupedResource>;

type PlanOf<Resource> = Omit<Plan, 'resources'> & { resources: Resource[] };

/** The plan with what resources share, and texts that occur more than once, written once. */
export function compactPlan({ resources, ...plan }: Plan): WrittenPlan {
  const groups = groupResources(resources).flatMap(restorable).map(withCommon);
  const places = new Map(
    groups.flatMap(({ common, members }, index) =>
      members.map((member) => [member.resource, { group: idOf(index), common, member }] as const),
    ),
  );
  const written = resources.map((resource) => {
    const place = places.get(resource);
    return place === undefined ? resource : grouped(resource, place);
  });
  const shared = groups.map(({ changes, common }, index) => ({ id: idOf(index), ...common, changes: [...changes] }));
  const texts = repeatedTexts([...shared, ...written]);
  const withReferences = <Holder extends { changes: Change[] }>(holder: Holder): Holder => {
    if (texts.size === 0) return holder;
    return withMembers(holder, withReferredChanges({}, { holder, texts })) as Holder;
  };
  return {
    ...plan,
    ...(shared.length > 0 && { groups: shared.map(withReferences) }),
    resources: written.map(withReferences),
    ...(texts.size > 0 && { texts: Object.fromEntries(texts) }),
  };
}

const withReferredChanges = lazily<
  { readonly holder: { readonly changes: Change[] }; readonly texts: ReadonlyMap<string, string> },
  Pick<ResourcePlan, 'changes'>
>({ changes: ({ holder, texts }) => holder.changes.map((change) => byReference(change, texts)) });

/** What most members of a group have besides its changes. */
type Common = Omit<Written.Group, 'id' | 'changes'>;

function withCommon({ changes, members }: Group): Group & { readonly common: Common } {
  const resources = members.map(({ resource }) => resource);
  const coverage = commonest(resources.map((resource) => resource.coverage));
  const reasons = commonest(resources.map((resource) => resource.reasons));
  const warnings = commonest(resources.map((resource) => resource.warnings));
  const lastApply = commonest(resources.flatMap((resource) => resource.lastApply ?? []).map(withoutTimes));
  const common = {
    ...(coverage && { coverage }),
    ...(reasons && { reasons }),
    ...(warnings && { warnings }),
    ...(lastApply && { lastApply }),
  };
  return { changes, members, common };
}

/** The first of those that occur most often; undefined if each occurs once. */
function commonest<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<string, { readonly value: Value; count: number }>();
  for (const value of values) {
    const key = canonicalJson(value);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, count: 1 });
    else known.count += 1;
  }
  const most = [...counts.values()].reduce<{ value?: Value; count: number }>(
    (best, each) => (each.count > best.count ? each : best),
    { count: 1 },
  );
  return most.value;
}

/** One apply writes its resources one after the other, so that no two have the same time. */
function withoutTimes({ at: _, editedAt: __, ...rest }: LastApply): Omit<LastApply, 'at' | 'editedAt'> {
  return rest;
}

interface Place {
  readonly group: string;
  readonly common: Common;
  readonly member: Member;
}

function grouped(resource: ResourcePlan, { group, common, member }: Place): GroupedResource {
  const { coverage, reasons, warnings, lastApply, values, ...rest } = withoutMember(resource, 'changes');
  const whole = {
    ...rest,
    group,
    ...(!areEqual(coverage, common.coverage) && { coverage }),
    ...(!areEqual(reasons, common.reasons) && { reasons }),
    ...(!areEqual(warnings, common.warnings) && { warnings }),
    ...(lastApply !== undefined && { lastApply: besides(common.lastApply, lastApply) }),
    ...(values !== undefined && { values }),
  };
  return withOwnChanges(whole, member);
}

type OwnApply = NonNullable<GroupedResource['lastApply']>;

function besides(common: Common['lastApply'], lastApply: LastApply): OwnApply {
  if (!areEqual(withoutTimes(lastApply), common)) return lastApply;
  const { at, editedAt } = lastApply;
  return { ...(at !== undefined && { at }), ...(editedAt !== undefined && { editedAt }) };
}

function areEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The plan with its checksum, as it is printed and saved. */
export function writtenPlan<Resource>(plan: PlanOf<Resource>): PlanOf<Resource> {
  const { formatVersion, environment, offline, changedSince, digest, ...rest } = plan;
  const head = { formatVersion, environment, ...partOf({ offline, changedSince }), digest };
  return { ...head, checksum: planChecksum(plan), ...rest };
}

function idOf(index: number): string {
  return `group-${index + 1}`;
}

/** A plan does not say in which order a member has its changes: it is that of the schema, and who has another stays out. */
function restorable({ changes, members }: Group): Group[] {
  const kept = members.filter(({ resource: { kind, changes: all }, own }) => {
    const merged = merge(kind, [...changes, ...own]);
    return merged?.every(({ path }, index) => path === all[index]?.path);
  });
  return kept.length > 1 ? [{ changes, members: kept }] : [];
}

/** The changes of a member; undefined for a kind that this agentform does not know. */
function merge(kind: string, changes: readonly Change[]): Change[] | undefined {
  if (!isKindName(kind)) return undefined;
  const placed = changes.map((change) => ({ path: parsePath(change.path), change }));
  return inSchemaOrder(kind, placed, ({ change }) => change.path).map(({ change }) => change);
}

const leastBytes = 1024;

const sides = ['from', 'to', 'lastApplied'] as const;
type Side = (typeof sides)[number];

/** By digest, the long texts that occur more than once. */
function repeatedTexts(holders: readonly { readonly changes: readonly Change[] }[]): ReadonlyMap<string, string> {
  const once = new Set<string>();
  const repeated = new Map<string, string>();
  for (const { changes } of holders) {
    for (const value of changes.flatMap((change) => sides.map((side) => change[side]))) {
      const digest = digestOfLong(value);
      if (digest === undefined) continue;
      if (once.has(digest)) repeated.set(digest, String(value));
      else once.add(digest);
    }
  }
  return repeated;
}

function digestOfLong(value: unknown): string | undefined {
  const isLong = typeof value === 'string' && Buffer.byteLength(value) > leastBytes;
  return isLong ? textDigest(value) : undefined;
}

function byReference(change: Change, texts: ReadonlyMap<string, string>): Change {
  const referred = new Map<Side, string>();
  for (const name of sides) {
    const digest = digestOfLong(change[name]);
    if (digest !== undefined && texts.has(digest)) referred.set(name, digest);
  }
  if (referred.size === 0) return change;
  const { op, path, from, to, lastApplied, ...rest } = change;
  const side = (name: Side, value: unknown) => {
    const digest = referred.get(name);
    return digest !== undefined ? { [`${name}Text`]: digest } : value !== undefined ? { [name]: value } : {};
  };
  return { op, path, ...side('from', from), ...side('to', to), ...side('lastApplied', lastApplied), ...rest };
}

/** More characters than the values of any plan have; with references, a small file could say that it has more. */
const mostCharacters = 512 * 2 ** 20;
const tooManyCharacters = `its values have more than ${formatNumber(mostCharacters)} characters`;

/** More than the texts of a project have three times over: these are made, and not only referred to. */
const mostFilled = 128 * 2 ** 20;

/** More changes than the groups of any plan stand for. */
const mostShared = 500_000;

/** The plan with all that a resource has at the resource, or the end of a sentence that says why there is none. */
export function expandPlan({ groups = [], texts = {}, resources, ...plan }: WrittenPlan): Plan | string {
  const shared = new Map(groups.map((group) => [group.id, { group, size: sizeOfCommon(group) }]));
  if (shared.size < groups.length) return 'two of its groups have one id';
  if (Object.entries(texts).some(([digest, text]) => textDigest(text) !== digest)) {
    return 'one of its texts does not match its digest';
  }
  const sizeOf = sizes(texts);
  let [characters, filled, count] = [0, 0, 0];
  const expanded: ResourcePlan[] = [];
  for (const resource of resources) {
    const address = addressOf(resource);
    const place = resource.group === undefined ? undefined : shared.get(resource.group);
    if (resource.group !== undefined && place === undefined) return `the group of ${address} is not in it`;
    const common = place?.group.changes ?? [];
    characters += place?.size ?? 0;
    if (characters > mostCharacters) return tooManyCharacters;
    count += common.length;
    if (count > mostShared) return `its groups stand for more than ${formatNumber(mostShared)} changes`;
    const { values } = resource;
    const changes: Change[] = [];
    for (const [index, written] of [...common, ...resource.changes].entries()) {
      const change = withTexts(written, texts);
      if (change === undefined) return `a text of ${address} is not in it`;
      const isFilled = index < common.length && values !== undefined;
      const size = sizeOf(written) + (isFilled ? charactersOfValues(change, values) : 0);
      characters += size;
      if (isFilled) filled += size;
      if (characters > mostCharacters) return tooManyCharacters;
      if (filled > mostFilled) return `with variables, its texts have more than ${formatNumber(mostFilled)} characters`;
      changes.push(isFilled ? withValues(change, values) : change);
    }
    const whole = resource.group === undefined ? { ...resource, changes } : ungrouped(resource, place?.group, changes);
    if (typeof whole === 'string') return whole;
    expanded.push(whole);
  }
  return { ...plan, resources: expanded };
}

function sizeOfCommon({ reasons = [], warnings = [] }: Written.Group): number {
  return [...reasons, ...warnings].reduce(sumOfLengths, 0);
}

/** A resource of a group with all that its group has for it, or why it cannot be had. */
function ungrouped(resource: GroupedResource, common: Common = {}, all: readonly Change[]): ResourcePlan | string {
  const { coverage = common.coverage, reasons = common.reasons, warnings = common.warnings, ...own } = resource;
  const { group: _, lastApply: ownApply, changes: __, values, ...rest } = own;
  const address = addressOf(resource);
  const changes = merge(resource.kind, all);
  if (changes === undefined) return `${address} is of a kind that has no groups`;
  const lastApply = ownApply && wholeApply(ownApply, common.lastApply);
  const isWhole = coverage !== undefined && reasons !== undefined && warnings !== undefined;
  if (!isWhole || (ownApply !== undefined && lastApply === undefined)) {
    return `${address} leaves out what its group does not have`;
  }
  const apply = lastApply === undefined ? {} : { lastApply };
  return { ...rest, coverage, reasons, warnings, ...apply, changes, ...(values !== undefined && { values }) };
}

function wholeApply(own: OwnApply, common: Common['lastApply']): LastApply | undefined {
  const { at, edited, editedAt } = own;
  if (edited !== undefined) return { ...own, edited };
  // Put together so that thousands share their shapes: docs/decisions/0069.
  return common && Object.assign({}, at !== undefined && { at }, common, editedAt !== undefined && { editedAt });
}

/** The characters of a change's values as JSON, each change looked at once. */
function sizes(texts: Readonly<Record<string, string>>): (change: Change) => number {
  const known = new Map<Change, number>();
  return (change) => {
    const { fromText, toText, lastAppliedText } = change;
    const referred = [fromText, toText, lastAppliedText].map((digest) => (digest === undefined ? '' : texts[digest]));
    const size = known.get(change) ?? [...sides.map((side) => change[side]), ...referred].reduce(sumOfLengths, 0);
    known.set(change, size);
    return size;
  };
}

function sumOfLengths(sum: number, value: unknown): number {
  if (value === undefined) return sum;
  return sum + (typeof value === 'string' ? value.length : JSON.stringify(value).length);
}

/** Undefined if a text is missing. */
function withTexts(change: Change, texts: Readonly<Record<string, string>>): Change | undefined {
  const { op, path, from, fromText, to, toText, lastApplied, lastAppliedText, ...rest } = change;
  const given = [fromText, toText, lastAppliedText];
  if (given.some((digest) => digest !== undefined && !Object.hasOwn(texts, digest))) return undefined;
  const side = (name: Side, value: unknown, digest: string | undefined) => {
    const whole = digest === undefined ? value : texts[digest];
    return whole === undefined ? {} : { [name]: whole };
  };
  return {
    op,
    path,
    ...side('from', from, fromText),
    ...side('to', to, toText),
    ...side('lastApplied', lastApplied, lastAppliedText),
    ...rest,
  };
}
