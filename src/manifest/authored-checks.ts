import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import { checkCredentials } from './credentials.ts';
import { validatorsOf } from './kind-validators.ts';
import { keyAt } from './pointer.ts';
import type { Problem, Span } from './problem.ts';
import { errorAt, problemsOfEach } from './problem-list.ts';
import type { SourceFile } from './source-file.ts';
import { didYouMean } from './suggest.ts';
import { checkToken } from './token.ts';
import { type MapNode, memberOf, type Node, textOf, toJson } from './tree.ts';
import { problemsOfViolations } from './violations.ts';
import { listOf, quote } from './wording.ts';

export interface AuthoredFile {
  readonly kind: KindName;
  readonly root: MapNode;
  /** Names that agentform.yaml has. */
  readonly environments: readonly string[];
  readonly source: SourceFile;
}

/** Everything that is wrong with a manifest or base as it is written, before anything is merged or put in. */
export function authoredProblems(file: AuthoredFile): Problem[] {
  const { kind, root } = file;
  return [
    ...schemaProblems(kind, root),
    ...overlayProblems(file),
    ...bodiesOf(root).flatMap((body) => bodyProblems(body, file)),
    ...checkCredentials(file),
  ];
}

/** The file's own sections and those of its overlays. */
function bodiesOf(root: MapNode): MapNode[] {
  const environments = memberOf(root, 'environments');
  const overlays = environments?.type === 'map' ? [...environments.members.values()].map(({ value }) => value) : [];
  return [root, ...overlays].filter((node) => node.type === 'map');
}

/** The envelope's own check has spoken of apiVersion and kind. */
function schemaProblems(kind: KindName, root: MapNode): Problem[] {
  const { authored } = validatorsOf(kind);
  if (authored(toJson(root))) return [];
  const violations = (authored.errors ?? []).filter(
    ({ instancePath, params }) =>
      !/^\/(apiVersion|kind)$/.test(instancePath) && params.missingProperty !== 'apiVersion',
  );
  return problemsOfViolations(kind, root, violations);
}

function overlayProblems({ root, environments }: AuthoredFile): Problem[] {
  const overlays = memberOf(root, 'environments');
  if (overlays?.type !== 'map') return [];
  return problemsOfEach(overlays.members, ([name, { key }]) => {
    if (environments.includes(name)) return [];
    const known = listOf(environments.map(quote), 'and');
    const message = `agentform.yaml has no environment ${quote(name)}: it has ${known}${didYouMean(name, environments)}`;
    return [errorAt(key, 'environment-unknown', message)];
  });
}

function bodyProblems(body: MapNode, { kind, source }: AuthoredFile): Problem[] {
  const target = memberOf(body, 'target');
  const token = memberOf(target, 'token');
  const tokens = target === undefined || token === undefined ? [] : checkToken(token, keyAt(target, ['token']), source);
  return [...tokens, ...duplicateElements(kind, body)];
}

/** Elements of keyed lists that have the same key, with both places. */
export function duplicateElements(kind: KindName, body: Node): Problem[] {
  return fieldsByKind[kind].flatMap(({ section, name, isSection, mapKey }) => {
    const list = isSection ? memberOf(body, section) : memberOf(memberOf(body, section), name);
    return mapKey === undefined || list?.type !== 'list' ? [] : duplicatesIn(list.items, name, mapKey);
  });
}

function duplicatesIn(items: readonly Node[], list: string, keyName: string): Problem[] {
  const seen = new Map<string, Span>();
  return items.flatMap((item) => {
    const key = textOf(item, keyName);
    const at = memberOf(item, keyName)?.at;
    if (key === undefined || at === undefined) return [];
    const first = seen.get(key);
    if (first === undefined) seen.set(key, at);
    if (first === undefined) return [];
    const message = `${list} has two elements with the ${keyName} ${quote(key)}`;
    return [{ ...errorAt(at, 'duplicate-element', message), also: { message: 'first here', at: first } }];
  });
}
