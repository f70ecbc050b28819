import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Emulator, startEmulator } from '../../src/emulator/emulator.ts';
import type { Json, JsonObject } from '../../src/json/json.ts';
import { type FieldSchema, fieldsByKind } from '../../src/schemas/fields.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';

let emulator: Emulator;
let pipeline: Pipeline;
let count = 0;

beforeAll(async () => {
  emulator = await startEmulator();
  pipeline = await createPipeline(emulator.baseUrl);
});
afterAll(async () => {
  await pipeline.close();
  await emulator.close();
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', ' ', 'a\r\nb ', 'x\n\n', 'null'),
);
const slug = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 });

/** Generates values that a manifest may declare for a setting whose values are not enumerated. */
function settingValue(field: FieldSchema): fc.Arbitrary<Json> {
  if (field.shape === 'set') return fc.uniqueArray(text, { maxLength: 4 });
  if (field.types.includes('boolean')) return fc.boolean();
  if (field.types.includes('integer')) return fc.integer({ min: 1, max: 60 });
  return field.types.includes('null') ? fc.option(text, { nil: null }) : text;
}

const enumerated = [
  'type',
  'agentLang',
  'agentThinking',
  'agentS2SEngine',
  'agentSttEngine',
  'autoRecordingNotification',
  'cnamAutoRejectCode',
];

function section(name: string): fc.Arbitrary<JsonObject> {
  const members = fieldsByKind.Agent.filter(
    (field) => field.section === name && !field.isSection && !enumerated.includes(field.name),
  );
  const values = Object.fromEntries(members.map((field) => [field.name, settingValue(field)]));
  return fc.record(values, { requiredKeys: [] }).map((made) => made as JsonObject);
}

const elements = (key: string, members: readonly string[]) =>
  fc.uniqueArray(fc.record({ [key]: slug, ...Object.fromEntries(members.map((member) => [member, text])) }), {
    maxLength: 4,
    selector: (element) => element[key],
  });

const sections: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      settings: section('settings'),
      skills: elements('slug', ['instructions']),
      apps: elements('appId', ['version', 'instructions']),
      backgroundAudio: fc.oneof(text, fc.record({ url: text, gain: fc.integer({ min: -9, max: 9 }) })),
      transferRules: section('transferRules'),
    },
    { requiredKeys: ['settings'] },
  )
  .map((made) => ({ ...made, settings: { title: 'T', description: 'D', ...made.settings } }) as JsonObject);

describe('laws of an apply', () => {
  test('A second plan after an apply is empty, whatever the service had before.', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sections, { minLength: 1, maxLength: 3 }), async (versions) => {
        count += 1;
        for (const version of versions) {
          const desired = pipeline.desired(`agent-${count}`, version);
          const ledger = await pipeline.apply([desired]);
          expect(ledger.entries).toMatchObject([{ outcome: expect.stringMatching(/applied|unchanged/) }]);
          const { plan } = await pipeline.plan([desired]);
          expect(plan.resources).toMatchObject([{ action: 'none', changes: [] }]);
        }
      }),
      { numRuns: 6 },
    );
  });

  test('An apply without changes rewrites no record, at any time and from any commit.', async () => {
    const later = { context: { now: () => new Date(86_400_000), commit: 'b'.repeat(40) } };
    await fc.assert(
      fc.asyncProperty(sections, sections, async (made, next) => {
        count += 1;
        const name = `agent-${count}`;
        for (const version of [made, next, reversed(next) as JsonObject])
          await pipeline.apply([pipeline.desired(name, version)]);
        const desired = pipeline.desired(name, next);
        const before = await pipeline.store.read(desired);
        expect((await pipeline.apply([desired], later)).entries).toMatchObject([{ outcome: 'unchanged' }]);
        expect(await pipeline.store.read(desired)).toEqual(before);
      }),
      { numRuns: 6 },
    );
  });

  test('The order of writes does not change the result.', async () => {
    await fc.assert(
      fc.asyncProperty(sections, async (made) => {
        count += 1;
        const name = `agent-${count}`;
        await pipeline.apply([pipeline.desired(name, made)]);
        const { plan } = await pipeline.plan([pipeline.desired(name, reversed(made) as JsonObject)]);
        expect(plan.resources).toMatchObject([{ action: 'none' }]);
      }),
      { numRuns: 6 },
    );
  });
});

/** Reverses the order of members, and of elements in sets and keyed lists. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return [...value].reverse().map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
