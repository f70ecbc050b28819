import { withoutEnd } from '../../kinds/text-end.ts';

/**
 * The live text as a file is to say it. What the comparison rules call equal stays as the file has it: in a text of
 * several lines the line ends, and the line breaks at its end.
 */
export function takenText(live: string, now: string | undefined): string {
  if (now === undefined || live === '' || !now.includes('\n')) return live;
  const isCrlf = /\r\n/.test(now) && !/(?<!\r)\n/.test(now);
  const lines = withoutEnd(live.replaceAll('\r\n', '\n'), '\n') + breaksAtEnd(now);
  if (isCrlf) return lines.replaceAll('\n', '\r\n');
  return now.includes('\r') ? live : lines;
}

/** As line feeds. A carriage return that no line feed follows is none. */
function breaksAtEnd(text: string): string {
  const end = text.slice(withoutEnd(text, '\r\n').length).replaceAll('\r\n', '\n');
  return end.slice(end.lastIndexOf('\r') + 1);
}
