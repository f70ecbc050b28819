import { hash } from 'node:crypto';
import { canonicalJson } from '../../json/json.ts';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import { referenceName } from '../../secrets/reference.ts';

/** Resources with the same changes. */
export interface Group {
  /** The shared changes of all members, in their order, in the shared form. */
  readonly changes: readonly Change[];
  /** Two at least, in the order of the plan. */
  readonly members: readonly Member[];
}

export interface Member {
  readonly resource: ResourcePlan;
  /** The changes that only this member has, or that it has in common with too few to be worth a group. */
  readonly own: readonly Change[];
}

/** Resources share a change if this is equal for it. */
export type KeyOf = (change: Change, resource: ResourcePlan) => string;

/**
 * Groups resources with the same changes. Each is in one group at most, so that it is shown in one place: in the one
 * that leaves the least to show, where what a group shares is shown once, and what is left is shown for each of its
 * members.
 */
export function groupResources(resources: readonly ResourcePlan[], keyOf: KeyOf): Group[] {
  const { shares, weights, formOf } = sharesOf(resources, keyOf);
  const signatures = signaturesOf(shares);
  const cores = coresOf(signatures, weights);
  const chosen = new Map(signatures.map((signature) => [signature, bestCore(signature, cores, weights)]));
  const sizes = new Map([...gathered(chosen)].map(([core, { length }]) => [core, length]));
  for (const [signature, core] of chosen) {
    if (sizes.get(core) === 1) chosen.set(signature, nextCore(signature, cores, { sizes, weights }));
  }
  return [...gathered(chosen)].flatMap(([core, members]) =>
    members.length > 1 ? [asGroup(core, members, formOf)] : [],
  );
}

/** Equal for equal texts, and short: of thousands of texts, the keys are kept. */
export function keyOfText(text: string): string {
  return text.length > 64 ? hash('sha256', text, 'base64') : text;
}

/** The numbers of texts, and how often each came. */
class Numbered {
  readonly #numbers = new Map<string, number>();
  readonly counts: number[] = [];

  numberOf(text: string): number {
    const key = keyOfText(text);
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    this.counts[number] = (this.counts[number] ?? 0) + 1;
    return number;
  }
}

/** A resource that has a change in common with another one. */
interface Share {
  readonly index: number;
  readonly resource: ResourcePlan;
  /** The number of the key of each of its changes. */
  readonly keys: readonly number[];
  /** Changes that another resource has as well. */
  readonly common: readonly number[];
}

interface Shares {
  readonly shares: readonly Share[];
  /** By key number, the displayed lines of a change with that key. */
  readonly weights: readonly number[];
  /** A change of a share in the form in which others have it. */
  readonly formOf: FormOf<Share>;
}

/** The change is given with the number that it has in its resource. */
type FormOf<Of> = (change: Change, at: number, of: Of) => Change;

function sharesOf(resources: readonly ResourcePlan[], keyOf: KeyOf): Shares {
  const formOf = commonerForm(resources);
  const keys = new Numbered();
  const weights: number[] = [];
  const keyed = resources.map((resource, index) =>
    resource.changes.map((change, at) => {
      const form = formOf(change, at, { resource, index });
      const key = keys.numberOf(`${resource.kind} ${resource.action} ${keyOf(form, resource)}`);
      weights[key] ??= weightOf(form);
      return key;
    }),
  );
  const shares = keyed.flatMap((each, index): Share[] => {
    const resource = resources[index];
    const common = each.filter((key) => (keys.counts[key] ?? 0) > 1);
    return resource === undefined || common.length === 0 ? [] : [{ index, resource, keys: each, common }];
  });
  return { shares, weights, formOf };
}

/**
 * A change as it is, or with variables in place of their values if more resources have exactly that. The choice is made
 * once; the form is computed on request, because all forms together are as large as the plan.
 */
function commonerForm(resources: readonly ResourcePlan[]): FormOf<Pick<Share, 'index' | 'resource'>> {
  if (resources.every(({ variables }) => variables === undefined)) return (change) => change;
  // The source of a value is not part of its form: a variable may have a different place for each resource.
  const countedAs = ({ source: _, ...form }: Change) => canonicalJson(form);
  const forms = new Numbered();
  const numbers = resources.map(({ changes, variables: values }) =>
    changes.map((change) => {
      const variable = values && withVariables(change, values);
      return {
        plain: forms.numberOf(countedAs(change)),
        variable: variable && forms.numberOf(countedAs(variable)),
      };
    }),
  );
  const countOf = (number = -1) => forms.counts[number] ?? 0;
  return (change, at, { index, resource: { variables: values } }) => {
    const number = numbers[index]?.[at];
    const isVariable = countOf(number?.variable) > countOf(number?.plain);
    return (isVariable && values && withVariables(change, values)) || change;
  };
}

/** The resources that have exactly the same changes in common with others. */
interface Signature {
  readonly index: number;
  readonly common: ReadonlySet<number>;
  readonly shares: Share[];
}

function signaturesOf(shares: readonly Share[]): Signature[] {
  const signatures = new Map<string, Signature>();
  for (const share of shares) {
    const id = share.common.join();
    const signature = signatures.get(id) ?? { index: signatures.size, common: new Set(share.common), shares: [] };
    signature.shares.push(share);
    signatures.set(id, signature);
  }
  return [...signatures.values()];
}

/** Changes that a group may share. */
interface Core {
  readonly keys: ReadonlySet<number>;
  readonly weight: number;
  /** The number of resources that have them all. */
  readonly holders: number;
}

type Weights = Shares['weights'];

