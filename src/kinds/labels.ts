import { quote, shorten } from '../text/wording.ts';

// Labels and selectors have the same syntax and meaning as in Kubernetes.

/** The labels of a resource, by key. */
export type Labels = Readonly<Record<string, string>>;

export interface Labeled {
  readonly kind: string;
  readonly name: string;
  readonly labels?: Labels;
}

const maxPartLength = 63;
const maxPrefixLength = 253;

const namePart = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const domainPart = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

export const labelKeySyntax =
  'letters, digits, dashes, underscores and dots, at most 63, with a letter or digit at both ends. A domain and a slash may come before them';

export const labelValueSyntax =
  'letters, digits, dashes, underscores and dots, at most 63, with a letter or digit at both ends, or an empty string';

export function isLabelKey(text: string): boolean {
  const slash = text.indexOf('/');
  const prefix = slash < 0 ? undefined : text.slice(0, slash);
  return isPart(text.slice(slash + 1)) && (prefix === undefined || isDomain(prefix));
}

export function isLabelValue(text: string): boolean {
  return text === '' || isPart(text);
}

function isPart(text: string): boolean {
  return text.length <= maxPartLength && namePart.test(text);
}

function isDomain(text: string): boolean {
  return text.length <= maxPrefixLength && text.split('.').every((part) => domainPart.test(part));
}

/** One condition of a selector. A resource must meet all conditions. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'exists' | 'absent' | 'in' | 'notin';
  /** The values for `in` and `notin`. */
  readonly values: ReadonlySet<string>;
}

type ParsedSelector =
  | { readonly requirements: readonly Requirement[]; readonly problem?: never }
  | { /** What is wrong with the selector and where, as a sentence. */ readonly problem: string };

const maxSelectorLength = 10_000;

/** Parses a selector as kubectl does: `ring=canary,country!=us`, `ring in (canary, early)`, `key`, `!key`. */
export function parseSelector(text: string): ParsedSelector {
  if (text.length > maxSelectorLength)
    return { problem: `the selector is longer than ${maxSelectorLength} characters` };
  return new SelectorParser(text).parse();
}

/** Whether labels match a selector. A resource without the key satisfies `!=` and `notin`, as in Kubernetes. */
export function matchesSelector(requirements: readonly Requirement[], labels: Labels): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (operator === 'exists') return value !== undefined;
    if (operator === 'absent') return value === undefined;
    return (value !== undefined && values.has(value)) === (operator === 'in');
  });
}

interface Token {
  readonly text: string;
  readonly index: number;
}

/** The error that the parser throws and catches itself. */
class Unexpected extends Error {}

class SelectorParser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = [...text.matchAll(/[=!]=|[=!,()]|[^\s=!,()]+/g)].map(({ 0: token, index }) => ({
      text: token,
      index,
    }));
  }

  parse(): ParsedSelector {
    try {
      const requirements = [this.#requirement()];
      while (this.#peek() !== undefined) {
        this.#expect(',');
        requirements.push(this.#requirement());
      }
      return { requirements };
    } catch (error) {
      if (!(error instanceof Unexpected)) throw error;
      return { problem: error.message };
    }
  }

  #requirement(): Requirement {
    const isAbsent = this.#take('!');
    const key = this.#word('a label', isLabelKey, labelKeySyntax);
    if (isAbsent) return { key, operator: 'absent', values: new Set() };
    if (this.#take('=') || this.#take('==')) return { key, operator: 'in', values: new Set([this.#value()]) };
    if (this.#take('!=')) return { key, operator: 'notin', values: new Set([this.#value()]) };
    for (const operator of ['in', 'notin'] as const) if (this.#take(operator)) return this.#oneOf(key, operator);
    return { key, operator: 'exists', values: new Set() };
  }

  #oneOf(key: string, operator: 'in' | 'notin'): Requirement {
    this.#expect('(');
    const values = new Set([this.#value()]);
    while (this.#take(',')) values.add(this.#value());
    this.#expect(')');
    return { key, operator, values };
  }

  /** Reads a value. A missing value counts as empty. */
  #value(): string {
    const text = this.#peek()?.text;
    if (text === undefined || text === ',' || text === ')') return '';
    return this.#word('a value', isLabelValue, labelValueSyntax);
  }

  #word(what: string, fits: (text: string) => boolean, syntax: string): string {
    const token = this.#peek();
    if (token === undefined || /^[=!,()]/.test(token.text)) throw this.#unexpected(what);
    if (!fits(token.text)) {
      const found = quote(shorten(token.text, 60));
      throw new Unexpected(`${found} at ${positionText(this.#text, token)} is not ${what}: expected ${syntax}`);
    }
    this.#next += 1;
    return token.text;
  }

  #take(text: string): boolean {
    if (this.#peek()?.text !== text) return false;
    this.#next += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected(quote(text));
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #unexpected(wanted: string): Unexpected {
    const token = this.#peek();
    const found = token === undefined ? 'ends' : `has ${quote(shorten(token.text, 60))}`;
    return new Unexpected(`the selector ${found} at ${positionText(this.#text, token)}: expected ${wanted}`);
  }
}

/** Describes a position: `character 9 of 'ring in canary'`. */
function positionText(text: string, token: Token | undefined): string {
  return `character ${(token?.index ?? text.length) + 1} of ${quote(shorten(text, 60))}`;
}
