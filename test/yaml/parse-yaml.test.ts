import { describe, expect, test } from '@jest/globals';
import { agent, rowProblems } from '../manifest/temp-project.ts';

const kinds = "'Agent', 'Organization', 'Member', 'AgentUrl', 'PhoneNumber', 'Context', 'Fleet', 'Policy' or 'Test'";

describe('the contents of a manifest file', () => {
  test.each([
    ['an empty file', '', 'agents/a.yaml:1:1 the file is empty: expected YAML that begins with apiVersion and kind'],
    [
      'only a comment',
      '# nothing\n',
      'agents/a.yaml:1:1 the file is empty: expected YAML that begins with apiVersion and kind',
    ],
    [
      'a list',
      '- a\n- b\n',
      'agents/a.yaml:1:3 the file is a list: expected one resource, an object with apiVersion and kind',
    ],
    [
      'a scalar',
      'hello\n',
      "agents/a.yaml:1:1 the file is 'hello': expected one resource, an object with apiVersion and kind",
    ],
    [
      'a second document',
      `${agent('')}---\n${agent('')}`,
      'agents/a.yaml:8:1 a second document starts here, but a file may contain only one; move this document to another file',
    ],
    ['no kind', 'apiVersion: agentform/v1\n', `agents/a.yaml:1:1 kind is missing: expected ${kinds}`],
    [
      'an unknown kind',
      'apiVersion: agentform/v1\nkind: Agnet\n',
      `agents/a.yaml:2:7 the kind 'Agnet' is unknown: expected ${kinds}; did you mean 'Agent'?`,
    ],
    [
      'a kind that is a list',
      'apiVersion: agentform/v1\nkind: [Agent]\n',
      `agents/a.yaml:2:8 kind is a list: expected ${kinds}`,
    ],
    ['an empty kind', 'apiVersion: agentform/v1\nkind:\n', `agents/a.yaml:2:1 kind is null: expected ${kinds}`],
    [
      'a project file',
      'apiVersion: agentform/v1\nkind: Project\n',
      "agents/a.yaml:2:7 the kind 'Project' is only for agentform.yaml; exclude this file from `manifests`",
    ],
    [
      'no apiVersion',
      agent('').replace('apiVersion: agentform/v1\n', ''),
      "agents/a.yaml:1:1 apiVersion is missing: expected 'agentform/v1'",
    ],
    [
      'another apiVersion',
      agent('').replace('/v1', '/v2'),
      "agents/a.yaml:1:13 apiVersion is 'agentform/v2': expected 'agentform/v1'",
    ],
  ])('A manifest file is reported: %s', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([expected]);
  });
});

describe('wrong indentation', () => {
  const uneven = 'wrong indentation: line this up with the keys around it, or with the other items of its list';
  const deeper = 'wrong indentation: the line above already has a value; line this up with the key above';

  test.each([
    ['a first key too deep', agent('').replace('  title', '   title'), `6:3 ${uneven}`],
    ['a key too shallow', agent('agentLang: en-US').replace('  description', ' description'), `6:2 ${uneven}`],
    ['a key too deep', agent('agentLang: en-US').replace('  description', '    description'), `6:5 ${deeper}`],
    ['an item too shallow', `${agent('')}skills:\n    - { slug: a }\n  - { slug: b }\n`, `10:3 ${uneven}`],
    ['a key too deep at the end', agent('').replace('  description: d', '    description: d'), `6:5 ${deeper}`],
    [
      'a key too shallow in a file that begins with an empty line',
      `\n${agent('').replace('  title', '   title')}`,
      `7:3 ${uneven}`,
    ],
  ])('A wrong indentation is one error at its line: %s', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([`agents/a.yaml:${expected}`]);
  });
});

