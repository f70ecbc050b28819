import { readFile } from 'node:fs/promises';
import { narrowed, sectionsOf } from '../generate/narrow.mjs';
import { plainWordsText, valueText } from './value-text.mjs';

/** Returns the reference of one kind, which is made from schemas/manifest.schema.json. */
export async function settingsPage(root, kind) {
  const manifest = JSON.parse(await readFile(`${root}schemas/manifest.schema.json`, 'utf8'));
  const resolved = narrowed(manifest, kind);
  const isReadable = kind === 'Agent';
  const sections = sectionsOf(resolved).map(({ name, schema }) => sectionText({ name, schema, isReadable }));
  return `
# ${kind}

${resolved.description} ${howKnown[isReadable ? 'readable' : 'unreadable']}

A *required* setting must be set in the manifest, a base or an overlay. If you remove a setting with *no default* from the manifest, agentform stops managing the setting, and the service keeps its value.
${envelopeText(resolved)}
${sections.join('\n')}`;
}

const howKnown = {
  readable:
    '*Cannot be read* means that the service does not return the setting. agentform compares the manifest with the value that it last wrote to such a setting, and plans mark changes to it.',
  unreadable: 'The service does not return it, so agentform compares the manifest with the values that it last wrote.',
};

/** Describes the keys of the envelope that only some kinds have. */
function envelopeText({ properties }) {
  const own = ['organization', 'agent', 'memberId', 'resellerId'].filter((name) => name in properties);
  if (own.length === 0) return '';
  const rows = own.map((name) => `| \`${name}\` | ${valueText(properties[name])} | ${properties[name].description} |`);
  return `\n| beside the settings | value | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function sectionText({ name, schema, isReadable }) {
  const head = ['name', 'value', 'default', ...(isReadable ? ['read back'] : []), 'meaning'];
  const rows = [head, head.map(() => '---'), ...rowsOf(schema, { isReadable, isHidden: schema.writeOnly === true })];
  return `## ${name}

${schema.description}${listNote(schema)}

${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}

/** Returns a row for each property of an object or of a list's elements. The properties of nested lists follow. */
function rowsOf(schema, { prefix = '', ...shown }) {
  const list = schema.items ?? schema;
  const object = list.properties === undefined ? list.anyOf.find((option) => option.type === 'object') : list;
  return Object.entries(object.properties).flatMap(([name, property]) => {
    const isRequired = object.required?.includes(name) === true;
    const isList = property.items?.properties !== undefined;
    const own = row({ name: `${prefix}${name}`, property, isRequired, note: isList ? listNote(property) : '' }, shown);
    return isList ? [own, ...rowsOf(property, { ...shown, prefix: `${name}[].` })] : [own];
  });
}

function row({ name, property, isRequired, note }, { isReadable, isHidden }) {
  const otherwise = isRequired ? 'required' : 'no default';
  const meaning = [`${titleText(property)}${property.description ?? ''}${note}`, plainWordsText(property)];
  const cells = [
    `\`${name}\``,
    valueText(property),
    'default' in property ? `\`${JSON.stringify(property.default)}\`` : otherwise,
    ...(isReadable ? [property.writeOnly || isHidden ? 'cannot be read' : 'yes'] : []),
    meaning.filter(Boolean).join(' '),
  ];
  return cells.map((cell) => cell.replaceAll('|', '\\|'));
}

/** Returns the name of a setting in plans. */
function titleText({ 'x-title': title }) {
  return title === undefined ? '' : `**${title}**: `;
}

function listNote(schema) {
  if (schema['x-list-type'] !== 'map') return '';
  return ` agentform compares elements by \`${schema['x-list-map-keys'][0]}\`, and sends a declared list as a whole.`;
}
