import { canonicalJson } from '../json/json.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import { referenceName } from '../secrets/reference.ts';

/** Resources with the same changes. */
export interface Group {
  /** What all members share, in the order of each member, in the form in which they share it. */
  readonly changes: readonly Change[];
  /** Two at least, in the order of the plan. */
  readonly members: readonly Member[];
}

export interface Member {
  readonly resource: ResourcePlan;
  /** The changes that only this member has, or that it has in common with too few to be worth a group. */
  readonly own: readonly Change[];
}

export interface Grouping {
  readonly groups: readonly Group[];
  /** The rest, in the order of the plan. */
  readonly alone: readonly ResourcePlan[];
}

/** Resources share a change if this says the same of it. */
export type KeyOf = (change: Change, resource: ResourcePlan) => string;

/**
 * Puts the resources together that have the same changes. Each is in one group at most, so that it is shown in one place:
 * in the one that leaves the least to show, where what a group shares is shown once, and what is left is shown for each
 * of its members.
 */
export function groupResources(resources: readonly ResourcePlan[], keyOf: KeyOf = wholeKey()): Grouping {
  const shares = sharesOf(inCommonForms(resources), keyOf);
  const signatures = signaturesOf(shares);
  const cores = coresOf(signatures);
  const chosen = new Map(signatures.map((signature) => [signature, bestCore(signature, cores)]));
  const sizes = new Map(gathered(chosen).map(({ core, shares: { length } }) => [core.id, length]));
  for (const [signature, core] of chosen) {
    if (sizes.get(core.id) === 1) chosen.set(signature, nextCore(signature, cores, sizes));
  }
  const groups = gathered(chosen)
    .filter(({ shares: { length } }) => length > 1)
    .map(asGroup)
    .sort((one, other) => one.index - other.index);
  const grouped = new Set(groups.flatMap(({ group }) => group.members.map(({ resource }) => resource)));
  return { groups: groups.map(({ group }) => group), alone: resources.filter((each) => !grouped.has(each)) };
}

/** A change, and the form in which others are most likely to have it: with variables in the place of their values, or not. */
interface Formed {
  readonly change: Change;
  readonly form: Change;
}

interface FormedResource {
  readonly index: number;
  readonly resource: ResourcePlan;
  readonly changes: readonly Formed[];
}

/** Of the two forms of a change, the one that more resources have to the last character. */
function inCommonForms(resources: readonly ResourcePlan[]): FormedResource[] {
  if (resources.every(({ values }) => values === undefined)) {
    return resources.flatMap((resource, index) => {
      const changes = resource.changes.map((change) => ({ change, form: change }));
      return changes.length === 0 ? [] : [{ index, resource, changes }];
    });
  }
  const keyOf = wholeKey();
  const formed = resources.flatMap((resource, index) => {
    const { changes, values } = resource;
    const forms = changes.map((change) => ({ change, variable: values && withVariables(change, values) }));
    return changes.length === 0 ? [] : [{ index, resource, forms }];
  });
  const counts = new Map<string, number>();
  // Where a value is written is no part of its form: a variable may have a place of its own for each resource.
  const countedAs = ({ source: _, ...form }: Change) => keyOf(form);
  const countOf = (form: Change) => counts.get(countedAs(form)) ?? 0;
  const add = (form: Change) => counts.set(countedAs(form), countOf(form) + 1);
  for (const { change, variable } of formed.flatMap(({ forms }) => forms)) {
    add(change);
    if (variable !== undefined) add(variable);
  }
  return formed.map(({ index, resource, forms }) => ({
    index,
    resource,
    changes: forms.map(({ change, variable }) => {
      return { change, form: variable !== undefined && countOf(variable) > countOf(change) ? variable : change };
    }),
  }));
}

/** A resource that has a change in common with another one. */
interface Share extends FormedResource {
  /** By key, in the order of the changes, the forms that another resource has as well. */
  readonly common: ReadonlyMap<string, Change>;
  /** The key of each change. */
  readonly keys: readonly string[];
}

function sharesOf(formed: readonly FormedResource[], keyOf: KeyOf): Share[] {
  const keyed = formed.map((each) => {
    const { kind, action } = each.resource;
    return { ...each, keys: each.changes.map(({ form }) => `${kind} ${action} ${keyOf(form, each.resource)}`) };
  });
  const counts = new Map<string, number>();
  for (const key of keyed.flatMap(({ keys }) => [...new Set(keys)])) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keyed.flatMap((each) => {
    const common = new Map(
      each.changes.flatMap(({ form }, at): [string, Change][] => {
        const key = each.keys[at] ?? '';
        return (counts.get(key) ?? 0) > 1 ? [[key, form]] : [];
      }),
    );
    return common.size === 0 ? [] : [{ ...each, common }];
  });
}

