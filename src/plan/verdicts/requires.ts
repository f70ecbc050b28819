// The results of `requires` in agentform.yaml for a plan: changes that must be applied elsewhere first.

import { withMembers } from '../../json/packed.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import type { Change, Plan, RequiresVerdict, ResourcePlan } from '../../schemas/plan-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { joinWithAnd } from '../../text/wording.ts';
import { isPending } from '../pending.ts';
import type { PlannedResource } from '../resource-plan.ts';
import type { Written } from '../written.ts';

/** An environment to which content must have been applied, and for how long, such as `24h`. */
export interface Requirement {
  readonly environment: string;
  readonly for?: string;
}

/** Milliseconds that content must have been there. */
export function waitOf({ for: text = '0m' }: Requirement): number {
  return Number.parseInt(text, 10) * (units.get(text.slice(-1)) ?? 0);
}

const units: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** The parts of a manifest's content that identify it. */
export interface Content {
  /** Undefined if unknown. */
  readonly digest?: string | undefined;
  /** Digest of the environment's overlays; undefined if there are none. */
  readonly overlay?: string | undefined;
  /** The environments that have it; undefined for all. */
  readonly onlyIn?: readonly string[] | undefined;
}

export interface RequiresInput {
  /** The `requires` of the checkout and of the base commit. */
  readonly requirements: readonly Requirement[];
  /** By environment, its records by address. */
  readonly records: ReadonlyMap<string, ReadonlyMap<string, ResourceRecord>>;
  readonly contentOf: (address: string) => Content | undefined;
  /** Undefined if no file has the desired value. */
  readonly variablesAt: Written['variablesAt'] | undefined;
  readonly now: Date;
  /** `--skip-requires`: unmet requirements are reported, and the run continues. */
  readonly isSkipped: boolean;
}

type Judged = Pick<PlannedResource, 'observation' | 'changes'> & { readonly planned: ResourcePlan };

/**
 * The verdict on each resource that would be written.
 *
 * Restoring what was applied here is always allowed. Neither does a change whose content equals the applied one: then
 * only variables of the environment changed, which cannot be tried elsewhere, and the plan says so. All other content
 * must be applied completely to the required environment first. An overlay cannot be applied elsewhere, and needs a
 * decision.
 */
export function requiresVerdicts(
  environment: string,
  resources: readonly Judged[],
  input: RequiresInput,
): RequiresVerdict[] {
  const index = { appliedAs: new Map([...input.records].map(([name, records]) => [name, byContent(records)])) };
  const pending = resources.filter(({ planned }) => isPending(planned) && isNew(planned.changes));
  const found = pending.flatMap((one) => findingsOf(environment, one, { ...input, ...index }));
  const countOf = new Map<string, number>();
  for (const { environment: required, why } of found) {
    const key = `${required} ${why}`;
    countOf.set(key, (countOf.get(key) ?? 0) + 1);
  }
  return found.map(({ resource, environment: required, level, why, isApplicable }): RequiresVerdict => {
    const isAlone = countOf.get(`${required} ${why}`) === 1;
    const first = isApplicable ? `first run ${commandIn(required, isAlone ? `apply ${resource}` : 'apply')}; ` : '';
    const isSkipped = level === 'deny' && input.isSkipped;
    const remedy = isSkipped
      ? '--skip-requires overrules it'
      : `${first}to overrule it, run again with --skip-requires`;
    const message = level === 'note' ? why : `${environment} requires ${required}, and ${why}; ${remedy}`;
    return { resource, environment: required, level, message, ...(isSkipped && { skipped: true as const }) };
  });
}

/** Drift is put back, and what is in doubt is sent again: both were applied here before. */
function isNew(changes: readonly Change[]): boolean {
  return changes.some(({ cause }) => cause !== 'drift' && cause !== 'unverified');
}

/** By environment, and by kind and content, a record of one resource that has it. */
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

interface Finding extends Omit<RequiresVerdict, 'message'> {
  /** The end of a sentence; of a note, all of it. */
  readonly why: string;
  /** An apply to the required environment gets on. */
  readonly isApplicable: boolean;
}

function findingsOf(environment: string, one: Judged, input: Judgement): Finding[] {
  const { record } = one.observation;
  const resource = addressOf(one.planned);
  const content = input.contentOf(resource) ?? {};
  const isOwn = content.digest !== undefined && content.digest === record?.content?.digest;
  const isSameOverlay = content.overlay === record?.overlay;
  if (isOwn && isSameOverlay) return noteOf(environment, one, input);
  return input.requirements.flatMap((requirement): Finding[] => {
    const { environment: required } = requirement;
    const deny = { resource, environment: required, level: 'deny', isApplicable: false } as const;
    if (!isSameOverlay) {
      const why = `an overlay of ${environment} ${changeOfOverlay(record, content)}, which cannot be tried in ${required}`;
      return [{ ...deny, why }];
    }
    const unmet = unmetReason(requirement, { planned: one.planned, content, input });
    return unmet === undefined ? [] : [{ ...deny, ...unmet }];
  });
}

