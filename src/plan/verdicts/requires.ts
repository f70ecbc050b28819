// The results of `requires` in agentform.yaml for a plan: changes that must be applied elsewhere first.

import { addressOf } from '../../kinds/desired.ts';
import { type Notice, type NoticeFacts, notice, remedyIn } from '../../notices/notice.ts';
import type { Plan, RequiresVerdict, ResourcePlan } from '../../schemas/plan-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { milliseconds } from '../../text/time.ts';
import { type Decisions, isDecided } from '../decisions.ts';
import { haveNewContent, isPlanned } from '../pending.ts';
import type { ChangeSources, PlannedResource } from '../resource-plan.ts';
import { hasOnlyDecisions } from '../target.ts';

/** An environment to which content must have been applied, with the minimum time, such as `24h`. */
export interface Requirement {
  readonly environment: string;
  readonly for?: string;
}

/** How long content must have been there, in milliseconds. */
export function waitOf({ for: text = '0m' }: Requirement): number {
  return milliseconds(text) ?? 0;
}

/** The parts of a manifest's content that identify it. */
export interface Content {
  /** Undefined if unknown. */
  readonly digest?: string | undefined;
  /** Digest of the sections in the environment, without values of variables and without the row. */
  readonly revision?: string | undefined;
  /** Digest of the environment's overlays; undefined if there are none. */
  readonly overlay?: string | undefined;
  /** The environments that have the resource; undefined for all. */
  readonly onlyIn?: readonly string[] | undefined;
}

export interface RequiresInput {
  /** The `requires` of the checkout and of the base commit. */
  readonly requirements: readonly Requirement[];
  /** By environment, its records by address. */
  readonly records: ReadonlyMap<string, ReadonlyMap<string, ResourceRecord>>;
  readonly contentOf: (address: string) => Content | undefined;
  /** The variables in a field; undefined if no file has the desired value. */
  readonly variablesAt: ChangeSources['variablesAt'] | undefined;
  readonly now: Date;
  /** If the run decided to skip `requires`, unmet requirements are only reported. */
  readonly decisions: Decisions;
}

type Judged = Pick<PlannedResource, 'observation' | 'changes'> & { readonly planned: ResourcePlan };

/**
 * The verdict on each resource that would be written.
 *
 * Restoring applied values is always allowed. So is a change whose content equals the applied content: only variables
 * of the environment changed, which cannot be tried elsewhere, and the plan says so. All other content must first be
 * applied completely to the required environment. An overlay cannot be applied elsewhere, so it needs a decision.
 */
export function requiresVerdicts(
  environment: string,
  resources: readonly Judged[],
  input: RequiresInput,
): RequiresVerdict[] {
  const index = { appliedAs: new Map([...input.records].map(([name, records]) => [name, byContent(records)])) };
  const pending = resources.filter(({ planned }) => isPlanned(planned) && haveNewContent(planned.changes));
  const found = pending.flatMap((one) => findingsOf(one, { ...input, ...index }));
  return joinedRequires(
    found.map(({ resource, environment: required, unmet, isApplicable, variables }): RequiresVerdict => {
      if (unmet === undefined) {
        const note = notice('requires-variables', { environment, required, variables });
        return { resource, environment: required, level: 'note', notice: note };
      }
      const facts = { environment, required, ...unmet };
      const verdict = { resource, environment: required, level: 'deny' } as const;
      if (isDecided(input.decisions, 'requires')) {
        return { ...verdict, notice: notice('requires', { ...facts, isOverruled: true }), skipped: true };
      }
      const first = isApplicable ? [remedyIn(required, 'apply', resource)] : [];
      return { ...verdict, notice: notice('requires', facts, [...first, ['--skip-requires']]) };
    }),
  );
}

/** If several resources have the same reason, one remedy covers all of them. */
function joinedRequires(verdicts: readonly RequiresVerdict[]): RequiresVerdict[] {
  const keyOf = ({ notice: { code, facts } }: RequiresVerdict) => JSON.stringify([code, facts]);
  const countOf = new Map<string, number>();
  for (const verdict of verdicts) countOf.set(keyOf(verdict), (countOf.get(keyOf(verdict)) ?? 0) + 1);
  return verdicts.map((verdict) => {
    if (countOf.get(keyOf(verdict)) === 1) return verdict;
    const remedies = verdict.notice.remedies.map((remedy) =>
      remedy[0] === 'apply' ? remedyIn(verdict.environment, 'apply') : remedy,
    );
    return { ...verdict, notice: { ...verdict.notice, remedies } };
  });
}

/** Records of resources by environment, kind and content. */
interface ContentIndex {
  readonly appliedAs: ReadonlyMap<string, ReadonlyMap<string, ResourceRecord>>;
}

type Judgement = RequiresInput & ContentIndex;

