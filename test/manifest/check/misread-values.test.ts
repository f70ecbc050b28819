import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { problemSentence } from '../../../src/report/problems/sentence.ts';
import { agent, makeFolder, makeProject, manifest, projectFile, rowProblems, show } from '../temp-project.ts';

const problemsOf = (line: string) => rowProblems(agent(line));

/** The text of the line on line 7 after the first fix of its only problem. */
async function fixed(line: string): Promise<string> {
  const text = agent(line);
  const project = await makeProject({ 'agents/a.yaml': text });
  const { problems } = await validateProject(project, { env: {} });
  const edits = problems.flatMap(({ fixes = [] }) => fixes[0]?.edits ?? []);
  const after = edits.reduce((old, { at, text: added }) => old.slice(0, at.offset) + added + old.slice(at.end), text);
  return after.split('\n').slice(6, -1).join('\n').trim();
}

describe('typographic quotes around a value', () => {
  test.each([
    ['“Hi”', '“ and ”', 'Hi'],
    ['‘Ann’s desk’', '‘ and ’', 'Ann’s desk'],
    ['„Hi“', '„ and “', 'Hi'],
    ['„Hi”', '„ and ”', 'Hi'],
    ['‚Hi‘', '‚ and ‘', 'Hi'],
    ['«Hi»', '« and »', 'Hi'],
    ['« Hi »', '« and »', 'Hi'],
    ['»Hi«', '» and «', 'Hi'],
    ['“Hi"', '“ and "', 'Hi'],
  ])('The quotes of %s become part of the value.', async (text, quotes, inner) => {
    expect(await problemsOf(`welcomeMessage: ${text}`)).toEqual([
      `agents/a.yaml:7:19 the quotes ${quotes} are part of the value, because YAML recognises only straight quotes; quote it: '${inner}'`,
    ]);
    expect(await fixed(`welcomeMessage: ${text}`)).toBe(`welcomeMessage: ${JSON.stringify(inner)}`);
  });

  test.each(['“A” or “B”', 'Say “Hi”', '“Hi” Ann', '’til nine', '"“Hi”"', "'«Hi»'"])(
    'Quotes inside a text are accepted: %s',
    async (text) => {
      expect(await problemsOf(`welcomeMessage: ${text}`)).toEqual([]);
    },
  );

  test('A value that is wrong because of its quotes is one error with the correction.', async () => {
    expect(await problemsOf('agentInstructions: { file: “../a.md” }')).toEqual([
      "agents/a.yaml:7:30 the file '“../a.md”' does not exist: there is no folder '“..'; quote it: '../a.md'",
    ]);
    expect(await problemsOf('waitOnAnswer: “100”')).toEqual([
      "agents/a.yaml:7:17 settings.waitOnAnswer is '“100”': expected an integer; write 100 without quotes",
    ]);
    expect(await fixed('waitOnAnswer: “100”')).toBe('waitOnAnswer: 100');
  });

  test('A sensitive value is not shown.', async () => {
    const provider = 'providerId: p\n      config:\n        user: “${secret.USER}”';
    const found = await rowProblems(
      manifest('Organization', `settings:\n  orgName: Elm\n  numberingProviders:\n    - ${provider}`),
    );
    expect(found).toContain(
      'agents/a.yaml:9:15 the quotes “ and ” are part of the value, because YAML recognises only straight quotes',
    );
  });
});

