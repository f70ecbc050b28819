/** The text that GitHub reads as Markdown: without fenced blocks, and by default without code spans. */
export function outsideFences(markdown: string): string {
  const outside: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    const run = /^ {0,3}(`{3,})([^`]*)$/.exec(line);
    if (fence === undefined && run !== null) fence = run[1] ?? '';
    else if (fence === undefined) outside.push(line);
    else if (run !== null && (run[1] ?? '').length >= fence.length && (run[2] ?? '').trim() === '') fence = undefined;
  }
  if (fence !== undefined) throw new Error('a fence is not closed');
  return outside.join('\n');
}

/** Removes code spans as CommonMark finds them: from a run of backticks to the next run of the same length. */
export function withoutCodeSpans(paragraphs: string): string {
  return paragraphs.split('\n').map(lineWithoutCodeSpans).join('\n');
}

function lineWithoutCodeSpans(line: string): string {
  let rest = line;
  let kept = '';
  while (rest !== '') {
    const escaped = /^\\[!-/:-@[-`{-~]/.exec(rest);
    const run = /^`+/.exec(rest)?.[0];
    const end = run === undefined ? -1 : endOfSpan(rest, run);
    if (run !== undefined && end >= 0) rest = rest.slice(end);
    else {
      const taken = escaped?.[0] ?? run ?? rest.slice(0, 1);
      kept += taken;
      rest = rest.slice(taken.length);
    }
  }
  return kept;
}

function endOfSpan(text: string, run: string): number {
  for (const match of text.slice(run.length).matchAll(/`+/g)) {
    if (match[0].length === run.length) return run.length + match.index + run.length;
  }
  return -1;
}

/** The elements that comments contain. */
export const ourTags =
  /<details open>|<\/?(?:details|summary|b|i|del|ins|sub|kbd|code)>|<w?br>|<a id="[a-z0-9_-]*"><\/a>|<!-- question \d+ -->/g;
