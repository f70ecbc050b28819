import { expect, test } from '@jest/globals';
import { parseRecord, recordVersion } from '../../src/record/record-text.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { fingerprintKey } from '../../src/secrets/fingerprint.ts';
import { Secret } from '../../src/secrets/secret.ts';
import type { SelectedResource } from '../../src/session/fingerprint-keys.ts';
import { type PlanArgument, type SharedArgument, Verdicts } from '../../src/session/verdicts.ts';
import { agentRecord, desiredAgent } from '../support/observations.ts';

const { sections: _, sensitive: __, ...agent } = desiredAgent({});
const stored = parseRecord(JSON.stringify(agentRecord({ 'settings.title': 'Front desk' })), 'a');
const record = stored.version;
const answer = { status: 200, bytes: Buffer.from('{"campaign":{}}') };
const resource: SelectedResource = { ...agent, declared: 'sha256:1', file: 'agents/desk.yaml', secrets: [] };
const argument: PlanArgument = { resource, record, answer };
const shared: SharedArgument = {
  options: { unverified: 'set', shrunkPrompts: 'warn' },
  secrets: [new Secret('the first secret'), new Secret('the second secret')],
  program: ['build 1', '{"node":"20.0.0"}'],
};
const settled = {
  digest: 'sha256:9',
  coverage: { compared: 3, blind: 0, assumed: 1 },
  assumed: ['settings.description'],
  isEdited: false,
  isRecorded: true,
};
const otherKey = fingerprintKey(new Uint8Array(32).fill(7));

/** A store in memory. */
function storeOf(text?: string) {
  return {
    text,
    async write(written: string) {
      this.text = written;
    },
  };
}

function verdicts(parts: Partial<SharedArgument> = {}, store = storeOf(), max = 10): Verdicts {
  return new Verdicts(store, { ...shared, ...parts }, { max, use: 'plan' });
}

/** A store with the verdict on `argument`. */
async function storeWithVerdict() {
  const store = storeOf();
  const kept = verdicts({}, store);
  kept.keep(kept.keyOf(argument), resource, settled);
  await kept.save();
  return store;
}

// Each table lists every member of its type. If a type gets a new member, the table does not compile until the member
// is listed.
const resources: {
  readonly [Name in Exclude<keyof SelectedResource, 'labels' | 'file' | 'secrets' | 'title' | 'target'>]-?: unknown;
} = {
  kind: 'Organization',
  name: 'desk',
  environment: 'live',
  organization: 'acme',
  agent: 'other',
  memberId: 3,
  resellerId: 'r',
  declared: 'sha256:2',
};
const targets: { readonly [Name in Exclude<keyof SelectedResource['target'], 'tokenAt'>]-?: unknown } = {
  baseUrl: 'http://127.0.0.1:2',
  host: '127.0.0.1:2',
  token: new Secret('tok-2'),
  tokenName: 'OTHER',
  key: otherKey,
  query: { account: '1' },
  sensitiveQuery: new Set(['account']),
  agentId: 'camp_2',
  campaignId: 'camp_3',
};
const records: { readonly [Name in keyof ResourceRecord]?: unknown } = {
  id: 'camp_2',
  fields: { 'settings.title': { value: 'Front Desk' } },
  lastUpdate: 1001,
  holds: { freeze: { by: 'Erika', since: '2026-11-22T23:00:00.000Z' } },
  hmac: 'hmac:1',
};
const options: { readonly [Name in keyof Required<SharedArgument['options']>]: unknown } = {
  unverified: 'report',
  unanswered: 'leave',
  shrunkPrompts: 'error',
  ignores: 'holds',
};
const arguments_: readonly [string, PlanArgument, Partial<SharedArgument>][] = [
  ...Object.entries(resources).map(([name, value]) => altered(name, { resource: { ...resource, [name]: value } })),
  ...Object.entries(targets).map(([name, value]) =>
    altered(`target.${name}`, { resource: { ...resource, target: { ...resource.target, [name]: value } } }),
  ),
  ...Object.entries(records).map(([name, value]) =>
    altered(`record.${name}`, { record: versionOf({ ...stored.record, [name]: value }) }),
  ),
  altered('no response', { answer: undefined }),
  altered('the status', { answer: { ...answer, status: 201 } }),
  altered('the body', { answer: { ...answer, bytes: Buffer.from('{"campaign":{} }') } }),
  altered('an empty body', { answer: { ...answer, bytes: Buffer.from('') } }),
  ...Object.entries(options).map(([name, value]) =>
    altered(`options.${name}`, {}, { options: { ...shared.options, [name]: value } }),
  ),
  altered('a secret', {}, { secrets: [new Secret('the first secret'), new Secret('another secret')] }),
  altered('one secret less', {}, { secrets: [new Secret('the first secret')] }),
  altered('the program', {}, { program: ['build 2', '{"node":"20.0.0"}'] }),
  altered('Node.js', {}, { program: ['build 1', '{"node":"22.0.0"}'] }),
];

