import { type FieldPath, pathOf } from '../../kinds/field-path.ts';
import { type FieldSchema, fieldsByKind, type KindName, type TextForm } from '../../schemas/fields.ts';
import { valueMeant } from '../../yaml/fix.ts';
import { errorAt, type Problem } from '../../yaml/problem.ts';
import type { LintRuleName } from '../../yaml/rules.ts';
import { memberOf, type Node, nodeAt, ownPlace, showNode } from '../../yaml/tree.ts';
import type { ValueChecks, ValueProblem } from '../../yaml/values.ts';
import type { Declared, ResourceView } from './resource-view.ts';

/** A lint rule with the check that finds what it is about. */
export interface LintCheck {
  readonly name: LintRuleName;
  find(resource: ResourceView): readonly Problem[];
}

/** A setting that is declared in vain. */
export interface NoEffect {
  readonly name: LintRuleName;
  /** The setting that has no effect. */
  readonly setting: string;
  /** Whether it has none; asked only if the setting is declared with a value that would do something. */
  readonly when: (resource: ResourceView) => boolean;
  /** Why, as the end of the sentence "X has no effect: ...". */
  readonly because: string;
  /** The setting that is the reason, to point at if it is declared. */
  readonly cause?: string;
}

/** The rule that a setting has no effect in some circumstances. */
export function noEffect({ name, setting, when, because, cause }: NoEffect): LintCheck {
  return {
    name,
    find(resource) {
      const declared = resource.effective(setting);
      if (declared === undefined || !resource.isSet(setting) || !when(resource)) return [];
      const message = `${declared.path} has no effect: ${because}`;
      const reason = cause === undefined ? undefined : resource.effective(cause);
      const also = reason === undefined ? {} : { also: { message: 'because of this', at: reason.at } };
      return [{ severity: 'warning', rule: name, message, at: declared.at, ...also }];
    },
  };
}

/** The rule that the lists of these names, which are sets, have no item twice. Several kinds share it. */
export function duplicateItem(lists: readonly string[]): LintCheck {
  return {
    name: 'duplicate-item',
    find: (resource) => lists.flatMap((name) => duplicateItems(resource, name)),
  };
}

function duplicateItems(resource: ResourceView, name: string): Problem[] {
  const list = resource.effective(name)?.node;
  if (list?.type !== 'list') return [];
  const first = new Map(list.items.map((item) => [knownValue(item), item] as const).reverse());
  return list.items.flatMap((item) => {
    const earlier = first.get(knownValue(item));
    if (earlier === undefined || earlier === item || knownValue(item) === undefined) return [];
    const also = { message: 'first here', at: earlier.at };
    return [{ severity: 'warning', rule: 'duplicate-item', message: `${name} has this item twice`, at: item.at, also }];
  });
}

function knownValue(node: Node): unknown {
  return node.type === 'scalar' && !node.opaque ? node.value : undefined;
}

/** Finds what is wrong with a resource beyond its schema. */
export type ResourceCheck = (resource: ResourceView, checks: ValueChecks) => Promise<readonly Problem[]>;

/** Checks every text with a form in the schema; unknown values are skipped, and secrets not repeated. */
export function formCheck(kind: KindName): ResourceCheck {
  const places = fieldsByKind[kind].flatMap(formPlaces);
  return async (resource, checks) => {
    const texts = places.flatMap((place) => textsAt(resource, place));
    const rowProblems = await Promise.all(texts.map(({ text, form }) => checks[form](text)));
    return texts.flatMap(({ steps }, index) => problemFrom(rowProblems[index], resource.at(steps)));
  };
}

/** A field with a form, or a member of one. */
interface FormPlace {
  readonly field: FieldPath;
  readonly member?: string;
  readonly form: TextForm;
}

/** An object that is written as a text has the form of the member that the text stands for. */
function formPlaces(field: FieldSchema): FormPlace[] {
  const path = pathOf(field);
  const members = (field.members ?? []).flatMap(({ name, form }) => (form === undefined ? [] : [{ name, form }]));
  const own = field.form ?? members.find(({ name }) => name === field.shorthand)?.form;
  return [
    ...(own === undefined ? [] : [{ field: path, form: own }]),
    ...members.map(({ name, form }) => ({ field: path, member: name, form })),
  ];
}

interface TextWithForm {
  readonly steps: readonly string[];
  readonly text: string;
  readonly form: TextForm;
}

/** The known texts at a place, of a list those of every item. */
function textsAt({ root }: ResourceView, { field, member, form }: FormPlace): TextWithForm[] {
  const node = nodeAt(root, field);
  if (node === undefined) return [];
  const items =
    node.type === 'list'
      ? node.items.map((item, index) => ({ item, steps: [...field, String(index)] }))
      : [{ item: node, steps: field }];
  return items.flatMap(({ item, steps }) => {
    const found = member === undefined ? item : memberOf(item, member);
    if (found?.type !== 'scalar' || found.opaque || typeof found.value !== 'string') return [];
    return [{ steps: member === undefined ? steps : [...steps, member], text: found.value, form }];
  });
}

function problemFrom(found: ValueProblem | undefined, declared: Declared | undefined): Problem[] {
  if (found === undefined || declared === undefined) return [];
  const { severity, rule, message, detail = '' } = found;
  const { node, path, at } = declared;
  const problem = { ...errorAt(at, rule, `${path} is ${showNode(node)}: ${message}`), severity };
  if (node.type !== 'scalar' || node.sensitive) return [problem];
  const text = { at: ownPlace(node), found: String(node.value) };
  return [{ ...problem, message: `${problem.message}${detail}`, ...valueMeant(text, found) }];
}
