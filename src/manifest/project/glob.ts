import { anyText, type MatchCost, matchesWildcard, type WildcardToken } from '../../text/wildcard.ts';

/** Represents `**`, which matches any number of names that do not begin with a dot. */
const anyFolders = Symbol('any folders');

type Segment = Name | typeof anyFolders;

interface Name {
  readonly tokens: readonly WildcardToken[];
  /** Whether the segment begins with a literal dot. If not, the segment does not match names that begin with a dot. */
  readonly isDotted: boolean;
}

/** The state of a match: the indexes of the segments that may match the next name. */
export type GlobState = ReadonlySet<number>;

const maxLength = 1000;
const maxAlternatives = 100;

/**
 * A path pattern with `*`, `**`, `?`, `[...]`, `{a,b}` and backslash escapes. Anyone who opens a pull request can write
 * patterns, so matching never takes exponential time.
 */
export class Glob {
  readonly pattern: string;
  readonly #segments: readonly (Segment | undefined)[];
  /** The state before the first name. */
  readonly start: GlobState;

  /** Compiles a pattern, which must be valid according to `parseGlob`. */
  constructor(pattern: string) {
    this.pattern = pattern;
    const starts: number[] = [];
    // An undefined segment marks the end of an alternative.
    const segments: Array<Segment | undefined> = [];
    for (const pieces of parseGlob(pattern).alternatives) {
      starts.push(segments.length);
      segments.push(...segmentsOf(pieces), undefined);
    }
    this.#segments = segments;
    this.start = this.#withSkipped(starts);
  }

  /** The state after one more name. Empty if neither this path nor a deeper path can match. */
  next(state: GlobState, name: string, cost?: MatchCost): GlobState {
    const reached: number[] = [];
    if (cost !== undefined) cost.steps += state.size;
    for (const index of state) {
      const segment = this.#segments[index];
      if (segment === anyFolders) {
        if (!name.startsWith('.')) reached.push(index);
        continue;
      }
      if (segment === undefined || (name.startsWith('.') && !segment.isDotted)) continue;
      if (matchesWildcard(segment.tokens, name, cost)) reached.push(index + 1);
    }
    return this.#withSkipped(reached);
  }

  /** Whether the path that led to this state matches. */
  isEnd(state: GlobState): boolean {
    return [...state].some((index) => this.#segments[index] === undefined);
  }

  matches(path: string): boolean {
    return this.isEnd(path.split('/').reduce((state, name) => this.next(state, name), this.start));
  }

  /** Whether a path in the folder may match. */
  mayMatchBelow(folder: string): boolean {
    const state = folder.split('/').reduce((reached, name) => this.next(reached, name), this.start);
    return [...state].some((index) => this.#segments[index] !== undefined);
  }

  /** Whether the pattern matches the path or one of its folders. */
  covers(path: string): boolean {
    let state = this.start;
    return path.split('/').some((name) => {
      state = this.next(state, name);
      return this.isEnd(state);
    });
  }

  /** Adds the segment after each `**`, because `**` can match zero folders. */
  #withSkipped(indexes: readonly number[]): GlobState {
    const state = new Set(indexes);
    // The loop also visits the segments that it adds.
    for (const index of state) if (this.#segments[index] === anyFolders) state.add(index + 1);
    return state;
  }
}

/** The alternatives of a pattern, each a list of characters, escapes and character classes. */
interface ParsedGlob {
  readonly alternatives: readonly (readonly string[])[];
  /** Why the pattern is invalid. Completes a sentence that begins with the pattern. */
  readonly problem?: string;
}

/**
 * Mistakes in a pattern, with their messages. The regexes are applied after escapes and character classes were replaced
 * with `_`.
 */
const mistakes: ReadonlyArray<readonly [RegExp, string]> = [
  [/[()]/, 'has a group; write alternatives as {a,b}, and escape a literal parenthesis as \\( or \\)'],
  [/\{[^}]*\{/, 'has nested braces; write each alternative separately'],
  [/^[^{]*\}|\}[^{]*\}/, 'has an unmatched closing brace; escape a literal brace as \\}'],
  [/\{[^{,}]*\}/, 'has braces without a comma; separate the alternatives, as in {a,b}'],
  [/\{[^{}]*$/, 'has an unclosed brace; escape a literal brace as \\{'],
];

/** Checks a pattern and expands its braces. */
export function parseGlob(pattern: string): ParsedGlob {
  const pieces = pattern.match(/\\.|\[[!^]?\]?[^\]/]*\]|./gsu) ?? [];
  const unusable = (problem: string) => ({ alternatives: [pieces], problem });
  if (pattern.length > maxLength) return unusable(`has ${pattern.length} characters; at most ${maxLength} are allowed`);
  const plain = pieces.map((piece) => (piece.length > 1 ? '_' : piece)).join('');
  const mistake = mistakes.find(([syntax]) => syntax.test(plain));
  if (mistake !== undefined) return unusable(mistake[1]);
  let alternatives: string[][] = [[]];
  let before: string[][] | undefined;
  let chosen: string[][] = [];
  for (const piece of pieces) {
    if (piece === '{') {
      [before, chosen] = [alternatives, []];
      alternatives = before.map((one) => [...one]);
    } else if (before !== undefined && (piece === ',' || piece === '}')) {
      chosen.push(...alternatives);
      alternatives = piece === ',' ? before.map((one) => [...one]) : chosen;
      if (piece === '}') before = undefined;
      if (chosen.length > maxAlternatives) return unusable(`has more than ${maxAlternatives} alternatives in braces`);
    } else for (const one of alternatives) one.push(piece);
  }
  return { alternatives };
}

function segmentsOf(pieces: readonly string[]): Segment[] {
  const names: string[][] = [[]];
  for (const piece of pieces) {
    if (piece === '/') names.push([]);
    else names.at(-1)?.push(piece);
  }
  return names.flatMap((name): Segment[] => {
    const text = name.join('');
    if (text === '' || text === '.') return [];
    return [text === '**' ? anyFolders : { tokens: name.map(tokenOf), isDotted: /^\\?\./.test(text) }];
  });
}

function tokenOf(piece: string): WildcardToken {
  if (piece === '*') return anyText;
  if (piece === '?') return () => true;
  if (piece.startsWith('[') && piece.endsWith(']')) return oneOf(piece.slice(1, -1));
  const wanted = piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece;
  return (character) => character === wanted;
}

/** Compiles the inside of a character class, such as `a-z0-9` or `!a-z`. */
function oneOf(inner: string): (character: string) => boolean {
  const isNot = /^[!^]/.test(inner);
  const ranges = [...(isNot ? inner.slice(1) : inner).matchAll(/(.)-(.)|./gsu)].map(
    ([whole, from, to]) => [from ?? whole, to ?? whole] as const,
  );
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNot;
}
