import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { type FieldSchema, fieldsByKind, type KindName } from '../../src/schemas/fields.ts';
import { type Cursor, LanguageServer } from '../support/language-server.ts';
import { exampleOf } from './examples.ts';

const schema = resolve(import.meta.dirname, '../../schemas/editor/manifest.schema.json');
const kinds = Object.keys(fieldsByKind).filter((name): name is KindName => name in fieldsByKind);

/** One row for each setting, and for each member of a setting. */
const rows = kinds.flatMap((kind) =>
  fieldsByKind[kind].flatMap((field) => [
    { kind, field, path: [...place(field)], told: field },
    ...(field.members ?? []).map((member) => ({ kind, field, path: [...place(field), member.name], told: member })),
  ]),
);

/** The units of measured settings, from the specification. */
const units: Readonly<Record<string, string>> = {
  waitOnAnswer: 'milliseconds',
  interruptionMinimumSpeakingTime: 'seconds',
  speakingTimeout: 'milliseconds',
  speechProcessingDelay: 'milliseconds',
  speechProcessingDelayInterruptionStep: 'milliseconds',
  callerResponseTimeout: 'seconds',
  preAnswerRingTime: 'seconds',
  transferConfirmTimeout: 'seconds',
};

let root: string;
let server: LanguageServer;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-test-'));
  server = await LanguageServer.start(root, { 'yaml.schemas': { [schema]: '*.yaml' } });
  for (const kind of kinds) {
    expect(
      await server.open(
        `${kind}.yaml`,
        manifestOf(kind, ({ kind, path }) => exampleOf(kind, path)),
      ),
    ).toEqual([]);
    await server.open(
      `${kind}-variables.yaml`,
      manifestOf(kind, () => '${var.x}'),
    );
  }
});
afterAll(async () => {
  await server.stop();
  await rm(root, { recursive: true });
});

describe('hovers over settings', () => {
  test.each(rows.map((row) => [`${row.kind} ${row.path.join('.')}`, row] as const))(
    'The hover over %s shows its description, its default and an example.',
    async (_, row) => {
      const { kind, path, told } = row;
      const text = manifestOf(kind, ({ path: each }) => exampleOf(kind, each));
      const shown = await server.hover(`${kind}.yaml`, cursorAt(text, path));
      expect(shown).toContain(told.description);
      expect(told.description).not.toBe('');
      expect(shown).toContain('Example:\n\n```yaml\n');
      if (told.default !== undefined) expect(shown).toContain(`Default: \`${JSON.stringify(told.default)}\`.`);
      expect(shown).not.toContain(' || ');
    },
  );
});

const plainRows = rows.filter(({ field }) => field.members === undefined);

test.each(plainRows.map((row) => [row.told.name, row] as const))(
  'The hover over %s with a variable as value shows the description of the setting.',
  async (_, { kind, path, told }) => {
    const text = manifestOf(kind, () => '${var.x}');
    expect(await server.hover(`${kind}-variables.yaml`, cursorAt(text, path))).toContain(told.description);
  },
);

test.each(Object.entries(units))('The description of %s says that it is measured in %s', (name, unit) => {
  // "milliseconds" contains "seconds", so the longer word is replaced first.
  const words = rows
    .find(({ told }) => told.name === name)
    ?.told.description.toLowerCase()
    .split(/[^a-z]+/);
  expect(words).toContain(unit);
});

function place({ section, name, isSection }: FieldSchema): readonly string[] {
  return isSection ? [section] : [section, name];
}

/** A manifest with every setting of the kind. */
function manifestOf(kind: KindName, give: (row: { kind: KindName; path: readonly string[] }) => unknown): string {
  const sections: Record<string, unknown> = {};
  for (const field of fieldsByKind[kind]) {
    const value = field.members === undefined ? give({ kind, path: place(field) }) : wholeExample(kind, field);
    if (field.isSection) sections[field.section] = value;
    else sections[field.section] = { ...Object(sections[field.section]), [field.name]: value };
  }
  return stringify({ apiVersion: 'agentform/v1', kind, name: 'x', ...sections });
}

function wholeExample(kind: KindName, field: FieldSchema): unknown {
  const keys = field.mapKey === undefined ? [] : [field.mapKey];
  const names = [...keys, ...(field.members ?? []).map(({ name }) => name)];
  const whole = Object.fromEntries(names.map((name) => [name, exampleOf(kind, [...place(field), name])]));
  return field.shape === 'map' ? [whole] : whole;
}

/** The cursor on the last key of the path. */
function cursorAt(text: string, path: readonly string[]): Cursor {
  const lines = text.split('\n');
  const line = path.reduce(
    (from, name) => lines.findIndex((each, index) => index > from && each.replace(/^[ -]+/, '').startsWith(`${name}:`)),
    -1,
  );
  return { line, character: (lines[line]?.search(/[^ -]/) ?? 0) + 1 };
}