describe('mistakes that shift the structure', () => {
  const uneven = 'wrong indentation: line this up with the keys around it, or with the other items of its list';
  const noKey =
    'expected `key: value`; if this line continues the text above, indent it further than the key of that text';
  const dash = 'a list item needs a space after its dash';
  const hyphen = 'begin each list item with a plain hyphen (-) and a space';
  const fence = 'this line is a Markdown fence, not YAML; remove it';
  const cut =
    'the comment above ends the text; to keep a # in a text with several lines, begin the text with | on the line of its key';
  const outside = (mark: string) =>
    `wrong indentation: indent each line of the text after ${mark} further than its key, and at least as far as the first line`;

  test.each([
    ['a key of an item under its dash', `${agent('')}skills:\n  - slug: a\n   instructions: b\n`, `10:4 ${uneven}`],
    [
      'a text that ends with a colon above a list',
      agent('welcomeMessage: Steps:\n  - one\n  - two'),
      '7:19 a text that contains a colon and a space, or ends with a colon, must be quoted',
    ],
    [
      'a text with a colon above a list',
      agent('welcomeMessage: Steps: these # and those\n  - one'),
      '7:19 a text that contains a colon and a space, or ends with a colon, must be quoted',
    ],
    ['a first line that is indented', `  ${agent('')}`, `2:1 ${uneven}`],
    [
      'a text after | that is not indented',
      agent('welcomeMessage: |\nHello there.\nagentLang: en-US'),
      `8:3 ${outside('|')}`,
    ],
    ['a text after > that ends too early', agent('welcomeMessage: >\n  Hello\nthere you are'), `9:3 ${outside('>')}`],
    ['a line of a text before its first', agent('welcomeMessage: |\n  # Hi\n two'), `9:4 ${outside('|')}`],
    [
      'a key without a space after it',
      agent('agentLang:en-US\nlinks: []'),
      "7:3 the key 'agentLang' needs a space after its colon",
    ],
    [
      'the same after a text',
      agent('welcomeMessage: |\n  Hi\nagentLang:en-US'),
      "9:3 the key 'agentLang' needs a space after its colon",
    ],
    [
      'a text with a colon below a key without a mark',
      agent('agentInstructions:\n    You are Ann.\n\n    Rules: be kind.'),
      '8:7 a text that begins below its key needs a mark; write | after the colon of the key above',
    ],
    [
      'a word below a key',
      'apiVersion: agentform/v1\nkind: Agent\nsettings:\n  title\n  description: d\n',
      `4:3 ${noKey}`,
    ],
    ['a text that goes on in column 1', agent('welcomeMessage: this goes\non and on'), `8:3 ${noKey}`],
    ['a key without a colon', agent('agentLang\nlinks: []'), `7:3 ${noKey}`],
    [
      'a non-breaking space',
      agent('').replace('  title', '\u00a0 title'),
      '5:1 this is a no-break space (U+00A0), which YAML treats as a letter: type a plain space',
    ],
    [
      'a no-break space behind a colon',
      agent('welcomeMessage:\u00a0Hello'),
      '7:18 this is a no-break space (U+00A0), which YAML treats as a letter: type a plain space',
    ],
    [
      'no-break spaces in the place of an indentation',
      agent('welcomeMessage: Hi').replace('  welcome', '\u00a0\u00a0welcome'),
      '7:1 this is a no-break space (U+00A0), which YAML treats as a letter: type a plain space',
    ],
    [
      'no-break spaces in the indentation of a required key',
      agent('').replace('  title', '\u00a0\u00a0title'),
      '5:1 this is a no-break space (U+00A0), which YAML treats as a letter: type a plain space',
    ],
    [
      'a no-break space before a dash',
      agent('links:\n \u00a0- https://example.com'),
      '8:4 this is a no-break space (U+00A0), which YAML treats as a letter: type a plain space',
    ],
    [
      'a space of no width in a key',
      agent('welcome\u200bMessage: Hello'),
      '7:10 this is an invisible character (U+200B), which YAML treats as a letter: delete it',
    ],
    [
      'a no-break space after a required key',
      agent('').replace('title:', 'title\u00a0:'),
      '5:8 this is a no-break space (U+00A0), which YAML treats as a letter: type a plain space',
    ],
    ['a dash without a space', `${agent('')}skills:\n  -slug: a\n   instructions: b\n`, `9:3 ${dash}`],
    ['an en dash', `${agent('')}skills:\n  – slug: a\n    instructions: b\n`, `9:3 ${hyphen}`],
    ['a bullet', `${agent('')}skills:\n  • slug: a\n    instructions: b\n`, `9:3 ${hyphen}`],
    ['an equals sign', agent('links = []'), "7:3 write a colon and a space after the key 'links', instead of ="],
    ['a full-width colon', agent('links： []'), "7:3 write a colon and a space after the key 'links', instead of ："],
    ['a comment after slashes', agent('// the links\nlinks: []'), '7:3 a comment must begin with #'],
    ['a comment as in HTML', agent('<!-- the links -->\nlinks: []'), '7:3 a comment must begin with #'],
    ['a bold key', agent('**links**: []'), '7:3 a key cannot begin with *; remove the asterisks'],
    ['a comment inside a text', agent('welcomeMessage: Hi\n  # Role\n  there'), `9:5 ${cut}`],
    ['a comment after a line of a text', agent('welcomeMessage: Hi # Role\n  there'), `8:5 ${cut}`],
    ['a Markdown fence around a file', `\`\`\`yaml\n${agent('')}`, `1:1 ${fence}`],
    [
      'line ends of an old program',
      agent('').replaceAll('\n', '\r'),
      '1:1 the lines of this file end with CR alone; save the file with LF line endings',
    ],
  ])('A mistake in the structure is one error with its correction: %s', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([`agents/a.yaml:${expected}`]);
  });
});

