import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPlan } from '../../src/apply/apply-plan.ts';
import type { Ledger } from '../../src/apply/events.ts';
import type { ApplyContext, ApplyPlanOptions, PreparedResource } from '../../src/apply/resource-apply.ts';
import { AgentformError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { addressOf, type Desired } from '../../src/kinds/desired.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import { notice, problemOf } from '../../src/notices/notice.ts';
import { planHidingCredentials } from '../../src/plan/credentials.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import type { Observation, Reading } from '../../src/plan/observation.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { knownId } from '../../src/plan/records/target.ts';
import type { PlannedResource } from '../../src/plan/resource-plan.ts';
import { FileStore } from '../../src/record/file-store.ts';
import type { RecordStore } from '../../src/record/store.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { createServiceClient, type ServiceClientOptions } from '../../src/service/client.ts';
import { testKey } from './observations.ts';

/** A plan and its input. */
export interface Planned {
  readonly plan: Plan;
  readonly prepared: Map<string, PreparedResource>;
}

/** The options of an apply. Omitted options have minimal valid values. */
export interface ApplyChoices extends Partial<Omit<ApplyPlanOptions, 'context' | 'prepared'>> {
  readonly overwrite?: readonly string[];
  readonly context?: Partial<ApplyContext>;
}

/** The former names of renamed resources, by name. */
type FormerNames = Readonly<Record<string, string>>;

/** Plans and applies values without manifest files, with the real client and store. */
export interface Pipeline {
  readonly store: RecordStore;
  readonly plan: (
    desired: readonly Desired[],
    formerNames?: FormerNames,
    more?: Partial<Observation>,
  ) => Promise<Planned>;
  readonly apply: (desired: readonly Desired[], choices?: ApplyChoices) => Promise<Ledger>;
  /** Applies a plan that was made earlier. */
  readonly carryOut: (planned: Planned, choices?: ApplyChoices) => Promise<Ledger>;
  readonly desired: (name: string, sections: JsonObject, parts?: Partial<Desired>) => Desired;
  readonly close: () => Promise<void>;
}

export async function createPipeline(
  baseUrl: string,
  secrets: readonly Secret[] = [],
  client: ServiceClientOptions = {},
): Promise<Pipeline> {
  const root = await mkdtemp(join(tmpdir(), 'agentform-pipeline-'));
  const store = new FileStore(root);
  const service = createServiceClient(client);
  const planning = { unverified: 'set' as const, secrecy: secrecyOf(secrets), orphans: [] };

  const read = ({ target }: Desired, id: string): Promise<Reading> =>
    service.getAgent(target, id).then(
      (campaign) => ({ campaign }),
      (error: unknown) => {
        if (error instanceof AgentformError) return { failure: notice('read-failed', problemOf(error)) };
        throw error;
      },
    );

  const prepare = async (
    desired: Desired,
    formerName: string | undefined,
    more: Partial<Observation>,
  ): Promise<PreparedResource & PlannedResource> => {
    const stored = await store.read(desired);
    const former = formerName === undefined ? undefined : await store.read({ ...desired, name: formerName });
    const record = (stored ?? former)?.record;
    const id = knownId(desired, record);
    const reading = id === undefined || desired.kind !== 'Agent' ? undefined : await read(desired, id);
    const renamedFrom = former?.record.name;
    const observation = {
      desired,
      ...(record && { record }),
      ...(renamedFrom !== undefined && { renamedFrom }),
      ...(reading && { reading }),
      ...more,
    };
    const { state: _, ...planned } = await planHidingCredentials(observation, planning);
    return { ...planned, ...(stored && { stored }), ...(former && { former }) };
  };

  const plan: Pipeline['plan'] = async (resources, formerNames = {}, more = {}) => {
    const prepared = await Promise.all(resources.map((desired) => prepare(desired, formerNames[desired.name], more)));
    const made = makePlan({
      environment: 'test',
      selected: prepared,
      identities: [],
      orphans: [],
      limits: { creates: 50 },
      sources: new Map(),
    });
    return { plan: made, prepared: new Map(prepared.map((one) => [addressOf(one.observation.desired), one])) };
  };

  const carryOut: Pipeline['carryOut'] = (
    { plan: made, prepared },
    { overwrite = [], decisions = [], context = {}, ...choices } = {},
  ) =>
    applyPlan(made, {
      context: {
        service,
        store,
        connectionOf: ({ target }) => target,
        planning,
        owners: new Map(),
        organizations: new Map(),
        resellerParameter: 'targetResellerId',
        now: () => new Date(0),
        readBackMs: 0,
        runId: 'run-1',
        declaredOf: () => undefined,
        contentOf: () => undefined,
        ...context,
      },
      prepared,
      removals: new Map(),
      decisions: [...decisionsOf({ overwrite }), ...decisions],
      concurrency: 4,
      signal: new AbortController().signal,
      emit: () => undefined,
      ...choices,
    });

  return {
    store,
    plan,
    carryOut,
    apply: async (resources, choices) => carryOut(await plan(resources), choices),
    desired: (name, sections, parts = {}) => ({
      kind: 'Agent',
      name,
      environment: 'test',
      target: {
        baseUrl,
        host: new URL(baseUrl).host,
        token: new Secret(`tok-${name}`),
        key: testKey,
        query: {},
        sensitiveQuery: new Set(),
      },
      sections,
      sensitive: new Set(),
      ...parts,
    }),
    async close() {
      await service.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
