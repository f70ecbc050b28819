import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { problemSentence } from '../../src/report/problems/sentence.ts';
import { escapeText, referringTo, splitText } from '../../src/yaml/interpolate.ts';
import { agent, resolve, rowProblems, sectionsOf, show } from '../manifest/temp-project.ts';

const settingsOf = async (settings: string, env = {}) =>
  (await sectionsOf({ 'agents/a.yaml': agent(settings) }, { env })).settings;

describe('variables', () => {
  test('Variables come from the environment of the project.', async () => {
    const files = { 'agents/a.yaml': agent('welcomeMessage: Hello from ${var.clinic}!') };
    expect(await sectionsOf(files)).toMatchObject({ settings: { welcomeMessage: 'Hello from Elm Street!' } });
    const other = await sectionsOf(files, { environment: 'production', env: { AGENT_TOKEN: 'token-0' } });
    expect(other).toMatchObject({ settings: { welcomeMessage: 'Hello from Oak Road!' } });
  });

  test('A process variable wins, and an empty one counts as unset.', async () => {
    const settings = 'welcomeMessage: Hello from ${var.clinic}!';
    expect(await settingsOf(settings, { AGENTFORM_VAR_clinic: 'Ash' })).toMatchObject({
      welcomeMessage: 'Hello from Ash!',
    });
    expect(await settingsOf(settings, { AGENTFORM_VAR_clinic: '' })).toMatchObject({
      welcomeMessage: 'Hello from Elm Street!',
    });
  });

  test('A value that is one variable keeps its type.', async () => {
    expect(await settingsOf('waitOnAnswer: ${var.wait}\nnoConvoHistory: "${var.loud}"')).toMatchObject({
      waitOnAnswer: 500,
      noConvoHistory: true,
    });
  });

  test('A text from a process variable becomes the number or boolean that the schema requires.', async () => {
    const env = { AGENTFORM_VAR_wait: '700', AGENTFORM_VAR_loud: 'false' };
    expect(await settingsOf('waitOnAnswer: ${var.wait}\nnoConvoHistory: ${var.loud}', env)).toMatchObject({
      waitOnAnswer: 700,
      noConvoHistory: false,
    });
  });

  test('A number or boolean becomes the text that the schema requires.', async () => {
    expect(await settingsOf('welcomeMessage: ${var.wait}\nautoRecordingNotification: ${var.loud}')).toMatchObject({
      welcomeMessage: '500',
      autoRecordingNotification: 'true',
    });
  });

  test('A value that does not fit names its variable.', async () => {
    const { problems } = await resolve({ 'agents/a.yaml': agent('waitOnAnswer: ${var.clinic}') });
    expect(problems.map(show)).toEqual([
      "agents/a.yaml:7:17 settings.waitOnAnswer is 'Elm Street' (from '${var.clinic}'): expected an integer",
    ]);
  });

  test('References are resolved in all sections, but not in the envelope.', async () => {
    const rest = 'extraSettings: { a: { b: ["${var.clinic}"] } }\nbackgroundAudio: "https://${var.clinic2}/x.mp3"';
    const sections = await sectionsOf(
      { 'agents/a.yaml': agent('', rest) },
      { env: { AGENTFORM_VAR_clinic2: 'elm.example' } },
    );
    expect(sections).toMatchObject({
      extraSettings: { a: { b: ['Elm Street'] } },
      backgroundAudio: 'https://elm.example/x.mp3',
    });
    expect((await rowProblems(agent('', '', '${var.clinic}')))[0]).toMatch(
      /^agents\/a\.yaml:3:7 name is '\$\{var\.clinic\}': expected/,
    );
  });
});

