import { cached, withoutUndefined } from '../../../json/json.ts';
import { fieldAt, settingPath, textRoleAt } from '../../../kinds/field-path.ts';
import { isSensitiveAt, mayIncludeFile, mayPatch } from '../../../kinds/sensitive.ts';
import type { KindName } from '../../../schemas/fields.ts';
import { MaskedText } from '../../../secrets/masked-text.ts';
import { entryOf, entryVariable, isSecretName, mayBePastedSecret, secretReference } from '../../../secrets/secret.ts';
import { textInFile } from '../../../text/lines.ts';
import { applyPatch, type PatchedText, readPatch } from '../../../text/patch.ts';
import { joinWithOr, quote, shorten } from '../../../text/wording.ts';
import { mayAllow, withoutAllowComments } from '../../../yaml/allow-comments.ts';
import { renaming } from '../../../yaml/fix.ts';
import {
  isLiteral,
  isSpecial,
  type Reference,
  secretOf,
  splitText,
  type TextPiece,
} from '../../../yaml/interpolate.ts';
import { conflictProblem } from '../../../yaml/parse-yaml.ts';
import { errorAt, maxProblems, type Problem, type Span } from '../../../yaml/problem.ts';
import type { Rule } from '../../../yaml/rules.ts';
import type { SourceFile } from '../../../yaml/source-file.ts';
import { includedPath, isText, type Member, type Node, type Patched, type ScalarNode } from '../../../yaml/tree.ts';
import { typesAt } from '../../../yaml/violations.ts';
import { isUrlWithPassword, pastedSecret } from '../../check/credentials.ts';
import { maxTextCharacters, textSizeProblem } from '../../check/kind-checks.ts';
import { type ProjectFiles, pathMeantBy, textLimit } from '../../project/project-files.ts';
import { isMissing, type MissingVariable, type Scope, type Variable } from './scope.ts';

interface ResolverInput {
  readonly kind: KindName;
  readonly files: ProjectFiles;
  readonly scope: Scope;
}

interface AcceptedValue {
  readonly types?: readonly string[] | undefined;
  /** The allowed values, with their explanations in the schema. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** Whether to convert numbers and booleans to text, with their digits and letters as written. */
  readonly asText?: boolean;
  /**
   * Whether the text instructs the agent or is spoken. Comments in such a text may allow prompt findings. These
   * comments are removed before the text is sent.
   */
  readonly isProse?: boolean;
  /** The name of the value in the error message. Set only if the value must not contain a secret. */
  readonly noSecret?: string | undefined;
}

/**
 * The maximum lengths of texts while they are resolved, in characters. A manifest counts each text again for every
 * reference and patch in it. The total length is limited, because requests and plans keep many copies in memory. In
 * large projects, this limit grows with the number of manifests.
 */
export const maxCharacters = {
  text: maxTextCharacters,
  manifest: 16 * maxTextCharacters,
  all: 32 * textLimit,
  ofEach: 8192,
} as const;

type Marked = Extract<TextPiece, { index: number }>;

/**
 * Inserts files, variables and secrets into a merged tree. Collects all problems. A value with a problem becomes
 * opaque.
 */
export class ValueResolver {
  readonly problems: Problem[] = [];
  /** The locations of values whose problem is reported where their variable is declared. */
  readonly reported: Span[] = [];
  /** The value of each requested variable, or the reason why the variable has no value, by name. */
  readonly variables = new Map<string, Variable | MissingVariable>();
  /** The names of all used secrets. */
  readonly secrets = new Set<string>();
  readonly #input: ResolverInput;
  /** The secret entries that variables choose. The key is the reference as written. */
  readonly #entries = new Map<string, string>();
  /** The number of inserted characters. */
  characters = 0;

  constructor(input: ResolverInput) {
    this.#input = input;
  }

