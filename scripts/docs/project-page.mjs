import { readFile } from 'node:fs/promises';
import { valueText } from './value-text.mjs';

/** Returns the reference of agentform.yaml, which is made from schemas/project.schema.json. */
export async function projectPage(root) {
  const schema = JSON.parse(await readFile(`${root}schemas/project.schema.json`, 'utf8'));
  const { Environment } = schema.$defs;
  const members = membersOf(schema, schema.$defs).filter(
    ({ name }) => name !== 'environments' && !name.startsWith('environments.'),
  );
  return `
# agentform.yaml

The project file: ${schema.description.replace(/^agentform\.yaml: /, '')} To write manifests, see
[manifests.md](../manifests.md).

## The file

${table(members)}
## environments.NAME

${schema.properties.environments.description} ${Environment.description} A name may contain lowercase letters, digits and hyphens. It must not be a Windows device name such as con.

${table(membersOf(Environment, schema.$defs))}`;
}

/** Lists every member in the order of the schema, with the paths of nested members and of the items of lists. */
function membersOf(schema, definitions, parent = '') {
  const required = new Set(schema.required);
  return Object.entries(schema.properties).flatMap(([key, written]) => {
    const property = resolved(written, definitions);
    const { items } = property;
    const name = `${parent}${key}`;
    return [
      { name, property, isRequired: required.has(key) },
      ...(property.properties === undefined ? [] : membersOf(property, definitions, `${name}.`)),
      ...(items?.properties === undefined ? [] : membersOf(items, definitions, `${name}[].`)),
    ];
  });
}

/** Returns the schema to which a reference refers, with its items resolved in the same way. */
function resolved(schema, definitions) {
  if (schema.$ref !== undefined) return resolved(definitions[schema.$ref.replace('#/$defs/', '')], definitions);
  return schema.items === undefined ? schema : { ...schema, items: resolved(schema.items, definitions) };
}

function table(members) {
  const rows = members.map(({ name, property, isRequired }) => {
    const cells = [`\`${name}\``, typeText(property), defaultText(property, isRequired), meaningText(property)];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return `| key | value | default | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

function typeText(property) {
  const { additionalProperties: values } = property;
  return typeof values === 'object' ? `object of ${valueText(values)}` : valueText(property);
}

function defaultText({ default: value }, isRequired) {
  if (isRequired) return 'required';
  return value === undefined ? 'none' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function meaningText({ description = '', examples = [] }) {
  const shown = examples.map((example) => `\`${typeof example === 'string' ? example : JSON.stringify(example)}\``);
  if (shown.length === 0) return description;
  return `${description} ${shown.length === 1 ? 'Example' : 'Examples'}: ${shown.join(', ')}.`;
}
