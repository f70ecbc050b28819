import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { mayBePastedSecret } from '../secrets/secret.ts';
import { conflictMarkIn, gitConflictCommands, strayMarkIn } from '../text/lines.ts';
import { formatNumber, quote } from '../text/wording.ts';
import { errorAt, type Problem, type Span } from './problem.ts';
import type { SourceFile } from './source-file.ts';
import { mustBeQuoted, oddSpaceIn, syntaxProblems, withoutOddSpaces, wrongComment } from './syntax-problems.ts';
import { childrenOf, headOf, type Member, membersIn, type Node, type ScalarNode } from './tree.ts';

interface ParsedYaml {
  /** The document. Absent if the file is not a single readable document. */
  readonly root?: Node;
  readonly problems: readonly Problem[];
}

/** Parses a file with one YAML document. */
export function parseYaml(source: SourceFile): ParsedYaml {
  const conflict = conflictProblem(source);
  if (conflict !== undefined) return { problems: [conflict] };
  const tokens = tokensOf(source.text);
  if (typeof tokens === 'number') {
    const at = source.span(tokens, tokens + 1);
    return { problems: [errorAt(at, 'yaml-depth', `values are nested more than ${maxDepth} levels deep`)] };
  }
  const documents = [...new Composer(composeOptions).compose(tokens, true, source.text.length)];
  const [document, second] = documents;
  const errors = documents.flatMap((each) => [...each.errors, ...each.warnings]);
  const stray = errors[0] && conflictProblem(source, strayMarkIn(source.text));
  if (stray !== undefined) return { problems: [stray] };
  // After one error, the parser also fails at many later tokens. `syntaxProblems` drops these later errors.
  if (errors.length > 0) return { problems: syntaxProblems(source, documents, errors) };
  if (second !== undefined) return { problems: [secondDocument(source, second)] };
  const contents = document?.contents;
  if (contents == null || contents.range?.[0] === contents.range?.[1]) {
    return {
      problems: [
        errorAt(
          source.span(0, 0),
          'file-empty',
          'the file is empty: expected YAML that begins with apiVersion and kind',
        ),
      ],
    };
  }
  const builder = new TreeBuilder(source);
  const root = builder.build(contents);
  return root === undefined ? { problems: builder.problems } : { root, problems: builder.problems };
}

/**
 * The string values of a top-level key in each document. In a file with syntax errors, reads as many documents as
 * possible.
 */
export function textsAtTop(text: string, key: string): string[] {
  const tokens = tokensOf(text);
  if (typeof tokens === 'number') return [];
  return [...new Composer(composeOptions).compose(tokens, true, text.length)].flatMap((document) => {
    const { contents } = document;
    const pairs = isMap(contents) ? contents.items : [];
    return pairs.flatMap((pair) => {
      if (!isScalar(pair.key) || pair.key.value !== key) return [];
      const value = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
      return isScalar(value) && typeof value.value === 'string' ? [value.value] : [];
    });
  });
}

/** Reports unresolved merge conflicts only once, because they cause the other errors. */
export function conflictProblem(source: SourceFile, offset = conflictMarkIn(source.text)): Problem | undefined {
  if (offset === undefined) return undefined;
  const message =
    'the file contains merge conflict markers; edit the file to keep the lines that you want. To keep one whole side, ' +
    gitConflictCommands(source.path);
  return errorAt(source.span(offset, offset + 7), 'merge-conflict', message);
}

/**
 * The parser ignores duplicate keys and merge keys. `TreeBuilder` handles duplicate keys and merge keys, and reports
 * both locations of a duplicate key.
 */
export const composeOptions = { version: '1.2', uniqueKeys: false, merge: false, prettyErrors: false } as const;

function secondDocument(source: SourceFile, document: Document.Parsed): Problem {
  const start = document.contents?.range?.[0] ?? document.range[0];
  const marker = source.text.lastIndexOf('---', start);
  const at = marker < 0 ? source.span(start, start + 1) : source.span(marker, marker + 3);
  return errorAt(
    at,
    'file-documents',
    'a second document starts here, but a file may contain only one; move this document to another file',
  );
}

/**
 * Parses a text into tokens. Returns the offset of the first token that is nested too deeply. The parser closes nested
 * values recursively, so thousands of open lists would overflow its stack.
 */
function tokensOf(text: string): CST.Token[] | number {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    // The document and its top-level value do not count as nested.
    if (parser.stack.length > maxDepth + 2) return parser.stack.at(-1)?.offset ?? 0;
  }
  return [...tokens, ...parser.end()];
}

/** The maximum nesting depth. Without a limit, a file full of brackets could overflow the parser's stack. */
const maxDepth = 64;

/**
 * The maximum number of values in a file, counting expanded aliases. The limit is needed because checking lists against
 * a schema takes quadratic time.
 */
