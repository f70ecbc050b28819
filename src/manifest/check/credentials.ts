import { isSensitiveAt, sensitiveNames } from '../../kinds/sensitive.ts';
import type { KindName } from '../../schemas/fields.ts';
import { lineEnd, lineStart } from '../../text/lines.ts';
import { quote } from '../../text/wording.ts';
import { isLiteral, secretOf } from '../../yaml/interpolate.ts';
import { errorAt, type Problem, problemsOfEach, type Span } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import { childrenOf, describePath, keyAt, membersIn, type Node, type ScalarNode, scalarsOf } from '../../yaml/tree.ts';
import { keysAt, mayBeSensitive } from '../../yaml/violations.ts';

/** Checks that a token is a secret reference. Messages never quote a literal token, and code frames mask it. */
export function checkToken(token: Node, key: Span, source: SourceFile): Problem[] {
  if (secretOf(token) !== undefined) return [];
  hideValue(token, source);
  const message =
    'write a token as ${secret.NAME}, with its value in the process variable NAME; a literal token does not belong in a file';
  return [{ ...errorAt(key, 'token-literal', message), hideSource: true }];
}

/**
 * Checks query parameters. A parameter named `token` is not allowed, because plans and records show the query. Other
 * parameters whose names indicate a credential must be secret references.
 */
export function checkQuery(query: Node | undefined, source: SourceFile): Problem[] {
  hideInPlaceOfMap(query, source);
  return problemsOfEach(membersIn(query), ([name, { key, value }]) => {
    const isToken = name === 'token';
    if (!isToken && (!isNameOfCredential(name) || secretOf(value) !== undefined)) return [];
    hideValue(value, source);
    const message = isToken
      ? 'the query cannot set the token; write `token: ${secret.NAME}` beside the query'
      : `write the query parameter ${quote(name)} as \${secret.NAME}, with its value in the process variable NAME; a literal credential does not belong in a file`;
    return [{ ...errorAt(key, 'token-literal', message), hideSource: true }];
  });
}

/**
 * Whether the name of a query parameter indicates a credential. Short words, such as `sig`, count only as whole words.
 */
function isNameOfCredential(name: string): boolean {
  return (
    /(?:token|secret|password|passwd|pwd|(?:api|access|secret|private|subscription)[-_]?key|credentials?|signature)$/i.test(
      name,
    ) ||
    /(?:^|[-_.])(?:auth|authorization|sig|pass)$/i.test(name) ||
    /(?:Auth|Authorization|Sig|Pass)$/.test(name)
  );
}

/**
 * Masks a value that is written where a map is required. Since the map could contain a token, the value may be that
 * token.
 */
export function hideInPlaceOfMap(node: Node | undefined, source: SourceFile): void {
  if (node !== undefined && node.type !== 'map') hideValue(node, source);
}

/** Masks a value. An empty value has the place of its key, so it stays visible. */
export function hideValue(node: Node, source: SourceFile): void {
  for (const [, scalar] of scalarsOf(node)) if (scalar.value !== null) source.hide(scalar.at);
}

interface CredentialsInput {
  readonly kind: KindName;
  /** The file before merging and resolving. */
  readonly root: Node;
  readonly source: SourceFile;
}

/**
 * Checks that each text in a sensitive value is exactly one `${secret.NAME}`. Also allows null, booleans, and numbers
 * that are sent as written. Masks literal texts and numbers, even if the name of the sensitive value is misspelt.
 */
export function checkCredentials({ kind, root, source }: CredentialsInput): Problem[] {
  const problems: Problem[] = [];
  const left: (readonly [steps: readonly string[], node: Node])[] = [[[], root]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [steps, node] = next;
    const known = keysAt(kind, steps.slice(0, -1));
    const key = steps.at(-1);
    const isUnknown = key !== undefined && known.length > 0 && !known.includes(key);
    // Check only the outermost values that are or may be sensitive.
    if (!isSensitiveAt(kind, steps) && !(isUnknown && mayBeSensitive(kind, steps))) {
      const children = node.type === 'scalar' ? [] : childrenOf(node);
      left.push(...children.map(([step, child]) => [[...steps, step], child] as const));
      continue;
    }
    for (const [yamlPath, scalar] of scalarsOf(node, steps)) {
      if (scalar.value === null || typeof scalar.value === 'boolean' || secretOf(scalar) !== undefined) continue;
      source.hide(scalar.at);
      const reason = isSensitiveAt(kind, steps) && yamlPath !== steps ? reasonAgainst(scalar) : undefined;
      if (reason === undefined) continue;
      // The message names only the sensitive field, because the keys inside it may be secret too.
      const message = `${describePath(root, steps)} ${reason}`;
      problems.push({ ...errorAt(keyAt(root, yamlPath), 'secret-literal', message), hideSource: true });
    }
  }
  return problems;
}

