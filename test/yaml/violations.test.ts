import { describe, expect, test } from '@jest/globals';
import { agent, rowProblems, sectionsOf } from '../manifest/temp-project.ts';

const languages = "'en-US', 'multi', 'es-MX', 'es-ES' or 'es-US'";

describe('values that do not fit', () => {
  test.each([
    [
      'a number for a text',
      'welcomeMessage: 1234',
      "7:19 settings.welcomeMessage is 1234: expected a string; quote it: '1234'",
    ],
    [
      'leading zeros',
      'postAnswerDtmf: 0012',
      "7:19 settings.postAnswerDtmf is 0012: expected a string; quote it: '0012'",
    ],
    [
      'a boolean for a text',
      'welcomeMessage: true',
      "7:19 settings.welcomeMessage is true: expected a string; quote it: 'true'",
    ],
    [
      'nothing for a text',
      'welcomeMessage:',
      '7:3 settings.welcomeMessage is empty: expected a string; to leave it out, remove the line',
    ],
    [
      'null for a text',
      'welcomeMessage: null',
      '7:19 settings.welcomeMessage is null: expected a string; to leave it out, remove the line',
    ],
    ['a list for a text', 'welcomeMessage: [a]', '7:20 settings.welcomeMessage is a list: expected a string'],
    [
      'a list with a file for a text',
      'welcomeMessage:\n    - file: a.yaml',
      '8:9 settings.welcomeMessage is a list: expected a string; remove the dash before `file`',
    ],
    [
      'a text for a list',
      'links: https://a.example',
      "7:10 settings.links is 'https://a.example': expected a list; write it as a list, each item after a dash and a space",
    ],
    [
      'a text that is not a URL for a list of URLs',
      'links: a.example',
      "7:10 settings.links is 'a.example': expected a list; write it as a list, each item after a dash and a space",
    ],
    [
      'yes for a boolean',
      'noConvoHistory: yes',
      "7:19 settings.noConvoHistory is 'yes': expected true or false; write true without quotes",
    ],
    [
      'off for a boolean',
      'noConvoHistory: Off',
      "7:19 settings.noConvoHistory is 'Off': expected true or false; write false without quotes",
    ],
    [
      'a quoted boolean',
      "noConvoHistory: 'true'",
      "7:19 settings.noConvoHistory is 'true': expected true or false; write true without quotes",
    ],
    ['a number for a boolean', 'noConvoHistory: 1', '7:19 settings.noConvoHistory is 1: expected true or false'],
    [
      'a quoted number',
      "waitOnAnswer: '500'",
      "7:17 settings.waitOnAnswer is '500': expected an integer; write 500 without quotes",
    ],
    [
      'a text for a number',
      'waitOnAnswer: 2s',
      "7:17 settings.waitOnAnswer is '2s': expected an integer; write only digits, without separators or units",
    ],
    ['a fraction', 'waitOnAnswer: 1.5', '7:17 settings.waitOnAnswer is 1.5: expected an integer'],
    ['a negative number', 'waitOnAnswer: -1', '7:17 settings.waitOnAnswer is -1: expected at least 0'],
    ['a number out of range', 'preAnswerRingTime: 90', '7:22 settings.preAnswerRingTime is 90: expected 1 to 60'],
    [
      'the beginning of one value',
      'agentLang: en',
      `7:14 settings.agentLang is 'en': expected ${languages}; did you mean 'en-US'?`,
    ],
    ['the beginning of several values', 'agentLang: es', `7:14 settings.agentLang is 'es': expected ${languages}`],
    [
      'a value in the wrong case',
      'agentLang: en-us',
      `7:14 settings.agentLang is 'en-us': expected ${languages}; did you mean 'en-US'?`,
    ],
    ['an unknown value', 'agentThinking: high', "7:18 settings.agentThinking is 'high': expected 'low' or null"],
    ['another type', 'type: voiceAgent', "7:9 settings.type is 'voiceAgent': expected 'chatAgent'"],
    [
      'a long value',
      `agentLang: ${'x'.repeat(80)}`,
      `7:14 settings.agentLang is '${'x'.repeat(59)}…': expected ${languages}`,
    ],
  ])('A value that does not fit names what was found and what is allowed: %s', async (_case, settings, expected) => {
    expect(await rowProblems(agent(settings))).toEqual([`agents/a.yaml:${expected}`]);
  });

  const bareNumber = "expected an E.164 number in quotes, with a + and the country code, such as '+14155550100'";

  test.each([
    ['14155550100', `14155550100: ${bareNumber}`],
    ['+14155550100', "+14155550100: expected a string or null; quote it: '+14155550100'"],
    ['101', "101: expected a string or null; quote it: '101'"],
  ])('The number %s without quotes is reported with all that it lacks.', async (number, expected) => {
    const rules = `transferRules: { cnamAutoTransferRegex: a, cnamAutoTransferDestination: ${number} }`;
    expect(await rowProblems(agent('', rules))).toEqual([
      `agents/a.yaml:7:73 transferRules.cnamAutoTransferDestination is ${expected}`,
    ]);
  });

  test.each([
    ['an element without instructions', 'skills: [{ slug: a }]', '7:12 skills[a].instructions is missing'],
    ['an element without a key', 'skills: [{ instructions: a }]', '7:12 skills[0].slug is missing'],
    [
      'an empty slug',
      'skills: [{ slug: "", instructions: i }]',
      "7:18 skills[0].slug is '': expected a non-empty string",
    ],
    ['an app without a version', 'apps: [{ appId: a, instructions: i }]', '7:10 apps[a].version is missing'],
    [
      'one element without a dash',
      'skills:\n  slug: calendar\n  instructions: i',
      '8:3 skills is an object: expected a list; put a dash and a space before the first key of each item',
    ],
    [
      'dashes before the keys of an object',
      'transferRules:\n  - confirmTransfers: true',
      '8:5 transferRules is a list: expected an object; remove the dash before each key',
    ],
    [
      'keys without a space after the colon',
      'transferRules:\n  confirmTransfers:true\n  monitorTransfers:true',
      "8:3 transferRules is 'confirmTransfers:true monitorTransfers:true': expected an object; write a space after each colon",
    ],
    [
      'only the key of an element',
      'skills: [calendar]',
      "7:10 skills[0] is 'calendar': expected an object, such as { slug: calendar }",
    ],
    ['a text for an element', 'skills: [my calendar]', "7:10 skills[0] is 'my calendar': expected an object"],
    ['audio without a url', 'backgroundAudio: { gain: 3 }', '7:1 backgroundAudio.url is missing'],
    [
      'a number for audio',
      'backgroundAudio: 3',
      "7:18 backgroundAudio is 3: expected a string or an object; quote it: '3'",
    ],
    [
      'a member of audio',
      'backgroundAudio: { url: https://a.example/x, track: loud }',
      "7:53 backgroundAudio.track is 'loud': expected 'bg' or 'fx'",
    ],
    [
      'a list for a query parameter',
      'target: { query: { a: [1] } }',
      '7:24 target.query.a is a list: expected a string, an integer or true or false',
    ],
    [
      'an empty section',
      'transferRules:',
      '7:1 transferRules is empty: expected an object; to leave it out, remove the line',
    ],
  ])('An element that does not fit is reported: %s', async (_case, rest, expected) => {
    expect(await rowProblems(agent('', rest))).toEqual([`agents/a.yaml:${expected}`]);
  });

  test('Missing required settings are reported.', async () => {
    expect(await rowProblems('apiVersion: agentform/v1\nkind: Agent\nname: desk\n')).toEqual([
      'agents/a.yaml:2:1 settings.description is missing',
      'agents/a.yaml:2:1 settings.title is missing',
    ]);
    expect(await rowProblems('apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings: { title: t }\n')).toEqual([
      'agents/a.yaml:4:1 settings.description is missing',
    ]);
  });

  test.each(['""', '"  "', '"\\n"'])('A title of %s is reported as blank.', async (title) => {
    const text = `apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings: { title: ${title}, description: d }\n`;
    expect(await rowProblems(text)).toEqual([
      'agents/a.yaml:4:20 settings.title is blank, and the service may reject it: write a title',
    ]);
  });

  test.each(['Front Desk', '-a', 'a_b', 'x'.repeat(64), 'con', 'nul', 'aux', 'prn', 'com1', 'lpt9'])(
    'The name %s is refused.',
    async (name) => {
      expect(await rowProblems(agent('', '', name))).toEqual([
        expect.stringMatching(
          /^agents\/a\.yaml:3:7 name is '.*': expected lowercase letters, digits and hyphens, at most 63, with a letter or digit at both ends, and no Windows device name such as con$/,
        ),
      ]);
    },
  );

  test.each(['console', 'con-1', 'com', 'com10', 'nul-1'])('The name %s is accepted.', async (name) => {
    expect(await rowProblems(agent('', '', name))).toEqual([]);
  });

  test('A value of an overlay is reported once, with its path through the overlay.', async () => {
    expect(await rowProblems(agent('', 'environments: { local: { settings: { waitOnAnswer: x } } }'))).toEqual([
      "agents/a.yaml:7:52 environments.local.settings.waitOnAnswer is 'x': expected an integer",
    ]);
  });
});

