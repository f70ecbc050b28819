import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, mapTexts, withoutUndefined } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Notice } from '../../notices/notice.ts';
import { isUnclearEdit, plannedAction } from '../../plan/pending.ts';
import type { Fate, fatesIn } from '../../plan/questions.ts';
import type { Change, Question, ResourcePlan } from '../../schemas/plan-types.ts';
import { escapePattern } from '../../yaml/interpolate.ts';
import { alike, keyOfCauses } from '../alike.ts';
import { appearanceOf } from '../change-view.ts';
import { isLongText } from '../values.ts';

// This file determines which resources share a card, and which card shows a shared text.

/** A change and its key. Changes that look the same have equal keys. */
export interface SharedChange {
  readonly change: Change;
  readonly key: string;
  /** The new value in its more common form. Other groups may share this form. */
  readonly common?: Change['to'];
  /** Whether the change contains variables in place of their values. */
  readonly isVariable?: boolean;
  /** Whether all members have the same values, so that line numbers apply to all of them. */
  readonly isSameInAll: boolean;
  readonly isOwn?: boolean;
}

/** Returns a short key for a text. Storing keys saves memory when there are thousands of texts. */
function keyOfText(text: string): string {
  return text.length > 64 ? hash('sha256', text, 'base64') : text;
}

/** Chooses the more common form of each change, literal or with variables. Keeping all forms would need too much memory. */
function commonerVariants(resources: readonly ResourcePlan[]): (resource: ResourcePlan) => readonly Change[] {
  if (resources.every(({ variables }) => variables === undefined)) return ({ changes }) => changes;
  const counts = new Map<string, number>();
  // The key does not include sources, because each resource may define the variable in a different place.
  const countedKey = (change: Change | undefined) => {
    if (change === undefined) return '';
    const { source: _, ...variant } = change;
    const key = keyOfText(canonicalJson(variant));
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return key;
  };
  const keys = new Map(
    resources.map((resource) => {
      const { changes, variables } = resource;
      const pairs = variables && changes.map((one) => [one, withVariables(one, variables)].map(countedKey));
      if (pairs === undefined) for (const one of changes) countedKey(one);
      return [resource, pairs ?? []] as const;
    }),
  );
  return (resource) => {
    const { changes, variables = {} } = resource;
    return changes.map((change, at) => {
      const [plain = 0, variable = 0] = (keys.get(resource)?.[at] ?? []).map((key) => counts.get(key));
      return (variable > plain && withVariables(change, variables)) || change;
    });
  };
}

/** Returns the change without its source if the other change has a different source. */
function sharingSource(variant: Change, { source: other }: Change): Change {
  if (variant.source === undefined || canonicalJson(variant.source) === canonicalJson(other)) return variant;
  const { source: _, ...rest } = variant;
  return rest;
}

/**
 * Replaces values with their variables, starting with the longest value. Returns undefined if nothing is replaced, or
 * if the change could not be restored from the result. Also returns undefined for a conflict, because people choose
 * between its values.
 */
function withVariables(change: Change, values: NonNullable<ResourcePlan['variables']>): Change | undefined {
  if (change.cause === 'conflict') return undefined;
  const text = canonicalJson(change);
  const entries = Object.entries(values).filter(([, value]) => value !== '');
  if (entries.length === 0 || text.includes('${var.')) return undefined;
  const names = new Map(entries.reverse().map(([name, value]) => [value, name]));
  const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
  const literals = longestFirst.map(escapePattern);
  const pattern = new RegExp(literals.join('|'), 'g');
  const variable = withTexts(change, (part) => part.replace(pattern, (value) => `\${var.${names.get(value)}}`));
  return canonicalJson(variable) === text ? undefined : variable;
}

/** Copies a change, and replaces every text in its values with the result of `textOf`. */
function withTexts(change: Change, textOf: (text: string) => string): Change {
  const { from, to, lastApplied } = change;
  return { ...change, ...withoutUndefined(mapTexts({ from, to, lastApplied }, textOf)) };
}

type SharedVariables = ReturnType<typeof variablesOf>;