  /** Resolves sections or a part of them. Returns the same node if no value changes. */
  resolve(node: Node, steps: readonly string[]): Node {
    const included = includedPath(node, 'file');
    const { kind } = this.#input;
    if (included !== undefined && mayIncludeFile(kind, steps)) return this.#include(included, node, steps);
    const patch = includedPath(node, 'patch');
    if (patch !== undefined && mayPatch(kind, steps)) return this.#patch(patch, node, steps);
    if (node.type === 'scalar') {
      if (isSensitiveAt(kind, steps)) return this.#credential(node);
      const isPlain = typeof node.value === 'string' && !isSpecial(node.value) && !mayAllow(node.value);
      return isPlain ? node : this.scalar(node, wantedAt(kind, steps));
    }
    if (node.type === 'list') {
      const items = node.items.map((item, index) => this.resolve(item, [...steps, String(index)]));
      return items.every((item, index) => item === node.items[index]) ? node : { ...node, items };
    }
    let members: Map<string, Member> | undefined;
    for (const [name, { key, value }] of node.members) {
      const resolved = this.resolve(value, [...steps, name]);
      if (resolved === value) continue;
      members ??= new Map(node.members);
      members.set(name, { key, value: resolved });
    }
    return members === undefined ? node : { ...node, members };
  }

