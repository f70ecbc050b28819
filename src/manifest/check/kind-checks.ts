import { type FieldPath, settingNamed } from '../../kinds/field-path.ts';
import { type FieldSchema, fieldsByKind, type KindName, type TextForm } from '../../schemas/fields.ts';
import { valueMeant } from '../../yaml/fix.ts';
import { errorAt, type Problem, type Span } from '../../yaml/problem.ts';
import type { LintRuleName } from '../../yaml/rules.ts';
import {
  describePath,
  headOf,
  type MapNode,
  memberOf,
  type Node,
  nodeAt,
  ownPlace,
  type ScalarAt,
  scalarsOf,
  showNode,
} from '../../yaml/tree.ts';
import type { ValueChecks, ValueProblem } from '../../yaml/values.ts';
import { keysAt } from '../../yaml/violations.ts';

/** A setting that a resource declares. */
export interface Declared {
  readonly node: Node;
  /** The displayed path, such as `transferRules.confirmTransfers`. */
  readonly path: string;
  readonly at: Span;
}

/** The settings of one resolved resource. Checks find them by name, independent of their section. */
export class ResourceView {
  readonly root: MapNode;
  readonly #kind: KindName;
  readonly #hasExtra: boolean;
  #scalars: readonly ScalarAt[] | undefined;

  constructor(kind: KindName, root: MapNode) {
    this.root = root;
    this.#hasExtra = keysAt(kind, []).includes('extraSettings');
    this.#kind = kind;
  }

  get scalars(): readonly ScalarAt[] {
    this.#scalars ??= scalarsOf(this.root);
    return this.#scalars;
  }

