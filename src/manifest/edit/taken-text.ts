/**
 * The live text as a file is to say it. What the comparison rules call equal stays as the file has it: in a text of
 * several lines the line ends, and the line breaks at its end.
 */
export function takenText(live: string, now: string | undefined): string {
  if (now === undefined || live === '' || !now.includes('\n')) return live;
  const isCrlf = /\r\n/.test(now) && !/(?<!\r)\n/.test(now);
  const lines =
    live.replaceAll('\r\n', '\n').replace(/\n+$/, '') + (/(?:\r?\n)+$/.exec(now)?.[0] ?? '').replaceAll('\r', '');
  if (isCrlf) return lines.replaceAll('\n', '\r\n');
  return now.includes('\r') ? live : lines;
}
