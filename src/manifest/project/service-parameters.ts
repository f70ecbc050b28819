import { quote } from '../../text/wording.ts';
import { errorAt, type Problem } from '../../yaml/problem.ts';
import { keyAt, type MapNode, memberOf, textOf } from '../../yaml/tree.ts';

/** A query parameter whose name the specification leaves open. */
export type ServiceParameter = 'resellerId' | 'pagination' | 'page' | 'pageSize' | 'unread';

/** What deployments are known to call them; schemas/project.schema.json says the same. */
export const defaultParameters: Readonly<Record<ServiceParameter, string>> = {
  resellerId: 'targetResellerId',
  pagination: 'pagination',
  page: 'page',
  pageSize: 'pageSize',
  unread: 'unread',
};

/** Those of one request, which must differ. */
const ofConversations: readonly ServiceParameter[] = ['pagination', 'page', 'pageSize', 'unread'];

/** What is wrong with `service.parameters` in agentform.yaml beyond its schema. */
export function parameterProblems(tree: MapNode): Problem[] {
  const parameters = memberOf(memberOf(tree, 'service'), 'parameters');
  if (parameters?.type !== 'map') return [];
  return [...parameters.members].flatMap(([key, { value: node }]) => {
    const name = textOf(parameters, key);
    const path = `service.parameters.${key}`;
    if (name === 'token') return [errorAt(node.at, 'parameter', `${path} is 'token', which carries the API token`)];
    const other = sameName(parameters, key, name);
    if (other === undefined) return [];
    const problem = errorAt(
      node.at,
      'parameter',
      `${path} is ${quote(name ?? '')}, the name of the parameter ${other}`,
    );
    const isDeclared = parameters.members.has(other);
    return [isDeclared ? { ...problem, also: { message: other, at: keyAt(parameters, [other]) } } : problem];
  });
}

/** The other parameter of the same request that has the name; of two that are declared, the second has it in vain. */
function sameName(parameters: MapNode, key: string, name: string | undefined): ServiceParameter | undefined {
  const declared = [...parameters.members.keys()];
  const isEarlier = (other: string) => declared.indexOf(other) < declared.indexOf(key);
  if (!ofConversations.some((own) => own === key)) return undefined;
  return ofConversations.find(
    (other) => other !== key && isEarlier(other) && (textOf(parameters, other) ?? defaultParameters[other]) === name,
  );
}
