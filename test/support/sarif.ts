import Ajv from 'ajv/dist/2020.js';

/**
 * The part of SARIF 2.1.0 that agentform writes. Section numbers refer to the OASIS standard. Unlike the schema of the
 * standard, this schema refuses members that it does not list.
 */
const text = { type: 'string', minLength: 1 };
const whole = { type: 'integer', minimum: 1 };

const object = (required: readonly string[], properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
});

/** 3.11 message, 3.12 multiformatMessageString */
const message = object(['text'], { text });
const help = object(['text'], { text, markdown: text });

/** 3.4 artifactLocation: a relative URI has no scheme and does not begin with a slash. */
const artifactLocation = object(['uri', 'uriBaseId'], {
  uri: { type: 'string', pattern: "^(?![A-Za-z][A-Za-z0-9+.-]*:|/)([A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$" },
  uriBaseId: { const: '%SRCROOT%' },
});

/** 3.30 region */
const region = object(['startLine'], { startLine: whole, startColumn: whole, endLine: whole, endColumn: whole });

/** 3.29 physicalLocation */
const physicalLocation = object(['artifactLocation', 'region'], { artifactLocation, region });

/** 3.27 result; 3.28 location */
const result = object(['ruleId', 'ruleIndex', 'level', 'message', 'locations'], {
  ruleId: text,
  ruleIndex: { type: 'integer', minimum: 0 },
  level: { enum: ['error', 'warning'] },
  message,
  locations: { type: 'array', minItems: 1, maxItems: 1, items: object(['physicalLocation'], { physicalLocation }) },
  relatedLocations: {
    type: 'array',
    uniqueItems: true,
    items: object(['id', 'message', 'physicalLocation'], {
      id: { type: 'integer', minimum: 0 },
      message,
      physicalLocation,
    }),
  },
});

/** 3.49 reportingDescriptor */
const rule = object(['id', 'shortDescription', 'help'], {
  id: { type: 'string', pattern: '^[a-z0-9-]+$' },
  shortDescription: message,
  help,
});

/** 3.18 tool, 3.19 toolComponent */
const tool = object(['driver'], {
  driver: object(['name', 'version', 'semanticVersion', 'rules'], {
    name: { const: 'agentform' },
    version: text,
    semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
    rules: { type: 'array', uniqueItems: true, items: rule },
  }),
});

/** 3.13 sarifLog, 3.14 run; the URI of a base ends with a slash (3.14.14). */
const schema = object(['$schema', 'version', 'runs'], {
  $schema: { type: 'string', pattern: '^https://.*/sarif-schema-2\\.1\\.0\\.json$' },
  version: { const: '2.1.0' },
  runs: {
    type: 'array',
    minItems: 1,
    items: object(['tool', 'columnKind', 'originalUriBaseIds', 'results'], {
      tool,
      columnKind: { const: 'utf16CodeUnits' },
      originalUriBaseIds: object(['%SRCROOT%'], {
        '%SRCROOT%': object(['uri'], { uri: { type: 'string', pattern: '^file:///(.*/)?$' } }),
      }),
      results: { type: 'array', items: result },
    }),
  },
});

const ajv = new Ajv.Ajv2020({ allErrors: true });
const validate = ajv.compile(schema);

export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly { readonly physicalLocation: SarifPlace }[];
  readonly relatedLocations?: readonly {
    readonly message: { readonly text: string };
    readonly physicalLocation: SarifPlace;
  }[];
}

export interface SarifPlace {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string };
  readonly region: Readonly<Record<string, number>>;
}

export interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly originalUriBaseIds: { readonly '%SRCROOT%': { readonly uri: string } };
  readonly results: readonly SarifResult[];
}

/** Validates a SARIF log, and returns its only run. */
export function readSarif(log: string): SarifRun {
  const value: unknown = JSON.parse(log);
  if (!validate(value)) throw new Error(ajv.errorsText(validate.errors, { separator: '\n' }));
  const { runs } = value as { readonly runs: readonly [SarifRun] };
  return runs[0];
}