function changeOfOverlay(record: ResourceRecord | undefined, { overlay }: Content): string {
  if (overlay === undefined) return 'is gone';
  if (record?.overlay !== undefined) return 'changed';
  return record === undefined || record.content !== undefined ? 'is new' : 'may be new, as its record does not say';
}

function noteOf(
  environment: string,
  { planned, changes }: Judged,
  { requirements, variablesAt }: Judgement,
): Finding[] {
  const resource = addressOf(planned);
  const names = [...new Set(changes.flatMap(({ path }) => [...(variablesAt?.(resource, path).keys() ?? [])]))].sort();
  const [required] = requirements;
  if (names.length === 0 || required === undefined) return [];
  const noun = names.length === 1 ? 'the variable' : 'variables';
  const why = `only ${noun} ${joinWithAnd(names)} of ${environment} changed, which cannot be tried in ${required.environment}`;
  return [{ resource, environment: required.environment, level: 'note', why, isApplicable: false }];
}

type Unmet = Pick<Finding, 'why' | 'isApplicable'>;

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
  if (record === undefined && onlyIn?.includes(environment) === false) {
    return { why: `${environment} does not have ${resource}`, isApplicable: false };
  }
  if (record === undefined) return { why: 'this content was not applied there', isApplicable: true };
  const { content: applied } = record;
  if (applied === undefined) {
    const why = 'its record there does not say that all of the content was applied';
    return { why, isApplicable: true };
  }
  if (applied.digest !== digest) return { why: 'different content is applied there', isApplicable: true };
  if (Date.parse(applied.since) + waitOf(requirement) <= input.now.getTime()) return undefined;
  const since = `${applied.since.slice(0, 16)}Z`;
  return {
    why: `it has been there only since ${since}, but must be there for ${requirement.for}`,
    isApplicable: false,
  };
}

/** By address, why an apply refuses resources. */
export function unmetIn({ requires = [] }: Pick<Plan, 'requires'>): ReadonlyMap<string, string> {
  const refused = requires.filter(({ level, skipped }) => level === 'deny' && !skipped);
  const messages = new Map<string, string[]>();
  for (const { resource, message } of refused) messages.set(resource, [...(messages.get(resource) ?? []), message]);
  return new Map([...messages].map(([resource, all]) => [resource, all.join('; ')]));
}

/** By address, the required environments that `--skip-requires` overruled. */
export function skippedRequiresIn({ requires = [] }: Pick<Plan, 'requires'>): (address: string) => string[] {
  const skipped = requires.filter((verdict) => verdict.skipped);
  return (address) => skipped.flatMap(({ resource, environment }) => (resource === address ? [environment] : []));
}

/**
 * The same sentences in all shards as in one run: where several resources have the same reason, the remedy is for all
 * of them.
 */
export function joinedRequires(verdicts: readonly RequiresVerdict[]): RequiresVerdict[] {
  const ofAll = verdicts.map(({ resource, environment, message }) =>
    message.replace(commandIn(environment, `apply ${resource}`), commandIn(environment, 'apply')),
  );
  const countOf = new Map<string, number>();
  for (const message of ofAll) countOf.set(message, (countOf.get(message) ?? 0) + 1);
  return verdicts.map((verdict, index) => {
    const message = ofAll[index] ?? verdict.message;
    return countOf.get(message) === 1 ? verdict : { ...verdict, message };
  });
}

/** The warning at each resource. */
export function withRequires(resources: readonly ResourcePlan[], verdicts: readonly RequiresVerdict[]): ResourcePlan[] {
  const byResource = new Map<string, string[]>();
  for (const { resource, message } of verdicts)
    byResource.set(resource, [...(byResource.get(resource) ?? []), message]);
  return resources.map((resource) => {
    const messages = byResource.get(addressOf(resource));
    if (messages === undefined) return resource;
    return withMembers(resource, { warnings: [...resource.warnings, ...messages] });
  });
}

/** The resources with the final warning for each verdict. */
export function withMessages(
  resources: readonly ResourcePlan[],
  { from, to }: { readonly from: readonly RequiresVerdict[]; readonly to: readonly RequiresVerdict[] },
): ResourcePlan[] {
  const messages = new Map(
    from.flatMap(({ resource, message }, index) => {
      const other = to[index]?.message;
      return other === undefined || other === message ? [] : [[`${resource} ${message}`, other] as const];
    }),
  );
  return resources.map((resource) => {
    const warnings = resource.warnings.map((text) => messages.get(`${addressOf(resource)} ${text}`) ?? text);
    return withMembers(resource, { warnings });
  });
}
