import { compile } from 'json-schema-to-typescript';
import openapiTypescript, { astToString } from 'openapi-typescript';

/** src/schemas/*-types.ts: TypeScript types of the project file, the plan, the drift, the diff, the record, the policy, the test, the problems and the service. */
export async function typeFiles(schemas, header) {
  const files = {};
  for (const name of ['project', 'plan', 'drift', 'diff', 'record', 'policy', 'test', 'problems']) {
    const text = await compile(structuredClone(schemas[name]), schemas[name].title, {
      bannerComment: '',
      additionalProperties: false,
      style: { singleQuote: true, printWidth: 120 },
      unreachableDefinitions: true,
    });
    files[`src/schemas/${name}-types.ts`] = header + text;
  }
  const ast = await openapiTypescript(structuredClone(schemas.service), { alphabetize: false });
  files['src/schemas/service-types.ts'] = header + astToString(ast);
  return files;
}
