import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fieldsByKind, type KindName } from '../../src/schemas/fields.ts';
import { LanguageServer } from '../support/language-server.ts';
import { blocksOf } from '../support/shell.ts';
import { exampleOf } from './examples.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const yamlFiles = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(clinic|reseller)\/.*\.yaml$/.test(path))
  .map((path) => `examples/${path}`);

/** The path in a manifest's schema comment. Undefined if there is none. */
const namedIn = (text: string) => /^# yaml-language-server: \$schema=(\S+)$/m.exec(text)?.[1];

describe('the examples in an editor', () => {
  let server: LanguageServer;
  beforeAll(async () => {
    server = await LanguageServer.start(root);
  });
  afterAll(() => server.stop());

  test.each(yamlFiles)('The example %s has no problems, and names a schema that is copied with it.', async (path) => {
    const example = path.split('/').slice(0, 2).join('/');
    const schema = join(root, dirname(path), namedIn(read(path)) ?? 'none');
    expect(existsSync(schema)).toBe(true);
    expect(relative(join(root, example), schema)).toMatch(/^\.agentform\/schemas\//);
    expect(await server.open(path, read(path))).toEqual([]);
  });
});

test('The schema in the task of the docs exists in a project.', () => {
  const tasks = blocksOf(read('docs/tasks.md'), 'yaml').map(namedIn);
  expect(tasks.filter((schema) => schema !== undefined)).toEqual(['../.agentform/schemas/task.schema.json']);
});

describe('the schema for editors', () => {
  const authored = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(read('schemas/manifest.schema.json')),
  );
  const edited = new Ajv({ strict: false, validateFormats: false }).compile(
    JSON.parse(read('schemas/editor/manifest.schema.json')),
  );
  const values = ['text', '${var.x}', 5, -1, 1.5, true, null, [], ['a'], {}, { file: 'a.md' }, { fil: 'a.md' }];
  const kinds = Object.keys(fieldsByKind).filter((name): name is KindName => name in fieldsByKind);
  const fields = kinds.flatMap((kind) => fieldsByKind[kind].map((field) => ({ kind, field })));

  test.each(fields.map(({ kind, field }) => [kind, field.section, field.name, field] as const))(
    'The editor schema agrees with the manifest schema: %s %s %s',
    (kind, section, name, field) => {
      const example = exampleOf(kind, field.isSection ? [section] : [section, name]);
      expect(example).toBeDefined();
      for (const value of [...values, example, field.default]) {
        const content = field.isSection ? value : { [name]: value };
        const manifest = { apiVersion: 'agentform/v1', kind, name: 'x', [section]: content };
        expect({ value, taken: edited(manifest) }).toEqual({ value, taken: authored(manifest) });
      }
    },
  );
});

/** Checks what SchemaStore requires of an entry. Its editors read draft 07. */
test('The entries for the SchemaStore catalog name the editor schemas.', () => {
  const { schemas }: { schemas: { name: string; description: string; url: string }[] } = JSON.parse(
    read('schemas/editor/catalog.json'),
  );
  const files = schemas.map(
    ({ url }) => /^https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/v0\/(.+)$/.exec(url)?.[1],
  );
  expect(files.sort()).toEqual(['manifest', 'project', 'task'].map((name) => `schemas/editor/${name}.schema.json`));
  for (const file of files) {
    const text = read(file ?? '');
    expect(JSON.parse(text).$schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(text).not.toMatch(/"x-|\$defs/);
  }
  expect(schemas.every(({ description }) => !/[.]$|schema/i.test(description))).toBe(true);
});
