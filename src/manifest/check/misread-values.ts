import { fieldAt } from '../../kinds/field-path.ts';
import { isKindName } from '../../kinds/kind.ts';
import { isSensitiveAt } from '../../kinds/sensitive.ts';
import type { FieldSchema } from '../../schemas/fields.ts';
import { lineEnd } from '../../text/lines.ts';
import { codePointName } from '../../text/visible.ts';
import { quote, shorten } from '../../text/wording.ts';
import { type Fix, type FixAction, type Problem, problemsOfEach, type Span } from '../../yaml/problem.ts';
import type { LintRuleName } from '../../yaml/rules.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import { type Node, type ScalarNode, scalarsOf } from '../../yaml/tree.ts';

interface CheckedFile {
  readonly kind: string;
  readonly root: Node;
  readonly source: SourceFile;
}

/** A scalar as its author wrote it. */
interface Written {
  readonly node: ScalarNode;
  readonly source: SourceFile;
  readonly field: FieldSchema | undefined;
}

/** What YAML makes of a text, and the text that its author probably meant. */
interface Misread {
  readonly rule: LintRuleName;
  readonly message: string;
  readonly at?: Span;
  readonly fix?: Fix;
}

/** If several checks find something in a value, the first of them counts. */
const checks = [inQuotes, besideSpace, afterAnchor, cutByComment, withComma, folded];

/** Finds values that are valid YAML, but that probably do not mean what their authors intended. */
export function misreadProblems({ kind, root, source }: CheckedFile): Problem[] {
  return problemsOfEach(scalarsOf(root), ([steps, node]) => {
    if (node.at.file !== source.path) return [];
    const own = steps[0] === 'environments' && kind !== 'Project' ? steps.slice(2) : steps;
    const field = isKindName(kind) ? fieldAt(kind, own) : undefined;
    const one = { node, source, field };
    const misread = checks.map((check) => check(one)).find((found) => found !== undefined);
    if (misread === undefined) return [];
    const { rule, message, at = node.at, fix } = misread;
    const found = { severity: 'warning', rule, at } as const;
    if (isKindName(kind) && isSensitiveAt(kind, own)) {
      return [{ ...found, message: hiddenMessages[rule] ?? message, hideSource: true }];
    }
    // Another check has already reported a credential in clear text.
    if (isMasked(node.at, source)) return [];
    return [{ ...found, message, ...(fix && { found: node.source ?? '', fixes: [fix] }) }];
  });
}

/** The messages for values that must not be shown. */
const hiddenMessages: Readonly<Partial<Record<LintRuleName, string>>> = {
  'text-anchor': 'the first word of this value is an anchor; quote the whole value',
  'text-comment': 'a comment without a space after its # ends this value; quote the whole value',
};

/** Whether a value may be a credential, so that code frames do not show it. */
function isMasked({ offset, end }: Span, source: SourceFile): boolean {
  return source.shown().slice(offset, end) !== source.text.slice(offset, end);
}

/** The typographic quotes that can end a text, by the quote at its beginning. */
const closings: Readonly<Record<string, string>> = {
  '\u201c': '\u201d',
  '\u201d': '\u201d',
  '\u201e': '\u201c\u201d',
  '\u2018': '\u2019',
  '\u2019': '\u2019',
  '\u201a': '\u2018\u2019',
  '\u00ab': '\u00bb',
  '\u00bb': '\u00ab',
};

function inQuotes({ node: { at, source: text = '' }, field }: Written): Misread | undefined {
  const [open = '', close = ''] = [text.charAt(0), text.slice(1).slice(-1)];
  const [closing, inner] = [closings[open], text.slice(1, -1)];
  // In a text such as `“A” or “B”`, the first and the last quote are not a pair.
  if (closing === undefined || close === '' || !`${closing}"'`.includes(close) || inner.includes(open))
    return undefined;
  const message = `the quotes ${open} and ${close} are part of the value, because YAML recognises only straight quotes`;
  const action = field?.types.includes('string') === false ? 'unquote' : 'quote';
  return { rule: 'text-quotes', message, fix: rewriting(at, text, { action, text: inner.trim() }) };
}

const oddSpaces = '\\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u2060\\u3000\\ufeff';
const besideOddSpace = new RegExp(`^[${oddSpaces}]|[${oddSpaces}](?=#|$)`);

function besideSpace({ node: { at, source: text = '' } }: Written): Misread | undefined {
  const [space] = besideOddSpace.exec(text) ?? [];
  if (space === undefined) return undefined;
  const name = space === '\u00a0' ? 'a no-break space' : 'an unusual space';
  const bare = text.trim();
  const message = `${name} (${codePointName(space)}) is part of the value, because YAML treats it as a letter`;
  const isClean = bare !== '' && !besideOddSpace.test(bare);
  return { rule: 'text-space', message, ...(isClean && { fix: rewriting(at, text, { action: 'write', text: bare }) }) };
}

function afterAnchor({ node: { at, unusedAnchor }, source: file }: Written): Misread | undefined {
  if (unusedAnchor === undefined) return undefined;
  const { offset, end } = unusedAnchor;
  const anchor = shorten(file.text.slice(offset, end), 40);
  const message = `${quote(anchor)} is not part of the value, because YAML treats it as an anchor, and no alias uses it`;
  const text = file.text.slice(offset, at.end);
  const edits = text.includes('\n') ? [] : [{ at: file.span(offset, at.end), text: JSON.stringify(text) }];
  return { rule: 'text-anchor', message, fix: { action: 'quote', text, edits } };
}

/** Matches the start of a comment without a space after its `#`. Such a comment is probably part of a text. */
const tightCommentMark = /:?[ \t]+#[\p{L}\p{N}]/uy;

