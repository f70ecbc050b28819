// This file checks a plan against `requires` in agentform.yaml, which names the environments where changes must first
// be applied.

import { grouped } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { type Notice, type NoticeFacts, notice, remedyIn } from '../../notices/notice.ts';
import type { Plan, RequiresVerdict, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Environment } from '../../schemas/project-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { isOver, milliseconds } from '../../text/time.ts';
import { type Decisions, isDecided } from '../decisions.ts';
import { haveNewContent, isPlanned } from '../pending.ts';
import { hasOnlyDecisions } from '../records/target.ts';
import type { ChangeSources, PlannedResource } from '../resource-plan.ts';

/** An environment that must have had the content first, for a minimum time such as `24h`. */
type RequiredEnvironment = Exclude<NonNullable<Environment['requires']>, string>;

/** The required minimum time in milliseconds. */
export function waitOf({ for: text = '0m' }: RequiredEnvironment): number {
  return milliseconds(text) ?? 0;
}

/** The digests that identify the content of a manifest. */
export interface Content {
  /** The digest of the content. Undefined if unknown. */
  readonly digest?: string | undefined;
  /** The digest of the sections in this environment, without the values of variables and of the fleet's row. */
  readonly revision?: string | undefined;
  /** The digest of this environment's overlays. Undefined if the environment has no overlays. */
  readonly overlay?: string | undefined;
  /** The environments in which the resource exists. Undefined means all environments. */
  readonly onlyIn?: readonly string[] | undefined;
}

export interface RequiresInput {
  /** The `requires` rules in the checkout and in the base commit. */
  readonly requirements: readonly RequiredEnvironment[];
  /** The records of each environment, keyed by address. */
  readonly records: ReadonlyMap<string, ReadonlyMap<string, ResourceRecord>>;
  readonly contentOf: (address: string) => Content | undefined;
  /** Finds the variables in a field. Undefined if the desired values do not come from files, as in a rollback. */
  readonly variablesAt: ChangeSources['variablesAt'] | undefined;
  readonly now: Date;
  /** The run's decisions. If the decisions skip `requires`, unmet requirements are only reported. */
  readonly decisions: Decisions;
}

type Judged = Pick<PlannedResource, 'observation' | 'changes'> & { readonly planned: ResourcePlan };

/**
 * Judges each resource that would get new content.
 *
 * Restoring applied values is always allowed. If only the environment's variables change, the change is allowed with a
 * note, because the change cannot be tried in another environment. All other content must first be applied completely
 * to the required environment. A change to an overlay cannot be applied elsewhere, so it needs a decision.
 */
export function requiresVerdicts(
  environment: string,
  resources: readonly Judged[],
  input: RequiresInput,
): RequiresVerdict[] {
  const appliedAs = new Map([...input.records].map(([name, records]) => [name, byContent(records)]));
  const pending = resources.filter(({ planned }) => isPlanned(planned) && haveNewContent(planned.changes));
  return joinedRequires(pending.flatMap((one) => verdictsOn(environment, one, { ...input, appliedAs })));
}

/** If several resources have equal verdicts, each verdict gets a remedy that covers all of these resources. */
function joinedRequires(verdicts: readonly RequiresVerdict[]): RequiresVerdict[] {
  const keyOf = ({ notice: { code, facts } }: RequiresVerdict) => JSON.stringify([code, facts]);
  const groups = grouped(verdicts, keyOf);
  return verdicts.map((verdict) => {
    if (groups.get(keyOf(verdict))?.length === 1) return verdict;
    const remedies = verdict.notice.remedies.map((remedy) =>
      remedy[0] === 'apply' ? remedyIn(verdict.environment, 'apply') : remedy,
    );
    return { ...verdict, notice: { ...verdict.notice, remedies } };
  });
}

interface Judgement extends RequiresInput {
  /** The records of each environment, indexed by kind and content. */
  readonly appliedAs: ReadonlyMap<string, ReadonlyMap<string, ResourceRecord>>;
}

/** Indexes records by kind and content. The record that has had a content for the longest time counts. */
function byContent(records: ReadonlyMap<string, ResourceRecord>): ReadonlyMap<string, ResourceRecord> {
  const found = [...records.values()].flatMap((record) =>
    record.content === undefined ? [] : [{ key: `${record.kind}/${record.content.digest}`, record, ...record.content }],
  );
  found.sort((one, other) => Date.parse(other.since) - Date.parse(one.since));
  return new Map(found.map(({ key, record }) => [key, record]));
}

type Unmet = Omit<NoticeFacts['requires'], 'environment' | 'required' | 'isOverruled'>;

function verdictsOn(environment: string, one: Judged, input: Judgement): RequiresVerdict[] {
  const { record } = one.observation;
  const content = input.contentOf(addressOf(one.planned)) ?? {};
  const isOwn = content.digest !== undefined && content.digest === record?.content?.digest;
  const isSameOverlay = content.overlay === record?.overlay;
  if (isOwn && isSameOverlay) return noteOn(environment, one, input);
  const { planned } = one;
  return input.requirements.flatMap((requirement) => {
    const unmet = isSameOverlay
      ? unmetReason(requirement, { planned, content, input })
      : { why: changeOfOverlay(record, content) };
    return unmet === undefined
      ? []
      : [denied({ environment, required: requirement.environment, ...unmet }, one, input)];
  });
}

