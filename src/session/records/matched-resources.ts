import { unattended } from '../../interruption.ts';
import { addressOf, byAddress, type Desired, inOrganization } from '../../kinds/desired.ts';
import { desiredIn } from '../../manifest/resolve/resolution.ts';
import type { Decisions } from '../../plan/decisions.ts';
import { type AssignedRecords, assignRecords } from '../../plan/records/moves.ts';
import { type Orphan, orphansOf } from '../../plan/records/orphans.ts';
import { hasOnlyDecisions } from '../../plan/records/target.ts';
import type { TestsInput } from '../../plan/verdicts/guards.ts';
import type { PolicyInput } from '../../plan/verdicts/policies.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { runTests } from '../../testing/run-tests.ts';
import type { SelectedResource } from '../fingerprint-keys.ts';
import { organizationIds } from '../identities.ts';
import type { Session } from '../session.ts';

/** The manifests and records of an environment, matched before the service is read. */
export interface MatchedResources<Stored> extends AssignedRecords<Stored> {
  /** The ids of recorded organizations, keyed by address. */
  readonly organizations: Map<string, string>;
  /** The selected resources, without their desired values. */
  readonly declared: readonly SelectedResource[];
  /** Resolves the desired values of a selected resource on demand. */
  readonly desiredOf: (resource: SelectedResource) => Desired;
  /** Selected resources that were never applied. */
  readonly unrecorded: readonly Desired[];
  /** Records without a manifest, including those listed under `removed`. */
  readonly leftOver: readonly Orphan[];
  /** The records without a manifest that the plan lists. */
  readonly listed: readonly Orphan[];
  /** The records that an apply drops, keyed by address. */
  readonly dropped: ReadonlyMap<string, Stored>;
}

/** Matches records with manifests, and finds the records and manifests that have no match. */
export function matchResources<Stored extends { readonly record: ResourceRecord }>(
  { project, resolution, selection }: Pick<Session, 'project' | 'resolution' | 'selection'>,
  stored: ReadonlyMap<string, Stored>,
): MatchedResources<Stored> {
  const assigned = assignRecords(stored, { manifests: resolution.all, removed: project.removed });
  // Even if an organization is not selected, its resources usually have its token. The token's key can check the
  // organization's record.
  const keys = [...new Set(resolution.selected.map(({ target }) => target.key))];
  const organizations = organizationIds(assigned.records, keys);
  const resolved = resolution.selected.map((one) => inOrganization(one, organizations));
  const desiredOf = (one: SelectedResource) => desiredIn(resolution, one);
  const unrecorded = resolved
    .filter((one) => hasOnlyDecisions(assigned.records.get(addressOf(one))?.record))
    .map(desiredOf);
  const orphans = assigned.orphans.map(({ record }) => record);
  const leftOver = [
    ...orphansOf(orphans, unrecorded, { ...assigned, elsewhere: resolution.elsewhere }),
    ...assigned.removals.map(({ record }) => ({ record, isRemoved: true as const })),
  ];
  const dropped = assigned.removals.filter(({ record }) => selection.includes(addressOf(record)));
  return {
    ...assigned,
    organizations,
    declared: resolved,
    desiredOf,
    unrecorded,
    leftOver,
    listed: leftOver.filter(({ record }) => selection.listsOrphan(addressOf(record))),
    dropped: new Map(dropped.map((one) => [addressOf(one.record), one])),
  };
}

type DeclaredResources = Pick<MatchedResources<unknown>, 'declared' | 'desiredOf'>;

/** Returns the input with which policies judge a plan. */
export function policyInput(
  { policies, resolution }: Pick<Session, 'policies' | 'resolution'>,
  { declared, desiredOf }: DeclaredResources,
  { now, decisions = [] }: { readonly now: Date; readonly decisions?: Decisions | undefined },
): PolicyInput {
  const known = byAddress(declared);
  const viewOf = (address: string) => {
    const found = known.get(address);
    if (found === undefined) throw new Error(`${address} is not selected`);
    return resolution.policyView(desiredOf(found));
  };
  return { policies, now, viewOf, decisions };
}

/**
 * Runs the Tests that the environment requires for these resources. Returns undefined if the environment requires no
 * Tests.
 */
export async function testsInput(
  { project, environment, tests }: Pick<Session, 'project' | 'environment' | 'tests'>,
  { declared, desiredOf }: DeclaredResources,
  { decisions, signal }: { readonly decisions?: Decisions | undefined; readonly signal?: AbortSignal | undefined },
): Promise<TestsInput | undefined> {
  if (!project.testsRequired.has(environment)) return undefined;
  const { cases } = await unattended(signal, () => runTests(tests, { environment, desired: declared.map(desiredOf) }));
  return { cases, decisions };
}
