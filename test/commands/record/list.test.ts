import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listRecords } from '../../../src/commands/record/record.ts';
import { FileStore } from '../../../src/record/file-store.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { agentRecord } from '../../support/observations.ts';

const head = 'apiVersion: agentform/v1\nkind:';
let place: Workplace;

beforeAll(async () => {
  place = await workplace({
    'agentform.yaml': `${head} Project\nmanifests: ["agents/*.yaml"]\nenvironments: { test: { baseUrl: "https://a.example", token: "\${secret.T}" } }\n`,
    'agents/front-desk.yaml': `${head} Agent\nname: front-desk\nsettings: { title: T, description: D }\n`,
  });
});
afterAll(() => place.remove());

async function stateOf(record: ResourceRecord): Promise<unknown> {
  const store = new FileStore(place.root);
  await store.save(record, (await store.read(record))?.version);
  const { records } = await listRecords(place.host, { project: place.root, names: [] });
  return records[0]?.state;
}

test('The list of records shows which writes may have been carried out without being recorded.', async () => {
  const at = '2026-11-30T10:00:00.000Z';
  const titled = { 'settings.title': 'T' };
  const { lastUpdate: _, ...doubted } = agentRecord(titled, { event: 'apply', appliedAt: at });
  const failed = (code: string, facts = {}) => ({ ...doubted, failure: { code, facts, at } });
  const { appliedAt: __, event: ___, ...unapplied } = { ...failed('interrupted'), fields: {} };
  const intent = { operation: 'create' as const, startedAt: at, runId: 'r' };
  expect(await stateOf(agentRecord(titled, { appliedAt: at }))).toBe('applied');
  expect(await stateOf(unapplied)).toBe('update unclear');
  expect(await stateOf(failed('interrupted'))).toBe('update unclear');
  expect(await stateOf(failed('service-unclear'))).toBe('update unclear');
  expect(await stateOf(failed('not-read-back', { cause: 'interrupted' }))).toBe('applied');
  expect(await stateOf(failed('service-refused'))).toBe('applied');
  expect(await stateOf(agentRecord({}, { intent }))).toBe('create unclear');
});
