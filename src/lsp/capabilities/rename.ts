import { posix } from 'node:path';
import { ErrorCodes, type Position, type Range, ResponseError, type TextEdit } from 'vscode-languageserver/node';
import { isName, nameSyntax } from '../../json/check.ts';
import { isKindName } from '../../kinds/kind.ts';
import { csvTable, isOwnColumn } from '../../manifest/fleet/member-table.ts';
import { processVariableNames } from '../../manifest/resolve/values/scope.ts';
import { referenceName } from '../../secrets/secret.ts';
import { contentEnd, lineBreakIn } from '../../text/lines.ts';
import { quote } from '../../text/wording.ts';
import type { Span } from '../../yaml/problem.ts';
import { type MapNode, memberOf, type Node, nodesIn, textOf } from '../../yaml/tree.ts';
import type { Snapshot } from '../live-project.ts';
import { isSameKind, type Mention } from '../mentions.ts';
import { rangeIn } from '../positions.ts';
import type { IndexedFile } from '../project-index.ts';
import { isQuoted } from './cursor.ts';
import type { FileEdits } from './edits.ts';
import { mentionAt, type OpenFile } from './navigation.ts';

/** Returns the range of the name at a position, if the name can be changed. */
export function renamableAt(file: OpenFile, position: Position): Range | null {
  const mention = mentionAt(file, position);
  const isRenamable = mention && ['variable', 'definition', 'resource', 'declaration'].includes(mention.type);
  return isRenamable ? rangeIn(file.snapshot, unquoted(file.snapshot, mention.at)) : null;
}

/**
 * Renames a variable or resource everywhere. Throws a ResponseError if nothing at the position can be renamed, or if
 * the new name is invalid or taken.
 */
export function renamesAt(file: OpenFile, position: Position, name: string): FileEdits {
  const mention = mentionAt(file, position);
  const edits = new Edits(file.snapshot);
  if (mention?.type === 'variable' || mention?.type === 'definition') renameVariable(mention.name, name, edits);
  else if (mention?.type === 'resource' || mention?.type === 'declaration') renameResource(mention, name, edits);
  else throw renameError('only variables and resource names can be renamed');
  return edits.byFile;
}

