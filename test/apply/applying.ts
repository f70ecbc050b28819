import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { LedgerEntry } from '../../src/apply/events.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { Secret } from '../../src/secrets/secret.ts';
import type { ServiceClientOptions } from '../../src/service/client.ts';
import {
  type IndependentServer,
  json,
  type LoggedCall,
  startIndependentServer,
} from '../support/independent-server.ts';
import { type ApplyChoices, createPipeline, type Pipeline } from '../support/pipeline.ts';

/** A secret that the pipeline knows. */
export const secret = 'hunter2-hunter2';

export let server: IndependentServer;
export let pipeline: Pipeline;
let count = 0;

/** Starts one service and one pipeline for the suite. Each test begins with empty state. */
export function useApplying(
  parts: { readonly others?: IndependentServer['others']; readonly client?: ServiceClientOptions } = {},
): void {
  beforeAll(async () => {
    server = await startIndependentServer();
    server.others = parts.others;
    pipeline = await createPipeline(server.baseUrl, [new Secret(secret)], parts.client);
  });
  afterAll(async () => {
    await pipeline.close();
    await server.close();
  });
  beforeEach(() => {
    count += 1;
    Object.assign(server, { quirks: {}, before: undefined, after: undefined });
    server.takeLog();
  });
}

/** A unique name, with a separate token and account. */
export const named = (name: string) => `${name}-${count}`;
export const isWrite = ({ method }: LoggedCall) => method === 'POST';
export const isRead = ({ method }: LoggedCall) => method === 'GET';
export const refused = json(400, { success: false, message: 'no such voice' });

/** The ledger entry of the only resource. */
export async function applied(desired: Desired, choices: ApplyChoices = {}): Promise<LedgerEntry> {
  const [entry] = (await pipeline.apply([desired], choices)).entries;
  if (entry === undefined) throw new Error('the ledger is empty');
  return entry;
}

export async function recordOf({ kind, name, environment }: Desired): Promise<ResourceRecord | undefined> {
  return (await pipeline.store.read({ kind, name, environment }))?.record;
}

/** The methods of the requests since the last call. */
export function methods(): string[] {
  return server.takeLog().map(({ method }) => method);
}
