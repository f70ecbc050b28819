import type { PromptText } from '../prompt-text.ts';
import { matchesWhere } from '../source-lines.ts';

/** A skill, app or action that is mentioned in a text. */
export interface NamedThing {
  readonly sort: 'skill' | 'app' | 'action';
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Matches a name without white space in backticks or quotes. */
const quotedName = '([`"“\'‘][A-Za-z][\\w.-]{0,60}[`"”\'’])';
/**
 * Matches a name in the style of an identifier, with at least two parts. Ordinary words and brands such as iOS do not
 * match.
 */
const codeName = '([a-z][a-z0-9-]{1,40}(?:_[a-z0-9-]{1,40}|[A-Z][a-z0-9-]{1,40}){1,4})';
const before = new RegExp(
  `\\b(?:[Tt]he|[Yy]our)\\s{1,3}(?:${quotedName}|${codeName})\\s{1,3}(skill|app|action|tool|function)\\b`,
  'g',
);
const behind = new RegExp(
  `(?<![\\w-])([Ss]kill|[Aa]pp|[Aa]ction)s?\\s{1,3}(?:(?:called|named)\\s{1,3})?(?:${quotedName}|${codeName})`,
  'g',
);
const behindInSpanish = new RegExp(
  `\\b([Hh]abilidad|[Aa]plicación|[Aa]cción)\\s{1,3}(?:llamada\\s{1,3})?(?:${quotedName}|${codeName})`,
  'g',
);
/** Verbs that precede the name of an action. "use" is not included, because it may precede a value. */
const called =
  /\b(?:[Cc]all|[Ii]nvoke|[Rr]un|[Tt]rigger)\s{1,3}`([a-z][a-z0-9]{0,40}(?:[_A-Z][A-Za-z0-9]{1,40}){1,4})(?:\(\))?`/g;
const inEnglish: ReadonlyMap<string, string> = new Map([
  ['habilidad', 'skill'],
  ['aplicación', 'app'],
  ['acción', 'action'],
]);
// Allows a search to skip most paragraphs, because trying the regexes above at every word takes longer.
const nouns = { has: /skill|apps?\b|action|tool|function|habilidad|aplicación|acción/gi, within: 'paragraph' } as const;
const ticks = { has: /`/g, within: 'paragraph' } as const;

/** Finds the agent's skills, apps and actions that a text names. Skips indefinite mentions such as "a skill". */
export function namedThings({ masked }: PromptText): NamedThing[] {
  const found: NamedThing[] = [];
  const add = (noun: string, shown: string | undefined, match: RegExpExecArray): void => {
    const thing = shown === undefined || isNegated(masked, match) ? undefined : thingIn(noun, shown, match);
    if (thing !== undefined) found.push(thing);
  };
  for (const match of matchesWhere(masked, nouns, before)) add(match[3] ?? '', match[1] ?? match[2], match);
  for (const match of matchesWhere(masked, nouns, behind)) add(match[1] ?? '', match[2] ?? match[3], match);
  for (const match of matchesWhere(masked, nouns, behindInSpanish)) {
    add(inEnglish.get(match[1]?.toLowerCase() ?? '') ?? '', match[2] ?? match[3], match);
  }
  for (const match of matchesWhere(masked, ticks, called)) add('action', match[1], match);
  const unique = new Map(found.map((one) => [one.start, one]));
  return [...unique.values()].sort((one, other) => one.start - other.start);
}

function thingIn(noun: string, shown: string, match: RegExpExecArray): NamedThing | undefined {
  const word = noun.toLowerCase();
  const sort = word === 'skill' || word === 'app' ? word : 'action';
  // An app in quotes probably belongs to the caller, not to the agent.
  if (sort === 'app' && /^["“'‘]/.test(shown)) return undefined;
  const name = shown.replace(/^[`"“'‘]|[`"”'’]$/g, '');
  const start = match.index + match[0].indexOf(name);
  return { sort, name, start, end: start + name.length };
}

function isNegated(text: string, { 0: shown, index }: RegExpExecArray): boolean {
  const [before, after] = [text.slice(Math.max(0, index - 40), index), text.slice(index + shown.length).slice(0, 16)];
  return (
    /\b(?:no|not|never|nunca|sin|without|don't|cannot|can't|isn't|lacks?)\b[^.\n]{0,30}$/i.test(before) ||
    /^ (?:is|está) (?:available|installed|enabled|disponible)/i.test(after)
  );
}

/** Returns a key that ignores small differences in spelling. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, '');
}
