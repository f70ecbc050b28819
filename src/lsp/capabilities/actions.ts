import { posix } from 'node:path';
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Position,
  type Range,
  type TextEdit,
} from 'vscode-languageserver/node';
import { addressOf } from '../../kinds/desired.ts';
import { type FieldPath, fieldAt, formatPath, parsePath, textRoleAt } from '../../kinds/field-path.ts';
import { isKindName } from '../../kinds/kind.ts';
import { mayIncludeFile } from '../../kinds/sensitive.ts';
import { fitsTextFile } from '../../manifest/project/project-files.ts';
import type { ManifestIdentity, Resolution } from '../../manifest/resolve/resolution.ts';
import { lostSections, type PromptSection, promptSections } from '../../plan/verdicts/shrunk-prompts.ts';
import type { KindName } from '../../schemas/fields.ts';
import { lineBreakIn } from '../../text/lines.ts';
import { quote, shorten } from '../../text/wording.ts';
import { referringTo } from '../../yaml/interpolate.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import { includedPath, isText, type MapNode, nodeAt, type TextNode } from '../../yaml/tree.ts';
import { fixesOf } from '../diagnostics.ts';
import type { Snapshot } from '../live-project.ts';
import { offsetOf, rangeIn, rangeOfRegion, startOfFile, uriIn } from '../positions.ts';
import { type EditAbilities, workspaceEdit } from './edits.ts';
import { usesFile, valueAt } from './hover.ts';
import type { OpenFile } from './navigation.ts';
import { type CursorNode, cursorNodeAt, fieldPathAt } from './yaml-path.ts';

interface ActionsInput {
  readonly range: Range;
  /** The diagnostics that the editor shows for the file. */
  readonly diagnostics: readonly Diagnostic[];
  readonly abilities: EditAbilities;
}

/**
 * Returns the code actions for a range. Fixes for problems in the range come first, beginning with the most likely fix.
 * Edits of the text follow.
 */
export async function actionsAt(
  file: OpenFile,
  { range, diagnostics, abilities }: ActionsInput,
): Promise<CodeAction[]> {
  const fixes = diagnostics
    .filter((one) => isBefore(one.range.start, range.end) && isBefore(range.start, one.range.end))
    .flatMap((diagnostic) => fixActions(file, diagnostic, abilities));
  const restored = await restoreSections(file, range.start, abilities);
  const moved = abilities.createsFiles ? moveToFile(file, range.start, abilities) : undefined;
  return [
    ...fixes.filter((one) => one.isPreferred),
    ...fixes.filter((one) => !one.isPreferred),
    ...restored,
    ...(moved === undefined ? [] : [moved]),
  ];
}

function fixActions({ snapshot }: OpenFile, diagnostic: Diagnostic, abilities: EditAbilities): CodeAction[] {
  return fixesOf(diagnostic, snapshot.root).flatMap((fix, index): CodeAction[] => {
    if (fix.edits.length === 0) return [];
    const edits = new Map<string, TextEdit[]>();
    for (const { file: path, text, ...region } of fix.edits) {
      edits.set(path, [...(edits.get(path) ?? []), { range: rangeOfRegion(region), newText: text }]);
    }
    const isPreferred = index === 0 && fix.action !== 'allow';
    return [
      {
        ...{ title: fix.title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic] },
        edit: workspaceEdit(snapshot, edits, abilities),
        ...(isPreferred && { isPreferred }),
      },
    ];
  });
}

