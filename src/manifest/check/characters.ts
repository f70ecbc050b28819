import { secretsIn } from '../../secrets/reference.ts';
import { counted } from '../../text/wording.ts';
import type { Problem } from '../../yaml/problem.ts';
import { type MapNode, type ScalarNode, scalarsOf } from '../../yaml/tree.ts';

/** Line ends and tabs are ordinary text. */
const unwanted = /(?!\r\n|[\n\t])\p{Cc}|\ufffd/gu;
const halfPair = /\p{Surrogate}/gu;

/** Characters that a service may refuse or lose, each kind once in a text, where it is first. */
export function characterProblems(sections: MapNode): Problem[] {
  return [...scalarsOf(sections)].flatMap(([[section], node]) => {
    const text = textOf(node);
    if (text === undefined) return [];
    // What is under extraSettings is not validated.
    return [...(section === 'extraSettings' ? [] : halfPairs(node, text)), ...unwantedIn(node, text)];
  });
}

function halfPairs(node: ScalarNode, text: string): Problem[] {
  const [half] = text.matchAll(halfPair);
  if (half === undefined) return [];
  const place = { node, text, index: half.index };
  const message = `half of a surrogate pair (${codeOf(half[0])})${lineOf(place)} cannot be encoded: write the whole character, or delete it`;
  return [{ severity: 'error', rule: 'text-surrogate', message, at: spanOf(place) }];
}

function unwantedIn(node: ScalarNode, text: string): Problem[] {
  const [first, ...others] = text.matchAll(unwanted);
  if (first === undefined) return [];
  const place = { node, text, index: first.index };
  const isLost = first[0] === '\ufffd';
  const what = `${isLost ? 'the mark of a lost character' : 'a control character'} (${codeOf(first[0])})${lineOf(place)}`;
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more such character')}`;
  const message = `the text has ${what}${more}: ${isLost ? 'type the character again' : 'delete it'}`;
  return [{ severity: 'warning', rule: 'text-character', message, at: spanOf(place) }];
}

/** As it is written: the value of a secret shows nothing of itself. */
function textOf({ value, raw, from, sensitive, opaque }: ScalarNode): string | undefined {
  if (typeof value !== 'string' || sensitive || opaque) return undefined;
  if (from !== undefined) return from.text;
  return raw !== undefined && secretsIn(raw).length > 0 ? raw : value;
}

interface Place {
  readonly node: ScalarNode;
  readonly text: string;
  readonly index: number;
}

/** In a manifest, escapes and indentation keep a place in the text from being one in the file. */
function lineOf({ node, text, index }: Place): string {
  return node.from === undefined && text.includes('\n')
    ? ` in its line ${text.slice(0, index).split('\n').length}`
    : '';
}

function spanOf({ node: { at, from }, index }: Place): Problem['at'] & object {
  return from === undefined ? at : from.span(index, index + 1);
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
