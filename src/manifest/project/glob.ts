import { anyText, type MatchCost, matchesWildcard, type WildcardToken } from '../../text/wildcard.ts';

/** Represents `**`: any number of folders whose names do not begin with a dot. */
const anyFolders = Symbol('any folders');

type Segment = Name | typeof anyFolders;

interface Name {
  readonly tokens: readonly WildcardToken[];
  /** Whether the segment begins with a literal dot. Otherwise it does not match names that begin with a dot. */
  readonly isDotted: boolean;
}

/** The state of a match: indexes of the segments that may match the next name. */
export type GlobState = ReadonlySet<number>;

const maxLength = 1000;
const maxAlternatives = 100;

/**
 * A path pattern with `*`, `**`, `?`, `[...]`, `{a,b}` and backslash escapes. Matching takes time linear in pattern and
 * path, because anyone who opens a pull request can write patterns.
 */
export class Glob {
  readonly pattern: string;
  readonly #segments: readonly (Segment | undefined)[];
  /** The state before the first name. */
  readonly start: GlobState;

  /** Compiles a pattern. It must be valid according to `globProblem`. */
  constructor(pattern: string) {
    this.pattern = pattern;
    const alternatives = alternativesOf(pattern).map(segmentsOf);
    const starts: number[] = [];
    // Undefined marks the end of an alternative.
    const segments: Array<Segment | undefined> = [];
    for (const alternative of alternatives) {
      starts.push(segments.length);
      segments.push(...alternative, undefined);
    }
    this.#segments = segments;
    this.start = this.#reached(starts);
  }

  /** The state after one more name. Empty if nothing here or deeper can match. */
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
    return this.#reached(reached);
  }

  /** Whether the path up to this state matches. */
  isEnd(state: GlobState): boolean {
    return [...state].some((index) => this.#segments[index] === undefined);
  }

  /** Whether a path with forward slashes matches. */
  matches(path: string): boolean {
    return this.isEnd(path.split('/').reduce((state, name) => this.next(state, name), this.start));
  }

  /** Whether the path itself or one of its folders matches. */
  covers(path: string): boolean {
    let state = this.start;
    return path.split('/').some((name) => {
      state = this.next(state, name);
      return this.isEnd(state);
    });
  }

  /** Adds the segments after a `**`, because it may match no folder. */
  #reached(indexes: readonly number[]): GlobState {
    const state = new Set<number>();
    for (const from of indexes) {
      let index = from;
      state.add(index);
      while (this.#segments[index] === anyFolders) {
        index += 1;
        state.add(index);
      }
    }
    return state;
  }
}

/** Checks a pattern. Returns the problem as the end of a sentence that begins with the pattern. */
export function globProblem(pattern: string): string | undefined {
  if (pattern.length > maxLength) return `has ${pattern.length} characters; at most ${maxLength} are allowed`;
  const pieces = piecesOf(pattern);
  if (pieces.some((piece) => piece === '(' || piece === ')')) {
    return 'has a group; write alternatives as {a,b}, and escape a literal parenthesis as \\( or \\)';
  }
  let alternatives = 1;
  let choices: number | undefined;
  for (const piece of pieces) {
    if (piece === '{') {
      if (choices !== undefined) return 'has nested braces; write each alternative separately';
      choices = 1;
    } else if (piece === ',' && choices !== undefined) choices += 1;
    else if (piece === '}') {
      if (choices === undefined) return 'has an unmatched closing brace; escape a literal brace as \\}';
      if (choices === 1) return 'has braces without a comma; separate the alternatives, as in {a,b}';
      alternatives *= choices;
      choices = undefined;
      if (alternatives > maxAlternatives) return `has more than ${maxAlternatives} alternatives in braces`;
    }
  }
  return choices === undefined ? undefined : 'has an unclosed brace; escape a literal brace as \\{';
}

/** Splits a pattern into characters, escapes and character classes. */
function piecesOf(pattern: string): string[] {
  return pattern.match(/\\.|\[[!^]?\]?[^\]/]*\]|./gsu) ?? [];
}

/** Expands the braces of a pattern into all alternatives. */
export function alternativesOf(pattern: string): string[][] {
  let alternatives: string[][] = [[]];
  let before: string[][] | undefined;
  let chosen: string[][] = [];
  for (const piece of piecesOf(pattern)) {
    if (piece === '{') {
      before = alternatives;
      chosen = [];
      alternatives = before.map((pieces) => [...pieces]);
    } else if (before !== undefined && (piece === ',' || piece === '}')) {
      chosen.push(...alternatives);
      alternatives = piece === ',' ? before.map((pieces) => [...pieces]) : chosen;
      if (piece === '}') before = undefined;
    } else for (const pieces of alternatives) pieces.push(piece);
  }
  return alternatives;
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