  /** The setting in its section. Ignores `extraSettings`. */
  declared(name: string): Declared | undefined {
    const field = settingNamed(this.#kind, name);
    return this.at(field === undefined ? [name] : field.path);
  }

  /** The setting as it is sent. A value in `extraSettings` replaces the one in the section. */
  effective(name: string): Declared | undefined {
    return (this.#hasExtra ? this.at(['extraSettings', name]) : undefined) ?? this.declared(name);
  }

  at(steps: readonly string[]): Declared | undefined {
    const node = nodeAt(this.root, steps);
    return node === undefined ? undefined : { node, path: describePath(this.root, steps), at: headOf(node) };
  }

  /** Whether the setting is known to have this value. */
  is(name: string, value: string | boolean): boolean {
    const node = this.effective(name)?.node;
    return node?.type === 'scalar' && !node.opaque && node.value === value;
  }

  /** Whether the setting is known to have no effect: undeclared, false, null or empty. */
  isOff(name: string): boolean {
    const node = this.effective(name)?.node;
    return node === undefined || (node.type === 'scalar' && !node.opaque && isOffValue(node.value));
  }

  /** Whether the setting has an effect or an unknown value. */
  isSet(name: string): boolean {
    return !this.isOff(name);
  }

  /** The map of extra settings. Undefined for kinds without one. */
  extraSettings(): MapNode | undefined {
    const extra = this.#hasExtra ? memberOf(this.root, 'extraSettings') : undefined;
    return extra?.type === 'map' ? extra : undefined;
  }
}

function isOffValue(value: unknown): boolean {
  return value === null || value === false || value === '';
}

/** A lint rule and the check that finds its violations. */
interface LintCheck {
  readonly name: LintRuleName;
  find(resource: ResourceView): readonly Problem[];
}

/** Describes when a setting has no effect. */
interface NoEffect {
  readonly name: LintRuleName;
  /** The setting that has no effect. */
  readonly setting: string;
  /** Whether the setting has no effect here. Only called for a declared value that would otherwise have one. */
  readonly when: (resource: ResourceView) => boolean;
  /** The reason, as the end of the sentence "X has no effect: ...". */
  readonly because: string;
  /** The setting that causes this. If it is declared, the problem shows its place. */
  readonly cause?: string;
}

/** Finds the violations of a kind's lint rules in a resource. */
export function lintProblems(kind: KindName, resource: ResourceView): Problem[] {
  const { lint = [], sets = [] } = ownChecks[kind] ?? {};
  return [
    ...lint.flatMap((rule) => ('find' in rule ? rule.find(resource) : noEffectProblems(rule, resource))),
    ...sets.flatMap((name) => duplicateItems(resource, name)),
  ];
}

function noEffectProblems({ name, setting, when, because, cause }: NoEffect, resource: ResourceView): Problem[] {
  const declared = resource.effective(setting);
  if (declared === undefined || !resource.isSet(setting) || !when(resource)) return [];
  const message = `${declared.path} has no effect: ${because}`;
  const reason = cause === undefined ? undefined : resource.effective(cause);
  const also = reason === undefined ? {} : { also: { message: 'because of this', at: reason.at } };
  return [{ severity: 'warning', rule: name, message, at: declared.at, ...also }];
}

/** Reports items that occur twice in a list without order. */
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

/** Finds problems of a resource that a schema cannot express. */
export type ResourceCheck = (resource: ResourceView, checks: ValueChecks) => Promise<readonly Problem[]>;

/**
 * Makes a check for texts with a form in the schema, such as a URL. Unknown values are skipped, and messages do not
 * repeat secrets.
 */
export function formCheck(kind: KindName): ResourceCheck {
  const places = fieldsByKind[kind].flatMap(formPlaces);
  return async (resource, checks) => {
    const texts = places.flatMap((place) => textsAt(resource, place));
    const rowProblems = await Promise.all(texts.map(({ text, form }) => checks[form](text)));
    return texts.flatMap(({ steps }, index) => {
      const found = rowProblems[index];
      return found === undefined ? [] : problemFrom(found, resource.at(steps));
    });
  };
}

/** A field whose texts must have a form, or a member of such a field. */
interface FormPlace {
  readonly field: FieldPath;
  readonly member?: string;
  readonly form: TextForm;
}

/**
 * The places of a field that have a form. An object with a text shorthand applies the form of the member that the text
 * stands for.
 */
function formPlaces(field: FieldSchema): FormPlace[] {
  const path = field.path;
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

/** The known texts at a place. In a list, the texts of all items. */
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

function problemFrom(found: ValueProblem, declared: Declared | undefined): Problem[] {
  if (declared === undefined) return [];
  const { severity, rule, message, detail = '' } = found;
  const { node, path, at } = declared;
  const problem = { ...errorAt(at, rule, `${path} is ${showNode(node)}: ${message}`), severity };
  if (node.type !== 'scalar' || node.sensitive) return [problem];
  const text = { at: ownPlace(node), found: String(node.value) };
  return [{ ...problem, message: `${problem.message}${detail}`, ...valueMeant(text, found) }];
}

/** Errors in an Agent that its schema cannot express. */
const checkTransferHasDestination: ResourceCheck = async (agent) => {
  const regex = agent.effective('cnamAutoTransferRegex');
  if (regex === undefined || agent.isOff('cnamAutoTransferRegex') || !agent.isOff('cnamAutoTransferDestination'))
    return [];
  const message = `${regex.path} has nowhere to transfer to: declare cnamAutoTransferDestination too`;
  return [errorAt(regex.at, 'transfer-destination-missing', message)];
};

/** Lint rules for an Agent, such as settings that cancel each other. */
const agentLint: readonly (LintCheck | NoEffect)[] = [
  {
    name: 'attended-over-confirm',
    setting: 'confirmTransfers',
    when: (agent) => agent.is('attendedTransfers', true),
    because: 'attendedTransfers is true and overrides it',
    cause: 'attendedTransfers',
  },
  {
    name: 'recording-phrase-unused',
    setting: 'recordingNotificationPhrase',
    when: (agent) => agent.is('autoRecordingNotification', 'false'),
    because: "autoRecordingNotification is 'false', so callers are never notified",
    cause: 'autoRecordingNotification',
  },
  {
    name: 'thinking-model-unused',
    setting: 'agentThinkingModel',
    when: (agent) => agent.isOff('postConvoForceThinking') && !mentionsPauseAndThink(agent),
    because: 'postConvoForceThinking is not true, and no action or instructions name pauseAndThink',
  },
  {
    name: 'force-thinking-unused',
    setting: 'postConvoForceThinking',
    when: (agent) => agent.is('agentThinking', 'low'),
    because: "agentThinking is 'low', and thinking is forced only when it is off",
    cause: 'agentThinking',
  },
  {
    name: 'reject-code-unused',
    setting: 'cnamAutoRejectCode',
    when: (agent) => agent.isOff('cnamAutoRejectRegex'),
    because: 'there is no cnamAutoRejectRegex, so no call is rejected',
  },
  {
    name: 'transfer-destination-unused',
    setting: 'cnamAutoTransferDestination',
    when: (agent) => agent.isOff('cnamAutoTransferRegex'),
    because: 'there is no cnamAutoTransferRegex, so no call is transferred',
  },
  {
    name: 'same-caller-regex',
    setting: 'cnamAutoTransferRegex',
    when: (agent) => sameText(agent, 'cnamAutoTransferRegex', 'cnamAutoRejectRegex'),
    because: 'cnamAutoRejectRegex is the same, and reject wins over transfer',
    cause: 'cnamAutoRejectRegex',
  },
  {
    name: 'confirm-timeout-unused',
    setting: 'transferConfirmTimeout',
    when: (agent) => agent.isOff('confirmTransfers') && agent.isOff('attendedTransfers'),
    because: 'neither confirmTransfers nor attendedTransfers is true',
  },
  {
    name: 'bridge-trigger-unused',
    setting: 'attendedTransferBridgeTrigger',
    when: (agent) => agent.isOff('attendedTransfers'),
    because: 'attendedTransfers is not true',
  },
  {
    name: 'heartbeat-interval-unused',
    setting: 'heartbeatEvery',
    when: (agent) => agent.isOff('heartbeatInstructions'),
    because: 'there are no heartbeatInstructions',
  },
  {
    name: 'blank-title',
    find: (agent) => {
      const title = agent.effective('title');
      const isBlank = title?.node.type === 'scalar' && !title.node.opaque && String(title.node.value).trim() === '';
      if (!isBlank) return [];
      const message = `${title.path} is blank, and the service may refuse it: write a title`;
      return [{ severity: 'warning', rule: 'blank-title', message, at: title.at }];
    },
  },
];

/** Whether an instruction may mention the tool. Texts that could not be read count as mentioning it. */
function mentionsPauseAndThink(agent: ResourceView): boolean {
  return agent.scalars.some(
    ([, { value, opaque }]) => opaque || (typeof value === 'string' && /pause_?and_?think/i.test(value)),
  );
}

function sameText(agent: ResourceView, first: string, second: string): boolean {
  const node = agent.effective(first)?.node;
  return node?.type === 'scalar' && typeof node.value === 'string' && !node.opaque && agent.is(second, node.value);
}

/** Lint rules for an Organization. */
const organizationLint: readonly LintCheck[] = [
  {
    name: 'default-provider-twice',
    find: findDefaultProviders,
  },
];

function findDefaultProviders(organization: ResourceView): readonly Problem[] {
  const providers = organization.declared('numberingProviders')?.node;
  if (providers?.type !== 'list') return [];
  const defaults = providers.items
    .flatMap((_item, index) => organization.at(['settings', 'numberingProviders', String(index), 'default']) ?? [])
    .filter(({ node }) => node.type === 'scalar' && !node.opaque && node.value === true);
  const [first, ...others] = defaults;
  return others.map(({ path, at }) => ({
    severity: 'warning',
    rule: 'default-provider-twice',
    message: `${path} is true, but another provider is already the default`,
    at,
    ...(first === undefined ? {} : { also: { message: 'first here', at: first.at } }),
  }));
}

/** Lint rules for a Member. */
const memberLint: readonly LintCheck[] = [
  {
    name: 'restrictions-lifted',
    find(member) {
      const permitted = member.declared('permittedAccountIds');
      if (permitted?.node.type !== 'list' || permitted.node.items.length > 0) return [];
      const message = `${permitted.path} is empty: an update lifts all restrictions, and the member can access every account`;
      return [{ severity: 'warning', rule: 'restrictions-lifted', message, at: permitted.at }];
    },
  },
];

/** The checks of a kind beyond its schema. */
interface KindChecks {
  /** Checks for certain errors. */
  readonly checks: readonly ResourceCheck[];
  /** Checks for probable mistakes. */
  readonly lint: readonly (LintCheck | NoEffect)[];
  /** Names of lists whose items must differ. */
  readonly sets: readonly string[];
}

const ownChecks: Readonly<Partial<Record<KindName, Partial<KindChecks>>>> = {
  Agent: { checks: [checkTransferHasDestination], lint: agentLint, sets: ['links', 'actions'] },
  Organization: { lint: organizationLint },
  Member: { lint: memberLint, sets: ['permittedAccountIds'] },
};

const known = new Map<KindName, readonly ResourceCheck[]>();

/** All checks of a kind. Most kinds only check the text forms in their schema. */
export function checksOf(kind: KindName): readonly ResourceCheck[] {
  const checks = known.get(kind) ?? [formCheck(kind), ...(ownChecks[kind]?.checks ?? [])];
  known.set(kind, checks);
  return checks;
}
