// From schemas/, generates the request components of the OpenAPI document, and the types, field table and validators in
// src/schemas/. From the options of the command line, generates their types, and the inputs in action.yml. With --check
// it writes nothing, and fails if a committed file is not current. The validators are not committed.
import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { editorSchemas, snippetsFile } from './generate/editor-schemas.mjs';
import { fieldTable } from './generate/field-table.mjs';
import { knownKeysFile } from './generate/known-keys.mjs';
import { optionTypes } from './generate/option-types.mjs';
import { header, historyEventSchema, noticesText, readSchemas, root } from './generate/schemas.mjs';
import { typeFiles } from './generate/types.mjs';
import { kindValidatorsFile, makeValidators } from './generate/validators.mjs';
import { keepCurrent } from './keep-current.mjs';
import { importSource } from './source.mjs';

const { schemas, resolved, kinds } = await readSchemas();
const { manifest, project, task, policy, test } = schemas;
const documents = {
  Project: { schema: project, defs: project.$defs },
  Task: { schema: task, defs: task.$defs },
  Fleet: { schema: manifest.$defs.Fleet, defs: manifest.$defs },
  Policy: { schema: policy, defs: policy.$defs },
  Test: { schema: test, defs: test.$defs },
  ...Object.fromEntries(kinds.map((kind) => [kind, { schema: manifest.$defs[kind], defs: manifest.$defs }])),
};

/** Generates the pattern for resource names. Environment names have the same pattern. */
function namePatternFile() {
  const { pattern } = manifest.$defs.Name;
  if (project.properties.environments.propertyNames.pattern !== pattern)
    throw new Error('the names of environments have another pattern than those of resources');
  return `${header}\n/** The pattern for names of resources and environments. */\nexport const namePattern = '${pattern}';\n`;
}

/** Generates the settings of `record`, grouped by the store to which they belong. */
function recordSettingsFile() {
  const { properties, default: usual } = project.properties.record;
  const { store, ...settings } = properties;
  const stores = Object.entries(settings).map(([name, setting]) => `  ${name}: '${setting['x-store']}',`);
  const defaults = Object.entries(settings).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [`  ${name}: '${value}',`],
  );
  return `${header}import type { ProjectFile } from './project-types.ts';

/** The default of \`record\` in agentform.yaml. */
export const usualRecord: NonNullable<ProjectFile['record']> = { store: '${usual.store}' };

/** The names of all record stores. */
export const recordStores: readonly string[] = ['${store.enum.join("', '")}'];

/** The defaults of the settings of \`record\`. */
export const recordDefaults = {
${defaults.join('\n')}
} as const;

/** The only store to which each setting of \`record\` belongs. */
export const storeOfSetting: Readonly<Record<string, string>> = {
${stores.join('\n')}
};
`;
}

/** Returns action.yml with the inputs that the source declares. */
async function withInputs({ declaredInputs }) {
  const text = await readFile(`${root}action.yml`, 'utf8');
  const inputs = stringify({ inputs: declaredInputs() }, { lineWidth: 120 });
  return text.replace(/^inputs:\n(?: .*\n)*/m, () => inputs);
}

/**
 * Generates the files for editors, and their copies in the examples. The examples have copies because projects that
 * `init` creates also have copies.
 */
function editorFiles() {
  const texts = Object.entries(editorSchemas(schemas));
  const folders = [
    'schemas/editor',
    ...['agency', 'clinic', 'reseller'].map((name) => `examples/${name}/.agentform/schemas`),
  ];
  return Object.fromEntries(folders.flatMap((folder) => texts.map(([name, text]) => [`${folder}/${name}`, text])));
}

await keepCurrent(
  root,
  {
    ...editorFiles(),
    'editors/vscode/snippets.json': snippetsFile(schemas),
    'schemas/notices.schema.json': await noticesText(schemas),
    'schemas/history-event.schema.json': `${JSON.stringify(historyEventSchema(schemas.history), null, 2)}\n`,
    'schemas/service.openapi.json': `${JSON.stringify(schemas.service, null, 2)}\n`,
    ...(await typeFiles(schemas, header)),
    'src/schemas/fields.ts': fieldTable({ manifest, resolved, kinds }, header),
    'src/schemas/name-pattern.ts': namePatternFile(),
    'src/schemas/kind-validators.ts': kindValidatorsFile(kinds),
    'src/schemas/record-settings.ts': recordSettingsFile(),
    'src/schemas/known-keys.ts': knownKeysFile(documents, header),
  },
  'npm run generate',
);
if (!process.argv.includes('--check')) await makeValidators();
const { inputs, ...options } = await importSource({
  options: 'src/cli/options.ts',
  task: 'src/commands/task/command.ts',
  inputs: 'src/action/inputs.ts',
});
await keepCurrent(
  root,
  { 'src/schemas/option-types.ts': optionTypes(options, header), 'action.yml': await withInputs(inputs) },
  'npm run generate',
);