describe('references that cannot be resolved', () => {
  test.each([
    ['a misspelt variable', 'Hi ${var.clinik}', "7:23 the variable 'clinik' has no value; did you mean 'clinic'?"],
    [
      'an unknown variable',
      'Hi ${var.phone}',
      "7:23 the variable 'phone' has no value: declare it under `variables`, in the manifest or in the environment in agentform.yaml, or set AGENTFORM_VAR_phone",
    ],
    [
      'no name',
      'Hi ${var.}',
      "7:23 '${var.}' is not a reference: write ${var.NAME}, ${secret.NAME} or $${ for a literal ${",
    ],
    [
      'not closed',
      'Hi ${secret.PIN',
      "7:23 '${secret.PIN' is not a reference: write ${var.NAME}, ${secret.NAME} or $${ for a literal ${",
    ],
    [
      'a bad name',
      'Hi ${var.a-b} x',
      "7:23 '${var.a-b}' is not a reference: write ${var.NAME}, ${secret.NAME} or $${ for a literal ${",
    ],
  ])('The reference is reported at its place in the text: %s', async (_case, text, expected) => {
    expect(await rowProblems(agent(`welcomeMessage: "${text}"`))).toEqual([`agents/a.yaml:${expected}`]);
  });

  test('A repeated reference is reported twice, in a block text too.', async () => {
    const found = await rowProblems(agent('welcomeMessage: |\n  a ${var.x} b\n  c ${var.x}'));
    expect(found.map((line) => line.split(' ')[0])).toEqual(['agents/a.yaml:8:7', 'agents/a.yaml:9:7']);
  });

  test('A reference in an included file is reported there.', async () => {
    const found = await rowProblems(agent('welcomeMessage: { file: ../hi.md }'), {
      'hi.md': 'Dear caller,\nthis is ${var.clinik}',
    });
    expect(found).toEqual(["hi.md:2:9 the variable 'clinik' has no value; did you mean 'clinic'?"]);
  });

  test('A value with an unresolved reference is not checked further.', async () => {
    expect(await rowProblems(agent('timezone: ${var.zone}\nwaitOnAnswer: ${var.nope}'))).toHaveLength(2);
  });
});

describe('secrets in values', () => {
  const pin = agent(
    'welcomeMessage: pin ${secret.PIN}\nwaitOnAnswer: ${secret.WAIT}',
    'skills: [{ slug: a, instructions: "${secret.PIN}" }]',
  );

  test('A secret makes the whole value sensitive.', async () => {
    const { desired, secrets } = await resolve({ 'agents/a.yaml': pin }, { env: { PIN: '9876', WAIT: '100' } });
    expect(desired[0]?.sections).toMatchObject({ settings: { welcomeMessage: 'pin 9876', waitOnAnswer: 100 } });
    expect([...(desired[0]?.sensitive ?? [])]).toEqual([
      '/settings/welcomeMessage',
      '/settings/waitOnAnswer',
      '/skills/0/instructions',
    ]);
    expect(secrets.map((secret) => secret.reveal()).sort()).toEqual(['100', '9876']);
  });

  test('An unset or empty secret is reported with its variable and place.', async () => {
    const { problems, desired } = await resolve({ 'agents/a.yaml': pin }, { env: { PIN: '' } });
    expect(problems.map(show)).toEqual([
      "agents/a.yaml:7:23 the secret 'PIN' has no value: the process variable PIN is unset or empty",
      "agents/a.yaml:8:17 the secret 'WAIT' has no value: the process variable WAIT is unset or empty",
      "agents/a.yaml:9:36 the secret 'PIN' has no value: the process variable PIN is unset or empty",
    ]);
    expect(desired).toEqual([]);
  });

  test('Only the secrets of selected resources are required.', async () => {
    const files = { 'agents/a.yaml': pin, 'agents/b.yaml': agent('', '', 'other') };
    const { problems, desired, all } = await resolve(files, { select: (address) => address === 'Agent/other' });
    expect([problems, desired.map(({ name }) => name), all.map(({ name }) => name)]).toEqual([
      [],
      ['other'],
      ['desk', 'other'],
    ]);
  });

  test('Validation needs no secrets, and does not check unknown values.', async () => {
    expect(await rowProblems(agent('timezone: ${secret.ZONE}\nwaitOnAnswer: ${secret.WAIT}'))).toEqual([]);
  });

  test('A secret is repeated in no message.', async () => {
    const text = agent('waitOnAnswer: ${secret.PIN}\nagentLang: ${secret.PIN}\ntimezone: ${secret.PIN}');
    const { problems } = await resolve({ 'agents/a.yaml': text }, { env: { PIN: 'hunter2' } });
    expect(problems.map(show)).toEqual([
      'agents/a.yaml:7:17 settings.waitOnAnswer is the value of ${secret.PIN}: expected an integer',
      "agents/a.yaml:8:14 settings.agentLang is the value of ${secret.PIN}: expected 'en-US', 'multi', 'es-MX', 'es-ES' or 'es-US'",
      "agents/a.yaml:9:13 settings.timezone is the value of ${secret.PIN}: expected an IANA time zone, such as 'Europe/Berlin'",
    ]);
  });

  // In each case, a suggested correction would reveal the secret.
  test.each([
    [
      'a time zone',
      'Europe/Berln',
      'timezone: ${secret.A}',
      '',
      'is the value of ${secret.A}: expected an IANA time zone',
    ],
    ['a URL', 'htp://hunter2', 'links: ["${secret.A}"]', '', 'is the value of ${secret.A}: expected an HTTP(S) URL'],
    [
      'a part of a URL',
      'hunter 2',
      'links: ["http://${secret.A}/x"]',
      '',
      'is a string that contains the value of ${secret.A}:',
    ],
    [
      'a broken regex',
      'hunter2(',
      '',
      'transferRules: { cnamAutoRejectRegex: "${secret.A}" }',
      'expected a JavaScript regex',
    ],
    ['a slow regex', 'hunter(2+)+$', '', 'transferRules: { cnamAutoRejectRegex: "${secret.A}" }', 'catastrophically'],
    [
      'a destination',
      '+1 (415) 222-0100',
      '',
      'transferRules: { cnamAutoTransferRegex: x, cnamAutoTransferDestination: "${secret.A}" }',
      'expected ext:<number>, pbx:<number> or an E.164 number',
    ],
  ])(
    'The value of %s from a secret is checked without being repeated.',
    async (_name, secret, settings, rest, sentence) => {
      const files = { 'agents/a.yaml': agent(settings, rest) };
      const { problems } = await resolve(files, { env: { A: secret } });
      const messages = problems.map(problemSentence).join('\n');
      expect(messages).toContain(sentence);
      expect(messages).not.toMatch(/hunter|Berln|did you mean|write |slow on|222/);
      expect((await resolve(files, { env: {}, secrets: 'names' })).problems).toEqual([]);
    },
  );

  test('An email address from a secret is checked.', async () => {
    const member =
      'apiVersion: agentform/v1\nkind: Member\nname: jo\nsettings: { email: "${secret.A}", role: admin }\n';
    const { problems } = await resolve({ 'agents/a.yaml': member }, { env: { A: 'Jo <jo@hunter.example>' } });
    const found = problems.filter(({ rule }) => rule === 'email').map(({ message }) => message);
    expect(found).toEqual([
      'settings.email is the value of ${secret.A}: expected an email address, such as jo@example.com',
    ]);
  });

  test.each([
    [
      'the key of a list',
      agent('', 'skills: [{ slug: "${secret.A}", instructions: i }]'),
      'agents/a.yaml:7:19 the key slug of a list',
    ],
    ['an agentId', agent('', 'target: { agentId: "${secret.A}" }'), 'agents/a.yaml:7:21 target.agentId'],
    ['a campaignId', agent('', 'target: { campaignId: "${secret.A}" }'), 'agents/a.yaml:7:24 target.campaignId'],
    ['the path of a file', agent('welcomeMessage: { file: "${secret.A}" }'), 'agents/a.yaml:7:28 the path of a file'],
  ])('A secret is refused in %s.', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([`${expected} cannot contain a secret, because it is shown and stored`]);
  });
});