describe('mistakes inside a line', () => {
  const emptyText = (mark: string) =>
    `no text follows this ${mark}: indent the text further than its key, or write "" for an empty text`;
  const quotes =
    "this text comes after the closing quote; write an apostrophe inside single quotes as '', and a quote inside double quotes as \\\"";

  test.each([
    ['an apostrophe inside quotes', "welcomeMessage: 'it's open'", `7:23 ${quotes}`],
    [
      'a path with backslashes',
      'welcomeMessage: { file: "..\\prompts" }',
      '7:30 a backslash in double quotes begins an escape sequence; write two backslashes, or forward slashes in a path',
    ],
    ['bold text', 'welcomeMessage: **Elm** Street', '7:19 a value that starts with * must be quoted'],
    ['a reserved character', 'welcomeMessage: @home', '7:19 a value that starts with @ must be quoted'],
    [
      'a text beside its mark',
      'welcomeMessage: | hello\n    x',
      '7:21 the text after | must start on the next line, indented further than its key',
    ],
    [
      'an open bracket',
      'links: [a',
      '9:1 a [ above is not closed: add the ], or indent this line further if it belongs inside',
    ],
    [
      'an open brace',
      'x: { a: b\nskills: []',
      '8:3 a { above is not closed: add the }, or indent this line further if it belongs inside',
    ],
    ['a dash beside its key', 'links: - a', '7:10 a list must start on the line below its key'],
    [
      'double braces',
      'welcomeMessage: {{clinic}}',
      '7:19 a value that starts with {{ must be quoted; to insert a variable, write ${var.NAME}',
    ],
    ['a text after double braces', 'welcomeMessage: {{clinic}} desk', '7:19 a value that starts with { must be quoted'],
    ['a text after brackets', 'welcomeMessage: [Clinic] desk', '7:19 a value that starts with [ must be quoted'],
    ['a text after brackets in a list', 'links:\n  - [Clinic] desk', '8:7 a value that starts with [ must be quoted'],
    ['an ampersand', 'welcomeMessage: &desk', '7:19 a value that starts with & must be quoted'],
    [
      'an asterisk before the first of several words',
      'welcomeMessage: *hello there',
      '7:19 a value that starts with * must be quoted',
    ],
    ['an ampersand and a space', 'welcomeMessage: & desk', '7:19 a value that starts with & must be quoted'],
    ['an exclamation mark', 'welcomeMessage: !important', '7:19 a value that starts with ! must be quoted'],
    ['an exclamation mark and a space', 'welcomeMessage: ! desk', '7:19 a value that starts with ! must be quoted'],
    ['exclamation marks', 'welcomeMessage: !!! desk', '7:19 a value that starts with ! must be quoted'],
    ['a question mark', 'welcomeMessage: ? desk', '7:19 a value that starts with ? must be quoted'],
    ['an empty text after |', 'welcomeMessage: |\nagentVoice: Ann', `7:19 ${emptyText('|')}`],
    ['an empty text after >', 'welcomeMessage: >-  # soon\n\n', `7:19 ${emptyText('>')}`],
    ['a comma after a quote', 'welcomeMessage: "Hi",', '7:23 remove the , after this value'],
    [
      'a text beside the mark, without a space',
      'welcomeMessage: |Hello there',
      '7:20 the text after | must start on the next line, indented further than its key',
    ],
    [
      'typographic quotes around a colon',
      'welcomeMessage: “Hi: Elm”',
      '7:19 YAML does not accept typographic quotes around a value; type straight quotes (")',
    ],
    [
      'a path without braces',
      'agentInstructions: file: a.md',
      '7:22 write the path in braces, as in { file: ../prompts/front-desk.md }',
    ],
    ['no comma in brackets', 'links: ["a" "b"]', '7:15 put a comma between the items inside { } or [ ]'],
    ['two commas in brackets', 'links: [a,, b]', '7:13 this comma has no item before it; remove the comma'],
    ['no comma in braces', 'x: { a: "b" c: "d" }', '7:15 put a comma between the items inside { } or [ ]'],
    [
      'a colon in braces',
      'x: { a: Say: hi }',
      '7:11 inside { } and [ ], put a comma between items, and quote a text that contains a colon and a space',
    ],
    [
      'a closing bracket',
      'welcomeMessage: ]',
      '7:19 this bracket has no opening bracket; remove it, or quote the text',
    ],
    ['a comment without a space', 'welcomeMessage: "Hi"#1', '7:23 a comment needs a space before its #'],
    ['a Markdown fence', '```', '7:3 this line is a Markdown fence, not YAML; remove it'],
    [
      'a tab in a text',
      'welcomeMessage: |\n\t\tHello',
      '8:3 this line is indented with a tab; indent YAML with spaces',
    ],
  ])('A mistake inside a line is one error in plain words: %s', async (_case, line, expected) => {
    expect(await rowProblems(agent(line))).toEqual([`agents/a.yaml:${expected}`]);
  });
});