describe('a comment that looks like part of the value', () => {
  test.each([
    ['Desk #1', 'Desk', '#1'],
    ['See https://elm.example.com #hours', 'See https://elm.example.com', '#hours'],
    ['Desk\t#1', 'Desk', '#1'],
    ['Press # to continue', 'Press', '# to continue'],
    ['Say your number and press #, or hold', 'Say your number and press', '#, or hold'],
    ['Then press #', 'Then press', '#'],
    ['Pulse 1 o # para salir', 'Pulse 1 o', '# para salir'],
  ])('The comment in %j looks like part of the value.', async (text, value, comment) => {
    const [found, ...others] = await rowProblems(agent(`agentVoice: ${text}`));
    expect(others).toEqual([]);
    const whole = text.replace('\t', '\\t');
    expect(found).toBe(
      `agents/a.yaml:7:15 '${comment}' is a comment, so the value is only '${value}'; quote it: '${whole}'`,
    );
    expect(await fixed(`agentVoice: ${text}`)).toBe(`agentVoice: ${JSON.stringify(text)}`);
  });

  test('It can leave the value empty.', async () => {
    expect(await problemsOf('welcomeMessage: #1 in Elm')).toEqual([
      "agents/a.yaml:7:3 settings.welcomeMessage is empty: expected a string; to leave it out, remove the line; quote it: '#1 in Elm'",
    ]);
    expect(await fixed('welcomeMessage: #1 in Elm')).toBe('welcomeMessage: "#1 in Elm"');
    expect(await problemsOf('agentThinking: #off')).toEqual([]);
  });

  test.each([
    'agentVoice: Desk # reviewed by Ann',
    'agentVoice: Desk #',
    'agentVoice: Desk ## old',
    'agentVoice: "Desk" #1',
    'agentVoice: Desk#1',
    'agentLang: en-US #multi',
    'waitOnAnswer: 100 #ms',
    'enabled: true #draft',
  ])('Any other comment is accepted: %s', async (line) => {
    const found = await problemsOf(line);
    expect(found.filter((text) => text.includes('comment'))).toEqual([]);
  });
});

describe('a word that YAML treats as an anchor', () => {
  test.each([
    ['&hello there', '&hello'],
    ['&amp; more', '&amp;'],
  ])('The first word of %j is not part of the value.', async (text, anchor) => {
    expect(await problemsOf(`agentVoice: ${text}`)).toEqual([
      `agents/a.yaml:7:${15 + anchor.length + 1} '${anchor}' is not part of the value, because YAML treats it as an anchor, and no alias uses it; quote it: '${text}'`,
    ]);
    expect(await fixed(`agentVoice: ${text}`)).toBe(`agentVoice: ${JSON.stringify(text)}`);
  });
});

describe('marks at the end of a value', () => {
  test.each([
    ['agentVoice: Ann,', 'the comma at the end is part of the value', 'Ann'],
    ['agentVoice: Ann;', 'the semicolon at the end is part of the value', 'Ann'],
    [
      'agentVoice: Ann\u00a0',
      'a no-break space (U+00A0) is part of the value, because YAML treats it as a letter',
      'Ann',
    ],
    [
      'agentVoice: \u3000Ann',
      'an unusual space (U+3000) is part of the value, because YAML treats it as a letter',
      'Ann',
    ],
  ])('The mark in %j becomes part of the value.', async (line, sentence, value) => {
    expect(await problemsOf(line)).toEqual([`agents/a.yaml:7:15 ${sentence}; write '${value}'`]);
    expect(await fixed(line)).toBe(`agentVoice: ${value}`);
  });

  test.each([
    ['Our hours:,', '"Our hours:"'],
    ['\u00a0# one', '"# one"'],
    ['\u00a0- one', '"- one"'],
    ['+1 415 555 0100,', '+1 415 555 0100'],
  ])('The correction of %j is still the same text.', async (text, written) => {
    expect(await fixed(`welcomeMessage: ${text}`)).toBe(`welcomeMessage: ${written}`);
  });

  test('A no-break space before a comment makes it part of the value.', async () => {
    expect(await problemsOf('agentVoice: Ann\u00a0# new')).toEqual([
      'agents/a.yaml:7:15 a no-break space (U+00A0) is part of the value, because YAML treats it as a letter',
    ]);
  });

  test.each(['agentVoice: "Ann,"', 'agentVoice: Tom &amp;', 'agentVoice: Ann\u00a0Lee'])(
    'Other values are accepted: %j',
    async (line) => {
      expect(await problemsOf(line)).toEqual([]);
    },
  );
});

