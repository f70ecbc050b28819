// Makes everything that is derived from schemas/: the request components of the OpenAPI document, and in
// src/schemas/ the types, the ajv validators and the field table. With --check it writes nothing and fails when a file
// is not current.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { fieldTable } from './generate/field-table.mjs';
import { knownKeysFile } from './generate/known-keys.mjs';
import { narrowed, requestBodySchema } from './generate/narrow.mjs';
import { typeFiles } from './generate/types.mjs';
import { validatorFiles } from './generate/validators.mjs';
import { keepCurrent } from './keep-current.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const header = '// Generated from schemas/ by `npm run generate`. Do not edit.\n';
const kinds = ['Agent', 'Organization', 'Member', 'AgentUrl', 'PhoneNumber', 'Context'];

const readSchema = async (name) => JSON.parse(await readFile(`${root}schemas/${name}`, 'utf8'));
const formatJson = (value) => `${JSON.stringify(value, null, 2)}\n`;

const manifest = await readSchema('manifest.schema.json');
const service = await readSchema('service.openapi.json');
const schemas = {
  manifest,
  project: await readSchema('project.schema.json'),
  plan: await readSchema('plan.schema.json'),
  drift: await readSchema('drift.schema.json'),
  record: await readSchema('record.schema.json'),
  task: await readSchema('task.schema.json'),
  problems: await readSchema('problems.schema.json'),
  service,
};

for (const [name, component] of Object.entries(service.components.schemas)) {
  const source = component['x-generated-from'];
  if (source === undefined) continue;
  const kind = source.split('/').at(-1);
  service.components.schemas[name] = { 'x-generated-from': source, ...requestBodySchema(manifest, kind) };
}

const resolved = Object.fromEntries(kinds.map((kind) => [kind, narrowed(manifest, kind)]));
const files = {
  'schemas/service.openapi.json': formatJson(service),
  ...(await typeFiles(schemas, header)),
  ...(await validatorFiles({ schemas, resolved, kinds }, header)),
  'src/schemas/fields.ts': fieldTable({ manifest, resolved, kinds }, header),
  'src/schemas/known-keys.ts': knownKeysFile(
    {
      Project: { schema: schemas.project, defs: schemas.project.$defs },
      Task: { schema: schemas.task, defs: schemas.task.$defs },
      ...Object.fromEntries(kinds.map((kind) => [kind, { schema: manifest.$defs[kind], defs: manifest.$defs }])),
    },
    header,
  ),
};

await keepCurrent(root, files, 'npm run generate');
