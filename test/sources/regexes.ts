import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import recheck from 'recheck/lib/browser.js';
import ts from 'typescript';
import { parsed, src } from './parsed.ts';

// Checks that every regex in `src` takes linear time for any text. The library recheck proves this, but needs a minute
// for all regexes. So proven regexes are listed, and tests prove only new regexes. PROVE_REGEXES=1 adds new regexes to
// the list. Otherwise, every run of the tests would prove them again. To prove all regexes again, replace the list with
// `[]` first.

/** Regexes that recheck cannot prove, by file and constant or function, each with the reason why it is safe. */
const exceptions: Readonly<Record<string, string>> = {
  'manifest/check/credentials.ts sensitiveKey':
    'names from the schemas, one of which begins nowhere but at the edge of a word',
  'yaml/values.ts compileProblem': 'the regex of a user, which is compiled to see whether it is one, and never run',
  'yaml/source-file.ts literalCredential': 'begins only at the edge of a word, and files have a limit',
  'secrets/masked-text.ts pattern': 'the regex of a policy, which is proven to be linear when the policy is read',
  'report/plan/groups.ts pattern': 'one of a list of plain texts, the values of variables',
  'yaml/interpolate.ts pattern': 'one of a list of plain texts, with at most one character before and after',
};

interface Found {
  /** The file, and the constant or function that contains the regex. */
  readonly place: string;
  readonly text: string;
  /** The source. Undefined if it is built at run time. */
  readonly source: string | undefined;
  readonly flags: string;
}

const found = parsed.flatMap((file) => regexesIn(resolve(src, file.fileName), file));

test('The search for regexes covers every folder of the sources and their constants.', () => {
  const places = (some: readonly Found[]) => [...new Set(some.map(({ place }) => place))];
  expect(found.length).toBeGreaterThan(200);
  expect(Object.keys(exceptions)).toEqual(
    expect.arrayContaining(places(found.filter((one) => one.source === undefined))),
  );
  expect(places(found)).toEqual(expect.arrayContaining(Object.keys(exceptions)));
});

const provenFile = resolve(import.meta.dirname, 'regexes.proven.json');
const isProving = process.env.PROVE_REGEXES === '1';
const listed = new Set<string>(JSON.parse(readFileSync(provenFile, 'utf8')));
const toProve = found
  .filter(({ place }) => exceptions[place] === undefined)
  .map((one) => ({ ...one, regex: `/${one.source}/${one.flags}` }));

describe('a regex', () => {
  const proven = new Set<string>();

  test.each(toProve)('A regex takes linear time at most: $place $text', ({ source = '', flags, regex }) => {
    if (!listed.has(regex)) expect(statusOf(source, flags)).toBe('safe');
    proven.add(regex);
  });

  test('The list of proven regexes is current, or PROVE_REGEXES=1 makes it current.', () => {
    const regexes = [...proven].sort();
    if (isProving) writeFileSync(provenFile, `${JSON.stringify(regexes, null, 2)}\n`);
    else expect(regexes).toEqual([...listed]);
  });
});

/** The time limit in milliseconds. The slowest proof takes some seconds, or longer on a busy machine. */
const patience = 600_000;

/**
 * Lookarounds and long repetitions are too complex for the automaton. For these regexes, recheck searches for a text
 * that makes them slow, with a fixed seed.
 */
function statusOf(source: string, flags: string): string {
  const proof = recheck.checkSync(source, flags, { checker: 'automaton', timeout: patience });
  if (proof.status !== 'unknown') return proof.status;
  return recheck.checkSync(source, flags, { checker: 'fuzz', randomSeed: 1, timeout: patience }).status;
}

test('The search for regexes finds quadratic ones.', () => {
  expect(statusOf('\\s+$', '')).toBe('vulnerable');
});

function regexesIn(path: string, file: ts.SourceFile): Found[] {
  const regexes: Found[] = [];
  const visit = (node: ts.Node): void => {
    const at = () => ({ place: `${file.fileName} ${homeOf(node)}`, text: node.getText(file) });
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      regexes.push({ ...at(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      regexes.push({
        ...at(),
        source: source && constant(source, path),
        flags: (flags && constant(flags, path)) ?? '',
      });
    }
    node.forEachChild(visit);
  };
  visit(file);
  return regexes;
}

/** The name of the constant or function that contains a node. */
function homeOf(node: ts.Node): string {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isVariableDeclaration(at) || ts.isFunctionDeclaration(at)) return at.name?.getText() ?? '';
  }
  return '';
}

/** The constant text of an expression: literals, templates, sums, and constants of this or another module. */
function constant(node: ts.Expression, path: string): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return template(node, path, false);
  if (ts.isTaggedTemplateExpression(node)) {
    if (node.tag.getText() !== 'String.raw') return undefined;
    const { template: raw } = node;
    return ts.isTemplateExpression(raw) ? template(raw, path, true) : (raw.rawText ?? '');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return joined([constant(node.left, path), constant(node.right, path)]);
  }
  return ts.isIdentifier(node) ? constantNamed(node.text, path) : undefined;
}

function template({ head, templateSpans }: ts.TemplateExpression, path: string, isRaw: boolean): string | undefined {
  const textOf = (part: ts.TemplateLiteralLikeNode) => (isRaw ? (part.rawText ?? '') : part.text);
  const spans = templateSpans.flatMap(({ expression, literal }) => [constant(expression, path), textOf(literal)]);
  return joined([textOf(head), ...spans]);
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

function constantNamed(name: string, path: string): string | undefined {
  const file = parsed.find(({ fileName }) => resolve(src, fileName) === path);
  for (const statement of file?.statements ?? []) {
    if (ts.isVariableStatement(statement) && statement.declarationList.flags & ts.NodeFlags.Const) {
      const own = statement.declarationList.declarations.find((one) => one.name.getText() === name);
      if (own?.initializer !== undefined) return constant(own.initializer, path);
    }
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const names = statement.importClause?.namedBindings;
      const isHere =
        names !== undefined && ts.isNamedImports(names) && names.elements.some((one) => one.name.text === name);
      if (isHere) return constantNamed(name, resolve(path, '..', statement.moduleSpecifier.text));
    }
  }
  return undefined;
}
