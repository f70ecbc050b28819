import { Composer, type CST, type Document, Parser, type YAMLError } from 'yaml';
import type { Problem } from './problem.ts';
import { errorAt } from './problem-list.ts';
import type { SourceFile } from './source-file.ts';
import type { Node } from './tree.ts';
import { maxDepth, TreeBuilder } from './tree-builder.ts';
import { lowerFirst } from './wording.ts';

export interface ParsedYaml {
  /** Absent if the file holds no single document that can be read. */
  readonly root?: Node;
  readonly problems: readonly Problem[];
}

/** Reads the one YAML document of a file. */
export function parseYaml(source: SourceFile): ParsedYaml {
  const tokens = [...new Parser().parse(source.text)];
  const tooDeep = tokenBelow(tokens, maxDepth);
  if (tooDeep !== undefined) {
    const at = source.span(tooDeep, tooDeep + 1);
    return { problems: [errorAt(at, 'yaml-depth', `values nest more than ${maxDepth} levels deep`)] };
  }
  const documents = [...new Composer(composeOptions).compose(tokens, true, source.text.length)];
  return readDocuments(source, documents);
}

/** Duplicate keys and merge keys are the tree builder's, which can show both places. */
export const composeOptions = { version: '1.2', uniqueKeys: false, merge: false, prettyErrors: false } as const;

/** Once the parser is lost, it stumbles over token after token; that is told once. */
function readDocuments(source: SourceFile, documents: readonly Document.Parsed[]): ParsedYaml {
  const [document, second] = documents;
  const problems = documents
    .flatMap(({ errors, warnings }) => [...errors, ...warnings])
    .filter((error, index) => index === 0 || error.code !== 'UNEXPECTED_TOKEN')
    .map((error) => syntaxProblem(source, error));
  if (problems.length > 0) return { problems };
  if (second !== undefined) return { problems: [secondDocument(source, second)] };
  if (document?.contents == null || isEmpty(document.contents)) {
    return { problems: [errorAt(source.span(0, 0), 'file-empty', 'the file is empty: it should hold one resource')] };
  }
  const builder = new TreeBuilder(source);
  const root = builder.build(document.contents);
  return root === undefined ? { problems: builder.problems } : { root, problems: builder.problems };
}

function isEmpty(contents: { readonly range?: readonly number[] | null }): boolean {
  return contents.range?.[0] === contents.range?.[1];
}

function secondDocument(source: SourceFile, document: Document.Parsed): Problem {
  const start = document.contents?.range?.[0] ?? document.range[0];
  const marker = source.text.lastIndexOf('---', start);
  const at = marker < 0 ? source.span(start, start + 1) : source.span(marker, marker + 3);
  return errorAt(at, 'file-documents', 'a second document begins here: a file holds exactly one resource');
}

function syntaxProblem(source: SourceFile, error: YAMLError): Problem {
  const [start, end] = error.pos;
  const at = source.span(start, Math.max(end, start + 1));
  if (source.text.startsWith('${', start - 1)) {
    return errorAt(at, 'yaml-syntax', 'a value with ${ has to be quoted inside { } and [ ]');
  }
  // The parser repeats what it stumbled on after a colon; that may be a credential.
  const text = error.code === 'TAG_RESOLVE_FAILED' ? error.message : error.message.replace(/:\s.*$/s, '');
  const message = lowerFirst(text.replace(/\.$/, '').replace(/["']quote$/, 'quote'));
  return errorAt(at, 'yaml-syntax', message);
}

/** The offset of a token that nests deeper than allowed. A loop, because recursion is what it guards against. */
function tokenBelow(tokens: readonly CST.Token[], limit: number): number | undefined {
  const open: Array<readonly [CST.Token, number]> = tokens.map((token) => [token, 0]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, depth] = next;
    if (depth > limit) return token.offset;
    for (const child of childTokens(token)) open.push([child, depth + Number('items' in token)]);
  }
  return undefined;
}

function childTokens(token: CST.Token): CST.Token[] {
  if ('items' in token) return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat());
  return token.type === 'document' && token.value !== undefined ? [token.value] : [];
}
