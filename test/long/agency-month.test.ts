import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApplyResult, type ApplyRunOptions, apply } from '../../src/commands/apply/apply.ts';
import { renderHistoryHtml } from '../../src/commands/history/document.ts';
import { history } from '../../src/commands/history/history.ts';
import { renderHistoryCsv } from '../../src/commands/history/text.ts';
import { rollback } from '../../src/commands/rollback/rollback.ts';
import { status } from '../../src/commands/status/status.ts';
import { typedAnswer } from '../../src/plan/answers.ts';
import type { Host } from '../../src/session/host.ts';
import { git, gitEnv } from '../support/git.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';

// A simulated month of an agency with 300 clients in one table. A new template is rolled out in steps, and the first
// ring is rolled back. A correction follows, and one client gets a report.

const token = 'tok/S3cret+value=1';
const count = 300;
const names = Array.from({ length: count }, (_, index) => `client-${index + 1}`);
const ringOf = (index: number) => (index < 5 ? 'canary' : index < 95 ? 'early' : 'late');
const steps = `
        - { select: ring=canary }
        - { select: "ring in (early)", after: 24h }
        - { share: 50%, after: 2d }
        - { share: 100%, after: 2d }`;

let service: IndependentServer;
let place: Workplace;
/** The time on the clocks of the service and the machine. */
let now = new Date('2026-11-02T09:00:00Z');
const ids: string[] = [];

const host = (): Host => ({
  ...place.host,
  env: { ...gitEnv, AGENT_TOKEN: token, GITHUB_ACTOR: 'mona' },
  now: () => now,
});
const options = () => ({ project: place.root, environment: 'production', names: [] as string[], concurrency: 16 });

function waitHours(hours: number): void {
  now = new Date(now.getTime() + hours * 3_600_000);
  service.quirks = { ...service.quirks, date: now.toUTCString() };
}

async function commit(message: string): Promise<void> {
  await git(place.root, 'add', '--all');
  await git(place.root, 'commit', '--quiet', '--allow-empty', '-m', message);
}

async function project(rollout = ''): Promise<void> {
  await place.write(
    'agentform.yaml',
    `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
record: { store: file }
service: { readBack: 0 }
environments:
  production:
    baseUrl: ${service.baseUrl}
    token: \${secret.AGENT_TOKEN}
${rollout}`,
  );
}

const template = (version: string) =>
  place.write('templates/prompt.md', `# \${var.brand}\n\nBe kind.\n- Version ${version}.\n`);

/** Applies and commits the records. Returns the number of agents by outcome. */
async function applied(more: Partial<ApplyRunOptions> = {}): Promise<Record<string, number>> {
  const signal = new AbortController().signal;
  const result = await apply(host(), { ...options(), signal, confirm: async () => true, ...more });
  await commit('records');
  return outcomesOf(result);
}

function outcomesOf({ ledger }: ApplyResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of ledger.entries) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

const writes = () => service.takeWrites().length;
const summary = async () => (await status(host(), { ...options(), live: false })).status.summary;

beforeAll(async () => {
  service = await startIndependentServer();
  place = await workplace({}, { AGENT_TOKEN: token });
  for (const name of names) ids.push(service.seed(token, { type: 'chatAgent', title: 'T', description: 'D' }, name).id);
  const rows = names.map((name, index) => `${name},${ids[index]},Brand ${index + 1},${ringOf(index)}`);
  await place.write('clients.csv', `name,agent,brand,ring\n${rows.join('\n')}\n`);
  await place.write(
    'agents/fleet.yaml',
    `apiVersion: agentform/v1
kind: Fleet
name: dental
templates: [../templates/agent.yaml]
members: { file: ../clients.csv }
labels: { ring: "\${var.ring}" }
`,
  );
  await place.write(
    'templates/agent.yaml',
    `apiVersion: agentform/v1
kind: Agent
settings:
  title: \${var.brand}
  description: Answers the phone
  agentInstructions: { file: prompt.md }
target: { agentId: "\${var.agent}", query: { targetAccountId: "\${var.name}" } }
`,
  );
  await template('1');
  await project();
  await git(place.root, 'init', '--quiet');
  await commit('The table of all clients');
  waitHours(0);
});
afterAll(async () => {
  await service.close();
  await place.remove();
});

test('An agency runs a month of steps, a bad canary, a rollback, a correction and a kept edit.', async () => {
  expect(await applied()).toEqual({ applied: count });
  await project(`    rollout:\n      steps:${steps}\n`);
  service.takeLog();

  // The second version reaches the canaries and turns out to be bad.
  await template('2');
  await commit('Version 2');
  waitHours(24);
  expect(await applied()).toMatchObject({ applied: 5 });
  expect(writes()).toBe(5);
  expect(await summary()).toMatchObject({ total: count, applied: 5, waiting: 295 });
  waitHours(1);
  const signal = new AbortController().signal;
  const rolling = { ...options(), signal, confirm: async () => true, selector: 'ring=canary', reason: 'calls drop' };
  expect(outcomesOf(await rollback(host(), rolling))).toEqual({ applied: 5 });
  await commit('rolled back');
  service.takeLog();

  // The other agents wait, however long that takes.
  waitHours(24 * 10);
  await applied();
  expect(writes()).toBe(0);
  expect(await summary()).toMatchObject({ held: 5, waiting: 295 });

  // The correction passes through all steps.
  await template('3');
  await commit('Version 3');
  const written = [];
  for (const hours of [0, 1, 24, 24, 24, 48]) {
    waitHours(hours);
    await applied();
    written.push(writes());
  }
  const [canary, tooEarly, early, stillEarly, half = 0, rest = 0] = written;
  expect([canary, tooEarly, early, stillEarly]).toEqual([5, 0, 90, 0]);
  expect(half).toBeGreaterThan(60);
  expect(half + rest).toBe(205);
  expect(await summary()).toMatchObject({ total: count, applied: count, waiting: 0 });

  // One client edits its agent, and the edit is kept.
  waitHours(24);
  const [own] = ids.slice(76, 77);
  service.edit(own ?? '', { agentInstructions: '# Brand 77\n\nBe kind.\n- Version 3.\n- Mention the parking.' });
  await applied({ answers: [typedAnswer('Agent/client-77/drift=keep')] });
  expect(service.agents().find(({ id }) => id === own)?.settings.agentInstructions).toContain('parking');
  waitHours(1);
  await applied();
  expect(service.agents().find(({ id }) => id === own)?.settings.agentInstructions).toContain('parking');

  // The report of the month.
  const asked = { project: place.root, environment: 'production' };
  const report = await history(host(), { ...asked, names: ['client-77'], since: '2026-11-03' });
  expect(report.entries.map(({ event, changes }) => [event, ...changes.map(({ summary: words }) => words)])).toEqual([
    ['edit-kept', 'Instructions: 1 rule added'],
    ['apply', 'Instructions: 1 → 3'],
  ]);
  const page = renderHistoryHtml(report);
  expect(page).toContain('Mention the parking.');
  expect(page).not.toMatch(/<script|client-78/);
  const all = await history(host(), { ...asked, names: [] });
  const counts: Record<string, number> = {};
  for (const { event } of all.entries) counts[event] = (counts[event] ?? 0) + 1;
  expect(counts).toEqual({
    adopt: count,
    apply: 5 + count,
    rollback: 5,
    'edit-kept': 1,
  });
  for (const text of [page, renderHistoryCsv(all), JSON.stringify(all)]) expect(text).not.toContain(token);
}, 600_000);
