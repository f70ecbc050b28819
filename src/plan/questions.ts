import { canonicalJson, grouped } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import { isWithin, parsePath } from '../kinds/field-path.ts';
import { isKindName, isPrompt, rankOf } from '../kinds/kind.ts';
import { keyOfNotices, type Notice, type NoticeCode, type NoticeOf, type Remedy, remedyIn } from '../notices/notice.ts';
import type { Change, Choice, Plan, Question, ResourcePlan, VoidAnswer } from '../schemas/plan-types.ts';
import { mask } from '../secrets/secret.ts';
import { allNew, areMergeable, isDeclined } from './decisions.ts';
import { shortDigest, shortDigestsIn, textDigest } from './digests.ts';
import { isMasked, losesMembers } from './kept-settings.ts';
import { isHeld, isOnlySentAgain, isPending, isPlanned } from './pending.ts';
import { isOfOverlay, unmetIn } from './verdicts/requires.ts';

interface AskedResource {
  readonly resource: ResourcePlan;
  /** The changes that the answer decides. */
  readonly changes: readonly Change[];
  /** Resources with equal keys share one question. */
  readonly key: string;
}

interface Offer extends Pick<Choice, 'code' | 'isDefault'> {
  readonly remedies?: readonly Remedy[];
}

/**
 * The kinds of questions, in display order. Policies, Tests, `requires`, limits, holds, older commits and lint errors
 * never cause questions, because no answer may overrule them.
 *
 * - conflict: keep the live value, use the manifest's value, or merge two texts. The default leaves out the whole
 *   resource.
 * - drift: keep the edit or undo it. The default undoes the edit, or keeps it with `unanswered: leave`.
 * - create-unknown: create an agent although it may already exist, or leave it out. The default leaves the agent out.
 * - write-only: resend settings that may have been edited, or leave these settings. The default resends the settings.
 * - prompt-loss and check: accept a lost section or a finding in a changed text, or leave the resource out. The default
 *   accepts.
 *
 * Resources share a question if one answer fits all of them. For conflicts and drift, their values must be equal.
 */
const kinds = ['conflict', 'drift', 'create-unknown', 'write-only', 'prompt-loss', 'check'] as const;

/** The part of a resource that a question of this kind is about, if the resource raises such a question. */
function askedOf(resource: ResourcePlan, kind: Question['kind']): AskedResource | undefined {
  switch (kind) {
    case 'conflict':
      return changedBy('conflict', resource);
    case 'drift': {
      const paths = leftPaths(resource);
      const left = (resource.kept ?? []).filter(({ path }) => paths.includes(path));
      return changedBy('drift', { ...resource, changes: [...resource.changes, ...left] });
    }
    case 'create-unknown':
      return resource.mayReplace ? { resource, changes: [], key: '' } : undefined;
    case 'write-only':
      return changedBy('unverified', resource);
    default:
      return warnedOf(resource, kind);
  }
}

type MakeOffers = (asked: readonly AskedResource[], environment: string) => readonly Offer[];

const ofWarning: MakeOffers = () => [{ code: 'go-on', isDefault: true }, { code: 'leave-out' }];

/** The choices for a question, in the order of their letters. */
const offersOf: Readonly<Record<Question['kind'], MakeOffers>> = {
  conflict: ofConflict,
  drift: ofDrift,
  'create-unknown': ofCreate,
  'write-only': () => [{ code: 'send-again', isDefault: true }, { code: 'leave' }],
  'prompt-loss': ofWarning,
  check: ofWarning,
};

/** Removes the default if it would do the opposite of an answer that is no longer valid. */
export function withVoidAnswer(question: Question, voidAnswer: VoidAnswer | undefined): Question {
  if (voidAnswer === undefined) return question;
  return { ...question, choices: question.choices.map(({ isDefault: _, ...choice }) => choice), voidAnswer };
}

/** The answers that leave out whole resources. */
const leaveOutCodes: readonly Choice['code'][] = ['leave', 'leave-out', 'both'];

/** Whether an answer, or the default without an answer, leaves out the resources of its question. */
export function isLeavingOut(
  { choices }: Pick<Question, 'choices'>,
  answer: string | undefined = choices.find(({ isDefault }) => isDefault)?.code,
): boolean {
  return answer === undefined || leaveOutCodes.some((code) => code === answer);
}

/** The addresses of resources that an apply leaves out unless someone answers. */
export function leftOutUnanswered({ questions }: Pick<Plan, 'questions'>): ReadonlySet<string> {
  return new Set(questions.flatMap((question) => (isLeavingOut(question) ? question.resources : [])));
}

