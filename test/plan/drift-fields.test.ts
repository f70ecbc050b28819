import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../src/json/json.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import { driftOf } from '../../src/plan/drift.ts';
import { type FieldSchema, fieldsByKind } from '../../src/schemas/fields.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { type Remote, startRemote } from '../support/remote.ts';

/** Tests a dashboard edit of every setting in the generated field table, each on a separate agent. */
let remote: Remote;
let pipeline: Pipeline;

beforeAll(async () => {
  remote = await startRemote();
  pipeline = await createPipeline(remote.baseUrl);
  sections = sectionsWith((field) => valuesOf(field).applied);
});
afterAll(async () => {
  await pipeline.close();
  await remote.close();
});

const fields = fieldsByKind.Agent.filter(({ name }) => name !== 'type');
let sections: JsonObject;

describe.each(fields.filter(({ readable }) => readable))('$name, which the read shows', (field) => {
  test('The drift names the readable field $name as moved after an edit.', async () => {
    const drift = await driftAfter({ [field.name]: valuesOf(field).edited });
    const [resource] = drift.resources;
    expect(resource).toMatchObject({ status: 'drifted', touched: true });
    expect(resource?.moves).not.toEqual([]);
    for (const { path, effect } of resource?.moves ?? []) {
      expect({ path, effect }).toEqual({ path: expect.stringMatching(startOf(field)), effect: 'set back' });
    }
  });
});

describe.each(fields.filter(({ readable }) => !readable))('$name, which the read does not show', (field) => {
  test('The drift names the unreadable field $name as in doubt after an edit.', async () => {
    const drift = await driftAfter({ [field.name]: valuesOf(field).edited });
    const [resource] = drift.resources;
    expect(resource).toMatchObject({ status: 'in doubt', touched: true, moves: [] });
    const doubts = resource?.doubts.filter(({ path }) => startOf(field).test(path)) ?? [];
    expect(doubts).not.toEqual([]);
    expect(doubts.every(({ effect }) => effect === 'sent')).toBe(true);
  });
});

test('Without an edit, no field has moved or is in doubt.', async () => {
  const drift = await driftAfter(undefined);
  expect(drift.summary).toMatchObject({ unmoved: 1, moves: 0, doubts: 0, failed: 0 });
  expect(drift.summary.compared).toBeGreaterThan(16);
  expect(drift.summary.assumed).toBeGreaterThan(31);
});

test('An agent of another type is blocked in the drift.', async () => {
  const drift = await driftAfter({ type: 'somethingElse' });
  expect(drift.resources).toMatchObject([
    { status: 'blocked', reasons: [{ code: 'wrong-type', facts: { type: 'somethingElse' } }] },
  ]);
});

let count = 0;

async function driftAfter(edit: Readonly<Record<string, unknown>> | undefined) {
  count += 1;
  const desired = pipeline.desired(`agent-${count}`, sections);
  const { entries } = await pipeline.apply([desired]);
  expect(entries).toMatchObject([{ outcome: 'applied' }]);
  if (edit !== undefined) await remote.dashboard(entries[0]?.id ?? '', edit);
  const { plan, prepared } = await pipeline.plan([desired]);
  return driftOf({ plan, resources: prepared, hasRecords: true, secrecy: secrecyOf([]) });
}

function startOf({ isSection, section, name }: FieldSchema): RegExp {
  return new RegExp(`^${isSection ? section : `${section}\\.${name}`}([.[]|$)`);
}

/** Two different values that the service accepts. */
function valuesOf(field: FieldSchema): { readonly applied: Json; readonly edited: Json } {
  const [first, second] = enumOf(field).filter((value) => value !== null);
  if (first !== undefined) return { applied: first, edited: second ?? 'another' };
  if (field.types.includes('boolean')) return { applied: true, edited: false };
  if (field.types.includes('integer')) return integersOf(field);
  if (field.shape === 'set') return { applied: ['one', 'two'], edited: ['one'] };
  if (field.shape === 'map') return { applied: elementsOf(field, 'applied'), edited: elementsOf(field, 'edited') };
  if (field.shape === 'object') return { applied: { url: 'https://a.example' }, edited: { url: 'https://b.example' } };
  return { applied: 'applied', edited: 'edited' };
}

function integersOf({ minimum = 0 }: FieldSchema) {
  return { applied: minimum + 11, edited: minimum + 12 };
}

function elementsOf({ mapKey = '', members = [] }: FieldSchema, text: string): Json {
  return [{ [mapKey]: 'key', ...Object.fromEntries(members.map(({ name }) => [name, text])) }];
}

function enumOf({ name }: FieldSchema): Json[] {
  return properties[name]?.enum ?? [];
}

const properties: Readonly<Record<string, { readonly enum?: Json[] }>> = JSON.parse(
  readFileSync(new URL('../../schemas/service.openapi.json', import.meta.url), 'utf8'),
).components.schemas.AgentBody.properties;

function sectionsWith(valueFor: (field: FieldSchema) => Json): JsonObject {
  const made: Record<string, Json> = {};
  for (const field of fields) {
    if (field.isSection) made[field.section] = valueFor(field);
    else made[field.section] = { ...(made[field.section] as JsonObject), [field.name]: valueFor(field) };
  }
  return made;
}
