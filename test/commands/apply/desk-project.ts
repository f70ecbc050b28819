import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { type ApplyRunOptions, apply } from '../../../src/commands/apply/apply.ts';
import { type PlanRunOptions, plan } from '../../../src/commands/plan/plan.ts';
import { startEmulator } from '../../../src/emulator/emulator.ts';
import { type GivenAnswer, typedAnswer } from '../../../src/plan/answers.ts';
import type { Question } from '../../../src/schemas/plan-types.ts';
import type { RunningEmulator } from '../../../src/session/host.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

let emulator: RunningEmulator;
export let place: Workplace;
let count = 0;
/** Called for each request to the service. */
let seen: (() => void) | undefined;

export const longPrompt = '# Desk\nYou answer the phone.\n# Prices\nA check-up costs 50.\n# End\nSay goodbye.\n';

export const manifest = (settings: string, more = '') => `apiVersion: agentform/v1
kind: Agent
name: desk
target: { token: "\${secret.TOKEN}" }
settings:
  title: Desk
  description: Answers.
${settings}${more}`;

export const usual = '  agentVoice: warm-1\n  welcomeMessage: Hello.\n  agentLang: en-US\n';

export async function project(environment = '', variables: Record<string, string> = {}): Promise<void> {
  count += 1;
  place = await workplace(
    {
      'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
environments:
  production: { baseUrl: "${emulator.baseUrl}"${environment} }
`,
      'agents/desk.yaml': manifest(usual),
    },
    { TOKEN: `token-${count}`, GITHUB_ACTOR: 'mona', ...variables },
  );
}

export const options = () => ({ project: place.root, environment: 'production', names: [], concurrency: 4 });
export const planned = async (parts: Partial<PlanRunOptions> = {}) =>
  (await plan(place.host, { ...options(), ...parts })).plan;

export function applied(answers: readonly GivenAnswer[] = [], parts: Partial<ApplyRunOptions> = {}) {
  const signal = new AbortController().signal;
  return apply(place.host, { ...options(), signal, answers, confirm: async () => true, ...parts });
}

export const answered = (...texts: string[]) => applied(texts.map(typedAnswer));

export const record = async (name = 'desk') =>
  JSON.parse(await place.read(`.agentform/records/production/Agent/${name}.json`));

export async function live(name?: string): Promise<Record<string, unknown>> {
  const { agents } = JSON.parse(await (await fetch(`${emulator.baseUrl}/__emulator/state`)).text());
  const { id } = await record(name);
  return agents.find((one: { id: string }) => one.id === id).draft;
}

/** Edits the agent as in the dashboard. */
export async function edit(settings: Record<string, unknown>, name?: string): Promise<void> {
  const { id } = await record(name);
  const body = JSON.stringify(settings);
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${emulator.baseUrl}/__emulator/agents/${id}`, { method: 'PATCH', headers, body });
  expect(status).toBe(200);
}

export async function putFaults(faults: readonly string[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(faults);
  const { status } = await fetch(`${emulator.baseUrl}/__emulator/faults`, { method: 'PUT', headers, body });
  expect(status).toBe(200);
}

export async function writes(): Promise<number> {
  const { requests } = JSON.parse(await (await fetch(`${emulator.baseUrl}/__emulator/requests`)).text());
  return requests.filter(({ method }: { method: string }) => method === 'POST').length;
}

export const asked = ({ questions }: { questions: readonly Question[] }) => questions.map(({ id, kind }) => [id, kind]);

beforeAll(async () => {
  const data = await workplace({});
  emulator = await startEmulator({ dataFile: join(data.root, 'emulator.json'), onRequest: () => seen?.() });
});
afterAll(() => emulator.close());

beforeEach(async () => {
  await project();
  const { ledger } = await applied([{ question: 'Agent/desk', choice: 'create' }]);
  expect(ledger.entries).toMatchObject([{ outcome: 'applied' }]);
});
afterEach(() => place.remove());

/** Calls `call` for each request to the service. `undefined` ends these calls. */
export function onEachRequest(call: (() => void) | undefined): void {
  seen = call;
}

/** Edits the agent again before the apply is confirmed. */
export async function confirm(): Promise<boolean> {
  await edit({ agentVoice: 'warm-3' });
  return true;
}

export const keep = [typedAnswer('Agent/desk/drift=keep')];

/** The result of an apply if the agent was edited between the plan and the write. */
export const stale = {
  outcome: 'not attempted',
  refused: true,
  reasons: [{ code: 'stale', facts: { by: 'edit' } }],
};
