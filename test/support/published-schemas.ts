import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

const folder = resolve(import.meta.dirname, '../../schemas');
const suffix = '.schema.json';
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
for (const file of readdirSync(folder).filter((name) => name.endsWith(suffix)))
  ajv.addSchema(JSON.parse(readFileSync(resolve(folder, file), 'utf8')), file.slice(0, -suffix.length));

/**
 * Returns the value, and throws if it does not fit `schemas/NAME.schema.json`. The name can end with the path of a
 * definition, as in `plan#/$defs/Sensitive`.
 */
export function fitting<Value>(name: string, value: unknown): Value {
  if (ajv.validate<Value>(name, value)) return value;
  throw new Error(`${name}: ${ajv.errorsText()}`);
}
