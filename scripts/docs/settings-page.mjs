import { readFile } from 'node:fs/promises';
import { narrowed, sectionsOf } from '../generate/narrow.mjs';
import { plainWordsText, valueText } from './value-text.mjs';

/** Returns the reference of one kind, which is made from schemas/manifest.schema.json. */
export async function settingsPage(root, kind) {
  const manifest = JSON.parse(await readFile(`${root}schemas/manifest.schema.json`, 'utf8'));
  const resolved = narrowed(manifest, kind);
  const sections = sectionsOf(resolved).map(({ name, schema }) => sectionText(name, schema));
  return `
# ${kind}

${resolved.description} ${howKnown[kind === 'Agent' ? 'readable' : 'unreadable']}

*No default*: if you remove the setting from the manifest, agentform stops managing it, and the service keeps the value.
${envelopeText(resolved)}
${sections.join('\n')}`;
}

const howKnown = {
  readable:
    '*Cannot be read* means that the service does not show the setting. For such a setting, agentform compares the manifest with the value that it wrote last, and the plan marks the change.',
  unreadable: 'It cannot be read back, so agentform compares the manifest with the values that it wrote last time.',
};

/** Describes the keys of the envelope that only some kinds have. */
function envelopeText({ properties }) {
  const own = ['organization', 'agent', 'memberId', 'resellerId'].filter((name) => name in properties);
  if (own.length === 0) return '';
  const rows = own.map((name) => `| \`${name}\` | ${valueText(properties[name])} | ${properties[name].description} |`);
  return `\n| beside the settings | value | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function sectionText(name, schema) {
  const rows = rowsOf(schema).map(([member, property]) => row(member, property, schema));
  return `## ${name}

${schema.description}${listNote(schema)}

| name | value | default | read back | meaning |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function rowsOf(schema) {
  if (schema.items !== undefined) return Object.entries(schema.items.properties);
  const object = schema.properties === undefined ? schema.anyOf.find((option) => option.type === 'object') : schema;
  return Object.entries(object.properties);
}

function row(name, property, section) {
  const readable = !property.writeOnly && !section.writeOnly;
  const cells = [
    `\`${name}\``,
    valueText(property),
    'default' in property ? `\`${JSON.stringify(property.default)}\`` : 'no default',
    readable ? 'yes' : 'cannot be read',
    [`${titleText(property)}${property.description ?? ''}`, plainWordsText(property)].filter(Boolean).join(' '),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Returns the name of a setting in plans. */
function titleText({ 'x-title': title }) {
  return title === undefined ? '' : `**${title}**: `;
}

function listNote(schema) {
  if (schema['x-list-type'] !== 'map') return '';
  return ` Elements are compared by \`${schema['x-list-map-keys'][0]}\`. A declared list is sent as a whole.`;
}
