import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { notice, redactedNotice } from '../src/notices/notice.ts';
import { noticeJson, sentenceOf } from '../src/report/notices.ts';

const src = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

/** How code looks that reads a sentence: names of sentences with what takes texts apart, and commands between backticks. */
const readers = [
  /\b(?:message|sentence|warning|reason|refusal|note|finding|problem|hint|detail)s?(?:\?)?\.(?:startsWith|endsWith|includes|match|matchAll|split|replace|replaceAll|search|indexOf)\(/,
  /\.(?:test|exec)\((?:\w+\.)?(?:message|sentence|warning|reason|refusal|finding|problem|hint|detail)\)/,
  // The result of a function that makes a sentence.
  /\w*(?:[sS]entence|[rR]eason|[vV]erdict)\w*\([^()]*\)\.(?:startsWith|endsWith|includes|match|matchAll|split|replace|replaceAll|search|indexOf)\(/,
  /\.split\('`'\)/,
];

/** Sentences of others: nothing but their words says what they mean. */
const foreign = new Map([
  ['json/document.ts', "of Node's JSON"],
  ['yaml/syntax-problems.ts', 'of the YAML library'],
  ['yaml/values.ts', 'of the engine of regexes'],
  ['record/postgres/database.ts', 'of PostgreSQL'],
  ['commands/hold/hold.ts', 'of the person who holds something'],
  ['cli/usage.ts', 'of yargs, and whether ours asks'],
]);

test('No code parses a sentence of agentform.', () => {
  const found = files.flatMap((path) => {
    const isEmulator = path.startsWith('emulator/') || foreign.has(path);
    const lines = isEmulator ? [] : readFileSync(join(src, path), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      readers.some((reader) => reader.test(line)) ? [`${path}:${index + 1} ${line.trim()}`] : [],
    );
  });
  expect(found).toEqual([]);
});

test('A notice without its facts or remedies still has a sentence.', () => {
  const bare = notice('create-unclear', { kind: 'Nothing', startedAt: 'then' });
  expect(sentenceOf(bare)).toContain('the create that started at then got no response');
});

test('The sentence of a notice is one line, whatever texts its facts contain.', () => {
  expect(sentenceOf(notice('call-failed', { problem: 'refused\n  run this\u2028now' }))).toBe('refused   run this now');
});

test('The sentence of a notice in JSON shows remedies as commands that can be pasted.', () => {
  const stale = notice('stored-otherwise', { paths: ['skills[a].b'], address: 'Agent/x' }, [
    ['plan', "it's", '--field', 'skills[a].b', '-e', 'production'],
    ['--allow-older'],
  ]);
  expect(noticeJson(stale)).toEqual({
    ...stale,
    message:
      'Agent/x: the last apply sent skills[a].b, and the service stored another value; ' +
      "run `agentform plan 'it'\\''s' --field 'skills[a].b' -e production`",
  });
});

test('A secret is redacted everywhere in a notice.', () => {
  const hidden = redactedNotice(
    notice('read-failed', { problem: 'no s3cret', secret: 'TOKEN' }, [['record', 'adopt', 's3cret']]),
    (text) => text.replaceAll('s3cret', '***'),
  );
  expect(hidden).toEqual(notice('read-failed', { problem: 'no ***', secret: 'TOKEN' }, [['record', 'adopt', '***']]));
});
