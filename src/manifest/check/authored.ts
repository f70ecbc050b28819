import { kindNames } from '../../kinds/kind.ts';
import { isLabelKey, isLabelValue, labelKeySyntax, labelValueSyntax } from '../../kinds/labels.ts';
import { isSensitiveAt } from '../../kinds/sensitive.ts';
import { fieldsByKind, type KindName } from '../../schemas/fields.ts';
import { fleetFile } from '../../schemas/fleet-validators.js';
import { type KindValidators, loadKindValidators } from '../../schemas/kind-validators.ts';
import { joinWithOr, quote } from '../../text/wording.ts';
import { meantBy } from '../../yaml/fix.ts';
import { isLiteral, isSpecial } from '../../yaml/interpolate.ts';
import { errorAt, type Problem, problemsOfEach, type Span } from '../../yaml/problem.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import {
  headOf,
  isText,
  keyAt,
  type MapNode,
  memberOf,
  membersIn,
  type Node,
  nodeAt,
  type ScalarNode,
  showNode,
  textOf,
  toJson,
} from '../../yaml/tree.ts';
import { limitProblems, problemsOfViolations, unknownEnvironment } from '../../yaml/violations.ts';
import { checkCredentials, checkQuery, checkToken, checkUrls, hideInPlaceOfMap } from './credentials.ts';

interface AuthoredFile {
  readonly kind: KindName;
  readonly root: MapNode;
  /** The environment names that agentform.yaml declares. */
  readonly environments: readonly string[];
  readonly source: SourceFile;
}

/** Finds all problems in the file of a manifest or base, before merging and resolving. */
export async function authoredProblems(file: AuthoredFile): Promise<Problem[]> {
  const { kind, root, source } = file;
  const { authored } = await validatorsOf(kind);
  // `checkEnvelope` has already reported problems with apiVersion and kind.
  const violations = (authored(toJson(root)) ? [] : (authored.errors ?? [])).filter(
    ({ instancePath, params }) =>
      !/^\/(apiVersion|kind)$/.test(instancePath) && params.missingProperty !== 'apiVersion',
  );
  const environments = memberOf(root, 'environments');
  const overlays = [...membersIn(environments).values()].map(({ value }) => value);
  for (const one of [environments, ...overlays]) hideInPlaceOfMap(one, source);
  const bodies = [root, ...overlays].filter((node) => node.type === 'map');
  return [
    ...(violations.length === 0 ? [] : problemsOfViolations({ kind, root, source }, violations)),
    ...unknownOverlays(file),
    ...limitProblems(file),
    ...bodies.flatMap((body) => bodyProblems(body, file)),
    ...checkCredentials(file),
    ...checkUrls(root, source, (steps) => isSensitiveAt(kind, steps)),
  ];
}

function unknownOverlays({ root, environments }: Pick<AuthoredFile, 'root' | 'environments'>): Problem[] {
  return problemsOfEach(membersIn(memberOf(root, 'environments')), ([name, { key }]) =>
    environments.includes(name) ? [] : [unknownEnvironment(key, name, environments)],
  );
}

function bodyProblems(body: MapNode, { kind, source }: AuthoredFile): Problem[] {
  const target = memberOf(body, 'target');
  hideInPlaceOfMap(target, source);
  const token = memberOf(target, 'token');
  const tokens = target === undefined || token === undefined ? [] : checkToken(token, keyAt(target, ['token']), source);
  const named = [...nestedProblems(memberOf(body, 'variables')), ...labelProblems(memberOf(body, 'labels'))];
  const query = checkQuery(memberOf(target, 'query'), source);
  return [...tokens, ...query, ...named, ...duplicateElements(kind, body)];
}

