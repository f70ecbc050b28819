import { isLabelKey, isLabelValue, labelKeySyntax, labelValueSyntax } from '../../kinds/labels.ts';
import { quote } from '../../text/wording.ts';
import { isSpecial, splitText } from '../../yaml/interpolate.ts';
import { errorAt, type Problem, problemsOfEach } from '../../yaml/problem.ts';
import { type Node, type ScalarNode, showNode } from '../../yaml/tree.ts';

/** The value of a variable is literal: nothing in it is special, and it hides no secret. */
export function nestedProblems(variables: Node | undefined): Problem[] {
  if (variables?.type !== 'map') return [];
  return problemsOfEach(variables.members, ([, { value: node }]) => {
    if (node.type !== 'scalar' || typeof node.value !== 'string' || isLiteral(node.value)) return [];
    return [errorAt(node.at, 'variable-nested', 'the value of a variable cannot refer to a variable or a secret')];
  });
}

export function isLiteral(text: string): boolean {
  return splitText(text).every(({ type }) => type === 'literal');
}

/** Problems of labels as written; a label with a variable is checked once the variable is known. */
export function labelProblems(labels: Node | undefined): Problem[] {
  if (labels?.type !== 'map') return [];
  return problemsOfEach(labels.members, ([key, { key: at, value }]) => {
    const isKnown = value.type === 'scalar' && typeof value.value === 'string' && !isSpecial(value.value);
    const found = isKnown ? labelValueProblems(key, value) : [];
    if (isLabelKey(key)) return found;
    return [errorAt(at, 'label', `the label ${quote(key)} is not a valid key: expected ${labelKeySyntax}`), ...found];
  });
}

export function labelValueProblems(key: string, node: ScalarNode): Problem[] {
  if (isLabelValue(String(node.value))) return [];
  return [errorAt(node.at, 'label', `labels.${key} is ${showNode(node)}: expected ${labelValueSyntax}`)];
}