/**
 * The effect of an apply without answers on a resource. This is the resource's action, or the first of these that
 * applies. A resource that depends on a left-out resource has the same fate as that resource.
 *
 * - held: a hold blocks it.
 * - declined: an answer leaves it out.
 * - required: another environment must have its content first.
 * - untriable: another environment must have its content first, but cannot have it.
 * - unanswered: a question without an answer leaves it out.
 * - again: only write-only settings are resent.
 */
export type Fate = ResourcePlan['action'] | 'held' | 'declined' | 'required' | 'untriable' | 'unanswered' | 'again';

const forbiddenFates: readonly Fate[] = ['blocked', 'held', 'declined', 'required', 'untriable'];

/** Whether an apply never writes a resource with changes, whatever the answers are. */
export function isForbidden(fate: Fate): boolean {
  return forbiddenFates.includes(fate);
}

/** Whether an apply without further answers leaves out a resource with changes. */
export function isLeft(fate: Fate): boolean {
  return fate === 'unanswered' || isForbidden(fate);
}

/** Finds the fate of each resource. `unanswered` has the addresses of the resources that questions leave out. */
export function fatesIn(
  plan: Pick<Plan, 'questions' | 'requires' | 'resources'>,
  unanswered: ReadonlySet<string> = leftOutUnanswered(plan),
): (resource: ResourcePlan) => Fate {
  const unmet = unmetIn(plan);
  const leftOut = new Map<string, Fate>();
  for (const resource of plan.resources.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const address = addressOf(resource);
    const reasons = isPlanned(resource) ? unmet.get(address) : undefined;
    let fate: Fate | undefined;
    if (reasons !== undefined) fate = reasons.some(isOfOverlay) ? 'untriable' : 'required';
    else if (isPending(resource) && unanswered.has(address)) fate = 'unanswered';
    else if (isPending(resource))
      fate = (resource.dependsOn ?? []).map((one) => leftOut.get(one)).find((one) => one !== undefined);
    if (fate !== undefined) leftOut.set(address, fate);
  }
  return (resource) => {
    if (isHeld(resource)) return 'held';
    if (isDeclined(resource)) return 'declined';
    return leftOut.get(addressOf(resource)) ?? (isOnlySentAgain(resource) ? 'again' : resource.action);
  };
}

/**
 * Groups the resources that share a question. Maps the digest of a resource's part to the name of a group. Only
 * resources in the same group share the question.
 */
export type GroupOf = (digest: string) => string;

/** The questions of an assembled plan, split with `groupOf`. Offline plans and rollbacks have no questions. */
export function splitQuestions(plan: Plan, groupOf: GroupOf): Question[] {
  const asked = new Set(plan.questions.flatMap(({ digests }) => digests));
  return asked.size === 0 ? [] : questionsOf(plan, groupOf, asked);
}

/**
 * The questions of a plan, numbered from 1. A resource has no questions if an apply would leave it out regardless of
 * the answers. With `asked`, leaves out the parts of questions that this set does not contain.
 */
export function questionsOf(
  { environment, resources, requires = [] }: Pick<Plan, 'environment' | 'requires' | 'resources'>,
  groupOf: GroupOf = () => '',
  asked?: ReadonlySet<string>,
): Question[] {
  const unmet = unmetIn({ requires });
  const open = resources.filter(
    (resource) => (isPlanned(resource) || leftPaths(resource).length > 0) && !unmet.has(addressOf(resource)),
  );
  const found = kinds.flatMap((kind) => {
    const parts = open.flatMap((resource) => {
      const part = askedOf(resource, kind);
      return part === undefined ? [] : [{ ...part, digest: partDigest(kind, part, environment) }];
    });
    const groups = grouped(
      parts.filter(({ digest }) => asked?.has(digest) ?? true),
      ({ key, digest }) => JSON.stringify([key, groupOf(digest)]),
    );
    return [...groups.values()].map((group) => ({ kind, group }));
  });
  if (found.length === 0) return [];
  const idOf = idsOf(found.map(({ kind, group }) => ({ kind, resources: askedAddresses(group) })));
  return found.map(({ kind, group }, index) => {
    const resources = askedAddresses(group);
    const digests = group.map(({ digest }) => digest);
    return {
      id: idOf({ kind, resources }),
      digest: textDigest(canonicalJson(digests)),
      number: index + 1,
      kind,
      resources,
      digests,
      paths: [...new Set(group.flatMap(({ changes }) => changes.map(({ path }) => path)))],
      choices: lettered(offersOf[kind](group, environment)),
    };
  });
}

