import fc from 'fast-check';

/** A member of a random file, and its lines. */
export interface RandomMember {
  readonly name: string;
  readonly value: string;
  readonly lines: readonly string[];
}

const word = fc
  .stringMatching(/^[a-z][a-z0-9é]{0,7}$/)
  .filter((one) => !/^(?:y|n|yes|no|on|off|true|false|null)$/.test(one));
const words = fc.array(word, { minLength: 1, maxLength: 12 }).map((all) => all.join(' '));
const comment = fc.constantFrom('', '', '   # note', ' # "a": [b]');

/** Texts of all kinds that people type into a dashboard. */
export const liveText = fc.oneof(
  words,
  fc
    .array(fc.oneof(words, fc.constantFrom('', '  indented', '- item', '# Title', 'a: b')), {
      minLength: 1,
      maxLength: 6,
    })
    .map((lines) => lines.join('\n')),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\n',
    'yes',
    'null',
    '12',
    '0x1f',
    '~',
    "it's",
    'say "x"',
    'a #b',
    'a: b',
    '- a',
    '${x}',
    '%a',
    '@a',
    '`a',
    '!a',
    '&a',
    '*a',
    '| a',
    'a\tb',
    'end\n\n',
    '{a}',
    '[a',
    'a, b',
    '<<',
    '---',
    '...',
    'a\r\nb',
    '\ud83d',
  ),
);

/** A member in one of YAML's styles. */
function member(name: string): fc.Arbitrary<RandomMember> {
  const lines = fc.array(words, { minLength: 1, maxLength: 4 });
  const written = (value: string, text: readonly string[]): RandomMember => ({ name, value, lines: text });
  return fc.oneof(
    fc.tuple(words, comment).map(([text, note]) => written(text, [`  ${name}: ${text}${note}`])),
    fc.tuple(words, comment).map(([text, note]) => written(text, [`  ${name}: &${name} '${text}'${note}`])),
    fc.tuple(words, comment).map(([text, note]) => written(`${text}: "x"`, [`  ${name}: "${text}: \\"x\\""${note}`])),
    fc
      .tuple(lines, comment)
      .map(([text, note]) =>
        written(`${text.join('\n')}\n`, [`  ${name}: |${note}`, ...text.map((line) => `    ${line}`)]),
      ),
    fc
      .tuple(lines, comment)
      .map(([text, note]) => written(text.join(' '), [`  ${name}: >-${note}`, ...text.map((line) => `      ${line}`)])),
    fc
      .tuple(lines, comment)
      .map(([text, note]) =>
        written(text.join('\n'), [
          `  ${name}: >-${note}`,
          ...text.flatMap((line, index) => (index === 0 ? [`    ${line}`] : ['', `    ${line}`])),
        ]),
      ),
    lines.map((text) =>
      written(text.join(' '), [`  ${name}: ${text[0]}`, ...text.slice(1).map((line) => `    ${line}`)]),
    ),
  );
}

const between = fc.array(fc.constantFrom('', '  # a comment', '# at the margin'), { maxLength: 2 });

export interface RandomFile {
  readonly text: string;
  readonly members: readonly RandomMember[];
  /** The first and the last line of each member. */
  readonly spans: ReadonlyMap<string, readonly [number, number]>;
}

/** A file with a map of texts under `settings`, with comments between the texts, and with LF or CRLF line endings. */
export const randomFile: fc.Arbitrary<RandomFile> = fc
  .tuple(
    fc
      .array(fc.nat(), { minLength: 1, maxLength: 6 })
      .chain((all) => fc.tuple(...all.map((_, index) => fc.tuple(member(`m${index}`), between)))),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([members, lineEnd, isOpen]) => {
    const lines = ['# head', 'settings: # all of them'];
    const spans = new Map<string, readonly [number, number]>();
    for (const [one, gap] of members) {
      spans.set(one.name, [lines.length, lines.length + one.lines.length - 1]);
      lines.push(...one.lines, ...gap);
    }
    lines.push('rest: { a: b, "c": [d] } # tail');
    return { text: lines.join(lineEnd) + (isOpen ? '' : lineEnd), members: members.map(([one]) => one), spans };
  });