const maxValues = 20_000;

/** Builds the tree of a document. Resolves aliases and merge keys, and stores the location of each value. */
class TreeBuilder {
  readonly problems: Problem[] = [];
  readonly #source: SourceFile;
  /** The values of anchors. A value is undefined while it is being read. This is used to detect cycles. */
  readonly #anchors = new Map<string, Node | undefined>();
  /** The number of values in each node, including the node itself. A shared node counts every time it is used. */
  readonly #sizes = new Map<Node, number>();

  /** The nesting depth of each node. If the node contains aliases, the depth includes the aliased values. */
  readonly #depths = new Map<Node, number>();
  /** The number of members in merged maps, plus one for each of these maps. */
  #merged = 0;
  /** The places of the anchors of plain texts that no alias has used yet. */
  readonly #unusedAnchors = new Map<Node, Span>();
  /** Whether the tree differs from what the author meant, because a mistake changed or removed a part of it. */
  #isDistorted = false;

  constructor(source: SourceFile) {
    this.#source = source;
  }

  /**
   * Builds the tree. Undefined if the tree has too many values, or if a mistake changed its structure. Values from
   * aliases and merge keys are counted each time they are used.
   */
  build(contents: ParsedNode): Node | undefined {
    const root = this.#node(contents, undefined);
    if (this.#isDistorted) return undefined;
    for (const [node, unusedAnchor] of this.#unusedAnchors) Object.assign(node, { unusedAnchor });
    if ((this.#sizes.get(root) ?? 1) <= maxValues && this.#merged <= maxValues) return root;
    const message = `the file has more than ${formatNumber(maxValues)} values, including those of aliases and merge keys`;
    this.problems.push(errorAt(this.#source.span(0, 0), 'yaml-aliases', message));
    return undefined;
  }

  #node(yaml: ParsedNode | null, key: Span | undefined): Node {
    if (isAlias(yaml)) return this.#alias(yaml.source, this.#span(yaml));
    const anchor = yaml !== null && 'anchor' in yaml ? yaml.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    let node: Node = { type: 'scalar', at: key ?? this.#source.span(0, 0), value: null };
    if (isScalar(yaml)) node = this.#scalar(yaml, key);
    else if (isMap(yaml)) node = this.#map(yaml);
    else if (isSeq(yaml)) {
      const items = yaml.items.map((item) => this.#node(item as ParsedNode, undefined));
      node = { type: 'list', at: this.#span(yaml), items };
    }
    let [size, depth] = [1, Number(node.type !== 'scalar')];
    for (const [, child] of node.type === 'scalar' ? [] : childrenOf(node)) {
      size += this.#sizes.get(child) ?? 1;
      depth = Math.max(depth, (this.#depths.get(child) ?? 0) + 1);
    }
    this.#sizes.set(node, size);
    this.#depths.set(node, depth);
    if (depth === maxDepth + 1) {
      this.problems.push(errorAt(headOf(node), 'yaml-depth', `values are nested more than ${maxDepth} levels deep`));
    }
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #alias(anchor: string, at: Span): Node {
    const node = this.#anchors.get(anchor);
    if (node !== undefined) {
      this.#unusedAnchors.delete(node);
      return node;
    }
    const reason = this.#anchors.has(anchor)
      ? 'is inside the value that it refers to'
      : 'has no anchor before it; a text that starts with * must be quoted';
    this.problems.push(errorAt(at, 'yaml-alias', `the alias ${quote(`*${anchor}`)} ${reason}`));
    return nothing(at);
  }

  #scalar(yaml: Scalar.Parsed, key: Span | undefined): ScalarNode {
    const [start, end] = yaml.range;
    const at = start === end && key !== undefined ? key : this.#source.span(start, end);
    const unreadable = this.#scalarProblem(yaml);
    if (unreadable !== undefined) {
      this.problems.push(unreadable);
      return nothing(at);
    }
    const source = yaml.type === 'PLAIN' && yaml.source !== undefined ? { source: yaml.source } : {};
    const node = { type: 'scalar', at, value: yaml.value as ScalarNode['value'], ...source } as const;
    if (yaml.anchor !== undefined && yaml.type === 'PLAIN') {
      this.#unusedAnchors.set(node, this.#markBefore(start, `&${yaml.anchor}`));
    }
    return node;
  }

  /** The problem with a scalar that has no value in JSON, or no value where its author meant one. */
  #scalarProblem({ type, value, source, tag, anchor, range: [start, end] }: Scalar.Parsed): Problem | undefined {
    if (value === '' && type?.startsWith('BLOCK_')) {
      const message = `no text follows this ${this.#source.text[start]}: indent the text further than its key, or write "" for an empty text`;
      return errorAt(this.#source.span(start, start + 1), 'yaml-syntax', message);
    }
    // Without an indentation by plain spaces, the items of a list are a text.
    const isList = type === 'PLAIN' && /^[^\S ]\s*- /.test(source);
    if (isList && /\n *$/.test(this.#source.text.slice(Math.max(0, start - 100), start))) {
      return oddSpaceIn(this.#source, this.#source.span(start, end));
    }
    if (tag === '!') return errorAt(this.#markBefore(start, tag), 'yaml-syntax', mustBeQuoted(tag));
    if (anchor !== undefined && start === end) {
      return errorAt(this.#markBefore(start, `&${anchor}`), 'yaml-syntax', mustBeQuoted('&'));
    }
    const isJson = value === null || ['boolean', 'string'].includes(typeof value) || Number.isFinite(value);
    if (isJson) return undefined;
    const message = `${quote(source)} has no equivalent in JSON; write a number, or a string in quotes`;
    return errorAt(this.#source.span(start, end), 'yaml-value', message);
  }

  /** The place of the anchor or tag before a scalar that starts at the offset. */
  #markBefore(start: number, mark: string): Span {
    const from = this.#source.text.lastIndexOf(mark, start - 1);
    return this.#source.span(from, from + mark.length);
  }

  #map(yaml: YAMLMap.Parsed): Node {
    const at = this.#span(yaml);
    if (this.#source.text.startsWith('{{', at.offset)) {
      const message = 'a value that starts with {{ must be quoted; to insert a variable, write ${var.NAME}';
      this.problems.push(errorAt(at, 'yaml-syntax', message));
      return nothing(at);
    }
    const members = new Map<string, Member>();
    const merged: Node[] = [];
    for (const pair of yaml.items) {
      const key = this.#key(pair.key);
      if (key === undefined) continue;
      const value = this.#node(pair.value, key.at);
      if (key.isMerge) for (const map of this.#mergedMaps(value, key.at)) merged.push(map);
      else if (members.has(key.name)) this.#duplicate(key.name, key.at, members.get(key.name)?.key);
      else members.set(key.name, { key: key.at, value });
    }
    // A map's own members override merged members, and an earlier merged map overrides a later one.
    for (const node of merged) {
      this.#merged += node.type === 'map' ? node.members.size + 1 : 0;
      if (this.#merged > maxValues) break;
      for (const [name, member] of membersIn(node)) if (!members.has(name)) members.set(name, member);
    }
    return { type: 'map', at, members };
  }

  #key(yaml: ParsedNode): { readonly name: string; readonly at: Span; readonly isMerge: boolean } | undefined {
    const at = this.#span(yaml);
    const key = isAlias(yaml) ? this.#alias(yaml.source, at) : this.#node(yaml, undefined);
    if (key.type === 'scalar' && key.value !== null) {
      const odd = oddSpaceIn(this.#source, key.at);
      if (odd !== undefined) this.problems.push(odd);
      const written = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
      if (key.source !== undefined && /^\/[/*]/.test(written)) {
        this.#isDistorted = true;
        this.problems.push(errorAt(this.#source.span(at.offset, at.offset + 2), 'yaml-syntax', wrongComment));
        return undefined;
      }
      this.#isDistorted ||= odd?.at?.offset === key.at.offset;
      // Without the odd spaces, the key causes no further problems.
      const name = odd === undefined ? written : withoutOddSpaces(written);
      if (mayBePastedSecret(name)) this.#source.hide(at);
      return { name, at, isMerge: name === '<<' && key.source !== undefined };
    }
    this.problems.push(errorAt(at, 'yaml-key', 'a key must be a string'));
    return undefined;
  }

  #mergedMaps(value: Node, at: Span): Node[] {
    const maps = value.type === 'list' ? [...value.items] : [value];
    if (maps.every(({ type }) => type === 'map')) return maps;
    this.#isDistorted = true;
    const isReported = maps.some((map) => map.type === 'scalar' && map.opaque);
    if (!isReported)
      this.problems.push(errorAt(at, 'yaml-merge', "the merge key '<<' accepts only an object or a list of objects"));
    return [];
  }

  #duplicate(name: string, at: Span, first: Span | undefined): void {
    const problem = errorAt(at, 'yaml-duplicate-key', `the key ${quote(name)} appears twice`);
    this.problems.push(first === undefined ? problem : { ...problem, also: { message: 'first here', at: first } });
  }

  #span(yaml: ParsedNode): Span {
    const [start, end] = yaml.range;
    return this.#source.span(start, Math.max(end, start + 1));
  }
}

/** Makes a placeholder for an unreadable value. The placeholder is opaque, so that it causes no further problems. */
function nothing(at: Span): ScalarNode {
  return { type: 'scalar', at, value: null, opaque: true };
}
