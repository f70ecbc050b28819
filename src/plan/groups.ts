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

/** Resources share a change if this says the same of it. */
export type KeyOf = (change: Change, resource: ResourcePlan) => string;

/**
 * Puts the resources together that have the same changes. Each is in one group at most, so that it is shown in one place:
 * in the one that leaves the least to show, where what a group shares is shown once, and what is left is shown for each
 * of its members.
 */
export function groupResources(resources: readonly ResourcePlan[], keyOf: KeyOf = wholeKey()): Group[] {
  const signatures = signaturesOf(sharesOf(resources, keyOf));
  const cores = coresOf(signatures);
  const chosen = new Map(signatures.map((signature) => [signature, bestCore(signature, cores)]));
  const sizes = new Map([...gathered(chosen)].map(([core, { length }]) => [core, length]));
  for (const [signature, core] of chosen) {
    if (sizes.get(core) === 1) chosen.set(signature, nextCore(signature, cores, sizes));
  }
  return [...gathered(chosen)].flatMap(([core, members]) => (members.length > 1 ? [asGroup(core, members)] : []));
}

/** A change as it is, and with variables in the place of their values if that is another. */
interface Forms {
  readonly change: Change;
  readonly variable: Change | undefined;
}

/** A resource that has a change in common with another one. */
interface Share {
  readonly index: number;
  readonly resource: ResourcePlan;
  readonly changes: readonly { readonly change: Change; readonly key: string }[];
  /** By key, in the order of the changes, the forms that another resource has as well. */
  readonly common: ReadonlyMap<string, Change>;
}

function sharesOf(resources: readonly ResourcePlan[], keyOf: KeyOf): Share[] {
  const formed = resources.map((resource, index) => ({ index, resource, forms: formsOf(resource) }));
  const choose = commonerForm(formed.flatMap(({ forms }) => forms));
  const keyed = formed.map(({ index, resource, forms }) => {
    const changes = forms.map((both) => {
      const form = choose(both);
      return { change: both.change, form, key: `${resource.kind} ${resource.action} ${keyOf(form, resource)}` };
    });
    return { index, resource, changes };
  });
  const countOf = counter(keyed.flatMap(({ changes }) => [...new Set(changes.map(({ key }) => key))]));
  return keyed.flatMap((each) => {
    const inCommon = each.changes.filter(({ key }) => countOf(key) > 1);
    return inCommon.length === 0 ? [] : [{ ...each, common: new Map(inCommon.map(({ key, form }) => [key, form])) }];
  });
}

function formsOf({ changes, values }: ResourcePlan): Forms[] {
  return changes.map((change) => ({ change, variable: values && withVariables(change, values) }));
}

/** Chooses the form that more resources have to the last character. */
function commonerForm(all: readonly Forms[]): (forms: Forms) => Change {
  if (all.every(({ variable }) => variable === undefined)) return ({ change }) => change;
  const keyOf = wholeKey();
  // Where a value is written is no part of its form: a variable may have a place of its own for each resource.
  const countedAs = ({ source: _, ...form }: Change) => keyOf(form);
  const countOf = counter(
    all.flatMap(({ change, variable }) => (variable === undefined ? [change] : [change, variable])).map(countedAs),
  );
  return ({ change, variable }) =>
    variable !== undefined && countOf(countedAs(variable)) > countOf(countedAs(change)) ? variable : change;
}

function counter(keys: readonly string[]): (key: string) => number {
  const counts = new Map<string, number>();
  const countOf = (key: string) => counts.get(key) ?? 0;
  for (const key of keys) counts.set(key, countOf(key) + 1);
  return countOf;
}

/** The resources that have exactly the same changes in common with others. */
interface Signature {
  readonly index: number;
  readonly common: ReadonlyMap<string, Change>;
  readonly shares: Share[];
}

function signaturesOf(shares: readonly Share[]): Signature[] {
  const signatures = new Map<string, Signature>();
  for (const share of shares) {
    const id = JSON.stringify([...share.common.keys()]);
    const signature = signatures.get(id) ?? { index: signatures.size, common: share.common, shares: [] };
    signature.shares.push(share);
    signatures.set(id, signature);
  }
  return [...signatures.values()];
}

