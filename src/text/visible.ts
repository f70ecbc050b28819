// Values must be escaped before they reach a terminal or a pull request comment. Escape sequences move the cursor,
// bidirectional controls change the displayed order of a prompt, and invisible characters can hide instructions in a
// prompt.

/**
 * Matches controls, format characters, line separators, lone surrogates, and other characters that Unicode allows a
 * font to omit. Does not match line feeds, tabs, and the Arabic number signs, which are visible format characters.
 */
const invisible = /(?![\n\t\u0600-\u0605\u06dd])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Matches letters and marks of scripts that may use joiners, such as Arabic and Devanagari. In other scripts, a joiner
 * could only hide text.
 */
const joinable =
  /^(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Default_Ignorable_Code_Point}])[\p{L}\p{M}]$/u;
const emoji = /^\p{Extended_Pictographic}$/u;
const skinTone = /^\p{Emoji_Modifier}$/u;
const mongolian = /^(?=\p{Script=Mongolian})\p{L}$/u;
/** Matches characters of the scripts that have no spaces between words. A zero-width space may separate their words. */
const unspaced =
  /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}]$/u;
/** Matches the flags of England, Scotland and Wales, which consist of a black flag and invisible tags. */
const taggedFlag =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

/**
 * Whether the invisible character at the offset has a visible effect. A joiner has a visible effect within an emoji or
 * after a joining letter, and a variation selector after its base character. A non-joiner may also separate a Latin
 * abbreviation or a number from its ending, as in Persian. A zero-width space lets a line of Thai, Lao, Khmer or Burmese
 * break between two words. In a sequence of such characters, only one counts, because a longer sequence could hide text.
 */
export function hasEffect(character: string, text: string, at: number): boolean {
  const before = characterBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at + character.length) ?? 0);
  switch (character) {
    case '\u200b':
      return separatesWords(before, after);
    case '\u200d':
      return joinable.test(before) || (emoji.test(after) && endsEmoji(before, text, at));
    case '\u200c':
      return joinable.test(before) || (/[\p{L}\p{N}]/u.test(before) && joinable.test(after));
    case '\ufe0e':
      return emoji.test(before);
    case '\ufe0f':
      return emoji.test(before) || (/^[0-9#*]$/.test(before) && after === '\u20e3');
    default:
      return /^[\u180b-\u180d\u180f]$/.test(character) ? mongolian.test(before) : isInTaggedFlag(text, at);
  }
}

function separatesWords(before: string, after: string): boolean {
  return unspaced.test(before) || (unspaced.test(after) && before.search(invisible) < 0);
}

function isInTaggedFlag(text: string, at: number): boolean {
  const from = Math.max(0, at - 12);
  const flags = [...text.slice(from, at + 12).matchAll(taggedFlag)];
  return flags.some(({ 0: flag, index }) => from + index < at && at < from + index + flag.length);
}

/** Whether an emoji ends at the offset. The variation selector and skin tone are part of the emoji. */
function endsEmoji(before: string, text: string, at: number): boolean {
  if (emoji.test(before) || skinTone.test(before)) return true;
  return before === '\ufe0f' && emoji.test(characterBefore(text, at - 1));
}

function characterBefore(text: string, at: number): string {
  const pair = text.slice(Math.max(0, at - 2), at);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
}

/**
 * Escapes invisible characters, for example as `\u001b`. Keeps tabs, line feeds and characters with a visible effect.
 */
export function visible(text: string): string {
  return text.replace(invisible, (character, at: number) =>
    hasEffect(character, text, at) ? character : spelt(character),
  );
}

/** Works like `visible`, but replaces each run of line feeds and tabs with a space. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\t]+/g, ' ');
}

/** Escapes invisible characters in a JSON text without changing the meaning of the JSON. Keeps CRLF line endings. */
export function visibleJson(json: string): string {
  return json.replace(invisible, (character, at: number) => {
    const isLineEnd = character === '\r' && json[at + 1] === '\n';
    return isLineEnd || hasEffect(character, json, at) ? character : jsonEscaped(character);
  });
}

/** Shows trailing blanks of a changed line as dots and arrows, because the change would otherwise be invisible. */
export function withVisibleEnd(line: string): string {
  const end = line.trimEnd();
  return end + line.slice(end.length).replaceAll('\t', '→').replace(/[^→]/g, '·');
}

/**
 * Whether two texts look the same, because they differ only in white space, in zero-width spaces or in Unicode
 * normalisation.
 */
export function looksAlike(one: string, other: string): boolean {
  const [shown, otherShown] = [one, other].map((text) =>
    text
      .normalize()
      .replace(/\u200b/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return shown === otherShown;
}

/** Escapes the characters that tell two texts apart if the texts would otherwise look the same. */
export function toldApart(one: string, other: string): readonly [string, string] {
  if (one === other || !looksAlike(one, other)) return [one, other];
  const hidden = one.normalize() === other.normalize() ? /[^ -~]/gu : /[^\S ]|\u200b/g;
  return [one.replace(hidden, spelt), other.replace(hidden, spelt)];
}

/** The code point of a character, such as `U+00A0`. */
export function codePointName(character: string): string {
  return `U+${hexCode(character).toUpperCase().padStart(4, '0')}`;
}

function spelt(character: string): string {
  const code = hexCode(character);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

function hexCode(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

function jsonEscaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