function versionOf(record: object): string {
  return recordVersion(JSON.stringify(record));
}

function altered(
  what: string,
  parts: Partial<PlanArgument>,
  common: Partial<SharedArgument> = {},
): [string, PlanArgument, Partial<SharedArgument>] {
  return [what, { ...argument, ...parts }, common];
}

test.each(arguments_)('The key of a verdict depends on %s.', (_what, other, common) => {
  const key = verdicts().keyOf(argument);
  expect(verdicts().keyOf({ ...argument })).toBe(key);
  expect(verdicts(common).keyOf(other)).not.toBe(key);
});

test('The keys of different verdicts all differ, and none contains a value.', () => {
  const keys = arguments_.map(([, other, common]) => verdicts(common).keyOf(other));
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
});

test('A verdict does not depend on labels, the place of the token or the order of secrets.', () => {
  const key = verdicts().keyOf(argument);
  const labelled = { ...resource, labels: { ring: 'canary' }, file: 'agents/other.yaml', secrets: ['AGENT_TOKEN'] };
  const placed = { ...labelled, target: { ...resource.target, tokenAt: { file: 'agentform.yaml', line: 7 } } };
  const reversed = { secrets: shared.secrets.toReversed() };
  expect(verdicts(reversed).keyOf({ ...argument, resource: placed })).toBe(key);
});

test('A later run finds a verdict only under the same argument.', async () => {
  const store = await storeWithVerdict();
  const run = verdicts({}, store);
  expect(run.lookUp({ resource, record, answer: { ...answer, status: 201 } }).settled).toBeUndefined();
  expect(run.lookUp({ resource, record, answer }).settled).toMatchObject(settled);
});

test('A verdict is not found by a run with another token, even under its key.', async () => {
  const store = await storeWithVerdict();
  const key = verdicts().keyOf(argument);
  const rotated = { ...resource, target: { ...resource.target, key: otherKey } };
  expect(verdicts({}, store).find(key, resource)).toMatchObject(settled);
  expect(verdicts({}, store).find(key, rotated)).toBeUndefined();
});

test('A stored verdict contains no token, no secret and no digest of a value.', async () => {
  const { text = '' } = await storeWithVerdict();
  for (const value of ['tok-1', 'secret', 'Front desk', resource.declared, record, 'campaign'])
    expect(text).not.toContain(value);
});

test.each<[string, (text: string) => string]>([
  ['a forged count', (text) => text.replace(',3,0,1,', ',4,0,1,')],
  ['a forged list of settings', (text) => text.replace('settings.description', 'settings.title')],
  ['a forged flag', (text) => text.replace('false', 'true')],
  ['a shortened MAC', (text) => text.replace(/("[\w-]{43}","[\w-]{42})[\w-]/, '$1')],
  ['a count that is a text', (text) => text.replace(',3,', ',"3",')],
  ['a list that does not exist', (text) => text.replace(/0\]/, '7]')],
  ['another format', (text) => text.replace('agentform-verdicts-1', 'agentform-verdicts-2')],
  ['half of it', (text) => text.slice(0, text.length / 2)],
  ['nothing', () => ''],
  ['another JSON value', () => '{"verdicts":[]}'],
  ['null', () => 'null'],
])('A stored verdict with %s is ignored.', async (_what, alter) => {
  const { text = '' } = await storeWithVerdict();
  expect(alter(text)).not.toBe(text);
  expect(verdicts({}, storeOf(alter(text))).find(verdicts().keyOf(argument), resource)).toBeUndefined();
});

test('A stored verdict that is moved to another key is ignored.', async () => {
  const { text = '' } = await storeWithVerdict();
  const other = { ...argument, record: versionOf({ ...stored.record, lastUpdate: 5 }) };
  const moved = text.replace(verdicts().keyOf(argument), verdicts().keyOf(other));
  expect(verdicts({}, storeOf(moved)).find(verdicts().keyOf(other), resource)).toBeUndefined();
});

test('A run keeps its own verdicts and others up to a limit, and writes only if there are new ones.', async () => {
  const store = storeOf();
  const keyOf = (name: string) => verdicts().keyOf({ ...argument, resource: { ...resource, name } });
  const keepAll = async (names: readonly string[]) => {
    const run = verdicts({}, store, 3);
    for (const name of names)
      if (run.find(keyOf(name), resource) === undefined) run.keep(keyOf(name), resource, settled);
    await run.save();
  };
  const present = () => ['a', 'b', 'c', 'd'].filter((name) => verdicts({}, store).find(keyOf(name), resource));
  await keepAll(['a', 'b', 'c']);
  expect(present()).toEqual(['a', 'b', 'c']);
  await keepAll(['c', 'd']);
  expect(present()).toEqual(['a', 'c', 'd']);
  store.text = `${store.text} `;
  await keepAll(['c', 'd']);
  expect(store.text).toMatch(/ $/);
});
