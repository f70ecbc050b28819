import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { narrowed, requestBodySchema } from './narrow.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const header = '// Generated from schemas/ by `npm run generate`. Do not edit.\n';

const readSchema = async (name) => JSON.parse(await readFile(`${root}schemas/${name}`, 'utf8'));

/** Reads all schemas in schemas/. Makes the request components of the OpenAPI document from the schema of manifests. */
export async function readSchemas() {
  const manifest = await readSchema('manifest.schema.json');
  const kinds = manifest.properties.kind.enum.filter((kind) => !manifest.$defs[kind]['x-no-resource']);
  const service = await readSchema('service.openapi.json');
  for (const [name, component] of Object.entries(service.components.schemas)) {
    const source = component['x-generated-from'];
    if (source === undefined) continue;
    const kind = source.split('/').at(-1);
    service.components.schemas[name] = { 'x-generated-from': source, ...requestBodySchema(manifest, kind) };
  }
  const schemas = {
    manifest,
    project: await readSchema('project.schema.json'),
    plan: await readSchema('plan.schema.json'),
    drift: await readSchema('drift.schema.json'),
    diff: await readSchema('diff.schema.json'),
    history: await readSchema('history.schema.json'),
    blame: await readSchema('blame.schema.json'),
    status: await readSchema('status.schema.json'),
    record: await readSchema('record.schema.json'),
    task: await readSchema('task.schema.json'),
    policy: await readSchema('policy.schema.json'),
    test: await readSchema('test.schema.json'),
    notices: withCodes(await readSchema('notices.schema.json')),
    problems: await readSchema('problems.schema.json'),
    service,
  };
  return { schemas, resolved: Object.fromEntries(kinds.map((kind) => [kind, narrowed(manifest, kind)])), kinds };
}

/** Returns the schema of notices with all codes as the allowed values of `code`. */
function withCodes({ properties, ...schema }) {
  const codes = schema.allOf.map(({ if: { properties } }) => properties.code.const);
  return { ...schema, properties: { ...properties, code: { ...properties.code, enum: codes } } };
}

/** Returns the file content of the schema of notices with these codes. */
export async function noticesText({ notices }) {
  const text = await readFile(`${root}schemas/notices.schema.json`, 'utf8');
  const codes = notices.properties.code.enum.map((code) => `        "${code}"`);
  return text.replace(/(?<="enum": )\[[^\]]*\]/, `[\n${codes.join(',\n')}\n      ]`);
}

/** Returns the schema of one line of `history --format jsonl`, for programs that collect events. */
export function historyEventSchema({ $schema, properties: { formatVersion }, $defs: { HistoryEntry, ...$defs } }) {
  const head = { $schema, $id: 'urn:agentform:v1:history-event', title: 'HistoryEntry' };
  const required = ['formatVersion', ...HistoryEntry.required];
  return { ...head, ...HistoryEntry, required, properties: { formatVersion, ...HistoryEntry.properties }, $defs };
}
