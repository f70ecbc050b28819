import type { KindName } from '../../schemas/fields.ts';
import { errorAt, type Problem } from '../../yaml/problem.ts';
import { scalarsOf } from '../../yaml/tree.ts';
import type { ResourceView } from './resource-view.ts';
import { duplicateItem, formCheck, type LintCheck, noEffect, type ResourceCheck } from './rule.ts';

/** Certain mistakes in an Agent that its schema allows. */
const checkTransferHasDestination: ResourceCheck = async (agent) => {
  const regex = agent.effective('cnamAutoTransferRegex');
  if (regex === undefined || agent.isOff('cnamAutoTransferRegex') || !agent.isOff('cnamAutoTransferDestination'))
    return [];
  const message = `${regex.path} has nowhere to transfer to: declare cnamAutoTransferDestination too`;
  return [errorAt(regex.at, 'transfer-destination-missing', message)];
};

/** Probable mistakes in an Agent. Settings that cancel each other, and the like. */
const agentLint: readonly LintCheck[] = [
  noEffect({
    name: 'attended-over-confirm',
    setting: 'confirmTransfers',
    when: (agent) => agent.is('attendedTransfers', true),
    because: 'attendedTransfers is true and overrides it',
    cause: 'attendedTransfers',
  }),
  noEffect({
    name: 'recording-phrase-unused',
    setting: 'recordingNotificationPhrase',
    when: (agent) => agent.is('autoRecordingNotification', 'false'),
    because: "autoRecordingNotification is 'false', so callers are never notified",
    cause: 'autoRecordingNotification',
  }),
  noEffect({
    name: 'thinking-model-unused',
    setting: 'agentThinkingModel',
    when: (agent) => agent.isOff('postConvoForceThinking') && !mentionsPauseAndThink(agent),
    because: 'postConvoForceThinking is not true, and no action or instructions name pauseAndThink',
  }),
  noEffect({
    name: 'force-thinking-unused',
    setting: 'postConvoForceThinking',
    when: (agent) => agent.is('agentThinking', 'low'),
    because: "agentThinking is 'low', and thinking is forced only when it is off",
    cause: 'agentThinking',
  }),
  noEffect({
    name: 'reject-code-unused',
    setting: 'cnamAutoRejectCode',
    when: (agent) => agent.isOff('cnamAutoRejectRegex'),
    because: 'there is no cnamAutoRejectRegex, so no call is rejected',
  }),
  noEffect({
    name: 'transfer-destination-unused',
    setting: 'cnamAutoTransferDestination',
    when: (agent) => agent.isOff('cnamAutoTransferRegex'),
    because: 'there is no cnamAutoTransferRegex, so no call is transferred',
  }),
  noEffect({
    name: 'same-caller-regex',
    setting: 'cnamAutoTransferRegex',
    when: (agent) => sameText(agent, 'cnamAutoTransferRegex', 'cnamAutoRejectRegex'),
    because: 'cnamAutoRejectRegex is the same, and reject wins over transfer',
    cause: 'cnamAutoRejectRegex',
  }),
  noEffect({
    name: 'confirm-timeout-unused',
    setting: 'transferConfirmTimeout',
    when: (agent) => agent.isOff('confirmTransfers') && agent.isOff('attendedTransfers'),
    because: 'neither confirmTransfers nor attendedTransfers is true',
  }),
  noEffect({
    name: 'bridge-trigger-unused',
    setting: 'attendedTransferBridgeTrigger',
    when: (agent) => agent.isOff('attendedTransfers'),
    because: 'attendedTransfers is not true',
  }),
  noEffect({
    name: 'heartbeat-interval-unused',
    setting: 'heartbeatEvery',
    when: (agent) => agent.isOff('heartbeatInstructions'),
    because: 'there are no heartbeatInstructions',
  }),
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
  duplicateItem(['links', 'actions']),
];

/** An unreadable text may name it. */
function mentionsPauseAndThink(agent: ResourceView): boolean {
  return [...scalarsOf(agent.root)].some(
    ([, { value, opaque }]) => opaque || (typeof value === 'string' && /pause_?and_?think/i.test(value)),
  );
}

function sameText(agent: ResourceView, first: string, second: string): boolean {
  const node = agent.effective(first)?.node;
  return node?.type === 'scalar' && typeof node.value === 'string' && !node.opaque && agent.is(second, node.value);
}

/** Probable mistakes in an Organization. */
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

/** Probable mistakes in a Member. */
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
  duplicateItem(['permittedAccountIds']),
];

/** Checks that the schema of a kind cannot express. */
export interface KindChecks {
  /** Certain mistakes that the schema allows. */
  readonly checks: readonly ResourceCheck[];
  /** Probable mistakes. */
  readonly lint: readonly LintCheck[];
}

const ownChecks: Readonly<Partial<Record<KindName, Partial<KindChecks>>>> = {
  Agent: { checks: [checkTransferHasDestination], lint: agentLint },
  Organization: { lint: organizationLint },
  Member: { lint: memberLint },
};

const known = new Map<KindName, KindChecks>();

/** The rules of a kind; most kinds do with their schema and the forms that it gives texts. */
export function checksOf(kind: KindName): KindChecks {
  const made = known.get(kind);
  if (made !== undefined) return made;
  const { checks = [], lint = [] } = ownChecks[kind] ?? {};
  const rules = { checks: [formCheck(kind), ...checks], lint };
  known.set(kind, rules);
  return rules;
}
