import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { notice, redactedNotice } from '../../src/notices/notice.ts';
import { noticeJson, sentenceOf } from '../../src/report/notices.ts';
import { parse, parsed } from './parsed.ts';

/** Methods that split or search a text. */
const readers = new Set(
  'startsWith endsWith includes match matchAll split replace replaceAll search indexOf lastIndexOf'.split(' '),
);

/**
 * Matches names of values that may contain agentform's sentences, and names of functions that return such sentences.
 */
const sentenceName =
  /(?:advice|caption|detail|finding|hint|label|message|note|problem|reason|refusal|said|sentence|stderr|summary|title|warning|why)s?$|^(?:message|reason|sentence|verdict)s?\w*Of$/i;

/** Two words of prose, or one word beside a space. Only code that reads sentences searches for such texts. */
const prose = /(?<![\\\w])[a-z]{2,}(?:'\w+)? [a-z]{2,}|^\^?[a-z]{3,} | [a-z]{4,}$/i;

/** Code that reads stored texts or sentences of other programs, by file and function. */
const foreign: Readonly<Record<string, string>> = {
  'action/github/github.ts isForbidden': 'of GitHub',
  'action/github/github.ts isTemporary': 'of GitHub',
  'action/github/proposal.ts pushProblem': 'of git and the remote',
  'apply/resource-apply.ts isConfirmation': 'of the service',
  'commands/history/blame.ts sourceLines': 'a header line of git blame',
  'commands/hold/hold.ts requireReason': 'of the person who holds something',
  'commands/init/answers.ts problemWithName': 'the title of an agent',
  'git/command.ts gitMessage': 'of git',
  'git/command.ts withRemedy': 'of git',
  'git/objects.ts headCommit': 'the headers of a commit',
  'git/objects.ts parentsIn': 'the headers of a commit',
  'git/repository.ts askGit': 'of git',
  'json/document.ts jsonProblem': "of Node's JSON",
  'manifest/check/misread-values.ts cutByComment': 'of a manifest, before a comment',
  'manifest/project/project-files.ts fileReadingOf': 'the first words of a Git LFS pointer',
  'prompts/checks/contacts.ts invalidPhones': 'of a prompt',
  'prompts/checks/markdown.ts slugOf': 'a heading of a prompt',
  'prompts/checks/slots.ts findSlots': 'of a prompt',
  'prompts/checks/slots.ts isIntroduced': 'of a prompt',
  'prompts/checks/slots.ts isSingle': 'of a prompt',
  'prompts/checks/slots.ts isSlotName': 'of a prompt',
  'prompts/checks/slots.ts isShoutedSlot': 'of a prompt',
  'prompts/checks/slots.ts isOwnIdentity': 'of a prompt',
  'prompts/checks/slots.ts isVariable': 'of a prompt',
  'record/git/remote.ts isAbsent': 'of git',
  'record/git/remote.ts isLasting': 'of git',
  'record/git/remote.ts isReadOnly': 'of git',
  'record/git/remote.ts isFinalRejection': 'of git and the remote',
  'record/git/remote.ts rejectionIn': 'of git and the remote',
  'record/postgres/database.ts lastingReason': 'of PostgreSQL',
  'record/postgres/database.ts networkReason': 'of PostgreSQL',
  'record/postgres/store.ts lockedBy': 'the name of a database session, which is all that other runs see of it',
  'report/values.ts isPlural': 'the title of a setting',
  'session/base/ancestry.ts fetchMore': 'of git',
  'session/base/ancestry.ts holdsAll': 'a line of git cat-file',
  'session/plans/plan-origin.ts headIn': 'the message of a commit',
  'session/records/applier.ts mergedBy': 'the titles of merge commits of GitHub and GitLab',
  'testing/play.ts isTriggered': 'the answer of a caller in a Test',
  'yaml/syntax-problems.ts openQuote': 'of the YAML library',
  'yaml/syntax-problems.ts parserSentence': 'of the YAML library',
  'yaml/syntax-problems.ts structuralFault': 'of the YAML library',
  'yaml/syntax-problems.ts syntaxProblem': 'of the YAML library',
  'yaml/syntax-problems.ts syntaxSentence': 'of the YAML library',
  'yaml/values.ts compileProblem': "of Node's RegExp",
};

/** Words in the types, such as `not attempted`, are codes and not prose. */
const codes = new Set(parsed.flatMap(codesIn));

test('No code reads a sentence of agentform, and each exception is still needed.', () => {
  const found = parsed.flatMap(readersIn);
  expect(found.filter(({ place }) => foreign[place] === undefined)).toEqual([]);
  expect([...new Set(found.map(({ place }) => place))].sort()).toEqual(Object.keys(foreign).sort());
});

test.each([
  "problem.split('`')",
  "error.message.startsWith('x')",
  'const isHeld = /held/.test(sentenceOf(notice))',
  "lines[0]?.includes('run again')",
  "text === 'git gave no reason'",
  'refusal!.trim().match(known)',
  "const end = 'is not set'; const isSet = text.endsWith(end);",
])('The search for readers of sentences finds %s.', (code) => {
  expect(readersIn(parse('planted.ts', code))).toHaveLength(1);
});

test.each([
  "manifest.includes('kind')",
  "outcome === 'unchanged'",
  "['not set', 'set'].includes(x)",
  '/^[a-z]+$/.test(name)',
])('The search for readers of sentences does not find %s.', (code) =>
  expect(readersIn(parse('planted.ts', code))).toEqual([]),
);

function nodesIn(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return nodes;
}

function codesIn(file: ts.SourceFile): string[] {
  return nodesIn(file).flatMap((node) =>
    ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [node.literal.text] : [],
  );
}

function readersIn(file: ts.SourceFile): { readonly place: string; readonly code: string }[] {
  return nodesIn(file).flatMap((node) => {
    const { subject, pattern, isComparison } = readingOf(node) ?? {};
    if (subject === undefined) return [];
    const sought = pattern === undefined ? '' : textOf(pattern, file);
    const isReader =
      (!isComparison && sentenceName.test(nameOf(subject))) || (prose.test(sought) && !codes.has(sought));
    return isReader ? [{ place: `${file.fileName} ${functionOf(node)}`, code: node.getText() }] : [];
  });
}

interface Reading {
  readonly subject: ts.Node | undefined;
  readonly pattern: ts.Node | undefined;
  readonly isComparison?: true;
}

/** Which value a call or comparison reads, and what it searches for. */
function readingOf(node: ts.Node): Reading | undefined {
  if (ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText()))
    return { subject: node.left, pattern: node.right, isComparison: true };
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  const [first] = node.arguments;
  if (name.text === 'test' || name.text === 'exec') return { subject: first, pattern: expression };
  const isList = ts.isArrayLiteralExpression(expression);
  return readers.has(name.text) && !isList ? { subject: expression, pattern: first } : undefined;
}

