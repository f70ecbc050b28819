import type { PromptText } from '../prompt-text.ts';
import { filler } from '../source-lines.ts';

/** Very common short words of each language. A word that occurs in several languages counts for each of them. */
const smallWords: Readonly<Record<string, string>> = {
  eng: 'the an and or to of in is are you your for on with that this it if not do does they them we our be as at when from by never always ask say can will have has their any what about should must use',
  spa: 'el la los las un una unos unas de del y en es son que se su sus para por con si al lo le les cuando como nunca siempre usted pregunte diga más está este esta o pero sin ser no te tu tus debe qué cada también',
  por: 'o a os as um uma do da dos das no na nos nas e é são que não se seu sua para por com ao mais está você ou quando como mas nunca sempre de em uma pelo pela isso também',
  fra: 'le la les un une des du de et est sont que qui ne pas se son sa ses pour par avec au aux plus vous votre vos ou quand comme mais jamais toujours dans sur ce cette il si sans être',
  deu: 'der die das den dem des ein eine einen einem einer und oder ist sind nicht sie ihr ihre für mit auf zu im in von bei wenn wie aber nie immer nach dass es auch werden kann als an',
  ita: 'il lo la i gli le un una di del della dei e è sono che non si suo sua per con al alla più o quando come ma mai sempre da in nel nella se questo anche',
  nld: 'de het een en of is zijn niet u uw voor met op te in van bij als maar nooit altijd dat die er naar om ook wordt kan je',
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

/** The maximum number of characters to examine when detecting a language. */
const enough = 20_000;

/** The maximum number of characters to pass to the library, which is slow on long texts. */
const enoughForLibrary = 3_000;

/**
 * The minimum number of letters of another script in a text with few words. A text with fewer such letters is not
 * examined.
 */
const minOthers = 60;

/** The minimum share of small words of a language in a text that is written in this language. */
const minLanguageShare = 0.15;

/**
 * The minimum share of small words in lists of prices and hours, which contain fewer such words. This minimum applies
 * only if small words of the expected language are almost absent.
 */
const minListedShare = 0.05;

/**
 * The maximum share of the expected language's small words, relative to the other language. With a greater share, the
 * text may be in both languages.
 */
const maxOwnShare = 0.6;

/** The language of a text if it is definitely not the expected language. Undefined otherwise. */
export async function foreignLanguage(text: PromptText, expected: 'eng' | 'spa'): Promise<string | undefined> {
  const prose = tellingPart(text);
  const words = prose.match(/\p{L}+/gu) ?? [];
  const isShort = prose.length < 140 || words.length < 25;
  if (isShort && (prose.match(/[^\p{Script=Latin}\P{L}]/gu)?.length ?? 0) < minOthers) return undefined;
  const shares = sharesOf(words);
  const own = shares.get(expected) ?? 0;
  const [top, topShare] = [...shares].sort(([, one], [, other]) => other - one)[0] ?? [expected, 0];
  if (topShare >= minLanguageShare) return top !== expected && own < maxOwnShare * topShare ? names[top] : undefined;
  // Even a text that consists mostly of names and quotations contains some small words of its language.
  if (own > 0.08) return undefined;
  if (words.length >= 60 && topShare >= minListedShare && own < topShare / 4) return names[top];
  return detected(prose, expected);
}

/** Detects a language with franc-min. The library is loaded only if small words do not determine the language. */
async function detected(prose: string, expected: string): Promise<string | undefined> {
  const { francAll } = await import('franc-min');
  const only = Object.keys(names);
  const [[found = 'und'] = [], ...rest] = francAll(prose.slice(0, enoughForLibrary), { only, minLength: 40 });
  const score = found === expected ? 1 : (rest.find(([code]) => code === expected)?.[1] ?? 0);
  return found === 'und' || score > 0.97 ? undefined : names[found];
}

/** The languages in which each small word occurs. Computed on first use, because most commands check no text. */
let languagesOf: ReadonlyMap<string, readonly string[]> | undefined;

function languagesOfSmallWords(): ReadonlyMap<string, readonly string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(smallWords)) {
    for (const word of new Set(words.split(' '))) languages.set(word, [...(languages.get(word) ?? []), language]);
  }
  return languages;
}

function sharesOf(words: readonly string[]): Map<string, number> {
  languagesOf ??= languagesOfSmallWords();
  const counts = new Map<string, number>();
  for (const word of words) {
    for (const language of languagesOf.get(word.toLowerCase()) ?? []) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  return new Map([...counts].map(([language, count]) => [language, count / words.length]));
}

/** The prose of a text. If nearly all of the text is code, for example between fences, returns the whole text. */
function tellingPart(text: PromptText): string {
  const prose = proseOf(text);
  return prose.length < 140 && text.masked.length > 1_000 ? plain(text.masked.slice(0, enough)) : prose;
}

/** The text without code, URLs and references. */
function proseOf({ masked, outline }: PromptText): string {
  const parts: string[] = [];
  let at = 0;
  let length = 0;
  for (const [start, end] of [...outline.code, [masked.length, masked.length] as const]) {
    if (start < at) continue;
    parts.push(masked.slice(at, start));
    length += start - at;
    at = end;
    if (length > enough) break;
  }
  return plain(parts.join(' ').slice(0, enough));
}

function plain(text: string): string {
  return text.replaceAll(filler, ' ').replace(/https?:\/\/\S+/g, ' ');
}
