import type { francAll } from './libraries.ts';
import type { PromptText } from './prompt-text.ts';
import { filler } from './written-lines.ts';

const stopWords: Readonly<Record<string, RegExp>> = {
  eng: /\b(?:the|an|and|or|to|of|in|is|are|you|your|for|on|with|that|this|it|if|not|do|they|them|we|our|be|as|at|when|from|by|never|always|ask|say|can|will)\b/gi,
  spa: /\b(?:el|la|los|las|un|una|de|del|y|en|es|son|que|se|su|sus|para|por|con|si|al|lo|le|les|cuando|como|nunca|siempre|usted|pregunte|diga|más|está|este|esta)\b/gi,
};

const names: Readonly<Record<string, string>> = {
  eng: 'English',
  spa: 'Spanish',
  fra: 'French',
  deu: 'German',
  por: 'Portuguese',
  ita: 'Italian',
  nld: 'Dutch',
  pol: 'Polish',
  rus: 'Russian',
  ukr: 'Ukrainian',
  swe: 'Swedish',
  dan: 'Danish',
  tur: 'Turkish',
  vie: 'Vietnamese',
  cmn: 'Chinese',
  jpn: 'Japanese',
  kor: 'Korean',
  arb: 'Arabic',
  hin: 'Hindi',
  ron: 'Romanian',
  ces: 'Czech',
  ell: 'Greek',
};

/** So much of a text tells its language. */
const enough = 3_000;

/** The language that a text is in if it is certainly not the one that is expected; undefined if that cannot be told. */
export function foreignLanguage(
  text: PromptText,
  expected: 'eng' | 'spa',
  detect: typeof francAll,
): string | undefined {
  const prose = proseOf(text);
  const words = prose.match(/\p{L}+/gu) ?? [];
  const others = (prose.match(/[^\p{Script=Latin}\P{L}]/gu) ?? []).length;
  if (others < 60 && (words.length < 25 || prose.length < 140)) return undefined;
  const own = (prose.match(stopWords[expected] ?? /$^/) ?? []).length;
  // Even a text that is full of names and quotations has every tenth word of its own language.
  if (own / Math.max(1, words.length) > 0.12) return undefined;
  const [[top = 'und'] = [], ...rest] = detect(prose, { only: Object.keys(names), minLength: 40 });
  const score = top === expected ? 1 : (rest.find(([code]) => code === expected)?.[1] ?? 0);
  return top === 'und' || score > 0.97 ? undefined : names[top];
}

/** Without code, addresses and references. */
function proseOf({ masked, outline }: PromptText): string {
  const parts: string[] = [];
  let at = 0;
  let length = 0;
  for (const [start, end] of [...outline.code, [masked.length, masked.length] as const]) {
    if (start < at) continue;
    parts.push(masked.slice(at, start));
    length += start - at;
    at = end;
    if (length > 2 * enough) break;
  }
  return parts
    .join(' ')
    .slice(0, 2 * enough)
    .replaceAll(filler, ' ')
    .replace(/https?:\/\/\S+/g, ' ')
    .slice(0, enough);
}