const anyCommentMark = /[ \t]+#/y;

/** Matches a text that cannot end here, because it names a key to press, or because its last word joins two parts. */
const unfinished =
  /(?:^|[\s"'(])(?:press|pressing|dial|dialing|dialling|push|tap|hit|enter|and|or|the|followed by|pulse|pulsa|presione|presiona|oprima|oprime|marque|marca|y|o|la|luego|seguido de)$/i;

/**
 * Finds a comment that looks like part of the value, as in `Desk #1` or `Press # to continue`. A usual comment has a
 * space after its `#`, and follows a complete text.
 */
function cutByComment({ node: { at, value, source = '' }, source: file, field }: Written): Misread | undefined {
  const isEmpty = value === null && source === '';
  if (field?.choices !== undefined || !(isEmpty || (typeof value === 'string' && source !== ''))) return undefined;
  const mark = unfinished.test(source.slice(-20)) ? anyCommentMark : tightCommentMark;
  mark.lastIndex = at.end;
  if (!mark.test(file.text)) return undefined;
  const rest = file.text.slice(at.end, lineEnd(file.text, at.end)).trimEnd();
  const comment = rest.slice(rest.indexOf('#'));
  const end = at.end + rest.length;
  const start = isEmpty ? end - comment.length : at.offset;
  const text = file.text.slice(start, end);
  const message = `${quote(shorten(comment, 40))} is a comment, so the value is ${isEmpty ? 'empty' : `only ${quote(shorten(source, 40))}`}`;
  // The bracket may be needed to close a list or an object.
  if (/[\]}]/.test(comment)) return { rule: 'text-comment', message };
  const edits = text.includes('\n') ? [] : [{ at: file.span(start, end), text: JSON.stringify(text) }];
  return { rule: 'text-comment', message, fix: { action: 'quote', text, edits } };
}

function withComma({ node: { at, source: text = '' }, field }: Written): Misread | undefined {
  const end = text.slice(-1);
  const isProse = field?.textForm === undefined && !text.includes('\n') && !/&#?\w+;$/.test(text.slice(-12));
  if (!isProse || text.length < 2 || !/[,;]/.test(end) || at.end - at.offset !== text.length) return undefined;
  const message = `the ${end === ',' ? 'comma' : 'semicolon'} at the end is part of the value`;
  return { rule: 'text-comma', message, fix: rewriting(at, text, { action: 'write', text: text.slice(0, -1) }) };
}

/** Matches the beginning of a list item or a heading. */
const lineMark = /^\s*(?:[-*\u2022]|#{1,6}|(\d{1,2})[.)]) /;

/** Finds the lines that begin a list item or a heading. A number alone may end a sentence on the line above. */
function isMarkedIn(lines: readonly string[]): (line: string) => boolean {
  const numbers = new Set(lines.flatMap((line) => lineMark.exec(line)?.[1] ?? []).map(Number));
  return (line) => {
    const [mark, digits] = lineMark.exec(line) ?? [];
    const number = Number(digits);
    return mark !== undefined && (digits === undefined || numbers.has(number - 1) || numbers.has(number + 1));
  };
}

/** Finds a list or heading whose line YAML joins to the line above, as it does for all texts that do not begin with |. */
function folded({ node: { at, value }, source: file }: Written): Misread | undefined {
  const [head = '', ...lines] = file.text.slice(at.offset, at.end).split('\n');
  if (typeof value !== 'string' || lines.length === 0 || head.startsWith('|')) return undefined;
  const isBlock = head.startsWith('>');
  const indent = lines
    .filter((line) => line.trim() !== '')
    .reduce((least, line) => Math.min(least, indentOf(line)), Number.POSITIVE_INFINITY);
  const isMarked = isMarkedIn([head.replace(/^["']/, ''), ...lines]);
  let above = isBlock ? '' : head;
  let offset = at.offset + head.length + 1;
  for (const line of lines) {
    // In a block, YAML keeps the lines that are indented further. In double quotes, a backslash removes the line break.
    const isIndented = isBlock && (indentOf(line) > indent || indentOf(above) > indent);
    const isKept = above.trim() === '' || isIndented || (head.startsWith('"') && above.trimEnd().endsWith('\\'));
    if (!isKept && isMarked(line))
      return foldedAt(
        file.span(offset + indentOf(line), offset + line.length),
        isBlock ? file.span(at.offset, at.offset + 1) : undefined,
      );
    offset += line.length + 1;
    above = line;
  }
  return undefined;
}

function foldedAt(at: Span, mark: Span | undefined): Misread {
  if (mark === undefined) {
    const message =
      'YAML joins this line to the line above; to keep the lines of a text, begin it with | on the line of its key';
    return { rule: 'text-folded', message, at };
  }
  const fix = { action: 'write', text: '|', edits: [{ at: mark, text: '|' }] } as const;
  return {
    rule: 'text-folded',
    message: 'this text begins with >, so YAML joins this line to the line above',
    at,
    fix,
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Matches texts that YAML would read as something else without quotes, such as a comment or a key. */
const needsQuotes = /^(?:[^\p{L}\p{N}+-]|[+-](?:\P{N}|$))|:$/u;

/** The fix that replaces a plain scalar. Has no edit if the scalar spans several lines. */
function rewriting(
  at: Span,
  found: string,
  { action, text }: { readonly action: FixAction; readonly text: string },
): Fix {
  const written = action === 'quote' || needsQuotes.test(text) ? JSON.stringify(text) : text;
  return { action, text, edits: at.end - at.offset === found.length ? [{ at, text: written }] : [] };
}