/** Returns the variables that all members share, and the others with the value of the first member that uses them. */
function variablesOf(resources: readonly ResourcePlan[]) {
  const examples = new Map(resources.toReversed().flatMap(({ variables = {} }) => Object.entries(variables)));
  const constants = new Map<string, string>();
  for (const [name, value] of examples) {
    if (!resources.every(({ variables }) => variables?.[name] === value)) continue;
    constants.set(name, value);
    examples.delete(name);
  }
  return { constants, examples };
}

/** Fills in the variables of a shared change that are equal for all members. `wordOf` names the other variables. */
export function withValues(
  { change, isVariable = false }: SharedChange,
  { constants, examples }: SharedVariables,
  wordOf: (name: string) => string,
): Change {
  if (!isVariable) return change;
  return withTexts(change, (text) =>
    text.replace(/\$\{var\.([^{}]+)\}/g, (reference, name: string) => {
      return constants.get(name) ?? (examples.has(name) ? wordOf(name) : reference);
    }),
  );
}

/** Resources whose changes look the same. The resources share a card with this id. */
export interface CardGroup {
  readonly id: string;
  readonly first: ResourcePlan;
  readonly fate: Fate;
  /** The members in the order of the plan. The list is never empty. */
  readonly resources: readonly ResourcePlan[];
  /** The changes of all members, each in its most common form, which is either literal or with variables. */
  readonly changes: readonly SharedChange[];
  readonly variables: SharedVariables;
}

export type IsShared = (warning: Notice) => boolean;

interface CardOptions {
  readonly takenIds?: Set<string>;
  readonly isShared?: IsShared;
  readonly questions?: ReadonlyMap<string, readonly Pick<Question, 'number'>[]>;
  readonly fateOf: ReturnType<typeof fatesIn>;
}

/** Groups resources with the same changes, questions and fate, in the order of their first members. */
export function cardGroups(
  resources: readonly ResourcePlan[],
  { takenIds = new Set(), isShared = () => false, questions = new Map(), fateOf }: CardOptions,
): CardGroup[] {
  const variantsOf = commonerVariants(resources);
  const viewKey = cachedViewKeys();
  const keyed = resources.map((resource) => {
    const { kind, action, renamedFrom, reasons, warnings, kept = [] } = resource;
    const keyOf = (change: Change) => {
      // A card shows all parts of a conflict, and the choices on the card depend on them.
      if (change.cause === 'conflict') return canonicalJson({ ...change, source: undefined });
      const { op, path, cause, knowledge } = change;
      return canonicalJson({ op, path, cause, knowledge }) + viewKey(change);
    };
    const variants = variantsOf(resource);
    const keys = variants.map((variant) => keyOfText(`${kind} ${keyOf(variant)}`));
    // Resent settings have no known change, so their values may differ between the resources.
    const shape = variants.map(({ cause, path }, at) => (cause === 'unverified' ? path : keys[at]));
    const own = warnings.filter((warning) => !isShared(warning));
    const causes = [keyOfCauses(reasons, resource), keyOfCauses(own, resource)];
    const asked = questions.get(addressOf(resource))?.map(({ number }) => number);
    const fate = fateOf(resource);
    const rest = [renamedFrom, causes, kept.map(keyOf), fate, asked, isUnclearEdit(resource)];
    return { resource, fate, keys, signature: keyOfText(JSON.stringify([kind, action, rest, shape])) };
  });
  return alike(keyed, ({ signature }) => signature).map((members): CardGroup => {
    const [{ resource: first, fate, keys }] = members;
    const all = members.map(({ resource }) => resource);
    const changes = variantsOf(first).map((one, at) => {
      const isOwn = members.some((member) => member.keys[at] !== keys[at]);
      const shared = sharedChange(one, { at, key: keys[at] ?? '', members: all });
      return isOwn ? { ...shared, isVariable: false, isOwn } : shared;
    });
    const id = freeId(all.length > 1 ? 'group' : first.name, takenIds);
    return { id, first, fate, resources: all, changes, variables: variablesOf(all) };
  });
}

function sharedChange(
  variant: Change,
  { at, key, members }: { readonly at: number; readonly key: string; readonly members: readonly ResourcePlan[] },
): SharedChange {
  const [own = variant, ...others] = members.map(({ changes }) => changes[at] ?? variant);
  const isGroup = others.length > 0;
  const change = isGroup ? others.reduce(sharingSource, variant) : own;
  const isSameInAll = others.every(({ from, to }) => isDeepStrictEqual([from, to], [own.from, own.to]));
  const common = variant.to !== undefined && { common: variant.to };
  return { change, key, isVariable: isGroup && variant !== own, isSameInAll, ...common };
}