function askedAddresses(group: readonly AskedResource[]): string[] {
  return group.map(({ resource }) => addressOf(resource));
}

/**
 * Lets resources with conflicts or drift share a question only if they have the same kind. In addition, their changes
 * must have equal values, and the same changes must be copyable by `update`.
 */
function changedBy(cause: 'conflict' | 'drift' | 'unverified', resource: ResourcePlan): AskedResource | undefined {
  const changes = resource.changes.filter((change) => change.cause === cause && change.op !== 'release');
  if (changes.length === 0) return undefined;
  if (cause === 'unverified') return { resource, changes, key: '' };
  const values = changes.map(({ source: _, ...change }) => change);
  return { resource, changes, key: canonicalJson([resource.kind, leftPaths(resource), values]) };
}

function warnedOf(resource: ResourcePlan, kind: Question['kind']): AskedResource | undefined {
  const found = resource.warnings.filter((warning) => kindOfQuestion(warning) === kind);
  if (found.length === 0) return undefined;
  const named = found.flatMap(({ facts }) =>
    'path' in facts && facts.path !== undefined ? [parsePath(facts.path)] : [],
  );
  // Without a path, the warnings are about all new texts that are subject to prompt checks.
  const isNewText = ({ op, cause, path }: Change) =>
    op === 'set' && cause !== 'drift' && cause !== 'unverified' && isPrompt(resource.kind, path);
  const isNamed = ({ path }: Change) => named.some((one) => isWithin(one, parsePath(path)));
  return {
    resource,
    changes: resource.changes.filter(named.length > 0 ? isNamed : isNewText),
    key: keyOfNotices(found),
  };
}

/** The kind of question that covers a warning. Undefined if no question can cover the warning. */
export function kindOfQuestion({ code }: Notice): Question['kind'] | undefined {
  return kindsByWarning[code];
}

const kindsByWarning: Partial<Readonly<Record<NoticeCode, Question['kind']>>> = {
  'prompt-shrunk': 'prompt-loss',
  'prompt-section-lost': 'prompt-loss',
  'prompt-check': 'check',
  'drift-left': 'drift',
  'may-replace-agent': 'create-unknown',
  'agent-undecided': 'create-unknown',
};

function ofConflict(asked: readonly AskedResource[], environment: string): Offer[] {
  const [first] = asked;
  if (first === undefined) return [];
  const { resource, changes } = first;
  const overwrite = askedAddresses(asked).flatMap((address) => ['--overwrite', address]);
  const isJoinable = changes.every(({ path, from, to }) => {
    return typeof from === 'string' && typeof to === 'string' && isPrompt(resource.kind, path);
  });
  return [
    keeping(asked, environment),
    { code: 'take', remedies: [remedyIn(environment, 'apply', ...overwrite)] },
    ...(isJoinable
      ? [{ code: 'both', remedies: areMergeable(changes) ? [updating(asked, environment)] : [] } as const]
      : []),
  ];
}

/**
 * The choices about edits on the service: keep or undo them. With `unanswered: leave`, keeping is the default. In that
 * case, undoing is offered only if the plan would not refuse it.
 */
function ofDrift(asked: readonly AskedResource[], environment: string): Offer[] {
  const isLeft = asked.some(({ resource }) => leftPaths(resource).length > 0);
  const isRefused = asked.some(({ resource }) => leftEdits(resource)?.facts.isUndoRefused);
  const undo: Offer = { code: 'undo', ...(!isLeft && { isDefault: true }) };
  return [{ ...keeping(asked, environment), ...(isLeft && { isDefault: true }) }, ...(isRefused ? [] : [undo])];
}

/** Keeps live values, or leaves out the whole resource if a request cannot send these values unchanged. */
function keeping(asked: readonly AskedResource[], environment: string): Offer {
  const isWhole = asked.some(({ resource: { kind }, changes }) => {
    return isKindName(kind) && changes.some((change) => losesMembers(kind, parsePath(change.path), change));
  });
  return { code: isWhole ? 'leave' : 'keep', remedies: copying(asked, environment) };
}

/** The notice about edits that stay because of `unanswered: leave`. */
export function leftEdits({
  warnings,
  reasons,
}: Pick<ResourcePlan, 'warnings' | 'reasons'>): NoticeOf<'drift-left'> | undefined {
  return [...warnings, ...reasons].find((one) => one.code === 'drift-left');
}

