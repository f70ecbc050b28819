import { addressOf } from '../kinds/desired.ts';
import { parsePath } from '../kinds/field-path.ts';
import { isKindName } from '../kinds/kind.ts';
import type { Change, Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { formatNumber } from '../text/wording.ts';
import { planChecksum, textDigest } from './digest.ts';
import { inSchemaOrder } from './field-changes.ts';
import { charactersOfValues, type Group, groupResources, withValues } from './groups.ts';
import { partOf } from './plan.ts';

/** The plan with what resources share, and texts that occur more than once, written once. */
export function compactPlan({ resources, ...plan }: Plan): Plan {
  const groups = groupResources(resources).flatMap(restorable);
  const places = new Map(
    groups.flatMap(({ members }, index) => members.map(({ resource, own }) => [resource, { index, own }] as const)),
  );
  const written = resources.map((resource) => {
    const place = places.get(resource);
    if (place === undefined) return resource;
    const { values, changes: _, ...rest } = resource;
    return { ...rest, group: idOf(place.index), ...(values !== undefined && { values }), changes: [...place.own] };
  });
  const shared = groups.map(({ changes }, index) => ({ id: idOf(index), changes: [...changes] }));
  const texts = repeatedTexts([...shared, ...written]);
  const withReferences = <Holder extends { changes: Change[] }>(holder: Holder): Holder => {
    return { ...holder, changes: holder.changes.map((change) => byReference(change, texts)) };
  };
  return {
    ...plan,
    ...(shared.length > 0 && { groups: shared.map(withReferences) }),
    resources: written.map(withReferences),
    ...(texts.size > 0 && { texts: Object.fromEntries([...texts].map(([text, digest]) => [digest, text])) }),
  };
}

/** The plan with its checksum, as it is printed and saved. */
export function writtenPlan(plan: Plan): Plan {
  const { formatVersion, environment, offline, shard, changedSince, digest, ...rest } = plan;
  const head = { formatVersion, environment, ...partOf({ offline, shard, changedSince }), digest };
  return { ...head, checksum: planChecksum(plan), ...rest };
}

function idOf(index: number): string {
  return `group-${index + 1}`;
}

/** A plan does not say in which order a member has its changes: it is that of the schema, and who has another stays out. */
function restorable({ changes, members }: Group): Group[] {
  const kept = members.filter(({ resource, own }) => {
    const merged = merge(resource.kind, [...changes, ...own]);
    return merged?.every(({ path }, index) => path === resource.changes[index]?.path);
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

function repeatedTexts(holders: readonly { readonly changes: readonly Change[] }[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { changes } of holders) {
    for (const value of changes.flatMap((change) => sides.map((side) => change[side]))) {
      if (typeof value !== 'string' || Buffer.byteLength(value) <= leastBytes) continue;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const repeated = [...counts].flatMap(([text, count]) => (count > 1 ? [text] : []));
  return new Map(repeated.map((text) => [text, textDigest(text)]));
}

function byReference({ op, path, from, to, lastApplied, ...rest }: Change, texts: ReadonlyMap<string, string>): Change {
  const side = <Name extends Side>(name: Name, value: unknown) => {
    const digest = typeof value === 'string' ? texts.get(value) : undefined;
    return digest !== undefined ? { [`${name}Text`]: digest } : value !== undefined ? { [name]: value } : {};
  };
  return { op, path, ...side('from', from), ...side('to', to), ...side('lastApplied', lastApplied), ...rest };
}

/** More characters than the values of any plan have; with references, a small file could say that it has more. */
const mostCharacters = 512 * 2 ** 20;

/** More than the texts of a project have three times over: these are made, and not only referred to. */
const mostFilled = 128 * 2 ** 20;

/** More changes than the groups of any plan stand for. */
const mostShared = 500_000;

/** The plan with every resource's changes at the resource, or the end of a sentence that says why there is none. */
export function expandPlan({ groups = [], texts = {}, resources, ...plan }: Plan): Plan | string {
  const shared = new Map(groups.map(({ id, changes }) => [id, changes]));
  if (shared.size < groups.length) return 'two of its groups have one id';
  if (Object.entries(texts).some(([digest, text]) => textDigest(text) !== digest)) {
    return 'one of its texts does not match its digest';
  }
  const sizeOf = sizes(texts);
  let [characters, filled, count] = [0, 0, 0];
  const expanded: ResourcePlan[] = [];
  for (const { group, ...resource } of resources) {
    const address = addressOf(resource);
    const common = group === undefined ? [] : shared.get(group);
    if (common === undefined) return `the group of ${address} is not in it`;
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
      if (characters > mostCharacters) return `its values have more than ${formatNumber(mostCharacters)} characters`;
      if (filled > mostFilled) return `with variables, its texts have more than ${formatNumber(mostFilled)} characters`;
      changes.push(isFilled ? withValues(change, values) : change);
    }
    const merged = group === undefined ? changes : merge(resource.kind, changes);
    if (merged === undefined) return `${address} is of a kind that has no groups`;
    expanded.push({ ...resource, changes: merged });
  }
  return { ...plan, resources: expanded };
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
