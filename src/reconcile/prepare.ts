import pLimit from 'p-limit';
import type { PreparedResource } from '../apply/task.ts';
import { AgentformError, ServiceError } from '../errors.ts';
import { addressOf, type Desired } from '../kinds/desired.ts';
import { Secret } from '../kinds/secret.ts';
import { isReadWorthwhile } from '../plan/blocks.ts';
import { type Identity, type PlanOptions, type Reading, secrecyOf } from '../plan/observation.ts';
import { makePlan } from '../plan/plan.ts';
import { knownId } from '../plan/target.ts';
import type { StoredRecord } from '../record/store.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { Host } from './host.ts';
import type { Session } from './session.ts';

/** A plan, and everything that it was made from. */
export interface PreparedRun {
  readonly plan: Plan;
  /** By address. */
  readonly prepared: ReadonlyMap<string, PreparedResource>;
  readonly planning: PlanOptions & { readonly orphans: readonly ResourceRecord[] };
  /** The resource that has an id on a host, by `host id`. */
  readonly owners: Map<string, string>;
}

export interface PrepareOptions {
  readonly names: readonly string[];
  readonly concurrency: number;
  /** Aborted to read no further. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides limits.creates of the project. */
  readonly allowCreates?: number | undefined;
}

/** Reads the records and the service, and plans. Preview and apply both start here. */
export async function prepare(session: Session, options: PrepareOptions, host: Host): Promise<PreparedRun> {
  const { environment, project, resolution, store } = session;
  const records = new Map((await store.list(environment)).map((stored) => [addressOf(stored.record), stored]));
  const declared = new Set(resolution.all.map(addressOf));
  const orphans = [...records.values()]
    .map(({ record }) => record)
    .filter((record) => !declared.has(addressOf(record)));
  const resources = await readAll(session, records, { ...options, host });
  const planning = { unverified: unverifiedOf(session), secrecy: secrecyOf(resolution.secrets), orphans };
  const plan = makePlan({
    ...planning,
    environment,
    observations: resources.map(({ observation }) => observation),
    identities: identitiesOf(session, records, host.env),
    listOrphans: options.names.length === 0,
    limits: { creates: options.allowCreates ?? project.limits.creates },
  });
  return {
    plan,
    planning,
    owners: ownersOf(records),
    prepared: new Map(resources.map((one) => [addressOf(one.observation.desired), one])),
  };
}

async function readAll(
  session: Session,
  records: ReadonlyMap<string, StoredRecord>,
  { concurrency, signal, host }: PrepareOptions & { readonly host: Host },
): Promise<PreparedResource[]> {
  const { desired: resources } = session.resolution;
  const limit = pLimit(concurrency);
  host.emit({ type: 'phase-started', phase: 'read', total: resources.length });
  const prepared = await Promise.all(
    resources.map((desired) =>
      limit(async () => {
        if (signal?.aborted)
          throw new AgentformError('interrupted', 'interrupted before the first write; nothing was sent');
        const stored = records.get(addressOf(desired));
        const reading = await readLive(session, desired, stored?.record);
        host.emit({ type: 'resource-read', kind: desired.kind, name: desired.name, failed: isFailure(reading) });
        const observation = { desired, ...(stored && { record: stored.record }), ...(reading && { reading }) };
        return { observation, ...(stored && { stored }) };
      }),
    ),
  );
  host.emit({ type: 'phase-finished', phase: 'read' });
  return prepared;
}

function ownersOf(records: ReadonlyMap<string, StoredRecord>): Map<string, string> {
  return new Map([...records].map(([address, { record }]) => [`${record.host} ${record.id ?? ''}`, address]));
}

/** A read that fails leaves its resource out; the rest goes on. */
async function readLive(
  { service, connectionOf }: Session,
  desired: Desired,
  record: ResourceRecord | undefined,
): Promise<Reading | undefined> {
  const id = knownId(desired, record);
  if (id === undefined || !isReadWorthwhile({ desired, ...(record && { record }) })) return undefined;
  try {
    return { campaign: await service.getAgent(connectionOf(desired), id) };
  } catch (error) {
    if (error instanceof AgentformError) return { failure: failureText(error, desired) };
    throw error;
  }
}

/** An agent that is gone is not created anew: more likely the target is wrong. */
function failureText(error: AgentformError, desired: Desired): string {
  if (!(error instanceof ServiceError) || error.status !== 404) return error.message;
  const address = addressOf(desired);
  return (
    `${error.message}; check the target, or if the agent is gone, run \`agentform record adopt ${address} ID\` for ` +
    `another one or \`agentform record forget ${address}\` to create it anew`
  );
}

function isFailure(reading: Reading | undefined): boolean {
  return reading !== undefined && 'failure' in reading;
}

/** The manifests' identities, with the ids that only the records know and the tokens as far as they are set. */
function identitiesOf(
  { resolution, environment }: Session,
  records: ReadonlyMap<string, StoredRecord>,
  env: Host['env'],
): Identity[] {
  const targets = new Map(resolution.desired.map((desired) => [addressOf(desired), desired.target]));
  return resolution.all.map(({ kind, name, query, token: tokenReference, ...identity }) => {
    const agentId = identity.agentId ?? records.get(addressOf({ kind, name }))?.record.id;
    const token = targets.get(addressOf({ kind, name }))?.token ?? referredToken(tokenReference, env);
    const known = { ...(agentId !== undefined && { agentId }), ...(token && { token }) };
    return { kind, name, query, baseUrl: environment, tokenReference: tokenReference ?? '', ...known };
  });
}

/** The token of a resource that is not selected is not needed, but tells more if it is there. */
function referredToken(reference: string | undefined, env: Host['env']): Secret | undefined {
  const value = env[/^\$\{secret\.(\w+)\}$/.exec(reference ?? '')?.[1] ?? ''];
  return value === undefined || value === '' ? undefined : new Secret(value);
}

function unverifiedOf({ project, environment }: Session): 'set' | 'report' {
  return project.definitions.get(environment)?.unverified ?? 'set';
}
