import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';

interface Media {
  readonly content?: { readonly 'application/json'?: { readonly schema: object } };
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation in GitHub's published description. The operation can check requests and responses. */
export interface DescribedOperation {
  readonly id: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Finds the problems in a query and a body. */
  readonly complaints: (query: URLSearchParams, body: unknown) => string[];
  readonly answerComplaints: (status: number, body: unknown) => string[];
}

const text = readFileSync(join(import.meta.dirname, 'github-api.json'), 'utf8');
const description: Description = JSON.parse(text);
/** The validator is configured for fast compilation, not for fast checks, because only a few values are checked. */
const ajv = new Ajv({
  strict: false,
  validateFormats: false,
  coerceTypes: false,
  inlineRefs: false,
  code: { optimize: false },
});
const queries = new Ajv({ strict: false, validateFormats: false, coerceTypes: true });
ajv.addSchema(JSON.parse(text), 'github');

/** Finds the operation of a request. Returns undefined if the action must not use it. */
export function operationOf(method: string, path: string): DescribedOperation | undefined {
  for (const [template, item] of Object.entries(description.paths)) {
    const parameters = matched(template, path);
    const operation = item[method.toLowerCase()];
    if (parameters !== undefined && operation !== undefined) {
      const base = `github#/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`;
      return described(operation, encodeURI(base), parameters);
    }
  }
  return undefined;
}

/** Makes a minimal value of a schema. */
export function sampleOf(name: string): Readonly<Record<string, unknown>> {
  return sample({ $ref: `#/components/schemas/${name}` }) as Record<string, unknown>;
}

function sample(schema: Schema): unknown {
  if (schema.$ref !== undefined)
    return sample(description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (choice !== undefined) return sample(choice);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object' || schema.properties !== undefined) {
    const names = schema.required ?? [];
    return Object.fromEntries(names.map((name) => [name, sample(schema.properties?.[name] ?? {})]));
  }
  return { string: 'https://github.example/x', integer: 1, number: 1, boolean: false, array: [] }[type ?? ''] ?? null;
}

function matched(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const values = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path)?.slice(1);
  return values && Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

function described(
  operation: Operation,
  base: string,
  parameters: Readonly<Record<string, string>>,
): DescribedOperation {
  return {
    id: operation.operationId,
    parameters,
    complaints(query, body) {
      const found = [...query].flatMap(([name, value]) => {
        const known = operation.parameters.find((parameter) => parameter.in === 'query' && parameter.name === name);
        if (known === undefined) return [`there is no query parameter ${name}`];
        return queries.validate(known.schema, value) ? [] : [`${name}: ${queries.errorsText()}`];
      });
      if (operation.requestBody === undefined) return body === undefined ? found : [...found, 'there is no body'];
      return [...found, ...violations(`${base}/requestBody/content/application~1json/schema`, body)];
    },
    answerComplaints: (status, body) =>
      violations(`${base}/responses/${status}/content/application~1json/schema`, body),
  };
}

/** Checks a value. ajv caches schemas by reference, so each schema is compiled only once. */
function violations(reference: string, value: unknown): string[] {
  const isValid = ajv.getSchema(reference);
  if (isValid === undefined) throw new Error(`GitHub describes nothing at ${reference}`);
  return isValid(value) ? [] : [ajv.errorsText(isValid.errors)];
}
