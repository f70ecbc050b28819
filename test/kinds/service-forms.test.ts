import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import recordSchema from '../../schemas/record.schema.json' with { type: 'json' };
import type { Json } from '../../src/json/json.ts';
import { parsePath } from '../../src/kinds/field-path.ts';
import { comparedAs } from '../../src/kinds/kind.ts';
import { type FormRule, formBetween, formRules, formRulesAt } from '../../src/kinds/service-forms.ts';

const prompt = 'settings.agentInstructions';

function form(path: string, sent: Json, readBack: Json): readonly FormRule[] | undefined {
  const at = parsePath(path);
  return formBetween({ sent, readBack }, { rules: formRulesAt('Agent', at), field: comparedAs('Agent', at) });
}

describe('read-backs in another form', () => {
  const rows: [FormRule, string, string][] = [
    ['html-escapes', 'Q & A for <you>', 'Q &amp; A for &lt;you&gt;'],
    ['html-escapes', `Don't say "no"`, 'Don&#39;t say &quot;no&quot;'],
    ['html-escapes', `Don't`, 'Don&#x27;t'],
    ['html-escapes', `Don't`, 'Don&apos;t'],
    ['html-escapes', 'Grüße – 5 €', 'Gr&uuml;&szlig;e &ndash; 5 &euro;'],
    ['html-escapes', 'write &amp;', 'write &amp;amp;'],
    ['html-escapes', 'a &nbsp; b', 'a &amp;nbsp; b'],
    ['unicode', 'Cafe\u0301', 'Café'],
    ['unicode', 'Café', 'Cafe\u0301'],
    ['quotes', `Don't say "no"`, 'Don’t say “no”'],
    ['quotes', 'Don’t say „no“', `Don't say "no"`],
    ['url', 'See https://Example.com.', 'See https://example.com/.'],
    ['url', '[prices](HTTPS://example.com:443/a/../b c)', '[prices](https://example.com/b c)'],
    ['url', 'https://example.com/preise für alle', 'https://example.com/preise für alle'],
    ['white-space', '  Hi there', 'Hi there'],
    ['white-space', '- a\n  - b  \n\tc', '- a\n- b\nc'],
    ['white-space', 'a\n\n\nb\n\nc', 'a\n\nb\nc'],
    ['white-space', 'a\nb', 'a\n\nb'],
    ['white-space', 'a  b\u00a0c', 'a b c'],
    ['white-space', 'a\rb\u2028c', 'a\nb\nc'],
  ];
  test.each(rows.filter(([, sent, readBack]) => sent !== readBack))(
    'The rule %s accepts the sent and read values %j and %j',
    (rule, sent, readBack) => {
      expect(form(prompt, sent, readBack)).toEqual([rule]);
    },
  );

  test('The rule letter-case accepts enum values and time zones.', () => {
    expect(form('settings.agentLang', 'en-US', 'en-us')).toEqual(['letter-case']);
    expect(form('settings.timezone', 'Europe/Berlin', 'europe/berlin')).toEqual(['letter-case']);
  });

  test('The rule url accepts a list of URLs in any order.', () => {
    const links = ['https://A.example', 'https://a.example/b?x=1&y=2'];
    expect(form('settings.links', links, ['https://a.example/b?x=1&y=2', 'https://a.example/'])).toEqual(['url']);
    expect(form('settings.links', links, ['https://a.example/', 'https://a.example/b?x=1&amp;y=2'])).toEqual([
      'html-escapes',
      'url',
    ]);
  });
});

test('Several applicable rules are all named, and no unnecessary one.', () => {
  expect(
    form(prompt, `  Don't & "no": https://A.example\n`, 'Don&rsquo;t &amp; &ldquo;no&rdquo;: https://a.example/'),
  ).toEqual(['html-escapes', 'quotes', 'url', 'white-space']);
  expect(form(prompt, 'Same\r\ntext ', 'Same\ntext')).toEqual([]);
  expect(form(prompt, `Write &amp; as "and"`, 'Write &amp; as “and”')).toEqual(['quotes']);
});