describe('settings without the line settings', () => {
  const head = 'apiVersion: agentform/v1\nkind: Agent\nname: a\n';

  test.each([
    [
      'title: T\ndescription: d\n',
      "4:1 'title' and 'description' belong under 'settings': add the line `settings:` above, and indent them",
    ],
    ['title: T\n', "4:1 'title' belongs under 'settings': add the line `settings:` above, and indent it"],
    [
      'settings:\ntitle: T\ndescription: d\n',
      "5:1 'title' and 'description' belong under 'settings': write them below the line `settings:`, and indent them",
    ],
    [
      'title: T\nsettings:\n',
      "4:1 'title' belongs under 'settings': write it below the line `settings:`, and indent it",
    ],
  ])('All settings outside their section are reported together: %j', async (settings, problem) => {
    expect(await rowProblems(head + settings)).toEqual([`agents/a.yaml:${problem}`]);
  });
});

describe('unknown keys of a manifest', () => {
  test.each([
    [
      'a typing error',
      agent('welcomMessage: x'),
      "7:3 unknown key 'welcomMessage' in settings; did you mean 'welcomeMessage'?",
    ],
    ['the wrong case', agent('Timezone: x'), "7:3 unknown key 'Timezone' in settings; did you mean 'timezone'?"],
    [
      'a setting of another section',
      agent('confirmTransfers: true'),
      "7:3 unknown key 'confirmTransfers' in settings: it belongs under 'transferRules'",
    ],
    [
      'a section under settings',
      agent('skills: []'),
      "7:3 unknown key 'skills' in settings: it belongs at the top level of the file",
    ],
    ['a setting at the top', agent('', 'agentVoice: x'), "7:1 unknown key 'agentVoice': it belongs under 'settings'"],
    [
      'a setting misspelt elsewhere',
      agent('confirmTransfer: true'),
      "7:3 unknown key 'confirmTransfer' in settings; did you mean 'confirmTransfers' under 'transferRules'?",
    ],
    [
      'in an overlay',
      agent('', 'environments: { local: { agentVoice: x } }'),
      "7:26 unknown key 'agentVoice' in environments.local: it belongs under 'settings'",
    ],
    [
      'in an element',
      agent('', 'skills: [{ slug: a, instructions: i, xyz: 1 }]'),
      "7:38 unknown key 'xyz' in skills[a]: allowed keys are 'slug' and 'instructions'",
    ],
    [
      'the title of a setting',
      agent('greeting: Hi'),
      "7:3 unknown key 'greeting' in settings; did you mean 'welcomeMessage'?",
    ],
    [
      'the title of a setting, in capitals',
      agent('Instructions: Hi'),
      "7:3 unknown key 'Instructions' in settings; did you mean 'agentInstructions'?",
    ],
    [
      'a common name of a setting',
      agent('system_prompt: Hi'),
      "7:3 unknown key 'system_prompt' in settings; did you mean 'agentInstructions'?",
    ],
    [
      'a plain word for a setting',
      agent('personality: Be kind.'),
      "7:3 unknown key 'personality' in settings; did you mean 'agentInstructions'?",
    ],
    [
      'a plain word for a setting of another kind',
      agent('phone: "+14155550100"'),
      "7:3 unknown key 'phone' in settings: 'number' belongs to the kind 'PhoneNumber'",
    ],
    [
      'the title of a setting of another kind',
      agent('phoneNumber: "+14155550100"'),
      "7:3 unknown key 'phoneNumber' in settings: 'number' belongs to the kind 'PhoneNumber'",
    ],
    ['a second name', agent('name: Hi'), "7:3 unknown key 'name' in settings; did you mean 'title'?"],
    [
      'the title of a setting at the top',
      agent('', 'voice: x'),
      "7:1 unknown key 'voice'; did you mean 'agentVoice' under 'settings'?",
    ],
    [
      'the title of a member',
      agent('', 'backgroundAudio: { url: https://a.example/x, volume: 3 }'),
      "7:46 unknown key 'volume' in backgroundAudio; did you mean 'gain'?",
    ],
    [
      'a file in the wrong case',
      agent('agentInstructions: { File: a.md }'),
      "7:24 unknown key 'File' in settings.agentInstructions; did you mean 'file'?",
    ],
    [
      'a path of a file',
      agent('', 'skills: [{ slug: a, instructions: { path: a.md } }]'),
      "7:37 unknown key 'path' in skills[a].instructions; did you mean 'file'?",
    ],
    [
      'an object in place of a URL',
      agent('links: [{ File: b }]'),
      "7:13 unknown key 'File' in settings.links[0]; did you mean 'file'?",
    ],
    ['like nothing', agent('zzzzzzz: 1'), "7:3 unknown key 'zzzzzzz' in settings"],
    ['__proto__', agent('__proto__: 1'), "7:3 unknown key '__proto__' in settings"],
  ])('An unknown key is reported with the right one: %s', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([`agents/a.yaml:${expected}`]);
  });
});

