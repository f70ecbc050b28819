import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { type ApplyRunOptions, apply } from '../../src/commands/apply/apply.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import type { Plan, ResourcePlan } from '../../src/schemas/plan-types.ts';
import type { Host } from '../../src/session/host.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { savedState } from '../support/saved-state.ts';

export const token = 'tok/S3cret+value=1';
const rings: Readonly<Record<string, string>> = { ada: 'canary', bob: 'early', cid: 'early', dan: 'late' };

export let service: IndependentServer;
export let place: Workplace;
/** The time on the service's clock. */
let now: Date;
export let ids: Record<string, string>;

export const twoSteps = '{ select: ring=canary }, { select: ring=early, after: 24h }, { share: 100%, after: 1h }';

let putBack: () => Promise<void>;
let seededIds: Record<string, string>;

beforeAll(async () => {
  service = await startIndependentServer();
  place = await workplace({}, { AGENT_TOKEN: token });
  const seeded = { type: 'chatAgent', title: 'T', description: 'D' };
  seededIds = Object.fromEntries(Object.keys(rings).map((name) => [name, service.seed(token, seeded, name).id]));
  ids = { ...seededIds };
  setClock('2026-11-26T09:00:00Z');
  await project();
  for (const name of Object.keys(rings)) await agent(name);
  expect((await applied()).ledger.entries.map(({ outcome }) => outcome)).toEqual(Array(4).fill('applied'));
  await project(twoSteps);
  putBack = await savedState(service, place.root);
});
beforeEach(async () => {
  await putBack();
  ids = { ...seededIds };
  setClock('2026-11-26T09:00:00Z');
});
afterAll(async () => {
  await service.close();
  await place.remove();
});

export function setClock(time: string): void {
  now = new Date(time);
  service.quirks = { ...service.quirks, date: now.toUTCString() };
}

export async function project(steps?: string, more = ''): Promise<void> {
  const rollout = steps === undefined ? '' : `    rollout: { steps: [${steps}]${more} }\n`;
  await place.write(
    'agentform.yaml',
    `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
service: { readBack: 0 }
limits: { creates: 9 }
environments:
  production:
    baseUrl: ${service.baseUrl}
    token: \${secret.AGENT_TOKEN}
    variables: { version: v1 }
${rollout}`,
  );
}

/** Gives all agents a new version by setting a variable of the environment. */
export async function version(text: string): Promise<void> {
  const file = await place.read('agentform.yaml');
  await place.write('agentform.yaml', file.replace(/version: \w+/, `version: ${text}`));
}

export async function agent(name: string, title = '${var.version}'): Promise<void> {
  const target = `{ ${ids[name] === undefined ? '' : `agentId: ${ids[name]}, `}query: { targetAccountId: ${name} } }`;
  const label = `labels: { ring: ${rings[name] ?? 'late'} }`;
  const text = `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\n${label}\ntarget: ${target}\nsettings: { title: '${title}', description: D }\n`;
  await place.write(`agents/${name}.yaml`, text);
}

/** The machine's clock is years off, because only the service's clock may count. */
export const host = (): Host => ({ ...place.host, now: () => new Date('2030-01-01T00:00:00Z') });

export const options = () => ({ project: place.root, names: [], concurrency: 4 });

export const planned = async (more: Partial<Parameters<typeof plan>[1]> = {}): Promise<Plan> =>
  (await plan(host(), { ...options(), ...more })).plan;

export const applied = (more: Partial<ApplyRunOptions> = {}) =>
  apply(host(), { ...options(), signal: new AbortController().signal, confirm: async () => true, ...more });

export const actions = ({ resources }: Pick<Plan, 'resources'>) =>
  Object.fromEntries(resources.map(({ kind, name, action }) => [kind === 'Agent' ? name : `${kind}/${name}`, action]));

export const outcomes = async (more: Partial<ApplyRunOptions> = {}) => {
  const { ledger } = await applied(more);
  return Object.fromEntries(ledger.entries.map(({ name, outcome }) => [name, outcome]));
};

export const titles = () =>
  Object.fromEntries(Object.keys(rings).map((name) => [name, service.agentOf(token, name)?.settings.title]));

export const recordOf = async (name: string) =>
  JSON.parse(await place.read(`.agentform/records/production/Agent/${name}.json`));

export const resourceOf = ({ resources }: Plan, name: string): ResourcePlan => {
  const found = resources.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not in the plan`);
  return found;
};