function byContent(records: ReadonlyMap<string, ResourceRecord>): ReadonlyMap<string, ResourceRecord> {
  return new Map(
    [...records.values()].flatMap((record) =>
      record.content === undefined ? [] : [[`${record.kind}/${record.content.digest}`, record]],
    ),
  );
}

type Unmet = Omit<NoticeFacts['requires'], 'environment' | 'required' | 'isOverruled'>;

interface Finding extends Pick<RequiresVerdict, 'resource' | 'environment'> {
  /** The unmet requirement; undefined for a note. */
  readonly unmet?: Unmet;
  /** Whether an apply to the required environment helps. */
  readonly isApplicable: boolean;
  /** The variables in a note. */
  readonly variables: string[];
}

function findingsOf(one: Judged, input: Judgement): Finding[] {
  const { record } = one.observation;
  const resource = addressOf(one.planned);
  const content = input.contentOf(resource) ?? {};
  const isOwn = content.digest !== undefined && content.digest === record?.content?.digest;
  const isSameOverlay = content.overlay === record?.overlay;
  if (isOwn && isSameOverlay) return noteOf(one, input);
  return input.requirements.flatMap((requirement): Finding[] => {
    const { environment: required } = requirement;
    const finding = { resource, environment: required, variables: [] };
    if (!isSameOverlay) return [{ ...finding, unmet: { why: changeOfOverlay(record, content) }, isApplicable: false }];
    const unmet = unmetReason(requirement, { planned: one.planned, content, input });
    if (unmet === undefined) return [];
    const isApplicable = unmet.why !== 'not-there' && unmet.why !== 'too-new';
    return [{ ...finding, unmet, isApplicable }];
  });
}

function changeOfOverlay(record: ResourceRecord | undefined, { overlay }: Content): Unmet['why'] {
  if (overlay === undefined) return 'overlay-gone';
  if (record?.overlay !== undefined) return 'overlay-changed';
  return record === undefined || record.content !== undefined ? 'overlay-new' : 'overlay-unrecorded';
}

function noteOf({ planned, changes }: Judged, { requirements, variablesAt }: Judgement): Finding[] {
  const resource = addressOf(planned);
  const names = [...new Set(changes.flatMap(({ path }) => [...(variablesAt?.(resource, path).keys() ?? [])]))].sort();
  const [required] = requirements;
  if (names.length === 0 || required === undefined) return [];
  return [{ resource, environment: required.environment, isApplicable: false, variables: names }];
}

function unmetReason(
  requirement: Requirement,
  { planned, content, input }: { readonly planned: ResourcePlan; readonly content: Content; readonly input: Judgement },
): Unmet | undefined {
  const { environment } = requirement;
  const { digest, onlyIn } = content;
  const resource = addressOf(planned);
  // For a client that only one environment has, the template may have been tried with another client.
  const record =
    input.records.get(environment)?.get(resource) ?? input.appliedAs.get(environment)?.get(`${planned.kind}/${digest}`);
  if (record === undefined && onlyIn?.includes(environment) === false) return { why: 'not-there', resource };
  if (record === undefined || hasOnlyDecisions(record)) return { why: 'not-applied' };
  const { content: applied } = record;
  if (applied === undefined) return { why: 'not-recorded' };
  if (applied.digest !== digest) return { why: 'different' };
  if (Date.parse(applied.since) + waitOf(requirement) <= input.now.getTime()) return undefined;
  return { why: 'too-new', since: `${applied.since.slice(0, 16)}Z`, wait: requirement.for ?? '0m' };
}

/** The reasons why an apply refuses resources, by address. */
export function unmetIn({ requires = [] }: Pick<Plan, 'requires'>): ReadonlyMap<string, readonly Notice[]> {
  return noticesByResource(requires.filter(({ level, skipped }) => level === 'deny' && !skipped));
}

function noticesByResource(verdicts: readonly RequiresVerdict[]): ReadonlyMap<string, readonly Notice[]> {
  const found = new Map<string, Notice[]>();
  for (const { resource, notice: said } of verdicts) found.set(resource, [...(found.get(resource) ?? []), said]);
  return found;
}

/** The required environments that `--skip-requires` overruled, by address. */
export function skippedRequiresIn({ requires = [] }: Pick<Plan, 'requires'>): (address: string) => string[] {
  const skipped = requires.filter((verdict) => verdict.skipped);
  return (address) => skipped.flatMap(({ resource, environment }) => (resource === address ? [environment] : []));
}

/** Adds the warning to each resource. */
export function withRequires(resources: readonly ResourcePlan[], verdicts: readonly RequiresVerdict[]): ResourcePlan[] {
  const found = noticesByResource(verdicts);
  return resources.map((resource) => {
    const said = found.get(addressOf(resource));
    return said === undefined ? resource : { ...resource, warnings: [...resource.warnings, ...said] };
  });
}