describe('a misspelt or misplaced key is not also reported as missing', () => {
  const head = 'apiVersion: agentform/v1\nkind: Agent\nname: a\n';

  test.each([
    [
      'the wrong case',
      `${head}settings: { Title: T, description: d }\n`,
      "4:13 unknown key 'Title' in settings; did you mean 'title'?",
    ],
    [
      'a setting beside its section',
      `${head}title: T\nsettings: { description: d }\n`,
      "4:1 unknown key 'title': it belongs under 'settings'",
    ],
    [
      'the section itself',
      `${head}Settings: { title: T, description: d }\n`,
      "4:1 unknown key 'Settings'; did you mean 'settings'?",
    ],
    [
      'the section itself under another name',
      `${head}spec: { title: T, description: d }\n`,
      "4:1 unknown key 'spec'; did you mean 'settings'?",
    ],
    [
      'the key of an element',
      agent('', 'skills: [{ Slug: a, instructions: i }]'),
      "7:12 unknown key 'Slug' in skills[0]; did you mean 'slug'?",
    ],
  ])('One mistake gives one message: %s', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([`agents/a.yaml:${expected}`]);
  });

  test('A setting that a base misspells is not missing in the manifest.', async () => {
    const base = 'apiVersion: agentform/v1\nkind: Agent\nsettings: { Title: T, description: d }\n';
    const found = await rowProblems(`${head}extends: ../bases/b.yaml\n`, { 'bases/b.yaml': base });
    expect(found).toEqual(["bases/b.yaml:3:13 unknown key 'Title' in settings; did you mean 'title'?"]);
  });

  test('A setting that one overlay misspells is still missing in other environments.', async () => {
    const overlay = 'environments: { local: { settings: { Title: T } } }\n';
    expect(await rowProblems(`${head}settings: { description: d }\n${overlay}`)).toEqual([
      'agents/a.yaml:4:1 settings.title is missing (in the environment production)',
      "agents/a.yaml:5:38 unknown key 'Title' in environments.local.settings; did you mean 'title'?",
    ]);
  });

  test('Other settings are still reported as missing.', async () => {
    expect(await rowProblems(`${head}settings: { Title: T }\n`)).toEqual([
      'agents/a.yaml:4:1 settings.description is missing',
      "agents/a.yaml:4:13 unknown key 'Title' in settings; did you mean 'title'?",
    ]);
  });
});

