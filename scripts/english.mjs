// Finds the English that CONTRIBUTING.md ("English") warns of, as far as a program can: in docs, help, messages, rules and comments.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { passagesOf } from './english/prose.mjs';

const maxWords = 30;

/** What a sentence must not have. The first group of a match is what the finding quotes. */
const patterns = [
  { name: 'begins with "Of"', regex: /^(Of)\b(?! course)/ },
  { name: 'whoever, somebody, nobody', regex: /\b(whoever|somebody|nobody)\b/i },
  { name: 'is told', regex: /\b((?:is|are|was|were|be) (?:not )?(?:told|said|looked at))\b/i },
  { name: 'is to be', regex: /\b((?:is|are|was|were) to be)\b/i },
  { name: 'stands', regex: /\b(stands?|stood)\b(?! (?:for|in for|alone)\b)/i },
  { name: 'lies', regex: /(?<!\bnot )\b(lies|lie|lay|lain)\b/i },
  { name: 'a clause as the subject', regex: /^(What (?!(?:is|are)\b)[^?,;:.]*\b(?:is|are)\b)[^?]*\w[^?]*[.;:]/ },
  { name: 'a clause as the subject', regex: /^(What (?:is|are)\b[^?,;:.]*\b(?:is|are)\b)[^?]*$/ },
  { name: 'is no', regex: /\b((?:is|are) no) (?!longer\b|more\b|different\b|such\b|one\b)(?<!there (?:is|are) no )/i },
];

/** What is right although a pattern finds it: a file or the beginning of paths, a pattern for the sentence, and why. */
const exceptions = [
  {
    path: 'CONTRIBUTING.md',
    sentence: /whoever|is told|is said before|is not looked at|It is no resource|stands, lies|is to be/i,
    why: 'the table of what to avoid',
  },
  { path: 'docs/security.md', sentence: /^CODE, "/, why: 'titles of tests' },
];

const sources = [
  { folder: '.', ext: '.md', flat: true },
  { folder: 'docs', ext: '.md' },
  { folder: 'examples', ext: '.md' },
  { folder: 'schemas', ext: '.schema.json', flat: true },
];

/** Generated pages, whose sources are read instead, decisions as they were made, and prompts of the examples. */
const leftOut = /^docs\/(?:reference|decisions)\/|^examples\/[^/]+\/prompts\/|^CHANGELOG\.md$/;

export function filesToRead(root) {
  return sources
    .flatMap(({ folder, ext, flat = false }) =>
      readdirSync(root + folder, { recursive: !flat, encoding: 'utf8' })
        .filter((name) => name.endsWith(ext) && !name.includes('node_modules'))
        .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
    )
    .filter((path) => !leftOut.test(path))
    .sort();
}

/** What is wrong with the prose of a file, each as `path:line: pattern: the sentence`. */
export function findingsIn(path, source) {
  return passagesOf(path, source).flatMap((passage) =>
    sentencesOf(passage.text).flatMap(({ start, sentence }) =>
      namesFor(sentence, passage.kind)
        .filter(() => !isException(path, sentence))
        .map((name) => `${path}:${passage.lineAt(start)}: ${name}: ${sentence}`),
    ),
  );
}

function sentencesOf(text) {
  return [...text.matchAll(/\S.*?(?:[.?!:](?=["')]?\s)|$)/g)].map((match) => ({
    start: match.index,
    sentence: match[0],
  }));
}

function namesFor(sentence, kind) {
  if (kind === 'quoted' && !/\w+ \w+ \w+/.test(sentence)) return [];
  const names = patterns.filter(({ regex }) => regex.test(sentence)).map(({ name }) => name);
  const words = sentence.split(' ').filter((word) => /\w/.test(word)).length;
  return words > maxWords ? [...names, `${words} words`] : names;
}

function isException(path, sentence) {
  return exceptions.some((one) => path.startsWith(one.path) && one.sentence.test(sentence));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const findings = filesToRead(root).flatMap((path) => findingsIn(path, readFileSync(root + path, 'utf8')));
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