/** The last name in an expression: a variable, a member, or the called function. */
function nameOf(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    return /^(?:at|slice|toLowerCase|toString|trim\w*)$/.test(name.text) ? nameOf(expression) : name.text;
  }
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  const isWrapper = ts.isCallExpression(node) || ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node);
  return isWrapper ? nameOf(node.expression) : '';
}

/** The text of a literal or regex. Either may be in a constant of the same file. */
function textOf(node: ts.Node, file: ts.SourceFile): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'));
  const constant =
    ts.isIdentifier(node) &&
    file.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) =>
        declarationList.declarations.filter(({ name }) => name.getText() === node.text),
      )[0]?.initializer;
  return constant ? textOf(constant, file) : '';
}

/** The name of the outermost function, method or constant that contains a node. */
function functionOf(node: ts.Node): string {
  const names: string[] = [];
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at) || ts.isVariableDeclaration(at))
      names.push(at.name?.getText() ?? '');
  }
  return names.at(-1) ?? '';
}

test('A notice without its facts or remedies still has a sentence.', () => {
  const bare = notice('create-unclear', { kind: 'Nothing', startedAt: 'then' });
  expect(sentenceOf(bare)).toContain('The create that started on then has no recorded result');
});

test('The sentence of a notice is one line, whatever texts its facts contain.', () => {
  expect(
    sentenceOf(notice('call-failed', { problem: { code: 'git-failed', text: 'refused\n  run this\u2028now' } })),
  ).toBe('refused   run this now');
});

test('The sentence of a notice in JSON shows remedies as commands that can be pasted.', () => {
  const stale = notice('stored-otherwise', { paths: ['skills[a].b'], address: 'Agent/x' }, [
    ['plan', "it's", '--field', 'skills[a].b', '-e', 'production'],
    ['--allow-older'],
  ]);
  expect(noticeJson(stale)).toEqual({
    ...stale,
    message:
      'the last apply sent skills[a].b, but the service stored another value and may do so again. To see the difference, ' +
      "run `agentform plan 'it'\\''s' --field 'skills[a].b' -e production`",
  });
});

test('A secret is redacted everywhere in a notice.', () => {
  const hidden = redactedNotice(
    notice('read-failed', { problem: { code: 'service-refused', text: 'no s3cret', secret: 'TOKEN' } }, [
      ['record', 'adopt', 's3cret'],
    ]),
    (text) => text.replaceAll('s3cret', '***'),
  );
  expect(hidden).toEqual(
    notice('read-failed', { problem: { code: 'service-refused', text: 'no ***', secret: 'TOKEN' } }, [
      ['record', 'adopt', '***'],
    ]),
  );
});
