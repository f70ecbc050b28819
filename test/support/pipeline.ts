import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPlan } from '../../src/apply/apply-plan.ts';
import type { Ledger } from '../../src/apply/events.ts';
import type { PreparedResource } from '../../src/apply/task.ts';
import { addressOf, type Desired } from '../../src/kinds/desired.ts';
import type { JsonObject } from '../../src/kinds/json.ts';
import { secrecyOf } from '../../src/kinds/secrecy.ts';
import { Secret } from '../../src/kinds/secret.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { planResource } from '../../src/plan/resource-plan.ts';
import { knownId } from '../../src/plan/target.ts';
import { createFileStore } from '../../src/record/file-store.ts';
import type { RecordStore } from '../../src/record/store.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { createServiceClient } from '../../src/service/client.ts';

/** Plan and apply without files of manifests: the real client and store, on values that a test makes up. */
export interface Pipeline {
  readonly store: RecordStore;
  readonly plan: (
    desired: readonly Desired[],
  ) => Promise<{ plan: Plan; prepared: ReadonlyMap<string, PreparedResource> }>;
  readonly apply: (desired: readonly Desired[], options?: { overwrite?: string[] }) => Promise<Ledger>;
  readonly desired: (name: string, sections: JsonObject, parts?: Partial<Desired>) => Desired;
  readonly close: () => Promise<void>;
}

export async function createPipeline(baseUrl: string, secrets: readonly Secret[] = []): Promise<Pipeline> {
  const root = await mkdtemp(join(tmpdir(), 'agentform-pipeline-'));
  const store = createFileStore(root);
  const service = createServiceClient();
  const planning = { unverified: 'set' as const, secrecy: secrecyOf(secrets), orphans: [] };

  const prepare = async (resources: readonly Desired[]): Promise<PreparedResource[]> =>
    Promise.all(
      resources.map(async (desired) => {
        const stored = await store.read(desired);
        const id = knownId(desired, stored?.record);
        const reading = id === undefined ? undefined : { campaign: await service.getAgent(desired.target, id) };
        const observation = { desired, ...(stored && { record: stored.record }), ...(reading && { reading }) };
        return { observation, ...(stored && { stored }) };
      }),
    );

  const plan: Pipeline['plan'] = async (resources) => {
    const prepared = await prepare(resources);
    const made = makePlan({
      environment: 'test',
      selected: prepared.map(({ observation }) => ({ observation, planned: planResource(observation, planning) })),
      identities: [],
      orphans: [],
      listOrphans: true,
      limits: { creates: 50 },
      sources: new Map(),
    });
    return { plan: made, prepared: new Map(prepared.map((one) => [addressOf(one.observation.desired), one])) };
  };

  return {
    store,
    plan,
    async apply(resources, { overwrite = [] } = {}) {
      const { plan: made, prepared } = await plan(resources);
      return applyPlan(made, {
        means: {
          service,
          store,
          connectionOf: ({ target }) => target,
          planning,
          owners: new Map(),
          organizations: new Map(),
          resellerParameter: 'targetResellerId',
          now: () => new Date(0),
          runId: 'run-1',
        },
        prepared,
        overwrite: new Set(overwrite),
        concurrency: 4,
        signal: new AbortController().signal,
        emit: () => undefined,
      });
    },
    desired: (name, sections, parts = {}) => ({
      kind: 'Agent',
      name,
      environment: 'test',
      target: {
        baseUrl,
        host: new URL(baseUrl).host,
        token: new Secret(`tok-${name}`),
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