describe('common mistakes', () => {
  test.each([
    ['true', 'true'],
    ['false', 'false'],
    ["'always'", 'always'],
  ])('The setting autoRecordingNotification: %s is sent as a string.', async (written, sent) => {
    const sections = await sectionsOf({ 'agents/a.yaml': agent(`autoRecordingNotification: ${written}`) });
    expect(sections).toMatchObject({ settings: { autoRecordingNotification: sent } });
  });

  test('Elements with the same key are reported with both places.', async () => {
    const text = agent('', 'skills:\n  - { slug: a, instructions: x }\n  - { slug: a, instructions: y }');
    expect(await rowProblems(text)).toEqual([
      "agents/a.yaml:9:13 skills has two elements with the slug 'a' [first here agents/a.yaml:8:13]",
    ]);
  });

  test('Keys that become equal after variables are resolved are found.', async () => {
    const text = agent(
      '',
      'skills:\n  - { slug: Elm Street, instructions: x }\n  - { slug: "${var.clinic}", instructions: y }',
    );
    expect(await rowProblems(text)).toEqual([
      "agents/a.yaml:9:13 skills has two elements with the slug 'Elm Street' (in the environment local) [first here agents/a.yaml:8:13]",
    ]);
  });

  test('Two manifests of one name are reported with both places.', async () => {
    expect(await rowProblems(agent(''), { 'agents/b.yaml': agent('') })).toEqual([
      'agents/b.yaml:3:7 two manifests declare Agent/desk: rename or delete one of them [first here agents/a.yaml:3:7]',
    ]);
  });
});

