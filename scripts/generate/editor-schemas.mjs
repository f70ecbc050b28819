// Generates schemas/editor/, which editors use for completion and hovers. Every editor supports draft 07. However, few
// show text beside a $ref or in the branches of an anyOf, and none shows a default. Therefore, the description of each
// property contains all of its text.
import { stringify } from 'yaml';
import { plainWordsText } from '../docs/value-text.mjs';

/** Returns the JSON texts of the schemas for editors, by file name. */
export function editorSchemas({ manifest, project, task, policy, test }) {
  return {
    'manifest.schema.json': textOf(manifestSchema(manifest, { Policy: policy, Test: test })),
    'project.schema.json': textOf(forEditors(project)),
    'task.schema.json': textOf(forEditors(task)),
  };
}

function textOf(schema) {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function forEditors({ $defs, ...document }) {
  const plainDefs = Object.entries($defs).filter(([, def]) => !isInlined(def));
  return {
    ...converted(document, $defs),
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: Object.fromEntries(plainDefs.map(([name, def]) => [name, converted(def, $defs)])),
  };
}

/** Returns the schema for files under `manifests`. The kinds Policy and Test have separate schemas. */
function manifestSchema(manifest, others) {
  const document = forEditors(manifest);
  const definitions = { ...document.definitions };
  for (const [kind, schema] of Object.entries(others)) {
    const { $schema, $id, definitions: own = {}, ...root } = forEditors(schema);
    for (const name of Object.keys(own)) if (name in definitions) throw new Error(`two definitions are called ${name}`);
    Object.assign(definitions, own, { [kind]: root });
  }
  return { ...document, definitions, ...choiceOfKind(manifest, others) };
}

/**
 * Makes the schema of a file without a kind. For such a file, editors offer each kind with an initial manifest, but no
 * keys. The kind is matched by a pattern, because the language server treats `Agent` as the beginning of `AgentUrl`
 * during completion.
 */
function choiceOfKind(manifest, others) {
  const resources = manifest.properties.kind.enum;
  const kinds = [...resources, ...Object.keys(others)];
  const described = { ...manifest.$defs, ...others };
  return {
    properties: {
      ...forEditors(manifest).properties,
      kind: {
        ...manifest.properties.kind,
        enum: kinds,
        markdownEnumDescriptions: kinds.map((kind) => described[kind].description),
      },
    },
    allOf: [
      ...kinds.map((kind) => ({
        if: { required: ['kind'], properties: { kind: { type: 'string', pattern: `^${kind}$` } } },
        // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
        then: { $ref: `#/definitions/${kind}` },
      })),
      {
        if: { required: ['kind'] },
        else: {
          defaultSnippets: kindSnippets(manifest, others),
        },
      },
    ],
  };
}

/** Returns the VS Code snippets, one for the manifest of each kind. */
export function snippetsFile({ manifest, policy, test }) {
  const snippets = kindSnippets(manifest, { Policy: policy, Test: test }).map(({ label, description, body }) => [
    label,
    { prefix: label, description, body: snippetLines(body) },
  ]);
  return `${JSON.stringify(Object.fromEntries(snippets), null, 2)}\n`;
}

/**
 * Formats the lines of a snippet. While the YAML is formatted, words replace the placeholders, because placeholders
 * look like flow maps.
 */
function snippetLines(body) {
  const placeholders = [];
  const text = stringify(
    JSON.parse(JSON.stringify(body), (_, value) => {
      if (typeof value !== 'string' || !value.startsWith('${')) return value;
      placeholders.push(
        value.replace(/^(\$\{\d+:)(.*)\}$/s, (_, start, inner) => `${start}${escapedInSnippet(inner)}}`),
      );
      return `placeholder-${placeholders.length - 1}-`;
    }),
    { lineWidth: 0 },
  );
  return text
    .trimEnd()
    .replace(/placeholder-(\d+)-/g, (_, index) => placeholders[index])
    .split('\n');
}

function escapedInSnippet(text) {
  return text.replace(/[\\$}]/g, '\\$&');
}

function kindSnippets(manifest, { Policy, Test }) {
  const resources = manifest.properties.kind.enum;
  return [...resources.map((kind) => snippetOf(manifest, kind)), policySnippet(Policy), testSnippet(Test)];
}

/** Returns a snippet with the required parts of a manifest of the kind, to be filled in from top to bottom. */
function snippetOf({ $defs }, kind) {
  const { description, properties } = $defs[kind];
  if (properties.settings === undefined) return fleetSnippet(kind, description);
  const settings = $defs[properties.settings.$ref.split('/').at(-1)];
  let fields = 0;
  const field = (example) => {
    fields += 1;
    return `\${${fields}:${stringify(example).trim()}}`;
  };
  const body = {
    apiVersion: 'agentform/v1',
    kind,
    name: field('name'),
    ...('agent' in properties && { agent: field('front-desk') }),
    settings: Object.fromEntries(
      settings['x-required'].map((name) => [name, field(settings.properties[name].examples[0])]),
    ),
  };
  return { label: kind, description, body };
}

/** Returns a snippet of a fleet with one template, to be filled in from top to bottom. */
function fleetSnippet(kind, description) {
  const body = {
    apiVersion: 'agentform/v1',
    kind,
    name: '${1:dental}',
    templates: ['${2:../templates/agent.yaml}'],
    members: { file: '${3:../clients.csv}' },
  };
  return { label: kind, description, body };
}