/** Makes a card id that needs no escaping in a URL. No other id of a document begins with `card-`. */
export function freeId(wanted: string, taken: Set<string>): string {
  const plain = `card-${wanted.toLowerCase().replace(/[^a-z0-9-]+/g, '-')}`;
  let id = plain;
  for (let number = 2; taken.has(id); number += 1) id = `${plain}-${number}`;
  taken.add(id);
  return id;
}

/** Caches keys by the values of a change, because most changes in a large plan look the same. */
function cachedViewKeys(): (change: Change) => string {
  const appearances = new Map<string, string>();
  return ({ from, to }) => {
    const value = keyOfText(canonicalJson({ from, to }));
    const known = appearances.get(value) ?? keyOfText(appearanceOf({ from, to }));
    appearances.set(value, known);
    return known;
  };
}

/** The card that shows each change that several cards share, by the key of the change or of its new text. */
export type ShowingCards = ReadonlyMap<string, ShowingCard>;

interface ShowingCard {
  readonly group: CardGroup;
  /** The resources on the card, and those on cards that link to this card. */
  readonly resources: readonly ResourcePlan[];
  readonly variables: SharedVariables;
}

export function showingCards(groups: readonly CardGroup[]): ShowingCards {
  const holders = groups.flatMap((group) =>
    group.changes.flatMap((shared) => changeKeys(shared, group.first).map((key) => ({ key, group, shared }))),
  );
  const showing = alike(holders, ({ key }) => key).flatMap((all) => {
    const [shown, ...others] = all.toSorted(({ group: one }, { group: other }) => {
      return lateness(one) - lateness(other) || other.resources.length - one.resources.length;
    });
    if (shown === undefined) return [];
    const { key, group: to } = shown;
    const linked = others.filter(({ group: from, shared }) => {
      return isLinked(shown.shared, { from, to }) && changeKeys(shared, from.first)[0] === key;
    });
    if (linked.length === 0) return [];
    const resources = [shown, ...linked].flatMap(({ group }) => group.resources);
    return [[key, { group: to, resources, variables: variablesOf(resources) }] as const];
  });
  return new Map(showing);
}

const afterAllSteps = 1_000;

/** Ranks cards by step. Creates come last, because a text is clearer as a difference than as a whole. */
function lateness({ first }: CardGroup): number {
  const step = first.action === 'waiting' ? (first.step ?? 1) : 0;
  return plannedAction(first) === 'create' ? afterAllSteps + step : step;
}

/** Returns the keys by which cards share a change. A card links to the card that shows its first key. */
function changeKeys({ change, key, common = null }: SharedChange, resource: ResourcePlan): string[] {
  const { cause } = change;
  if (cause === 'conflict' || cause === 'unverified') return [];
  const isCreate = plannedAction(resource) === 'create';
  if (!isOfText(change)) return isCreate ? [] : [key];
  const text = keyOfText(`${resource.kind} ${change.path} ${canonicalJson(common)}`);
  return isCreate ? [text] : [key, text];
}

/** Finds the card that shows a change. The result may be the group's own card. */
export function showingCard(shared: SharedChange, group: CardGroup, showing: ShowingCards): ShowingCard | undefined {
  const found = changeKeys(shared, group.first).map((key) => showing.get(key));
  // Updates link to the card by the change, and creates by the new text.
  const own = found.flatMap((one) => (one?.group === group ? one.resources : []));
  if (own.length > 0) {
    const resources = [...new Set(own)];
    return { group, resources, variables: variablesOf(resources) };
  }
  const [shown] = found;
  return shown && isLinked(shared, { from: group, to: shown.group }) ? shown : undefined;
}

/** Returns whether another card shows the change instead. A short value is omitted only in a later rollout step. */
function isLinked(
  { change }: SharedChange,
  { from, to }: { readonly from: CardGroup; readonly to: CardGroup },
): boolean {
  return isOfText(change) || lateness(from) > lateness(to);
}

function isOfText({ from, to }: Change): boolean {
  return isLongText(from) || isLongText(to);
}