/** Reports elements of a keyed list that have the same key. Each problem shows both locations. */
export function duplicateElements(kind: KindName, body: Node): Problem[] {
  return fieldsByKind[kind].flatMap(({ path, name, mapKey }) => {
    if (mapKey === undefined) return [];
    const list = nodeAt(body, path);
    return list?.type === 'list' ? duplicatesIn(list.items, name, mapKey) : [];
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

/** The kind of a file, if known, and the problems with its apiVersion and kind. */
type Envelope =
  | { readonly kind: KindName | OtherKind; readonly root: MapNode; readonly problems: readonly Problem[] }
  | { readonly root?: undefined; readonly problems: readonly Problem[] };

const apiVersion = 'agentform/v1';

/**
 * The kinds of files under `manifests` that are not resource manifests. A Fleet declares several resources. A Policy or
 * Test checks resources.
 */
const otherKinds = ['Fleet', 'Policy', 'Test'] as const;

export type OtherKind = (typeof otherKinds)[number];

const fileKinds = [...kindNames, ...otherKinds] as const;

/** Checks that a file is a map whose apiVersion and kind this version of agentform knows. */
export function checkEnvelope(root: Node, kinds: readonly (KindName | OtherKind)[] = fileKinds): Envelope {
  if (root.type !== 'map') {
    const message = `the file is ${showNode(root)}: expected one resource, an object with apiVersion and kind`;
    return { problems: [errorAt(headOf(root), 'file-shape', message)] };
  }
  const version = memberOf(root, 'apiVersion');
  const problems: Problem[] = [];
  if (version === undefined) {
    problems.push(errorAt(headOf(root), 'api-version', `apiVersion is missing: expected '${apiVersion}'`));
  } else if (version.type !== 'scalar' || version.value !== apiVersion) {
    const message = `apiVersion is ${showNode(version)}: expected '${apiVersion}'`;
    problems.push(errorAt(headOf(version), 'api-version', message));
  }
  const kind = memberOf(root, 'kind');
  const known = kinds.find((name) => kind?.type === 'scalar' && kind.value === name);
  if (known !== undefined) return { kind: known, root, problems };
  return { problems: [...problems, kindProblem(root, kind, kinds)] };
}

function kindProblem(root: MapNode, kind: Node | undefined, kinds: readonly string[]): Problem {
  const allowed = joinWithOr(kinds.map(quote));
  if (kind === undefined) return errorAt(headOf(root), 'kind', `kind is missing: expected ${allowed}`);
  if (kind.type === 'scalar' && kind.value === 'Project') {
    return errorAt(
      kind.at,
      'kind',
      "the kind 'Project' is only for agentform.yaml; exclude this file from `manifests`",
    );
  }
  if (kind.type !== 'scalar' || typeof kind.value !== 'string') {
    return errorAt(headOf(kind), 'kind', `kind is ${showNode(kind)}: expected ${allowed}`);
  }
  const problem = errorAt(kind.at, 'kind', `the kind ${quote(kind.value)} is unknown: expected ${allowed}`);
  return { ...problem, ...meantBy({ at: kind.at, found: kind.value }, kinds) };
}

const loaded = new Map<KindName, KindValidators>();

/** Loads and caches the validators of a kind. */
export async function validatorsOf(kind: KindName): Promise<KindValidators> {
  const validators = loaded.get(kind) ?? (await loadKindValidators[kind]());
  loaded.set(kind, validators);
  return validators;
}

/**
 * Reports variables whose value contains a reference. References inside variable values are not resolved, so they would
 * be sent unchanged.
 */
export function nestedProblems(variables: Node | undefined): Problem[] {
  return problemsOfEach(membersIn(variables), ([, { value: node }]) => {
    if (node.type !== 'scalar' || typeof node.value !== 'string' || isLiteral(node.value)) return [];
    return [errorAt(node.at, 'variable-nested', 'the value of a variable cannot refer to a variable or a secret')];
  });
}

/** Reports invalid labels in a file. Labels with references are checked later, after the references are resolved. */
function labelProblems(labels: Node | undefined): Problem[] {
  return problemsOfEach(membersIn(labels), ([key, { key: at, value }]) => {
    const isKnown = isText(value) && !isSpecial(value.value);
    const found = isKnown ? labelValueProblems(key, value) : [];
    if (isLabelKey(key)) return found;
    return [errorAt(at, 'label', `the label ${quote(key)} is not a valid key: expected ${labelKeySyntax}`), ...found];
  });
}

export function labelValueProblems(key: string, node: ScalarNode): Problem[] {
  if (isLabelValue(String(node.value))) return [];
  return [errorAt(node.at, 'label', `labels.${key} is ${showNode(node)}: expected ${labelValueSyntax}`)];
}

/** Reports problems in a fleet's file. The table and templates of the fleet are checked later. */
export function fleetProblems(root: MapNode, environments: readonly string[]): Problem[] {
  const fits = fleetFile(toJson(root));
  return [
    ...(fits ? [] : problemsOfViolations({ kind: 'Fleet', root }, fleetFile.errors ?? [])),
    ...unknownOverlays({ root, environments }),
    ...limitProblems({ root, environments }),
    ...labelProblems(memberOf(root, 'labels')),
  ];
}