  /** Resolves a credential. Skips a literal credential, because the file check reports it. */
  #credential(node: ScalarNode): ScalarNode {
    if (typeof node.value === 'string' && secretOf(node) === undefined) return placeholder(node);
    return { ...this.scalar(node, {}), sensitive: true };
  }

  scalar(node: ScalarNode, wanted: AcceptedValue): ScalarNode {
    const filled =
      typeof node.value === 'string' && isSpecial(node.value) ? this.#fill(node, node.value, wanted) : node;
    const { types = [], values, asText } = wanted;
    const text = wanted.isProse ? asProse(filled, node.value) : filled;
    const { value, raw } = text;
    if (text.opaque || value === null) return text;
    if (typeof value === 'string') return raw === undefined ? text : convertText(text, value, { types, values });
    const wantsText = asText || (types.includes('string') && !types.includes(typeof value));
    // Whether a literal may become text. The schema requires quotes around a number, but accepts `true` for 'true'.
    const isMeant = asText || raw !== undefined || Object.hasOwn(values ?? {}, String(value));
    if (!wantsText || !isMeant) return text;
    const written = text.source ?? String(value);
    return convertText({ ...text, value: written }, written, { types, values });
  }

  #include(path: ScalarNode, node: Node, steps: readonly string[]): Node {
    // The schema does not check extra settings.
    const isEmpty = path.value === '' && steps[0] === 'extraSettings';
    if (isEmpty) this.problems.push(errorAt(path.at, 'file', 'the path of a file must not be empty'));
    const from = this.#read(path);
    if (from === undefined) return { ...placeholder(path), ...ownPlaces(node) };
    const value = textInFile(from.text);
    // The files of a fleet's members may be blank on purpose.
    if (value.trim() === '' && isLiteral(String(path.value))) {
      const message = `the file ${quote(String(path.value))} contains no text; write the text, or write "" in place of the file`;
      this.problems.push({ severity: 'warning', rule: 'text-blank', message, at: path.at });
    }
    const text: ScalarNode = { type: 'scalar', ...ownPlaces(node), value, from };
    return this.scalar(text, wantedAt(this.#input.kind, steps));
  }

  /**
   * Reads the file that a value names. If reading fails, adds a problem and returns undefined. The schema reports an
   * empty path.
   */
  #read(path: ScalarNode): SourceFile | undefined {
    if (path.value === '') return undefined;
    const reference = this.scalar(path, { noSecret: 'the path of a file' });
    if (reference.opaque) return undefined;
    const fileReading = this.#input.files.readReference(path.at.file, String(reference.value), textLimit);
    if (fileReading.failure !== undefined) {
      const problem = errorAt(path.at, 'file', `the file ${quote(String(reference.value))} ${fileReading.failure}`);
      this.problems.push({ ...problem, ...pathMeantBy(reference, fileReading) });
      return undefined;
    }
    const conflict = conflictProblem(fileReading.source);
    if (conflict !== undefined) {
      this.problems.push({ ...conflict, also: { message: 'used here', at: path.at } });
      return undefined;
    }
    return this.#fits(path, fileReading.source.text.length) ? fileReading.source : undefined;
  }

  #patch(path: ScalarNode, node: Node, steps: readonly string[]): Node {
    const patched = this.#patched(path, node);
    if (patched === undefined) return { ...placeholder(path), ...ownPlaces(node) };
    const text: ScalarNode = { type: 'scalar', ...ownPlaces(node), value: patched.after, patched };
    return this.scalar(text, wantedAt(this.#input.kind, steps));
  }

  /**
   * Applies a patch to an inherited text, before variables are inserted. Each file in a chain may patch the text that
   * it inherits. If a patch cannot be applied, adds a problem and returns undefined.
   */
  #patched(path: ScalarNode, node: Node): Patched | undefined {
    if (path.value === '') return undefined;
    const under = node.type === 'map' ? node.under : undefined;
    if (under === undefined || (under.type === 'scalar' && typeof under.value !== 'string')) {
      const message = 'no base declares a text to patch here; write the text itself, or use `file`';
      this.problems.push(errorAt(path.at, 'patch', message));
      return undefined;
    }
    const inherited = this.#inherited(under);
    const by = this.#read(path);
    if (inherited === undefined || by === undefined) return undefined;
    const read = readPatch(by.text);
    if (read.failure !== undefined) {
      this.problems.push(errorAt(path.at, 'patch', `the patch ${quote(by.path)} ${read.failure}`));
      return undefined;
    }
    const patched = applyPatch(inherited.text, read.hunks);
    if (patched.misfit !== undefined) {
      this.problems.push(misfitProblem(by, patched, inherited));
      return undefined;
    }
    if (!this.#fits(path, patched.text.length)) return undefined;
    const { from, at, under: beneath } = inherited;
    const files = [by.path, ...inherited.files];
    const { text: after, runs } = patched;
    const sources = withoutUndefined({ from, under: beneath });
    return { by, before: inherited.text, after, runs, at, files, ...sources };
  }

  #inherited(under: Node): Inherited | undefined {
    const included = includedPath(under, 'file');
    const patch = includedPath(under, 'patch');
    if (included !== undefined) {
      const from = this.#read(included);
      return from && { text: textInFile(from.text), from, files: [from.path], at: under.at };
    }
    if (patch !== undefined) {
      const patched = this.#patched(patch, under);
      return patched && { text: patched.after, from: patched.by, files: patched.files, at: under.at, under: patched };
    }
    if (isText(under)) return { text: under.value, files: [], at: under.at };
    this.problems.push(
      errorAt(under.at, 'patch', 'this value is not text, so a patch cannot change it; write the new value itself'),
    );
    return undefined;
  }

  #fill(node: ScalarNode, text: string, wanted: AcceptedValue): ScalarNode {
    const pieces = splitText(text);
    const [only] = pieces;
    if (pieces.length === 1 && isReference(only) && only.type === 'var') return this.#whole(node, only);
    const known = this.problems.length;
    const parts: Array<string | undefined> = [];
    for (const piece of pieces) {
      parts.push(this.#part(node, piece, wanted));
      if (this.problems.length - known > maxProblems) return { ...placeholder(node), raw: text };
    }
    const references = pieces.some(({ type }) => type !== 'literal');
    // Keep unknown references as written, so that changes to them are visible.
    const texts = pieces.map(({ text: own }, index) => parts[index] ?? own);
    const length = texts.reduce((sum, own) => sum + own.length, 0);
    if (!this.#fits(node, length)) return { ...placeholder(node), raw: text };
    const shown = pieces.map(({ type, text: own }, index) =>
      type === 'secret' ? { reference: own } : (texts[index] ?? ''),
    );
    const hasSecret = pieces.some(({ type }) => type === 'secret');
    return {
      ...node,
      ...(references ? { raw: this.#rawOf(pieces, text) } : {}),
      ...(hasSecret ? { sensitive: true as const, masked: new MaskedText(shown) } : {}),
      value: texts.join(''),
      ...(parts.includes(undefined) ? { opaque: true as const } : {}),
    };
  }

  /**
   * Whether a text is within the limits. Call this before joining texts, because repeated variables could make a text
   * arbitrarily large.
   */
  #fits(node: ScalarNode, length: number): boolean {
    const { size } = this.#input.scope;
    this.characters += length;
    size.characters += length;
    if (length > maxCharacters.text) this.#reportSize(node, 'the text', [length, maxCharacters.text]);
    else if (this.characters > maxCharacters.manifest)
      this.#reportSize(node, 'the texts of the manifest', [this.characters, maxCharacters.manifest]);
    else if (size.characters > size.max) this.#reportSize(node, 'all texts', [size.characters, size.max]);
    else return true;
    return false;
  }

  #reportSize({ at }: ScalarNode, what: string, size: readonly [count: number, max: number]): void {
    // Report only one problem, because later texts usually exceed the limit too.
    if (this.problems.some(({ rule }) => rule === 'text-size')) return;
    this.problems.push(textSizeProblem(at, what, size));
  }

  /** Resolves a value that consists of one variable, and keeps the variable's type. */
  #whole(node: ScalarNode, piece: Reference): ScalarNode {
    const variable = this.#variable(piece.name, node);
    if (isMissing(variable))
      return { ...node, value: this.#part(node, piece, {}) ?? '', raw: piece.text, opaque: true };
    if (!this.#fits(node, variable.text.length)) return { ...placeholder(node), raw: piece.text };
    // A URL with a password was reported where the variable is declared.
    if (variable.at !== undefined && isUrlWithPassword(variable.text)) this.reported.push(node.at);
    return { ...node, value: variable.value, source: variable.text, raw: piece.text };
  }

  #variable(name: string, { at }: ScalarNode): Variable | MissingVariable {
    const { scope } = this.#input;
    const found = cached(this.variables, name, () => scope.variableOrWhy(name));
    if (!isMissing(found)) scope.noteCell(at, found);
    return found;
  }

  /** Resolves one piece of a text. Undefined if the piece has no known value. */
  #part(node: ScalarNode, piece: TextPiece, wanted: AcceptedValue): string | undefined {
    if (piece.type === 'literal') return piece.text;
    if (piece.type === 'var') {
      const variable = this.#variable(piece.name, node);
      if (!isMissing(variable)) return variable.text;
      this.problems.push(this.#missing(node, piece, variable));
      return undefined;
    }
    if (piece.type === 'secret') return this.#secret(node, piece, wanted);
    if (mayBePastedSecret(piece.text)) {
      this.problems.push(pastedSecret(this.#placeOf(node, piece)));
      return undefined;
    }
    const allowed = joinWithOr(['${var.NAME}', '${secret.NAME}', '$${ for a literal ${']);
    this.#report(node, piece, 'reference-malformed', `${quote(piece.text)} is not a reference: write ${allowed}`);
    return undefined;
  }

  #missing(node: ScalarNode, piece: Reference, { message, column, meant }: MissingVariable): Problem {
    const place = this.#placeOf(node, piece);
    if (mayBePastedSecret(piece.name)) return pastedSecret(place);
    const cell = this.#input.scope.placeInTable(piece.name);
    if (cell !== undefined) {
      const also = { message: 'needed here', at: place };
      const suggestion =
        column === undefined ? {} : { found: column, fixes: [renaming({ at: cell, found: column }, piece.name)] };
      return { ...errorAt(cell, 'variable-unresolved', message), also, ...suggestion };
    }
    const problem = errorAt(place, 'variable-unresolved', message);
    if (meant === undefined) return problem;
    const isWhole = place.end - place.offset === piece.text.length;
    const start = piece.text.indexOf(piece.name);
    const offset = place.offset + start;
    const name = { ...place, offset, column: place.column + start, end: offset + piece.name.length };
    return {
      ...problem,
      found: piece.name,
      fixes: [renaming({ at: isWhole ? name : undefined, found: piece.name }, meant)],
    };
  }

  #secret(node: ScalarNode, piece: Reference, wanted: AcceptedValue): string | undefined {
    if (wanted.noSecret !== undefined) {
      this.#report(
        node,
        piece,
        'secret-misplaced',
        `${wanted.noSecret} cannot contain a secret, because it is shown and stored`,
      );
      return undefined;
    }
    const name = this.#secretName(node, piece);
    if (name === undefined) return undefined;
    this.secrets.add(name);
    const secret = this.#input.scope.secret(name);
    if (secret === undefined) this.problems.push(this.#input.scope.missingSecret(name, this.#placeOf(node, piece)));
    return secret === undefined || secret === 'unknown' ? undefined : secret.reveal();
  }

  /**
   * The name of a secret, including its entry if a variable chooses one. Undefined if the variable is unknown or its
   * value cannot name an entry.
   */
  #secretName(node: ScalarNode, piece: Reference): string | undefined {
    const variable = entryVariable(piece.name);
    if (variable === undefined) return piece.name;
    const key = this.#part(node, { ...piece, type: 'var', name: variable }, {});
    if (key === undefined) return undefined;
    const name = `${entryOf(piece.name)?.of}[${key}]`;
    if (isSecretName(name) && entryVariable(name) === undefined) {
      this.#entries.set(piece.text, name);
      return name;
    }
    if (mayBePastedSecret(key)) {
      const found = this.#variable(variable, node);
      const at = isMissing(found) ? undefined : found.at;
      this.problems.push(pastedSecret(at ?? this.#placeOf(node, piece)));
      return undefined;
    }
    const message = `${quote(piece.text)} would use the entry ${quote(shorten(key, 60))}: expected letters, digits and -_.@:+`;
    this.#report(node, piece, 'reference-malformed', message);
    return undefined;
  }

  /**
   * If a variable chooses the entry of a token's secret, inserts the entry's name into the reference. Returns other
   * nodes unchanged. The file check reports literal tokens.
   */
  tokenReference(node: Node): Node {
    const sourceValue = secretOf(node);
    if (node.type !== 'scalar' || sourceValue === undefined || entryVariable(sourceValue) === undefined) return node;
    const [piece] = splitText(String(node.value));
    const name = isReference(piece) ? this.#secretName(node, piece) : undefined;
    return name === undefined ? placeholder(node) : { ...node, value: secretReference(name) };
  }

  /**
   * The text with unresolved references. If a variable chooses the entry of a secret, only the entry's name is
   * inserted.
   */
  #rawOf(pieces: readonly TextPiece[], text: string): string {
    let [raw, end] = ['', 0];
    for (const piece of pieces) {
      const name = piece.type === 'secret' ? this.#entries.get(piece.text) : undefined;
      if (piece.type !== 'secret' || name === undefined) continue;
      raw += text.slice(end, piece.index) + secretReference(name);
      end = piece.index + piece.text.length;
    }
    return raw + text.slice(end);
  }

  #report(node: ScalarNode, piece: Marked, rule: Rule, message: string): void {
    this.problems.push(errorAt(this.#placeOf(node, piece), rule, message));
  }

  /**
   * The location of a piece within its source text. If escapes hide the piece's location, the location of the whole
   * value.
   */
  #placeOf(node: ScalarNode, piece: Marked): Span {
    const { text, index } = piece;
    if (node.from !== undefined) return node.from.span(index, index + text.length);
    const source = this.#input.files.source(node.at.file);
    if (source === undefined || typeof node.value !== 'string') return node.at;
    const before = node.value.slice(0, index).split(text).length;
    const own = source.text.slice(node.at.offset, node.at.end);
    let found = own.indexOf(text);
    for (let count = 1; count < before && found >= 0; count++) found = own.indexOf(text, found + 1);
    if (found < 0) return node.at;
    const start = node.at.offset + found;
    return source.span(start, start + text.length);
  }
}