function renameError(message: string): ResponseError {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

function renameVariable(before: string, name: string, edits: Edits): void {
  const { snapshot } = edits;
  if (!new RegExp(`^${referenceName}$`).test(name)) {
    throw renameError(
      `${quote(name)} is not a variable name: expected letters, digits and underscores, not starting with a digit`,
    );
  }
  if (isOwnColumn(before)) throw renameError(`the column ${quote(before)} is reserved, so it cannot be renamed`);
  const given = new Set(processVariableNames(snapshot.env));
  if (given.has(before))
    throw renameError(
      `the process variable AGENTFORM_VAR_${before} sets the value of ${quote(before)}; unset this process variable first`,
    );
  if (given.has(name))
    throw renameError(`the process variable AGENTFORM_VAR_${name} would set the value of ${quote(name)}`);
  const found = [...snapshot.index.mentions()]
    .map(([, mention]) => mention)
    .filter((mention) => mention.type === 'variable' || mention.type === 'definition');
  const taken = found.filter((mention) => mention.name === name);
  const { at: takenAt } = taken.find(({ type }) => type === 'definition') ?? taken[0] ?? {};
  if (takenAt !== undefined)
    throw renameError(`the variable ${quote(name)} already exists: ${takenAt.file}:${takenAt.line}`);
  for (const { at } of found.filter((mention) => mention.name === before)) edits.replace(at, name);
}

type Named = Extract<Mention, { type: 'resource' | 'declaration' }>;

function renameResource(named: Named, name: string, edits: Edits): void {
  if (!isName(name)) throw renameError(`${quote(name)} is not a name: expected ${nameSyntax}`);
  const { name: before } = named;
  const all = [...edits.snapshot.index.mentions()];
  const declared = all.filter(([, one]) => one.type === 'declaration' && isSameKind(named, one) && one.name === before);
  if (declared.length === 0) throw renameError(`no manifest declares ${quote(before)}`);
  refuseTaken(all, named, name);
  for (const [file, { at }] of declared) {
    edits.replace(at, name);
    if (file.role === 'table') noteInTable(file, at, before, edits);
    else noteFormer(file, at, before, edits);
  }
  for (const at of referencesTo(all, named)) edits.replaceName(at, before, name);
}

type FileMention = readonly [IndexedFile, Mention];

function refuseTaken(all: readonly FileMention[], named: Named, name: string): void {
  for (const [, one] of all) {
    const isTaken = one.type === 'declaration' || one.type === 'former';
    if (!isTaken || one.name !== name || !isSameKind(named, one)) continue;
    const what = one.type === 'former' ? 'a manifest was already renamed from' : 'a manifest already declares';
    throw renameError(`${what} ${quote(name)}: ${one.at.file}:${one.at.line}`);
  }
}

function referencesTo(all: readonly FileMention[], named: Named): Span[] {
  const { name } = named;
  // A reference without a kind may mean a resource of another kind with this name.
  const isOnly = all.every(([, one]) => one.type !== 'declaration' || one.name !== name || isSameKind(named, one));
  return all.flatMap(([, one]) => {
    if (one.type !== 'resource' || one.name !== name) return [];
    const isMeant = one.kind === undefined ? isOnly : isSameKind(named, one);
    return isMeant ? [one.at] : [];
  });
}

/** Adds the old name to `renamedFrom` in the manifest or in the inline row of a fleet. */
function noteFormer(file: IndexedFile, at: Span, before: string, edits: Edits): void {
  const { source, kind: declared = '' } = file;
  const root = edits.snapshot.index.rootOf(file);
  const map = root && mapWith(root, at);
  const isRow = map !== root;
  if (map === undefined || !(isRow || isKindName(declared))) return;
  const former = memberOf(map, 'renamedFrom');
  if (isRow) requireNoFormer(textOf(map, 'renamedFrom'), before);
  if (former === undefined && source.text[map.at.offset] === '{') {
    edits.put(source.span(at.end, at.end), `, renamedFrom: ${before}`);
  } else if (former === undefined) {
    const indent = ' '.repeat(source.span(map.at.offset, map.at.offset).column - 1);
    const line = `${lineBreakIn(source.text)}${indent}renamedFrom: ${before}`;
    // A comment may follow the name.
    const end = contentEnd(source.text, at.end);
    edits.put(source.span(end, end), line);
  } else if (former.type === 'scalar') edits.put(former.at, `[${before}, ${String(former.value)}]`);
  else if (former.type === 'list' && former.items[0] !== undefined) {
    const { offset } = former.items[0].at;
    const line = source.text.slice(source.text.lastIndexOf('\n', offset) + 1, offset);
    const isItem = /^\s*-\s+$/.test(line);
    edits.put(source.span(offset, offset), isItem ? `${before}${lineBreakIn(source.text)}${line}` : `${before}, `);
  } else edits.put(former.at, before);
}

function noteInTable({ source, path }: IndexedFile, at: Span, before: string, edits: Edits): void {
  const row = csvTable(source).rows.find((one) => one.name.at.offset === at.offset);
  const cell = row?.placeOf('renamedFrom');
  if (cell === undefined)
    throw renameError(`add a column 'renamedFrom' to ${path} first, so that the record gets the new name`);
  requireNoFormer(row?.renamedFrom[0]?.name, before);
  edits.put(cell, before);
}

/** Throws a ResponseError if a row has a former name, because a row can have only one. */
function requireNoFormer(former: string | undefined, name: string): void {
  if (former === undefined) return;
  throw renameError(
    `${quote(name)} was already renamed from ${quote(former)}; apply that rename to every environment, then delete renamedFrom`,
  );
}

function mapWith(root: MapNode, at: Span): Node | undefined {
  return nodesIn(root).find((node) => memberOf(node, 'name')?.at.offset === at.offset);
}

function unquoted(snapshot: Snapshot, at: Span): Span {
  const text = snapshot.sourceOf(at.file)?.slice(at.offset, at.end) ?? '';
  if (!isQuoted(text)) return at;
  return { ...at, column: at.column + 1, offset: at.offset + 1, end: at.end - 1 };
}

/** Collects edits. All edits except `put` keep the quotes around a replaced text. */
class Edits {
  readonly snapshot: Snapshot;
  readonly byFile = new Map<string, TextEdit[]>();

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  replace(at: Span, text: string): void {
    this.put(unquoted(this.snapshot, at), text);
  }

  /** Replaces a name. The kind may precede the name, as in `Agent/front-desk`. */
  replaceName(at: Span, before: string, name: string): void {
    const sourceText = this.snapshot.sourceOf(at.file)?.slice(at.offset, at.end) ?? '';
    const start = sourceText.lastIndexOf(before);
    if (start < 0) return;
    const offset = at.offset + start;
    this.put({ ...at, column: at.column + start, offset, end: offset + before.length }, name);
  }

  put(at: Span, newText: string): void {
    const start = { line: at.line - 1, character: at.column - 1 };
    // Names and cells never span lines. An empty cell has no width.
    const isEmpty = at.end === at.offset;
    const range = isEmpty ? { start, end: start } : rangeIn(this.snapshot, at);
    this.byFile.set(at.file, [...(this.byFile.get(at.file) ?? []), { range, newText }]);
  }
}

/** A file or folder that will be moved. Paths are relative to the project folder. */
interface Move {
  readonly from: string;
  readonly to: string;
}

/** Returns the edits that keep references valid when files or folders are moved. */
export function editsForMoves(snapshot: Snapshot, moves: readonly Move[]): FileEdits {
  const edits = new Edits(snapshot);
  const moved = (path: string): string => {
    const move = moves.find(({ from }) => path === from || path.startsWith(`${from}/`));
    return move === undefined ? path : move.to + path.slice(move.from.length);
  };
  for (const [file, mention] of snapshot.index.mentions()) {
    if (mention.type !== 'path') continue;
    const target = snapshot.project.files.pathOf(file.path, mention.reference);
    if (target === undefined) continue;
    const relative = posix.relative(posix.dirname(moved(file.path)), moved(target));
    if (relative === posix.relative(posix.dirname(file.path), target)) continue;
    const isDotted = mention.reference.startsWith('./') && !relative.startsWith('.');
    edits.replace(mention.at, isDotted ? `./${relative}` : relative);
  }
  return edits.byFile;
}
