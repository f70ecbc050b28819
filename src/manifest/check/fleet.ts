import { fleetFile } from '../../schemas/fleet-validators.js';
import { type Problem, problemsOfEach } from '../../yaml/problem.ts';
import { type MapNode, memberOf, toJson } from '../../yaml/tree.ts';
import { problemsOfViolations, unknownEnvironment } from '../../yaml/violations.ts';
import { labelProblems } from './variables-and-labels.ts';

/** Problems of a fleet as written, before its table and templates are read. */
export function fleetProblems(root: MapNode, environments: readonly string[]): Problem[] {
  const fits = fleetFile(toJson(root));
  return [
    ...(fits ? [] : problemsOfViolations('Fleet', root, fleetFile.errors ?? [])),
    ...environmentProblems(root, environments),
    ...labelProblems(memberOf(root, 'labels')),
  ];
}

function environmentProblems(root: MapNode, environments: readonly string[]): Problem[] {
  const overlays = memberOf(root, 'environments');
  const limit = memberOf(root, 'onlyIn');
  const named = [
    ...(overlays?.type === 'map' ? [...overlays.members].map(([name, { key }]) => [name, key] as const) : []),
    ...(limit?.type === 'list' ? limit.items : []).flatMap((node) =>
      node.type === 'scalar' && typeof node.value === 'string' ? [[node.value, node.at] as const] : [],
    ),
  ];
  return problemsOfEach(named, ([name, at]) => {
    if (environments.includes(name)) return [];
    return [unknownEnvironment(at, name, environments)];
  });
}
