// Searches docs, help, messages, rules and comments for the patterns that CONTRIBUTING.md ("English") warns about, as
// far as a program can find them.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { passagesOf } from './english/prose.mjs';

const maxWords = 25;

/** Patterns that a sentence must not have. A finding quotes the first group of the match. */
const patterns = [
  { name: 'begins with "Of"', regex: /^(Of)\b(?! course)/ },
  { name: 'whoever, somebody, nobody', regex: /\b(whoever(?! owns)|somebody|nobody)\b/i },
  { name: 'is told', regex: /\b((?:is|are|was|were|be) (?:not )?(?:told|said|looked at))\b/i },
  { name: 'is to be', regex: /\b((?:is|are|was|were) to be)\b/i },
  { name: 'stands', regex: /\b(stands?|stood)\b(?! (?:for|in for|alone)\b)/i },
  { name: 'lies', regex: /(?<!\bnot )\b(lies|lie|lay|lain)\b/i },
  {
    name: 'a clause as the subject',
    regex: /^(What (?!(?:is|are)\b)[^?,;:.]*\b(?:is|are)\b)(?! \w+ (?:with|against|from)[.:])[^?]*\w[^?]*[.;:]/,
  },
  { name: 'a clause as the subject', regex: /^(What (?:is|are)\b[^?,;:.]*\b(?:is|are)\b)[^?]*$/ },
  { name: 'has to', regex: /\b(ha(?:s|ve) to)\b/i },
  { name: 'of its own', regex: /\b(of (?:its|their|his|your) own)\b/i },
  { name: 'at once', regex: /\b(at once)\b/i },
  { name: 'by itself', regex: /\b(by (?:itself|themselves))\b/i },
  { name: 'is no', regex: /\b((?:is|are) no) (?!longer\b|more\b|different\b|such\b|one\b)(?<!there (?:is|are) no )/i },
];

/**
 * Exceptions from the patterns, with reasons. An exception applies to files whose path begins with one of `paths`. It
 * may be limited to a kind of passage and a sentence.
 */
const exceptions = [
  {
    paths: ['CONTRIBUTING.md'],
    sentence:
      /whoever|is told|is said before|is not looked at|It is no resource|stands, lies|is to be|of its own|at once/i,
    why: 'the table of what to avoid',
  },
  { paths: ['docs/security.md'], sentence: /^CODE, "/, why: 'titles of tests' },
  { paths: ['src/plan/fields/causes.ts'], sentence: /^\|/, why: 'a table' },
  {
    paths: ['src/prompts/checks/language.ts', 'src/kinds/service-forms.ts', 'src/apply/resource-apply.ts'],
    kind: 'quoted',
    why: 'lists of words',
  },
  {
    paths: ['src/report/html/stylesheet.ts'],
    why: 'a style and drawings',
  },
  {
    paths: ['src/report/'],
    sentence: /if nobody answers/,
    why: 'the mark of the choice that counts without an answer',
  },
  {
    paths: ['src/record/postgres/', 'src/commands/completion/', 'src/report/html/page.ts'],
    kind: 'quoted',
    why: 'texts in other languages',
  },
];

const sources = [
  { folder: '.', ext: '.md', flat: true },
  { folder: '.github', ext: '.md' },
  { folder: 'bench', ext: '.md', flat: true },
  { folder: 'docs', ext: '.md' },
  { folder: 'test', ext: '.md' },
  { folder: 'examples', ext: '.md' },
  { folder: 'schemas', ext: '.schema.json', flat: true },
  { folder: 'src', ext: '.ts' },
  { folder: 'editors', ext: '.md' },
  { folder: 'editors', ext: '.ts' },
];

/**
 * Matches files that are not checked: generated files, whose sources are checked instead, and the prompts in the
 * examples.
 */
const leftOut = /^(?:docs\/reference|src\/schemas)\/|^examples\/[^/]+\/prompts\/|^CHANGELOG\.md$/;

export function filesToRead(root) {
  return sources.flatMap((source) => filesIn(root, source)).filter((path) => !leftOut.test(path));
}

function filesIn(root, { folder, ext, flat = false }) {
  return readdirSync(root + folder, { recursive: !flat, encoding: 'utf8' })
    .filter((name) => name.endsWith(ext) && !name.includes('node_modules'))
    .map((name) => (folder === '.' ? name : `${folder}/${name}`))
    .sort();
}

/** Finds the patterns in the prose of a file. Each finding is `path:line: pattern: the sentence`. */
export function findingsIn(path, source) {
  return passagesOf(path, source).flatMap((passage) =>
    sentencesOf(passage).flatMap(({ start, sentence }) =>
      namesFor(sentence, passage.kind)
        .filter(() => !isException({ path, sentence, kind: passage.kind }))
        .map((name) => `${path}:${passage.lineAt(start)}: ${name}: ${sentence}`),
    ),
  );
}

/**
 * Splits a passage into sentences. An item of a list counts as a sentence. In messages, a semicolon also ends a
 * sentence.
 */
function sentencesOf({ text, kind }) {
  const end = kind === 'quoted' ? /\S.*?(?:[.?!;](?=["')]?\s)|(?= - )|$)/g : /\S.*?(?:[.?!](?=["')]?\s)|(?= - )|$)/g;
  return [...text.matchAll(end)].map((match) => ({ start: match.index, sentence: match[0] }));
}

function namesFor(sentence, kind) {
  if (kind === 'quoted' && !/\w+ \w+ \w+/.test(sentence)) return [];
  const names = patterns.filter(({ regex }) => regex.test(sentence)).map(({ name }) => name);
  const words = sentence.split(' ').filter((word) => /\w/.test(word)).length;
  return words > maxWords ? [...names, `${words} words`] : names;
}

/** Matches a test title that continues the sentence of a group's title. Titles of groups may continue a sentence. */
const continuedTitle =
  /(?<=\(\s*)(?<!\bdescribe(?:\.each\([\w.]+\))?\(\s*)(['"`])((?:is|are|was|were|has|have|does|do|and|or|but|nor|that|which|whose) (?:\\.|(?!\1).)*)\1,\s*(?:async )?(?:\(|\w+ =>)/g;

/** Finds test titles that cannot be read alone. Returns each as `path:line: pattern: the title`. */
export function titlesIn(path, source) {
  return [...source.matchAll(continuedTitle)].map(({ index, 2: title }) => {
    const line = source.slice(0, index).split('\n').length;
    return `${path}:${line}: a title in the middle of a sentence: ${title}`;
  });
}

function isException({ path, sentence, kind }) {
  return exceptions.some(
    (one) =>
      one.paths.some((start) => path.startsWith(start)) &&
      (one.kind ?? kind) === kind &&
      (one.sentence === undefined || one.sentence.test(sentence)),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const read = (path) => readFileSync(root + path, 'utf8');
  const findings = [
    ...filesToRead(root).flatMap((path) => findingsIn(path, read(path))),
    ...filesIn(root, { folder: 'test', ext: '.test.ts' }).flatMap((path) => titlesIn(path, read(path))),
  ];
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
