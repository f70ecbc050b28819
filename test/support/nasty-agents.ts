import fc from 'fast-check';

/** Pieces of text that are difficult for files, YAML, references and terminals. */
const pieces = [
  'a',
  'word',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\n\n',
  '\u0000',
  '\u0007',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ud800',
  '\udc00',
  '😀',
  '👩‍👧',
  'é',
  'e\u0301',
  '\u202e',
  '\u00a0',
  '\u3000',
  '"',
  "'",
  '\\',
  '\\n',
  '`',
  '---',
  '...',
  '- ',
  '# ',
  ' #',
  ': ',
  ':',
  ',',
  '[',
  ']',
  '{',
  '}',
  '&a',
  '*a',
  '!t',
  '|',
  '>',
  '%',
  '@',
  '?',
  '<<',
  '~',
  'null',
  'true',
  'no',
  'on',
  '0012',
  '1e3',
  '0x1F',
  '1:30',
  '2026-01-01',
  '=',
  '${var.x}',
  '${secret.X}',
  '${var.',
  '$${',
  '$',
  '${',
  '${name}',
  '{ file: x }',
  'tok-secret-value',
  'x'.repeat(170),
];

export const nastyText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));

/** A text for a required setting. The text has no `$` right before a secret, because manifests cannot express this. */
export const requiredText = nastyText.filter((text) => !text.includes('$tok-secret-value'));

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 6 });

/**
 * An agent that a service might return. It may contain all values that the OpenAPI document allows, and further values.
 */
export const nastyCampaign = fc
  .record({
    title: maybe(orNull(requiredText)),
    welcomeMessage: maybe(orNull(nastyText)),
    agentInstructions: maybe(orNull(nastyText)),
    publicInstructions: maybe(orNull(nastyText)),
    adminInstructions: maybe(orNull(nastyText)),
    heartbeatInstructions: maybe(orNull(nastyText)),
    heartbeatEvery: maybe(orNull(fc.constantFrom('30m', '', '1:30'))),
    timezone: maybe(orNull(fc.oneof(fc.constantFrom('Europe/Berlin', 'Mars/Phobos', ' UTC '), nastyText))),
    agentVoice: maybe(orNull(nastyText)),
    agentLang: maybe(orNull(fc.oneof(fc.constantFrom('en-US', 'es-MX', 'en-US ', 'tlh'), nastyText))),
    agentModel: maybe(orNull(nastyText)),
    agentThinking: maybe(orNull(fc.constantFrom('low', 'high', ''))),
    links: maybe(
      orNull(
        fc.array(fc.oneof(fc.constantFrom('https://a.example/', 'HTTPS://B.example'), nastyText), { maxLength: 4 }),
      ),
    ),
    actions: maybe(
      orNull(
        fc.array(
          fc.record({ name: nastyText, instructions: nastyText, placeholder: nastyText, allowed: fc.boolean() }),
          { maxLength: 3 },
        ),
      ),
    ),
    skills: maybe(
      orNull(
        fc.array(
          fc.record(
            {
              slug: fc.oneof(nastyText, fc.constantFrom('calendar', 'Calendar', 'a/b', 'a-b')),
              instructions: orNull(nastyText),
              usable: fc.boolean(),
              reason: nastyText,
            },
            { requiredKeys: ['slug'] },
          ),
          { maxLength: 4 },
        ),
      ),
    ),
    apps: maybe(
      orNull(
        fc.array(
          fc.record(
            {
              appId: fc.oneof(nastyText, fc.constantFrom('pay', 'crm')),
              version: fc.oneof(nastyText, fc.integer(), fc.object({ maxDepth: 2 }), fc.constant({ file: 'x' })),
              instructions: nastyText,
              extra: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
          { maxLength: 3 },
        ),
      ),
    ),
    activeEventRules: maybe(fc.array(nastyText, { maxLength: 2 })),
    lastUpdate: maybe(fc.integer({ min: 1 })),
    somethingNew: maybe(fc.jsonValue()),
  })
  .map(
    (shown) =>
      JSON.parse(
        JSON.stringify({ id: 'camp_1', campaignType: 'chatAgent', enabled: true, published: false, ...shown }),
      ) as Record<string, unknown>,
  );
