import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apply } from '../../src/commands/apply/apply.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import { planDocument } from '../../src/report/document.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import type { Host } from '../../src/session/host.ts';
import { testHost } from '../support/host.ts';
import { type IndependentServer, json, startIndependentServer } from '../support/independent-server.ts';

// Plays the week that docs/rollouts.md describes for the agency in examples/agency.

const root = resolve(import.meta.dirname, '../..');

let service: IndependentServer;
let folder: string;
let page: string;

beforeAll(async () => {
  page = await readFile(join(root, 'docs/rollouts.md'), 'utf8');
  service = await startIndependentServer();
  service.others = ({ path }) => (/[/]agent(?:[/]|$)/.test(path) ? undefined : json(200, { success: true }));
  folder = await mkdtemp(join(tmpdir(), 'agentform-agency-'));
  await cp(join(root, 'examples/agency'), folder, { recursive: true });
  await edited('agentform.yaml', 'https://service.example.com', service.baseUrl);
  await edited('agentform.yaml', 'limits: { creates: 200 }', 'limits: { creates: 200 }\nservice: { readBack: 0 }');
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function edited(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(folder, path), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(folder, path), text.replaceAll(from, to));
}

async function host(): Promise<Host> {
  const table = await readFile(join(folder, 'tables/clients.csv'), 'utf8');
  const names = table
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',', 1)[0] ?? '');
  return testHost({
    CLIENT_TOKENS: JSON.stringify(Object.fromEntries(names.map((name) => [name, `token-of-${name}`]))),
  });
}

const options = () => ({ project: folder, environment: 'production', names: [], concurrency: 16 });

async function applied(): Promise<Plan> {
  const { ledger, plan } = await apply(await host(), {
    ...options(),
    decisions: decisionsOf({ new: ['all'] }),
    signal: new AbortController().signal,
    confirm: async () => true,
  });
  expect(ledger.entries.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  return plan;
}

/** Returns the line about steps at the given time. An apply must follow this line. */
async function stepsAt(time: string): Promise<string> {
  service.quirks = { date: new Date(time).toUTCString() };
  return planDocument(await applied()).head.remarks?.[0] ?? '';
}

/** The times on the page, each with its line about steps. */
function daysOf(text: string): [time: string, line: string][] {
  return [...text.matchAll(/^\| (\d\d Nov, \d\d:\d\d) \|.*\| (.*?) \|$/gm)].map(([, time = '', line = '']) => [
    new Date(`${time.replace(',', ' 2026')} UTC`).toISOString(),
    line.replaceAll('`', ''),
  ]);
}

test('The week in docs/rollouts.md works as written.', async () => {
  service.quirks = { date: new Date('2026-11-01T00:00:00Z').toUTCString() };
  const rollout =
    /^ {4}# Template changes[\s\S]*/m.exec(await readFile(join(folder, 'agentform.yaml'), 'utf8'))?.[0] ?? '';
  await edited('agentform.yaml', rollout, '');
  await applied();
  await writeFile(join(folder, 'agentform.yaml'), (await readFile(join(folder, 'agentform.yaml'), 'utf8')) + rollout);
  await edited('templates/agent.yaml', 'How can I help you?', 'What can I do for you?');
  const days = daysOf(page);
  expect(days.length).toBeGreaterThan(5);
  for (const [time, line] of days) expect([time, await stepsAt(time)]).toEqual([time, line]);
});