describe('escapes in texts', () => {
  test('The text $${ is a literal ${, and no other text is special.', async () => {
    expect(await settingsOf("welcomeMessage: 'a $${var.x} ${name} $5 $$ $${ {} ${ $'")).toMatchObject({
      welcomeMessage: 'a ${var.x} ${name} $5 $$ ${ {} ${ $',
    });
  });

  test('An escaped text is restored unchanged, and has no reference.', () => {
    const texts = fc.string({ unit: fc.constantFrom('$', '{', '}', 'var.', 'secret.', 'a', '\n') });
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = splitText(escapeText(text));
        expect(pieces.every(({ type }) => type === 'literal')).toBe(true);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      }),
    );
  });

  test('A text without ${ is one literal.', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => !text.includes('${')),
        (text) => expect(splitText(text)).toEqual([{ type: 'literal', text }]),
      ),
    );
  });
});

describe('replacing values with references', () => {
  const references = new Map([
    ['Elm', '${var.tree}'],
    ['Elm (Old) Street', '${var.street}'],
  ]);

  test('The longest value is replaced, and other text is escaped.', () => {
    const write = referringTo(references);
    expect(write('Elm (Old) Street, Elms, ${var.x}')).toBe('${var.street}, ${var.tree}s, $${var.x}');
    expect(referringTo(new Map())('Elm ${var.x}')).toBe('Elm $${var.x}');
  });

  test('With whole words, a value is kept inside a word and after a dollar sign.', () => {
    const write = referringTo(references, { wholeWords: true });
    expect(write('Elms, éElm, $Elm, Elm.')).toBe('Elms, éElm, $Elm, ${var.tree}.');
  });
});