describe('read-backs with another value', () => {
  const rows: [why: string, sent: string, readBack: string][] = [
    ['it was cut off', 'Be kind. Be quick.', 'Be kind.'],
    ['it is longer', 'Be kind.', 'Be kind. Be quick.'],
    ['escapes that were sent were undone', 'write &amp; and &lt;b&gt;', 'write & and <b>'],
    ['escapes that were sent were not escaped, and others were', 'write &amp; & so on', 'write &amp; &amp; so on'],
    ['it was escaped twice', 'Q & A', 'Q &amp;amp; A'],
    ['the escape stands for another character', 'Q & A', 'Q &lt; A'],
    ['the escape is none', 'Q & A', 'Q &ampersand; A'],
    ['a number stands for half a surrogate pair', 'Q', '&#xD83D;Q'],
    ['only a compatible character is left', 'x²', 'x2'],
    ['an accent is lost', 'Café', 'Cafe'],
    ['double quotes became single ones', 'say "no"', "say 'no'"],
    ['quotes were dropped', 'say "no"', 'say no'],
    ['a dash is not a quote', 'a - b', 'a – b'],
    ['the path of a URL is in another case', 'https://example.com/A', 'https://example.com/a'],
    ['a URL got a slash that counts', 'https://example.com/a', 'https://example.com/a/'],
    ['a URL got another scheme', 'http://example.com/', 'https://example.com/'],
    ['a URL lost its query', 'https://example.com/?a=1', 'https://example.com/'],
    ['two words were joined', 'the rapist', 'therapist'],
    ['a word was split', 'therapist', 'the rapist'],
    ['two lines were joined', '- a\n- b', '- a - b'],
    ['a line was broken', '- a - b', '- a\n- b'],
    ['a prompt is in another case', 'VIP', 'vip'],
    ['it is empty', 'Hi', ''],
  ];
  test.each(rows)('The difference "%s" is not accepted: %j and %j', (_why, sent, readBack) =>
    expect(form(prompt, sent, readBack)).toBeUndefined(),
  );

  test.each<[path: string, sent: Json, readBack: Json]>([
    ['settings.links', ['https://a.example/', 'https://a.example/b'], ['https://a.example/']],
    ['settings.links', ['https://a.example/'], ['https://a.example/', 'https://a.example/b']],
    ['settings.timezone', 'Europe/Berlin', 'Europe/Bern'],
    ['settings.agentLang', 'es-MX', 'es-ES'],
  ])('Another value at %s is not accepted: %j and %j', (path, sent, readBack) =>
    expect(form(path, sent, readBack)).toBeUndefined(),
  );
});

test.each([
  ['transferRules.cnamAutoRejectRegex', '^"VIP"\\s', '^“VIP”\\s'],
  ['transferRules.cnamAutoTransferDestination', 'ext: 100', 'ext:100'],
  ['settings.agentVoice', 'Warm-1', 'warm-1'],
  ['settings.agentModel', "o'model", 'o&#39;model'],
  ['settings.actions', 'transferCall', 'transfercall'],
  ['settings.heartbeatEvery', '1h', '1H'],
  ['apps[crm].version', 'v1', 'V1'],
  ['extraSettings.beta', 'a & b', 'a &amp; b'],
])('The setting %s is a regex, destination, name, id or unknown, and has no rules.', (path, sent, readBack) => {
  expect(formRulesAt('Agent', parsePath(path))).toEqual([]);
  expect(form(path, sent, readBack)).toBeUndefined();
});

test.each([
  'settings.title',
  'settings.welcomeMessage',
  prompt,
  'skills[a].instructions',
  'extraSettings.welcomeMessage',
])('The setting %s is a plain text and has all rules except letter-case.', (path) => {
  expect(formRulesAt('Agent', parsePath(path))).toEqual(
    Object.keys(formRules).filter((rule) => rule !== 'letter-case'),
  );
});

test('The record schema lists exactly the rules of equal forms.', () => {
  expect(recordSchema.$defs.AppliedField.properties.rules.items.enum).toEqual(Object.keys(formRules));
});

test('A long hostile text is compared in bounded time.', () => {
  const texts = [
    ' '.repeat(200_000),
    `https://${'.'.repeat(200_000)}`,
    '&#'.repeat(100_000),
    '&'.repeat(200_000),
    '\n '.repeat(100_000),
  ];
  for (const text of texts) expect(form(prompt, `${text}a`, `${text}b`)).toBeUndefined();
});

describe('forms of any text', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('&', '<', "'", '"', ' ', '\n', '\t', 'e\u0301', 'ü', ';', '#'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    maxLength: 40,
  });
  const escapes: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  const made: Readonly<Record<string, (sent: string) => string>> = {
    escaped: (sent) => sent.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign),
    composed: (sent) => sent.normalize('NFC'),
    decomposed: (sent) => sent.normalize('NFD'),
    curly: (sent) => sent.replaceAll("'", '’').replaceAll('"', '”'),
    trimmed: (sent) =>
      sent
        .split('\n')
        .map((line) => line.trim())
        .join('\n')
        .trim(),
    'curly, trimmed, composed and escaped': (sent) =>
      made.escaped?.(made.composed?.(made.trimmed?.(made.curly?.(sent) ?? '') ?? '') ?? '') ?? '',
  };
  test.each(Object.keys(made))('The form %s of any text is accepted.', (name) => {
    fc.assert(fc.property(text, (sent) => expect(form(prompt, sent, made[name]?.(sent) ?? '')).toBeDefined()));
  });

  test('A form of any text without its last word is not accepted.', () => {
    fc.assert(fc.property(text, (sent) => expect(form(prompt, `${sent} word`, sent)).toBeUndefined()));
  });
});
