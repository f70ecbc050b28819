/**
 * A hostile text. When printed, the text clears the screen, renames the window, reverses characters and hides some of
 * them.
 */
export const hostile =
  'x\u001b[2J\u001b[31m\u001b]0;own\u0007\u009b5m\r\b\u007f\u202e\u2066\u200b\u200e\ufeff\u{e0041}y';

/** The text in `hostile`, escaped for one line of YAML or JSON. */
export const hostileJson = JSON.stringify(hostile).replace(
  /[\u007f-\uffff]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** The color sequences that agentform writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex looks for control characters
const ownColours = /\u001b\[(?:1|2|7|22|27|31|32|33|35|36|39)m/g;

/** Characters with a visible effect: joiners within emoji and scripts, and the Arabic number signs. */
const harmless = /[\n\t\u200c\u0600-\u0605\u06dd]|\u200d/gu;
const dangerous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u{e0000}-\u{e0fff}]/gu;

/** Returns the control and invisible characters of a text, as hexadecimal numbers. */
export function rawControlsIn(text: string, { color = false }: { readonly color?: boolean } = {}): string[] {
  const plain = color ? text.replaceAll(ownColours, '') : text;
  return [...plain.replaceAll(harmless, '').matchAll(dangerous)].map(([character]) =>
    (character.codePointAt(0) ?? 0).toString(16),
  );
}