/** The resources that have exactly the same changes in common with others. */
interface Signature {
  readonly common: ReadonlyMap<string, Change>;
  readonly shares: Share[];
}

function signaturesOf(shares: readonly Share[]): Signature[] {
  const signatures = new Map<string, Signature>();
  for (const share of shares) {
    const id = idOf(share.common.keys());
    const signature = signatures.get(id) ?? { common: share.common, shares: [] };
    signature.shares.push(share);
    signatures.set(id, signature);
  }
  return [...signatures.values()];
}

/** Changes that a group may share. */
interface Core {
  readonly id: string;
  readonly keys: ReadonlySet<string>;
  readonly weight: number;
  /** How many resources have them all. */
  readonly holders: number;
}

/**
 * For each change, what all the resources with that change have in common: once for the changes that the same signatures
 * have. Where many changes are in many combinations, only so much is looked at; what is left out only makes groups smaller.
 */
function coresOf(signatures: readonly Signature[]): ReadonlyMap<string, Core> {
  const holders = new Map<string, number[]>();
  for (const [index, { common }] of signatures.entries()) {
    for (const key of common.keys()) {
      const known = holders.get(key);
      if (known === undefined) holders.set(key, [index]);
      else known.push(index);
    }
  }
  const known = new Map<string, Core>();
  const cores = new Map<string, Core>();
  let [comparisons, size] = [0, 0];
  for (const [key, indexes] of holders) {
    const held = indexes.flatMap((index) => signatures[index] ?? []);
    const id = indexes.join(' ');
    let core = known.get(id);
    if (core === undefined) {
      comparisons += (held[0]?.common.size ?? 0) * held.length;
      if (comparisons > mostComparisons || size > mostCoreChanges) continue;
      core = coreOf(
        inAll(held),
        held.reduce((sum, { shares }) => sum + shares.length, 0),
      );
      size += core.keys.size;
      known.set(id, core);
    }
    cores.set(key, core);
  }
  return cores;
}

const mostComparisons = 20_000_000;
const mostCoreChanges = 500_000;

function inAll([first, ...others]: readonly Signature[]): Map<string, Change> {
  return new Map([...(first?.common ?? [])].filter(([key]) => others.every(({ common }) => common.has(key))));
}

function coreOf(common: ReadonlyMap<string, Change>, holders: number): Core {
  return { id: idOf(common.keys()), keys: new Set(common.keys()), weight: weightOf(common), holders };
}

function idOf(keys: Iterable<string>): string {
  return [...keys].sort().join('\n');
}

/** The resources that chose the same core, in the order of the plan. */
interface Gathering {
  readonly core: Core;
  readonly shares: readonly Share[];
}

function gathered(chosen: ReadonlyMap<Signature, Core>): Gathering[] {
  const byId = new Map<string, { readonly core: Core; readonly shares: Share[] }>();
  for (const [{ shares }, core] of chosen) {
    const gathering = byId.get(core.id) ?? { core, shares: [] };
    gathering.shares.push(...shares);
    byId.set(core.id, gathering);
  }
  for (const { shares } of byId.values()) shares.sort((one, other) => one.index - other.index);
  return [...byId.values()];
}

/** For a resource that nobody else joined: the largest part of it that a group shares, otherwise what most have. */
function nextCore(
  { common, shares }: Signature,
  cores: ReadonlyMap<string, Core>,
  sizes: ReadonlyMap<string, number>,
): Core {
  const own = [...common.keys()].flatMap((key) => cores.get(key) ?? []);
  const open = own.filter(({ id }) => (sizes.get(id) ?? 0) > 1);
  const [first, ...rest] = open.length > 0 ? open : own;
  const worth = ({ weight, holders }: Core) => (open.length > 0 ? weight : holders);
  const whole = first ?? coreOf(common, shares.length);
  return rest.reduce((best, core) => (worth(core) > worth(best) ? core : best), whole);
}

/** What has least to show for the resources of a signature: the core, shared with all that have it, and their own rest. */
function bestCore({ common, shares }: Signature, cores: ReadonlyMap<string, Core>): Core {
  const members = shares.length;
  const whole = coreOf(common, members);
  const rest = (core: Core) => members * (whole.weight - core.weight);
  const costOf = (core: Core) => (core.weight * members) / Math.max(core.holders, 1) + rest(core);
  const candidates = [whole, ...[...common.keys()].flatMap((key) => cores.get(key) ?? [])];
  return candidates.reduce((best, core) => (costOf(core) < costOf(best) ? core : best));
}

