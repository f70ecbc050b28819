import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { Problem } from './problem.ts';
import { errorAt } from './problem-list.ts';
import { didYouMean } from './suggest.ts';
import { headOf, type MapNode, memberOf, type Node } from './tree.ts';
import { listOf, quote, showNode } from './wording.ts';

/** What a file says that it is. */
export type Envelope =
  | { readonly kind: KindName; readonly root: MapNode; readonly problems: readonly Problem[] }
  | { readonly kind?: undefined; readonly problems: readonly Problem[] };

const apiVersion = 'agentform/v1';

const kindNames = Object.keys(fieldsByKind).filter((name): name is KindName => name in fieldsByKind);

/** Whether the file is a map with an apiVersion and a kind that this agentform knows. */
export function checkEnvelope(root: Node): Envelope {
  if (root.type !== 'map') {
    const message = `the file holds ${showNode(root)}: expected one resource, a map with apiVersion and kind`;
    return { problems: [errorAt(headOf(root), 'file-shape', message)] };
  }
  const version = versionProblems(root);
  const kind = memberOf(root, 'kind');
  const known = kindNames.find((name) => kind?.type === 'scalar' && kind.value === name);
  if (known !== undefined) return { kind: known, root, problems: version };
  return { problems: [...version, kindProblem(root, kind)] };
}

function versionProblems(root: MapNode): Problem[] {
  const version = memberOf(root, 'apiVersion');
  if (version === undefined)
    return [errorAt(headOf(root), 'api-version', `apiVersion is missing: expected '${apiVersion}'`)];
  if (version.type === 'scalar' && version.value === apiVersion) return [];
  const message = `apiVersion is ${showNode(version)}: this agentform knows '${apiVersion}'`;
  return [errorAt(headOf(version), 'api-version', message)];
}

function kindProblem(root: MapNode, kind: Node | undefined): Problem {
  const allowed = listOf(kindNames.map(quote));
  if (kind === undefined) return errorAt(headOf(root), 'kind', `kind is missing: expected ${allowed}`);
  if (kind.type === 'scalar' && kind.value === 'Project') {
    return errorAt(kind.at, 'kind', "the kind 'Project' belongs in agentform.yaml, which `manifests` does not name");
  }
  const hint = kind.type === 'scalar' && typeof kind.value === 'string' ? didYouMean(kind.value, kindNames) : '';
  return errorAt(headOf(kind), 'kind', `the kind ${showNode(kind)} is not known: expected ${allowed}${hint}`);
}
