import { mayHoldCredential, parseBaseUrl } from './base-url.ts';
import { flawOfGlob } from './glob.ts';
import { splitText } from './interpolate.ts';
import { lintRules } from './lint-rules.ts';
import { patternNodes } from './manifest-globs.ts';
import { keyAt } from './pointer.ts';
import type { Problem } from './problem.ts';
import { errorAt, problemsOfEach } from './problem-list.ts';
import { recordProblems } from './record-store.ts';
import { isUnsafe, unsafeNumber } from './safe-number.ts';
import { parameterProblems } from './service-parameters.ts';
import type { SourceFile } from './source-file.ts';
import { didYouMean } from './suggest.ts';
import { checkToken } from './token.ts';
import { type MapNode, memberOf, type Node, scalarsOf, textOf } from './tree.ts';
import { listOf, quote, shorten } from './wording.ts';

/** What is wrong with agentform.yaml beyond its schema. */
export function projectProblems(tree: MapNode, source: SourceFile): Problem[] {
  const environments = memberOf(tree, 'environments');
  const definitions = environments?.type === 'map' ? [...environments.members.values()] : [];
  return [
    ...environmentCount(environments),
    ...patternProblems(tree),
    ...defaultProblems(tree, environments),
    ...lintProblems(tree),
    ...parameterProblems(tree),
    ...recordProblems(tree, source),
    ...unsafeNumbers(tree),
    ...definitions.flatMap(({ value }) => environmentProblems(value, source)),
  ];
}

/** Every manifest is resolved for each of them. */
const maxEnvironments = 100;

function environmentCount(environments: Node | undefined): Problem[] {
  const members = environments?.type === 'map' ? [...environments.members.values()] : [];
  const beyond = members[maxEnvironments];
  if (beyond === undefined) return [];
  const message = `there are ${members.length} environments; at most ${maxEnvironments} are allowed`;
  return [errorAt(beyond.key, 'value', message)];
}

/** So many patterns are held against every path. */
const maxPatterns = 100;

function patternProblems(tree: MapNode): Problem[] {
  const nodes = patternNodes(tree);
  const beyond = nodes[maxPatterns];
  if (beyond !== undefined) {
    return [errorAt(beyond.at, 'pattern', `there are ${nodes.length} patterns; at most ${maxPatterns} are allowed`)];
  }
  return nodes.flatMap((node) => {
    const pattern = typeof node.value === 'string' ? node.value : '';
    const flaw = /^!?([\\/]|[A-Za-z]:)|(^!?|\/)\.\.(\/|$)/.test(pattern)
      ? 'leads outside the project folder'
      : flawOfGlob(pattern);
    return flaw === undefined
      ? []
      : [errorAt(node.at, 'pattern', `the pattern ${quote(shorten(pattern, 100))} ${flaw}`)];
  });
}

function defaultProblems(tree: MapNode, environments: Node | undefined): Problem[] {
  const name = textOf(tree, 'defaultEnvironment');
  const node = memberOf(tree, 'defaultEnvironment');
  if (name === undefined || node === undefined || environments?.type !== 'map' || environments.members.has(name))
    return [];
  const known = [...environments.members.keys()];
  const message = `defaultEnvironment is ${quote(name)}: expected ${listOf(known.map(quote))}${didYouMean(name, known)}`;
  return [errorAt(node.at, 'environment-unknown', message)];
}

function lintProblems(tree: MapNode): Problem[] {
  const lint = memberOf(tree, 'lint');
  const names = lintRules.map(({ name }) => name);
  if (lint?.type !== 'map') return [];
  return problemsOfEach(lint.members, ([name, { key }]) => {
    if (names.includes(name)) return [];
    const hint = didYouMean(name, names) || `: the rules are ${listOf(names, 'and')}`;
    return [errorAt(key, 'lint-rule-unknown', `there is no lint rule ${quote(name)}${hint}`)];
  });
}

/** Those of an environment, such as variables, are kept as they are written. */
function unsafeNumbers(tree: MapNode): Problem[] {
  return [...scalarsOf(tree)]
    .filter(([[section], node]) => section !== 'environments' && isUnsafe(node))
    .map(([, node]) => unsafeNumber(node, { mayBeText: false }));
}

function environmentProblems(definition: Node, source: SourceFile): Problem[] {
  const token = memberOf(definition, 'token');
  const variables = memberOf(definition, 'variables');
  return [
    ...(token === undefined ? [] : checkToken(token, keyAt(definition, ['token']), source)),
    ...baseUrlProblems(definition, source),
    ...(variables?.type === 'map'
      ? [...variables.members.values()].flatMap(({ value }) => variableProblems(value))
      : []),
  ];
}

/** One with a variable in it is checked once the variable is known. */
function baseUrlProblems(definition: Node, source: SourceFile): Problem[] {
  const text = textOf(definition, 'baseUrl');
  const node = memberOf(definition, 'baseUrl');
  if (text === undefined || text === '' || node === undefined || !isLiteral(text)) return [];
  const base = parseBaseUrl(text);
  if (!('problem' in base)) return [];
  const problem = errorAt(node.at, 'base-url', base.problem);
  if (!mayHoldCredential(text)) return [problem];
  source.hide(node.at);
  return [{ ...problem, hideSource: true }];
}

function variableProblems(node: Node): Problem[] {
  if (node.type !== 'scalar' || typeof node.value !== 'string' || isLiteral(node.value)) return [];
  return [errorAt(node.at, 'variable-nested', 'the value of a variable cannot refer to a variable or a secret')];
}

function isLiteral(text: string): boolean {
  return splitText(text).every(({ type }) => type === 'literal');
}
