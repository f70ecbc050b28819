import { createRequire } from 'node:module';
import { compile } from 'json-schema-to-typescript';

// This module uses the TypeScript compiler. `import` would search all nine megabytes of the compiler for exports. This
// search takes longer than loading it.
const { default: openapiTypescript, astToString } = createRequire(import.meta.url)('openapi-typescript');

/** Generates src/schemas/*-types.ts. These files contain the TypeScript types of all documents and of the service. */
export async function typeFiles(schemas, header) {
  const files = {};
  for (const name of [
    'project',
    'plan',
    'drift',
    'diff',
    'status',
    'history',
    'blame',
    'record',
    'policy',
    'test',
    'problems',
  ]) {
    const schema = withNotices(schemas[name]);
    const imported = JSON.stringify(schema).includes('"tsType":"Notice"')
      ? "import type { Notice } from './notices-types.ts';\n\n"
      : '';
    files[`src/schemas/${name}-types.ts`] = header + imported + (await typesOf(schema));
  }
  files['src/schemas/notices-types.ts'] = header + (await typesOf(factsOf(schemas.notices))) + noticeTypes;
  const ast = await openapiTypescript(structuredClone(schemas.service), { alphabetize: false });
  files['src/schemas/service-types.ts'] = header + astToString(ast);
  return files;
}

function typesOf(schema) {
  return compile(schema, schema.title, {
    bannerComment: '',
    additionalProperties: false,
    style: { singleQuote: true, printWidth: 120 },
    unreachableDefinitions: true,
  });
}

/** Replaces references to notices with their type, which is in a separate file. */
function withNotices(schema) {
  const tsType = 'Notice';
  return JSON.parse(JSON.stringify(schema), (_, node) => (node?.$ref === noticeReference ? { tsType } : node));
}

const noticeReference = 'urn:agentform:v1:notices';

/** Returns the facts of each notice, by code. */
function factsOf({ allOf, $defs: { Word, NoCommands, ...$defs } }) {
  const facts = allOf.map(({ description, if: { properties }, then }) => [
    properties.code.const,
    { description, ...then.properties.facts },
  ]);
  const properties = Object.fromEntries(facts);
  const parts = Object.entries($defs).filter(([name]) => !name.endsWith('Command'));
  return {
    title: 'NoticeFacts',
    description: 'By code, what a notice says.',
    type: 'object',
    required: Object.keys(properties),
    properties,
    $defs: Object.fromEntries(parts),
  };
}

const noticeTypes = `
export type NoticeCode = keyof NoticeFacts;

/**
 * The arguments of a command, without the name of the program. If the list starts with an option, add the list to the
 * command that was run.
 */
export type Remedy = string[];

export interface NoticeOf<Code extends NoticeCode> {
  code: Code;
  facts: NoticeFacts[Code];
  remedies: Remedy[];
}

/** A reason, a warning, a refusal or a doubt, as data. */
export type Notice = { [Code in NoticeCode]: NoticeOf<Code> }[NoticeCode];
`;