/** The edits that stay because of `unanswered: leave`, unless a hold would prevent undoing them. */
export function leftPaths(resource: ResourcePlan): readonly string[] {
  const { hold, paths = [] } = leftEdits(resource)?.facts ?? {};
  return hold === undefined ? paths : [];
}

/**
 * The `update` command that copies live values into the manifests where this is possible. Empty if no value can be
 * copied. Hidden values cannot, and neither can elements whose key is hidden.
 */
function copying(asked: readonly AskedResource[], environment: string): Remedy[] {
  const copied = (asked[0]?.changes ?? []).filter(
    (change) => change.updateRefusal === undefined && !isMasked(change) && !change.path.includes(mask),
  );
  if (copied.length === 0) return [];
  const fields = copied.flatMap(({ path }) => ['--field', path]);
  return [updating(asked, environment, ...fields)];
}

function updating(asked: readonly AskedResource[], environment: string, ...fields: string[]): Remedy {
  return remedyIn(environment, 'update', ...asked.map(({ resource }) => resource.name), ...fields);
}

/** The maximum number of agents that a command lists by name. */
const maxNamed = 3;

/** Returns the choices for agents to create. All agents that may already exist share one question. */
function ofCreate(asked: readonly AskedResource[], environment: string): Offer[] {
  const names = asked.length > maxNamed ? allNew : askedAddresses(asked).join(',');
  return [
    { code: 'create', remedies: [remedyIn(environment, 'apply', '--new', names)] },
    { code: 'leave-out', isDefault: true },
  ];
}

const letters = ['A', 'B', 'C'] as const;

function lettered(offers: readonly Offer[]): Choice[] {
  return letters.slice(0, offers.length).flatMap((letter, index) => {
    const { code, isDefault, remedies = [] } = offers[index] ?? {};
    if (code === undefined) return [];
    const own = remedies.length === 0 ? {} : { remedies: remedies.map((remedy) => [...remedy]) };
    return [{ letter, code, ...(isDefault && { isDefault }), ...own }];
  });
}

/** The length of the first section of a part's digest. This section stays the same when the part changes. */
const subjectLength = 4;

/** The first section of a part's digest. It identifies the subject even if the digest is outdated. */
export function subjectOf(partDigest: string): string {
  return partDigest.slice(0, subjectLength);
}

/** The subject of a question: its kind, or drift for a conflict, because one can become the other. */
export function matterOf(kind: string): string {
  return kind === 'conflict' ? 'drift' : kind;
}

/** Splits a text of concatenated part digests. */
export function partDigestsIn(joined: string): string[] {
  return shortDigestsIn(joined, subjectLength + shortDigest(textDigest('')).length);
}

/**
 * The digest that an answer about a resource is bound to. The digest covers the environment, the kind of question, the
 * resource, its changes (through the resource digest) and the choices. The digest does not depend on the other
 * resources that share the question.
 */
function partDigest(kind: Question['kind'], asked: AskedResource, environment: string): string {
  const { resource, changes } = asked;
  const choices = lettered(offersOf[kind]([asked], environment)).map(({ letter, code, isDefault = false }) => {
    return { letter, code, isDefault };
  });
  const about = [
    addressOf(resource),
    resource.digest,
    changes.map(({ op, path, from, to }) => ({ op, path, from, to })),
  ];
  const subject = [environment, addressOf(resource), matterOf(kind)];
  const [start, rest] = [subject, { environment, kind, about, choices }].map((one) => {
    return shortDigest(textDigest(canonicalJson(one)));
  });
  return `${subjectOf(start ?? '')}${rest}`;
}

interface Named {
  readonly kind: Question['kind'];
  readonly resources: readonly string[];
}

/** Makes the id of a question from its resource or kind, or from both if one alone is not unique. */
function idsOf(questions: readonly Named[]) {
  const ofResource = new Map<string, number>();
  const ofKind = new Map<string, number>();
  for (const { kind, resources } of questions) {
    for (const address of resources) ofResource.set(address, (ofResource.get(address) ?? 0) + 1);
    if (resources.length > 1) ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
  }
  return ({ kind, resources: [first = '', ...others] }: Named): string => {
    if (others.length > 0) return ofKind.get(kind) === 1 ? kind : `${kind}/${first}`;
    return ofResource.get(first) === 1 ? first : `${first}/${kind}`;
  };
}