/** The text that a patch changes, before variables are inserted. */
interface Inherited {
  readonly text: string;
  /** The file that contains the text. */
  readonly from?: SourceFile;
  readonly files: readonly string[];
  readonly at: Span;
  /** The patch that produced the text, if any. */
  readonly under?: Patched;
}

/**
 * Reports a hunk that does not apply. Also shows the inherited text. If that text is in a separate file, shows the line
 * where the hunk was expected.
 */
function misfitProblem(
  by: SourceFile,
  { misfit: { line, hint }, matches }: Extract<PatchedText, { readonly misfit: object }>,
  { from, at }: Inherited,
): Problem {
  const why =
    matches === 'none'
      ? 'the inherited text no longer contains the lines that this part of the patch changes; update the patch for the current text'
      : 'this part of the patch changes lines that appear several times in the inherited text; add more lines of context';
  const also = from === undefined ? at : lineSpan(from, hint);
  return { ...errorAt(lineSpan(by, line), 'patch', why), also: { message: 'the inherited text', at: also } };
}

/** The location of a line in a file. For a line number after the end, the location of the last line. */
function lineSpan(file: SourceFile, line: number): Span {
  let start = 0;
  for (let count = 1; count < line; count += 1) {
    const end = file.text.indexOf('\n', start);
    if (end < 0 || end + 1 >= file.text.length) break;
    start = end + 1;
  }
  const end = file.text.indexOf('\n', start);
  return file.span(start, end < 0 ? file.text.length : end);
}