function isBefore(one: Range['start'], other: Range['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.character <= other.character);
}

interface CursorText {
  readonly kind: KindName;
  /** The manifest's name or, if it has none, the file's name. */
  readonly name: string;
  readonly source: SourceFile;
  readonly root: MapNode;
  readonly cursor: CursorNode;
  readonly node: TextNode;
}

function cursorTextAt({ snapshot, path }: OpenFile, position: Position): CursorText | undefined {
  const indexed = snapshot.index.file(path);
  const root = indexed && snapshot.index.rootOf(indexed);
  if (indexed === undefined || root === undefined) return undefined;
  const { kind = '', name = posix.parse(path).name, source } = indexed;
  const cursor = cursorNodeAt(root, offsetOf(source.text, position));
  return isKindName(kind) && cursor !== undefined && isText(cursor.node)
    ? { kind, name, source, root, cursor, node: cursor.node }
    : undefined;
}

/** The minimum length of a text to move to a file, in characters. A shorter text is easier to read in the manifest. */
const minCharacters = 20;

function moveToFile(file: OpenFile, position: Position, abilities: EditAbilities): CodeAction | undefined {
  const { snapshot, path } = file;
  const cursorText = cursorTextAt(file, position);
  if (cursorText === undefined) return undefined;
  const { kind, name, source, node, cursor, root } = cursorText;
  const around = nodeAt(root, cursor.steps.slice(0, -1));
  if (around !== undefined && (includedPath(around, 'file') ?? includedPath(around, 'patch')) !== undefined)
    return undefined;
  const own = cursor.steps[0] === 'environments' ? cursor.steps.slice(2) : cursor.steps;
  if (!isFreeText(kind, own) || !mayIncludeFile(kind, own) || !isMovable(node.value)) return undefined;
  if (hasTagOrAnchor(source, node)) return undefined;
  const target = freePath(snapshot, name, own);
  const reference = posix.relative(posix.dirname(path), target);
  const edit = workspaceEdit(
    snapshot,
    new Map([
      [target, [{ range: startOfFile, newText: node.value }]],
      [path, [{ range: rangeIn(snapshot, node.at), newText: `{ file: ${reference} }` }]],
    ]),
    { ...abilities, hasVersions: true },
  );
  const created = { kind: 'create', uri: uriIn(snapshot, target) } as const;
  return {
    ...{ title: `Move this text into the file ${target}`, kind: CodeActionKind.RefactorExtract },
    edit: { documentChanges: [created, ...(edit.documentChanges ?? [])] },
  };
}

function isFreeText(kind: KindName, own: FieldPath): boolean {
  const field = fieldAt(kind, own);
  const setting = field?.members?.find(({ name }) => name === own.at(-1)) ?? field;
  return setting?.types.includes('string') === true && setting.choices === undefined && setting.textForm === undefined;
}

function isMovable(value: string): boolean {
  return value.length >= minCharacters && !/\r|\$\{secret\./.test(value) && fitsTextFile(value);
}

/** Whether a value has a tag or an anchor, which would then belong to the map that includes the file. */
function hasTagOrAnchor({ text }: SourceFile, { at }: TextNode): boolean {
  const before = text.slice(Math.max(0, at.offset - 200), at.offset).trimEnd();
  return /^[!&]/.test(before.split(/\s/).at(-1) ?? '');
}

function freePath({ project }: Snapshot, name: string, own: FieldPath): string {
  const words = own.slice(1).map((step) =>
    step
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-'),
  );
  const stem = `prompts/${name}/${words.join('-') || own[0]}`;
  for (let number = 1; ; number += 1) {
    const path = `${stem}${number === 1 ? '' : `-${number}`}.md`;
    if (!project.files.has(path)) return path;
  }
}

/** The place of a prompt: a whole file, or the lines of a block in a manifest. */
interface PromptRange {
  readonly source: SourceFile;
  readonly start: number;
  readonly end: number;
  readonly indent: string;
  /** Whether this prompt is the value of a field in a resource. */
  holds(resolution: Resolution, one: ManifestIdentity, path: FieldPath): boolean;
}

function promptAt(file: OpenFile, position: Position): PromptRange | undefined {
  const indexed = file.snapshot.index.file(file.path);
  if (indexed?.role === 'text') {
    const { source } = indexed;
    const holds: PromptRange['holds'] = (resolution, one, path) =>
      resolution.sourceAt(addressOf(one), path)?.file === file.path;
    return { source, start: 0, end: source.text.length, indent: '', holds };
  }
  const cursorText = cursorTextAt(file, position);
  const fieldPath = cursorText && fieldPathAt(cursorText.kind, cursorText.root, cursorText.cursor.steps);
  if (cursorText === undefined || fieldPath === undefined) return undefined;
  const { kind, source, node } = cursorText;
  if (source.text[node.at.offset] !== '|') return undefined;
  const start = source.text.indexOf('\n', node.at.offset) + 1;
  const indent = /^[ \t]*/.exec(source.text.slice(start, node.at.end).replace(/^\s*\n/, ''))?.[0] ?? '';
  const wanted = formatPath(kind, fieldPath);
  const holds: PromptRange['holds'] = (resolution, one, path) => {
    const origin = resolution.sourceAt(addressOf(one), path);
    return one.kind === kind && formatPath(kind, path) === wanted && origin?.file === file.path;
  };
  return start === 0 ? undefined : { source, start, end: node.at.end, indent, holds };
}

/**
 * The maximum number of resources per environment to compare with their records. The records of resources that share a
 * prompt seldom differ.
 */
const maxResources = 3;

/**
 * Makes the actions that restore prompt sections that were removed after the last apply. Texts with secrets cannot be
 * restored, because records do not contain secrets.
 */
async function restoreSections(file: OpenFile, position: Position, abilities: EditAbilities): Promise<CodeAction[]> {
  const prompt = promptAt(file, position);
  if (prompt === undefined) return [];
  const actions = new Map<string, CodeAction>();
  for (const [environment, resolution] of await file.snapshot.resolutions()) {
    const users = resolution.all.filter((one) => usesFile(resolution, one, file.path));
    for (const one of users.slice(0, maxResources)) {
      const lost = await lostSince({ ...file, environment, resolution }, one, prompt);
      if (lost.length === 0) continue;
      const withReferences = referring(file.snapshot, resolution, one);
      for (const { applied, section } of lost) {
        const { at, text } = insertionOf(section, applied, prompt, withReferences);
        const range = rangeIn(file.snapshot, prompt.source.span(at, at));
        const edits = new Map([[file.path, [{ range: { start: range.start, end: range.start }, newText: text }]]]);
        const title = `Restore the section ${quote(shorten(section.heading, 60))} from the last apply`;
        actions.set(title, {
          ...{ title, kind: CodeActionKind.QuickFix },
          edit: workspaceEdit(file.snapshot, edits, abilities),
        });
      }
    }
  }
  return [...actions.values()];
}

interface LostSection {
  /** The complete text that was applied. */
  readonly applied: string;
  readonly section: PromptSection;
}

async function lostSince(
  { snapshot, environment, resolution }: OpenFile & { readonly environment: string; readonly resolution: Resolution },
  one: ManifestIdentity,
  prompt: PromptRange,
): Promise<LostSection[]> {
  const found = await snapshot.localRecord({ environment, kind: one.kind, name: one.name });
  if (found === 'unread' || found.record === undefined) return [];
  return Object.entries(found.record.fields).flatMap(([text, { value: applied }]): LostSection[] => {
    const path = parsePath(text);
    if (typeof applied !== 'string' || textRoleAt(one.kind, path) === undefined) return [];
    const now = prompt.holds(resolution, one, path) ? valueAt(one, resolution, path) : undefined;
    return typeof now === 'string' ? lostSections(applied, now).map((section) => ({ applied, section })) : [];
  });
}

/**
 * The minimum length of a value to replace with its variable, in characters. A shorter match is often a coincidence.
 */
const minValue = 4;

/** Makes a function that replaces the values of a resource's variables with references. */
function referring({ index }: Snapshot, resolution: Resolution, one: ManifestIdentity): (text: string) => string {
  const references = [...index.namesOf('variable')].flatMap((name) => {
    const value = resolution.variableOf(addressOf(one), name)?.text ?? '';
    return value.length < minValue ? [] : [[value, `\${var.${name}}`] as const];
  });
  return referringTo(new Map(references), { wholeWords: true });
}

/**
 * Finds the place and the text for a restored section. The place is before the next section that still exists. If no
 * later section exists, the place is the end of the text.
 */
function insertionOf(
  section: PromptSection,
  applied: string,
  { source, start, end, indent }: PromptRange,
  withReferences: (text: string) => string,
): { readonly at: number; readonly text: string } {
  const eol = lineBreakIn(source.text);
  const lines = withReferences(section.text.trimEnd())
    .split(/\r?\n/)
    .map((line) => (line.trim() === '' ? '' : indent + line))
    .join(eol);
  const sections = promptSections(applied);
  const behind = sections.slice(sections.findIndex(({ heading }) => heading === section.heading) + 1);
  const now = source.text.slice(start, end);
  for (const { heading } of behind) {
    const at = lineWith(now, [heading, withReferences(heading)]);
    if (at !== undefined) return { at: start + at, text: `${lines}${eol}${eol}` };
  }
  const last = now.trimEnd().length;
  return { at: start + last, text: last === 0 ? lines.slice(indent.length) : `${eol}${eol}${lines}` };
}

function lineWith(text: string, wanted: readonly string[]): number | undefined {
  let offset = 0;
  for (const line of text.split('\n')) {
    if (wanted.includes(line.trim())) return offset;
    offset += line.length + 1;
  }
  return undefined;
}
