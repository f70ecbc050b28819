/** What a file should not hold raw: controls, separators of lines, byte order marks, halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it looks for
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u;

/** Whether a text can stand in a file as it is; tabs and line feeds can. */
export function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

/** The text between double quotes: JSON's escapes are YAML's, too. */
export function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(
      /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
