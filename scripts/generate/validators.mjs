import { readFile, writeFile } from 'node:fs/promises';
import Ajv2020 from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { header, readSchemas, root } from './schemas.mjs';

/**
 * Makes src/schemas/*-validators.js, compiled ahead of time, because compiling them with ajv would take some 100 ms in
 * every command. Each document and kind has its own file, so that a command loads only the validators that it needs.
 * The files are built but not committed. Files that are already current are not written again.
 */
export async function makeValidators() {
  for (const [path, text] of Object.entries(await validatorFiles())) {
    const current = await readFile(root + path, 'utf8').catch(() => undefined);
    if (current !== text) await writeFile(root + path, text);
  }
}

/** Generates src/schemas/kind-validators.ts, which contains the validators of each kind, by name. */
export function kindValidatorsFile(kinds) {
  const loaders = kinds.map((kind) => `  ${kind}: () => import('./${kebabCase(kind)}-validators.js'),`);
  return `${header}import type { KindName } from './fields.ts';
import type { Validator } from './validator.ts';

export interface KindValidators {
  /** Checks a file as its author wrote it. */
  readonly authored: Validator;
  /** Checks the merged files of a resource. */
  readonly resolved: Validator;
}

/** Loads the validators for one kind. A project loads only the validators for its kinds. */
export const loadKindValidators: Readonly<Record<KindName, () => Promise<KindValidators>>> = {
${loaders.join('\n')}
};
`;
}

async function validatorFiles() {
  const { schemas, resolved, kinds } = await readSchemas();
  const { components } = schemas.service;
  const documents = {
    ...Object.fromEntries(
      kinds.map((kind) => [
        kebabCase(kind),
        {
          authored: { $ref: `#/$defs/${kind}`, $defs: schemas.manifest.$defs },
          resolved: withoutOverlays(resolved[kind]),
        },
      ]),
    ),
    fleet: { fleetFile: { $ref: '#/$defs/Fleet', $defs: schemas.manifest.$defs } },
    project: { projectFile: withoutId(schemas.project) },
    'record-settings': { recordSettings: schemas.project.properties.record },
    plan: {
      planFile: withoutId(schemas.plan),
      planResource: { $ref: '#/$defs/ResourcePlan', $defs: schemas.plan.$defs },
    },
    record: { recordFile: withoutId(schemas.record) },
    task: { taskFile: withoutId(schemas.task) },
    policy: { policyFile: withoutId(schemas.policy) },
    test: { testFile: withoutId(schemas.test) },
    service: Object.fromEntries(
      Object.keys(components.schemas).map((name) => [
        `service${name}`,
        { $ref: `#/components/schemas/${name}`, components },
      ]),
    ),
  };
  const files = {};
  for (const [document, validators] of Object.entries(documents)) {
    files[`src/schemas/${document}-validators.js`] =
      header + (await compiled(validators, { notices: schemas.notices, messages: document === 'service' }));
    files[`src/schemas/${document}-validators.d.ts`] = `${header}import type { Validator } from './validator.ts';

${Object.keys(validators)
  .map((name) => `export declare const ${name}: Validator;`)
  .join('\n')}
`;
  }
  return files;
}

/**
 * Compiles validators. Only the emulator returns ajv's messages, so other validators contain no messages. The code is
 * bundled, because ajv's standalone output requires ajv's runtime.
 */
async function compiled(validators, { notices, messages }) {
  const ajv = new Ajv2020.default({
    allErrors: true,
    strict: false,
    // JSON.parse reads a number that is too large as infinite, and JSON.stringify writes infinite numbers as null.
    strictNumbers: true,
    inlineRefs: false,
    validateFormats: false,
    messages,
    code: { source: true, esm: true, optimize: 2 },
  });
  ajv.addSchema(notices);
  const exported = {};
  for (const [name, schema] of Object.entries(validators)) {
    ajv.addSchema({ ...schema, $id: `urn:validator:${name}` });
    exported[name] = `urn:validator:${name}`;
  }
  const bundle = await build({
    stdin: { contents: inLinearTime(standaloneCode.default(ajv, exported)), resolveDir: process.cwd(), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'none',
    minifySyntax: true,
  });
  return bundle.outputFiles[0].text;
}

/**
 * Changes how generated code collects violations. ajv copies all violations whenever it adds the violations of a nested
 * value. With a list of half a million wrong items, this takes minutes. Adding the violations in place, up to a limit,
 * takes a second.
 */
function inLinearTime(code) {
  const joining = /(vErrors) === null \? (validate\d+\.errors) : vErrors\.concat\(\2\)/g;
  const faster = `${code.replaceAll(joining, 'joined($1, $2)')}
function joined(violations, more) {
  if (violations === null) return more;
  for (const violation of more) if (violations.length < 10_000) violations.push(violation);
  return violations;
}
`;
  if (/\.concat\(/.test(faster)) throw new Error('ajv joins violations in a way that is not known here');
  return faster;
}

function kebabCase(kind) {
  return kind.replace(/\B[A-Z]/g, '-$&').toLowerCase();
}

function withoutId({ $id, ...schema }) {
  return schema;
}

/** Drops `environments`, because in a resolved resource, the overlays are already merged. */
function withoutOverlays({ properties: { environments, ...properties }, ...schema }) {
  return { ...schema, properties };
}