/** About the lines that it takes to show them. */
function weightOf(forms: ReadonlyMap<string, Change>): number {
  return [...forms.values()].reduce((sum, { from, to }) => sum + 1 + linesOf(from) + linesOf(to), 0);
}

const mostLines = 10;
const lineLength = 80;

function linesOf(value: unknown): number {
  if (typeof value !== 'string') return value === undefined ? 0 : 1;
  return Math.min(mostLines, Math.ceil(value.length / lineLength));
}

function asGroup({ core: { keys }, shares }: Gathering) {
  const [first] = shares;
  const changes = [...(first?.common ?? [])].flatMap(([key, form]) =>
    keys.has(key) ? [unlessPlaced(form, key, shares)] : [],
  );
  const members = shares.map(({ resource, changes: all, keys: own }) => ({
    resource,
    own: all.filter((_, at) => !keys.has(own[at] ?? '')).map(({ change }) => change),
  }));
  return { index: first?.index ?? 0, group: { changes, members } };
}

/** A change that comes from different places comes from none that could be named. */
function unlessPlaced(form: Change, key: string, shares: readonly Share[]): Change {
  const place = canonicalJson(form.source ?? null);
  if (shares.every(({ common }) => canonicalJson(common.get(key)?.source ?? null) === place)) return form;
  const { source: _, ...rest } = form;
  return rest;
}

/** What is the same to the last character. */
function wholeKey(): (change: Change) => string {
  const numbers = new Map<string, number>();
  // Only a text begins with a quotation mark, so that none needs to be made JSON.
  const numberOf = (value: unknown) => {
    const text = typeof value === 'string' ? `"${value}` : canonicalJson(value);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  return ({ from, to, lastApplied, ...rest }) => {
    const values = [from, to, lastApplied].map((value) => (value === undefined ? '' : numberOf(value)));
    return `${canonicalJson(rest)} ${values.join(' ')}`;
  };
}

/** What the variables in texts of a group stand for in one resource, by name. */
type Values = NonNullable<ResourcePlan['values']>;

/** The change with variables in the place of their values; undefined where that is no other, or would not come back. */
function withVariables(change: Change, values: Values): Change | undefined {
  const longestFirst = Object.entries(values)
    .filter(([, value]) => value !== '')
    .sort(([, one], [, other]) => other.length - one.length);
  const variable = mapTexts(change, (text) => nameValues(text, longestFirst));
  const text = canonicalJson(change);
  if (canonicalJson(variable) === text) return undefined;
  return canonicalJson(withValues(variable, values)) === text ? variable : undefined;
}

function nameValues(text: string, longestFirst: readonly (readonly [name: string, value: string])[]): string {
  let parts: readonly { readonly text: string; readonly isNamed: boolean }[] = [{ text, isNamed: false }];
  for (const [name, value] of longestFirst) {
    const reference = { text: `\${var.${name}}`, isNamed: true };
    parts = parts.flatMap((part) =>
      part.isNamed
        ? [part]
        : part.text.split(value).flatMap((rest, index) => {
            const literal = { text: rest, isNamed: false };
            return index === 0 ? [literal] : [reference, literal];
          }),
    );
  }
  return parts.map((part) => part.text).join('');
}

const reference = new RegExp(`\\$\\{var\\.(${referenceName})\\}`, 'g');

/** A change of a group as one resource has it. */
export function withValues(change: Change, values: Values): Change {
  return mapTexts(change, (text) =>
    text.replace(reference, (whole, name) => (Object.hasOwn(values, name) ? values[name] : undefined) ?? whole),
  );
}

/** How many characters variables add to a change of a group, at most: counted before they are put in, for they may be many. */
export function charactersOfValues(change: Change, values: Values): number {
  let count = 0;
  mapTexts(change, (text) => {
    for (const [, name = ''] of text.matchAll(reference))
      count += (Object.hasOwn(values, name) && values[name]?.length) || 0;
    return text;
  });
  return count;
}

/** Paths, causes and the like hold no texts of a manifest. */
function mapTexts({ op, path, from, to, lastApplied, ...rest }: Change, map: (text: string) => string): Change {
  const mapped = (value: Change['from']) =>
    value === undefined
      ? undefined
      : JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? map(part) : part));
  return {
    op,
    path,
    ...(from !== undefined && { from: mapped(from) }),
    ...(to !== undefined && { to: mapped(to) }),
    ...(lastApplied !== undefined && { lastApplied: mapped(lastApplied) }),
    ...rest,
  };
}