/** Returns a snippet of a policy with one rule. */
function policySnippet({ description, properties }) {
  const rule = properties.rules.items.properties;
  const field = (name, index) => `\${${index}:${stringify(rule[name].examples[0]).trim()}}`;
  const body = {
    apiVersion: 'agentform/v1',
    kind: 'Policy',
    name: `\${1:${properties.name.examples[0]}}`,
    rules: [{ deny: field('deny', 2), message: field('message', 3) }],
  };
  return { label: 'Policy', description, body };
}

/** Returns a snippet of a Test with one case. */
function testSnippet({ description, properties }) {
  const body = {
    apiVersion: 'agentform/v1',
    kind: 'Test',
    name: `\${1:${properties.name.examples[0]}}`,
    agents: ['${2:front-desk}'],
    cases: [
      {
        name: '${3:VIPs go to the owner}',
        call: { callerName: '${4:VIP Jane}' },
        expect: { transfer: '${5:ext:100}' },
      },
    ],
  };
  return { label: 'Test', description, body };
}

/** Returns whether a definition is inserted into the schemas that refer to it. */
function isInlined(def) {
  return def.anyOf !== undefined || def['x-authoring'] === true;
}

/** Keywords whose value is not a schema. */
const plain = ['examples', 'enum', 'const', 'required', 'type'];

/**
 * Keywords that the editor schemas leave out. Instead, the description expresses their meaning in words. With a
 * `default`, the language server would insert all defaults when it completes `settings`.
 */
const left = ['default', 'writeOnly'];

function converted(schema, defs) {
  if (Array.isArray(schema)) return schema.map((item) => converted(item, defs));
  if (schema === null || typeof schema !== 'object') return schema;
  const { $ref, ...own } = schema;
  if ($ref === undefined) return convertedHere(own, defs);
  const name = $ref.split('/').at(-1);
  if (Object.keys(own).length === 0 && !isInlined(defs[name])) return { $ref: `#/definitions/${name}` };
  return converted({ ...defs[name], ...own }, defs);
}

function convertedHere({ anyOf, ...schema }, defs) {
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-') && !left.includes(key));
  return {
    ...Object.fromEntries(
      kept.flatMap(([key, value]) => {
        if (key === 'description')
          return [
            [key, value],
            ['markdownDescription', hoverText(schema)],
          ];
        if (key === 'properties') return [[key, mapValues(value, (member) => converted(member, defs))]];
        return [[key, plain.includes(key) ? value : converted(value, defs)]];
      }),
    ),
    ...(anyOf !== undefined && oneForm(anyOf.map((option) => formOf(option, defs)))),
  };
}

function hoverText(schema) {
  const { 'x-title': title, default: value, minimum, maximum } = schema;
  // The description begins with the title that plans show, so that readers of a plan recognise the setting.
  const description = title === undefined ? schema.description : `**${title}**: ${schema.description}`;
  const facts = [
    plainWordsText(schema),
    value !== undefined && `Default: \`${JSON.stringify(value)}\`.`,
    minimum !== undefined && `${maximum === undefined ? `At least ${minimum}` : `${minimum} to ${maximum}`}.`,
    schema['x-send'] === 'on-change' && 'Sent only when it changed.',
    schema['x-create-only'] && 'Used only when the resource is created.',
    schema.writeOnly && 'Cannot be read back.',
  ].filter(Boolean);
  return facts.length === 0 ? description : `${description}\n\n${facts.join(' ')}`;
}

/** Returns one form of a value, without its description. */
function formOf({ $ref, ...own }, defs) {
  const whole = $ref === undefined ? own : { ...defs[$ref.split('/').at(-1)], ...own };
  const { description, markdownDescription, examples, ...form } = converted(whole, defs);
  return form;
}

/**
 * Merges the forms of a value into one schema, because the keywords for one type do not affect values of other types.
 * In addition to listed values, allows texts that contain a variable.
 */
function oneForm(forms) {
  const isListed = forms.some((form) => 'const' in form || form.enum !== undefined);
  const typed = isListed ? forms.filter((form) => valuesOf(form).length === 0) : forms;
  const patterns = typed.flatMap(({ pattern }) => pattern ?? []);
  const pattern = patterns.length > 1 && { pattern: patterns.map((one) => `(?:${one})`).join('|') };
  const merged = Object.assign({}, ...typed, { type: [...new Set(typed.flatMap(({ type }) => type))] }, pattern);
  const keywords = typed.flatMap(({ type, pattern: _, ...others }) => Object.keys(others));
  if (new Set(keywords).size < keywords.length) throw new Error(`two forms of a value share one of ${keywords}`);
  if (!isListed) return merged;
  const values = forms.flatMap(valuesOf);
  // Snippets offer the values for completion, because the language server does not find values behind an `if`.
  const labels = [...new Set(values.map(String))];
  return { if: merged, else: { enum: values }, defaultSnippets: labels.map((label) => ({ label, body: label })) };
}

function valuesOf(form) {
  if ('const' in form) return [form.const];
  return form.enum ?? (form.type === 'boolean' ? [true, false] : []);
}

function mapValues(object, transform) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, transform(value)]));
}