test('All problems are reported together, sorted by place.', async () => {
  const found = await rowProblems(
    agent(
      'titel: x\nwaitOnAnswer: x\ntimezone: Mars\nwelcomeMessage: ${var.x}',
      'transferRules: { cnamAutoRejectRegex: ( }\nnope: 1',
    ),
  );
  expect(found.map((line) => line.split(' ')[0])).toEqual([
    'agents/a.yaml:7:3',
    'agents/a.yaml:8:17',
    'agents/a.yaml:9:13',
    'agents/a.yaml:10:19',
    'agents/a.yaml:11:39',
    'agents/a.yaml:12:1',
  ]);
});

describe('values inside braces that YAML misreads', () => {
  test.each([
    [
      'skills: [{ slug:a, instructions: b }]',
      ["7:12 unknown key 'slug:a' in skills[0]: write a space after the colon"],
    ],
    [
      'skills: [{ slug: a, instructions: Be kind, be short }]',
      ["7:44 unknown key 'be short' in skills[a]: a text with a comma must be quoted inside { }"],
    ],
  ])('One sentence names the correction of %s.', async (line, expected) => {
    expect(await rowProblems(agent('', line))).toEqual(expected.map((text) => `agents/a.yaml:${text}`));
  });

  test.each([
    [
      'agentInstructions: {file:../a.md}',
      "unknown key 'file:../a.md' in settings.agentInstructions: write a space after the colon",
    ],
    ['agentVoice: {clinic}', "unknown key 'clinic' in settings.agentVoice: a text that starts with { must be quoted"],
  ])('A text in braces is reported: %s', async (line, expected) => {
    const found = await rowProblems(agent(line));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  test.each(['1,500', '1.500,00', '100ms', '1 500', '−6'])('The number %s is written in digits only.', async (text) => {
    expect(await rowProblems(agent(`waitOnAnswer: ${text}`))).toEqual([
      `agents/a.yaml:7:17 settings.waitOnAnswer is '${text}': expected an integer; write only digits, without separators or units`,
    ]);
  });
});