function ownPlaces(node: Node): Pick<Node, 'at' | 'over'> {
  return { at: node.at, ...(node.over === undefined ? {} : { over: node.over }) };
}

function wantedAt(kind: KindName, steps: readonly string[]): AcceptedValue {
  const [section, member] = steps;
  if (section === 'target') return { asText: true, noSecret: member === 'query' ? undefined : `target.${member}` };
  return {
    types: typesAt(kind, steps),
    values: fieldAt(kind, steps)?.values,
    isProse: textRoleAt(kind, settingPath(kind, steps)) !== undefined,
    noSecret: isListKey(kind, steps) ? `the key ${steps.at(-1)} of a list` : undefined,
  };
}

/** Whether a value is the key of a list element. Such keys must not contain secrets, because plans show them. */
function isListKey(kind: KindName, steps: readonly string[]): boolean {
  const field = fieldAt(kind, steps);
  return field?.mapKey !== undefined && steps.length === field.path.length + 2 && steps.at(-1) === field.mapKey;
}

/**
 * Converts the text of a variable or secret to an integer or boolean, if the schema requires one. Also changes `TRUE`
 * to `true` if the schema lists `true` as a text.
 */
function convertText(
  node: ScalarNode,
  text: string,
  { types, values = {} }: Pick<AcceptedValue, 'values'> & { readonly types: readonly string[] },
): ScalarNode {
  // Spreadsheets write booleans in capitals.
  const truth = /^(true|false)$/i.test(text) ? text.toLowerCase() : undefined;
  if (types.includes('string'))
    return truth !== undefined && Object.hasOwn(values, truth) ? { ...node, value: truth } : node;
  if (types.includes('integer') && /^-?\d{1,15}$/.test(text)) return { ...node, value: Number(text) };
  return types.includes('boolean') && truth !== undefined ? { ...node, value: truth === 'true' } : node;
}

/** Removes comments that allow findings. Prompt checks use the original text, which still contains these comments. */
function asProse(node: ScalarNode, sourceValue: ScalarNode['value']): ScalarNode {
  if (typeof node.value !== 'string' || typeof sourceValue !== 'string') return node;
  const value = withoutAllowComments(node.value);
  if (value === sourceValue) return node;
  const masked = node.masked === undefined ? {} : { masked: node.masked.edited(withoutAllowComments) };
  return { ...node, ...masked, value, raw: node.raw ?? sourceValue };
}

function isReference(piece: TextPiece | undefined): piece is Reference {
  return piece?.type === 'var' || piece?.type === 'secret';
}

function placeholder(node: ScalarNode): ScalarNode {
  return { type: 'scalar', at: node.at, value: '', opaque: true };
}
