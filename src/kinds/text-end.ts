/**
 * The text without these characters at its end. A regex such as `/\n+$/` would begin anew at each of them, which takes
 * the square of the time on a text with many of them in the middle.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
