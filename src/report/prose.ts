import { displayWidth } from './display-width.ts';

export interface ProseLayout {
  readonly width: number;
  /** Columns before each line. */
  readonly indent: number;
  /** Columns more before every line but the first. */
  readonly hanging?: number;
}

/**
 * Breaks a sentence at blanks so that lines stay within the width; a word that is longer keeps its line. What stands in
 * backticks is a command to copy, and is not broken.
 */
export function wrapProse(text: string, { width, indent, hanging = 0 }: ProseLayout): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/(?:`[^`\n]*`|[^ \n])+/g) ?? []) {
    const room = width - indent - (lines.length === 0 ? 0 : hanging);
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((wrapped, index) => ' '.repeat(indent + (index === 0 ? 0 : hanging)) + wrapped);
}
