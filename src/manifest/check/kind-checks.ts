import { fieldAt, memberAt, settingNamed } from '../../kinds/field-path.ts';
import type { KindName, TextForm } from '../../schemas/fields.ts';
import { formatNumber } from '../../text/wording.ts';
import { valueMeant } from '../../yaml/fix.ts';
import { errorAt, type Problem, type Span } from '../../yaml/problem.ts';
import type { LintRuleName } from '../../yaml/rules.ts';
import {
  describePath,
  headOf,
  isText,
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

interface DeclaredSetting {
  readonly node: Node;
  /** The displayed path, such as `transferRules.confirmTransfers`. */
  readonly path: string;
  readonly at: Span;
}

/** The map of extra settings. Undefined if the manifest has no extra settings. */
export function extraSettingsIn(kind: KindName, root: MapNode): MapNode | undefined {
  const extra = keysAt(kind, []).includes('extraSettings') ? memberOf(root, 'extraSettings') : undefined;
  return extra?.type === 'map' ? extra : undefined;
}

/** The settings of one resolved resource. Checks look up settings by name, regardless of their section. */
export class ResourceView {
  readonly root: MapNode;
  readonly scalars: readonly ScalarAt[];
  readonly extraSettings: MapNode | undefined;
  readonly #kind: KindName;

  constructor(kind: KindName, root: MapNode) {
    this.root = root;
    this.scalars = scalarsOf(root);
    this.extraSettings = extraSettingsIn(kind, root);
    this.#kind = kind;
  }

  /** The setting as its section declares it, ignoring `extraSettings`. */
  declared(name: string): DeclaredSetting | undefined {
    return this.at(settingNamed(this.#kind, name)?.path ?? [name]);
  }

  /** The setting as it is sent. A value in `extraSettings` replaces the section's value. */
  effective(name: string): DeclaredSetting | undefined {
    return (this.extraSettings && this.at(['extraSettings', name])) ?? this.declared(name);
  }

  at(steps: readonly string[]): DeclaredSetting | undefined {
    const { root } = this;
    const node = nodeAt(root, steps);
    if (node === undefined) return undefined;
    // Computed on demand, because only messages need the path.
    return {
      node,
      at: headOf(node),
      get path() {
        return describePath(root, steps);
      },
    };
  }

  is(name: string, value: string | boolean): boolean {
    const node = this.effective(name)?.node;
    return node?.type === 'scalar' && !node.opaque && node.value === value;
  }

  /** Whether the setting is known to have no effect, because it is undeclared, false, null or an empty text. */
  isOff(name: string): boolean {
    const node = this.effective(name)?.node;
    if (node === undefined) return true;
    return node.type === 'scalar' && !node.opaque && (node.value === null || node.value === false || node.value === '');
  }

  /** Whether the setting has an effect or an unknown value. */
  isSet(name: string): boolean {
    return !this.isOff(name);
  }
}

type ResourceCheck = (resource: ResourceView) => readonly Problem[];

interface NoEffect {
  readonly name: LintRuleName;
  readonly setting: string;
  /** Whether the setting has no effect in this resource. Called only if the setting is declared and not off. */
  readonly when: (resource: ResourceView) => boolean;
  /** The reason that completes the sentence "X has no effect: ...". */
  readonly because: string;
  /** The setting that prevents the effect. If this setting is declared, the problem shows its location. */
  readonly cause?: string;
}

/** Finds problems in a resource that the schema cannot detect: errors, and violations of lint rules. */
export async function problemsBeyondSchema(
  kind: KindName,
  resource: ResourceView,
  checks: ValueChecks,
): Promise<Problem[]> {
  const { checks: ownOfKind = [], sets = [] } = ownChecks[kind] ?? {};
  return [
    ...(await formProblems(kind, resource, checks)),
    ...ownOfKind.flatMap((check) =>
      typeof check === 'function' ? check(resource) : noEffectProblems(check, resource),
    ),
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

/**
 * The maximum number of characters in all texts of a resource. JSON needs at most six bytes for a character, so that a
 * response with these texts remains below the client's limit of 8 MiB.
 */
export const maxTextCharacters = 2 ** 20;

/** Makes the problem for too many characters. `what` is the subject of the sentence. */
export function textSizeProblem(at: Span, what: string, [count, max]: readonly [number, number]): Problem {
  const message = `${what} would have ${formatNumber(count)} characters after all references are resolved; at most ${formatNumber(max)} are allowed`;
  return errorAt(at, 'text-size', message);
}

/** Reports, at the longest text, that the texts are too large in total to be read back. */
export function sizeProblems({ scalars }: ResourceView): Problem[] {
  let total = 0;
  let longest: { readonly length: number; readonly at: Span } | undefined;
  for (const [, { value, at, opaque }] of scalars) {
    if (typeof value !== 'string' || opaque) continue;
    total += value.length;
    if (longest === undefined || value.length > longest.length) longest = { length: value.length, at };
  }
  if (longest === undefined || total <= maxTextCharacters) return [];
  return [textSizeProblem(longest.at, 'the texts of the manifest', [total, maxTextCharacters])];
}

/** Reports items that occur more than once in an unordered list. */
function duplicateItems(resource: ResourceView, name: string): Problem[] {
  const list = resource.effective(name)?.node;
  if (list?.type !== 'list') return [];
  const first = new Map(list.items.map((item) => [knownValue(item), item] as const).reverse());
  return list.items.flatMap((item) => {
    const earlier = first.get(knownValue(item));
    if (earlier === undefined || earlier === item || knownValue(item) === undefined) return [];
    const also = { message: 'first here', at: earlier.at };
    return [
      { severity: 'warning', rule: 'duplicate-item', message: `${name} contains this item twice`, at: item.at, also },
    ];
  });
}

function knownValue(node: Node): unknown {
  return node.type === 'scalar' && !node.opaque ? node.value : undefined;
}

/** Reports texts that do not have the form required by the schema, such as a URL. Skips unknown values. */
async function formProblems(kind: KindName, resource: ResourceView, checks: ValueChecks): Promise<Problem[]> {
  const texts = resource.scalars.flatMap(([steps, { value, opaque }]) => {
    const textForm = typeof value === 'string' && !opaque ? textFormAt(kind, steps) : undefined;
    return textForm === undefined ? [] : [{ steps, problem: checks[textForm](String(value)) }];
  });
  const found = texts.map(async ({ steps, problem }) => problemFrom(await problem, resource.at(steps)));
  return (await Promise.all(found)).flat();
}

/**
 * The form required of a text, a list item or a member. If a text abbreviates an object, it must have the form of the
 * member that it sets. Undefined if the schema requires no form.
 */
function textFormAt(kind: KindName, steps: readonly string[]): TextForm | undefined {
  const field = fieldAt(kind, steps);
  if (field === undefined) return undefined;
  const [first, ...others] = steps.slice(field.path.length);
  // A text in place of a list has the wrong type, which the schema reports.
  if (first === undefined && field.shape === 'set') return undefined;
  const isItem = field.members === undefined && others.length === 0 && /^\d+$/.test(first ?? '');
  if (first === undefined || isItem) {
    return field.textForm ?? field.members?.find(({ name }) => name === field.shorthand)?.textForm;
  }
  return others.length === Number(field.shape === 'map') ? memberAt(field, steps)?.textForm : undefined;
}

function problemFrom(found: ValueProblem | undefined, declared: DeclaredSetting | undefined): Problem[] {
  if (found === undefined || declared === undefined) return [];
  const { severity, rule, message, detail = '' } = found;
  const { node, path, at } = declared;
  const problem = { ...errorAt(at, rule, `${path} is ${showNode(node)}: ${message}`), severity };
  if (node.type !== 'scalar' || node.sensitive) return [problem];
  const text = { at: ownPlace(node), found: String(node.value) };
  return [{ ...problem, message: `${problem.message}${detail}`, ...valueMeant(text, found) }];
}

const agentChecks: readonly (ResourceCheck | NoEffect)[] = [
  checkTransferHasDestination,
  checkTitle,
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
    because: 'postConvoForceThinking is not true, and neither actions nor instructions mention pauseAndThink',
  },
  {
    name: 'force-thinking-unused',
    setting: 'postConvoForceThinking',
    when: (agent) => agent.is('agentThinking', 'low'),
    because: "agentThinking is 'low', and thinking is forced only if agentThinking is off",
    cause: 'agentThinking',
  },
  {
    name: 'reject-code-unused',
    setting: 'cnamAutoRejectCode',
    when: (agent) => agent.isOff('cnamAutoRejectRegex'),
    because: 'cnamAutoRejectRegex is not set, so no call is rejected',
  },
  {
    name: 'transfer-destination-unused',
    setting: 'cnamAutoTransferDestination',
    when: (agent) => agent.isOff('cnamAutoTransferRegex'),
    because: 'cnamAutoTransferRegex is not set, so no call is transferred',
  },
  {
    name: 'same-caller-regex',
    setting: 'cnamAutoTransferRegex',
    when: (agent) => {
      const node = agent.effective('cnamAutoTransferRegex')?.node;
      return isText(node) && !node.opaque && agent.is('cnamAutoRejectRegex', node.value);
    },
    because: 'cnamAutoRejectRegex is the same, and rejecting takes precedence over transferring',
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
    because: 'heartbeatInstructions is not set',
  },
];

function checkTransferHasDestination(agent: ResourceView): readonly Problem[] {
  const regex = agent.effective('cnamAutoTransferRegex');
  if (regex === undefined || agent.isOff('cnamAutoTransferRegex') || !agent.isOff('cnamAutoTransferDestination'))
    return [];
  const message = `${regex.path} has no destination: declare cnamAutoTransferDestination too`;
  return [errorAt(regex.at, 'transfer-destination-missing', message)];
}

function checkTitle(agent: ResourceView): readonly Problem[] {
  const title = agent.effective('title');
  const isBlank = title?.node.type === 'scalar' && !title.node.opaque && String(title.node.value).trim() === '';
  if (!isBlank) return [];
  const message = `${title.path} is blank, and the service may reject it: write a title`;
  return [{ severity: 'warning', rule: 'blank-title', message, at: title.at }];
}

/** Whether any text may mention pauseAndThink. Texts with unknown content count as mentioning it. */
function mentionsPauseAndThink(agent: ResourceView): boolean {
  return agent.scalars.some(
    ([, { value, opaque }]) => opaque || (typeof value === 'string' && /pause_?and_?think/i.test(value)),
  );
}

function checkDefaultProviders(organization: ResourceView): readonly Problem[] {
  const providers = organization.declared('numberingProviders')?.node;
  if (providers?.type !== 'list') return [];
  const defaults = providers.items
    .flatMap((_item, index) => organization.at(['settings', 'numberingProviders', String(index), 'default']) ?? [])
    .filter(({ node }) => node.type === 'scalar' && !node.opaque && node.value === true);
  const [first, ...others] = defaults;
  return others.map(({ path, at }) => ({
    severity: 'warning',
    rule: 'default-provider-twice',
    message: `${path} is true, but another provider is already the default; remove one of the two`,
    at,
    ...(first === undefined ? {} : { also: { message: 'first here', at: first.at } }),
  }));
}

function checkRestrictions(member: ResourceView): readonly Problem[] {
  const permitted = member.declared('permittedAccountIds');
  if (permitted?.node.type !== 'list' || permitted.node.items.length > 0) return [];
  const message = `${permitted.path} is empty: an update lifts all restrictions, and the member can access every account`;
  return [{ severity: 'warning', rule: 'restrictions-lifted', message, at: permitted.at }];
}

/** The checks for a kind that its schema and text forms do not cover. */
interface KindChecks {
  readonly checks: readonly (ResourceCheck | NoEffect)[];
  /** The names of the unordered lists in which duplicate items are reported. */
  readonly sets: readonly string[];
}

const ownChecks: Readonly<Partial<Record<KindName, Partial<KindChecks>>>> = {
  Agent: { checks: agentChecks, sets: ['links', 'actions'] },
  Organization: { checks: [checkDefaultProviders] },
  Member: { checks: [checkRestrictions], sets: ['permittedAccountIds'] },
};