/**
 * For each change, what all the resources with that change have in common: once for the changes that the same
 * signatures have. With many combinations of changes, only a limited number is compared; the rest only makes groups
 * smaller.
 */
function coresOf(signatures: readonly Signature[], weights: Weights): ReadonlyMap<number, Core> {
  const holders = new Map<number, Signature[]>();
  for (const signature of signatures) {
    for (const key of signature.common) {
      const known = holders.get(key);
      if (known === undefined) holders.set(key, [signature]);
      else known.push(signature);
    }
  }
  const known = new Map<string, Core>();
  const cores = new Map<number, Core>();
  let work = 0;
  for (const [key, held] of holders) {
    const id = held.map(({ index }) => index).join();
    let core = known.get(id);
    if (core === undefined) {
      const smallest = held.reduce((one, other) => (other.common.size < one.common.size ? other : one));
      work += smallest.common.size * held.length;
      if (work > mostWork) continue;
      core = coreOf(inAll(smallest, held), { holders: numberOf(held), weights });
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

function inAll(smallest: Signature, held: readonly Signature[]): ReadonlySet<number> {
  return new Set([...smallest.common].filter((key) => held.every(({ common }) => common.has(key))));
}

function numberOf(signatures: readonly Signature[]): number {
  return signatures.reduce((sum, { shares }) => sum + shares.length, 0);
}

function coreOf(
  keys: ReadonlySet<number>,
  { holders, weights }: Pick<Core, 'holders'> & { readonly weights: Weights },
): Core {
  const weight = [...keys].reduce((sum, key) => sum + (weights[key] ?? 0), 0);
  return { keys, weight, holders };
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

interface Chosen {
  readonly sizes: ReadonlyMap<Core, number>;
  readonly weights: Weights;
}

/** For a resource that no other joined: the largest part of it that a group shares, otherwise what most have. */
function nextCore(signature: Signature, cores: ReadonlyMap<number, Core>, { sizes, weights }: Chosen): Core {
  const own = coresWithin(signature, cores, weights);
  const open = own.filter((core) => (sizes.get(core) ?? 0) > 1);
  if (open.length > 0) return open.reduce((best, core) => (core.weight > best.weight ? core : best));
  return own.reduce((best, core) => (core.holders > best.holders ? core : best));
}

/** The smallest display for the resources of a signature: the shared core, and their own rest. */
function bestCore(signature: Signature, cores: ReadonlyMap<number, Core>, weights: Weights): Core {
  const members = signature.shares.length;
  const costOf = ({ weight, holders }: Core) => (weight * members) / holders - weight * members;
  return coresWithin(signature, cores, weights).reduce((best, core) => (costOf(core) < costOf(best) ? core : best));
}

/** The common changes of a signature's resources, and the parts that others have. */
function coresWithin({ common, shares }: Signature, cores: ReadonlyMap<number, Core>, weights: Weights): Core[] {
  const whole = coreOf(common, { holders: shares.length, weights });
  return [whole, ...[...common].flatMap((key) => cores.get(key) ?? [])];
}

/** About the lines that it takes to show it. */
function weightOf({ from, to }: Change): number {
  return 1 + linesOf(from) + linesOf(to);
}

const mostLines = 10;
const lineLength = 80;

function linesOf(value: unknown): number {
  if (typeof value !== 'string') return value === undefined ? 0 : 1;
  return Math.min(mostLines, Math.ceil(value.length / lineLength));
}

function asGroup({ keys }: Core, shares: readonly Share[], formOf: FormOf<Share>): Group {
  const changes = new Map<number, Change>();
  for (const [index, share] of shares.entries()) {
    for (const [at, change] of share.resource.changes.entries()) {
      const key = share.keys[at];
      if (key === undefined || !keys.has(key)) continue;
      const known = index === 0 ? formOf(change, at, share) : changes.get(key);
      if (known !== undefined) changes.set(key, placedAlike(known, change));
    }
  }
  return {
    changes: [...changes.values()],
    members: shares.map(({ resource, keys: all }) => ({
      resource,
      own: resource.changes.filter((_, at) => !keys.has(all[at] ?? -1)),
    })),
  };
}

/** A change that comes from different places comes from none that could be named. */
function placedAlike(form: Change, { source: other }: Change): Change {
  if (form.source === undefined || canonicalJson(form.source) === canonicalJson(other)) return form;
  const { source: _, ...rest } = form;
  return rest;
}

/** The values of variables in a group's texts for one resource, by name. */
type Values = NonNullable<ResourcePlan['variables']>;

/** The change with variables in place of their values; undefined if that is the same, or could not be reversed. */
function withVariables(change: Change, values: Values): Change | undefined {
  const longestFirst = Object.entries(values)
    .filter(([, value]) => value !== '')
    .sort(([, one], [, other]) => other.length - one.length);
  const variable = mapChangeTexts(change, (text) => nameValues(text, longestFirst));
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
function withValues(change: Change, values: Values): Change {
  return mapChangeTexts(change, (text) =>
    text.replace(reference, (whole, name) => (Object.hasOwn(values, name) ? values[name] : undefined) ?? whole),
  );
}

/** Paths, causes and the like hold no texts of a manifest. */
function mapChangeTexts({ op, path, from, to, lastApplied, ...rest }: Change, map: (text: string) => string): Change {
  const mapped = (_: string, part: unknown) => (typeof part === 'string' ? map(part) : part);
  const sides: Pick<Change, 'from' | 'to' | 'lastApplied'> = JSON.parse(
    JSON.stringify({ from, to, lastApplied }, mapped),
  );
  return { op, path, ...sides, ...rest };
}