/**
 * Why a value inside a sensitive setting is not allowed. Undefined for a number that is sent as written. A literal text
 * is not allowed because it may be a credential. An unquoted number may change, because YAML reads 0012 as 12 and 1.50
 * as 1.5.
 */
function reasonAgainst({ value, source }: ScalarNode): string | undefined {
  if (typeof value === 'string') {
    return 'must not contain a literal credential: write ${secret.NAME}, and set the process variable NAME to the value';
  }
  if (String(value) === source) return undefined;
  return 'contains a number that would not be sent as written: write ${secret.NAME}, and set the process variable NAME to the value';
}

/** Whether a text is a URL with a password. In longer texts, the prompt checks find such URLs. */
export function isUrlWithPassword(text: string): boolean {
  return text.includes('://') && /^\s*[a-z][a-z\d+.-]*:\/\/[^\s/?#@:]*:[^\s/?#@]+@\S*\s*$/i.test(text);
}

export function passwordInUrl(at: Span): Problem {
  const message = 'this is a URL with a password: write ${secret.NAME}, and set the process variable NAME to the URL';
  return { ...errorAt(at, 'secret-literal', message), hideSource: true };
}

/**
 * Reports URLs with a literal password anywhere in a file, even in a variable that nothing uses. Texts with references
 * are checked after they are resolved. `hasOwnCheck` tells which values another check reports.
 */
export function checkUrls(
  root: Node,
  source: SourceFile,
  hasOwnCheck: (steps: readonly string[]) => boolean = () => false,
): Problem[] {
  return problemsOfEach(scalarsOf(root), ([steps, { value, at }]) => {
    if (typeof value !== 'string' || !isUrlWithPassword(value) || !isLiteral(value) || hasOwnCheck(steps)) return [];
    source.hide(at);
    return [passwordInUrl(at)];
  });
}

/** Reports a reference without a value whose name may be a pasted credential. The message does not repeat the name. */
export function pastedSecret(at: Span): Problem {
  const message =
    'this name has no value, and looks like a key or a token: write ${secret.NAME}, and set the process variable NAME to the value';
  return { ...errorAt(at, 'secret-literal', message), hideSource: true };
}

/** In a file that cannot be parsed as a resource, masks all values whose keys look like credentials. */
export function hideCredentialBlocks(source: SourceFile): void {
  let hidden = 0;
  for (const match of source.text.matchAll(sensitiveKey)) {
    const start = match.index + match[0].length;
    if (start < hidden) continue;
    hidden = endOfBlock(source.text, start);
    source.hide(source.span(start, hidden));
  }
}

/**
 * Matches the keys of sensitive settings and keys that look like credentials. Also matches the keys `target` and
 * `query` if a text follows on the same line.
 */
const sensitiveKey = new RegExp(
  `(?<![\\w.-])['"]?(?:(?:${[...sensitiveNames].join('|')}|[\\w.-]*(?:token|secret|password|passwd|pwd|key|credentials?|signature|auth|authorization|sig|pass))['"]?[ \\t]*:|(?:target|query)['"]?[ \\t]*:(?=[ \\t]+[^\\s{#&*]))`,
  'gi',
);

/**
 * The end of a key's block. The block ends before the next line that is not indented deeper than the key, unless a
 * bracket or quote is still open.
 */
function endOfBlock(text: string, start: number): number {
  const indent = indentOf(text.slice(lineStart(text, start), start));
  let end = lineEnd(text, start);
  let open = openIn(text.slice(start, end));
  while (end < text.length) {
    const line = text.slice(end + 1, lineEnd(text, end + 1));
    if (line.trim() !== '' && indentOf(line) <= indent && !isOpen(open)) break;
    open = sum(open, openIn(line));
    end = lineEnd(text, end + 1);
  }
  return end;
}

/**
 * The counts of brackets and quotes that may still be open. An odd count of quotes means that a quote is open. The
 * counts are approximate, because masking too much is safer than masking too little.
 */
type Open = readonly [brackets: number, double: number, single: number];

function openIn(text: string): Open {
  const count = (characters: RegExp): number => text.match(characters)?.length ?? 0;
  return [count(/[{[]/g) - count(/[}\]]/g), count(/"/g), count(/'/g)];
}

function sum(a: Open, b: Open): Open {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function isOpen([brackets, double, single]: Open): boolean {
  return brackets > 0 || double % 2 === 1 || single % 2 === 1;
}

function indentOf(line: string): number {
  return line.search(/[^ \t]|$/);
}