function denied(facts: NoticeFacts['requires'], { planned }: Judged, { decisions }: Judgement): RequiresVerdict {
  const resource = addressOf(planned);
  const verdict = { resource, environment: facts.required, level: 'deny' } as const;
  if (isDecided(decisions, 'requires')) {
    return { ...verdict, notice: notice('requires', { ...facts, isOverruled: true }), skipped: true };
  }
  const command = helpingCommands[facts.why];
  const first = command === undefined ? [] : [remedyIn(facts.required, command, resource)];
  return { ...verdict, notice: notice('requires', facts, [...first, ['--skip-requires']]) };
}

const overlayChanges = ['overlay-gone', 'overlay-changed', 'overlay-new', 'overlay-unrecorded'] as const;

/** Whether an unmet requirement is about an overlay, which can never be applied to another environment. */
export function isOfOverlay(found: Notice): boolean {
  return found.code === 'requires' && overlayChanges.some((why) => why === found.facts.why);
}

function changeOfOverlay(record: ResourceRecord | undefined, { overlay }: Content): (typeof overlayChanges)[number] {
  if (overlay === undefined) return 'overlay-gone';
  if (record?.overlay !== undefined) return 'overlay-changed';
  return record === undefined || record.content !== undefined ? 'overlay-new' : 'overlay-unrecorded';
}

/** The commands to run in the required environment, by reason. For other reasons, no command there would help. */
const helpingCommands: Partial<Readonly<Record<Unmet['why'], string>>> = {
  held: 'unhold',
  'not-applied': 'apply',
  'not-recorded': 'apply',
  different: 'apply',
};

function noteOn(
  environment: string,
  { planned, changes }: Judged,
  { requirements, variablesAt }: Judgement,
): RequiresVerdict[] {
  const resource = addressOf(planned);
  const found = new Set(changes.flatMap(({ path }) => [...(variablesAt?.(resource, path).keys() ?? [])]));
  const [first] = requirements;
  if (found.size === 0 || first === undefined) return [];
  const { environment: required } = first;
  const note = notice('requires-variables', { environment, required, variables: [...found].sort() });
  return [{ resource, environment: required, level: 'note', notice: note }];
}

function unmetReason(
  requirement: RequiredEnvironment,
  { planned, content, input }: { readonly planned: ResourcePlan; readonly content: Content; readonly input: Judgement },
): Unmet | undefined {
  const { environment } = requirement;
  const { digest, onlyIn } = content;
  const resource = addressOf(planned);
  // A fleet member may exist in only one environment. In that case, another member with the same content can meet the
  // requirement.
  const record =
    input.records.get(environment)?.get(resource) ?? input.appliedAs.get(environment)?.get(`${planned.kind}/${digest}`);
  if (record === undefined && onlyIn?.includes(environment) === false) return { why: 'not-there', resource };
  if (record === undefined || hasOnlyDecisions(record)) return { why: 'not-applied' };
  const { content: applied } = record;
  if (applied === undefined || applied.digest !== digest) return { why: otherContent(record, input.now) };
  if (Date.parse(applied.since) + waitOf(requirement) <= input.now.getTime()) return undefined;
  return { why: 'too-new', since: `${applied.since.slice(0, 16)}Z`, wait: requirement.for ?? '0m' };
}

/** Why the required environment does not have the content. */
function otherContent({ content, holds }: ResourceRecord, now: Date): Unmet['why'] {
  const isFrozen = holds?.freeze !== undefined && !isOver(holds.freeze, now);
  // An apply that keeps settings does not record the content as complete.
  if (isFrozen || (content === undefined && holds?.kept !== undefined)) return 'held';
  return content === undefined ? 'not-recorded' : 'different';
}

/** The unmet requirements that make an apply refuse a resource, keyed by address. */
export function unmetIn({ requires = [] }: Pick<Plan, 'requires'>): ReadonlyMap<string, readonly Notice[]> {
  return noticesByResource(requires.filter(({ level, skipped }) => level === 'deny' && !skipped));
}

function noticesByResource(verdicts: readonly RequiresVerdict[]): ReadonlyMap<string, readonly Notice[]> {
  const found = new Map<string, Notice[]>();
  for (const { resource, notice: said } of verdicts) found.set(resource, [...(found.get(resource) ?? []), said]);
  return found;
}

/** Adds each verdict as a warning to its resource. */
export function withRequires(resources: readonly ResourcePlan[], verdicts: readonly RequiresVerdict[]): ResourcePlan[] {
  const found = noticesByResource(verdicts);
  return resources.map((resource) => {
    const said = found.get(addressOf(resource));
    return said === undefined ? resource : { ...resource, warnings: [...resource.warnings, ...said] };
  });
}