/** Changes that a group may share. */
interface Core {
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
  const holders = new Map<string, Signature[]>();
  for (const signature of signatures) {
    for (const key of signature.common.keys()) {
      const known = holders.get(key);
      if (known === undefined) holders.set(key, [signature]);
      else known.push(signature);
    }
  }
  const known = new Map<string, Core>();
  const cores = new Map<string, Core>();
  let work = 0;
  for (const [key, held] of holders) {
    const id = held.map(({ index }) => index).join();
    let core = known.get(id);
    if (core === undefined) {
      const smallest = held.reduce((one, other) => (other.common.size < one.common.size ? other : one));
      work += smallest.common.size * held.length;
      if (work > mostWork) continue;
      core = coreOf(inAll(smallest, held), numberOf(held));
      work += core.keys.size * workOfKept;
      known.set(id, core);
    }
    cores.set(key, core);
  }
  return cores;
}

/** Looking whether a resource has a change is 1, and keeping one in memory as much as some more. */
const mostWork = 20_000_000;
const workOfKept = 40;

function inAll(smallest: Signature, held: readonly Signature[]): Map<string, Change> {
  return new Map([...smallest.common].filter(([key]) => held.every(({ common }) => common.has(key))));
}

function numberOf(signatures: readonly Signature[]): number {
  return signatures.reduce((sum, { shares }) => sum + shares.length, 0);
}

function coreOf(common: ReadonlyMap<string, Change>, holders: number): Core {
  return { keys: new Set(common.keys()), weight: weightOf(common), holders };
}

/** The resources that chose each core, in the order of the plan, and so are the cores. */
function gathered(chosen: ReadonlyMap<Signature, Core>): ReadonlyMap<Core, readonly Share[]> {
  const members = new Map<Core, Share[]>();
  for (const [{ shares }, core] of chosen) {
    const known = members.get(core);
    if (known === undefined) members.set(core, [...shares]);
    else known.push(...shares);
  }
  for (const shares of members.values()) shares.sort((one, other) => one.index - other.index);
  return members;
}

/** For a resource that nobody else joined: the largest part of it that a group shares, otherwise what most have. */
function nextCore(signature: Signature, cores: ReadonlyMap<string, Core>, sizes: ReadonlyMap<Core, number>): Core {
  const own = coresWithin(signature, cores);
  const open = own.filter((core) => (sizes.get(core) ?? 0) > 1);
  if (open.length > 0) return open.reduce((best, core) => (core.weight > best.weight ? core : best));
  return own.reduce((best, core) => (core.holders > best.holders ? core : best));
}

/** What has least to show for the resources of a signature: the core, shared with all that have it, and their own rest. */
function bestCore(signature: Signature, cores: ReadonlyMap<string, Core>): Core {
  const members = signature.shares.length;
  const costOf = ({ weight, holders }: Core) => (weight * members) / holders - weight * members;
  return coresWithin(signature, cores).reduce((best, core) => (costOf(core) < costOf(best) ? core : best));
}

/** All that the resources of a signature have in common, and the parts of it that others have. */
function coresWithin({ common, shares }: Signature, cores: ReadonlyMap<string, Core>): Core[] {
  return [coreOf(common, shares.length), ...[...common.keys()].flatMap((key) => cores.get(key) ?? [])];
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

function asGroup({ keys }: Core, shares: readonly Share[]): Group {
  const common = shares.slice(0, 1).flatMap((share) => [...share.common]);
  return {
    changes: common.flatMap(([key, form]) => (keys.has(key) ? [unlessPlaced(form, key, shares)] : [])),
    members: shares.map(({ resource, changes }) => ({
      resource,
      own: changes.filter(({ key }) => !keys.has(key)).map(({ change }) => change),
    })),
  };
}

/** A change that comes from different places comes from none that could be named. */
function unlessPlaced(form: Change, key: string, shares: readonly Share[]): Change {
  const places = new Set(shares.map(({ common }) => canonicalJson(common.get(key)?.source)));
  if (places.size === 1) return form;
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
    const values = [from, to, lastApplied].map((value) => value !== undefined && numberOf(value));
    return `${values.join()}${canonicalJson(rest)}`;
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
  const mapped = (_: string, part: unknown) => (typeof part === 'string' ? map(part) : part);
  const sides: Pick<Change, 'from' | 'to' | 'lastApplied'> = JSON.parse(
    JSON.stringify({ from, to, lastApplied }, mapped),
  );
  return { op, path, ...sides, ...rest };
}