describe('a list whose lines YAML joins', () => {
  const lines = 'First steps\n  - greet\n  - ask';

  test('The first joined line is reported, with the correction.', async () => {
    const line = `agentInstructions: >-\n  ${lines}`;
    expect(await problemsOf(line)).toEqual([
      "agents/a.yaml:9:5 this text begins with >, so YAML joins this line to the line above; write '|'",
    ]);
    expect(await fixed(line)).toBe(`agentInstructions: |-\n    ${lines.replaceAll('\n', '\n  ')}`);
  });

  test.each([
    ['without a mark', `${lines}`],
    ['in quotes', `"${lines}"`],
    ['with numbers in quotes', '"1. Greet the caller\n  2. Ask for the name"'],
  ])('A text %s is reported too.', async (_case, text) => {
    expect(await problemsOf(`agentInstructions: ${text}`)).toEqual([
      'agents/a.yaml:8:5 YAML joins this line to the line above; to keep the lines of a text, begin it with | on the line of its key',
    ]);
  });

  test.each([
    ['a block with |', `|\n  ${lines}`],
    ['empty lines', `>\n  ${lines.replaceAll('\n', '\n\n')}`],
    ['a list that is indented further', '>\n  First steps\n    - greet\n    - ask'],
    [
      'a paragraph with numbers that end a sentence',
      '>\n  We open at\n  9. On Sundays, we open at\n  11. We close at 5.',
    ],
    ['an ordinary paragraph', '>\n  Be kind and\n  be short.'],
    ['escaped line breaks', '"First steps\\n\\\n  - greet\\n\\\n  - ask"'],
    ['a very long paragraph', `>\n${'  a\n'.repeat(150_000)}`],
  ])('Nothing is reported in %s.', async (_case, text) => {
    expect(await problemsOf(`agentInstructions: ${text}`)).toEqual([]);
  });
});

describe('every file of a project', () => {
  test('A variable in agentform.yaml is reported.', async () => {
    const root = makeFolder({
      'agentform.yaml': projectFile.replace('Elm Street', '“Elm Street”'),
      'agents/a.yaml': agent(''),
    });
    const { problems } = await validateProject(await loadProject(root), { env: {} });
    expect(problems.map(show)).toEqual([
      "agentform.yaml:8:26 the quotes “ and ” are part of the value, because YAML recognises only straight quotes; quote it: 'Elm Street'",
    ]);
  });

  test('An overlay is reported, and a Test with a warning still counts.', async () => {
    const overlay = agent('', 'environments:\n  local:\n    settings:\n      title: “Desk”');
    const cases = 'agents: [desk]\ncases:\n  - name: “one”\n    expect: { settings: { title: Desk } }';
    expect(await rowProblems(overlay, { 'agents/t.yaml': manifest('Test', cases) })).toEqual([
      "agents/a.yaml:10:14 the quotes “ and ” are part of the value, because YAML recognises only straight quotes; quote it: 'Desk'",
      "agents/t.yaml:6:11 the quotes “ and ” are part of the value, because YAML recognises only straight quotes; quote it: 'one'",
    ]);
  });

  test('`lint` sets the level of each rule.', async () => {
    const levels = 'lint: { text-quotes: error, text-comma: off }\n';
    const files = {
      'agentform.yaml': `${projectFile}${levels}`,
      'agents/a.yaml': agent('agentVoice: Ann,\nwelcomeMessage: “Hi”'),
    };
    const { problems } = await validateProject(await makeProject(files), { env: {} });
    expect(problems.map(({ severity, rule }) => [severity, rule])).toEqual([['error', 'text-quotes']]);
  });
});

test.each([
  [
    '"{ file: ../prompts/desk.md }"',
    "the text is '{ file: ../prompts/desk.md }', not the text of that file; remove the quotes around the braces",
  ],
  [
    '../prompts/front desk.md',
    'the text consists only of a file path; to use the text of that file, write { file: ../prompts/front desk.md }',
  ],
  [
    '"Answer for ${ var.clinic }"',
    "'${ var.clinic }' is not replaced by the value of the variable; write '${var.clinic}'",
  ],
  ...['$var.clinic', '$(var.clinic)', '{var.clinic}', '%var.clinic%'].map((written) => [
    `"Answer for ${written}."`,
    `'${written}' is not replaced by the value of the variable; write '\${var.clinic}'`,
  ]),
  ['"Answer for $clinic."', "'$clinic' is a placeholder that is never filled in; replace it with the actual text"],
  ['"Greet %name%."', "'%name%' is a placeholder that is never filled in; replace it with the actual text"],
  ['"Answer for %clinic%."', "'%clinic%' is a placeholder that is never filled in; replace it with the actual text"],
])('The instructions %s are reported, because they are not what their author sees.', async (text, expected) => {
  const project = await makeProject({ 'agents/a.yaml': agent(`agentInstructions: ${text}`) });
  const { problems } = await validateProject(project, { env: {}, prompts: 'all' });
  expect(problems.map(problemSentence)).toEqual([expected]);
});