describe('invalid YAML', () => {
  test.each([
    ['an open quote', agent('welcomeMessage: "hello'), 'agents/a.yaml:7:19 the quote that starts here is not closed'],
    [
      'a tab',
      agent('').replace('  title', '\ttitle'),
      'agents/a.yaml:5:1 this line is indented with a tab; indent YAML with spaces',
    ],
    [
      'a colon in a plain text',
      agent('welcomeMessage: now: open'),
      'agents/a.yaml:7:19 a text that contains a colon and a space, or ends with a colon, must be quoted',
    ],
    [
      'an unknown tag',
      agent('welcomeMessage: !secret x'),
      'agents/a.yaml:7:19 a value that starts with ! must be quoted',
    ],
    [
      'an alias to nothing',
      agent('welcomeMessage: *hello'),
      "agents/a.yaml:7:19 the alias '*hello' has no anchor before it; a text that starts with * must be quoted",
    ],
    [
      'an alias inside its own value',
      `${agent('')}extraSettings: { a: &a [*a] }\n`,
      "agents/a.yaml:8:25 the alias '*a' is inside the value that it refers to",
    ],
    [
      'a number that JSON lacks',
      `${agent('')}extraSettings: { a: .inf }\n`,
      "agents/a.yaml:8:21 '.inf' has no equivalent in JSON; write a number, or a string in quotes",
    ],
    [
      'a merge of a text',
      agent('<<: text'),
      "agents/a.yaml:7:3 the merge key '<<' accepts only an object or a list of objects",
    ],
    [
      'a merge of an alias to nothing',
      agent('<<: *base').replace('  title: Desk\n', ''),
      "agents/a.yaml:6:7 the alias '*base' has no anchor before it; a text that starts with * must be quoted",
    ],
    [
      'a comment after slashes in JSON',
      '{\n  // the desk\n  "apiVersion": "agentform/v1"\n}\n',
      'agents/a.yaml:2:3 a comment must begin with #',
    ],
    [
      'JSON without a comma',
      '{ "apiVersion": "agentform/v1" "kind": "Agent" }',
      'agents/a.yaml:1:32 put a comma between the items inside { } or [ ]',
    ],
    ['a list as a key', `${agent('')}extraSettings: { ? [a] : b }\n`, 'agents/a.yaml:8:20 a key must be a string'],
    [
      'an unquoted reference in braces',
      agent('', 'target: { token: ${secret.A} }'),
      'agents/a.yaml:7:19 a value with ${ must be quoted inside { } and [ ]',
    ],
  ])('Invalid YAML is one error with its place: %s', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([expected]);
  });

  test('A duplicate key is reported with both places.', async () => {
    expect(await rowProblems(agent('title: Again'))).toEqual([
      "agents/a.yaml:7:3 the key 'title' appears twice [first here agents/a.yaml:5:3]",
    ]);
  });

  test('An anchor that an alias uses is accepted.', async () => {
    expect(await rowProblems(agent('agentVoice: &voice Ann\nwelcomeMessage: *voice'))).toEqual([]);
  });

  test('The syntax problems of all files are reported together.', async () => {
    const found = await rowProblems('a: "x\n', { 'agents/b.yaml': 'b: [\n', 'agents/c.yaml': '' });
    expect(found.map((line) => line.split(':')[0])).toEqual(['agents/a.yaml', 'agents/b.yaml', 'agents/c.yaml']);
  });

  test.each([
    ['flow brackets', `extraSettings: { a: ${'['.repeat(50_000)}`],
    ['dashes', `${'- '.repeat(50_000)}a`],
    ['dashes before another key', `a:\n  ${'- '.repeat(50_000)}a\nb: 1\n`],
    ['question marks before another key', `a:\n  ${'? '.repeat(50_000)}a\nb: 1\n`],
    ['dashes before another document', `${'- '.repeat(50_000)}a\n---\nb: 1\n`],
    ['flow brackets that a line end leaves open', `a: ${'['.repeat(50_000)}\nb: 1\n`],
    ['indentation', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
  ])('YAML may be nested only to a limit by %s.', async (_case, text) => {
    const found = await rowProblems(text);
    expect(found).toEqual([
      expect.stringMatching(/^agents\/a\.yaml:\d+:\d+ values are nested more than 64 levels deep$/),
    ]);
  });

  test('Aliases that expand without end are refused.', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, row) => `  b${row + 1}: &b${row + 1} [${Array(10).fill(`*b${row}`).join(', ')}]`,
    );
    const text = `${agent('')}extraSettings:\n  b0: &b0 [x]\n${rows.join('\n')}\n`;
    expect(await rowProblems(text)).toEqual([
      'agents/a.yaml:1:1 the file has more than 20,000 values, including those of aliases and merge keys',
    ]);
  });

  test('A YAML file has a size limit.', async () => {
    expect(await rowProblems(`# ${'x'.repeat(1024 * 1024)}`)).toEqual([
      'agents/a.yaml:1:1 the manifest is too large: it is 1.0 MiB, but the limit is 1 MiB',
    ]);
  });

  test('A file that is not UTF-8 is refused.', async () => {
    const found = await rowProblems(agent(''), { 'agents/b.yaml': new Uint8Array([0x61, 0x3a, 0x20, 0xff]) });
    expect(found).toEqual([
      "agents/b.yaml:1:1 the manifest is not UTF-8 text: line 1, column 4 has the byte 0xFF ('ÿ' in Windows-1252); save the file as UTF-8",
    ]);
  });
});

test('A brace that is open at the end of the file is reported in plain words.', async () => {
  expect(await rowProblems('{ "apiVersion": "agentform/v1", "kind": "Agent", "name": "a"\n')).toEqual([
    'agents/a.yaml:2:1 a { above is not closed: add the }, or indent this line further if it belongs inside',
  ]);
});

test('A misspelt apiVersion is reported as unknown and as missing, each only once.', async () => {
  expect(await rowProblems(agent('').replace('apiVersion', 'apiversion'))).toEqual([
    "agents/a.yaml:1:1 apiVersion is missing: expected 'agentform/v1'",
    "agents/a.yaml:1:1 unknown key 'apiversion'; did you mean 'apiVersion'?",
  ]);
});
